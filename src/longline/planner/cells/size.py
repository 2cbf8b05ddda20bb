"""How many documents a cell has: an estimate, with its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, log, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

NODES = 5
_NORMAL = NormalDist()
_DEVIATES = np.array([_NORMAL.inv_cdf((node + 0.5) / NODES) for node in range(NODES)])

LEAST = 0.25
"""The number of documents assumed for a cell that seems empty, but may not be."""


@dataclass(frozen=True)
class Size:
    """A lognormal size, with median `documents` and `spread`, the standard deviation of its log.

    Attributes:
        documents: The median, >= 0.
        spread: The deviation; 0 if the size is known exactly.

    >>> Size(300).minus(Size(80))
    Size(documents=220, spread=0.0)
    """

    documents: float
    spread: float = 0.0

    @property
    def is_exact(self) -> bool:
        """Whether the size is known exactly."""
        return self.spread == 0

    def nodes(self) -> npt.NDArray[np.float64]:
        """Return equally likely values; only the size itself if it is exact."""
        if self.is_exact:
            return np.array([float(self.documents)])
        return np.asarray(max(self.documents, LEAST) * np.exp(self.spread * _DEVIATES))

    def part(self, share: float, deviation: float) -> Size:
        """Return the expected size of a part, from its share and the share's deviation."""
        share = min(max(share, 1e-6), 1.0)
        relative = min(deviation / share, 2.0)
        return Size(
            max(self.documents * share, LEAST), max(1e-3, sqrt(self.spread**2 + relative**2))
        )

    def minus(self, part: Size) -> Size:
        """Return the exact difference of two exact sizes."""
        return Size(max(0, self.documents - part.documents))

    def less(self, part: Size) -> Size:
        """Return the size less a part; the smaller the difference, the less certain it is."""
        left = max(self.documents - part.documents, LEAST)
        error = sqrt((self.spread * self.documents) ** 2 + (part.spread * part.documents) ** 2)
        return Size(left, max(0.05, error / left))

    def told(self, documents: float, noise: float) -> Size:
        """Return the size, updated by a total that is lognormal with deviation `noise`."""
        if self.is_exact:
            return self
        weight = self.spread**2 / (self.spread**2 + noise**2)
        here = log(max(self.documents, LEAST))
        there = log(max(documents, LEAST))
        return Size(exp(here + weight * (there - here)), self.spread * sqrt(1 - weight))

    def above(self, limit: float) -> Size:
        """Return the size, updated by the knowledge that it is more than `limit`."""
        if self.documents > limit and self.is_exact:
            return self
        spread = max(self.spread, 0.3)
        z = min((log(max(limit, LEAST)) - log(max(self.documents, LEAST))) / spread, 6.0)
        hazard = _NORMAL.pdf(z) / max(1e-12, 1 - _NORMAL.cdf(z))
        left = max(0.05, 1 + z * hazard - hazard**2)
        median = max(self.documents, LEAST) * exp(spread * hazard)
        return Size(max(median, limit + 1), spread * sqrt(left))

    def updated_by(self, expected: Size, found: Size) -> Size:
        """Return the size, updated by a part that was `expected` and is `found` so large."""
        if self.is_exact or expected.is_exact:
            return self
        gain = min(1.0, self.spread**2 / expected.spread**2)
        surprise = log(max(found.documents, LEAST)) - log(max(expected.documents, LEAST))
        learnt = gain**2 * (expected.spread**2 - min(found.spread, expected.spread) ** 2)
        return replace(
            self,
            documents=max(self.documents, LEAST) * exp(gain * surprise),
            spread=max(0.05, sqrt(max(0.0, self.spread**2 - learnt))),
        )


UNKNOWN = Size(10_000, 2.0)
"""The size of a source, or of a word's matches, before anything is known."""
