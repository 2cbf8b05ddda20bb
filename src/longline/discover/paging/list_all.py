"""What a source lists where nothing is asked for: all that it has, often.

Pages of such a list bring every document once, and need no query to be chosen. It is believed
where it counts at least as many as any word that was asked for; where nothing is counted it has
to hold whatever any word brought, and the harvest sees whether words bring what it lacks.
"""

from __future__ import annotations

from longline.discover.answer import Shown
from longline.discover.answer_pages import Pages
from longline.discover.session import Asking, Desk, change_dialect
from longline.model import Query

WAYS = ("", "*")
"""What is sent for everything."""


def learn_everything(desk: Desk, pages: Pages) -> Asking[None]:
    """Find what asks for everything."""
    ask = desk.ask
    if ask is None or ask.browser or ask.dialect.all is not None:
        return
    for typed in WAYS:
        if desk.left < 1:
            return
        query = Query((typed,) if typed else ())
        seen = _what_it_lists(desk, pages, (yield from desk.ask_for(query)))
        if seen:
            what = f"a search for {typed!r}" if typed else "a search without words"
            change_dialect(desk, all=typed)
            desk.find("ask.dialect.all", typed, "likely", f"{what} {seen}")
            return


def _what_it_lists(desk: Desk, pages: Pages, whole: Shown | None) -> str:
    """Say what an answer to nothing in particular lists; "" where that is not everything."""
    assert desk.ask is not None
    read, keys = desk.read(whole), set(desk.keys(whole))
    if read is None or not keys or any(keys & set(desk.keys(page)) for page in desk.empty):
        return ""
    answers = [*desk.asked.values(), *desk.probes]
    totals = [page.total for page in map(desk.read, answers) if page and page.total]
    most = max((total.documents for total in totals), default=0)
    goes_on = read.next is not None
    if read.total is not None:
        is_more = read.total.documents >= most and (goes_on or read.total.documents == len(keys))
        return f"has {read.total.documents:,} hits, as many as any word or more" if is_more else ""
    if totals and not goes_on:
        return ""
    if goes_on and desk.ask.limit is None and len(keys) >= (pages.size or 1):
        return f"has {len(keys)} hits on its first page, and more after it"
    seen = set().union(*(desk.keys(page) for page in answers))
    is_whole = not goes_on and len(keys) != desk.ask.limit and seen <= keys
    found = f"has {len(keys)} hits, all {len(seen)} that words brought among them"
    return found if is_whole else ""
