"""An answer that came, parsed, with what was asked for it; and how its elements are told apart."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import quote, quote_plus, unquote_plus, urljoin, urlsplit

import parsel
from lxml import etree  # type: ignore[import-untyped]

from longline.errors import PageError, SpecError
from longline.model import Browsing, Request, Response
from longline.source import Answer, is_view, parse, scripted
from longline.source.select import Kind, fold, read_select, text_of
from longline.text.media_type import is_xml, media_type
from longline.text.url import is_called_back, with_ampersands

MAX_BYTES = 6_000_000
"""A longer page is no result page that anyone reads, and slow to take apart; a list of two thousand
documents may take three million."""

_PASSING = re.compile(
    r"\d|^(odd|even|alt|first|last|active|current|selected|visited|hover|focus|clearfix)$"
    r"|^(is-|has-|js-|ng-)|(odd|even)$",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[A-Za-z_-][\w-]*")


def classes(element: Any) -> list[str]:
    """Return the classes of an element that say what it is, not which of several it is."""
    names = (element.get("class") or "").split()
    return [name for name in names if _PLAIN.fullmatch(name) and not _PASSING.search(name)]


def step(element: Any) -> str:
    """Return what tells an element from others of its sort: tag and stable classes."""
    return ".".join([element.tag, *sorted(classes(element))])


def is_element(node: Any) -> bool:
    """Say whether a node is an element, not a comment."""
    return isinstance(node.tag, str)


def node(element: Any) -> parsel.Selector:
    """Return an element as a selector to look into."""
    return parsel.Selector(root=element, type="html")


def text(element: Any) -> str:
    """Return what a reader sees of an element, in one line."""
    return text_of(node(element))


def without_words(url: str, words: str, charset: str = "utf-8") -> str:
    """Return a URL with what was asked for replaced by {Q}, in its parameters only.

    >>> without_words("https://x.example/deep?q=deep+web&p=2", "deep web")
    'https://x.example/deep?q={Q}&p=2'
    >>> without_words("https://x.example/?id=wiki%3Asyntax&hl=wiki", "wiki")
    'https://x.example/?id=wiki%3Asyntax&hl={Q}'
    >>> without_words("https://x.example/web/show;query=web;rec=0", "web")
    'https://x.example/web/show;query={Q};rec=0'
    """
    found = re.search("[?;]", url) if words else None
    if found is None:
        return url
    path, query = url[: found.start()], url[found.start() :]
    encoded = words.encode(charset, "xmlcharrefreplace")
    ways = {quote_plus(words), quote(words), words, quote_plus(encoded), quote(encoded)}
    for written in sorted(ways):
        # A whole word of a value: part of a document's own name is not what was asked.
        around = rf"(?:(?<=[=+])|(?<=%20)){re.escape(written)}(?=[&;+]|%20|$)"
        query = re.sub(around, "{Q}", query, flags=re.IGNORECASE)
    return path + query


_DATA = re.compile(rb"""\s*(?:\[\s*)*(?:\{\s*["}]|\[\s*["\d\]-])""")


def kind_of(response: Response) -> Kind:
    """Say what a page is, by its header and its first letters; `[name]` begins no JSON."""
    if "json" in response.content_type or _DATA.match(response.body):
        return "json"
    if is_called_back(response.body, response.url):
        return "json"
    if media_type(response.content_type) in ("text/csv", "text/tab-separated-values"):
        return "json"
    is_page = re.search(rb"<html|<!doctype html", response.body[:500], re.IGNORECASE)
    came = media_type(response.content_type)
    return "xml" if is_xml(came) and not is_page else "html"


TOKEN = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w.~%-]{6,}|\d{9,}")
"""What looks like no word, and may name a session or an answer."""


@dataclass(frozen=True, eq=False)
class Link:
    """A link on a page.

    Attributes:
        place: Tags and stable classes from the root down.
        url: Absolute, with the words asked for replaced by {Q}.
    """

    element: Any
    place: str
    url: str
    text: str


@dataclass(frozen=True, eq=False)
class ParsedAnswer:
    """A page that came, or data.

    Attributes:
        words: What was asked for, as typed; "" for a page that was not asked anything.
        number: Which page of its answer, from 1.
        is_data: It is JSON, XML or a table, read as data, which has no elements.
    """

    words: str
    request: Request
    response: Response
    answer: Answer
    number: int = 1
    is_data: bool = False

    @cached_property
    def root(self) -> Any:
        """The page's root element; an empty one for data."""
        return etree.Element("html") if self.is_data else self.answer.root.root

    @property
    def lasting_url(self) -> str:
        """Its address; the one that was asked for where a session was put into it on the way."""
        asked, came = self.request.url, self.response.url
        new = set(urlsplit(came).path.split("/")) - set(urlsplit(asked).path.split("/"))
        return asked if any(map(TOKEN.fullmatch, new)) else came

    @property
    def data(self) -> Any:
        """What data holds; None for a page."""
        return self.answer.root.root if self.is_data else None

    @cached_property
    def places(self) -> dict[Any, str]:
        """Where every element stands: tags and stable classes from the root down."""
        places: dict[Any, str] = {}
        for element in self.root.iter():
            if is_element(element):
                above = places.get(element.getparent(), "")
                places[element] = f"{above}/{step(element)}"
        return places

    @cached_property
    def links(self) -> list[Link]:
        """Every link to a page of the web, in the page's order."""
        found = []
        for element in self.root.iter("a"):
            href = (element.get("href") or "").strip()
            if not href or href == "#":
                href = scripted(element)[1]
            if not href or (href.startswith("#") and not is_view(href[1:])):
                continue
            try:
                url = urljoin(self.answer.base, href)
                scheme = urlsplit(url).scheme
            except ValueError:
                continue
            if scheme in ("http", "https"):
                address, _, fragment = url.partition("#")
                url = url if is_view(fragment) else address
                url = without_words(url, self.words, self.answer.charset)
                found.append(Link(element, self.places[element], url, text(element)))
        return _by_column(found)

    @cached_property
    def said(self) -> set[str]:
        """The page's texts, an element each."""
        tags = ("tr", "li", "div", "article", "section", "p", "dd", "dt")
        return {line for element in self.root.iter(*tags) if 0 < len(line := text(element)) < 2000}

    @cached_property
    def lines(self) -> set[str]:
        """The page's texts with the words asked for taken out."""
        return {self.without(line) for line in self.said}

    def without(self, line: str) -> str:
        """Return a line with the words asked for taken out."""
        return line.replace(self.words, "") if self.words else line

    def beyond(self, others: Iterable[ParsedAnswer]) -> set[str]:
        """Return the lines that others lack, whether or not they hold the words asked for.

        A menu that holds the words is no more new than what repeats them.
        """
        said = set().union(*(other.said | other.lines for other in others))
        return {short for line in self.said - said if (short := self.without(line)) not in said}

    @property
    def asked(self) -> str:
        """How to speak of the page in a note."""
        page = f" page {self.number}" if self.number > 1 else ""
        return f"{self.words!r}{page}"


def _by_column(links: list[Link]) -> list[Link]:
    """Tell links apart that stand in different columns of a table's row, and nothing else does."""
    cells = {link.element: _cell(link.element) for link in links}
    rows: dict[tuple[str, Any], set[Any]] = defaultdict(set)
    for link in links:
        cell = cells[link.element]
        if cell is not None:
            rows[link.place, cell.getparent()].add(cell)
    several = {place for (place, _), held in rows.items() if len(held) > 1}
    return [
        replace(link, place=f"{link.place}:{_column(cells[link.element])}")
        if link.place in several
        else link
        for link in links
    ]


def _cell(element: Any) -> Any:
    return next((above for above in element.iterancestors() if above.tag in ("td", "th")), None)


def _column(cell: Any) -> int:
    return sum(1 for _ in cell.itersiblings(preceding=True))


def show(
    words: str, request: Request, response: Response, number: int = 1, kind: Kind | None = None
) -> ParsedAnswer:
    """Parse an answer, as what it is known to be: JSON may hold a part of a page.

    Raises:
        PageError: It is no page, or too long to be a result page.
    """
    if len(response.body) > MAX_BYTES:
        raise PageError(
            f"{response.url} is {len(response.body) / 1e6:.0f} MB long, which no search page is",
            advice="name the search page itself",
        )
    if (kind or kind_of(response)) != "html":
        return ParsedAnswer(words, request, response, parse(response, "json"), number, is_data=True)
    answer = parse(response, "html")
    if answer.root.root is None or not is_element(answer.root.root):
        raise PageError(f"{response.url} holds no element", advice="open the URL in a browser")
    return ParsedAnswer(words, request, response, answer, number)


@dataclass(frozen=True)
class Typing:
    """How words are typed on a page, and what it showed for some of them.

    Attributes:
        page: Its address.
        box: Selector of the box.
        button: Selector of the button beside it; "" for none.
        more: Selector of what shows more hits; "" where scrolling does.
        post: What is typed may be sent by POST.
        shown: The page with its answer to a word.
        opener: Selector of what shows the box; "" where it is there.
    """

    page: str
    box: str
    button: str = ""
    more: str = ""
    post: bool = False
    shown: ParsedAnswer | None = None
    opener: str = ""

    def request(self, words: str, *, further: int = 0) -> Request:
        """Return how to type words, and go on in their answer so many times."""
        browsing = Browsing(
            self.box, words, self.button, further, self.more, self.post, self.opener
        )
        return Request(self.page, browser=browsing)


def place_of(url: str) -> str:
    """Return a URL's path, with a view's where its fragment names one.

    >>> place_of("https://x.example/s?q=a#top"), place_of("https://x.example/#/s?q=a")
    ('/s', '/#/s')
    """
    path, fragment = urlsplit(url).path, urlsplit(url).fragment
    return f"{path}#{fragment.partition('?')[0]}" if is_view(fragment) else path


def literal(url: str) -> str:
    """Return an address as a pattern that stands for itself: braces would mark what is filled in.

    >>> literal("https://x.example/{all}")
    'https://x.example/%7Ball%7D'
    """
    return url.replace("{", "%7B").replace("}", "%7D")


def parameters(url: str, charset: str = "utf-8") -> dict[str, str]:
    """Return a URL's parameters, those of a view included; the last of several of one name.

    >>> parameters("https://x.example/#/s?q=a+b&page=2")
    {'q': 'a b', 'page': '2'}
    """
    query, fragment = urlsplit(url).query, urlsplit(url).fragment
    if is_view(fragment):
        query = f"{query}&{fragment.partition('?')[2]}"
    pairs = (part.partition("=") for part in with_ampersands(query).split("&"))
    return {
        unquote_plus(name, charset): unquote_plus(value, charset)
        for name, _, value in pairs
        if name
    }


def compiles(selector: str) -> bool:
    """Say whether a selector can be read: broken markup brings tags that no selector can name."""
    try:
        read_select(selector)
    except SpecError:
        return False
    return True


def folded(words: str) -> str:
    """Return words in one line and lower case."""
    return fold(words).casefold()


def declared_charset(page: ParsedAnswer) -> str:
    """Return the charset that a page names, in which forms are sent; UTF-8 where it has none."""
    said = page.answer.charset.lower()
    declared = "charset" in page.response.content_type.lower() or page.answer.root.xpath(
        "//meta[@charset or contains(translate(@content, 'CHARSET', 'charset'), 'charset')]"
    )
    return said if declared and said not in ("utf-8", "utf8", "ascii") else "utf-8"
