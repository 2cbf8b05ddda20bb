"""Replace the secrets in a spec with placeholders."""

import json
import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import unquote, unquote_plus

import msgspec

from longline.errors import SpecError
from longline.secrets import NAME, PARAMETER, PASSWORD, USER, Secret, Secrets
from longline.source.check import ENVIRONMENT, KEY, PLACEHOLDERS, VARIABLE
from longline.source.spec import Ask, DocumentPage, Form, Spec

_IS_SECRET = re.compile(NAME, re.IGNORECASE)
_IN_JSON = re.compile(rf'"(?P<name>{NAME})"\s*:\s*"(?P<value>(?:[^"\\]|\\.)+)"', re.IGNORECASE)
_SCHEME = re.compile(r"(?P<scheme>[A-Za-z]+ +)(?P<value>\S.*)")
_TEMPLATE = re.compile(rf"\{{(?:{'|'.join(PLACEHOLDERS)})\}}")


class Veiled(NamedTuple):
    """A spec without its secrets, and the secrets."""

    spec: Spec
    secrets: Secrets


def veil(spec: Spec, environment: Mapping[str, str] | None = None) -> Veiled:
    """Take the secrets out of a spec.

    Secrets are the environment's values for `${NAME}`, passwords in URLs, and values of parameters,
    headers and fields with names such as "password".

    Args:
        spec: As it was read.
        environment: None leaves variables unset: the spec cannot be used for requests then.

    Raises:
        SpecError: A variable is not set.

    >>> from longline.source.spec import Home, Results
    >>> ask = Ask("https://x.example/?q={query}&key=s3c", headers={"Authorization": "Bearer ${T}"})
    >>> spec = Spec(Home("x", "https://x.example/"), ask, Results("li"))
    >>> ask = veil(spec, {"T": "t0k3n"}).spec.ask
    >>> print(ask.url, *ask.headers.values())
    https://x.example/?q={query}&key=~secret.key~ Bearer ~secret.Authorization~
    """
    spec = msgspec.structs.replace(spec, ask=_with_variables(spec.ask))
    veiling = _Veiling(environment)
    veiled = msgspec.structs.replace(
        spec,
        source=msgspec.structs.replace(spec.source, url=veiling.url(spec.source.url)),
        ask=veiling.ask(spec.ask),
        results=msgspec.structs.replace(
            spec.results, link_template=veiling.url(spec.results.link_template)
        ),
        document=spec.document and veiling.document(spec.document),
    )
    return Veiled(veiled, Secrets(veiling.secrets.values(), own_urls(spec)))


def own_urls(spec: Spec) -> list[str]:
    """Return URLs of the source's own hosts: only these get secrets."""
    asked = [spec.source.url, spec.ask.url, *([spec.ask.form.page] if spec.ask.form else [])]
    return list(filter(None, asked))


def _with_variables(ask: Ask) -> Ask:
    """Return an Ask with `${NAME}` in place of {key} and of "env:NAME"."""
    key = f"${{{ask.key.removeprefix(ENVIRONMENT)}}}"

    def put(text: str) -> str:
        if re.fullmatch(rf"{ENVIRONMENT}[A-Za-z_]\w*", text):
            return f"${{{text.removeprefix(ENVIRONMENT)}}}"
        return text.replace(KEY, key) if ask.key else text

    form = ask.form and msgspec.structs.replace(
        ask.form,
        page=put(ask.form.page),
        fields={name: put(value) for name, value in ask.form.fields.items()},
    )
    return msgspec.structs.replace(
        ask,
        url=put(ask.url),
        next_url=put(ask.next_url),
        body=put(ask.body),
        next_body=put(ask.next_body),
        headers={name: put(value) for name, value in ask.headers.items()},
        form=form,
        key="",
    )


class _Veiling:
    def __init__(self, environment: Mapping[str, str] | None) -> None:
        self._environment = environment
        self.secrets: dict[str, Secret] = {}

    def ask(self, ask: Ask) -> Ask:
        return msgspec.structs.replace(
            ask,
            url=self.url(ask.url),
            next_url=self.url(ask.next_url),
            body=self._body(ask.body),
            next_body=self._body(ask.next_body),
            headers={name: self._header(name, value) for name, value in ask.headers.items()},
            form=None if ask.form is None else self._form(ask.form),
        )

    def url(self, url: str) -> str:
        url = USER.sub(lambda found: found["before"] + self._password(found["value"]), url)
        return self._variables(PARAMETER.sub(self._parameter, url))

    def document(self, page: DocumentPage) -> DocumentPage:
        """Replace the secrets in how documents are asked for by their keys."""
        url, body = self.url(page.url), self._body(page.body)
        return msgspec.structs.replace(page, url=url, body=body)

    def _form(self, form: Form) -> Form:
        fields = {
            name: self._of(name, value) if _IS_SECRET.fullmatch(name) else self._variables(value)
            for name, value in form.fields.items()
        }
        return msgspec.structs.replace(form, page=self.url(form.page), fields=fields)

    def _header(self, name: str, value: str) -> str:
        if not _IS_SECRET.fullmatch(name):
            return self._variables(value)
        found = None if name.lower() == "cookie" else _SCHEME.fullmatch(value)
        return found["scheme"] + self._of(name, found["value"]) if found else self._of(name, value)

    def _body(self, body: str) -> str:
        if body.lstrip()[:1] not in ("{", "["):
            return self._variables(PARAMETER.sub(self._parameter, body))

        def in_json(found: re.Match[str]) -> str:
            start = found.start("value") - found.start()
            value = self._of(found["name"], json.loads(f'"{found["value"]}"'))
            return f'{found[0][:start]}{value}"'

        return self._variables(_IN_JSON.sub(in_json, body))

    def _parameter(self, found: re.Match[str]) -> str:
        name, value = found["name"], found["value"]
        if _TEMPLATE.search(value):
            return found[0]
        is_open = VARIABLE.search(value) is not None
        return f"{name}={self._of(name, value if is_open else unquote_plus(value), value, name)}"

    def _password(self, value: str) -> str:
        is_open = VARIABLE.search(value) is not None
        return self._of(PASSWORD, value if is_open else unquote(value), value)

    def _variables(self, text: str) -> str:
        return VARIABLE.sub(lambda found: self._of(found[1], found[0]), text)

    def _of(self, name: str, value: str, in_url: str = "", parameter: str = "") -> str:
        """Return the placeholder of a secret, named after its parameter, header or field."""
        is_told = VARIABLE.search(value) is not None
        secret = Secret(
            name,
            VARIABLE.sub(self._value, value),
            parameter,
            "" if is_told else in_url,
            is_told,
        )
        number = 1
        while self.secrets.setdefault(secret.placeholder, secret) != secret:
            number += 1
            secret = msgspec.structs.replace(secret, name=f"{name}-{number}")
        return secret.placeholder

    def _value(self, found: re.Match[str]) -> str:
        if self._environment is None:
            return found[0]
        value = self._environment.get(found[1])
        if not value:
            raise SpecError(
                f"the source spec takes a secret from the environment variable {found[1]}, "
                "which is not set",
                advice=f"set it, e.g. export {found[1]}=...",
            )
        return value
