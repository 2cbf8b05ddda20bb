"""Find out what a list holds of its documents: complete texts, parts, or only addresses."""

from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from longline.discovery.answer import ParsedAnswer, show
from longline.discovery.document import (
    find_container,
    find_text_link,
    learn_document,
    searches_more,
)
from longline.discovery.session import Asking, DiscoverySession
from longline.discovery.words import terms
from longline.errors import PageError
from longline.model import Browsing, Hit, Page, Request, Response
from longline.source import Source, Spec
from longline.source.select import read_select
from longline.source.spec import DocumentPage
from longline.text.numbers import counted
from longline.text.seed_words import SEED_WORDS

HELD = 0.6
"""A list with at least this share of the text on the documents' pages holds their texts: the pages
also have headings, captions and links."""

SAMPLED = 2
"""How many documents' pages are read."""

LEAST_LEFT = 10
"""With this many requests left or fewer, no words are queried to check a list."""

ASKED = 5
"""How many words are queried to check whether rows hold all the text that is searched."""

SHELL = 150
"""If a page's own text has at most this many letters, a script may draw the rest."""

DESCRIPTION = "xpath:(./metadata//description)[1]"
"""Where a record has words of its document's text: its other elements have words about it."""

NO_PAGES = "they are no pages"

TRIES = 3
"""Maximum number of documents to request until enough pages are read."""


class Texts(NamedTuple):
    """What the pages of a few documents showed.

    Attributes:
        page: Where they have their texts; None if no page could be read.
        read: How many pages were read.
        listed: Mean number of characters of a text in the list.
        shown: Mean number of characters of a text on its page.
        reason: Why other pages could not be read.
    """

    page: DocumentPage | None
    read: int
    listed: float
    shown: float
    reason: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether the list holds the complete texts, compared with the documents' pages."""
        return self.page is not None and self.listed > 0 and self.listed >= HELD * self.shown

    def tables(self) -> dict[str, Any]:
        """Return the table [document] of a spec."""
        assert self.page is not None
        named = ("text", "title", "browser", "text_link")
        return {name: at for name in named if (at := getattr(self.page, name))}

    def put_in(self, spec: Spec) -> Spec:
        """Return a spec that takes texts from where they are complete, as far as that is known."""
        if self.page is not None and not self.is_whole:
            return msgspec.structs.replace(spec, document=self.page)
        text = spec.results.snippet if self.page is not None else ""
        results = msgspec.structs.replace(spec.results, text=text)
        return msgspec.structs.replace(spec, results=results)

    def said(self) -> str:
        """Return the findings as a sentence for the user."""
        if self.page is None:
            return f"no document's own page could be read ({self.reason})"
        seen = f"{self.listed:,.0f} characters of a text, its own page {self.shown:,.0f}"
        return f"the list has {seen} (the mean of {counted(self.read, 'document')})"


def look_at_texts(session: DiscoverySession, hits: list[Hit]) -> Asking[Texts]:
    """Read some documents' pages and compare their texts with those in the list.

    A text may be behind a link of its page, such as a file. Pages with hardly any text are loaded
    in a browser, if the session may use one.

    Args:
        session: Sends and counts requests.
        hits: Hits of the list, with its texts as their snippets.
    """
    pages, reason = yield from _pages_of(session, hits, None)
    plain = _texts(session, hits, pages, reason)
    if plain.page is not None and not plain.is_whole:
        link, texts = yield from find_text_link(session, pages)
        if link:
            led = _texts(session, hits, texts, "")
            assert led.page is not None
            return led._replace(
                page=msgspec.structs.replace(led.page, title=plain.page.title, text_link=link)
            )
    is_told = max(plain.shown, plain.listed) > SHELL or plain.reason == NO_PAGES
    is_silent = plain.page is None and plain.reason == session.reason and session.status is None
    if is_told or is_silent or not session.may_browse:
        return plain
    drawn = _texts(session, hits, *(yield from _pages_of(session, hits, Browsing())))
    if drawn.page is None or drawn.shown <= SHELL:
        return plain
    return drawn._replace(page=msgspec.structs.replace(drawn.page, browser=True))


def has_documents(spec: Spec, page: Page) -> Asking[bool]:
    """Return whether one of the first two documents is found where the spec says."""
    asked = list(filter(None, map(Source(spec).document_request, page.hits[:2])))
    for request in asked:
        if (yield request) is not None:
            return True
    return not asked


def with_whole_texts(session: DiscoverySession, spec: Spec) -> Asking[Spec]:
    """Return a spec that reads texts on the pages named by rows, if the rows hold only parts.

    Rows hold only parts if many lack the word that found them: the search covers more text. The
    pages must be on the source's own host.

    Args:
        session: Has answers to words, for the source as the spec queries it.
        spec: A spec that takes the texts from the rows.
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


def beyond_records(
    session: DiscoverySession, spec: Spec, answer: Response
) -> Asking[tuple[Spec, str]]:
    """Return a spec that reads the documents that records describe, and a sentence about them.

    A record whose document cannot be read, or shows no more than the record, keeps its own text; in
    the first case that is only a part of it.

    Args:
        session: Sends and counts requests.
        spec: A spec of records, whose links are their documents' addresses.
        answer: The first answer of the list.
    """
    results = msgspec.structs.replace(spec.results, snippet=spec.results.text, text="")
    own = DiscoverySession(spec.source.url, session.rng, kind=spec.source.kind)
    own.ask = spec.ask
    own.results = msgspec.structs.replace(results, snippet=DESCRIPTION)
    part = msgspec.structs.replace(spec, results=results)
    kept = "only the records are kept, not the texts of their documents"
    try:
        own.probes = [show("", Request(answer.url), answer, 1)]
    except PageError as error:
        return part, f"{error.message}: {kept}"
    yield from learn_document(own)
    place = own.document
    if place is None:
        return part, f"{own.findings['document.text'].evidence}: {kept}"
    hits = [hit for hit, _ in own.documents]
    shown = _texts(session, hits, own.documents, "")
    if not place.text_link and shown.is_whole:
        return spec, shown.said()
    return msgspec.structs.replace(part, document=place), shown.said()


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
        if shown.is_data:  # the others are data, too
            return [], NO_PAGES
        pages.append((hit, shown))
    return pages, reason


def _texts(
    session: DiscoverySession, hits: list[Hit], pages: list[tuple[Hit, ParsedAnswer]], reason: str
) -> Texts:
    """Find where pages have their texts, and how long these are."""
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
    """Return the selector of a heading that differs on every page, else of the title element."""
    for name in ("h1", "h2"):
        said = [read_select(f"css:{name}").text(page.answer.root) for page in pages]
        if all(said) and len(set(said)) == len(said):
            return f"css:{name}"
    return "css:title"


def _length(hits: list[Hit]) -> float:
    return sum(len(hit.snippet) for hit in hits) / len(hits) if hits else 0.0


def _spread(hits: list[Hit]) -> list[Hit]:
    """Return hits spread over a list: the first one is often the home page."""
    places = dict.fromkeys([len(hits) // 2, len(hits) - 1, len(hits) // 3, 0])
    return [hits[place] for place in places if hits][:TRIES]
