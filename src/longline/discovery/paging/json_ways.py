"""Ways to request the next page in JSON: by the answer, by what is sent, by convention."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import unquote

import msgspec

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import PagingState, with_words
from longline.discovery.next_words import (
    POSITIONS,
    is_page_name,
    is_position_name,
    is_size_name,
)
from longline.discovery.reading import (
    Position,
    Slot,
    ask_of,
    empty_slots,
    last_name,
    leaves_of_answer,
    longest_list,
    new_slot,
    put,
    put_next,
    sent_names,
    slots_of,
)
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.source.spec import Ask

_MARKED = re.compile(r"[?&](\$|%24|@|%40|_|[A-Za-z]\w*\.)[^=&]*=[^=&]*\{query\}")
_NEXT = re.compile(r"next|continue|more", re.IGNORECASE)
_AFTER_WORDS = "{query}"
"""Name of the path segment after the query."""

_FROM = re.compile(r"start|from|first|begin|range|low", re.IGNORECASE)
_TO = re.compile(r"end|(?:^|[._])to|last|range|stop|until|upper", re.IGNORECASE)
_CURSOR = re.compile(r"cursor|token|after|scroll|continu|mark|next", re.IGNORECASE)


@dataclass(frozen=True)
class NextPageAsk:
    """A possible way to request further pages.

    Attributes:
        ask: With a placeholder for the page number, the hit offset, or a token.
        position: The position's parameter, or None for a token.
        next: Selector of the next link or token; "" if pages are counted.
        why: Evidence for this way.
    """

    ask: Ask
    position: Position | None
    next: str
    why: str


def ways_of(pages: PagingState) -> Iterator[NextPageAsk]:
    """Yield ways to try: by the answer, and by the names of sent parameters."""
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
            # Pages that can be requested by number show how far paging reaches.
            yield from observed_ways(session.ask, [following], hits)
        yield NextPageAsk(session.ask, None, selector, why)
    sent = slots_of(session.ask)
    yield from _row_ranges(session.ask, sent, hits)
    names = {slot.name.lower() for slot in sent}
    for slot, value in sent.items():
        is_after_words = slot.name == _AFTER_WORDS and value in ("0", "1")
        if hits > 1 and value == str(hits):
            continue  # the page size, whatever its name
        if (is_position_name(slot.name) or is_after_words) and value.isdigit():
            yield _counted(session.ask, slot, int(value), hits, f"{slot.name} is sent")
    for path, held in leaves.items():
        if not isinstance(held, int) or not is_position_name(last_name(path)):
            continue
        # An answer may give its own position, or the position of the next page.
        start = 0 if held == hits > 1 else held
        for name in sent_names(path):
            if name.lower() not in names:
                slot = new_slot(session.ask, _mark(session.ask) + name)
                yield _counted(session.ask, slot, start, hits, f"the answer says {path} = {held}")
    yield from token_ways(session.ask, leaves)
    # Whatever its name, the number of the first hit may stand beside the number of hits.
    for slot, value in sent.items() if hits > 1 and str(hits) in sent.values() else ():
        if value in ("0", "1") and not is_position_name(slot.name):
            yield _counted(session.ask, slot, int(value), hits, f"{slot.name} is sent")


def _row_ranges(ask: Ask, sent: Mapping[Slot, str], hits: int) -> Iterator[NextPageAsk]:
    """Yield ways where the numbers of a page's first and last row are sent, next to each other."""
    for (from_, first), (to, last) in pairwise(sent.items()):
        is_range = _FROM.search(".".join(from_.names)) and _TO.search(".".join(to.names))
        if is_range and first in ("0", "1") and last.isdigit() and hits > 1:
            rows = int(last) - int(first)
            template = put(ask, to, "{end}" if rows == hits else "{last}")
            template = msgspec.structs.replace(template, page_size=hits)
            if rows in (hits - 1, hits):
                why = f"rows {first} to {last} are asked for by {from_.name} and {to.name}"
                yield _counted(template, from_, int(first), hits, why, is_page=False)


def token_ways(ask: Ask, leaves: dict[str, object]) -> Iterator[NextPageAsk]:
    """Yield ways to send a token from an answer, under the usual names.

    Args:
        ask: Request for the first page.
        leaves: Values of the answer outside its rows, by path.
    """
    empty = [slot for slot in empty_slots(ask) if _CURSOR.search(slot.name)]
    sent = [slot.name for slot in slots_of(ask)]
    told = [
        (path, token)
        for path, token in leaves.items()
        if isinstance(token, str | int) and _CURSOR.search(path) and not _is_url(token) and token
    ]
    # Beside a token, the number of the next page may stand.
    told.sort(key=lambda pair: (isinstance(pair[1], int), not _CURSOR.search(last_name(pair[0]))))
    for path, token in told:
        for slot in [*empty, *(new_slot(ask, name) for name in _token_names(path, sent))]:
            why = f"the answer's {path}, sent as {slot.name}"
            yield NextPageAsk(put_next(ask, slot, token), None, f"jmes:{path}", why)


def guessed_ways(ask: Ask, hits: int) -> Iterator[NextPageAsk]:
    """Yield ways that are only conventional; `hits` is the number on a first page."""
    names = {slot.name.lower() for slot in slots_of(ask)}
    for plain, is_page in POSITIONS:
        name = _mark(ask) + plain
        way = _counted(ask, new_slot(ask, name), int(is_page), hits, "by custom")
        if name not in names and _has_words(way.ask) == _has_words(ask):
            yield way


def _has_words(ask: Ask) -> bool:
    """Return whether a request has a place for words, which a position of its name would take."""
    return "{query}" in ask.url + ask.body


def ask_with_all(
    session: DiscoverySession, values: Mapping[str, int], words: str
) -> Asking[ParsedAnswer | None]:
    """Query with several new parameters at once: if nothing changes, none of them is read."""
    plain = session.ask
    assert plain is not None
    for name, value in values.items():
        session.ask = put(session.ask or plain, new_slot(plain, name), str(value))
    request = session.request(words)
    session.ask = plain
    return (yield from session.get(request, words))


def _mark(ask: Ask) -> str:
    """Return the prefix of the query's parameter, which others may share: "$", or "sps."."""
    found = _MARKED.search(ask.url)
    return unquote(found[1]) if found else ""


def _linked_ask(session: DiscoverySession, first: ParsedAnswer, selector: str) -> Ask | None:
    """Return the way to request the next page that an answer links, or None if it links none."""
    before = session.results
    change_results(session, next=selector)
    read = session.read(first)
    session.results = before
    if read is None or read.next is None:
        return None
    return ask_of(with_words(session, first, read.next) or read.next, first.words)


def outside(shown: ParsedAnswer) -> Iterator[tuple[str, object]]:
    """Yield the values of an answer outside any list, by path.

    An answer to several searches at once may be a list of one.
    """
    data = shown.data
    if isinstance(data, dict) or (isinstance(data, list) and longest_list(data) is not data):
        yield from leaves_of_answer(data)


def _is_url(value: object) -> bool:
    return isinstance(value, str) and ("://" in value or value.startswith("/"))


def _counted(
    ask: Ask, slot: Slot, first: int, hits: int, why: str, *, is_page: bool = True
) -> NextPageAsk:
    """Return a way that counts pages, if `is_page` and the name allow it, or hits, from a value."""
    is_page &= (is_page_name(slot.name) or slot.name == _AFTER_WORDS) and first <= 1
    place = "{page}" if is_page else "{offset}"
    template = put(ask, slot, place)
    at = {"first_page": first} if is_page else {"first_offset": first}
    template = msgspec.structs.replace(template, **at)
    return NextPageAsk(template, Position(slot.name, 1 if is_page else hits, first), "", why)


def _token_names(path: str, sent: list[str]) -> list[str]:
    """Return names under which a token may be sent: those already sent, or its own.

    >>> _token_names("nextPageToken", ["q", "pageSize"])
    ['pageToken', 'nextPageToken', 'cursor']
    >>> _token_names("nextPageToken", ["q", "page_size"])
    ['page_token', 'pageToken', 'nextPageToken']
    """
    own = last_name(path)
    plain = re.sub(r"^next_?", "", own, flags=re.IGNORECASE)
    plain = plain[:1].lower() + plain[1:]
    likely = [name for name in sent if _CURSOR.search(name)]
    if any("_" in name for name in sent):  # other names are written so, too
        likely.append(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", plain).lower())
    return list(dict.fromkeys([*likely, *filter(None, [plain, own]), "cursor", "after"]))[:3]


def observed_ways(ask: Ask, observed: list[Ask], hits: int) -> Iterator[NextPageAsk]:
    """Yield ways by the differences between the requests for page 1 and for later ones."""
    before = slots_of(ask)
    for later in observed:
        for slot, value in slots_of(later).items():
            if value == before.get(slot) or is_size_name(slot.name):
                continue
            first = before.get(slot, "")
            why = f"page 2 is asked for with {slot.name} = {value[:40]}"
            if value.isdigit():
                start = int(first) if first.isdigit() else _start(int(value), hits)
                if first or start <= hits:  # else it is an identifier, such as that of the last hit
                    yield _counted(ask, slot, start, hits, why)


def _start(second: int, hits: int) -> int:
    """Return the position of page 1, given the position of page 2."""
    return second - 1 if second in (1, 2) and hits > 2 else max(0, second - hits)
