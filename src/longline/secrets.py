"""Keys, tokens and passwords of a source: known only where requests are sent.

Elsewhere in longline a secret is a placeholder, `~secret.NAME~`, of characters that need no escape
in a URL, a header, a form or JSON. The placeholder is replaced when a request is sent, only to the
source's own hosts, and it replaces the secret in all answers: so the journal, the certificate, logs
and errors never contain the secret.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable
from html import escape
from typing import TypeVar
from urllib.parse import quote, quote_plus, urlsplit

import msgspec

from longline.errors import LonglineError
from longline.model import Capture, Exchange, Header, Request, Response

_WORDS = (
    "key", "token", "auth", "authorization", "secret", "sig", "signature", "password", "passwd",
    "pwd", "passphrase", "session", "sessionid", "cookie", "credential", "credentials", "wskey",
    "jwt", "apikey", "apitoken", "authtoken", "accesstoken", "accesskey", "appkey", "secretkey",
    "clientsecret", "authkey",
)  # fmt: skip
NAME = rf"(?:\w+[-.])*(?:[^\W_]+_)*(?:{'|'.join(_WORDS)})"
"""Names of parameters, headers or fields with a secret value, recognised by their last word."""

PARAMETER = re.compile(
    rf"(?:(?<=[?&;])|^)(?P<name>{NAME})=(?P<value>(?!=)[^&;#\s\"'<>]+)", re.IGNORECASE
)
USER = re.compile(r"(?P<before>\bhttps?://(?:[^/?#\s:@]*:)?)(?P<value>[^/?#\s@]+)(?=@)")
_PLACEHOLDER = re.compile(r"~secret\.([A-Za-z0-9_-]+)~")
PASSWORD = "password"

LEAST_LETTERS = 8
"""A shorter value, or a plain word, may occur in any text by chance."""

_CODES = (base64.b64encode, base64.urlsafe_b64encode)
_Text = TypeVar("_Text", str, bytes)


def placeholder(name: str) -> str:
    """Return the placeholder of a secret.

    >>> placeholder("api key")
    '~secret.api-key~'
    """
    return f"~secret.{re.sub('[^A-Za-z0-9_-]', '-', name)}~"


def without_placeholders(url: str) -> str:
    """Return a URL without parameters whose value is a placeholder, for a reader to open.

    >>> without_placeholders("https://x.example/7?key=~secret.key~&view=all#top")
    'https://x.example/7?view=all#top'
    >>> without_placeholders("https://x.example/7?key=~secret.key~")
    'https://x.example/7'
    """
    if not _PLACEHOLDER.search(url):
        return url
    before, question, rest = url.partition("?")
    query, sign, fragment = rest.partition("#")
    kept = "&".join(each for each in query.split("&") if not _PLACEHOLDER.search(each))
    return f"{before}{question if kept else ''}{kept}{sign}{fragment}"


def masked(text: str) -> str:
    """Replace secrets in URLs of a text by placeholders, as far as parameter names show them.

    For output before a source spec is known.

    >>> masked("GET https://me:pw@x.example/?q=key&api_key=s3cr3t answers 404")
    'GET https://me:~secret.password~@x.example/?q=key&api_key=~secret.api_key~ answers 404'
    >>> masked("jmes:cells[?Key=='Id'].Value")
    "jmes:cells[?Key=='Id'].Value"
    """
    text = USER.sub(lambda found: found["before"] + placeholder(PASSWORD), text)
    return PARAMETER.sub(_mask, text)


def _mask(found: re.Match[str]) -> str:
    is_one = _PLACEHOLDER.match(found["value"]) is not None
    return found[0] if is_one else f"{found['name']}={placeholder(found['name'])}"


class Secret(msgspec.Struct, frozen=True):
    """A secret of a source.

    Attributes:
        name: Of its placeholder.
        value: As the source reads it.
        parameter: Its parameter in a URL; "" if it has none.
        in_url: As it is written in a URL; "" if that is the quoted value.
        is_told: The user has called it a secret; otherwise only its name does.
    """

    name: str
    value: str
    parameter: str = ""
    in_url: str = ""
    is_told: bool = False

    @property
    def placeholder(self) -> str:
        """Its placeholder."""
        return placeholder(self.name)

    @property
    def quoted(self) -> str:
        """Its spelling in a URL or in a form's body."""
        return self.in_url or quote(self.value, safe="")

    def forms(self) -> list[str]:
        """Return how it may be written in an answer, the longest first."""
        value = self.value
        found = {value, self.quoted, quote(value), quote_plus(value), escape(value)}
        found |= {json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
        if self.can_stand_alone():
            found |= {coded for code in _CODES if (coded := code(value.encode()).decode())}
        return sorted(found, key=len, reverse=True)

    def can_stand_alone(self) -> bool:
        """Return whether the value is too unusual to occur in a text by chance."""
        has_digit = any(letter.isdigit() for letter in self.value)
        is_long = len(self.value) >= LEAST_LETTERS and (has_digit or len(self.value) >= 20)
        return is_long or (self.is_told and len(self.value) >= LEAST_LETTERS // 2)


class Secrets:
    """The secrets of one source.

    Args:
        secrets: Each with a unique name.
        urls: Of the source's own hosts; only they get the secrets.

    >>> own = Secrets([Secret("key", "s3cr3t-99")], ["https://x.example/"])
    >>> own.filled(Request("https://x.example/?key=~secret.key~")).url
    'https://x.example/?key=s3cr3t-99'
    >>> own.filled(Request("https://y.example/?key=~secret.key~")).url
    'https://y.example/?key=~secret.key~'
    >>> own.veiled("https://x.example/?key=s3cr3t-99&page=2")
    'https://x.example/?key=~secret.key~&page=2'
    """

    def __init__(self, secrets: Iterable[Secret] = (), urls: Iterable[str] = ()) -> None:
        self._secrets = {secret.placeholder: secret for secret in secrets}
        self._hosts = {_host(url) for url in urls}
        pattern = "|".join(f"({_pattern(secret)})" for secret in self._secrets.values())
        self._pattern = re.compile(pattern) if pattern else None
        self._bytes = re.compile(pattern.encode()) if pattern else None
        self._placeholders = list(self._secrets)
        self._headers: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._secrets)

    def with_more(self, secrets: Iterable[Secret], headers: Iterable[str] = ()) -> Secrets:
        """Return these and others that are never put into requests; longer ones are matched first.

        Args:
            secrets: Replaced in texts if they cannot occur by chance.
            headers: Names of request headers whose values are never written down.
        """
        more = [each for each in secrets if each.can_stand_alone()]
        both = sorted([*self._secrets.values(), *more], key=lambda each: -len(each.value))
        joined = Secrets(both)
        joined._hosts = self._hosts
        joined._headers = {name.lower() for name in headers}
        return joined

    def veiled(self, text: str) -> str:
        """Return a text with placeholders for secrets."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._stand_in(found), text)

    def veiled_bytes(self, body: bytes) -> bytes:
        """Return an answer's body with placeholders for secrets."""
        if self._bytes is None:
            return body
        return self._bytes.sub(lambda found: self._stand_in(found).encode(), body)

    def _stand_in(self, found: re.Match[_Text]) -> str:
        return self._placeholders[(found.lastindex or 1) - 1]

    def veiled_response(self, response: Response) -> Response:
        """Return an answer with placeholders for secrets."""
        if self._pattern is None:
            return response
        return msgspec.structs.replace(
            response,
            url=self.veiled(response.url),
            headers=tuple((name, self.veiled(value)) for name, value in response.headers),
            body=self.veiled_bytes(response.body),
            sent=tuple(map(self._veiled_exchange, response.sent)),
        )

    def veiled_capture(self, capture: Capture) -> Capture:
        """Return a captured exchange with placeholders for secrets.

        A body without secrets stays as received, encoded or not. An encoded body that was not
        decoded is left out, since it cannot be checked.
        """
        if self._pattern is None and not self._headers:
            return capture
        decoded, is_decoded = capture.decoded, capture.is_decoded
        body, truncated = capture.body, capture.truncated
        is_coded = any(name.lower() == b"content-encoding" for name, _ in capture.headers)
        if decoded is None and is_coded:
            body, truncated = b"", "unspecified"
        elif decoded is None:
            body = self.veiled_bytes(body)
        elif (veiled := self.veiled_bytes(decoded)) != decoded:
            body, decoded, is_decoded = veiled, veiled, True
        return msgspec.structs.replace(
            capture,
            url=self.veiled(capture.url),
            target=self.veiled_bytes(capture.target),
            request_headers=tuple(map(self._veiled_own, capture.request_headers)),
            request_body=self.veiled_bytes(capture.request_body),
            headers=self._veiled_headers(capture.headers),
            body=body,
            decoded=decoded,
            is_decoded=is_decoded,
            truncated=truncated,
        )

    def _veiled_own(self, header: Header) -> Header:
        name, value = header
        if name.decode("latin-1").lower() in self._headers:
            return name, placeholder(name.decode("latin-1")).encode()
        return name, self.veiled_bytes(value)

    def _veiled_headers(self, headers: Iterable[Header]) -> tuple[Header, ...]:
        return tuple((name, self.veiled_bytes(value)) for name, value in headers)

    def _veiled_exchange(self, exchange: Exchange) -> Exchange:
        asked, came = exchange.request, exchange.response
        request = msgspec.structs.replace(
            asked,
            url=self.veiled(asked.url),
            headers=tuple((name, self.veiled(value)) for name, value in asked.headers),
            body=self.veiled_bytes(asked.body),
        )
        response = None if came is None else self.veiled_response(came)
        return Exchange(request, response, self.veiled(exchange.disallowed))

    def veil_error(self, error: LonglineError) -> None:
        """Replace secrets in an error's texts by placeholders."""
        error.args = tuple(self.veiled(str(arg)) for arg in error.args)
        for name, value in vars(error).items():
            if isinstance(value, str):
                setattr(error, name, self.veiled(value))

    def filled(self, request: Request) -> Request:
        """Return a request ready to send: with the secrets, if it goes to the source."""
        if not self._secrets or _host(request.url) not in self._hosts:
            return request
        is_json = request.body.lstrip()[:1] in (b"{", b"[")
        body = self._fill(request.body.decode("latin-1"), in_json=is_json, in_url=not is_json)
        return msgspec.structs.replace(
            request,
            url=self._fill(request.url, in_url=True),
            headers=tuple((name, self._fill(value)) for name, value in request.headers),
            body=body.encode("latin-1"),
        )

    def _fill(self, text: str, *, in_url: bool = False, in_json: bool = False) -> str:
        def fill(found: re.Match[str]) -> str:
            secret = self._secrets.get(found[0])
            if secret is None:
                return found[0]
            if in_json:
                return json.dumps(secret.value)[1:-1]
            return secret.quoted if in_url else secret.value

        return _PLACEHOLDER.sub(fill, text)


def _pattern(secret: Secret) -> str:
    """Return a pattern for a secret: anywhere, or only in its place in a URL."""
    forms = f"(?:{'|'.join(map(re.escape, secret.forms()))})"
    forms = re.sub("%[0-9A-F]{2}", r"(?i:\g<0>)", forms)  # %2b is %2B
    if secret.can_stand_alone():
        return forms
    if not secret.parameter:
        return f"(?<=:){forms}(?=@)"
    return rf"(?<=[?&;]{re.escape(secret.parameter)}=){forms}(?=[&;#\s\"'<>]|$)"


def _host(url: str) -> tuple[str, str, int]:
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
        return parts.scheme, parts.hostname or "", port
    except ValueError:  # not a URL; the sender reports it
        return "", "", 0
