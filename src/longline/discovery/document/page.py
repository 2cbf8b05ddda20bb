"""What of a document's own page is its text, and what its title."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from urllib.parse import urlsplit

from longline.discovery.answer import ParsedAnswer, text
from longline.discovery.document.container import find_container
from longline.discovery.findings import Sureness
from longline.discovery.reading import leaves_of_document
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.discovery.words import terms
from longline.model import Browsing, Hit, Request, Response
from longline.source import file_text, file_type, is_file
from longline.source.request import own_headers
from longline.source.select import read_select
from longline.source.spec import DocumentPage
from longline.text.numbers import counted

KNOWN = 0.6
"""A document's page has this share of the words that its hit has."""

LACKING = 0.5
"""Where more of the hits lack the word that found them, they are not all that is searched."""

SAME = 4
"""Letters of a word that its other forms have, too."""

LOOKS_AT_MORE = "most hits do not hold the word that found them: the search looks at more"


def learn_document(session: DiscoverySession) -> Asking[None]:
    """Read two documents' own pages, in a browser where they need one, and find their text.

    Hits without a link are all there is of their documents, unless the search looks at more.
    """
    if session.results is not None and not session.results.link:
        read = ((shown.words, page) for shown in session.probes if (page := session.read(shown)))
        if searches_more((words, hit.text or "") for words, page in read for hit in page.hits):
            whole = session.results.text
            change_results(session, snippet=whole, text="")
            session.findings.pop("results.text", None)
            only = "only a part of each document would be kept"
            session.find("results.snippet", whole, "likely", LOOKS_AT_MORE, only)
        return
    hits = first_hits(session, host=_host(session))
    pages: list[tuple[Hit, ParsedAnswer]] = []
    browser: Browsing | None = None
    for hit in hits[:2]:
        shown = yield from session.get(own_request(session, hit.url, browser))
        if session.may_browse and browser is None and (shown is None or not is_of(shown, hit)):
            again = yield from session.get(own_request(session, hit.url, Browsing()))
            if again is not None and is_of(again, hit):
                shown, browser = again, Browsing()
        if shown is not None and not (shown.is_data or is_file(shown.response)):
            pages.append((hit, shown))
    if not pages and hits and session.left > 0:
        answer = yield own_request(session, hits[0].url)
        if answer is not None and is_file(answer):
            _note_files(session, answer)
            return
    if not pages:
        why = f" ({session.reason})" if hits else ", as the hits lead to other hosts or nowhere"
        seen = f"no document's own page could be read{why}"
        session.find("document.text", "", "unknown", seen)
        return
    session.documents = pages
    selector, share = find_container(session, [shown for _, shown in pages])
    title = heading(pages)
    session.document = DocumentPage(selector, title, browser=browser is not None)
    seen = "on " + counted(len(pages), "document's own page", "documents' own pages")
    warning = "" if selector != "css:body" else "the whole page is kept, navigation included"
    sure: Sureness = "likely" if len(pages) == 2 else "guess"
    session.find("document.text", selector, sure, f"{share:.0%} of what differs {seen}", warning)
    if title:
        session.find("document.title", title, "likely", f"as in the list of hits, {seen}")


def _note_files(session: DiscoverySession, answer: Response) -> None:
    """Write down that documents are files: a harvest takes their texts out."""
    session.document = DocumentPage("css:body")
    said = file_text(answer)
    seen = f"documents are files ({file_type(answer)}), whose texts are taken out"
    doubt = "" if said.text else f"only titles would be saved: {said.unread}"
    session.find("document.text", "css:body", "likely" if said.text else "guess", seen, doubt)


def searches_more(said: Iterable[tuple[str, str]]) -> bool:
    """Say whether most hits lack the words that were asked for: these stand in what is not shown.

    >>> searches_more([("deep", "The deep web"), ("tides", "The moon")])
    False
    """
    lacks = [
        not all(word[:SAME] in text.lower() for word in terms(words))
        for words, text in said
        if words
    ]
    return sum(lacks) > LACKING * len(lacks)


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
    return bool(words) and sum(word in said for word in words) >= KNOWN * len(words)


def _host(session: DiscoverySession) -> str:
    return _host_of(session.probes[0].response.url) if session.probes else ""


def _host_of(url: str) -> str:
    """Return a URL's host, whether or not its name ends in the dot of the root."""
    return (urlsplit(url).hostname or "").rstrip(".")


def first_hits(session: DiscoverySession, *, host: str | None = None) -> list[Hit]:
    """Return the first hit of each answer, each once, and two of one answer where it is alone.

    Only those on a host, where one is given.
    """
    found: dict[str, Hit] = {}
    pages = [page for page in map(session.read, session.probes) if page is not None]
    for page in pages:
        own = (hit for hit in page.hits if host in (None, _host_of(hit.url)))
        for hit in islice(own, 2 if len(pages) == 1 else 1):
            found.setdefault(hit.key, hit)
    return list(found.values())


def heading(pages: list[tuple[Hit, ParsedAnswer]]) -> str:
    """Return the heading that is the title of the hit; "" where none is.

    One that is that title and the same on every page, a site's name, say, is none.
    """
    titles = [hit.title for hit, _ in pages]
    headings = {f"css:{name}": _said(pages, f"css:{name}") for name in ("h1", "h2", "title")}
    for selector, said in headings.items():
        if all(titles) and said == titles:
            return selector
    for selector, said in headings.items():
        both = list(zip(said, titles, strict=True))
        if all(s and t and (s in t or t in s) for s, t in both) and not _adds_the_same(both):
            return selector
    return ""


def _said(pages: list[tuple[Hit, ParsedAnswer]], selector: str) -> list[str]:
    select = read_select(selector)
    return [select.text(shown.answer.root) for _, shown in pages]


def _adds_the_same(both: list[tuple[str, str]]) -> bool:
    """Say whether every heading begins and ends as one does before and after the title in it."""
    around = [said.partition(title) for said, title in both if said != title and title in said]
    return len(both) > 1 and any(
        all(said.startswith(before) and said.endswith(after) for said, _ in both)
        for before, _, after in around
    )
