"""Detect whether a source sorts documents in one order, or by relevance to each query.

If one order serves all queries (by date, by number), two documents from one page come again in the
same order; if rows are ranked by the query, in either order. This shows how a cut answer treats
seen documents, so it need not be learned from the number of new ones, which is hard if nobody knows
how many seen documents match.
"""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]

PRIOR_PAIRS = 4.0
"""Initial pairs, half of them in order."""

RANKED = 0.85
"""Up to this share of pairs in order, rows are ranked by the query: .66 to .8 were observed."""


class RankingDetector:
    """Compare the order of rows that were seen before with their order at first sight.

    >>> order = RankingDetector()
    >>> for _ in range(20):
    ...     order.see(np.array([3, 4, 9], dtype=np.int32), np.array([0, 0, 1], dtype=np.int32))
    >>> round(order.steadiness, 1)
    0.4
    """

    def __init__(self) -> None:
        self._kept = PRIOR_PAIRS / 2
        self._pairs = PRIOR_PAIRS

    @property
    def steadiness(self) -> float:
        """1 if one order serves all queries, 0 if rows are ranked by the query."""
        return max(self._kept / self._pairs - RANKED, 0.0) / (1 - RANKED)

    def see(self, documents: Ints, pages: Ints) -> None:
        """Learn from the rows of a page that were seen before, in page order.

        Args:
            documents: Their numbers, in the order in which documents were first seen.
            pages: The pages that brought them first.
        """
        together = np.triu(pages[:, None] == pages[None, :], 1)
        self._kept += int((together & (documents[:, None] < documents[None, :])).sum())
        self._pairs += int(together.sum())
