"""What a source's pages show of its bounds: rows on a page, rows of a query."""

from __future__ import annotations

from collections import Counter

LEAST_LIMIT = 5
"""Fewer rows than these are no sign of a return limit: many queries match so few."""

BROKEN_OFF = 3
"""So many queries of one page, to which another was promised in vain, show that none has two."""


class Bounds:
    """Learn the return limit k and the page size p where they are not known, or not true.

    A query that ends at as many rows as the longest others do, while its total claims more,
    is capped; without totals, two queries that end there are.

    Args:
        limit: k; None where it is not known, or there is none.
        page_size: p; None where it is not known.

    Attributes:
        losing: Rows get lost from page to page, so that only first pages can be relied on.
        has_one_page: No query has a second page, although one is offered.
        changes: Counts how often anything changed.

    >>> bounds = Bounds()
    >>> bounds.see_page(50, more=True)
    >>> bounds.see_end(100, claimed=4711)
    >>> bounds.limit, bounds.page_size
    (100, 50)
    """

    def __init__(self, limit: int | None = None, page_size: int | None = None) -> None:
        self._limit = limit
        self._page_size = page_size
        self._widest = 0
        self._longest = 0
        self._ends: Counter[int] = Counter()
        self._broken_off = 0
        self.has_one_page = False
        self.losing = False
        self.changes = 0

    @property
    def limit(self) -> int | None:
        """Rows of a query that can be relied on; None while no end to them is known."""
        return self.page_size if self.losing else self._limit

    @property
    def page_size(self) -> int:
        """Rows on a page that has another after it; a guess before the first such page."""
        size = self._widest or self._page_size or 10
        return size if self._limit is None else min(size, self._limit)

    def see_page(self, rows: int, *, more: bool) -> None:
        """Take note of a page's rows, and of whether there are more pages after it."""
        if more and rows > self._widest:
            self._widest = rows
            self.changes += 1

    def see_rows(self, rows: int) -> None:
        """Take note of a query's rows so far: more than the limit means that it is another."""
        self._longest = max(self._longest, rows)
        if self._limit is not None and rows > self._limit:
            self._limit = None
            self._ends.clear()
            self._broken_off, self.has_one_page = 0, False
            self.changes += 1

    def see_end(self, rows: int, claimed: int | None) -> None:
        """Take note of a query that has no more pages, although it may claim more documents."""
        self.see_rows(rows)
        # A query that has a second page shows that the limit is more than a page.
        if rows < max(LEAST_LIMIT, self._longest, self._widest + 1) or rows == self._limit:
            return
        if claimed is not None and claimed <= rows:
            return
        self._ends[rows] += 1
        if self._ends[rows] >= self._ends_wanted(claimed):
            self._limit = rows
            self.changes += 1

    def see_cut(self, rows: int) -> None:
        """Take note that a query, the longest so far, ended at so many rows though more match."""
        self._limit = rows
        self.changes += 1

    def see_nothing_more(self, rows: int, *, is_short: bool = False) -> None:
        """Take note of a query without a total whose next page was empty, or came before.

        Many sources offer one past the end; few queries end with just a full page by chance.

        Args:
            rows: That came.
            is_short: More documents are known to match.
        """
        self.see_rows(rows)
        if rows != self._limit and LEAST_LIMIT <= rows == self._widest == self._longest:
            self._broken_off += BROKEN_OFF if is_short else 1
            if self._broken_off >= BROKEN_OFF * (1 if self._limit is None else 2):
                self._limit, self.has_one_page = rows, True
                self.changes += 1

    def _ends_wanted(self, claimed: int | None) -> int:
        """Return how many queries have to end at one number of rows before it is a limit."""
        if self._limit is not None:
            return 4  # what was known so far does not fall so easily
        return 1 if claimed is not None and self._widest else 2

    def distrust_paging(self) -> None:
        """From now on rely on first pages alone."""
        self.losing = True
        self.changes += 1
