"""Whether a source lists documents in one order, or in another for each query.

Two documents that came on one page come again in the same order wherever one order serves all
queries (by date, by number), and in either where rows are ranked by what was asked. How an
answer that is cut treats seen documents follows from that, so it need not be learned from how
many new ones came: which is hard where nobody knows how many seen documents match.
"""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]

PRIOR_PAIRS = 4.0
"""Pairs, half of them in order, to begin with."""

RANKED = 0.85
"""So many pairs in order, and fewer, are what a ranking by the query leaves: .66 to .8 were met."""


class RankingDetector:
    """Compare the order of rows that were seen before with that in which they came first.

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
        """1 where one order serves all queries, 0 where rows are ranked by the query."""
        return max(self._kept / self._pairs - RANKED, 0.0) / (1 - RANKED)

    def see(self, documents: Ints, pages: Ints) -> None:
        """Take note of the rows of a page that were seen before, in their order.

        Args:
            documents: Their numbers, in the order in which documents came first.
            pages: The pages that brought them first.
        """
        together = np.triu(pages[:, None] == pages[None, :], 1)
        self._kept += int((together & (documents[:, None] < documents[None, :])).sum())
        self._pairs += int(together.sum())
