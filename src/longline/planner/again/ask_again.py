"""Ask a source again by the cheapest queries that showed all that was held of it.

A harvest by single terms sends many queries that bring little new: what a query brings is known
only when it has come. The next time that is known. Of the queries that were sent, those are chosen
that show every document at the least cost: a set cover whose matrix is the journal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from longline.covering import Matches, cover
from longline.model import Finish, Query, Search
from longline.planner.sequential import SequentialPlanner


class Shown:
    """What each query showed, told page by page; the newest answer counts.

    >>> shown = Shown()
    >>> shown.see(Query(("sea",)), 1, ["a", "b"])
    >>> shown.see(Query(("sea",)), 2, ["c"])
    >>> {str(query): pages for query, pages in shown.pages.items()}
    {'sea': [['a', 'b'], ['c']]}
    """

    def __init__(self) -> None:
        self.pages: dict[Query, list[list[str]]] = {}

    def see(self, query: Query, number: int, keys: Iterable[str]) -> None:
        """Take note of the rows of a result page."""
        pages = self.pages.setdefault(query, [])
        del pages[number - 1 :]
        pages.append(list(keys))

    def keys(self, query: Query) -> list[str]:
        """Return all that a query showed."""
        return [key for page in self.pages.get(query, ()) for key in page]


def worth_asking(shown: Shown, wanted: Collection[str], rng: np.random.Generator) -> list[Query]:
    """Choose queries that together showed every document, for the fewest result pages.

    Args:
        shown: What each query showed.
        wanted: Keys of the documents; those that no query showed are left out.
        rng: Breaks ties.

    Returns:
        Those that showed the most documents first.

    >>> shown = Shown()
    >>> for word, keys in ("sea", "abc"), ("deep", "ab"), ("web", "d"):
    ...     shown.see(Query((word,)), 1, keys)
    >>> [str(query) for query in worth_asking(shown, "abcd", np.random.default_rng(0))]
    ['sea', 'web']
    """
    number: dict[str, int] = {}
    found_by = {
        query: {number.setdefault(key, len(number)) for key in shown.keys(query) if key in wanted}
        for query in shown.pages
    }
    queries = [query for query, keys in found_by.items() if keys]
    if not queries:
        return []
    columns = [sorted(found_by[query]) for query in queries]
    starts = np.concatenate([[0], np.cumsum([len(column) for column in columns])])
    rows = np.concatenate(columns).astype(np.int32)
    cost = np.array([len(shown.pages[query]) for query in queries], dtype=float)
    found = cover(Matches(starts.astype(np.int64), rows, len(number)), cost=cost, rng=rng)
    return [queries[column] for column in sorted(found.queries, key=lambda j: -len(columns[j]))]


class AskAgain(SequentialPlanner):
    """Ask some queries, all pages of each.

    Args:
        queries: In this order.
    """

    def __init__(self, queries: Sequence[Query]) -> None:
        super().__init__()
        self._left = list(reversed(queries))

    def choose(self) -> Search | Finish:
        """Return the next query."""
        if self._left:
            return Search(self._left.pop())
        return Finish("every search that had shown documents before was asked again")
