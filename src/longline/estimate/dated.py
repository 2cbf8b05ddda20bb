"""Estimate the size of a source from harvests at different times.

A harvest shows a share p of the documents that exist (an urn model). Between two harvests some
documents are replaced: a share s ^ t of them still exists after a time t. So of the documents in
one harvest, another shows p s^t. The log of that is a line over t; its value at t = 0 gives p, and
with it the size.
"""

from collections.abc import Collection, Sequence
from itertools import combinations
from math import exp, inf, sqrt
from typing import NamedTuple

import numpy as np

from longline.events import SizeEstimate

LEAST_HARVESTS = 3
"""With three harvests there are two lags, the least to separate missed and replaced documents."""

QUANTILE = 1.959964
"""Quantile of the normal distribution, for 95 %."""


class Catch(NamedTuple):
    """The documents found by one harvest.

    Attributes:
        at: The time, in any unit.
        keys: The keys of the documents.
    """

    at: float
    keys: Collection[str]


def dated(catches: Sequence[Catch]) -> SizeEstimate | None:
    """Estimate the size of a source at the time of its last harvest.

    All documents are assumed equally likely to be shown; if some never are, the size is too low.

    Args:
        catches: One per harvest, in order of time.

    Returns:
        The size with its 95 % interval; None if there are fewer than `LEAST_HARVESTS`, or two of
        them have no document in common.

    Source: M. Paris, G. Paris & F. Baumann 2026, arXiv:2603.15416: coverage from the overlaps of
    dated crawls, by an urn model and a linear regression.

    >>> found = dated([Catch(0, "abcdefgh"), Catch(1, "abcdefgi"), Catch(2, "abcdefgj")])
    >>> round(found.documents, 2), found.method
    (9.14, 'updates')
    """
    found = [each for each in catches if each.keys]
    if len(found) < LEAST_HARVESTS:
        return None
    lags, shares, weights = [], [], []
    for one, other in combinations(found, 2):
        showed = set(one.keys)
        both = len(showed & set(other.keys))
        if not both:
            return None
        share = (both - 0.5) / len(showed) if both == len(showed) else both / len(showed)
        lags.append(other.at - one.at)
        shares.append(np.log(share))
        weights.append(len(showed) * share / (1 - share))  # 1 / variance of the logarithm
    if len({round(lag, 6) for lag in lags}) < 2:
        lags = [float(j - i) for i, j in combinations(range(len(found)), 2)]
    intercept, error = _intercept(np.array(lags), np.array(shares), np.array(weights))
    error *= sqrt(len(found) / 2)  # the pairs are not independent
    last = len(found[-1].keys)
    size = last / exp(min(0.0, intercept))
    low = last / exp(min(0.0, intercept + QUANTILE * error))
    high = last / exp(max(-50.0, intercept - QUANTILE * error))
    return SizeEstimate(
        documents=size, low=low, high=None if high == inf else high, method="updates"
    )


def _intercept(x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    """Return the intercept of the weighted line through the points, and its standard error."""
    design = np.stack([np.ones_like(x), x], axis=1)
    inverse = np.linalg.inv(design.T @ (design * weight[:, None]))
    line = inverse @ (design.T @ (weight * y))
    freedom = len(x) - 2
    spread = float(weight @ (y - design @ line) ** 2) / freedom if freedom else 1.0
    return float(line[0]), float(np.sqrt(inverse[0, 0] * max(1.0, spread)))
