"""How many hits a page of JSON can be made to have."""

from __future__ import annotations

from longline.discover.answer import Shown
from longline.discover.answer_pages import Pages, said_total
from longline.discover.paging.html_size import round_down
from longline.discover.paging.json_ways import outside
from longline.discover.reading import (
    Position,
    Slot,
    is_size_name,
    last_name,
    new_slot,
    put,
    slots_of,
)
from longline.discover.session import Asking, Desk, change_ask

SIZES = (1000, 100, 50)
"""Page sizes to ask for, until one is answered."""

NAMES_TRIED = 3

BESIDE = {
    "offset": ("limit", "rows"),
    "start": ("rows", "limit"),
    "from": ("size", "limit"),
    "skip": ("limit", "take"),
    "page": ("per_page", "size", "limit"),
}
"""The names that page sizes often have beside those of positions."""


def ask_for_longer_data(pages: Pages) -> Asking[None]:
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
        for path, value in outside(pages.first)
        if value == size and is_size_name(last_name(path))
    ]
    name = pages.position.name.lower() if pages.position else ""
    found = next(((key, names) for key, names in BESIDE.items() if key in name), ("", ("limit",)))
    custom = found[1]
    if found[0] and name.endswith(found[0]):
        # srlimit stands beside sroffset.
        custom = tuple(name.removesuffix(found[0]) + each for each in custom)
    if name.endswith("]"):
        # page[number] stands beside page[size].
        custom = tuple(f"{name.partition('[')[0]}[{each}]" for each in ("size", "limit"))
    guessed = [new_slot(desk.ask, each) for each in custom]
    return list(dict.fromkeys(sent or [*said[:1], *guessed]))


def _try_sizes(pages: Pages, largest: Shown, slot: Slot) -> Asking[bool]:
    desk, size, plain = pages.desk, pages.size, pages.desk.ask
    assert size is not None
    assert plain is not None
    read = desk.read(largest)
    total = read.total.documents if read is not None and read.total is not None else 0
    # A first page may have more than the pages after it.
    plainly = max(size, len(desk.keys(largest)))
    for asked in [each for each in SIZES if each > size]:
        desk.ask = put(plain, slot, "{size}")
        change_ask(desk, page_size=asked)
        shown = yield from desk.get(desk.request(largest.words), largest.words)
        got = len(desk.keys(shown))
        if got <= plainly:
            desk.ask = plain
            if size <= got:
                return False
            continue
        is_all = 0 < total <= got
        if shown is not None and not total and got < asked:
            is_all = yield from _ends(desk, shown)
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
        pages.most_asked = asked if is_all and kept < asked else None
        desk.asked.clear()
        return True
    return False


def _ends(desk: Desk, shown: Shown) -> Asking[bool]:
    """Ask for what follows a page shorter than was asked for: nothing where the answer ends."""
    keys = set(desk.keys(shown))
    change_ask(desk, page_size=len(keys))
    read = desk.read(shown)
    if read is None or read.next is None:
        return True
    following = yield from desk.get(read.next, shown.words, 2)
    return not set(desk.keys(following)) - keys
