"""Find the next page of an answer in JSON."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, islice, pairwise

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import (
    PagingState,
    ask_for_new,
    fresh,
    is_of_search,
    note_ask,
    see_whether_varies,
    short_pages,
)
from longline.discovery.findings import Sureness
from longline.discovery.paging.by_script import TURNED
from longline.discovery.paging.html_next import ask_again, followed, note_no_next
from longline.discovery.paging.json_more import learn_more
from longline.discovery.paging.json_total import learn_data_total
from longline.discovery.paging.json_ways import (
    NextPageAsk,
    ask_with_all,
    guessed_ways,
    observed_ways,
    ways_of,
)
from longline.discovery.paging.long_answers import has_more, longest, seems_long
from longline.discovery.paging.page_size import ask_for_longer, is_length_sent, learn_size
from longline.discovery.reading import Position, ask_of, element_selector, more_button
from longline.discovery.session import Asking, DiscoverySession, change_ask, change_results
from longline.model import Request
from longline.source.spec import Ask

WAYS_TRIED = 8
GUESSED_ALONE = 2
"""How many usual names of a position are tried alone, before all others are sent at once."""

OTHERS_TRIED = 2
SHORT_TRIED = 2


def learn_data_pages(session: DiscoverySession) -> Asking[PagingState]:
    """Learn the next page, the total and the page size of answers."""
    pages = note_first_total(session)
    pages.first = yield from longest(session)
    yield from learn_data_pages_from(pages)
    return pages


def note_first_total(session: DiscoverySession) -> PagingState:
    """Learn the total from the first pages alone; return what is known about paging."""
    pages = PagingState(session, max(session.probes, key=lambda answer: len(session.keys(answer))))
    learn_data_total(pages, session.listings, must_exceed=True)
    return pages


def learn_data_pages_from(pages: PagingState) -> Asking[None]:
    """Learn the next page from the answer in `pages`."""
    yield from _follow_on(pages)
    yield from ask_again(pages)
    if pages.position is not None and pages.numbered is None:
        yield from _from_another(pages)
    learn_data_total(pages)
    learn_size(pages)
    _note_next(pages)
    learn_more(pages)
    if pages.later or is_length_sent(pages):
        yield from ask_for_longer(pages)
    if pages.later:
        yield from _see_short(pages)


def _follow_on(pages: PagingState) -> Asking[None]:
    session, first = pages.session, pages.first
    ways = ways_of(pages)
    seems_whole = pages.may_count_rows and not seems_long(session, first)
    if seems_whole:
        # The total may just count the rows, but the answer seems complete: only try links.
        ways = (way for way in ways if way.next)
    yield from _try_ways(pages, ways)
    if not pages.later and not seems_whole:
        observed = yield from _watch_going_on(pages)
        hits = len(session.keys(first))
        assert session.ask is not None
        seen = observed_ways(session.ask, observed, hits)
        guesses = guessed_ways(session.ask, hits)
        yield from _try_ways(pages, chain(seen, islice(guesses, GUESSED_ALONE)))
        rest = [] if pages.later else list(guesses)
        if rest and session.left >= pages.spared and (yield from _reads_any(pages, rest)):
            yield from _try_ways(pages, rest)
    if not pages.later:
        note_no_next(pages, has_more=has_more(session, first))


def _try_ways(pages: PagingState, ways: Iterable[NextPageAsk]) -> Asking[None]:
    """Try ways until one returns new hits."""
    session = pages.session
    tried = others = 0
    for way in ways:
        if tried == WAYS_TRIED or session.left < pages.spared:
            break
        with session.trying("ask", "results") as keep:
            session.ask = way.ask
            change_results(session, next=way.next)
            first = pages.first
            request = _after(session, first)
            if request is None:
                continue
            tried += 1
            second = yield from session.get(request, first.words, 2)
            other = _another(pages)
            request = _after(session, other)
            if not session.keys(second) and request is not None and others < OTHERS_TRIED:
                # The way may work although this answer has one page only: try another answer.
                others += 1
                first, second = other, (yield from session.get(request, other.words, 2))
            known = set(session.keys(first))
            is_next = second is not None and fresh(session, second, known) >= 0.5
            if second is None or not (is_next and is_of_search(session, first, second)):
                continue
            keep()
        pages.first, pages.later = first, [second]
        pages.position, pages.why = way.position, way.why
        request = _after(session, second)
        if request is not None:
            known |= set(session.keys(second))
            third = yield from ask_for_new(session, request, second, known)
            pages.later += [third] if third is not None else []
        break


def _reads_any(pages: PagingState, ways: Sequence[NextPageAsk]) -> Asking[bool]:
    """Return whether a source may read the position of any way, by sending all at once."""
    session, first = pages.session, pages.first
    at = [way.position for way in ways if way.position]
    second = {each.name: each.first + each.step for each in at}
    shown = yield from ask_with_all(session, second, first.words)
    return shown is None or session.keys(shown) != session.keys(first)


def _after(session: DiscoverySession, page: ParsedAnswer) -> Request | None:
    """Return the request for the page after another, or None if unknown."""
    read = session.read(page)
    return None if read is None else read.next


def _another(pages: PagingState) -> ParsedAnswer:
    """Return the longest of the other answers, or the first page if there is none."""
    others = [page for page in pages.session.probes if page is not pages.first]
    return max(others, key=lambda page: len(pages.session.keys(page)), default=pages.first)


def _watch_going_on(pages: PagingState) -> Asking[list[Ask]]:
    """Return the requests that the page itself sends for more hits, if a browser may show it."""
    session = pages.session
    if session.typing is None or not seems_long(session, pages.first) or session.left < 20:
        return []
    typing, words = session.typing, pages.first.words
    shown = yield from session.get(typing.request(words, further=TURNED), words)
    observed = _asked_again(session, shown)
    button = None if observed or typing.more or shown is None else more_button(shown)
    if button is not None and shown is not None:
        # A short answer did not have this button.
        session.typing = replace(typing, more=element_selector(shown, button))
        shown = yield from session.get(session.typing.request(words, further=TURNED), words)
        observed = _asked_again(session, shown)
    return observed


def _asked_again(session: DiscoverySession, shown: ParsedAnswer | None) -> list[Ask]:
    """Return the requests that a page sent to its source after the first one."""
    if shown is None or session.ask is None:
        return []
    asks = [ask_of(exchange.request, shown.words) for exchange in shown.response.sent]
    here = session.ask.url.partition("?")[0]
    return [ask for ask in asks if ask is not None and ask.url.partition("?")[0] == here][1:]


def _from_another(pages: PagingState) -> Asking[None]:
    """Count pages from 0 if page 1 is not the first, and rows from 1 if row 0 is not the first."""
    session, position_ = pages.session, pages.position
    assert position_ is not None
    first = 1 - position_.first
    if first not in (0, 1) or (first and position_.step == 1):
        return
    pages.position = Position(position_.name, position_.step, first)
    change_ask(session, **{"first_page" if position_.step == 1 else "first_offset": first})
    yield from ask_again(pages)


def _see_short(pages: PagingState) -> Asking[None]:
    """Request the page after a short one if only length shows the end: page lengths may differ."""
    session, size = pages.session, pages.size
    read = session.read(pages.first)
    assert session.ask is not None
    if size is None or pages.position is None or read is None or read.exact_total is not None:
        return
    if session.results is not None and session.results.more:
        return
    if "{size}" in session.ask.url + session.ask.body:
        # The pages seen so far have another length.
        full, words = size, pages.first.words
        shown = yield from session.get(session.request(words), words)
        short = [shown] if shown is not None and 0 < len(session.keys(shown)) < full else []
    else:
        followed = [pages.first, *pages.later]
        came = [page for page in session.asked.values() if page.words]
        full = max(len(session.keys(page)) for page in [*followed, *session.probes, *came])
        for page, after in pairwise(followed):
            if not pages.varies and len(session.keys(page)) < full:
                see_whether_varies(pages, page, full, after)
        # A page that lacks only a row or two may have a next one.
        short = short_pages(pages, full, [*pages.later, *session.probes, *came])
        short.sort(key=lambda page: -len(session.keys(page)))
    for page in short[:SHORT_TRIED]:
        if pages.varies or session.left < pages.spared:
            break
        change_ask(session, short_ends=False)
        request = _after(session, page)
        if request is not None:
            following = yield from session.get(request, page.words, page.number + 1)
            see_whether_varies(pages, page, full, following)
    change_ask(session, short_ends=not pages.varies)


def _note_next(pages: PagingState) -> None:
    session = pages.session
    if not pages.later:
        return
    assert session.results is not None
    seen = f"{pages.why}; {followed(pages)}"
    doubt = "" if pages.is_first_right else "page 1 came otherwise when it was asked for so"
    sure: Sureness = "guess" if doubt else "sure"
    if pages.position is None:
        session.find("results.next", session.results.next, sure, seen, doubt)
    else:
        session.findings.pop("results.next", None)
        note_ask(session, sure, seen, doubt)
