"""Turn links, buttons and forms that a selector found into requests."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import parsel
from form2request import form2request
from lxml import etree  # type: ignore[import-untyped]
from lxml.html import HtmlElement  # type: ignore[import-untyped]
from w3lib.url import canonicalize_url, url_query_cleaner

from longline.errors import PageError
from longline.model import Request
from longline.source.answer.answer import Answer
from longline.source.select import fold
from longline.text.charset import codec_of, unmarked
from longline.text.url import resolve, with_ampersands, write_fields

_POSTBACK = re.compile(r"__doPostBack\(\s*+(['\"])([^'\"]*)\1\s*+,\s*+(['\"])([^'\"]*)\3\s*+\)")
_DEAD_SCRIPT = re.compile(r"javascript:\s*+(?:void\(0?\))?;?\s*+$", re.IGNORECASE)
_LAST_DOT = re.compile(r"(?<=[^.@])\.(?=:\d+$|$)")
MULTIPART = "multipart/form-data"
_BOUNDARY = "longline-form-data"

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""The parser accepts these characters in attributes, but does not let them be set."""
_ASKING = ("hx-get", "data-hx-get", "up-href", "ic-get-from")
"""Attributes that make an element of any name request a URL, as a link or a form does."""
_SCRIPTED = re.compile(
    rf"{'|'.join(_ASKING)}|data-[\w-]*(?:url|href|next|more|page|link|src)[\w-]*"
)
"""Attributes with a URL that a script requests, on a click or at the end of the page."""
_ADDRESS = re.compile(r"(?:https?://|\.{0,2}/|\?)\S*")
_FOLLOWED = (
    "descendant-or-self::*[self::a or self::area or self::link][@href]"
    "|descendant-or-self::button|descendant-or-self::form"
    "|descendant-or-self::input[re:test(@type, '^(submit|image)$', 'i')]|self::select"
)


def href(found: parsel.Selector | None) -> str:
    """Return the link that a selector found: a string, or an element's own or first href."""
    if found is None:
        return ""
    value = found.root
    if isinstance(value, etree._Element):
        link = found.xpath(
            "(descendant-or-self::*/@href|descendant-or-self::*/@src|self::object/@data)[1]"
        ).get()
        linked = found.xpath("descendant-or-self::*[@href][1]")
        if linked and _leads_nowhere(link or "") and (asked := scripted(linked[0].root)[1]):
            return asked
        # Atom and RSS write the link as the element's text.
        said = link if link is not None else scripted(value)[1] or found.xpath("string()").get("")
        return said.strip()
    if isinstance(value, bool) or value is None or isinstance(value, (dict, list)):
        return ""
    return str(value).strip()


def is_view(fragment: str) -> bool:
    """Return whether a URL's fragment names a view of a script, not a place on the page.

    >>> is_view("/doc/7"), is_view("!/doc/7"), is_view("top")
    (True, True, False)
    """
    return fragment.startswith(("/", "!"))


def absolute(link: str, base: str, charset: str = "utf-8") -> str:
    """Return a link as the absolute URL that a click requests, as `longline.text.url.resolve` does.

    The fragment is kept only if it names a view.

    Raises:
        ValueError: It is no http or https URL.

    >>> absolute("../doc?b=2;a=1#top", "https://shop.example/search/?q=x")
    'https://shop.example/doc?b=2;a=1'
    >>> absolute("#/doc/7", "https://shop.example/?q=x#/search")
    'https://shop.example/?q=x#/doc/7'
    """
    url = resolve(link, base, charset)
    return url if is_view(link.partition("#")[2]) else url.partition("#")[0]


def absolute_urls(links: Iterable[str], answer: Answer) -> Iterator[str]:
    """Yield the absolute URLs of a page's links; skip invalid ones."""
    for link in links:
        with suppress(ValueError):
            yield absolute(link, answer.base, answer.charset)


@lru_cache(maxsize=1024)  # the same link is needed where it is read and where it is compared
def canonical(link: str, base: str = "") -> str:
    """Return one canonical URL for all ways to write a link; it identifies a document.

    A trailing dot of the host is removed. The order of the query is kept if it contains `;` or a
    parameter without a value.

    Raises:
        ValueError: It is no http or https URL.

    >>> canonical("../doc?b=2&a=1#top", "https://shop.example/search/?q=x")
    'https://shop.example/doc?a=1&b=2'
    >>> canonical("/wiki?HomePage", "https://shop.example/"), canonical("https://x.example/?p=b;a=7")
    ('https://shop.example/wiki?HomePage', 'https://x.example/?p=b;a=7')
    """
    parts = urlsplit(absolute(link, base))
    own = parts._replace(netloc=_LAST_DOT.sub("", parts.netloc)).geturl()
    url: str = canonicalize_url(own, keep_fragments=True)
    if ";" in parts.query or not all("=" in part for part in parts.query.split("&") if part):
        url = urlsplit(url)._replace(query=parts.query).geturl()
    return url


def without_parameters(url: str, names: list[str]) -> str:
    """Return a URL without some of its query parameters.

    >>> without_parameters("https://shop.example/doc?id=7&hl=web", ["hl"])
    'https://shop.example/doc?id=7'
    >>> without_parameters("https://shop.example/?a=doc;hl=web;id=7", ["hl"])
    'https://shop.example/?a=doc;id=7'
    """
    if not names:
        return url
    query = urlsplit(url).query
    between = ";" if with_ampersands(query) != query and "&" not in query else "&"
    return str(url_query_cleaner(url, names, sep=between, remove=True, unique=False))


def scripted(element: Any) -> tuple[str, str]:
    """Return the attribute that holds a URL for a script, and the URL; "" and "" if there is none.

    A custom element, whose name has a hyphen, loads the URL in its `src`.

    >>> from lxml.html import fromstring
    >>> scripted(fromstring('<div hx-get="/s?q=a&amp;page=2">More</div>'))
    ('hx-get', '/s?q=a&page=2')
    >>> scripted(fromstring('<turbo-frame src="/s?q=a&amp;page=2">Loading</turbo-frame>'))
    ('src', '/s?q=a&page=2')
    """
    own = "-" in element.tag
    for name, value in element.items():
        is_asked = _SCRIPTED.fullmatch(name) or (own and name == "src")
        if is_asked and _ADDRESS.fullmatch(value):
            return name, value
    return "", ""


def asks_itself(element: Any) -> str:
    """Return the URL that an element requests without being a link, or "" if none."""
    return next(filter(None, map(element.get, _ASKING)), "")


def follow(found: parsel.Selector, answer: Answer) -> Request | None:
    """Return the request that a click on a link or button sends, or None if it does nothing.

    Raises:
        PageError: Only a script knows what the click does, or the button has no form.
    """
    if not isinstance(found.root, etree._Element):
        if isinstance(found.root, (dict, list, int, float)) and found.root is not False:
            raise PageError(
                f"what leads on from {answer.url} is {repr(found.root)[:80]}, which is no URL",
                advice="put {next} into ask.url where it belongs, or correct results.next",
            )
        return get(href(found), answer)
    own = found if asks_itself(found.root) else None
    clickable = own or next(iter(found.xpath(_FOLLOWED)), found)
    element = clickable.root
    if _is_disabled(element):
        return None
    link = "" if element.tag == "form" else href(clickable)
    by_script = scripted(found.root)[1]
    if by_script and (element.tag not in ("a", "area", "link") or _leads_nowhere(link)):
        return get(by_script, answer)
    if element.tag in ("button", "input"):
        led = element.get("formaction") or ""
        if led and not element.get("form") and next(element.iterancestors("form"), None) is None:
            return get(led, answer)  # a script reads it
        if element.tag == "button" and element.get("value") is None:
            element.set("value", "")  # its name is sent anyway
        return _submit(element, answer, click=element)
    if element.tag == "form":
        return _submit(element, answer)
    if element.tag == "select":
        onward = _after_chosen(element)
        data = {element.get("name") or "": onward}
        return None if onward is None else _submit(element, answer, click=False, data=data)
    if isinstance(element, HtmlElement) and not clickable.xpath("descendant-or-self::*/@href"):
        return None  # text only, for people
    if postback := _POSTBACK.search(link):
        data = {"__EVENTTARGET": postback[2], "__EVENTARGUMENT": postback[4]}
        return _submit(element, answer, click=False, data=data)
    return get(link, answer)


def _after_chosen(menu: Any) -> str | None:
    """Return the value of the entry after a menu's selected one, or None if that is the last."""
    entries = list(menu.iter("option"))
    at = next((at for at, entry in enumerate(entries) if "selected" in entry.attrib), 0)
    after = entries[at + 1 : at + 2]
    return after[0].get("value", fold(after[0].text or "")) if after else None


def _is_disabled(element: Any) -> bool:
    """Return whether an element is disabled, by its own attributes or its parent's."""
    around = element.getparent()
    marked = [element, *([] if around is None else [around])]
    return any(
        "disabled" in each.attrib
        or each.get("aria-disabled") == "true"
        or any(name.endswith("disabled") for name in (each.get("class") or "").split())
        for each in marked
    )


def get(link: str, answer: Answer) -> Request | None:
    """Return the request for a link of a page, or None if it leads nowhere.

    Raises:
        PageError: It is no http or https URL.
    """
    if _leads_nowhere(link):
        return None
    try:
        return Request(absolute(link, answer.base, answer.charset))
    except ValueError:
        raise PageError(
            f"the link to the next page on {answer.url} is {link!r}, which is no URL",
            advice="page by {page} or {offset} in ask.url instead",
        ) from None


def _leads_nowhere(link: str) -> bool:
    fragment = link.partition("#")[2]
    return not link or bool(_DEAD_SCRIPT.match(link)) or (link[0] == "#" and not is_view(fragment))


def _submit(element: Any, answer: Answer, **options: Any) -> Request:
    if element.get("form"):
        forms = element.getroottree().iter("form")
        form = next((each for each in forms if each.get("id") == element.get("form")), None)
    else:
        form = element if element.tag == "form" else next(element.iterancestors("form"), None)
    if form is None:
        raise PageError(
            f"the button to the next page on {answer.url} is in no form",
            advice="page by {page} or {offset} in ask.url instead",
        )
    return submit(form, answer, **options)


def submit(form: Any, answer: Answer, *, charset: str = "", **options: Any) -> Request:
    """Return the request that submitting a form sends, encoded as a browser does.

    Args:
        form: The form's element; its hidden fields are sent, too.
        answer: The page that contains the form.
        charset: The encoding if the form names none; by default that of the page.
        options: As `form2request` takes them: data, click.

    Raises:
        PageError: The form cannot be submitted, e.g. it uploads files.
    """
    own, is_multipart = form.get("action"), (form.get("enctype") or "").lower() == MULTIPART
    if is_multipart:
        form.attrib.pop("enctype")  # form2request encodes all forms in one way
    try:
        # A relative action is relative to <base>, which lxml does not know.
        form.set("action", resolve(asks_itself(form) or own or answer.url, answer.base))
        made = form2request(form, **options)
    except (ValueError, NotImplementedError) as error:
        raise PageError(
            f"a form on {answer.url} cannot be submitted: {error}",
            advice="ask by ask.url instead of the form",
        ) from None
    finally:
        if is_multipart:
            form.set("enctype", MULTIPART)
        # The page may be searched for the form again, perhaps by its action.
        form.attrib.pop("action", None)
        if own is not None:
            form.set("action", _CONTROL.sub("\ufffd", own))
    charset = form_charset(form) or charset or answer.charset
    parts = urlsplit(made.url)._replace(fragment="")
    if made.method == "GET":
        parts = parts._replace(query=_rewritten(parts.query, charset))
    is_form = any(value.endswith("urlencoded") for _, value in made.headers)
    body = _rewritten(made.body.decode(), charset).encode() if is_form else made.body
    if is_multipart and is_form and made.method == "POST":
        sent = (("Content-Type", f"{MULTIPART}; boundary={_BOUNDARY}"),)
        return Request(parts.geturl(), made.method, sent, _in_parts(body.decode("ascii"), charset))
    return Request(parts.geturl(), made.method, tuple(made.headers), body)


def form_charset(form: Any) -> str:
    """Return the encoding a form names, or "" if it names none.

    Of several, the first known one is used; if none is known, UTF-8.
    """
    named = (form.get("accept-charset") or "").replace(",", " ").split()
    known = next(filter(None, map(codec_of, named)), "utf-8")
    return unmarked(known) if named else ""


def _rewritten(fields: str, charset: str) -> str:
    """Re-encode form fields from UTF-8 to another charset."""
    return write_fields(parse_qsl(fields, keep_blank_values=True), charset)


def _in_parts(fields: str, charset: str) -> bytes:
    r"""Encode form fields as parts of a body, as a browser sends a form that may hold files.

    >>> _in_parts("q=deep+web", "utf-8").split(b"\r\n")[1:4]
    [b'Content-Disposition: form-data; name="q"', b'', b'deep web']
    """
    pairs = parse_qsl(fields, keep_blank_values=True, encoding=charset)
    head = 'Content-Disposition: form-data; name="{}"'
    parts = [f"--{_BOUNDARY}\r\n{head.format(name)}\r\n\r\n{value}\r\n" for name, value in pairs]
    return f"{''.join(parts)}--{_BOUNDARY}--\r\n".encode(charset, "xmlcharrefreplace")
