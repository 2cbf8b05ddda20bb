"""Whether a later page is that of its own query, or of the one that was asked last."""

from __future__ import annotations

from longline.discover.answer import Shown
from longline.discover.answer_pages import Pages
from longline.discover.session import Asking, Desk, change_ask


def learn_session(pages: Pages) -> Asking[None]:
    """Ask another query, then for the first one's page 2: does that one come?

    Only where the way to page 2 does not say of which query.
    """
    desk, first = pages.desk, pages.first
    if not pages.later or desk.ask is None or desk.ask.paging:
        return
    request = pages.clicks[0].request
    other = _other(desk, first)
    if desk.names(request, first.words) or other is None:
        return
    yield from desk.get_anew(desk.request(other.words), other.words)
    shown = yield from desk.get_anew(request, first.words, 2)
    desk.place = ("", 0)
    is_its_own = set(desk.keys(shown)) == set(desk.keys(pages.later[0]))
    said = f"{first.asked} page 2 was asked for after {other.asked}"
    change_ask(desk, paging="query" if is_its_own else "session")
    came = "came" if is_its_own else "another page came"
    desk.find("ask.paging", desk.ask.paging, "sure", f"{said}, and {came}")


def _other(desk: Desk, first: Shown) -> Shown | None:
    """Return an answer that has other hits."""
    known = set(desk.keys(first))
    ranked = sorted(desk.probes, key=lambda page: -len(desk.keys(page)))
    return next((page for page in ranked if not known >= set(desk.keys(page))), None)
