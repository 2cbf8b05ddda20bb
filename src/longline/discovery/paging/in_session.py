"""Whether a later page is that of its own query, or of the one that was asked last."""

from __future__ import annotations

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import PagingState
from longline.discovery.session import Asking, DiscoverySession, change_ask


def learn_session(pages: PagingState) -> Asking[None]:
    """Ask another query, then for the first one's page 2: does that one come?

    Only where the way to page 2 does not say of which query.
    """
    session, first = pages.session, pages.first
    if not pages.later or session.ask is None or session.ask.paging:
        return
    request = pages.clicks[0].request
    other = _other(session, first)
    if session.names(request, first.words) or other is None:
        return
    yield from session.get_anew(session.request(other.words), other.words)
    shown = yield from session.get_anew(request, first.words, 2)
    session.place = ("", 0)
    is_its_own = set(session.keys(shown)) == set(session.keys(pages.later[0]))
    said = f"{first.asked} page 2 was asked for after {other.asked}"
    change_ask(session, paging="query" if is_its_own else "session")
    came = "came" if is_its_own else "another page came"
    session.find("ask.paging", session.ask.paging, "sure", f"{said}, and {came}")


def _other(session: DiscoverySession, first: ParsedAnswer) -> ParsedAnswer | None:
    """Return an answer that has other hits."""
    known = set(session.keys(first))
    ranked = sorted(session.probes, key=lambda page: -len(session.keys(page)))
    return next((page for page in ranked if not known >= set(session.keys(page))), None)
