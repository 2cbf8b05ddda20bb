"""Check whether a later page belongs to its own query, or to the last one of the session."""

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import PagingState
from longline.discovery.paging.html_next import note_no_next
from longline.discovery.reading import onwards
from longline.discovery.session import Asking, DiscoverySession, change_ask
from longline.discovery.words import function_words
from longline.model import Request

LONGER_TRIED = 2
"""How many words of most texts are searched if no other answer has a next page."""


def learn_session(pages: PagingState) -> Asking[None]:
    """Search another query, then request the first query's page 2, and check whose page comes.

    This is done only if the request for page 2 does not contain the query.
    """
    session, first = pages.session, pages.first
    if not pages.later or session.ask is None or session.ask.paging:
        return
    request = pages.clicks[0].request
    if session.names(request, first.words):
        return
    other = yield from _other(session, first)
    if other is None:
        return
    yield from session.get_anew(session.request(other.words), other.words)
    shown = yield from session.get_anew(request, first.words, 2)
    session.place = ("", 0)
    is_its_own = set(session.keys(shown)) == set(session.keys(pages.later[0]))
    if is_its_own and _onward(session, other) == request:
        # Without words and state, the link leads through something different.
        pages.later, pages.clicks, pages.position, pages.numbered = [], [], None, None
        note_no_next(pages, has_more=False)
        return
    said = f"{first.asked} page 2 was asked for after {other.asked}"
    change_ask(session, paging="query" if is_its_own else "session")
    came = "came" if is_its_own else "another page came"
    session.find("ask.paging", session.ask.paging, "sure", f"{said}, and {came}")


def _other(session: DiscoverySession, first: ParsedAnswer) -> Asking[ParsedAnswer | None]:
    """Return an answer with other hits, if possible one with a next page; None if there is none."""
    known = set(session.keys(first))
    ranked = sorted(session.probes, key=lambda page: -len(session.keys(page)))
    others = [page for page in ranked if not known >= set(session.keys(page))]
    longer = [page for page in others if _onward(session, page) is not None]
    for word in function_words(first.root.get("lang") or "")[:LONGER_TRIED]:
        shown = None if longer else (yield from session.search(word))
        is_other = shown is not None and not known >= set(session.keys(shown))
        longer += [shown] if shown is not None and is_other and _onward(session, shown) else []
    return next(iter([*longer, *others]), None)


def _onward(session: DiscoverySession, page: ParsedAnswer) -> Request | None:
    """Return the request of a page's most likely next link, or None if it has none."""
    clicks = onwards(page, allow_post=session.allow_post)
    return clicks[0].request if clicks else None
