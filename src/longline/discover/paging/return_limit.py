"""The return limit: how far an answer can be read."""

from __future__ import annotations

from math import ceil

from longline.discover.answer import Shown
from longline.discover.answer_pages import (
    COMMON_LIMITS,
    RESERVE,
    Pages,
    is_cut,
    page_request,
    said_total,
)
from longline.discover.session import Asking, change_ask
from longline.discover.words import shares

FREQUENT_TRIED = 2
WORDS_OF_LONG = 12
DEPTH_TRIES = 9
WHOLE = 100
"""Where so many hits come on one page, and no two answers end alike, pages are not cut."""

ALIKE = 3
"""So many answers of one round length, with no next page, were cut there."""

HIDDEN = 0.005
"""Share of a total that may be counted and not shown, as many a source does with a few."""

ESTIMATED = 0.1
"""Share of a total that pages may hold beyond it, where it is an estimate."""

ROUNDED = 0.2
"""Share of a total, more or less, where it says of itself that it is not exact."""

LONG_ANSWER = 1000
"""Where an answer of so many hits can be read to its end, few sources cut longer ones."""


def learn_limit(pages: Pages) -> Asking[None]:
    """Ask for the last page that the total promises; if it is not there, look for the limit."""
    desk = pages.desk
    assert desk.ask is not None
    if pages.limit is not None:
        return
    asked = desk.ask.url + desk.ask.body
    counted = "{page}" in asked or "{offset}" in asked
    template = desk.ask.url if counted else pages.template
    if not pages.later:
        counts = [len(desk.keys(page)) for page in desk.probes]
        top = max(counts, default=0)
        answers = [desk.read(page) for page in desk.probes]
        more = [
            page.total.documents
            for page in answers
            if page and page.total and page.total.documents > len(page.hits)
        ]
        pages.size = top or None
        if top >= WHOLE and counts.count(top) == 1:
            seen = f"answers of {min(counts)} to {top} hits came on one page, none with a next one"
            desk.find("results.next", "", "likely", seen)
        if desk.findings["results.next"].sure == "unknown":
            return
        if (
            counts.count(top) >= 2
            and top >= 5
            and (more or not desk.results or not desk.results.total)
        ):
            pages.limit = top
            change_ask(desk, limit=top, page_size=top)
            said = f"; one claims {max(more):,}" if more else ""
            desk.find(
                "ask.limit",
                top,
                "likely" if more else "guess",
                f"{counts.count(top)} of {len(counts)} answers have {top} hits and no next{said}",
                "" if more else "see that longer answers really have no second page",
            )
            if counts.count(top) >= ALIKE and top % 10 == 0:
                # A harvest reckons with the limit, so that nothing is lost unsaid.
                seen = f"no page links to a next one, and {counts.count(top)} answers end at {top}"
                desk.find("results.next", "", "likely", f"{seen} hits: taken for the return limit")
        return
    largest = max([*desk.probes], key=lambda page: said_total(desk, page))
    total = said_total(desk, largest)
    if not template or not pages.is_template_right or pages.size is None:
        desk.find("ask.limit", "", "unknown", "pages cannot be asked for by number", "not tried")
        return
    read = desk.read(largest)
    is_open = read is None or read.total is None or read.total.relation == "at least"
    pages.knows_total = not is_open
    if is_open and desk.left > RESERVE + 6:
        # Nothing says how long it is: as if it were longer than the limits that are common.
        largest = desk.probes[-1]
        total = LONG_ANSWER + pages.size
    if not desk.results or total <= 3 * pages.size:
        desk.find(
            "ask.limit",
            "",
            "unknown",
            "no answer is known to be long enough to show one",
            "answers may be cut: the certificate will tell",
        )
        return
    yield from _search_limit(pages, template, largest, total)


def ask_long(pages: Pages) -> Asking[None]:
    """Ask for frequent words, of which any is enough where that can be said: a long answer."""
    desk = pages.desk
    if pages.limit is not None:
        return
    assert desk.ask is not None
    held = shares(desk.texts.values())
    frequent = sorted(held, key=lambda word: (-held[word], word))
    said = desk.findings.get("dialect.or")
    either = f" {said.value} " if said and said.value else ""
    is_or = "dialect.default" in desk.findings and desk.findings["dialect.default"].value == "OR"
    if either or is_or:
        most = min(desk.ask.dialect.max_terms or WORDS_OF_LONG, WORDS_OF_LONG)
        asked = [(either or " ").join(frequent[at::2][:most]) for at in range(2)]
    else:
        asked = [word for word in frequent if word not in desk.asked]
    for words in asked[:FREQUENT_TRIED]:
        if desk.left <= RESERVE + 2:
            return
        shown = yield from desk.search(words)
        if shown is not None and desk.keys(shown):
            desk.probes.append(shown)
        if (either or is_or) and pages.later:
            return


def _search_limit(pages: Pages, template: str, largest: Shown, total: int) -> Asking[None]:
    desk, size = pages.desk, pages.size
    assert size is not None
    last = ceil(total / size)
    good, bad, hits = 1, last + 1, size
    how = ""
    held = {1: frozenset(desk.keys(largest))}
    number, tries = last, 0
    while bad - good > 1 and tries < DEPTH_TRIES and desk.left > RESERVE:
        tries += 1
        request = page_request(pages, template, largest, number)
        shown = yield from desk.get(request, largest.words, number)
        keys = frozenset(desk.keys(shown))
        is_new = bool(keys) and not any(keys <= other for other in held.values())
        held[number] = keys
        fits = (number - 1) * size + len(keys) == total and len(keys) < size
        if is_new and number == last and not fits and last > 2:
            # Some sources show their last page for any page after it: look at the one before.
            bad, how, number = last, "came with hits of another page", last - 1
            continue
        if is_new and number == last - 1 and bad == last and held.get(last):
            good, bad, hits = last, last + 1, (last - 1) * size + len(held[last])
            break
        if is_new:
            good, hits = number, (number - 1) * size + len(keys)
        else:
            how = "came empty" if not keys else "came with hits of another page"
            how = f"was refused ({desk.reason})" if shown is None else how
            bad = number
        number = _between(good, bad, size, is_repeat=bool(held.get(bad)))
    edge = held.get(bad, frozenset())
    if (
        bad - good == 1
        and edge
        and not edge & held.get(good, frozenset())
        and list(held.values()).count(edge) > 1
    ):
        # The page that all later ones repeat is the last.
        good, bad, hits = bad, bad + 1, (bad - 1) * size + len(edge)
    _note_limit(pages, largest, total, last, good, bad, hits, how)


def _between(good: int, bad: int, size: int, *, is_repeat: bool = False) -> int:
    """Return the page to try next: at a common limit if one is in question, else the middle.

    Args:
        good: A page that has hits of its own.
        bad: A later one that has none.
        size: Hits on a page.
        is_repeat: The bad page is one that later ones repeat: it may be the last itself.
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


def _note_limit(
    pages: Pages,
    largest: Shown,
    total: int,
    last: int,
    good: int,
    bad: int,
    hits: int,
    how: str,
) -> None:
    desk = pages.desk
    if good == last and not pages.knows_total:
        desk.find("ask.limit", "", "likely", f"no answer is cut up to {hits:,} hits")
        return
    if good == last:
        agrees = hits == total
        read = desk.read(largest)
        is_rounded = read is not None and read.total is not None and read.total.relation == "about"
        # More than it says hides nothing: such a total is an estimate.
        least, most = (ROUNDED, ROUNDED) if is_rounded else (HIDDEN, ESTIMATED)
        is_near = -least * total <= hits - total <= most * total
        said = "as the total says" if agrees else f"where the total says {total:,}"
        evidence = f"page {last:,} of {_short(largest)} ends with hit {hits:,}, {said}"
        warning = "" if hits >= LONG_ANSWER else "longer answers may be cut"
        desk.find(
            "ask.limit", "", "likely", f"no answer is cut up to {hits:,} hits: {evidence}", warning
        )
        desk.find(
            "last_page",
            hits,
            "sure" if agrees else "likely",
            evidence,
            "" if is_near else "the total is not what the pages hold",
        )
        return
    size = pages.size or 1
    evidence = f"page {good} of {_short(largest)} has hits, page {bad} {how}"
    exact = bad - good == 1
    if exact and not pages.knows_total and hits not in COMMON_LIMITS:
        desk.find("ask.limit", "", "likely", f"an answer ended with hit {hits:,}: {evidence}")
        return
    if exact and hits % size and hits not in COMMON_LIMITS:
        # A page that is not full is an answer's end, whatever the total says.
        desk.find(
            "ask.limit",
            "",
            "likely",
            f"an answer ended with hit {hits:,}, its last page not full: {evidence}",
            "longer answers may be cut",
        )
        desk.find("last_page", hits, "likely", f"{evidence}; the total said {total:,}")
        return
    pages.limit = hits
    exact = exact and is_cut(pages, largest, hits, total)
    if exact:
        # A limit that is too low would keep documents out of every harvest.
        change_ask(desk, limit=hits)
    desk.find(
        "ask.limit",
        hits if exact else "",
        "sure" if exact else "unknown",
        evidence,
        "" if exact else f"there is one from {hits:,} to {max(hits, (bad - 1) * size):,}, or none",
    )


def _short(page: Shown) -> str:
    return repr(page.words if len(page.words) < 40 else f"{page.words[:36]} ...")
