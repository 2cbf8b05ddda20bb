"""Bound a share in a population from a small random sample."""

from math import log, log1p

import numpy as np

UNSURE = 0.05
"""The bound is too low in at most this share of cases."""


def most_share(found: int, drawn: int) -> float:
    """Return the upper bound (95 % sure) of the share of all that have a property.

    Source: Clopper and Pearson 1934, the exact bound on one side.

    Args:
        found: How many of the sample have the property.
        drawn: The size of the random sample, at least 1.

    >>> round(most_share(0, 17), 3), round(most_share(2, 36), 3), most_share(3, 3)
    (0.162, 0.165, 1.0)
    """
    if found == drawn:
        return 1.0
    few = np.arange(found + 1)
    ways = np.cumsum(np.log(np.append(1.0, (drawn + 1 - few[1:]) / few[1:])))
    low, high = found / drawn, 1.0
    while high - low > 1e-9:
        share = (low + high) / 2
        chance = np.exp(ways + few * log(share) + (drawn - few) * log1p(-share)).sum()
        low, high = (share, high) if chance > UNSURE else (low, share)
    return high
