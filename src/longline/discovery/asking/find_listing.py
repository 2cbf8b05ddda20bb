"""Find the list that a site shows for an empty or nonsense query: its words have hits."""

from collections.abc import Callable, Sequence
from typing import Any

from longline.discovery.answer import ParsedAnswer
from longline.discovery.session import FOR_NOTHING, Asking, DiscoverySession

LEAST_LISTED = 5
"""An answer with at least this many hits counts as a list."""


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
