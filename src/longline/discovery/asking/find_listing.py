"""Query nonsense, nothing or `*`: it shows what no hits look like, or a list of documents."""

from collections.abc import Callable, Sequence
from typing import Any

from longline.discovery.answer import ParsedAnswer
from longline.discovery.session import FOR_NOTHING, Asking, DiscoverySession, change_results
from longline.discovery.words import nonsense
from longline.source import EMPTY_STATUSES

LEAST_LISTED = 5
"""An answer with at least this many hits counts as a list."""


def search_nonsense(session: DiscoverySession) -> Asking[None]:
    """Search two words that no document contains, and record a status that means no hits."""
    statuses: list[int | None] = []
    session.empty, session.empty_status = [], None
    for _ in range(2):
        shown = yield from session.search(nonsense(session.rng))
        session.empty += [shown] if shown is not None else []
        statuses += [session.status] if shown is None else []
    if len(statuses) == 2 and statuses[0] == statuses[1] and statuses[0] in EMPTY_STATUSES:
        session.empty_status = statuses[0]


def note_empty_status(session: DiscoverySession) -> None:
    """Record the status that means no hits, once hits are known."""
    status = session.empty_status
    if status is not None:
        change_results(session, empty=f"status:{status}")
        said = f"two made-up words were answered by status {status}, others by hits"
        session.find("results.empty", f"status:{status}", "sure", said)


def find_listing(
    session: DiscoverySession, listed: Callable[[ParsedAnswer], Sequence[Any]]
) -> Asking[ParsedAnswer | None]:
    """Return an answer that lists documents for nonsense, no words or `*`; None if none does.

    Args:
        session: The session; the list is added to its `listings`.
        listed: Returns the hits of an answer, or what seem to be hits.
    """
    shown = session.empty[0] if session.empty else None
    for query in (None, *FOR_NOTHING):
        if query is not None:
            shown = yield from session.ask_for(query, " ".join(query.required))
        if shown is not None and len(listed(shown)) >= LEAST_LISTED:
            session.listings.append(shown)
            return shown
    return None


def reads_listing(session: DiscoverySession) -> bool:
    """Return whether a list for an empty or nonsense query is read with the same selectors."""
    return any(len(session.keys(page)) >= LEAST_LISTED for page in session.listings)
