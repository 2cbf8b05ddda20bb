"""What a site lists where nothing is asked for, or nothing found: its words are known there."""

from collections.abc import Callable, Sequence
from typing import Any

from longline.discovery.answer import ParsedAnswer
from longline.discovery.session import FOR_NOTHING, Asking, DiscoverySession

LEAST_LISTED = 5
"""Hits of its own that an answer needs to be a list."""


def find_listing(
    session: DiscoverySession, listed: Callable[[ParsedAnswer], Sequence[Any]]
) -> Asking[ParsedAnswer | None]:
    """Return what lists documents for nonsense, for no words, or for `*`; None where nothing does.

    Args:
        session: What is known; a list is noted there.
        listed: Returns the hits of an answer, or what seem to be.
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
    """Say whether a page that lists documents for nothing is read as words' answers are."""
    return any(len(session.keys(page)) >= LEAST_LISTED for page in session.listings)
