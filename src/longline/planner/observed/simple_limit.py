"""Learn a source's return limit and page size from how its answers end."""

from __future__ import annotations

from collections import Counter
from math import inf

from longline.planner.capabilities import Abilities

UNKNOWN_PAGE_SIZE = 10
ENDS_ALIKE = 2
"""Answers that end after the same number of full pages, the most seen, to believe in a limit."""


class Limits:
    """The return limit k and the page size p: as told, else as seen; what is seen wins.

    >>> limits = Limits(Abilities())
    >>> for _ in range(2):
    ...     limits.page(50, more=True)
    ...     limits.end(100)
    >>> limits.limit, limits.page_size
    (100, 50)
    """

    def __init__(self, abilities: Abilities) -> None:
        self.limit: float = abilities.limit or inf
        self._told_page_size = abilities.page_size
        self._largest_page = 0
        self._ends: Counter[int] = Counter()
        self._longest = 0

    @property
    def page_size(self) -> int:
        """Rows of a full page."""
        return self._largest_page or self._told_page_size or UNKNOWN_PAGE_SIZE

    def page(self, rows: int, *, more: bool) -> None:
        """Note a page's rows; only a page that another follows is sure to be full."""
        if more or rows > self.page_size:
            self._largest_page = max(self._largest_page, rows)

    def end(self, rows: int) -> None:
        """Note that a query's answer ended after so many rows."""
        if rows > self.limit:
            self.limit = inf if rows > self._longest else rows
        self._longest = max(self._longest, rows)
        if not rows or rows % self.page_size:
            return
        self._ends[rows] += 1
        if rows == self._longest and self._ends[rows] >= ENDS_ALIKE:
            self.limit = min(self.limit, rows)
