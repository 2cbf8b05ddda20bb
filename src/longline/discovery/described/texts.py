"""What a list holds of its documents: their texts, a part of them, or their addresses alone."""

from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from longline.discovery.answer import ParsedAnswer, show
from longline.discovery.document import find_container, searches_more
from longline.discovery.session import Asking, DiscoverySession
from longline.discovery.words import terms
from longline.errors import PageError
from longline.model import Browsing, Hit, Page, Request
from longline.source import Source, Spec
from longline.source.select import read_select
from longline.source.spec import DocumentPage
from longline.text.numbers import counted
from longline.text.seed_words import SEED_WORDS

HELD = 0.6
"""A list that holds this share of what stands on the documents' pages holds their texts: such pages
have headings, captions and links beside."""

SAMPLED = 2
"""Documents whose pages are read."""

LEAST_LEFT = 10
"""Requests without which nothing is looked for beside a list."""

ASKED = 5
"""Words whose answers show whether rows hold what is searched."""

SHELL = 150
"""Letters of its own that a page has at most where a script may draw the rest."""

NO_PAGES = "they are no pages"

TRIES = 3
"""Documents that are asked for, to read so many."""


class Texts(NamedTuple):
    """What was seen on a few documents' own pages.

    Attributes:
        page: Where they have their texts; None where none could be read.
        read: How many were.
        listed: Characters of their texts in the list, in the mean.
        shown: The same on their pages.
        reason: Why others could not be read.
    """

    page: DocumentPage | None
    read: int
    listed: float
    shown: float
    reason: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether the list holds the texts, as documents' own pages show."""
        return self.page is not None and self.listed > 0 and self.listed >= HELD * self.shown

    def tables(self) -> dict[str, Any]:
        """Return the table [document] of a spec."""
        assert self.page is not None
        named = ("text", "title", "browser")
        return {name: at for name in named if (at := getattr(self.page, name))}

    def put_in(self, spec: Spec) -> Spec:
        """Return a spec that takes texts from where they are whole, as far as that is known."""
        if self.page is not None and not self.is_whole:
            return msgspec.structs.replace(spec, document=self.page)
        text = spec.results.snippet if self.page is not None else ""
        results = msgspec.structs.replace(spec.results, text=text)
        return msgspec.structs.replace(spec, results=results)

    def said(self) -> str:
        """Say it for people."""
        if self.page is None:
            return f"no document's own page could be read ({self.reason})"
        seen = f"{self.listed:,.0f} characters of a text, its own page {self.shown:,.0f}"
        return f"the list has {seen} (the mean of {counted(self.read, 'document')})"


def look_at_texts(session: DiscoverySession, hits: list[Hit]) -> Asking[Texts]:
    """Read some documents' pages: does what a list links to hold more of them than the list?

    Pages with hardly a text are looked at in a browser, where the session may use one.

    Args:
        session: Asks, and counts.
        hits: Of the list, with what it holds as their snippets.
    """
    plain = _texts(session, hits, *(yield from _pages_of(session, hits, None)))
    is_told = max(plain.shown, plain.listed) > SHELL or plain.reason == NO_PAGES
    if is_told or not session.may_browse:
        return plain
    drawn = _texts(session, hits, *(yield from _pages_of(session, hits, Browsing())))
    if drawn.page is None or drawn.shown <= SHELL:
        return plain
    return drawn._replace(page=msgspec.structs.replace(drawn.page, browser=True))


def has_documents(spec: Spec, page: Page) -> Asking[bool]:
    """Say whether one of two documents comes from where a spec has them."""
    asked = list(filter(None, map(Source(spec).document_request, page.hits[:2])))
    for request in asked:
        if (yield request) is not None:
            return True
    return not asked


def with_whole_texts(session: DiscoverySession, spec: Spec) -> Asking[Spec]:
    """Return a spec that reads texts on the pages that rows name, where rows are but a part.

    Rows are a part where many lack the word that found them: the search looks at more. What they
    name has to be of the source's own host.

    Args:
        session: Has answers to words, of the source as the spec asks it.
        spec: Takes the texts from the rows.
    """
    if not spec.results.text or spec.document is not None or spec.results.link:
        return spec
    for word in SEED_WORDS[:ASKED] if session.left > LEAST_LEFT else ():
        yield from session.search(session.joined(word))
    answers = [each for each in session.asked.values() if len(terms(each.words)) == 1]
    read = [(each.words, page) for each in answers if (page := session.read(each))]
    if not searches_more((w, f"{hit.title} {hit.text}") for w, page in read for hit in page.hits):
        return spec
    part = msgspec.structs.replace(spec.results, snippet=spec.results.text, text="")
    host = urlsplit(spec.source.url).hostname
    for place in spec.fields.values():
        if place.type != "url" or not place.row:
            continue
        session.results = msgspec.structs.replace(part, link=place.row)
        hits = [hit for each in answers if (page := session.read(each)) for hit in page.hits]
        is_own = all(urlsplit(hit.url).hostname == host for hit in hits)
        if is_own and len({hit.url for hit in hits}) == len({hit.key for hit in hits}):
            texts = yield from look_at_texts(session, hits)
            if texts.page is not None and not texts.is_whole:
                return msgspec.structs.replace(spec, results=session.results, document=texts.page)
    return msgspec.structs.replace(spec, results=part)


def _pages_of(
    session: DiscoverySession, hits: list[Hit], browser: Browsing | None
) -> Asking[tuple[list[tuple[Hit, ParsedAnswer]], str]]:
    """Read the pages of some documents; return them, and why others could not be read."""
    pages: list[tuple[Hit, ParsedAnswer]] = []
    reason = "it has no addresses"
    for hit in _spread([hit for hit in hits if hit.url]):
        if len(pages) == SAMPLED:
            break
        request = Request(hit.url, browser=browser)
        response = yield request
        if response is None:
            reason = session.reason
            continue
        try:
            shown = show("", request, response, 1)
        except PageError as error:
            reason = error.message
            continue
        if shown.is_data:  # so are the others
            return [], NO_PAGES
        pages.append((hit, shown))
    return pages, reason


def _texts(
    session: DiscoverySession, hits: list[Hit], pages: list[tuple[Hit, ParsedAnswer]], reason: str
) -> Texts:
    """Say where pages have their texts, and how long these are."""
    if not pages:
        return Texts(None, 0, _length(hits), 0.0, reason)
    selector, _ = find_container(session, [shown for _, shown in pages])
    select = read_select(selector)
    lines = [set(select.texts(page.answer.root).split("\n")) for _, page in pages]
    common = set.intersection(*lines) if len(lines) > 1 else set()
    shown_length = sum(len(line) for each in lines for line in each - common) / len(pages)
    has_titles = all(hit.title for hit in hits)
    title = "" if has_titles else _own_heading([shown for _, shown in pages])
    document = DocumentPage(selector, title)
    return Texts(document, len(pages), _length([hit for hit, _ in pages]), shown_length)


def _own_heading(pages: list[ParsedAnswer]) -> str:
    """Return the first heading that every page has, and no two have the same."""
    for name in ("h1", "h2"):
        said = [read_select(f"css:{name}").text(page.answer.root) for page in pages]
        if all(said) and len(set(said)) == len(said):
            return f"css:{name}"
    return "css:title"


def _length(hits: list[Hit]) -> float:
    return sum(len(hit.snippet) for hit in hits) / len(hits) if hits else 0.0


def _spread(hits: list[Hit]) -> list[Hit]:
    """Return hits from all over a list: the first one is often the home page."""
    places = dict.fromkeys([len(hits) // 2, len(hits) - 1, len(hits) // 3, 0])
    return [hits[place] for place in places if hits][:TRIES]
