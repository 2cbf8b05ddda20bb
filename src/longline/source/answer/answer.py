"""An answer, decoded and parsed for use with selectors."""

import json
import re
from functools import partial
from html import escape
from typing import Any

import lxml.html  # type: ignore[import-untyped]
import msgspec
import parsel
from lxml import etree
from w3lib.html import get_base_url

from longline.errors import PageError, option
from longline.model import Response
from longline.source.answer.as_data import LINES, TABLES, from_csv, from_xml
from longline.source.answer.packed import (
    data_in,
    from_cbor,
    from_script,
    is_binary_index,
    markup_in,
    unflattened,
    unpacked,
    unquoted,
)
from longline.source.select import Kind, fold, text_of
from longline.text.charset import read_text, unmarked
from longline.text.media_type import is_xml, media_type

_OWN_TAG = re.compile(r"<[a-z]+-\w")
_BOX = re.compile(r"-.*(?:input|field|search|text|query)|search.*-", re.IGNORECASE)
"""Matches the tags of elements of a site's own that take text: sl-input, x-search-bar."""

_OF_BOXES = ("name", "value", "type", "placeholder")

_NO_PAGE = ("image/", "audio/", "video/", "font/", "application/pdf", "application/zip")

_PARSERS = {
    "html": lxml.html.HTMLParser,
    "xml": partial(etree.XMLParser, resolve_entities=False, no_network=True),
}
LEAST_LETTERS = 300
"""Minimum number of characters for <noscript> content to count as content, not as a notice."""

_REFERENCE = re.compile(r"&#(?:x([0-9a-f]{1,8})|([0-9]{1,9}));", re.IGNORECASE)
_ROOT = "text"
_DEEPEST = 100
"""Maximum nesting depth of JSON: the code that reads it descends one level at a time."""


class Answer(msgspec.Struct, frozen=True):
    """A parsed answer.

    Attributes:
        url: The URL it came from.
        base: The base URL of its links.
        charset: The encoding of its links and forms: that of the page, except for UTF-16.
        response: The response as received.
    """

    url: str
    base: str
    charset: str
    text: str
    root: Any
    response: Response

    def header(self, name: str) -> str:
        """Return a header's value, or "" if it is missing."""
        return self.response.header(name)

    def visible(self) -> str:
        """Return the visible text of an HTML or XML page, including the contents of text inputs."""
        boxes = "//input[not(@type) or @type='text' or @type='search']/@value"
        body = next(iter(self.root.xpath("//body")), self.root)
        return " ".join([text_of(body), *self.root.xpath(boxes).getall()]).strip()

    def title(self) -> str:
        """Return an HTML page's title, or "" if it has none."""
        return fold(self.root.xpath("string(//title)").get(""))


def parse(response: Response, kind: Kind) -> Answer:
    """Decode and parse an answer.

    Raises:
        PageError: It is empty, not a page, or not of the kind the spec names.
    """
    came = media_type(response.content_type)
    if came.startswith(_NO_PAGE):
        raise PageError(
            f"{came} came from {response.url}, but {kind} was expected",
            advice="narrow the selector of the links, or leave such documents out",
        )
    body = unpacked(response.body)
    if not body.strip() and came not in LINES:
        raise PageError(f"an empty answer came from {response.url}", advice="try again later")
    if kind == "json" and is_binary_index(body):
        return _binary(body, response)
    charset, text = read_text(body, response.content_type, kind)
    charset = unmarked(charset)
    if kind == "xml":
        text = whole_references(text)
    if kind == "json":
        node = parsel.Selector(root=_data(text, came, response.url), type="json")
        return Answer(response.url, response.url, charset, text, node, response)
    if kind == "html":
        text = markup_in(text) or text
        # Some servers call HTML plain text; a text may begin with "<" as well, as in "<IBM> said".
        if came == "text/plain" and not (text.lstrip().startswith("<") and "</" in text):
            text = f"<pre>{escape(text, quote=False)}</pre>"
    root = parsel.Selector(root=_tree(text, kind, response.url), type=kind)
    if kind == "xml":
        _remove_namespaces(root, response.url)
        return Answer(response.url, response.url, charset, text, root, response)
    base = _base(text, response.url, charset)
    return Answer(response.url, base, charset, text, root, response)


def _remove_namespaces(root: parsel.Selector, url: str) -> None:
    """Remove XML namespaces, because selectors use names without them.

    Raises:
        PageError: A name is damaged, as in `<os:[`.
    """
    try:
        root.remove_namespaces()
    except ValueError as error:
        raise PageError(
            f"the XML from {url} is damaged: {error}", advice="try again later"
        ) from None


def _base(text: str, url: str, charset: str) -> str:
    """Return the base URL of a page's links: the page's own URL if <base> is not a URL."""
    try:
        return str(get_base_url(text, url, charset))
    except ValueError:
        return url


def _tree(text: str, kind: Kind, url: str) -> Any:
    """Parse markup, even if it is damaged; nothing it refers to is fetched or expanded.

    Raises:
        PageError: It is nested so deep that the parser stops before the end.
    """
    parser = _PARSERS[kind](recover=True, encoding="utf-8", huge_tree=True)
    body = text.replace("\0", "").strip().encode()
    root = etree.fromstring(body, parser, base_url=url) if body else None
    last = parser.error_log.last_error
    if last is not None and last.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        raise PageError(
            f"what came from {url} cannot be read to its end: {last.message.partition(',')[0]}",
            advice="tell the site's owner: its markup is nested, or repeated, without end",
        )
    if root is None:
        return etree.fromstring("<html/>", parser, base_url=url)
    # If markup is damaged before <html>, the parser makes several trees side by side.
    for beside in [each for each in root.itersiblings() if isinstance(each.tag, str)]:
        root.append(beside)
    if kind == "html":
        _show_without_scripts(root)
        if _OWN_TAG.search(text):
            _fill_components(root)
    return root


def _fill_components(root: Any) -> None:
    """Put the input that a script would draw into elements of a form's own making.

    Such as <sl-input name="q"> or <my-search input-name="q">.
    """
    for form in root.iter("form"):
        for element in [each for each in form.iter() if _is_box(each)]:
            sent = {name: element.get(name) or element.get(f"input-{name}") for name in _OF_BOXES}
            given = {name: value for name, value in sent.items() if value is not None}
            element.insert(0, element.makeelement("input", given))


def _is_box(element: Any) -> bool:
    """Return whether an element with a name of the site's own takes text in a form."""
    if not isinstance(element.tag, str) or "-" not in element.tag:
        return False
    is_named = bool(element.get("name") or element.get("input-name"))
    return is_named and bool(_BOX.search(element.tag)) and element.find(".//input") is None


def _show_without_scripts(root: Any) -> None:
    """Treat <noscript> content as normal content if it is most of the page.

    A short notice such as "please enable JavaScript", with fewer than two links, is ignored.
    """
    for element in list(root.iter("noscript")):
        letters = len(" ".join("".join(element.itertext()).split()))
        links = len(element.findall(".//a[@href]"))
        if letters < LEAST_LETTERS and links < 2:
            continue
        if letters > len(text_of(parsel.Selector(root=root, type="html"))):
            element.tag = "div"


def whole_references(xml: str) -> str:
    """Replace references to surrogate code points in XML, which break its parser later.

    >>> whole_references("&#xFC;&#xD800;")
    '&#xFC;\ufffd'
    """
    return _REFERENCE.sub(_whole_letter, xml)


def _whole_letter(reference: re.Match[str]) -> str:
    """Return a numeric reference unchanged, or U+FFFD if it names a surrogate code point."""
    number = int(reference[1] or reference[2], 16 if reference[1] else 10)
    return "\ufffd" if 0xD800 <= number < 0xE000 else reference[0]


def _binary(body: bytes, response: Response) -> Answer:
    """Read binary data (CBOR).

    Raises:
        PageError: It is not valid CBOR.
    """
    try:
        data = from_cbor(body)
    except ValueError as error:
        raise PageError(
            f"what came from {response.url} cannot be read: {error}", advice="try again later"
        ) from None
    node = parsel.Selector(root=data, type="json")
    return Answer(response.url, response.url, "utf-8", "", node, response)


def _data(text: str, came: str, url: str) -> Any:
    """Read data: JSON, JSON lines, XML, or a table (by its media type).

    Raises:
        PageError: It is none of these, or nested too deep.
    """
    if is_xml(came):
        root = parsel.Selector(root=_tree(whole_references(text), "xml", url), type="xml")
        data = {} if _levels(root.root) > _DEEPEST else from_xml(root.root)
        return {_ROOT: data} if isinstance(data, str) else data
    if came in LINES:
        return [_load(line, url) for line in text.splitlines() if line.strip()]
    rows = from_csv(text) if came in TABLES else None
    return _load(text, url) if rows is None else rows


def _levels(root: Any) -> int:
    """Return the nesting depth of a tree."""
    deepest = level = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        level += 1 if event == "start" else -1
        deepest = max(deepest, level)
    return deepest


def _load(text: str, url: str) -> Any:
    try:
        value = _json(text.removeprefix("\ufeff"))
        if _is_deep(value):
            raise ValueError(f"nested more than {_DEEPEST} levels deep")
        return value
    except (ValueError, RecursionError) as error:
        raise no_data(text, url, f"no JSON ({error})") from None


def is_page(answer: Answer) -> bool:
    """Return whether data was sent as an HTML page, with the data in its scripts."""
    came = media_type(answer.response.content_type)
    return answer.text.lstrip()[:1] == "<" and not is_xml(came)


def no_data(text: str, url: str, what: str = "") -> PageError:
    """Return the error for an answer that is not JSON (usually a page) where JSON was expected."""
    if text.lstrip()[:1] == "<":
        title = parsel.Selector(text, type="html").css("title::text").get("")
        what = f"an HTML page titled {fold(title)!r}"
    return PageError(
        f"{what} came from {url}, where JSON was expected",
        advice="open the URL in a browser: it may want a login or a lower "
        f"{option('rate')}, or ask.url may be wrong",
    )


def _json(text: str) -> Any:
    """Read JSON, the data that a script sets, or the data a page contains for its scripts.

    Raises:
        ValueError: It is none of these.
    """
    held = data_in(text)
    if held is not None:
        return unflattened(held)
    try:
        return unflattened(unquoted(json.loads(text, parse_constant=lambda name: None)))
    except ValueError:
        if text.lstrip()[:1] in "<{[":
            raise
        return from_script(text)


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        lists = [each for each in level if isinstance(each, list)]
        dicts = [each.values() for each in level if isinstance(each, dict)]
        level = [inner for outer in (*lists, *dicts) for inner in outer]
    return bool(level)
