"""Documents' own pages: which are asked for, how, and whether they are what their hits promised."""

from collections.abc import Iterable
from urllib.parse import quote_plus, urlsplit

from longline.discovery.answer import ParsedAnswer, parameters, text
from longline.discovery.document.data_texts import leaves_of_document
from longline.discovery.session import DiscoverySession
from longline.discovery.words import terms
from longline.model import Browsing, Hit, Request
from longline.source import address_in
from longline.source.request import own_headers

OwnPage = tuple[Hit, ParsedAnswer]
"""A document, and its own page."""

KNOWN = 0.6
"""A document's page has this share of the words that its hit has."""

LACKING = 0.3
"""Where more of the hits lack the word that found them, they are not all that is searched.

Of 154 titles whose texts are searched, 45 to 57 of 100 hits do, drawn six times.
"""

SAME = 4
"""Letters of a word that its other forms have, too."""

LOOKS_AT_MORE = "many hits do not hold the word that found them: the search looks at more"


def first_hits(session: DiscoverySession, *, host: str | None = None) -> list[Hit]:
    """Return the first hit of each answer, each once, and two of one answer where it is alone.

    One whose title and snippet lack what was asked for is taken first: its page has to tell more.
    Only those on a host are taken, where one is given.
    """
    found: dict[str, Hit] = {}
    read = ((shown.words, session.read(shown)) for shown in session.probes)
    pages = [(words, page) for words, page in read if page is not None]
    for words, page in pages:
        own = [hit for hit in page.hits if host in (None, _host_of(hit.url))]
        own.sort(key=lambda hit: not lacks_words(words, f"{hit.title} {hit.snippet}"))
        for hit in own[: 2 if len(pages) == 1 else 1]:
            found.setdefault(hit.key, hit)
    return list(found.values())


def carrying(session: DiscoverySession) -> str:
    """Return the parameter in which the link of every hit holds another address; "" for none.

    Such links lead there, and count that they were followed.
    """
    pages = filter(None, map(session.read, session.probes))
    held = {hit.key: parameters(hit.url) for page in pages for hit in page.hits if hit.url}
    for name in next(iter(held.values()), {}):
        values = {address_in(each.get(name, "")) for each in held.values()}
        is_own = 2 * len(values) > len(held) > 1  # a way back would be the same for many
        if is_own and all(values):
            return quote_plus(name)
    return ""


def own_request(session: DiscoverySession, url: str, browser: Browsing | None = None) -> Request:
    """Return how a harvest asks for a document's own page: with the headers of the source."""
    headers = own_headers(session.spec, url) if session.spec else {}
    return Request(url, headers=tuple(headers.items()), browser=browser)


def is_of(shown: ParsedAnswer, hit: Hit) -> bool:
    """Say whether a page holds the words of its hit: a shell for scripts does not."""
    words = set(terms(f"{hit.title} {hit.snippet}"))
    if shown.is_data:
        said = " ".join(str(value) for _, value in leaves_of_document(shown.data)).lower()
    else:
        said = text(shown.root).lower()
    if not words:  # what is listed may be addresses alone
        named = (hit.title or hit.url or hit.key).lower()
        return bool(named) and named in said
    return sum(word in said for word in words) >= KNOWN * len(words)


def searches_more(said: Iterable[tuple[str, str]]) -> bool:
    """Say whether many hits lack the words that were asked for: these stand in what is not shown.

    >>> searches_more([("deep", "The deep web"), ("tides", "The moon")])
    True
    """
    lacks = [lacks_words(words, text) for words, text in said if words]
    return sum(lacks) > LACKING * len(lacks)


def lacks_words(words: str, text: str) -> bool:
    """Say whether a text lacks some of the words that were asked for, in all of their forms."""
    return not all(word[:SAME] in text.lower() for word in terms(words))


def _host_of(url: str) -> str:
    """Return a URL's host, whether or not its name ends in the dot of the root."""
    return (urlsplit(url).hostname or "").rstrip(".")


def own_host(session: DiscoverySession) -> str:
    """Return the host that answers come from; "" where none came."""
    return _host_of(session.probes[0].response.url) if session.probes else ""
