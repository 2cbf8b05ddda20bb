"""An answer, decoded and parsed, so that selectors can look into it."""

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
    unpacked,
)
from longline.source.select import Kind, fold, text_of
from longline.text.charset import read_text, unmarked
from longline.text.media_type import is_xml, media_type

_NO_PAGE = ("image/", "audio/", "video/", "font/", "application/pdf", "application/zip")

_PARSERS = {
    "html": lxml.html.HTMLParser,
    "xml": partial(etree.XMLParser, resolve_entities=False, no_network=True),
}
LEAST_LETTERS = 300
"""Letters for readers without scripts that are no mere line about these."""

_REFERENCE = re.compile(r"&#(?:x([0-9a-f]{1,8})|([0-9]{1,9}));", re.IGNORECASE)
_ROOT = "text"
_DEEPEST = 100
"""Levels of JSON: no page has so many, and what reads it goes down level by level."""


class Answer(msgspec.Struct, frozen=True):
    """A parsed answer.

    Attributes:
        url: Where it came from.
        base: What its links are relative to.
        charset: Links and forms are encoded in it: what the page was decoded from, but for UTF-16.
        response: As it came.
    """

    url: str
    base: str
    charset: str
    text: str
    root: Any
    response: Response

    def header(self, name: str) -> str:
        """Return a header's value, "" where there is none."""
        return self.response.header(name)

    def visible(self) -> str:
        """Return what a reader sees of an HTML or XML page, text boxes' contents included."""
        boxes = "//input[not(@type) or @type='text' or @type='search']/@value"
        body = next(iter(self.root.xpath("//body")), self.root)
        return " ".join([text_of(body), *self.root.xpath(boxes).getall()]).strip()

    def title(self) -> str:
        """Return an HTML page's title, "" where it has none."""
        return fold(self.root.xpath("string(//title)").get(""))


def parse(response: Response, kind: Kind) -> Answer:
    """Decode and parse an answer.

    Raises:
        PageError: It is empty, no page at all, or not of the kind that the spec says.
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
        if came == "text/plain" and not text.lstrip().startswith("<"):
            text = f"<pre>{escape(text, quote=False)}</pre>"
    root = parsel.Selector(root=_tree(text, kind, response.url), type=kind)
    if kind == "xml":
        _remove_namespaces(root, response.url)
        return Answer(response.url, response.url, charset, text, root, response)
    base = _base(text, response.url, charset)
    return Answer(response.url, base, charset, text, root, response)


def _remove_namespaces(root: parsel.Selector, url: str) -> None:
    """Name elements as selectors do.

    Raises:
        PageError: A name is torn, as that of `<os:[`.
    """
    try:
        root.remove_namespaces()
    except ValueError as error:
        raise PageError(
            f"the XML from {url} is damaged: {error}", advice="try again later"
        ) from None


def _base(text: str, url: str, charset: str) -> str:
    """Return what the links of a page are relative to: its own address where <base> is no URL."""
    try:
        return str(get_base_url(text, url, charset))
    except ValueError:
        return url


def _tree(text: str, kind: Kind, url: str) -> Any:
    """Parse markup, however torn it is; nothing that it names is fetched or expanded.

    Raises:
        PageError: It is nested so deep that the parser gives up in the middle.
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
    # Of markup that is torn before <html>, the parser makes several trees side by side.
    for beside in [each for each in root.itersiblings() if isinstance(each.tag, str)]:
        root.append(beside)
    if kind == "html":
        _show_without_scripts(root)
    return root


def _show_without_scripts(root: Any) -> None:
    """Take what a page shows to readers without scripts for its own, where that is most of it.

    A line that asks for scripts is not: it is short, and leads nowhere.
    """
    for element in list(root.iter("noscript")):
        letters = len(" ".join("".join(element.itertext()).split()))
        links = len(element.findall(".//a[@href]"))
        if letters < LEAST_LETTERS and links < 2:
            continue
        if letters > len(text_of(parsel.Selector(root=root, type="html"))):
            element.tag = "div"


def whole_references(xml: str) -> str:
    """Return XML without references to half a letter, which its parser stumbles over later.

    >>> whole_references("&#xFC;&#xD800;")
    '&#xFC;\ufffd'
    """
    return _REFERENCE.sub(_whole_letter, xml)


def _whole_letter(reference: re.Match[str]) -> str:
    """Return a numeric reference as it is, or U+FFFD where it stands for half a letter."""
    number = int(reference[1] or reference[2], 16 if reference[1] else 10)
    return "\ufffd" if 0xD800 <= number < 0xE000 else reference[0]


def _binary(body: bytes, response: Response) -> Answer:
    """Read what is no text.

    Raises:
        PageError: It is not what it seems.
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
    """Read data: JSON; or rows of JSON in lines, XML or a table that says that it is such.

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
    """Return how deep the elements of a tree stand in one another."""
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
    """Say whether what is read as data came as an HTML page, whose scripts hold it."""
    came = media_type(answer.response.content_type)
    return answer.text.lstrip()[:1] == "<" and not is_xml(came)


def no_data(text: str, url: str, what: str = "") -> PageError:
    """Return the error of what came where JSON was expected: a page, mostly."""
    if text.lstrip()[:1] == "<":
        title = parsel.Selector(text, type="html").css("title::text").get("")
        what = f"an HTML page titled {fold(title)!r}"
    return PageError(
        f"{what} came from {url}, where JSON was expected",
        advice="open the URL in a browser: it may want a login or a lower "
        f"{option('rate')}, or ask.url may be wrong",
    )


def _json(text: str) -> Any:
    """Read JSON, the data that a script sets, or what a page holds for its scripts.

    Raises:
        ValueError: It is neither.
    """
    held = data_in(text)
    if held is not None:
        return held
    try:
        return json.loads(text, parse_constant=lambda name: None)
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
