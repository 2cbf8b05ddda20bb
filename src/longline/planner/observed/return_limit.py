"""What a source's pages show of its bounds: rows on a page, rows of a query."""

from collections import Counter
from collections.abc import Sequence
from math import inf, sqrt
from operator import mul

LEAST_LIMIT = 5
"""Fewer rows than these are no sign of a return limit: many queries match so few."""

SEEN = 2
"""So many queries that end at one number of rows show that it is a limit."""

BROKEN_OFF = 3
"""So many queries of one page, to which another was promised in vain, show that none has two."""

RAGGED = 2
"""So many pages that are not full, though others come after, show that places stay empty."""

DEVIATIONS = 3.0
"""Rows of full pages, where places stay empty, lie so many deviations below their mean at most."""

STRAY = 2.0
"""Cut answers of so many times the rows of others have another reason than these."""

STRAYS = 4
"""What answers of a fourth of the rows lack, beside the first that was cut, is cut by no limit."""


class ReturnLimit:
    """Learn the return limit k and the page size p where they are not known, or not true.

    A query that ends at as many rows as the longest others do, while its total claims more,
    is capped; without totals, two queries that end there are.

    Args:
        limit: k; None where it is not known, or there is none.
        page_size: p; None where it is not known.

    Attributes:
        losing: Rows get lost from page to page, so that only first pages can be relied on.
        was_found: The limit was found behind an answer that seemed to be whole.
        least: Fewer rows than these are no sign of a limit, even if more match.
        has_one_page: No query has a second page, although one is offered.
        changes: Counts how often anything changed.

    >>> bounds = ReturnLimit()
    >>> bounds.see_page(50, more=True)
    >>> bounds.see_end(100, reported=4711)
    >>> bounds.limit, bounds.page_size
    (100, 50)
    """

    def __init__(self, limit: int | None = None, page_size: int | None = None) -> None:
        self._limit = limit
        self._highest: int | None = None  # rows of the longest cut answer, where they differ
        self.was_found = False
        self.least = LEAST_LIMIT
        self._inner: Counter[int] = Counter()  # rows of pages that others came after
        self._page_size = page_size
        self._widest = self._largest = 0  # rows of pages: that others come after; of any
        self._longest = 0
        self._ends: Counter[int] = Counter()
        self._answers: set[int] = set()  # hashes, for memory
        self._broken_off = 0
        self.has_one_page = False
        self.losing = False
        self.changes = 0

    @property
    def limit(self) -> int | None:
        """Rows of a query that can be relied on; None while no end to them is known."""
        if self.losing:
            return self.page_size
        if self._limit is None or not self._is_ragged or self._limit < self._widest:
            return self._limit
        return min(self._limit, self._full(max(1, self._limit // self._widest)))

    @property
    def most_rows(self) -> float:
        """The limit, or infinity while no end to a query's rows is known."""
        return inf if self.limit is None else self.limit

    @property
    def _is_ragged(self) -> bool:
        """Whether pages within answers are not all of one size: places stay empty."""
        return self._inner.total() - self._inner[self._widest] >= RAGGED

    def _full(self, pages: int) -> int:
        """Return how many rows so many pages have at least, if no place after them counts."""
        rows, times = zip(*self._inner.items(), strict=True)
        total = sum(times)
        mean = sum(map(mul, rows, times)) / total
        variance = sum(map(mul, ((each - mean) ** 2 for each in rows), times)) / total
        least = pages * mean - DEVIATIONS * sqrt(pages * variance)
        return max(LEAST_LIMIT, int(least))

    @property
    def is_soft(self) -> bool:
        """Whether cut answers end at different rows; the limit is then the least of them."""
        return self._highest is not None or self._is_ragged

    @property
    def is_seen(self) -> bool:
        """Whether several queries ended at just the limit, and none is known to be cut before."""
        return not self.is_soft and self._limit is not None and self._ends[self._limit] >= SEEN

    @property
    def page_size(self) -> int:
        """Rows on a page that has another after it; a guess before the first such page."""
        size = self._widest or self._page_size or 10
        return size if self._limit is None else min(size, self._limit)

    @property
    def full_page(self) -> int:
        """The same, and no less than any page had: the only page of an answer may be a full one."""
        return max(self.page_size, self._largest)

    def see_page(self, rows: int, *, more: bool) -> None:
        """Take note of a page's rows, and of whether there are more pages after it."""
        self._largest = max(self._largest, rows)
        if more and rows > self._widest:
            self._widest = rows
            self.changes += 1

    def see_inner(self, rows: int) -> None:
        """Take note of the rows of a page that another page with rows came after."""
        was_ragged = self._is_ragged
        self._inner[rows] += 1
        self.changes += self._is_ragged and not was_ragged

    def see_rows(self, rows: int) -> None:
        """Take note of a query's rows so far: more than the limit means that it is another."""
        self._longest = max(self._longest, rows)
        if self._limit is None or rows <= (self._highest or self._limit):
            return
        if self.was_found and rows <= STRAY * self._limit:
            self._highest = rows
        else:
            self._limit = self._highest = None
            self.was_found, self.least = False, LEAST_LIMIT
            self._ends.clear()
            self._broken_off, self.has_one_page = 0, False
            self.changes += 1

    def see_end(
        self, rows: int, reported: int | None, pages: int = 1, last: Sequence[str] = ()
    ) -> None:
        """Take note of a query that has no more pages, although it may claim more documents.

        Args:
            rows: That came.
            reported: Its total; None where there is none, or it is not believed.
            pages: That came.
            last: Keys on the last page: two queries with one answer show no limit.
        """
        self.see_rows(rows)
        answer = hash((rows, frozenset(last)))
        if self._highest is not None or (last and answer in self._answers):
            return
        self._answers.add(answer)
        if self._is_ragged and rows >= self._full(pages):
            rows = max(rows, pages * self._widest)  # places that stay empty count as well
            self._longest = max(self._longest, rows)
        # A query that has a second page shows that the limit is more than a page.
        if rows == self._limit:
            self._ends[rows] += 1
            return
        if rows < max(LEAST_LIMIT, self._longest, self._widest + 1):
            return
        if reported is not None and reported <= rows:
            return
        self._ends[rows] += 1
        if self._ends[rows] >= self._ends_wanted(reported):
            self._limit = rows
            self.changes += 1

    def see_cut(self, rows: int, *, alike: int = 1) -> None:
        """Take note that a query ended at so many rows though more match, and no shorter one known.

        Where others were cut at more rows, some of what takes a place in answers is not shown.
        Then even fewer rows may be all that come: the limit falls by as much again.

        Args:
            rows: That came, fewer than of any query that is known to be cut.
            alike: Queries that ended at just so many rows.
        """
        if not self.was_found:
            self.was_found, self.least = True, max(LEAST_LIMIT, rows // STRAYS)
        highest = self._highest or self._limit or rows
        if rows < highest < STRAY * rows and alike < BROKEN_OFF:
            gap = max(highest - rows, int(sqrt(highest) / 2))  # what chance makes of it, at most
            self._limit, self._highest = max(LEAST_LIMIT, rows - gap, rows // 2), highest
        else:
            self._limit, self._highest = rows, None
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

    def _ends_wanted(self, reported: int | None) -> int:
        """Return how many queries have to end at one number of rows before it is a limit."""
        if self._limit is not None:
            return 4  # what was known so far does not fall so easily
        return 1 if reported is not None and self._widest else SEEN

    def distrust_paging(self) -> None:
        """From now on rely on first pages alone."""
        self.losing = True
        self.changes += 1
