"""Answers that have more than a page: what shows how an answer goes on."""

from __future__ import annotations

from longline.discover.answer import Shown
from longline.discover.answer_pages import Pages, said_total
from longline.discover.paging.json_total import look_full
from longline.discover.reading import onwards
from longline.discover.session import Asking, Desk, change_results
from longline.discover.words import first_words, shares

LONGER_TRIED = 2


def has_more(desk: Desk, page: Shown) -> bool:
    """Say whether an answer has more than its first page, as it says itself."""
    if page.is_data:
        return said_total(desk, page) > len(desk.keys(page))
    return bool(onwards(page, allow_post=desk.allow_post))


def seems_long(desk: Desk, page: Shown) -> bool:
    """Say whether an answer seems to be longer than its first page, in JSON by its length, too."""
    read = desk.read(page)
    if not page.is_data or read is None or read.total is not None:
        return has_more(desk, page)
    sizes = [len(desk.keys(each)) for each in desk.probes]
    return read.next is not None or sizes.count(max(sizes)) > 1


def longest(desk: Desk) -> Asking[Shown]:
    """Return the page to follow: of an answer that goes on, if any does."""
    ranked = sorted(desk.probes, key=lambda page: -len(desk.keys(page)))
    found = next((page for page in ranked if seems_long(desk, page)), None)
    if found is not None:
        return found
    held = shares(desk.texts.values())
    frequent = sorted(held, key=lambda word: (-held[word], word))
    # What hits have in common may be no word of theirs, such as "minutes ago".
    language = desk.probes[0].root.get("lang") or "" if desk.probes else ""
    common = [] if desk.kind == "json" else first_words("", language, ())
    untried = [[word for word in words if word not in desk.asked] for words in (frequent, common)]
    for word in dict.fromkeys(word for words in untried for word in words[:LONGER_TRIED]):
        shown = yield from desk.search(word)
        if shown is not None and desk.keys(shown):
            desk.probes.append(shown)
            if seems_long(desk, shown):
                return shown
    return max(desk.probes, key=lambda page: len(desk.keys(page)))


def longer(pages: Pages) -> Shown | None:
    """Return an answer that came since, and goes on where none was known to; None for none."""
    desk = pages.desk
    if pages.later or (pages.first.is_data and seems_long(desk, pages.first)):
        return None
    came = [page for page in dict.fromkeys([*desk.probes, *desk.asked.values()]) if page.words]
    came = [page for page in came if page.number == 1 and len(desk.keys(page)) > 1]
    came.sort(key=lambda page: -len(desk.keys(page)))
    more = [page for page in came if page is not pages.first and has_more(desk, page)]
    if not more and pages.may_count_rows and look_full(len(desk.keys(page)) for page in came):
        # What passed for a total is the number of rows on the page.
        change_results(desk, total="")
        more = came
    return more[0] if more else None
