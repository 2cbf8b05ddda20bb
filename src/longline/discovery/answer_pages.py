"""The state that the paging steps share, and how to request a page by its number."""

import re
from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import quote_plus, unquote_plus

import msgspec

from longline.discovery.answer import ParsedAnswer, by_get, parameters, place_of
from longline.discovery.findings import Sureness
from longline.discovery.next_words import counts_pages_or_hits, is_page_name
from longline.discovery.reading import NextPageGuess, Position, onwards, put, slots_of
from longline.discovery.session import Asking, DiscoverySession, change_ask
from longline.model import Page, Request
from longline.source.spec import Ask
from longline.text.numbers import counted

RESERVE = 4
"""Requests kept for the final check."""

CLOSE = 0.8
"""Totals of two pages of one search that are estimated anew have at least this ratio."""

SHOWS, LOST = 0.9, 0.3
"""Shares of a page's hits that show its words: nearly all, and too few for the same search."""

COMMON_LIMITS = (100, 200, 250, 300, 400, 500, 1000, 2000, 2500, 5000, 10_000)


class PagingState:
    """The state that the paging steps share.

    Attributes:
        first: The first page of the answer that is followed.
        position: The parameter that counts pages, or None if there is none.
        numbered: How pages are requested by number, or None if that is not confirmed.
        is_first_right: Page 1 was the same when requested the way later pages are.
        forgets: The link to the next page loses the search, and the words were put back.
        lacks_next: Something looked like a link to the next page, but was not.
        last_page: Whether the last page is where the total predicts it, and the evidence.
        size: Hits on a full page.
        why: Evidence for the way of paging.
        spared: Requests kept for later steps while ways of paging are tried.
        most_asked: A page size honoured up to an answer's end, or None if all sizes are known.
        varies: Pages differ in length, so a short one may have a next one.
        may_count_rows: A number in the answers is never more than the rows of its page.
    """

    def __init__(self, session: DiscoverySession, first: ParsedAnswer) -> None:
        self.session = session
        self.first = first
        self.later: list[ParsedAnswer] = []
        self.clicks: list[NextPageGuess] = []
        self.position: Position | None = None
        self.numbered: Ask | None = None
        self.forgets = False
        self.lacks_next = False
        self.last_page: tuple[bool, str] | None = None
        self.is_first_right = False
        self.again: ParsedAnswer | None = None
        self.size: int | None = None
        self.limit: int | None = None
        self.knows_total = False
        self.why = ""
        self.spared = 16
        self.most_asked: int | None = None
        self.varies = False
        self.may_count_rows = False

    def by_number(self) -> Ask:
        """Return how to request pages by number, if known; otherwise the current way."""
        ask, numbered = self.session.ask, self.numbered
        assert ask is not None
        if numbered is None:
            return ask
        first = {"first_page": numbered.first_page, "first_offset": numbered.first_offset}
        return msgspec.structs.replace(ask, url=numbered.url, body=numbered.body, **first)


def led_on(session: DiscoverySession, page: ParsedAnswer) -> list[NextPageGuess]:
    """Rank the possible links to the next page; those in hits count only if they have the query.

    If a form that is sent by POST is asked by GET, so are its buttons.
    """
    hits, guess = set(session.elements(page)), session.form_guess
    is_by_get = guess is not None and guess.method == "POST" and not session.allow_post
    clicks = onwards(page, allow_post=session.allow_post or is_by_get)
    if is_by_get:
        clicks = [plain for each in clicks if (plain := _by_get(session, each)) is not None]
    return [
        click
        for click in clicks
        if hits.isdisjoint([click.element, *click.element.iterancestors()])
        or session.names(click.request, page.words)
    ]


def _by_get(session: DiscoverySession, click: NextPageGuess) -> NextPageGuess | None:
    """Return a click as a GET request; None if it is sent by POST to another address."""
    request = click.request
    if request.method == "GET":
        return click
    if session.ask is None or place_of(request.url) != place_of(session.ask.url):
        return None
    return replace(click, request=Request(by_get(request)), kind="parameter")


def note_ask(session: DiscoverySession, sure: Sureness, seen: str, warning: str = "") -> None:
    """Record how the source is queried now, with further evidence."""
    assert session.ask is not None
    name, value = (
        ("ask.body", session.ask.body) if session.ask.body else ("ask.url", session.ask.url)
    )
    known = session.findings.get(name)
    session.find(name, value, sure, f"{known.evidence}; {seen}" if known else seen, warning)


def said_total(session: DiscoverySession, page: ParsedAnswer, least: int | None = None) -> int:
    """Return the total that a page announces; `least` if it announces none.

    By default, `least` is the number of hits shown.
    """
    read = session.read(page)
    if read is None:
        return 0
    if read.total is not None:
        return read.total.documents
    return len(read.hits) if least is None else least


def fresh(session: DiscoverySession, shown: ParsedAnswer | None, known: set[str]) -> float:
    """Return the share of a page's hits that are not known; 0 if it has none."""
    keys = set(session.keys(shown))
    return len(keys - known) / len(keys) if keys else 0.0


def ask_for_new(
    session: DiscoverySession, request: Request, page: ParsedAnswer, known: set[str]
) -> Asking[ParsedAnswer | None]:
    """Request the page after another; return None if most of its hits are known."""
    shown = yield from session.get(request, page.words, page.number + 1)
    return shown if fresh(session, shown, known) >= 0.5 else None


def is_of_search(session: DiscoverySession, page: ParsedAnswer, after: ParsedAnswer) -> bool:
    """Return whether a later page belongs to the same search, by its total and its hits' words.

    A link that loses the search leads through something different, such as the list of everything.
    Totals that differ may be estimates: if they are close, the URL must have the words, or else
    both pages must show them. Without totals, the answer is yes, unless the first page shows the
    words and the later one too rarely: `LOST`, or never if its URL has them, as later hits show
    fewer query words.
    """
    totals = [total for each in (page, after) if (total := _exact_total(session, each)) is not None]
    before, later = (showing(session, each) for each in (page, after))
    is_named = session.names(after.request, page.words)
    if len(totals) == 2:
        is_close = min(totals) >= CLOSE * max(totals)
        return totals[0] == totals[1] or (is_close and is_named) or min(before, later) >= SHOWS
    most = 0.0 if is_named else LOST
    return not (before >= SHOWS and later <= most)


def _exact_total(session: DiscoverySession, page: ParsedAnswer) -> int | None:
    read = session.read(page)
    return None if read is None else read.exact_total


def showing(session: DiscoverySession, page: ParsedAnswer) -> float:
    """Return the share of a page's hits that show its words."""
    keys, words = session.keys(page), page.words.lower()
    return sum(words in session.texts.get(key, "").lower() for key in keys) / max(1, len(keys))


def with_words(session: DiscoverySession, page: ParsedAnswer, request: Request) -> Request | None:
    """Return the next page's request with its missing words put back, or None if impossible."""
    path, _, asked = page.request.url.partition("?")
    own, _, added = request.url.partition("?")
    is_plain = request.method == page.request.method == "GET" and own == path and added
    if not is_plain or session.names(request, page.words):
        return None
    sent = parameters(f"?{added}")
    kept = [part for part in asked.split("&") if not parameters(f"?{part}").keys() & sent]
    return msgspec.structs.replace(request, url=f"{path}?{'&'.join([*kept, added])}")


def short_pages(pages: PagingState, full: int, among: Iterable[ParsedAnswer]) -> list[ParsedAnswer]:
    """Return the pages other than the first that have hits, but fewer than a full page."""
    shown = [page for page in dict.fromkeys(among) if page is not pages.first]
    return [page for page in shown if 0 < len(pages.session.keys(page)) < full]


def see_whether_varies(
    pages: PagingState, page: ParsedAnswer, full: int, following: ParsedAnswer | None
) -> None:
    """Note that pages differ in length if a short page is followed by new hits."""
    session = pages.session
    # A link back returns hits of the pages before.
    answer = [pages.first, *pages.later]
    before = answer[: answer.index(page) + 1] if page in answer else [page]
    known = {key for one in before for key in session.keys(one)}
    pages.varies = fresh(session, following, known) >= 0.5
    if pages.varies:
        change_ask(session, short_ends=False)
        hits = counted(len(session.keys(page)), "hit")
        seen = f"{page.asked} has {hits}, fewer than {full}, and goes on"
        session.find("ask.short_ends", False, "sure", seen)


def is_full(pages: PagingState, page: Page) -> bool:
    """Return whether an answer may have more hits than its first page."""
    if page.exact_total is not None:
        return page.exact_total > len(page.hits)
    if pages.varies and page.next is not None:
        return True
    return pages.size is None or len(page.hits) >= pages.size


def is_cut(pages: PagingState, page: ParsedAnswer, hits: int, total: int) -> bool:
    """Return whether an answer that ends before its total was cut: a total may be an estimate."""
    if not pages.knows_total:
        return hits in COMMON_LIMITS
    read = pages.session.read(page)
    if read is not None and read.exact_total is not None:
        return hits in COMMON_LIMITS or hits % 50 == 0 or total >= 1.5 * hits
    return hits in COMMON_LIMITS and total >= 1.5 * hits


def page_request(pages: PagingState, page: ParsedAnswer, number: int) -> Request:
    """Return the request for any page of an answer by its number."""
    session, position_ = pages.session, pages.position
    assert position_ is not None
    step = 1 if position_.step == 1 else pages.size or position_.step
    at = position_.first + (number - 1) * step
    plain = session.ask
    ask = pages.by_number() if number == 1 else pages.by_number().later
    session.ask = msgspec.structs.replace(ask, first_page=at, first_offset=at)
    try:
        return session.request(page.words)
    finally:
        session.ask = plain


def from_first(ask: Ask) -> Ask:
    """Return the way to ask for a first page, as an example may ask for a later one.

    >>> from_first(Ask(url="https://x.example/s?q={query}&rows=50&page=2")).url
    'https://x.example/s?q={query}&rows=50&page=1'
    """
    for slot, value in slots_of(ask).items():
        if value.isdigit() and int(value) > 1 and counts_pages_or_hits(slot.name):
            ask = put(ask, slot, str(int(is_page_name(slot.name) or value.endswith("1"))))
    return ask


def with_parameter(url: str, name: str, *values: str) -> str:
    """Return a URL with a parameter replaced by the given values, or removed if none are given.

    >>> with_parameter("/s?@size=20&q=a", "@size", "50"), with_parameter("/s?q=a&t=b", "t")
    ('/s?q=a&%40size=50', '/s?q=a')
    >>> with_parameter("/s?0,q=a,days=30,page=1", "days", "0")  # between commas, as in Phorum
    '/s?0,q=a,days=0,page=1'
    """
    within = re.compile(rf"(?<=[,;]){re.escape(name)}=[^,;/&#]*")
    if len(values) == 1 and within.search(url):
        return within.sub(lambda _: f"{name}={quote_plus(values[0])}", url)
    path, _, query = url.partition("?")
    parts = [part for part in query.split("&") if part]
    named = [f"{quote_plus(name)}={value}" for value in values]
    # Links may encode a name differently than a form does.
    kept = [part for part in parts if unquote_plus(part.partition("=")[0]) != name]
    return f"{path}?{'&'.join([*kept, *named])}"
