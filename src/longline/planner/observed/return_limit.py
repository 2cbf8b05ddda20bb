"""Learn a source's limits from its pages: rows per page, rows per query."""

from collections import Counter
from collections.abc import Sequence
from math import inf, sqrt
from operator import mul

from longline.text.hashes import Hashes

LEAST_LIMIT = 5
"""With fewer rows than this, nothing is taken as a return limit: many queries match so few."""

SEEN = 2
"""This many queries that end at the same number of rows show a limit."""

BROKEN_OFF = 3
"""After this many one-page queries whose offered next page brought nothing, no query has two."""

RAGGED = 2
"""This many pages that are not full, though others follow, show that pages can have gaps."""

DEVIATIONS = 3.0
"""If pages have gaps, rows of full pages are taken to be this many deviations below their mean."""

STRAY = 2.0
"""Cut answers with more than this many times the rows of others were cut for another reason."""

STRAYS = 4
"""Missing documents in answers with under 1/4 of the first cut answer's rows show no limit."""


class ReturnLimit:
    """Learn the return limit k and the page size p, if they are unknown or wrong.

    A query is capped if it ends at as many rows as the longest others, while its total announces
    more; without totals, if two queries end there.

    Args:
        limit: k; None if it is not known, or there is none.
        page_size: p; None if it is not known.

    Attributes:
        losing: Rows get lost between pages, so only first pages are reliable.
        was_found: The limit was found in an answer that seemed to be complete.
        least: An answer with fewer rows than this shows no limit, even if more documents match.
        has_one_page: No query has a second page, although one is offered.
        changes: How often anything changed.

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
        self._inner: Counter[int] = Counter()  # rows of pages that others followed
        self._page_size = page_size
        self._widest = self._largest = 0  # most rows: of pages that others follow; of any page
        self._longest = 0
        self._ends: Counter[int] = Counter()
        self._answers = Hashes()
        self._broken_off = 0
        self.has_one_page = False
        self.losing = False
        self.changes = 0

    @property
    def limit(self) -> int | None:
        """Reliable rows per query; None while no limit is known."""
        if self.losing:
            return self.page_size
        if self._limit is None or not self._is_ragged or self._limit < self._widest:
            return self._limit
        return min(self._limit, self._full(max(1, self._limit // self._widest)))

    @property
    def most_rows(self) -> float:
        """The limit, or infinity while no limit is known."""
        return inf if self.limit is None else self.limit

    @property
    def _is_ragged(self) -> bool:
        """Whether pages inside answers differ in size, so that pages can have gaps."""
        return self._inner.total() - self._inner[self._widest] >= RAGGED

    def _full(self, pages: int) -> int:
        """Return the least rows of this many full pages, if pages have gaps."""
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
        """Whether several queries ended exactly at the limit, and none before it."""
        return not self.is_soft and self._limit is not None and self._ends[self._limit] >= SEEN

    @property
    def page_size(self) -> int:
        """Rows on a page that has another after it; a guess before the first such page."""
        size = self._widest or self._page_size or 10
        return size if self._limit is None else min(size, self._limit)

    @property
    def full_page(self) -> int:
        """The page size, or the most rows of any page: an answer's only page may be a full one."""
        return max(self.page_size, self._largest)

    def see_page(self, rows: int, *, more: bool) -> None:
        """Learn from a page's rows, and whether there are more pages after it."""
        self._largest = max(self._largest, rows)
        if more and rows > self._widest:
            self._widest = rows
            self.changes += 1

    def see_inner(self, rows: int) -> None:
        """Learn from the rows of a page that another page with rows followed."""
        was_ragged = self._is_ragged
        self._inner[rows] += 1
        self.changes += self._is_ragged and not was_ragged

    def see_rows(self, rows: int) -> None:
        """Learn from a query's rows so far; more rows than the limit prove the limit wrong."""
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
        """Learn from a query that has no more pages, although its total may be larger.

        Args:
            rows: Rows received.
            reported: Its total; None if there is none, or if it is not trusted.
            pages: Pages received.
            last: Keys on the last page: two queries with the same answer show no limit.
        """
        self.see_rows(rows)
        answer = rows, frozenset(last)
        if self._highest is not None or (last and answer in self._answers):
            return
        self._answers.number(answer)
        if self._is_ragged and rows >= self._full(pages):
            rows = max(rows, pages * self._widest)  # gaps count as rows
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
        """Learn of a query cut at this many rows, the shortest cut answer so far.

        If others were cut at more rows, answers contain rows that are not shown. Then even shorter
        answers may be cut: the limit is lowered by the same amount again.

        Args:
            rows: Rows received, fewer than of any query known to be cut.
            alike: Queries that ended at exactly this number of rows.
        """
        if not self.was_found:
            self.was_found, self.least = True, max(LEAST_LIMIT, rows // STRAYS)
        highest = self._highest or self._limit or rows
        if rows < highest < STRAY * rows and alike < BROKEN_OFF:
            gap = max(highest - rows, int(sqrt(highest) / 2))  # the largest gap expected by chance
            self._limit, self._highest = max(LEAST_LIMIT, rows - gap, rows // 2), highest
        else:
            self._limit, self._highest = rows, None
        self.changes += 1

    def see_nothing_more(self, rows: int, *, is_short: bool = False) -> None:
        """Learn from a query without a total whose next page was empty, or repeated an earlier one.

        Many sources offer a page after the end; few queries happen to end with a full page.

        Args:
            rows: Rows received.
            is_short: More documents are known to match.
        """
        self.see_rows(rows)
        if rows != self._limit and LEAST_LIMIT <= rows == self._widest == self._longest:
            self._broken_off += BROKEN_OFF if is_short else 1
            if self._broken_off >= BROKEN_OFF * (1 if self._limit is None else 2):
                self._limit, self.has_one_page = rows, True
                self.changes += 1

    def _ends_wanted(self, reported: int | None) -> int:
        """Return how many queries must end at one number of rows before it is a limit."""
        if self._limit is not None:
            return 4  # replacing a known limit needs more evidence
        return 1 if reported is not None and self._widest else SEEN

    def distrust_paging(self) -> None:
        """From now on, rely on first pages only."""
        self.losing = True
        self.changes += 1
