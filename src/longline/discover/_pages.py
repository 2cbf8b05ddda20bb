"""Further steps: the next page, the total, the page size, how far an answer can be read."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from urllib.parse import quote_plus

import msgspec

from longline.discover._desk import Asking, Desk, change_ask, change_results
from longline.discover._shown import Shown, parameters
from longline.discover.findings import Sureness
from longline.discover.paging import (
    Onward,
    Position,
    next_selector,
    onwards,
    position,
    size_names,
)
from longline.discover.totals import find_total
from longline.discover.words import shares
from longline.model import Page, Request

NEXT_TRIED = 3
FREQUENT_TRIED = 2
WORDS_OF_LONG = 12
RESERVE = 4
"""Requests that are kept for the last check."""
SIZES = (1000, 100, 50)
"""Page sizes to ask for, until one is answered."""

COMMON_LIMITS = (100, 200, 250, 300, 400, 500, 1000, 2000, 2500, 5000, 10_000)
DEPTH_TRIES = 9
WHOLE = 100
"""Where so many hits come on one page, and no two answers end alike, pages are not cut."""

LONG_ANSWER = 1000
"""Where an answer of so many hits can be read to its end, few sources cut longer ones."""

AGAIN = (("Cache-Control", "no-cache"),)


class Pages:
    """What the steps about pages have to tell each other.

    Attributes:
        first: The page whose answer is followed.
        position: Which parameter counts the pages; None where none does.
        size: Hits on a full page.
    """

    def __init__(self, desk: Desk, first: Shown) -> None:
        self.desk = desk
        self.first = first
        self.later: list[Shown] = []
        self.clicks: list[Onward] = []
        self.position: Position | None = None
        self.template = ""
        self.is_template_right = False
        self.again: Shown | None = None
        self.size: int | None = None
        self.limit: int | None = None
        self.knows_total = False


def learn_pages(desk: Desk) -> Asking[Pages]:
    """Learn how an answer goes on, how many hits it has, and how many of them it shows."""
    first = yield from _longest(desk)
    pages = Pages(desk, first)
    yield from _follow(pages)
    yield from _ask_again(pages)
    learn_total(pages)
    _learn_size(pages)
    yield from _ask_for_more(pages)
    _choose_paging(pages)
    return pages


def _longest(desk: Desk) -> Asking[Shown]:
    """Return the page to follow: of an answer that goes on, if any does."""
    ranked = sorted(desk.probes, key=lambda page: -len(desk.keys(page)))
    for page in ranked:
        if onwards(page, allow_post=desk.allow_post):
            return page
    held = shares(desk.texts.values())
    frequent = sorted(held, key=lambda word: (-held[word], word))
    for word in [word for word in frequent if word not in desk.asked][:2]:
        shown = yield from desk.search(word)
        if shown is not None and desk.keys(shown):
            desk.probes.append(shown)
            if onwards(shown, allow_post=desk.allow_post):
                return shown
    return max(desk.probes, key=lambda page: len(desk.keys(page)))


# The next page.


def _follow(pages: Pages) -> Asking[None]:
    desk, first = pages.desk, pages.first
    known = set(desk.keys(first))
    clicks = onwards(first, allow_post=desk.allow_post)[:NEXT_TRIED]
    tried = []
    for click in clicks:
        shown = yield from desk.get(click.request, first.words, 2)
        fresh = _fresh(desk, shown, known)
        if shown is None or fresh < 0.5:
            tried.append(f"{click.kind} ({fresh:.0%} new)")
            continue
        pages.later, pages.clicks = [shown], [click]
        yield from _follow_twice(pages, known | set(desk.keys(shown)))
        break
    if not pages.later:
        _note_no_next(pages, tried)


def _follow_twice(pages: Pages, known: set[str]) -> Asking[None]:
    desk, second = pages.desk, pages.later[0]
    gone = {_whole(pages.first.request), _whole(second.request)}
    further = [
        click
        for click in onwards(second, allow_post=desk.allow_post)
        if _whole(click.request) not in gone
    ]
    further.sort(key=lambda click: (click.kind != pages.clicks[0].kind, -click.score))
    for click in further[:1]:
        shown = yield from desk.get(click.request, second.words, 3)
        if shown is not None and _fresh(desk, shown, known) >= 0.5:
            pages.later.append(shown)
            pages.clicks.append(click)
    if all(click.request.method == "GET" for click in pages.clicks):
        urls = [click.request.url for click in pages.clicks]
        hits = len(desk.keys(pages.first))
        pages.position = position(urls, hits, pages.first.request.url)
    if pages.position:
        pages.template = _template(pages)


def _fresh(desk: Desk, shown: Shown | None, known: set[str]) -> float:
    keys = set(desk.keys(shown))
    return len(keys - known) / len(keys) if keys else 0.0


def _whole(request: Request) -> str:
    return f"{request.url}\n{request.body.decode('latin-1')}"


def _note_no_next(pages: Pages, tried: list[str]) -> None:
    desk = pages.desk
    counts = [len(desk.keys(page)) for page in desk.probes]
    top = max(counts, default=0)
    if tried:
        desk.find(
            "results.next",
            "",
            "unknown",
            f"what may lead on from {pages.first.asked} brought nothing new: {', '.join(tried)}",
            "only the first page of each answer would be harvested: say how pages go on",
        )
    else:
        is_cut = counts.count(top) >= 2
        what = "answers may be cut there" if is_cut else "longer answers may be cut"
        desk.find(
            "results.next",
            "",
            "likely",
            f"no page links to a next one; the longest of {len(counts)} answers has {top} hits",
            f"{what}: open a page with many hits in a browser and see how it goes on",
        )


def _template(pages: Pages) -> str:
    """Return the URL of page 2 with places for the query and the position; "" for none."""
    position_ = pages.position
    url, words = pages.clicks[-1].request.url, pages.first.words
    if position_ is None:
        return ""
    path, _, query = url.replace("{", "%7B").replace("}", "%7D").partition("?")
    parts, has_query = [], False
    place = "{page}" if position_.step == 1 else "{offset}"
    for part in query.split("&"):
        name, equals, value = part.partition("=")
        if value.lower() == quote_plus(words).lower() and not has_query:
            part, has_query = f"{name}={{query}}", True
        elif parameters(f"?{part}").keys() == {position_.name}:
            part = f"{name}{equals}{place}"
        parts.append(part)
    return f"{path}?{'&'.join(parts)}" if has_query else ""


def _ask_again(pages: Pages) -> Asking[None]:
    """Ask for page 1 again: by the template where there is one, which tests it too."""
    desk, first = pages.desk, pages.first
    assert desk.ask is not None
    if pages.template and pages.position and desk.ask.form is None:
        request = _page_request(pages, pages.template, first, 1)
        if request == first.request:
            request = Request(request.url, request.method, AGAIN, request.body)
        shown = yield from desk.get(request, first.words)
        pages.is_template_right = set(desk.keys(shown)) == set(desk.keys(first))
    else:
        request = first.request
        request = Request(request.url, request.method, request.headers + AGAIN, request.body)
        shown = yield from desk.get(request, first.words)
    if shown is not None and desk.keys(shown):
        pages.again = shown
        if set(desk.keys(shown)) != set(desk.keys(first)) and not pages.template:
            desk.find(
                "order",
                "unstable",
                "likely",
                f"{first.asked} brought other hits when it was asked again",
                "pages of one answer may overlap or leave hits out",
            )


# The total.


def learn_total(pages: Pages, more: Iterable[Shown] = ()) -> None:
    """Find the number of all hits.

    Args:
        pages: What is known of the pages by now.
        more: First pages beside the probes: where there are many matches, a total that says
            "100+" shows only in the end that it changes.
    """
    desk, first = pages.desk, pages.first
    probes = list(dict.fromkeys([*desk.probes, first, *more]))
    others = [*pages.later, *([pages.again] if pages.again else [])]
    same = [(first, other) for other in others]
    hits = {page: desk.elements(page) for page in [*probes, *others]}
    probes = [page for page in probes if hits[page]]
    found = find_total(probes, hits, same)
    if found is None:
        desk.find(
            "results.total", "", "likely", f"no number on {len(probes)} pages behaves like one"
        )
        return
    change_results(desk, total=found.selector, total_pattern=found.pattern)
    said = ", ".join(
        f"{total.documents:,} for {page.words!r}"
        for total, page in zip(found.values, probes, strict=True)
        if total
    )
    exceeds = any(
        total and total.documents > len(hits[page])
        for total, page in zip(found.values, probes, strict=True)
    )
    evidence = f"{said}; the same on page 2 and when asked again"
    warning = "" if exceeds else "it was never more than the hits on the page"
    sure: Sureness = "likely" if exceeds and len(probes) >= 3 else "guess"
    desk.find("results.total", found.selector, sure, evidence, warning)
    if found.pattern:
        desk.find("results.total_pattern", found.pattern, sure, f"finds it in {found.example!r}")


# The page size.


def _learn_size(pages: Pages) -> None:
    desk = pages.desk
    counts = [len(desk.keys(page)) for page in desk.probes]
    if not pages.later:
        # Nothing goes on: what is shorter than the longest answer is whole.
        pages.size = max(counts, default=0) or None
        return
    inner = [len(desk.keys(page)) for page in pages.later[:-1]]
    first = len(desk.keys(pages.first))
    # A page with a next one is full; page 1 may have pinned hits besides.
    pages.size = inner[0] if inner else first
    evidence = f"{first} hits on page 1, {len(desk.keys(pages.later[0]))} on page 2"
    warning = ""
    if max(counts) > pages.size:
        warning = f"a first page had {max(counts)} hits"
    change_ask(desk, page_size=pages.size)
    sure: Sureness = "sure" if inner and inner[0] == first else "likely"
    desk.find("ask.page_size", pages.size, sure, evidence, warning)


def _ask_for_more(pages: Pages) -> Asking[None]:
    """Ask for longer pages where a parameter seems to set their length."""
    desk = pages.desk
    assert desk.ask is not None
    if pages.size is None or desk.ask.form is not None or not pages.later:
        return
    form = None
    names = dict(size_names(pages.first, form, pages.first.request.url))
    if pages.position and pages.position.size[0]:
        names = {pages.position.size[0]: names.get(pages.position.size[0], "0"), **names}
    largest = max(desk.probes, key=lambda page: _said_total(desk, page))
    for name, offered in list(names.items())[:2]:
        if desk.left < 18:
            return
        sizes = dict.fromkeys([SIZES[0], int(offered), *SIZES[1:]])
        done = yield from _try_sizes(pages, largest, name, [n for n in sizes if n > pages.size][:3])
        if done:
            return
    if names:
        desk.find(
            "size",
            "fixed",
            "likely",
            f"{', '.join(names)} did not change the {pages.size} hits on a page",
        )
    else:
        desk.find("size", "fixed", "likely", "no parameter seems to set it")


def _said_total(desk: Desk, page: Shown) -> int:
    read = desk.read(page)
    if read is None:
        return 0
    return read.total.documents if read.total else len(read.hits)


def _try_sizes(pages: Pages, largest: Shown, name: str, sizes: list[int]) -> Asking[bool]:
    desk, size = pages.desk, pages.size
    assert size is not None
    for asked in sizes:
        request = _with_parameter(largest.request.url, name, str(asked))
        shown = yield from desk.get(Request(request), largest.words)
        got = len(desk.keys(shown))
        if got <= size:
            # Unchanged: ignored, or clamped to what it is. Gone: too much was asked.
            if got == size:
                return False
            continue
        total = _said_total(desk, largest)
        everything = total and got >= total
        kept = got
        if everything:
            # How much longer a page could be did not show; a round number is safe.
            kept = max([n for n in (50, 100, 200, 250, 500, 1000) if n <= got] or [got])
        if asked < got:
            kept = asked
        clamp = got if not everything and got < asked else None
        if clamp and shown is not None and pages.is_template_right:
            clamp = yield from _see_beyond(pages, shown, name, asked)
        _set_size(pages, name, kept, asked, got, clamp, largest)
        return True
    return False


def _see_beyond(pages: Pages, page: Shown, name: str, asked: int) -> Asking[int | None]:
    """Ask for what follows a shortened page: nothing there means that the answer was cut."""
    desk, position_ = pages.desk, pages.position
    assert position_ is not None
    got = len(desk.keys(page))
    turned = 1 if position_.step == 1 else got
    template = _with_parameter(pages.template, name, str(asked))
    shown = yield from desk.get(_request_at(pages, template, page, turned), page.words, 2)
    if set(desk.keys(shown)) - set(desk.keys(page)):
        return got
    evidence = f"{got} hits came for {page.words!r} where {asked} were asked for, and none after"
    pages.knows_total = bool(desk.results and desk.results.total)
    if _is_cut(pages, page, got, _said_total(desk, page)):
        pages.limit = got
        change_ask(desk, limit=got)
        desk.find("ask.limit", got, "sure" if got in COMMON_LIMITS else "likely", evidence)
    return None


def _set_size(
    pages: Pages, name: str, kept: int, asked: int, got: int, clamp: int | None, page: Shown
) -> None:
    desk = pages.desk
    assert desk.ask is not None
    base = pages.template if pages.is_template_right else desk.ask.url
    url = _with_parameter(base, name, "{size}")
    evidence = f"{asked} were asked for with {name}, {got} came for {page.words!r}"
    change_ask(desk, page_size=kept)
    if pages.is_template_right:
        pages.template = url
    change_ask(desk, url=url if "{page}" not in url and "{offset}" not in url else desk.ask.url)
    pages.size = kept
    desk.find("ask.page_size", kept, "sure", evidence)
    desk.find("size", name, "sure", evidence)
    if clamp and pages.is_template_right:
        desk.find("clamp", clamp, "sure", evidence)
    elif clamp:
        doubt = "it may be the return limit instead"
        desk.find("clamp", clamp, "guess", evidence, doubt)
        desk.find("size", name, "likely", evidence, doubt)
    desk.asked.clear()


def _with_parameter(url: str, name: str, value: str) -> str:
    path, _, query = url.partition("?")
    parts = [part for part in query.split("&") if part]
    named = f"{quote_plus(name)}={value}"
    kept = [part for part in parts if part.partition("=")[0] != quote_plus(name)]
    return f"{path}?{'&'.join([*kept, named])}"


# How pages go on.


def _choose_paging(pages: Pages) -> None:
    """Take the link that leads on, or arithmetic where there is none or it never ends."""
    desk, position_ = pages.desk, pages.position
    if not pages.later:
        return
    assert desk.ask is not None
    shown = [pages.first, *pages.later]
    pairs = [(page, click.element) for page, click in zip(shown, pages.clicks, strict=False)]
    without = [page for page in desk.empty if not desk.elements(page)]
    kinds = {click.kind for click in pages.clicks}
    selector = "" if "number" in kinds else next_selector(pairs, without)
    stays = _stays(pages, selector)
    times = f"followed {len(pages.later)} times from {pages.first.asked}, new hits each time"
    usable = pages.is_template_right and desk.ask.form is None
    if usable and (not selector or stays or "arrow" in kinds or "size" in pages.template):
        _page_by_arithmetic(pages, times, selector)
    elif selector:
        change_results(desk, next=selector)
        sure: Sureness = "sure" if len(pages.later) == 2 and not stays else "likely"
        warning = "it stays on the last page: the end is a page without new hits" if stays else ""
        desk.find("results.next", selector, sure, times, warning)
        desk.find("paging", "next", sure, times, warning)
    else:
        desk.find(
            "results.next",
            "",
            "unknown",
            f"a {pages.clicks[0].kind} leads on, but no selector tells it from others; {times}",
            "say how pages go on",
        )
    if position_:
        desk.find(
            "position",
            f"{position_.name} from {position_.first} by {position_.step}",
            "sure" if pages.is_template_right else "likely",
            times,
        )


def _stays(pages: Pages, selector: str) -> bool:
    """Say whether the next link is there on a page that is known to be the last."""
    from longline.source.select import read_select

    if not selector:
        return False
    desk = pages.desk
    for page in desk.probes:
        read = desk.read(page)
        if page is pages.first or read is None or not read.hits or pages.size is None:
            continue
        is_last = len(read.hits) < pages.size
        if is_last and read_select(selector).first(page.answer.root) is not None:
            return True
    return False


def _page_by_arithmetic(pages: Pages, times: str, selector: str) -> None:
    desk, position_ = pages.desk, pages.position
    assert position_ is not None
    by_page = position_.step == 1
    change_ask(
        desk,
        url=pages.template,
        first_page=position_.first if by_page else 1,
        first_offset=0 if by_page else position_.first,
    )
    desk.asked.clear()
    what = "pages" if by_page else "hits"
    evidence = f"{position_.name} counts {what} from {position_.first}; {times}"
    why = desk.findings["ask.url"].evidence
    desk.find("ask.url", pages.template, "sure", f"{why}; {evidence}")
    desk.find("paging", "arithmetic", "sure", evidence)
    for name, is_set in (("ask.first_page", by_page), ("ask.first_offset", not by_page)):
        if is_set:
            desk.find(name, position_.first, "sure", evidence)


# How far.


def learn_limit(pages: Pages) -> Asking[None]:
    """Ask for the last page that the total promises; if it is not there, look for the limit."""
    desk = pages.desk
    assert desk.ask is not None
    if pages.limit is not None:
        return
    yield from _ask_long(pages)
    counted = "{page}" in desk.ask.url or "{offset}" in desk.ask.url
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
        return
    largest = max([*desk.probes], key=lambda page: _said_total(desk, page))
    total = _said_total(desk, largest)
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


def _ask_long(pages: Pages) -> Asking[None]:
    """Ask for frequent words, of which any is enough where that can be said: a long answer."""
    desk = pages.desk
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
        request = _page_request(pages, template, largest, number)
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


def _page_request(pages: Pages, template: str, page: Shown, number: int) -> Request:
    """Return how to ask for any page of an answer by its number."""
    desk, position_ = pages.desk, pages.position
    assert desk.ask is not None
    assert position_ is not None
    step = 1 if position_.step == 1 else pages.size or position_.step
    return _request_at(pages, template, page, (number - 1) * step)


def _request_at(pages: Pages, template: str, page: Shown, moved: int) -> Request:
    desk, position_ = pages.desk, pages.position
    assert desk.ask is not None
    assert position_ is not None
    at = position_.first + moved
    plain = desk.ask
    desk.ask = msgspec.structs.replace(plain, url=template, first_page=at, first_offset=at)
    try:
        return desk.request(page.words)
    finally:
        desk.ask = plain


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
            "" if agrees else "the total is not what the pages hold",
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
    exact = exact and _is_cut(pages, largest, hits, total)
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


def _is_cut(pages: Pages, page: Shown, hits: int, total: int) -> bool:
    """Say whether an answer that ends before its total was cut: a total may be an estimate."""
    if not pages.knows_total:
        return hits in COMMON_LIMITS
    read = pages.desk.read(page)
    if read is not None and read.total is not None and read.total.relation == "exact":
        return hits in COMMON_LIMITS or hits % 50 == 0 or total >= 1.5 * hits
    return hits in COMMON_LIMITS and total >= 1.5 * hits


def _short(page: Shown) -> str:
    return repr(page.words if len(page.words) < 40 else f"{page.words[:36]} ...")


def is_full(pages: Pages, page: Page) -> bool:
    """Say whether an answer's first page may not be all of it."""
    if page.total is not None and page.total.relation == "exact":
        return page.total.documents > len(page.hits)
    return pages.size is None or len(page.hits) >= pages.size
