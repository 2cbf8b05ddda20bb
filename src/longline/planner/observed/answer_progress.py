"""The answer to one query, page by page."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from longline.model import Page, Total


@dataclass(eq=False, slots=True, kw_only=True)
class AnswerProgress:
    """How far the answer to a query has come.

    A page without hits, or one that repeats the pages before it, ends an answer: a source that says
    "next" for ever is not followed for ever.

    Attributes:
        pages: Pages that came.
        rows: Rows on them, without those of a page that repeats the ones before it.
        different: Different documents on them.
        last: Rows on the last of them.
        reported: Its total; None where the source gave none.
        at_least: The total is a lower bound.
        ended: No more pages are to be had.
        cut: The last page was empty, or repeated another.
        failed: The last page did not come.
        keys: Of the documents on its pages, once each, as long as more may come. Those of one page
            are no set: it would take five times the memory, in thousands of answers that wait for
            their second page.
    """

    pages: int = 0
    rows: int = 0
    different: int = 0
    last: int = 0
    reported: int | None = None
    at_least: bool = False
    ended: bool = False
    cut: bool = False
    failed: bool = False
    keys: tuple[str, ...] | set[str] = ()

    def receive(self, page: Page | None) -> None:
        """Take note of the next page: None where it did not come."""
        self.pages += 1
        if page is None:
            self.ended = self.failed = True
            return
        keys = dict.fromkeys(hit.key for hit in page.hits)
        earlier = set(self.keys) if isinstance(self.keys, tuple) else self.keys
        is_repeat = self.pages > 1 and bool(keys) and keys.keys() <= earlier
        self.cut = self.pages > 1 and (not keys or is_repeat)
        self.ended = page.next is None or not keys or is_repeat
        if not is_repeat:
            self.rows += len(page.hits)
            self.last = len(page.hits)
        earlier.update(keys)
        self.keys = tuple(keys) if self.pages == 1 else earlier
        self.different = len(self.keys)
        if page.total is not None:
            self.reported = page.total.documents
            self.at_least = page.total.relation == "at least"


def is_complete(rows: int, different: int, total: Total | None, limit: int | None) -> bool:
    """Say whether an answer that has ended holds every match.

    Args:
        rows: That came.
        different: Documents among them.
        total: That the source claims.
        limit: Rows that a query shows at most; None where nothing bounds them.

    >>> is_complete(100, 100, Total(100), 100), is_complete(100, 100, Total(101), 100)
    (True, False)
    >>> is_complete(99, 99, Total(120, "about"), 100), is_complete(100, 100, None, 100)
    (True, False)
    """
    if total is not None and total.relation == "exact":
        return different >= total.documents
    return limit is None or rows < limit


def log_ratio(reported: int, rows: int) -> float:
    """Return the logarithm of a total per row that came; of none at all as of half a one."""
    return log(max(reported, 0.5) / max(rows, 0.5))


def spread(ratios: Sequence[float]) -> tuple[float, float]:
    """Return the median of logarithms, and their deviation, which a few far off hardly move."""
    median = float(np.median(ratios))
    return median, max(0.02, 1.48 * float(np.median(np.abs(np.array(ratios) - median))))
