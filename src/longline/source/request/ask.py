"""Turn a query's text into a request: by template, or by form."""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, quote_plus, unquote_plus, urlsplit

import msgspec
import parsel

from longline.errors import PageError
from longline.model import Browsing, Request
from longline.source.answer import Answer, submit
from longline.source.check import PLACEHOLDERS
from longline.source.select import read_select
from longline.source.spec import Ask, Form, Spec
from longline.text.url import is_utf_8

_PLACEHOLDER = re.compile(rf"\{{({'|'.join(PLACEHOLDERS)})\}}")
_JSON = re.compile(r'\s*(?:\{\s*"|\[\s*[\[{"])')
_ONLY_NEXT = re.compile(r"(?:^|&)[^=&]+=\{next\}(?=&|$)")


def fill_template(ask: Ask, values: Mapping[str, str]) -> Request:
    """Fill a template's URL and body, each value encoded as its place requires.

    A URL parameter that consists of {next} alone is left out while {next} is empty. In a JSON body
    a value outside of strings is inserted unchanged; in a parameter that holds JSON it is escaped.

    Args:
        ask: Its `charset` encodes values in the URL or in a form's body.
        values: By placeholder, as text.

    >>> fill_template(Ask(url="https://x.example/{query}?q={query}"), {"query": "a b"}).url
    'https://x.example/a%20b?q=a+b'
    """
    encoded = {name: text.encode(ask.charset, "xmlcharrefreplace") for name, text in values.items()}
    address, hash_, view = ask.url.partition("#")
    path, mark, query = address.partition("?")
    if not values.get("next"):
        query = _ONLY_NEXT.sub("", query).removeprefix("&")
    # Scripts read their fragments in different ways, but all of them decode %20.
    quoted = {name: quote(text, safe="") for name, text in encoded.items()}
    url = _fill(path, quoted)
    url += mark + "&".join(_fill_parameter(part, values, ask.charset) for part in query.split("&"))
    url += hash_ + _fill(view, quoted)
    headers = dict(ask.headers)
    if not ask.body:
        return Request(url, ask.method, tuple(headers.items()))
    names = {name.lower(): value for name, value in headers.items()}
    is_json = "json" in names.get("content-type", "") or ask.body.lstrip()[:1] in ("{", "[")
    if "content-type" not in names:
        form = "application/x-www-form-urlencoded"
        headers["Content-Type"] = "application/json" if is_json else form
    if is_json:
        body = _fill_json(ask.body, values).encode()
    else:
        parts = (_fill_parameter(part, values, ask.charset) for part in ask.body.split("&"))
        body = "&".join(parts).encode(ask.charset, "xmlcharrefreplace")
    return Request(url, ask.method, tuple(headers.items()), body)


def _fill_parameter(part: str, values: Mapping[str, str], charset: str) -> str:
    """Fill a parameter of a URL or a form; in one that holds JSON, strings are escaped."""
    if _JSON.match(unquote_plus(part.partition("=")[2])):
        values = {name: json.dumps(text)[1:-1] for name, text in values.items()}
    # Browsers send a character missing in the charset as a numeric entity.
    encoded = {name: text.encode(charset, "xmlcharrefreplace") for name, text in values.items()}
    return _fill(part, {name: quote_plus(text) for name, text in encoded.items()})


def _fill(template: str, values: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], ""), template)


def _fill_json(template: str, values: Mapping[str, str]) -> str:
    escaped = {name: json.dumps(text)[1:-1] for name, text in values.items()}
    # Of the parts between quotes every second one is a string. Templates contain escaped quotes
    # only inside strings.
    parts = re.split(r'(?<!\\)"', template)
    filled = [_fill(part, escaped if place % 2 else values) for place, part in enumerate(parts)]
    return '"'.join(filled)


def fill_form(
    ask: Ask, form: Form, answer: Answer, text: str, more: Mapping[str, str] | None = None
) -> Request:
    """Fill the form on a page; its hidden fields are sent, too.

    Args:
        ask: Its `charset` is preferred to that of the page, unless it is UTF-8; the form's own is
            preferred to both.
        form: Which form, and which field takes the text.
        answer: The page.
        text: The query.
        more: Other fields and their values.

    Raises:
        PageError: The page has no such form, button or field.
    """
    element = _find_form(form, answer)
    names = list(dict.fromkeys(filter(None, element.xpath(".//@name"))))
    more = more or {}
    own = [form.field] if form.field else []
    for name in (*own, *form.fields, *more):
        if name not in names:
            raise PageError(
                f"the form {form.selector!r} on {answer.url} has no field {name!r}",
                advice=f"take one of its fields: {', '.join(names)}",
            )
    click = None
    if form.button:
        click = read_select(form.button).first(parsel.Selector(root=element, type="html"))
        if click is None:
            raise PageError(
                f"the form {form.selector!r} on {answer.url} has no button {form.button!r}",
                advice="correct ask.form.button, or leave it out",
            )
    data = {**form.fields, **more, **dict.fromkeys(own, text)}
    charset = "" if is_utf_8(ask.charset) else ask.charset
    request = submit(element, answer, charset=charset, data=data, click=click)
    is_own = urlsplit(request.url)[:2] == urlsplit(answer.url)[:2]
    return with_headers(request, ask.headers if is_own else {})


def type_into(form: Form, text: str) -> Request:
    """Return how a browser types a query into a form's field, or into a box outside of any form.

    >>> type_into(Form("https://x.example/", "css:form#f", "q"), "deep").browser.box
    'css:form#f [name="q"]'
    """
    box = form.selector
    if form.field and box.startswith("xpath:"):
        box = f'{box}//*[@name="{form.field}"]'
    elif form.field:
        box = f'{box} [name="{form.field}"]'
    browsing = Browsing(box, text, form.button, post=form.post, opener=form.opener)
    return Request(form.page, browser=browsing)


def _find_form(form: Form, answer: Answer) -> Any:
    found = read_select(form.selector).first(answer.root)
    forms = (
        found.xpath("ancestor-or-self::form[1]|descendant::form[1]") if found is not None else []
    )
    if not forms:
        raise PageError(
            f"the selector {form.selector!r} finds no form on {answer.url}",
            advice="correct ask.form.selector, or ask.form.page",
        )
    return forms[0].root


def with_headers(request: Request, headers: Mapping[str, str]) -> Request:
    """Add headers to a request, except those it already has."""
    own = {name.lower() for name, _ in request.headers}
    more = tuple(pair for pair in headers.items() if pair[0].lower() not in own)
    return msgspec.structs.replace(request, headers=(*request.headers, *more))


def own_headers(spec: Spec, url: str) -> Mapping[str, str]:
    """Return the spec's headers for a URL on the source's host, else none: keys are secret."""
    asked = spec.ask.form.page if spec.ask.form else spec.ask.url
    same = urlsplit(url)[:2] in (urlsplit(asked)[:2], urlsplit(spec.source.url)[:2])
    return spec.ask.headers if same else {}
