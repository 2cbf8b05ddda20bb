"""Documents' own pages: which to request, how, and whether they belong to their hits."""

import re
from collections.abc import Iterable
from urllib.parse import quote_plus, urldefrag, urlsplit

from longline.discovery.answer import ParsedAnswer, as_data, parameters, show, text
from longline.discovery.document.data_texts import leaves_of_document
from longline.discovery.session import DiscoverySession, change_results
from longline.discovery.words import terms
from longline.model import Browsing, Hit, Request
from longline.source import address_in
from longline.source.answer import at_place, place_in
from longline.source.request import own_headers

OwnPage = tuple[Hit, ParsedAnswer]
"""A document, and its own page."""

NAMING = 6
"""Minimum number of letters of a key by which data name their document."""

KNOWN = 0.6
"""A document's page has at least this share of the words of its hit."""

LACKING = 0.3
"""If more than this share of hits lack the word that found them, the search covers more text.

Among 154 titles whose texts are searched, 45 to 57 of 100 hits lack it, in six samples.
"""

_WHOLE = re.compile(
    r"\b(?:full|complete|whole|entire|volltext|vollst[aä]ndig\w*|int[eé]gral\w*|complet\w*|[ií]ntegr\w*"
    r"|полн\w*)\b|全文|^(?:texte?|texto|testo|tekst|текст|wortlaut|本文)(?: \(\d+\))?$",
    re.IGNORECASE,
)

HELD = 0.9
"""The complete text must have at least this share of the words of the part."""

LONGER = 1.2
"""The complete texts must be at least this many times as long as the parts."""

FOLDERS = 3
"""How many documents in further folders are read, to see what kinds there are."""

SAME = 4
"""Number of first letters that all forms of a word share."""

LOOKS_AT_MORE = "many hits do not hold the word that found them: the search looks at more"


def first_hits(session: DiscoverySession, *, host: str | None = None) -> list[Hit]:
    """Return the first hit of each answer, deduplicated, or two hits of a single answer.

    Hits whose title and snippet lack the query come first: their pages must have more text. Those
    that have neither come last, as nothing shows what their pages must hold. Only hits on `host`
    are returned, if it is given. A list may name itself: that is no document.
    """
    found: dict[str, Hit] = {}
    kinds = set[str]()
    lists = {shown.response.url for shown in session.probes}
    read = ((shown.words, session.read(shown)) for shown in session.probes)
    pages = [(words, page) for words, page in read if page is not None]
    for words, page in pages:
        own = [hit for hit in page.hits if host in (None, _host_of(hit.url))]
        own = [hit for hit in own if hit.url not in lists]
        for _ in range(2 if len(pages) == 1 else 1):
            # Documents in another folder may be made in another way.
            own.sort(
                key=lambda hit: (
                    not (hit.title or hit.snippet),
                    not _lacks(words, hit),
                    _folder(hit.url) in kinds,
                )
            )
            for hit in own[:1]:
                kinds.add(_folder(hit.url))
                found.setdefault(hit.key, hit)
                own.remove(hit)
    return list(found.values())


def of_other_folders(session: DiscoverySession, known: list[Hit]) -> list[Hit]:
    """Return hits whose addresses are in further folders, one of each: perhaps of another kind."""
    host, folders = own_host(session), {_folder(hit.url) for hit in known}
    read = (session.read(shown) for shown in session.probes)
    hits = (hit for page in read if page is not None for hit in page.hits)
    found: dict[str, Hit] = {}
    for hit in hits:
        if (not host or _host_of(hit.url) == host) and hit.url and _folder(hit.url) not in folders:
            found.setdefault(_folder(hit.url), hit)
    return list(found.values())[:FOLDERS]


def learn_places(session: DiscoverySession, pages: list[OwnPage]) -> bool:
    """Find out whether several documents stand on one page; return whether they do.

    Links of some hits lead to different places on one page, or are redirected to numbered places.

    Args:
        session: The session; `results.places` is set if they do.
        pages: Documents' own pages.
    """
    if session.results is None or not session.results.link:
        return False
    change_results(session, places=True)
    read = filter(None, map(session.read, session.probes))
    placed = {urldefrag(hit.url) for page in read for hit in page.hits}
    shared = len({address for address, _ in placed}) < len(placed)
    for hit, shown in pages:
        led = shown.response.place if any(map(str.isdigit, shown.response.place)) else ""
        named = [place for address, place in placed if shared and place and address == hit.url]
        if any(place_in(shown.root, place) is not None for place in filter(None, [led, *named])):
            seen = f"the link of {hit.title!r} leads to a place on the page {shown.response.url}"
            session.find("results.places", "true", "sure", seen)
            _take_names_of_links(session)
            return True
    change_results(session, places=False)
    return False


def own_part(session: DiscoverySession, hit: Hit, shown: ParsedAnswer) -> ParsedAnswer:
    """Return a document's page, or its part of a page that has several."""
    if session.results is None or not session.results.places:
        return shown
    part = show(shown.words, shown.request, shown.response)
    at_place(part.answer, urldefrag(hit.url).fragment or shown.response.place)
    return part


def _take_names_of_links(session: DiscoverySession) -> None:
    """Take what links say for titles: those of several documents on one page may be alike."""
    assert session.results is not None
    title, link = session.results.title, session.results.link
    change_results(session, title=link)
    read = filter(None, map(session.read, session.probes))
    if link == title or not all(hit.title for page in read for hit in page.hits):
        change_results(session, title=title)
        return
    session.find("results.title", link, "likely", "what links to places say")


def sample_of(session: DiscoverySession, hits: list[Hit]) -> list[Hit]:
    """Return two hits to read, and one of another folder than both, if there is any."""
    return hits[:2] + of_other_folders(session, hits[:2])[:1] if hits else []


def carrying(session: DiscoverySession) -> str:
    """Return the parameter that holds another address in the link of every hit, or "" if none.

    These links redirect to that address, and count the clicks.
    """
    pages = filter(None, map(session.read, session.probes))
    held = {hit.key: parameters(hit.url) for page in pages for hit in page.hits if hit.url}
    for name in next(iter(held.values()), {}):
        values = {address_in(each.get(name, "")) for each in held.values()}
        is_own = 2 * len(values) > len(held) > 1  # a return address would be the same for many
        if is_own and all(values):
            return quote_plus(name)
    return ""


def own_request(session: DiscoverySession, url: str, browser: Browsing | None = None) -> Request:
    """Return the request for a document's own page, with the headers of the source."""
    url = urldefrag(url).url if session.results and session.results.places else url
    headers = own_headers(session.spec, url) if session.spec else {}
    return Request(url, headers=tuple(headers.items()), browser=browser)


def is_of(shown: ParsedAnswer, hit: Hit) -> bool:
    """Return whether a page has most words of its hit: an empty page for scripts does not.

    Data may also name the hit by its key.
    """
    words = set(terms(f"{hit.title} {hit.snippet}"))
    if shown.is_data:
        said = " ".join(str(value) for _, value in leaves_of_document(shown.data)).lower()
        if len(hit.key) >= NAMING and hit.key.lower() in said:
            return True
    else:
        said = text(shown.root).lower()
    if not words:  # the list may hold only addresses
        named = (hit.title or hit.url or hit.key).lower()
        return bool(named) and named in said
    return sum(word in said for word in words) >= KNOWN * len(words)


def page_of(shown: ParsedAnswer, hit: Hit) -> ParsedAnswer | None:
    """Return a hit's page, or the data that it hands to its scripts; None if neither is its own."""
    if is_of(shown, hit):
        return shown
    data = None if shown.is_data else as_data(shown.request, shown.response)
    return data if data is not None and is_of(data, hit) else None


def announces_whole(label: str) -> bool:
    """Return whether the text of a link announces the complete document, or its text."""
    return len(label) < 40 and bool(_WHOLE.search(label))


def are_whole(parts: list[ParsedAnswer], pages: list[ParsedAnswer]) -> bool:
    """Return whether pages have nearly all words of other pages, and are longer in total.

    What these announce of the complete documents does not count.
    """
    for part, page in zip(parts, pages, strict=True):
        announced = (
            term for each in part.links if announces_whole(each.text) for term in terms(each.text)
        )
        words = set(terms(text(part.root))) - set(announced)
        if len(words & set(terms(text(page.root)))) < HELD * len(words):
            return False
    before, after = (sum(len(text(each.root)) for each in some) for some in (parts, pages))
    return after >= LONGER * before


def searches_more(said: Iterable[tuple[str, str]]) -> bool:
    """Return whether many hits lack the query words, so that the search covers more text.

    >>> searches_more([("deep", "The deep web"), ("tides", "The moon")])
    True
    """
    lacks = [lacks_words(words, text) for words, text in said if words]
    return sum(lacks) > LACKING * len(lacks)


def lacks_words(words: str, text: str) -> bool:
    """Return whether a text lacks some of the query words, in all of their forms."""
    return not all(word[:SAME] in text.lower() for word in terms(words))


def _lacks(words: str, hit: Hit) -> bool:
    return lacks_words(words, f"{hit.title} {hit.snippet}")


def _folder(url: str) -> str:
    """Return a URL without the document's name: its last segment, or its number after "?".

    >>> _folder("https://x.example/news/2024/05/a-flood?from=list")
    'https://x.example/news/0/0'
    >>> _folder("https://x.example/servlet/book?code=17")
    'https://x.example/servlet/book'
    """
    place, _, sent = url.partition("?")
    return re.sub(r"\d+", "0", place if re.search(r"=\d", sent) else place.rpartition("/")[0])


def _host_of(url: str) -> str:
    """Return a URL's host, without the dot of the root at its end."""
    return (urlsplit(url).hostname or "").rstrip(".")


def own_host(session: DiscoverySession) -> str:
    """Return the host of the answers, or "" if there are none."""
    return _host_of(session.probes[0].response.url) if session.probes else ""
