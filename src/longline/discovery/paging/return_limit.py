"""Find the return limit: how many hits of an answer can be read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import (
    COMMON_LIMITS,
    RESERVE,
    PagingState,
    is_cut,
    page_request,
    said_total,
)
from longline.discovery.session import Asking, change_ask, change_results
from longline.discovery.words import shares
from longline.text.numbers import counted

FREQUENT_TRIED = 2
WORDS_OF_LONG = 12
DEPTH_TRIES = 9
WHOLE = 100
"""With this many hits on one page, and no two answers of that length, pages are not truncated."""

ALIKE = 3
"""This many answers of one round length and without a next page prove a limit."""

_ONLY = re.compile(
    r"\b(only|first|top|maxim\w*|at most|limit\w*|nur|erste\w*|höchstens|seulement|premi\w+"
    r"|primer\w*|solo|sólo|tylko|только|первы\w*)\b",
    re.IGNORECASE,
)
SAID = 200
"""Maximum length in characters of a line that may state a limit."""

HIDDEN = 0.005
"""Share of a total that may be missing from the pages, as many sources hide a few documents."""

ESTIMATED = 0.1
"""Share of an estimated total that pages may hold in addition."""

ROUNDED = 0.2
"""Share of deviation allowed, up or down, for a total that is declared inexact."""

LONG_ANSWER = 1000
"""If an answer of this many hits can be read to its end, longer ones are rarely limited."""


@dataclass(frozen=True)
class _Depth:
    """How far an answer was read.

    Attributes:
        total: Documents that it should have.
        last: The expected last page.
        good: The last page known to have its own hits.
        bad: The first page known to have none.
        hits: Hits up to the end of the good page.
        how: How the bad page was answered.
    """

    answer: ParsedAnswer
    total: int
    last: int
    good: int
    bad: int
    hits: int
    how: str

    @property
    def seen(self) -> str:
        """The evidence as text."""
        return f"page {self.good} of {_short(self.answer)} has hits, page {self.bad} {self.how}"


def learn_limit(pages: PagingState) -> Asking[None]:
    """Request the last page according to the total; if it is missing, search for the limit."""
    session, size = pages.session, pages.size
    if pages.limit is not None:
        return
    if not pages.later:
        _limit_of_one_page(pages)
        return
    if pages.numbered is None or size is None:
        session.find("ask.limit", "", "unknown", "pages cannot be asked for by number")
        return
    longest = max(session.probes, key=lambda page: said_total(session, page))
    total, read = said_total(session, longest), session.read(longest)
    pages.knows_total = bool(read and read.total and read.total.relation != "at least")
    says_more = session.results is not None and session.results.more
    if not (pages.knows_total or says_more) and session.left > RESERVE + 6:
        # The length is unknown: treat the answer as longer than the common limits.
        longest, total = session.probes[-1], LONG_ANSWER + size
    if total <= 3 * size:
        session.find("ask.limit", "", "unknown", "no answer is known to be long enough to show one")
        return
    depth = yield from _search_limit(pages, longest, total)
    if depth.good == depth.last:
        _note_end(pages, depth)
    else:
        _note_limit(pages, depth)


def _limit_of_one_page(pages: PagingState) -> None:
    """Take the length of answers as the limit if several have it and none has a next page."""
    session = pages.session
    counts = [len(session.keys(page)) for page in session.probes]
    top = max(counts, default=0)
    totals = [said_total(session, page, least=0) for page in session.probes]
    # An answer that claims to be complete shows no limit, whatever its length.
    same = sum(count == top != total for total, count in zip(totals, counts, strict=True))
    says = _say_so(session.probes, counts)
    if says and not same and not pages.lacks_next:
        # The supposed total is the number of hits shown.
        change_results(session, total="")
        session.find("results.total", "", "likely", f"{top} stands for the hits that are shown")
        totals, same = [0] * len(counts), counts.count(top)
    more = [total for total, count in zip(totals, counts, strict=True) if total > count]
    pages.size = top or None
    if top >= WHOLE and same == 1:
        hits = f"{min(counts)} to {counted(top, 'hit')}"
        seen = f"answers of {hits} came on one page, none with a next one"
        session.find("results.next", "", "likely", seen)
        return
    if pages.lacks_next or same < 2 or top < 5:
        return
    pages.limit = top
    change_ask(session, limit=top, page_size=top)
    seen = f"{same} of {len(counts)} answers have {counted(top, 'hit')} and no next page"
    seen += f"; one claims {max(more):,}" if more else ""
    doubt = "" if more else "check that longer answers really have no second page"
    session.find("ask.limit", top, "likely" if more else "guess", seen, doubt)
    if (same >= ALIKE and top % 10 == 0) or says:
        # The harvest takes the limit into account, so that it reports what is lost.
        session.find("results.next", "", "likely", f"{seen}: taken for the return limit")


def _say_so(probes: Sequence[ParsedAnswer], counts: Sequence[int]) -> bool:
    """Return whether only the longest answers state their length: "only the first 50 are shown"."""
    top = max(counts)
    named = re.compile(rf"(?<![\d.,]){top}(?![\d.,]*\d)")
    lines = [{line for line in page.lines if len(line) <= SAID} for page in probes]
    says = [any(named.search(line) and _ONLY.search(line) for line in each) for each in lines]
    where = {count for count, is_said in zip(counts, says, strict=True) if is_said}
    return sum(says) > 1 and where == {top}


def ask_long(pages: PagingState, either: str) -> Asking[None]:
    """Search frequent words, to get a long answer.

    Args:
        pages: What is known about pages.
        either: The operator for OR between words; "" if none is known.
    """
    session = pages.session
    if pages.limit is not None:
        return
    assert session.ask is not None
    held = shares(session.texts.values())
    frequent = sorted(held, key=lambda word: (-held[word], word))
    asked = [word for word in frequent if word not in session.asked]
    if either:
        most = min(session.ask.dialect.max_terms or WORDS_OF_LONG, WORDS_OF_LONG)
        asked = [either.join(frequent[at::2][:most]) for at in range(2)]
    for words in asked[:FREQUENT_TRIED]:
        if session.left <= RESERVE + 2:
            return
        shown = yield from session.search(words)
        if shown is not None and session.keys(shown):
            session.probes.append(shown)
        if either and pages.later:
            return


def _search_limit(pages: PagingState, answer: ParsedAnswer, total: int) -> Asking[_Depth]:
    """Search for the last page with its own hits, from the end and by bisection."""
    session, size = pages.session, pages.size
    assert size is not None
    last = ceil(total / size)
    good, bad, how = 1, last + 1, "was not asked for"
    held = {1: frozenset(session.keys(answer))}
    number, tries = last, 0
    while bad - good > 1 and tries < DEPTH_TRIES and session.left > RESERVE:
        tries += 1
        shown = yield from session.get(page_request(pages, answer, number), answer.words, number)
        keys = frozenset(session.keys(shown))
        is_new = bool(keys) and not any(keys <= other for other in held.values())
        held[number] = keys
        fits = (number - 1) * size + len(keys) == total and len(keys) < size
        if is_new and number == last and not fits and last > 2:
            # Some sources repeat their last page for any later number: request the one before.
            bad, how, number = last, "came with hits of another page", last - 1
            continue
        if is_new and number == last - 1 and bad == last and held.get(last):
            good, bad = last, last + 1
            break
        if is_new:
            good = number
        else:
            how = "came empty" if not keys else "came with hits of another page"
            how = f"was refused ({session.reason})" if shown is None else how
            bad = number
        number = _between(good, bad, size, is_repeat=bool(held.get(bad)))
    edge = held.get(bad, frozenset())
    is_apart = bool(edge) and not edge & held.get(good, frozenset())
    if bad - good == 1 and is_apart and list(held.values()).count(edge) > 1:
        # The page that all later ones repeat is the last.
        good, bad = bad, bad + 1
    if good == 1 and len(held[1]) < size and session.left > RESERVE:
        # Its first page came before the page size was raised.
        shown = yield from session.get(page_request(pages, answer, 1), answer.words, 1)
        held[1] = frozenset(session.keys(shown)) or held[1]
    hits = (good - 1) * size + len(held[good])
    return _Depth(answer, total, last, good, bad, hits, how)


def _between(good: int, bad: int, size: int, *, is_repeat: bool = False) -> int:
    """Return the page to try next: at a common limit if one is in range, otherwise in the middle.

    Args:
        good: A page with its own hits.
        bad: A later one without.
        size: Hits on a page.
        is_repeat: Later pages repeat the bad page, so it may be the last one.
    """
    edges = [ceil(limit / size) for limit in COMMON_LIMITS]
    if is_repeat and bad in edges and good < bad - 1:
        return bad - 1
    for edge in sorted(edges, key=lambda edge: abs(edge - (good + bad) / 2)):
        if good < edge < bad:
            return edge
        if good == edge and edge + 1 < bad:
            return edge + 1
    return (good + bad) // 2


def _note_end(pages: PagingState, depth: _Depth) -> None:
    """Record that an answer was read to its end, and whether its total agrees."""
    session, hits, total = pages.session, depth.hits, depth.total
    seen = f"no answer is cut up to {counted(hits, 'hit')}"
    if not pages.knows_total:
        session.find("ask.limit", "", "likely", seen)
        return
    agrees = hits == total
    read = session.read(depth.answer)
    is_rounded = read is not None and read.total is not None and read.total.relation == "about"
    # More hits than the total hide nothing: then the total is an estimate.
    least, most = (ROUNDED, ROUNDED) if is_rounded else (HIDDEN, ESTIMATED)
    is_near = -least * total <= hits - total <= most * total
    said = "as the total says" if agrees else f"where the total says {total:,}"
    evidence = f"page {depth.last:,} of {_short(depth.answer)} ends with hit {hits:,}, {said}"
    warning = "" if hits >= LONG_ANSWER else "longer answers may be cut"
    session.find("ask.limit", "", "likely", f"{seen}: {evidence}", warning)
    warning = "" if is_near else "the total is not what the pages hold"
    session.find("last_page", hits, "sure" if agrees else "likely", evidence, warning)
    pages.last_page = agrees, evidence


def _note_limit(pages: PagingState, depth: _Depth) -> None:
    """Record where an answer ended: at the limit, or because there are no more hits."""
    session, hits, size = pages.session, depth.hits, pages.size or 1
    is_exact = depth.bad - depth.good == 1
    is_common = hits in COMMON_LIMITS
    if is_exact and not is_common and (hits % size or not pages.knows_total):
        # A page that is not full ends the answer, whatever the total is.
        warning = "longer answers may be cut" if pages.knows_total else ""
        session.find(
            "ask.limit", "", "likely", f"an answer ended with hit {hits:,}: {depth.seen}", warning
        )
        if pages.knows_total:
            pages.last_page = False, f"{depth.seen}; the total said {depth.total:,}"
            session.find("last_page", hits, "likely", pages.last_page[1])
        return
    pages.limit = hits
    if is_exact and is_cut(pages, depth.answer, hits, depth.total):
        # A limit that is too low would keep documents out of every harvest.
        change_ask(session, limit=hits)
        session.find("ask.limit", hits, "sure", depth.seen)
        return
    most = max(hits, (depth.bad - 1) * size)
    warning = f"there is one from {hits:,} to {most:,}, or none"
    session.find("ask.limit", "", "unknown", depth.seen, warning)


def _short(page: ParsedAnswer) -> str:
    return repr(page.words if len(page.words) < 40 else f"{page.words[:36]} ...")
