"""Try the ways to find a search in turn: as described, by a form, by a list, in a browser."""

from collections.abc import Sequence
from typing import Literal

from longline.discovery.answer import ParsedAnswer
from longline.discovery.asking import (
    SEARCHES,
    DrawnError,
    begin_as_described,
    begin_by_form,
    begin_by_list,
    needs_script,
)
from longline.discovery.findings import Way
from longline.discovery.hopeless import BY_MORE, BY_POST, SENT_BY_POST, HopelessError, joined
from longline.discovery.in_browser import begin_drawn, begin_in_browser
from longline.discovery.reading import boxes, forms, openers, says_search
from longline.discovery.session import Asking, DiscoverySession, OutOfRequests
from longline.text.numbers import counted

Browser = Literal["never", "needed", "at once"]

LEFT_FOR_LIST = 15
"""Requests left for learning a list after the box on its page has failed."""


def begin(
    session: DiscoverySession, ways: Sequence[Way], browser: Browser, browser_requests: int
) -> Asking[None]:
    """Find the search without a browser if possible, otherwise with one.

    Args:
        session: The session.
        ways: Ways to query the source that it describes itself.
        browser: When pages may be shown in a browser.
        browser_requests: Maximum number of requests in total where pages are shown in a browser.

    Raises:
        HopelessError: There is no search that works, and no list.
        OutOfRequests: The requests did not suffice.
    """
    allowed = [way for way in ways if session.allow_post or not way.ask.body]
    if allowed and (yield from begin_as_described(session, allowed)):
        return
    refused = None
    if ways and not allowed:
        said = f"the search {ways[0].ask.url}, which the site describes, is sent {SENT_BY_POST}"
        refused = HopelessError(said, BY_POST)
    if browser != "at once":
        try:
            session.plain = yield from _begin_plainly(session, browser_requests)
        except HopelessError as error:
            raise refused or error from None
        if session.plain is None:
            return
    if refused is not None:
        raise refused
    session.max_requests = max(session.max_requests, browser_requests)
    try:
        yield from begin_in_browser(session)
    except HopelessError as error:
        raise joined(session.plain, error) from None


def _begin_plainly(session: DiscoverySession, most: int) -> Asking[HopelessError | None]:
    """Find a search or a list; return why there is none, or None if there is one.

    A browser is used before lists where a script fetches what the search finds.

    Raises:
        HopelessError: There is none, and a browser would not show one.
        OutOfRequests: The requests did not suffice, and no browser may be used.
    """
    failed = None
    try:
        tried, by_script = yield from _by_form(session)
        if tried is None:
            return None
        if by_script is not None:
            failed = yield from _kept(session, by_script, most)
            if failed is None:
                return None
        yield from begin_by_list(session, tried)
        if by_script is None and _has_box(session):
            yield from _kept(session, _begin_by_box(session, _most_hits(session)), most)
    except HopelessError as error:
        if failed is not None:
            raise joined(error, failed) from None
        if error.is_of_data or not session.may_browse:
            raise
        return error
    except OutOfRequests:
        if not session.may_browse:
            raise
        return _spent(session)
    return None


def _by_form(
    session: DiscoverySession,
) -> Asking[tuple[list[str] | None, Asking[None] | None]]:
    """Try forms; return what brought no hits, or None, and what to do next in a browser, if any."""
    try:
        tried = yield from begin_by_form(session)
    except DrawnError as drawn:
        return [str(drawn)], _begin_drawn(session, drawn)
    return tried, begin_in_browser(session) if _links_to_script(session) else None


def _begin_drawn(session: DiscoverySession, drawn: DrawnError) -> Asking[None]:
    if (yield from begin_drawn(session, drawn)):
        yield from begin_in_browser(session)


def _links_to_script(session: DiscoverySession) -> bool:
    """Return whether the first page links to a search page that works only by a script."""
    pages = session.visited
    linked = [page for page in pages[1:] if says_search(page.response.url) and not forms(page)]
    return session.may_browse and not _is_posted(pages) and any(map(needs_script, linked))


def _has_box(session: DiscoverySession) -> bool:
    """Return whether the page of an incomplete list has a box, or opens one, by a script."""
    ask, pages = session.ask, session.visited
    if ask is None or ask.lists != "part" or not pages or not session.may_browse:
        return False
    is_shown = any(box.score >= SEARCHES for box in boxes(pages[0]))
    return not _is_posted(pages) and (is_shown or bool(openers(pages[0])))


def _is_posted(pages: Sequence[ParsedAnswer]) -> bool:
    """Return whether the first page has a search form that is sent by POST."""
    return any(g.method == "POST" and g.score >= 0 for page in pages[:1] for g in forms(page))


def _begin_by_box(session: DiscoverySession, listed: int) -> Asking[None]:
    """Find the search box, where a page of a list has `listed` hits.

    Raises:
        HopelessError: It brings no hits; or every word must be typed and brings fewer hits than
            the list, as a box that only suggests some titles does.
    """
    yield from begin_in_browser(session)
    is_typed = session.ask is not None and session.ask.form is not None
    if is_typed and _most_hits(session) < listed:
        raise HopelessError("words that are typed bring fewer documents than the list")


def _most_hits(session: DiscoverySession) -> int:
    """Return the number of hits on the longest known page."""
    return max((len(session.keys(page)) for page in session.probes), default=0)


def _kept(
    session: DiscoverySession, attempt: Asking[None], most: int
) -> Asking[HopelessError | None]:
    """Try something; return why it failed, with the session as it was before, or None.

    Args:
        session: The session.
        attempt: What to try.
        most: Maximum number of requests in total meanwhile.
    """
    before = session.max_requests
    with session.trying() as keep:
        session.findings, session.max_requests = {}, max(before, most)
        try:
            yield from attempt
            keep()
            return None
        except HopelessError as error:
            failed = error
        except OutOfRequests:
            failed = _spent(session)
    session.max_requests = max(before, session.requests + LEFT_FOR_LIST)
    return failed


def _spent(session: DiscoverySession) -> HopelessError:
    return HopelessError(f"{counted(session.requests, 'request')} found no hits", BY_MORE)
