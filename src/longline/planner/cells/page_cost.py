"""The expected cost of a cell of n documents: the table V for planning a partition.

A cell of n <= k documents is fetched completely, with ceil(n / p) pages. A larger one is split by a
term: one side is queried, and its total gives its size x; the other side has n - x, known without a
query. The queried side's first page is its first page of results if x <= k, and a page for a
sample if x > k. So

    V[l, n <= k] = ceil(n / p)
    V[l, n >  k] = min over g of E_x[A[x] + V[l - 1, n - x]]
    A[x] = max(1, ceil(x / p)) where x <= k, else 1 + V[l - 1, x]

where l is how many more terms a query may have, g the expected share of the queried side, and
x / n is normal around g with the standard deviation of a share seen in m documents. At l = 0 a
cell cannot be split: the documents that the return limit hides are lost, at a price.

Since V[l] depends only on V[l - 1], a complete row is computed at once.
"""

from collections.abc import Sequence
from functools import cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LOST_PAGES = 5.0
"""The price of losing p documents, in pages: losing one costs as much as 5 / p pages."""

TYPICAL_SAMPLE = 96
"""Documents that shares are estimated from, in the average cell of a harvest."""

NODES = 9
"""The number of equally likely values of a share over which an expectation is taken."""

GROWTH = 1.06
"""Sizes above 4 k are tabulated in steps of this factor."""

LARGEST = 1e7

_DEVIATES: Floats = np.array([NormalDist().inv_cdf((i + 0.5) / NODES) for i in range(NODES)])


class PageCosts:
    """Expected pages for cells, by size and by the number of terms their queries can add.

    Args:
        limit: The return limit k, >= 1.
        page_size: Rows on a page, p: 1 to k.
        length: The most terms that a query can still add.
        sampled: Documents m of a cell that shares are estimated from; more give less variance.
        most: The largest share of a cell that a term can have, by the number of terms in its query
            (0, 1, ...); the last also applies to more terms. If empty, every share is possible.

    >>> prices = PageCosts(limit=100, page_size=50, length=8, sampled=100)
    >>> prices.of([0, 1, 50, 51, 100], length=8).tolist()
    [0.0, 1.0, 1.0, 2.0, 2.0]
    >>> bool(prices.of(150, length=8) > 3)
    True
    >>> poor = PageCosts(limit=100, page_size=50, length=8, sampled=100, most=(0.1, 0.05))
    >>> bool(poor.of(1000, length=8) > 2 * prices.of(1000, length=8))
    True
    """

    def __init__(
        self,
        limit: int,
        page_size: int,
        length: int,
        sampled: float,
        most: Sequence[float] = (),
    ) -> None:
        self.limit = limit
        self.page_size = page_size
        self.length = length
        self.sampled = sampled
        self.most = most
        self.sizes = _sizes(limit)
        fetched = np.ceil(self.sizes / page_size)
        whole = self.sizes <= limit
        hidden = np.maximum(0, self.sizes - limit)
        last = np.where(whole, fetched, np.ceil(limit / page_size))
        self.table: Floats = np.empty((length + 1, len(self.sizes)))
        lost = last + hidden * LOST_PAGES / page_size
        self.table[0] = np.maximum.accumulate(np.maximum(lost, fetched))
        for left in range(1, length + 1):
            split = self._cheapest_split(left)
            row = np.where(whole, fetched, np.maximum(np.minimum(split, self.table[0]), fetched))
            self.table[left] = np.maximum.accumulate(row)

    def of(self, documents: npt.ArrayLike, length: int) -> Floats:
        """Return V: the expected pages for cells not queried yet, >= ceil(n / p).

        Args:
            documents: Any shape; sizes n >= 0 of cells.
            length: The number of terms that their queries can still add.
        """
        sizes = np.asarray(documents, dtype=np.float64)
        priced = np.interp(sizes, self.sizes, self.table[min(max(length, 0), self.length)])
        whole = np.ceil(np.maximum(0, sizes / self.page_size - 1e-9))
        return np.asarray(np.where(sizes <= self.limit, whole, np.maximum(priced, whole)))

    def of_split(
        self, documents: npt.ArrayLike, share: npt.ArrayLike, deviation: npt.ArrayLike, length: int
    ) -> Floats:
        """Return the expected pages for splitting cells, with the queried side's first page.

        Args:
            documents: Sizes n of the cells; broadcast with `share`.
            share: Expected shares g, 0 to 1, of the queried side.
            deviation: Standard deviations of those shares; broadcast with `share`.
            length: The number of terms that the cells' own queries can still add, >= 1.
        """
        n = np.asarray(documents, dtype=np.float64)[..., None]
        g = np.asarray(share, dtype=np.float64)[..., None]
        shares = np.clip(g + np.asarray(deviation)[..., None] * _DEVIATES, 0, 1)
        asked = np.rint(n * shares)
        return np.asarray(self._split_at(n, asked, length).mean(axis=-1))

    def _split_at(self, n: Floats, asked: Floats, length: int) -> Floats:
        there = self.of(asked, length - 1)
        there = np.where(asked <= self.limit, np.maximum(1, there), 1 + there)
        return np.asarray(there + self.of(n - asked, length - 1))

    def _cheapest_split(self, length: int) -> Floats:
        n = self.sizes[:, None]
        shares = np.concatenate(
            [
                np.minimum(_PEELS * self.limit / np.maximum(n, 1), 1),
                np.broadcast_to(_SHARES, (len(n), len(_SHARES))),
            ],
            axis=1,
        )
        if self.most:
            place = min(self.length - length, len(self.most) - 1)
            shares = np.minimum(shares, self.most[place])
        deviation = share_deviation(shares, self.sampled, np.maximum(n, 1))
        return np.asarray(self.of_split(n, shares, deviation, length).min(axis=1))


_PEELS = np.linspace(0.3, 1.1, 17)[None, :]
_SHARES = np.array([0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.75])


def share_deviation(
    share: npt.ArrayLike, sampled: npt.ArrayLike, documents: npt.ArrayLike
) -> Floats:
    """Return the standard deviation of a cell's share, as seen in `sampled` other documents.

    It has two parts: the uncertainty of the sample, and that the cell's own documents are a finite
    number of draws.

    >>> round(float(share_deviation(0.5, sampled=99, documents=1e9)), 3)
    0.05
    """
    g = np.asarray(share, dtype=np.float64)
    unsure = 1 / (np.asarray(sampled, dtype=np.float64) + 1) + 1 / np.asarray(documents, np.float64)
    return np.asarray(np.sqrt(g * (1 - g) * unsure))


@cache
def _sizes(limit: int) -> Floats:
    """Return the sizes to tabulate: finely up to 4 k, then by a constant factor."""
    step = max(1, limit // 100)
    fine = np.arange(0, 4 * limit + step, step, dtype=np.float64)
    steps = int(np.log(max(2.0, LARGEST / fine[-1])) / np.log(GROWTH)) + 1
    coarse = np.ceil(fine[-1] * GROWTH ** np.arange(1, steps + 1))
    return np.unique(np.concatenate([fine, [limit + 1], coarse]))
