"""Ways in which an answer in JSON may go on: by what it says, by what is sent, by custom."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

import msgspec

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import PagingState, with_words
from longline.discovery.reading import (
    POSITIONS,
    Position,
    Slot,
    ask_of,
    empty_slots,
    is_position_name,
    is_size_name,
    last_name,
    leaves_of_answer,
    longest_list,
    new_slot,
    put,
    put_next,
    slots_of,
)
from longline.discovery.session import DiscoverySession, change_results
from longline.source.spec import Ask

_PAGE = re.compile(r"page|^p$|^pg$|seite|^number$", re.IGNORECASE)
_MARKED = re.compile(r"[?&](\$|%24|@|%40|_)[^=&]*=[^=&]*\{query\}")
_NEXT = re.compile(r"next|continue|more", re.IGNORECASE)
_AFTER_WORDS = "{query}"
"""Name of the part of a path that follows the words."""

_CURSOR = re.compile(r"cursor|token|after|scroll|continu|mark|next", re.IGNORECASE)


@dataclass(frozen=True)
class NextPageAsk:
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


def ways_of(pages: PagingState) -> Iterator[NextPageAsk]:
    """Yield ways to try: by what the answer says, and by the names of what is sent."""
    session, first = pages.session, pages.first
    assert session.ask is not None
    hits = len(session.keys(first))
    leaves = dict(outside(first))
    linked = [("", "the header Link says what is next")]
    if "/" in first.response.header("next-page"):
        linked.append(("header:Next-Page", "the header Next-Page says what is next"))
    linked += [
        (f"jmes:{path}", "an address in the answer")
        for path, value in leaves.items()
        if re.match(r"https?://|[/?]", str(value)) and _NEXT.search(path) and " " not in str(value)
    ]
    for selector, why in linked:
        following = _linked_ask(session, first, selector)
        if following is not None:
            # Pages that can be asked for by number show how far they go.
            yield from observed_ways(session.ask, [following], leaves, hits)
        yield NextPageAsk(session.ask, None, selector, why)
    sent = slots_of(session.ask)
    names = {slot.name.lower() for slot in sent}
    for slot, value in sent.items():
        is_after_words = slot.name == _AFTER_WORDS and value in ("0", "1")
        if hits > 1 and value == str(hits):
            continue  # how many are wanted, whatever its name
        if (is_position_name(slot.name) or is_after_words) and value.isdigit():
            yield _counted(session.ask, slot, int(value), hits, f"{slot.name} is sent")
    for path, held in leaves.items():
        name = last_name(path)
        if isinstance(held, int) and is_position_name(name) and name.lower() not in names:
            slot = new_slot(session.ask, _mark(session.ask) + name)
            # An answer may say where it begins, or where the next one does.
            start = 0 if held == hits > 1 else held
            yield _counted(session.ask, slot, start, hits, f"the answer says {name} = {held}")
    yield from token_ways(session.ask, leaves)


def token_ways(ask: Ask, leaves: dict[str, object]) -> Iterator[NextPageAsk]:
    """Yield ways to send a token that an answer holds, by the names that such have.

    Args:
        ask: For the first page.
        leaves: What the answer says outside of its rows, by path.
    """
    empty = [slot for slot in empty_slots(ask) if _CURSOR.search(slot.name)]
    sent = [slot.name for slot in slots_of(ask)]
    for path, token in leaves.items():
        if isinstance(token, str | int) and _CURSOR.search(path) and not _is_url(token) and token:
            for slot in [*empty, *(new_slot(ask, name) for name in _token_names(path, sent))]:
                why = f"the answer's {path}, sent as {slot.name}"
                yield NextPageAsk(put_next(ask, slot, token), None, f"jmes:{path}", why)


def guessed_ways(ask: Ask, hits: int) -> Iterator[NextPageAsk]:
    """Yield ways that are only customary; `hits` are those of a first page."""
    names = {slot.name.lower() for slot in slots_of(ask)}
    for plain, is_page in POSITIONS:
        name = _mark(ask) + plain
        if name not in names:
            yield _counted(ask, new_slot(ask, name), int(is_page), hits, "by custom")


def _mark(ask: Ask) -> str:
    """Return the sign that the query's parameter begins with, as others may: "$" of "$search"."""
    found = _MARKED.search(ask.url)
    return unquote(found[1]) if found else ""


def _linked_ask(session: DiscoverySession, first: ParsedAnswer, selector: str) -> Ask | None:
    """Return how the next page is asked for that an answer names; None where it names none."""
    before = session.results
    change_results(session, next=selector)
    read = session.read(first)
    session.results = before
    if read is None or read.next is None:
        return None
    return ask_of(with_words(session, first, read.next) or read.next, first.words)


def outside(shown: ParsedAnswer) -> Iterator[tuple[str, object]]:
    """Yield what an answer says of itself, outside any list, by path.

    An answer to several searches at once may be a list of one.
    """
    data = shown.data
    if isinstance(data, dict) or (isinstance(data, list) and longest_list(data) is not data):
        yield from leaves_of_answer(data)


def _is_url(value: object) -> bool:
    return isinstance(value, str) and ("://" in value or value.startswith("/"))


def _counted(ask: Ask, slot: Slot, first: int, hits: int, why: str) -> NextPageAsk:
    """Return how to count pages, or hits, from a first value on."""
    is_page = bool(_PAGE.search(slot.name) or slot.name == _AFTER_WORDS) and first <= 1
    place = "{page}" if is_page else "{offset}"
    template = put(ask, slot, place)
    at = {"first_page": first} if is_page else {"first_offset": first}
    template = msgspec.structs.replace(template, **at)
    return NextPageAsk(template, Position(slot.name, 1 if is_page else hits, first), "", why)


def _token_names(path: str, sent: list[str]) -> list[str]:
    """Return how a token may be sent: under a name that is sent already, or by its own."""
    own = last_name(path)
    plain = re.sub(r"^next_?", "", own, flags=re.IGNORECASE)
    plain = plain[:1].lower() + plain[1:]
    likely = [name for name in sent if _CURSOR.search(name)]
    return list(dict.fromkeys([*likely, *filter(None, [plain, own]), "cursor", "after"]))[:3]


def observed_ways(
    ask: Ask, observed: list[Ask], leaves: dict[str, object], hits: int
) -> Iterator[NextPageAsk]:
    """Yield what differs between the requests for page 1 and for later ones."""
    before = slots_of(ask)
    for later in observed:
        for slot, value in slots_of(later).items():
            if value == before.get(slot) or is_size_name(slot.name):
                continue
            first = before.get(slot, "")
            # A number may be the same by chance, as the number of pages is on the last but one.
            likely = [path for path in leaves if not value.isdigit() or _CURSOR.search(path)]
            token = next((path for path in likely if str(leaves[path]) == value), "")
            why = f"page 2 is asked for with {slot.name} = {value[:40]}"
            if token and not (value.isdigit() and is_position_name(slot.name)):
                template = put_next(ask, slot, leaves[token], first)
                yield NextPageAsk(template, None, f"jmes:{token}", why)
            elif value.isdigit():
                start = int(first) if first.isdigit() else _start(int(value), hits)
                yield _counted(ask, slot, start, hits, why)


def _start(second: int, hits: int) -> int:
    """Return what a position is on page 1, by what it is on page 2."""
    return second - 1 if second in (1, 2) and hits > 2 else max(0, second - hits)
