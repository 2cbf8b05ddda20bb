"""The page size: how many hits a page has, and how many it can be made to have."""

from __future__ import annotations

from urllib.parse import quote_plus

from longline.discover.answer import Shown, parameters
from longline.discover.answer_pages import (
    COMMON_LIMITS,
    Pages,
    is_cut,
    request_at,
    said_total,
    with_parameter,
)
from longline.discover.findings import Sureness
from longline.discover.reading import size_names
from longline.discover.session import Asking, change_ask, change_results
from longline.model import Request

SIZES = (1000, 100, 50)
"""Page sizes to ask for, until one is answered."""


def learn_size(pages: Pages) -> None:
    """Find how many hits a full page has."""
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


def ask_for_longer(pages: Pages) -> Asking[None]:
    """Ask for longer pages where a parameter seems to set their length."""
    desk = pages.desk
    assert desk.ask is not None
    if pages.size is None or desk.ask.form is not None or not pages.later:
        return
    form = None
    names = dict(size_names(pages.first, form, pages.first.request.url))
    if pages.position and pages.position.size[0]:
        names = {pages.position.size[0]: names.get(pages.position.size[0], "0"), **names}
    largest = max(desk.probes, key=lambda page: said_total(desk, page))
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


def ask_for_all_at_once(pages: Pages) -> Asking[None]:
    """Ask for longer answers where nothing leads on, but a parameter sets how long they are."""
    desk = pages.desk
    assert desk.ask is not None
    if pages.later or pages.size is None or desk.ask.form is not None:
        return
    largest = max(desk.probes, key=lambda page: len(desk.keys(page)))
    for name, _ in size_names(pages.first, None, pages.first.request.url)[:2]:
        for asked in SIZES:
            if asked <= pages.size or desk.left < 18:
                break
            request = Request(with_parameter(largest.request.url, name, str(asked)))
            shown = yield from desk.get(request, largest.words)
            got = len(desk.keys(shown))
            if shown is not None and got > pages.size:
                _take_all_at_once(pages, shown, name, asked)
                return
            if got == pages.size:
                break


def _ignore_in_keys(pages: Pages, shown: Shown, name: str) -> None:
    """Leave a parameter out of keys where documents' links carry it on: it is none of theirs."""
    desk, read = pages.desk, pages.desk.read(shown)
    assert desk.results is not None
    if read is None or not any(name in parameters(hit.url) for hit in read.hits):
        return
    ignored = list(dict.fromkeys([*desk.results.key_ignores, quote_plus(name)]))
    change_results(desk, key_ignores=ignored)
    desk.find("results.key_ignores", ", ".join(ignored), "likely", "links carry what was asked on")


def _take_all_at_once(pages: Pages, shown: Shown, name: str, asked: int) -> None:
    desk = pages.desk
    assert desk.ask is not None
    url = with_parameter(desk.ask.url, name, "{size}")
    pages.size = asked
    desk.probes = [shown, *(page for page in desk.probes if page.words != shown.words)]
    change_ask(desk, url=url, page_size=asked)
    evidence = f"{asked} were asked for with {name}, {len(desk.keys(shown))} came for {shown.asked}"
    desk.find("ask.page_size", asked, "likely", evidence)
    desk.find("size", name, "sure", evidence)
    desk.find("results.next", "", "likely", f"no page links to a next one; {evidence}")
    _ignore_in_keys(pages, shown, name)
    desk.asked.clear()


def _try_sizes(pages: Pages, largest: Shown, name: str, sizes: list[int]) -> Asking[bool]:
    desk, size = pages.desk, pages.size
    assert size is not None
    # A first page may have more than the pages after it.
    plainly = max(size, len(desk.keys(largest)))
    for asked in sizes:
        request = with_parameter(largest.request.url, name, str(asked))
        shown = yield from desk.get(Request(request), largest.words)
        got = len(desk.keys(shown))
        if got <= plainly:
            # Unchanged: ignored, or clamped to what it is. Gone: too much was asked.
            if size <= got:
                return False
            continue
        total = said_total(desk, largest)
        everything = total and got >= total
        kept = got
        if everything:
            # How much longer a page could be did not show; a round number is safe.
            kept = round_down(got)
        if asked < got:
            kept = asked
        clamp = got if not everything and got < asked else None
        if shown is not None:
            _ignore_in_keys(pages, shown, name)
        if clamp and shown is not None and pages.is_template_right:
            clamp = yield from _see_beyond(pages, shown, name, asked)
        _set_size(pages, name, kept, asked, got, clamp, largest)
        pages.most_asked = asked if everything and kept < asked else None
        return True
    return False


def ask_for_longest(pages: Pages) -> Asking[None]:
    """Ask for the longest page once more where no answer was long enough to show how long it is."""
    desk, size, asked = pages.desk, pages.size, pages.most_asked
    longest = max(desk.probes, key=lambda page: said_total(desk, page), default=None)
    if size is None or asked is None or longest is None or desk.left < 2:
        return
    read, total = desk.read(longest), said_total(desk, longest)
    has_totals = read is not None and read.total is not None
    if not has_totals:
        longest = max(desk.asked.values(), key=lambda page: len(desk.keys(page)), default=longest)
        total = asked if len(desk.keys(longest)) >= size else 0
    if round_down(min(total, asked)) <= size:
        return
    change_ask(desk, page_size=asked)
    shown = yield from desk.get(desk.request(longest.words), longest.words)
    keys = set(desk.keys(shown))
    got = len(keys)
    kept = round_down(got) if got >= total else got
    if size < got < min(asked, total):
        # What follows tells a page that was shortened from an answer that was cut.
        change_ask(desk, page_size=got)
        read = desk.read(shown)
        following = None
        if read is not None and read.next is not None:
            following = yield from desk.get(read.next, longest.words, 2)
        ended = size if has_totals else round_down(got)
        kept = got if set(desk.keys(following)) - keys else ended
    kept = max(kept, size)
    change_ask(desk, page_size=kept)
    if kept > size:
        of = f" of {total}" if has_totals else ""
        evidence = f"{asked} were asked for, {got}{of} came for {longest.words[:40]!r}"
        desk.find("ask.page_size", kept, "sure", evidence)
        if kept == got < min(asked, total):
            desk.find("clamp", got, "sure", evidence)


def round_down(hits: int) -> int:
    """Return the greatest round page size that is not above so many hits.

    >>> round_down(780), round_down(31)
    (500, 31)
    """
    return max([size for size in (50, 100, 200, 250, 500, 1000) if size <= hits] or [hits])


def _see_beyond(pages: Pages, page: Shown, name: str, asked: int) -> Asking[int | None]:
    """Ask for what follows a shortened page: nothing there means that the answer was cut."""
    desk, position_ = pages.desk, pages.position
    assert position_ is not None
    got = len(desk.keys(page))
    turned = 1 if position_.step == 1 else got
    template = with_parameter(pages.template, name, str(asked))
    shown = yield from desk.get(request_at(pages, template, page, turned), page.words, 2)
    if set(desk.keys(shown)) - set(desk.keys(page)):
        return got
    evidence = f"{got} hits came for {page.words!r} where {asked} were asked for, and none after"
    pages.knows_total = bool(desk.results and desk.results.total)
    if is_cut(pages, page, got, said_total(desk, page)):
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
    url = with_parameter(base, name, "{size}")
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
