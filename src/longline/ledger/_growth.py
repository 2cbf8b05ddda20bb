"""How a harvest has grown: some points of it, and what came lately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import numpy as np

from longline.estimate.extrapolate import Growth
from longline.ledger._queries import QueryLedger
from longline.model import Query

MOST_POINTS = 400
"""Of a growth that are kept; where there are more, every other one goes."""


class Grown:
    """Keeps how many documents were held after how many requests, from the first document on.

    >>> grown = Grown()
    >>> for requests in range(7, 12):
    ...     grown.see(requests, 3 * (requests - 8))
    >>> growth = grown.growth(12, 10)
    >>> growth.requests, growth.held
    (4.0, 10.0)
    """

    def __init__(self) -> None:
        self._begun = 0  # requests before the first document
        self._points: list[tuple[int, int]] = []
        self._step = 1
        self._due = 0

    def see(self, requests: int, documents: int) -> None:
        """Take note of how it stands; it is kept where enough requests came since the last."""
        if requests < self._due:
            return
        if documents <= 0:
            self._begun = requests
            return
        self._points.append((requests, documents))
        if len(self._points) == MOST_POINTS:
            self._points = self._points[::2]
            self._step *= 2
        self._due = requests + self._step

    def growth(self, requests: int, documents: int) -> Growth | None:
        """Return the growth up to now; None before the first document."""
        points = [each for each in self._points if each[0] < requests]
        if not documents or not points:
            return None
        x, y = np.array([*points, (requests, documents)]).T
        # What is withdrawn was no document: it counts for nothing from the beginning on.
        return Growth(x - self._begun, np.minimum.accumulate(y[::-1])[::-1])


def newest_pages(ledgers: dict[Query, QueryLedger], most: int) -> list[list[str]]:
    """Return the keys of the newest result pages, the newest first, each page's once.

    A query's keys are kept in order, and are dealt out evenly to its pages.
    """
    return list(islice(_pages(reversed(ledgers.values())), most))


def _pages(ledgers: Iterable[QueryLedger]) -> Iterator[list[str]]:
    for sums in ledgers:
        size = max(1, -(-len(sums.keys) // max(sums.pages, 1)))
        for first in reversed(range(0, max(len(sums.keys), 1), size)):
            yield sums.keys[first : first + size]


def species(pages: Iterable[Iterable[str]], times: Callable[[str], int]) -> list[int]:
    """Return f_1, f_2, ...: how many documents came on one of the pages, on two, and so on.

    Args:
        pages: Keys of each.
        times: On how many pages a document came at all; what came before these does not count.

    >>> species(["ab", "bc", "bd"], {"a": 1, "b": 3, "c": 4, "d": 1}.__getitem__)
    [2, 0, 1]
    """
    often = Counter(key for page in pages for key in page)
    counts = Counter(count for key, count in often.items() if times(key) <= count)
    return [counts[count] for count in range(1, max(counts, default=0) + 1)]
