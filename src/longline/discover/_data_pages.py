"""How an answer in JSON goes on, and how many hits a page can be made to have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import msgspec

from longline.discover._data_total import learn_data_total
from longline.discover._desk import Asking, Desk, change_ask, change_results
from longline.discover._json import last_name, leaves_of
from longline.discover._next import AGAIN
from longline.discover._pages import Pages, said_total
from longline.discover._shown import Shown
from longline.discover._size import learn_size, round_down
from longline.discover.findings import Sureness
from longline.discover.paging import Position, is_position_name, is_size_name
from longline.discover.slots import Slot, ask_of, new_slot, put, slots_of
from longline.discover.words import shares
from longline.source.spec import Ask

LONGER_TRIED = 2
WAYS_TRIED = 9
SIZES = (1000, 100, 50)
NAMES_TRIED = 3
TURNED = 2
"""Times that a page is asked to go on in a browser, to see how it asks."""

_PAGE = re.compile(r"page|^p$|^pg$|seite|^number$", re.IGNORECASE)
_NEXT = re.compile(r"next|continue|more", re.IGNORECASE)
_CURSOR = re.compile(r"cursor|token|after|scroll|continu|mark|next", re.IGNORECASE)

GUESSED = (("page", True), ("offset", False), ("start", False), ("from", False), ("skip", False))
"""Parameters that often count pages (True) or hits (False), where nothing says which does."""

BESIDE = {
    "offset": ("limit",),
    "start": ("rows", "limit"),
    "from": ("size", "limit"),
    "skip": ("limit", "take"),
    "page": ("per_page", "size", "limit"),
}
"""The names that page sizes often have beside those of positions."""


@dataclass(frozen=True)
class Way:
    """A way to ask for further pages that is worth a try.

    Attributes:
        ask: With a place for a page's number, its first hit's, or a token.
        position: Of the place; None for a token.
        next: Selector of what leads on; "" where pages are counted.
        why: What speaks for it.
    """

    ask: Ask
    position: Position | None
    next: str
    why: str


def learn_data_pages(desk: Desk) -> Asking[Pages]:
    """Learn how an answer goes on, how many hits it has, and how many of them it shows."""
    pages = Pages(desk, max(desk.probes, key=lambda answer: len(desk.keys(answer))))
    learn_data_total(pages)
    yield from _see_longer(pages)
    yield from _follow_on(pages)
    yield from _ask_again(pages)
    if pages.position is not None and not pages.is_template_right:
        yield from _from_nought(pages)
    learn_data_total(pages)
    learn_size(pages)
    if pages.later:
        yield from _ask_for_longer(pages)
    _note_paging(pages)
    return pages


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


# The next page.


def _follow_on(pages: Pages) -> Asking[None]:
    desk, first = pages.desk, pages.first
    tried = yield from _try_ways(pages, _ways(pages))
    if not pages.later:
        observed = yield from _watch_going_on(pages)
        leaves, hits = dict(_outside(first)), len(desk.keys(first))
        assert desk.ask is not None
        further = chain(_observed(desk.ask, observed, leaves, hits), _guessed(desk.ask, hits))
        tried += yield from _try_ways(pages, further)
    if not pages.later:
        _note_no_next(pages, tried)


def _try_ways(pages: Pages, ways: Iterable[Way]) -> Asking[int]:
    """Try ways until one brings new hits; return how many were tried."""
    desk, first = pages.desk, pages.first
    tried = 0
    for way in ways:
        if tried == WAYS_TRIED or desk.left < 16:
            break
        before = (desk.ask, desk.results)
        desk.ask = way.ask
        change_results(desk, next=way.next)
        read = desk.read(first)
        if read is None or read.next is None:
            desk.ask, desk.results = before
            continue
        tried += 1
        known = set(desk.keys(first))
        second = yield from desk.get(read.next, first.words, 2)
        if _fresh(desk, second, known) < 0.5 or second is None:
            desk.ask, desk.results = before
            continue
        _take(pages, way, second)
        after = desk.read(second)
        if after is not None and after.next is not None:
            third = yield from desk.get(after.next, first.words, 3)
            if third is not None and _fresh(desk, third, known | set(desk.keys(second))) >= 0.5:
                pages.later.append(third)
        break
    return tried


def _take(pages: Pages, way: Way, second: Shown) -> None:
    pages.later, pages.position, pages.why = [second], way.position, way.why
    if way.position is not None:
        assert pages.desk.ask is not None
        pages.template = pages.desk.ask.url


def _fresh(desk: Desk, shown: Shown | None, known: set[str]) -> float:
    keys = set(desk.keys(shown))
    return len(keys - known) / len(keys) if keys else 0.0


def _ways(pages: Pages) -> Iterator[Way]:
    """Yield ways to try: by what the answer says, and by the names of what is sent."""
    desk, first = pages.desk, pages.first
    assert desk.ask is not None
    hits = len(desk.keys(first))
    leaves = dict(_outside(first))
    linked = [("", "the header Link says what is next")]
    linked += [
        (f"jmes:{path}", "an address in the answer")
        for path, value in leaves.items()
        if re.match(r"https?://|[/?]", str(value)) and _NEXT.search(path) and " " not in str(value)
    ]
    for selector, why in linked:
        following = _linked_ask(desk, first, selector)
        if following is not None:
            # Pages that can be asked for by number show how far they go.
            yield from _observed(desk.ask, [following], leaves, hits)
        yield Way(desk.ask, None, selector, why)
    sent = slots_of(desk.ask)
    names = {slot.name.lower() for slot in sent}
    for slot, value in sent.items():
        if is_position_name(slot.name) and value.isdigit():
            yield _counted(desk.ask, slot, int(value), hits, f"{slot.name} is sent")
    for path, held in leaves.items():
        name = last_name(path)
        if isinstance(held, int) and is_position_name(name) and name.lower() not in names:
            slot = new_slot(desk.ask, name)
            yield _counted(desk.ask, slot, held, hits, f"the answer says {name} = {held}")
    for path, token in leaves.items():
        if isinstance(token, str | int) and _CURSOR.search(path) and not _is_url(token) and token:
            for name in _token_names(path, [slot.name for slot in sent]):
                ask = put(desk.ask, new_slot(desk.ask, name), "{next}")
                yield Way(ask, None, f"jmes:{path}", f"the answer's {path}, sent as {name}")


def _guessed(ask: Ask, hits: int) -> Iterator[Way]:
    """Yield ways that are only customary."""
    names = {slot.name.lower() for slot in slots_of(ask)}
    for name, is_page in GUESSED:
        if name not in names:
            yield _counted(ask, new_slot(ask, name), int(is_page), hits, "by custom")


def _linked_ask(desk: Desk, first: Shown, selector: str) -> Ask | None:
    """Return how the next page is asked for that an answer names; None where it names none."""
    before = desk.results
    change_results(desk, next=selector)
    read = desk.read(first)
    desk.results = before
    return None if read is None or read.next is None else ask_of(read.next, first.words)


def _outside(shown: Shown) -> Iterator[tuple[str, object]]:
    return iter(leaves_of(shown.data, depth=5)) if isinstance(shown.data, dict) else iter(())


def _is_url(value: object) -> bool:
    return isinstance(value, str) and ("://" in value or value.startswith("/"))


def _counted(ask: Ask, slot: Slot, first: int, hits: int, why: str) -> Way:
    """Return how to count pages, or hits, from a first value on."""
    is_page = bool(_PAGE.search(slot.name)) and first <= 1
    place = "{page}" if is_page else "{offset}"
    template = put(ask, slot, place)
    at = {"first_page": first} if is_page else {"first_offset": first}
    template = msgspec.structs.replace(template, **at)
    return Way(template, Position(slot.name, 1 if is_page else hits, first), "", why)


def _token_names(path: str, sent: list[str]) -> list[str]:
    """Return how a token may be sent: under a name that is sent already, or by its own."""
    own = last_name(path)
    plain = re.sub(r"^next_?", "", own, flags=re.IGNORECASE)
    plain = plain[:1].lower() + plain[1:]
    likely = [name for name in sent if _CURSOR.search(name)]
    return list(dict.fromkeys([*likely, *filter(None, [plain, own]), "cursor", "after"]))[:3]


def _observed(ask: Ask, observed: list[Ask], leaves: dict[str, object], hits: int) -> Iterator[Way]:
    """Yield what differs between the requests for page 1 and for later ones."""
    before = slots_of(ask)
    for later in observed:
        for slot, value in slots_of(later).items():
            if value == before.get(slot):
                continue
            first = before.get(slot, "")
            token = next((path for path, held in leaves.items() if str(held) == value), "")
            why = f"page 2 is asked for with {slot.name} = {value[:40]}"
            if token and not (value.isdigit() and is_position_name(slot.name)):
                yield Way(put(ask, slot, "{next}"), None, f"jmes:{token}", why)
            elif value.isdigit():
                start = int(first) if first.isdigit() else _start(int(value), hits)
                yield _counted(ask, slot, start, hits, why)


def _start(second: int, hits: int) -> int:
    """Return what a position is on page 1, by what it is on page 2."""
    return second - 1 if second in (1, 2) and hits > 2 else max(0, second - hits)


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
    if _goes_on(desk, pages.first):
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


# The size of a page.


def _ask_for_longer(pages: Pages) -> Asking[None]:
    """Ask for longer pages by the parameters that may set their length."""
    desk = pages.desk
    assert desk.ask is not None
    largest = max(desk.probes, key=lambda page: said_total(desk, page))
    for slot in _size_slots(pages)[:NAMES_TRIED]:
        if desk.left < 16:
            return
        if (yield from _try_sizes(pages, largest, slot)):
            return
    desk.find("size", "fixed", "likely", "no parameter seems to set it")


def _size_slots(pages: Pages) -> list[Slot]:
    desk, size = pages.desk, pages.size
    assert desk.ask is not None
    sent = [s for s, v in slots_of(desk.ask).items() if is_size_name(s.name) and v.isdigit()]
    said = [
        new_slot(desk.ask, last_name(path))
        for path, value in _outside(pages.first)
        if value == size and is_size_name(last_name(path))
    ]
    name = pages.position.name.lower() if pages.position else ""
    custom = next((names for key, names in BESIDE.items() if key in name), ("limit",))
    guessed = [new_slot(desk.ask, each) for each in custom]
    return list(dict.fromkeys(sent or said or guessed))


def _try_sizes(pages: Pages, largest: Shown, slot: Slot) -> Asking[bool]:
    desk, size, plain = pages.desk, pages.size, pages.desk.ask
    assert size is not None
    assert plain is not None
    read = desk.read(largest)
    total = read.total.documents if read is not None and read.total is not None else 0
    for asked in [each for each in SIZES if each > size]:
        desk.ask = put(plain, slot, "{size}")
        change_ask(desk, page_size=asked)
        shown = yield from desk.get(desk.request(largest.words), largest.words)
        got = len(desk.keys(shown))
        if got <= size:
            desk.ask = plain
            if got == size:
                return False
            continue
        is_all = 0 < total <= got
        kept = round_down(got) if is_all else min(got, asked)
        clamp = got if not is_all and got < asked else None
        change_ask(desk, page_size=kept)
        pages.size, position_ = kept, pages.position
        if position_ is not None:
            pages.template = desk.ask.url
            step = 1 if position_.step == 1 else kept
            pages.position = Position(position_.name, step, position_.first)
        evidence = f"{asked} were asked for with {slot.name}, {got} came for {largest.words!r}"
        desk.find("ask.page_size", kept, "sure", evidence)
        desk.find("size", slot.name, "sure", evidence)
        if clamp:
            desk.find("clamp", clamp, "sure", evidence)
        desk.asked.clear()
        return True
    return False


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
    for name in ("ask.body" if desk.ask.body else "ask.url",):
        value = desk.ask.body or desk.ask.url
        desk.find(name, value, "sure", f"{desk.findings[name].evidence}; {evidence}")
    at = "ask.first_page" if position_.step == 1 else "ask.first_offset"
    desk.find(at, position_.first, "sure" if right else "guess", evidence, warning)
    desk.find(
        "position", f"{position_.name} from {position_.first} by {position_.step}", "sure", times
    )
