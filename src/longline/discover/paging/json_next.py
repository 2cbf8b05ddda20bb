"""How an answer in JSON goes on."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, pairwise

import msgspec

from longline.discover.answer import Shown
from longline.discover.answer_pages import Pages, fresh, see_whether_varies, short_pages
from longline.discover.findings import Sureness
from longline.discover.paging.html_size import learn_size
from longline.discover.paging.json_size import ask_for_longer_data
from longline.discover.paging.json_total import learn_data_total, look_full
from longline.discover.paging.json_ways import Way, guessed_ways, observed_ways, outside, ways_of
from longline.discover.reading import Position, ask_of
from longline.discover.session import AGAIN, Asking, Desk, change_ask, change_results
from longline.discover.words import shares
from longline.model import Request
from longline.source.spec import Ask

LONGER_TRIED = 2
WAYS_TRIED = 9
OTHERS_TRIED = 2
SHORT_TRIED = 2
TURNED = 2
"""Times that a page is asked to go on in a browser, to see how it asks."""


def learn_data_pages(desk: Desk) -> Asking[Pages]:
    """Learn how an answer goes on, how many hits it has, and how many of them it shows."""
    pages = Pages(desk, max(desk.probes, key=lambda answer: len(desk.keys(answer))))
    learn_data_total(pages, must_exceed=True)
    yield from _see_longer(pages)
    yield from learn_data_pages_from(pages)
    return pages


def longer_data(pages: Pages) -> Shown | None:
    """Return an answer that came since, and has more than a page, where none had; None for none."""
    desk = pages.desk
    if pages.later or _goes_on(desk, pages.first):
        return None
    came = [page for page in desk.asked.values() if page.words and page.number == 1]
    read = [(page, desk.read(page)) for page in came]
    more = [
        page
        for page, each in read
        if each is not None and each.total is not None and each.total.documents > len(each.hits) > 1
    ]
    if not more and pages.may_count_rows and look_full(len(desk.keys(page)) for page in came):
        # What passed for a total is the number of rows on the page.
        change_results(desk, total="")
        more = came
    return max(more, key=lambda page: len(desk.keys(page)), default=None)


def learn_data_pages_from(pages: Pages) -> Asking[None]:
    """Learn how an answer goes on from the one that is named."""
    yield from _follow_on(pages)
    yield from _ask_again(pages)
    if pages.position is not None and not pages.is_template_right:
        yield from _from_nought(pages)
    learn_data_total(pages)
    learn_size(pages)
    if pages.later:
        yield from ask_for_longer_data(pages)
        yield from _see_short(pages)
    _note_paging(pages)


def _see_longer(pages: Pages) -> Asking[None]:
    """Ask for frequent words where no answer seems to have more than a page."""
    desk = pages.desk
    for _ in range(LONGER_TRIED):
        if _goes_on(desk, pages.first):
            return
        held = shares(desk.texts.values())
        frequent = sorted(held, key=lambda word: (-held[word], word))
        word = next((word for word in frequent if word not in desk.asked), None)
        if word is None:
            return
        shown = yield from desk.search(word)
        if shown is not None and desk.keys(shown):
            desk.probes.append(shown)
    pages.first = max(desk.probes, key=lambda page: (_goes_on(desk, page), len(desk.keys(page))))


def _goes_on(desk: Desk, page: Shown) -> bool:
    """Say whether an answer seems to be longer than its first page."""
    read, sizes = desk.read(page), [len(desk.keys(each)) for each in desk.probes]
    if read is None:
        return False
    if read.total is not None:
        return read.total.documents > len(read.hits)
    return read.next is not None or sizes.count(max(sizes)) > 1


def _follow_on(pages: Pages) -> Asking[None]:
    desk, first = pages.desk, pages.first
    ways = ways_of(pages)
    seems_whole = pages.may_count_rows and not _goes_on(desk, first)
    if seems_whole:
        # A number that is never more than the rows is their total, it seems: links alone tell.
        ways = (way for way in ways if way.next)
    tried = yield from _try_ways(pages, ways)
    if not pages.later and not seems_whole:
        observed = yield from _watch_going_on(pages)
        leaves, hits = dict(outside(first)), len(desk.keys(first))
        assert desk.ask is not None
        further = chain(
            observed_ways(desk.ask, observed, leaves, hits), guessed_ways(desk.ask, hits)
        )
        tried += yield from _try_ways(pages, further)
    if not pages.later:
        _note_no_next(pages, tried)


def _try_ways(pages: Pages, ways: Iterable[Way]) -> Asking[int]:
    """Try ways until one brings new hits; return how many were tried."""
    desk = pages.desk
    tried = others = 0
    for way in ways:
        if tried == WAYS_TRIED or desk.left < pages.spared:
            break
        before = (desk.ask, desk.results)
        desk.ask = way.ask
        change_results(desk, next=way.next)
        first = pages.first
        request = _after(desk, first)
        if request is None:
            desk.ask, desk.results = before
            continue
        tried += 1
        second = yield from desk.get(request, first.words, 2)
        other = _another(pages)
        request = _after(desk, other)
        if not desk.keys(second) and request is not None and others < OTHERS_TRIED:
            # The way may be heeded, and the answer be just one page long: another one tells.
            others += 1
            first, second = other, (yield from desk.get(request, other.words, 2))
        known = set(desk.keys(first))
        if fresh(desk, second, known) < 0.5 or second is None:
            desk.ask, desk.results = before
            continue
        pages.first = first
        _take(pages, way, second)
        request = _after(desk, second)
        if request is not None:
            third = yield from desk.get(request, first.words, 3)
            if third is not None and fresh(desk, third, known | set(desk.keys(second))) >= 0.5:
                pages.later.append(third)
        break
    return tried


def _after(desk: Desk, page: Shown) -> Request | None:
    """Return how to ask for what follows a page; None where nothing is said to."""
    read = desk.read(page)
    return None if read is None else read.next


def _another(pages: Pages) -> Shown:
    """Return the longest of the other answers; the one that is followed where there is none."""
    others = [page for page in pages.desk.probes if page is not pages.first]
    return max(others, key=lambda page: len(pages.desk.keys(page)), default=pages.first)


def _take(pages: Pages, way: Way, second: Shown) -> None:
    pages.later, pages.position, pages.why = [second], way.position, way.why
    if way.position is not None:
        assert pages.desk.ask is not None
        pages.template = pages.desk.ask.url


def _watch_going_on(pages: Pages) -> Asking[list[Ask]]:
    """See how the page itself asks for more, where it was seen to ask at all."""
    desk = pages.desk
    if desk.typing is None or not _goes_on(desk, pages.first) or desk.left < 20:
        return []
    words = pages.first.words
    shown = yield from desk.get(desk.typing.request(words, further=TURNED), words)
    if shown is None:
        return []
    asks = [ask_of(exchange.request, words) for exchange in shown.response.sent]
    assert desk.ask is not None
    here = desk.ask.url.partition("?")[0]
    return [ask for ask in asks if ask is not None and ask.url.partition("?")[0] == here][1:]


def _note_no_next(pages: Pages, tried: int) -> None:
    desk = pages.desk
    top = max(len(desk.keys(page)) for page in desk.probes)
    read = desk.read(pages.first)
    if read is not None and read.total is not None and read.total.documents > len(read.hits):
        desk.find(
            "results.next",
            "",
            "unknown",
            f"{pages.first.asked} has more than the {top} hits on its first page, and {tried} ways "
            "to ask for the next one brought nothing new",
            "only the first page of each answer would be harvested: say how pages go on",
        )
        return
    evidence = f"the longest of {len(desk.probes)} answers has {top} hits, all on one page"
    desk.find("results.next", "", "likely", evidence, "longer answers may be cut")


def _from_nought(pages: Pages) -> Asking[None]:
    """Count from 0 where the first page is not the one that was taken for it."""
    desk, position_ = pages.desk, pages.position
    assert position_ is not None
    if position_.first != 1:
        return
    pages.position = Position(position_.name, position_.step, 0)
    change_ask(desk, first_page=0)
    yield from _ask_again(pages)


def _ask_again(pages: Pages) -> Asking[None]:
    """Ask for page 1 again, as every answer will be asked for: it has to be the same."""
    desk, first = pages.desk, pages.first
    request = desk.request(first.words)
    if request == first.request:
        request = msgspec.structs.replace(request, headers=request.headers + AGAIN)
    shown = yield from desk.get(request, first.words)
    keys = set(desk.keys(shown))
    pages.is_template_right = bool(keys) and keys == set(desk.keys(first))
    pages.again = shown if keys else None


def _see_short(pages: Pages) -> Asking[None]:
    """Ask for what follows a short page where only its length tells the end: pages may differ."""
    desk, size = pages.desk, pages.size
    read = desk.read(pages.first)
    assert desk.ask is not None
    if size is None or pages.position is None or read is None or read.exact_total is not None:
        return
    if "{size}" in desk.ask.url + desk.ask.body:
        # Those seen so far are of another length.
        full, words = size, pages.first.words
        shown = yield from desk.get(desk.request(words), words)
        short = [shown] if shown is not None and 0 < len(desk.keys(shown)) < full else []
    else:
        followed = [pages.first, *pages.later]
        came = [page for page in desk.asked.values() if page.words]
        full = max(len(desk.keys(page)) for page in [*followed, *desk.probes, *came])
        for page, after in pairwise(followed):
            if not pages.varies and len(desk.keys(page)) < full:
                see_whether_varies(pages, page, full, after)
        # Of a page that lacks a row or two there may be more.
        short = short_pages(pages, full, [*pages.later, *desk.probes, *came])
        short.sort(key=lambda page: -len(desk.keys(page)))
    for page in short[:SHORT_TRIED]:
        if pages.varies or desk.left < pages.spared:
            break
        change_ask(desk, short_ends=False)
        request = _after(desk, page)
        if request is not None:
            following = yield from desk.get(request, page.words, page.number + 1)
            see_whether_varies(pages, page, full, following)
    change_ask(desk, short_ends=not pages.varies)


def see_uneven(pages: Pages) -> Asking[None]:
    """Look whether pages differ once one came that is longer than what was taken for a full one."""
    desk, size = pages.desk, pages.size
    longest = max(len(desk.keys(page)) for page in desk.asked.values()) if desk.asked else 0
    if pages.later and not pages.varies and size is not None and longest > size:
        yield from _see_short(pages)


def _note_paging(pages: Pages) -> None:
    desk, position_ = pages.desk, pages.position
    if not pages.later:
        return
    assert desk.ask is not None
    assert desk.results is not None
    times = f"followed {len(pages.later)} times from {pages.first.asked}, new hits each time"
    if position_ is None:
        warning = "" if pages.is_template_right else "page 1 came otherwise when asked so"
        sure: Sureness = "sure" if pages.is_template_right else "guess"
        desk.find("results.next", desk.results.next, sure, f"{pages.why}; {times}", warning)
        desk.find("paging", "next", "sure", times)
        return
    what = "pages" if position_.step == 1 else "hits"
    evidence = f"{position_.name} counts {what} from {position_.first} ({pages.why}); {times}"
    right = pages.is_template_right
    warning = "" if right else "its first value is not certain: page 1 came otherwise when asked so"
    desk.find("paging", "arithmetic", "sure" if right else "guess", evidence, warning)
    name, value = ("ask.body", desk.ask.body) if desk.ask.body else ("ask.url", desk.ask.url)
    desk.find(name, value, "sure", f"{desk.findings[name].evidence}; {evidence}")
    at = "ask.first_page" if position_.step == 1 else "ask.first_offset"
    desk.find(at, position_.first, "sure" if right else "guess", evidence, warning)
    desk.find(
        "position", f"{position_.name} from {position_.first} by {position_.step}", "sure", times
    )
