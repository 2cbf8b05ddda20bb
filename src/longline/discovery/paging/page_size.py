"""Find the page size: how many hits a page has, and how many it can have."""

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import (
    COMMON_LIMITS,
    PagingState,
    is_cut,
    note_ask,
    said_total,
)
from longline.discovery.document_keys import leave_out_of_keys
from longline.discovery.findings import Sureness
from longline.discovery.next_words import (
    is_size_name,
)
from longline.discovery.paging.html_next import take_numbers
from longline.discovery.paging.json_ways import ask_with_all, outside
from longline.discovery.reading import (
    Slot,
    last_name,
    new_slot,
    put,
    size_names,
    slots_of,
)
from longline.discovery.session import Asking, DiscoverySession, change_ask
from longline.text.numbers import counted

SIZES = (1000, 100, 50)
"""Page sizes to request, until one works."""

NAMES_TRIED = 3
SPARED = 16
"""Requests kept for later steps while sizes are tried."""

_RANGE = Slot("url", ("the number of the last row",))

BESIDE = {
    "offset": ("limit", "rows"),
    "start": ("rows", "limit"),
    "from": ("size", "limit"),
    "skip": ("limit", "take"),
    "page": ("per_page", "size", "limit"),
}
"""Usual names of page sizes in JSON, by the name of the position."""


def learn_size(pages: PagingState) -> None:
    """Find the number of hits on a full page."""
    session = pages.session
    counts = [len(session.keys(page)) for page in session.probes]
    if not pages.later:
        # Without a next page, answers shorter than the longest are complete.
        pages.size = max(counts, default=0) or None
        return
    inner = [len(session.keys(page)) for page in pages.later[:-1]]
    first = len(session.keys(pages.first))
    # A page with a next one is full; page 1 may have additional pinned hits.
    pages.size = inner[0] if inner else first
    evidence = f"{counted(first, 'hit')} on page 1, {len(session.keys(pages.later[0]))} on page 2"
    warning = f"a first page had {counted(max(counts), 'hit')}" if max(counts) > pages.size else ""
    change_ask(session, page_size=pages.size)
    sure: Sureness = "sure" if inner and inner[0] == first else "likely"
    session.find("ask.page_size", pages.size, sure, evidence, warning)


def ask_for_longer(pages: PagingState) -> Asking[None]:
    """Request longer pages by the parameters that may set their length."""
    session = pages.session
    assert session.ask is not None
    if pages.size is None or session.ask.form is not None:
        return
    answer = max(session.probes, key=lambda page: said_total(session, page))
    sized = pages.by_number()
    slots = _size_slots(pages)[:NAMES_TRIED]
    if len(slots) > 1 and answer.is_data and session.left >= SPARED:
        names = {slot.name: SIZES[0] for slot, _ in slots}
        shown = yield from ask_with_all(session, names, answer.words)
        if shown is not None and session.keys(shown) == session.keys(answer):
            return
    for slot, offered in slots:
        for size in dict.fromkeys([SIZES[0], offered, *SIZES[1:]]):
            if size <= pages.size or session.left < SPARED:
                continue
            with session.trying("ask") as keep:
                session.ask = sized if slot is _RANGE else put(sized, slot, "{size}")
                change_ask(session, page_size=size)
                shown = yield from session.get(session.request(answer.words), answer.words)
                got = len(session.keys(shown))
                # A first page may have more hits than later ones.
                if shown is not None and got > max(pages.size, len(session.keys(answer))):
                    keep()
                    yield from _take_size(pages, shown, slot, size)
                    return
            if got >= pages.size:
                # Same length: ignored, or the maximum. Fewer: the size was too large.
                break


def is_length_sent(pages: PagingState) -> bool:
    """Return whether the longest answers have as many hits as a number that is sent, as if cut."""
    ask = pages.session.ask
    return ask is not None and (pages.size or 0) > 1 and str(pages.size) in slots_of(ask).values()


def _size_slots(pages: PagingState) -> list[tuple[Slot, int]]:
    """Return the parameters that may set the page size, each with the highest value offered."""
    session, first = pages.session, pages.first
    assert session.ask is not None
    if not first.is_data:
        names = size_names(first, first.request.url)
        return [(Slot("url", (name,)), int(offered)) for name, offered in names]
    if "{last}" in session.ask.templates or "{end}" in session.ask.templates:
        return [(_RANGE, 0)]
    size = str(pages.size) if pages.size and pages.size > 1 else ""
    held = {s: v for s, v in slots_of(session.ask).items() if v.isdigit()}
    sent = [s for s, v in held.items() if is_size_name(s.name) or v == size]
    said = [
        last_name(path)
        for path, value in outside(first)
        if value == pages.size and is_size_name(last_name(path))
    ]
    guessed = [new_slot(session.ask, name) for name in [*said[:1], *_customary(pages)]]
    return [(slot, 0) for slot in dict.fromkeys(sent or guessed)]


def _customary(pages: PagingState) -> list[str]:
    """Return usual names of the page size, given the position's name."""
    name = pages.position.name.lower() if pages.position else ""
    if name.endswith("]"):
        # page[number] goes with page[size].
        return [f"{name.partition('[')[0]}[{each}]" for each in ("size", "limit")]
    key, names = next((pair for pair in BESIDE.items() if pair[0] in name), ("", ("limit",)))
    # srlimit goes with sroffset.
    before = name.removesuffix(key) if key and name.endswith(key) else ""
    return [before + each for each in names]


def _take_size(pages: PagingState, shown: ParsedAnswer, slot: Slot, asked: int) -> Asking[None]:
    session = pages.session
    if pages.numbered is not None:
        pages.numbered = session.ask
        if session.results and session.results.next:
            take_numbers(pages)
    note_ask(session, "sure", f"{slot.name} sets how many hits a page has")
    if pages.later:
        yield from _settle(pages, shown, asked)
    else:
        _take_all_at_once(pages, shown, asked)
    leave_out_of_keys(session, shown, slot.name)
    session.asked.clear()


def _take_all_at_once(pages: PagingState, shown: ParsedAnswer, asked: int) -> None:
    """Always request this many hits if a shorter page has no next one."""
    session = pages.session
    session.probes = [shown, *(page for page in session.probes if page.words != shown.words)]
    pages.size = asked
    change_ask(session, page_size=asked)
    seen = f"{asked} were asked for, {len(session.keys(shown))} came for {shown.asked}"
    session.find("ask.page_size", asked, "likely", seen)
    session.find("results.next", "", "likely", f"nothing leads to a next page; {seen}")


def _settle(pages: PagingState, shown: ParsedAnswer, asked: int) -> Asking[None]:
    """Record the maximum page size, by an answer to a request for `asked` hits."""
    session = pages.session
    got, total = len(session.keys(shown)), said_total(session, shown, least=0)
    kept, is_open = min(got, asked), False
    if got < asked:
        goes_on = not 0 < total <= got and (yield from _goes_on(session, shown))
        # If all hits came, the maximum remains unknown: a round number is safe.
        kept, is_open = (got, False) if goes_on else (round_down(got), True)
        if not goes_on and total > got:
            _note_cut(pages, shown, got)
            kept = got
    kept = max(kept, pages.size or 0)
    pages.size, pages.most_asked = kept, asked if is_open and kept < asked else None
    change_ask(session, page_size=kept)
    seen = f"{asked} were asked for, {got} came for {shown.words[:40]!r}"
    session.find("ask.page_size", kept, "sure", seen)


def _goes_on(session: DiscoverySession, shown: ParsedAnswer) -> Asking[bool]:
    """Return whether a page shorter than requested has a next one."""
    keys = set(session.keys(shown))
    change_ask(session, page_size=len(keys))
    read = session.read(shown)
    if read is None or read.next is None:
        return False
    following = yield from session.get(read.next, shown.words, 2)
    return bool(set(session.keys(following)) - keys)


def _note_cut(pages: PagingState, shown: ParsedAnswer, got: int) -> None:
    """Record a return limit if an answer ends before its total."""
    session = pages.session
    pages.knows_total = True
    if is_cut(pages, shown, got, said_total(session, shown)):
        pages.limit = got
        change_ask(session, limit=got)
        seen = (
            f"{counted(got, 'hit')} came for {shown.words!r} on one long page, and none after them"
        )
        session.find("ask.limit", got, "sure" if got in COMMON_LIMITS else "likely", seen)


def ask_for_longest(pages: PagingState) -> Asking[None]:
    """Request the longest page again if no answer was long enough to show the maximum."""
    session, size, asked = pages.session, pages.size, pages.most_asked
    if size is None or asked is None or session.left < 2:
        return
    came = [*session.probes, *session.asked.values()]
    longest = max(came, key=lambda page: (said_total(session, page), len(session.keys(page))))
    most = said_total(session, longest, least=asked if len(session.keys(longest)) >= size else 0)
    if round_down(min(most, asked)) <= size:
        return
    with session.trying("ask") as keep:
        change_ask(session, page_size=asked)
        shown = yield from session.get(session.request(longest.words), longest.words)
        if shown is not None and len(session.keys(shown)) > size:
            keep()
            yield from _settle(pages, shown, asked)


def round_down(hits: int) -> int:
    """Return the largest round page size that is not above a number of hits.

    >>> round_down(780), round_down(31)
    (500, 31)
    """
    return max([size for size in (50, 100, 200, 250, 500, 1000) if size <= hits] or [hits])
