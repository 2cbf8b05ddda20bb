"""The answer to one query, page by page."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from longline.model import Page, Total


@dataclass(eq=False, slots=True, kw_only=True)
class AnswerProgress:
    """The state of the answer to one query.

    A page without hits, or one that repeats the pages before it, ends an answer. So a source that
    always offers a next page cannot continue for ever.

    Attributes:
        pages: Pages received.
        rows: Rows on them, without those of a page that repeats earlier ones.
        different: Different documents on them.
        last: Rows on the last of them.
        reported: The total; None if the source gave none.
        at_least: The total is a lower bound.
        ended: There are no more pages.
        cut: The last page was empty, or repeated earlier ones.
        failed: A page could not be loaded.
        keys: Keys of the documents on its pages, while more may follow. For one page they are a
            tuple: a set would take five times the memory, in thousands of answers that wait for
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
        """Add the next page; None if it could not be loaded."""
        self.pages += 1
        if page is None or page.is_lost:
            self.ended, self.failed = page is None, True
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
    """Return whether an answer that has ended contains every match.

    Args:
        rows: Rows received.
        different: Different documents among them.
        total: The total that the source announces.
        limit: The return limit; None if there is none.

    >>> is_complete(100, 100, Total(100), 100), is_complete(100, 100, Total(101), 100)
    (True, False)
    >>> is_complete(99, 99, Total(120, "about"), 100), is_complete(100, 100, None, 100)
    (True, False)
    """
    if total is not None and total.relation == "exact":
        return different >= total.documents
    return limit is None or rows < limit


def log_ratio(reported: int, rows: int) -> float:
    """Return the log of the total per received row; values below 0.5 count as 0.5."""
    return log(max(reported, 0.5) / max(rows, 0.5))


def spread(ratios: Sequence[float]) -> tuple[float, float]:
    """Return the median of logarithms, and a robust estimate of their standard deviation."""
    median = float(np.median(ratios))
    return median, max(0.02, 1.48 * float(np.median(np.abs(np.array(ratios) - median))))
