"""Find out whether a search returns the nearest documents for any words (vector, hybrid search).

A search for words returns nothing for a word that nobody writes, or the same popular documents for
each. A search by meaning returns as many documents as for any other query, and different ones. It
does the same for a word of a single document, and for a word both required and excluded.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TypeVar

from longline.discovery.answer import ParsedAnswer
from longline.discovery.session import Asking, DiscoverySession, change_ask, change_dialect
from longline.discovery.words import terms

Hits = TypeVar("Hits")

FEWEST = 5
"""Minimum number of hits in every answer: many words have two or three."""

WORDS = 3
"""How many real words are queried."""

ALIKE = 0.8
"""If two nonsense words have more than this share of hits in common, both show one list."""


def learn_by_meaning(
    session: DiscoverySession,
    words: Iterable[str],
    find: Callable[[Sequence[ParsedAnswer]], Hits | None],
    write: Callable[[DiscoverySession, Hits], None],
) -> Asking[bool]:
    """Learn hits where nonsense brings some, too; otherwise return False and learn nothing.

    Args:
        session: The session, with the answers to two nonsense words.
        words: The words to try.
        find: Finds the hits in some answers.
        write: Writes down how to find them.
    """
    nonsense = session.empty
    hits = find(nonsense) if len(nonsense) > 1 else None
    if hits is None:
        return False
    found = ("empty", "probes", "results", "records", "data_hits", "findings", "texts")
    with session.trying(*found) as keep:
        session.empty = []
        write(session, hits)
        if not _differ(session, nonsense):
            return False
        for word in islice((word for word in words if word not in session.asked), WORDS):
            shown = yield from session.search(word)
            session.probes += [] if shown is None else [shown]
        hits = find([*session.probes, *nonsense]) if session.probes else None
        if hits is not None:
            write(session, hits)
            if (yield from _shows_nearest(session, nonsense)):
                keep()
                return True
    return False


def _differ(session: DiscoverySession, nonsense: Sequence[ParsedAnswer]) -> bool:
    """Return whether two nonsense words bring equally many hits, but different ones."""
    first, second = (set(session.keys(page)) for page in nonsense[:2])
    is_long = len(first) == len(second) >= FEWEST
    return is_long and len(first & second) <= ALIKE * len(first)


def _shows_nearest(session: DiscoverySession, nonsense: Sequence[ParsedAnswer]) -> Asking[bool]:
    """Return whether all answers have the same number of hits, and none is drawn at random."""
    first = set(session.keys(nonsense[0]))
    size = len(first)
    if any(len(set(session.keys(page))) != size for page in session.probes):
        return False
    again = yield from session.get_anew(session.request(nonsense[0].words), nonsense[0].words)
    if set(session.keys(again)) != first:
        return False
    rare = _rare(session)
    if len(rare) < 2:
        return False
    tried = [rare[0], f"{rare[1]} -{rare[1]}"]
    for words in tried:
        shown = yield from session.search(words)
        if shown is None or len(set(session.keys(shown))) != size:
            return False
    change_ask(session, ranking="meaning")
    change_dialect(session, quote="")
    seen = f"each of {len(session.probes) + 4} searches shows {size} documents: two words that "
    seen += f"nobody writes, which show different ones, {tried[0]!r}, and {tried[1]!r}"
    session.find("ask.ranking", "meaning", "sure", seen)
    return True


def note_nearest(session: DiscoverySession) -> None:
    """Write down how many documents each query returns, where none has a second page."""
    shown = {len(session.keys(page)) for page in session.probes}
    if len(shown) == 1:
        change_ask(session, limit=min(shown))
        seen = f"any search shows {min(shown)}, and nothing leads on"
        session.find("ask.limit", min(shown), "sure", seen)
        session.find("results.next", "", "likely", seen)


def _rare(session: DiscoverySession) -> list[str]:
    """Return words that occur in one hit only, one for each hit, the longest first."""
    said = [list(dict.fromkeys(terms(text, shortest=5))) for text in session.texts.values()]
    counts = Counter(word for words in said for word in words)
    alone = [max((w for w in words if counts[w] == 1), key=len, default="") for words in said]
    return sorted(filter(None, alone), key=lambda word: (-len(word), word))


def doubt_meaning(session: DiscoverySession) -> None:
    """Withdraw the ranking by meaning if totals differ: with it, all totals are the same."""
    pages = [session.read(shown) for shown in session.asked.values()]
    totals = {page.total.documents for page in pages if page and page.total}
    if len(totals) > 1:
        change_ask(session, ranking="")
        seen = f"answers have as many hits, but totals from {min(totals):,} to {max(totals):,}"
        session.find("ask.ranking", "", "likely", seen)
