"""A parsed response together with its query, and how its elements are distinguished."""

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
from longline.text.url import is_action, is_called_back, with_ampersands

MAX_BYTES = 6_000_000
"""Bytes of the longest response that is parsed. Result pages are never longer, and parsing is slow;
a list of two thousand documents may take three million."""

_PASSING = re.compile(
    r"\d|^(odd|even|alt|first|last|active|current|selected|visited|hover|focus|clearfix)$"
    r"|^(is-|has-|js-|ng-)|(odd|even)$",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[A-Za-z_-][\w-]*")


def classes(element: Any) -> list[str]:
    """Return an element's stable classes: those that name its kind, not its position or state."""
    names = (element.get("class") or "").split()
    return [name for name in names if _PLAIN.fullmatch(name) and not _PASSING.search(name)]


def step(element: Any) -> str:
    """Return an element's tag and stable classes, which distinguish it from its siblings."""
    return ".".join([element.tag, *sorted(classes(element))])


def is_element(node: Any) -> bool:
    """Return whether a node is an element, not a comment."""
    return isinstance(node.tag, str)


def node(element: Any) -> parsel.Selector:
    """Wrap an element in a selector."""
    return parsel.Selector(root=element, type="html")


def text(element: Any) -> str:
    """Return the visible text of an element, in one line."""
    return text_of(node(element))


def without_words(url: str, words: str, charset: str = "utf-8") -> str:
    """Return a URL with the query words replaced by {Q}, in its parameters only.

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
        # Match complete words of a value: the query may also be part of a document's own name.
        around = rf"(?:(?<=[=+])|(?<=%20)){re.escape(written)}(?=[&;+]|%20|$)"
        query = re.sub(around, "{Q}", query, flags=re.IGNORECASE)
    return path + query


_DATA = re.compile(rb"""\s*(?:\[\s*)*(?:\{\s*["}]|\[\s*["\d\]-])""")


def kind_of(response: Response) -> Kind:
    """Return a page's format, by its header and first bytes; `[name]` does not start JSON."""
    if "json" in response.content_type or _DATA.match(response.body):
        return "json"
    if is_called_back(response.body, response.url):
        return "json"
    if media_type(response.content_type) in ("text/csv", "text/tab-separated-values"):
        return "json"
    is_page = re.search(rb"<html|<!doctype html", response.body[:500], re.IGNORECASE)
    came = media_type(response.content_type)
    return "xml" if is_xml(came) and not is_page else "html"


_LOGIN = re.compile(
    r"[/=](?:(?:log|sign)[-_]?(?:in|on)|anmelden|connexion|register)(?:\.[a-z]{2,5})?/?(?:[?&]|$)",
    re.IGNORECASE,
)

TOKEN = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w.~%-]{6,}|\d{9,}")
"""Matches what does not look like a word and may identify a session or a response."""


@dataclass(frozen=True, eq=False)
class Link:
    """A link on a page.

    Attributes:
        place: Tags and stable classes from the root down.
        url: Absolute, with the query words replaced by {Q}.
    """

    element: Any
    place: str
    url: str
    text: str

    @property
    def acts(self) -> bool:
        """Whether it seems to log in or out, or to delete something."""
        return is_action(self.url) or bool(_LOGIN.search(self.url))


@dataclass(frozen=True, eq=False)
class ParsedAnswer:
    """A response: a web page, or data.

    Attributes:
        words: The query as typed; "" for a page that was not searched.
        number: Number of the result page, from 1.
        is_data: True for JSON, XML or a table, which is read as data and has no elements.
    """

    words: str
    request: Request
    response: Response
    answer: Answer
    number: int = 1
    is_data: bool = False

    @cached_property
    def root(self) -> Any:
        """The page's root element, or an empty one for data."""
        return etree.Element("html") if self.is_data else self.answer.root.root

    @property
    def lasting_url(self) -> str:
        """The response's URL, or the requested one if a redirect added a session to the path."""
        asked, came = self.request.url, self.response.url
        new = set(urlsplit(came).path.split("/")) - set(urlsplit(asked).path.split("/"))
        return asked if any(map(TOKEN.fullmatch, new)) else came

    @property
    def data(self) -> Any:
        """The parsed data, or None for a page."""
        return self.answer.root.root if self.is_data else None

    @cached_property
    def places(self) -> dict[Any, str]:
        """The place of every element: tags and stable classes from the root down."""
        places: dict[Any, str] = {}
        for element in self.root.iter():
            if is_element(element):
                above = places.get(element.getparent(), "")
                places[element] = f"{above}/{step(element)}"
        return places

    @cached_property
    def links(self) -> list[Link]:
        """All links to web pages, in page order."""
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
        """The page's texts, one for each element."""
        tags = ("tr", "li", "div", "article", "section", "p", "dd", "dt")
        return {line for element in self.root.iter(*tags) if 0 < len(line := text(element)) < 2000}

    @cached_property
    def lines(self) -> set[str]:
        """The page's texts without the query words."""
        return {self.without(line) for line in self.said}

    def without(self, line: str) -> str:
        """Return a line without the query words."""
        return line.replace(self.words, "") if self.words else line

    def beyond(self, others: Iterable[ParsedAnswer]) -> set[str]:
        """Return the lines that other pages lack, with or without the query words.

        A menu line that contains the words is no more new than one that repeats them.
        """
        said = set().union(*(other.said | other.lines for other in others))
        return {short for line in self.said - said if (short := self.without(line)) not in said}

    @property
    def asked(self) -> str:
        """The page's name in a note."""
        page = f" page {self.number}" if self.number > 1 else ""
        return f"{self.words!r}{page}"


def _by_column(links: list[Link]) -> list[Link]:
    """Add the column to the place of links that only their table column distinguishes.

    In a grid the cells of a row are hits of their own, and columns mean nothing.
    """
    cells = {link.element: _cell(link.element) for link in links}
    rows: dict[str, dict[Any, dict[Any, Link]]] = defaultdict(lambda: defaultdict(dict))
    for link in links:
        cell = cells[link.element]
        if cell is not None:
            rows[link.place][cell.getparent()][cell] = link
    several = {
        place
        for place, held in rows.items()
        if any(len(row) > 1 for row in held.values()) and not _is_grid(held)
    }
    return [
        replace(link, place=f"{link.place}:{_column(cells[link.element])}")
        if link.place in several
        else link
        for link in links
    ]


def _is_grid(rows: dict[Any, dict[Any, Link]]) -> bool:
    """Return whether all cells of a table without heads link to different pages of one kind."""
    urls = [link.url for row in rows.values() for link in row.values()]
    kinds = {
        (parts.netloc, *parts.path.split("/")[1:2], parts.path.count("/"))
        for parts in map(urlsplit, urls)
    }
    has_heads = any(
        row.find("th") is not None for row in next(iter(rows)).itersiblings("tr", preceding=True)
    )
    return len(rows) > 1 and len(kinds) == 1 and len(set(urls)) == len(urls) and not has_heads


def _cell(element: Any) -> Any:
    return next((above for above in element.iterancestors() if above.tag in ("td", "th")), None)


def _column(cell: Any) -> int:
    return sum(1 for _ in cell.itersiblings(preceding=True))


def show(
    words: str, request: Request, response: Response, number: int = 1, kind: Kind | None = None
) -> ParsedAnswer:
    """Parse a response as `kind`, if given: JSON may contain a part of a page.

    Raises:
        PageError: It is not a page, or too long to be a result page.
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


def as_data(
    request: Request, response: Response | None, words: str = "", number: int = 1
) -> ParsedAnswer | None:
    """Parse a response as data, which a page may hand to its scripts; None if there is none."""
    try:
        return None if response is None else show(words, request, response, number, "json")
    except PageError:
        return None


@dataclass(frozen=True)
class Typing:
    """How words are typed on a page, or stand in its address, and its answer to one of them.

    Attributes:
        page: The page's URL; with "{query}" if it contains the words.
        box: Selector of the search box; "" if nothing is typed.
        button: Selector of the button beside it; "" if none.
        more: Selector of the button that shows more hits; "" if scrolling shows them.
        post: Whether the page may send the words by POST.
        shown: The page with its answer to one word.
        opener: Selector of the button that opens the box; "" if the box is always there.
    """

    page: str
    box: str = ""
    button: str = ""
    more: str = ""
    post: bool = False
    shown: ParsedAnswer | None = None
    opener: str = ""

    def request(self, words: str, *, further: int = 0) -> Request:
        """Return the request that types words and then asks `further` times for more hits."""
        typed = words if self.box else ""
        browsing = Browsing(
            self.box, typed, self.button, further, self.more, self.post, self.opener
        )
        return Request(self.page.replace("{query}", quote_plus(words)), browser=browsing)


def by_get(request: Request) -> str:
    """Return the URL that sends the fields of a form's POST request by GET.

    >>> by_get(Request("https://x.example/s?hl=en", "POST", body=b"q=tides"))
    'https://x.example/s?hl=en&q=tides'
    """
    fields = request.body.decode("latin-1")
    return f"{request.url}{'&' if '?' in request.url else '?'}{fields}"


def place_of(url: str) -> str:
    """Return a URL's path without sessions and final slash, with the view's if a fragment has one.

    >>> place_of("https://x.example/s;jsessionid=7/?q=a#top"), place_of("https://x.example/#/s?q=a")
    ('/s', '/#/s')
    """
    path, fragment = urlsplit(url).path, urlsplit(url).fragment
    path = re.sub(r";[^/]*", "", path).rstrip("/") or "/"
    return f"{path}#{fragment.partition('?')[0]}" if is_view(fragment) else path


def literal(url: str) -> str:
    """Return a URL as a pattern of itself: braces, which mark placeholders, are escaped.

    >>> literal("https://x.example/{all}")
    'https://x.example/%7Ball%7D'
    """
    return url.replace("{", "%7B").replace("}", "%7D")


def parameters(url: str, charset: str = "utf-8") -> dict[str, str]:
    """Return a URL's parameters, including those of a view; the last one of each name.

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


def compiles(selector: str, kind: Kind = "html") -> bool:
    """Return whether a selector can be read: broken markup has tags that no selector can name."""
    try:
        read_select(selector, kind)
    except SpecError:
        return False
    return True


def folded(words: str) -> str:
    """Return words in one line and lower case."""
    return fold(words).casefold()


def declared_charset(page: ParsedAnswer) -> str:
    """Return the charset a page declares, in which it sends forms; UTF-8 if it declares none."""
    said = page.answer.charset.lower()
    declared = "charset" in page.response.content_type.lower() or page.answer.root.xpath(
        "//meta[@charset or contains(translate(@content, 'CHARSET', 'charset'), 'charset')]"
    )
    return said if declared and said not in ("utf-8", "utf8", "ascii") else "utf-8"
