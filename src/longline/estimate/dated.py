"""The size of a source from harvests of it at different times.

A harvest is a draw from an urn: of the documents that are there it shows the share p. From one
harvest to another some documents are replaced: of those that were there, s to the power of the
time between are there still. So of the documents that one harvest showed, another shows p s^t.
The logarithm of that is a line over t; where t is 0, the line tells p, and with it the size.
"""

from collections.abc import Collection, Sequence
from itertools import combinations
from math import exp, inf, sqrt
from typing import NamedTuple

import numpy as np

from longline.events import SizeEstimate

LEAST_HARVESTS = 3
"""Two lags are needed to tell what was missed from what was replaced."""

QUANTILE = 1.959964
"""Of the normal distribution, for 95 %."""


class Catch(NamedTuple):
    """What the searches of one harvest showed.

    Attributes:
        at: When, in any unit of time.
        keys: Of the documents.
    """

    at: float
    keys: Collection[str]


def dated(catches: Sequence[Catch]) -> SizeEstimate | None:
    """Estimate the size of a source when it was harvested last.

    All documents are as likely to be shown: where some never are, the size is too low.

    Args:
        catches: One a harvest, in the order of time.

    Returns:
        With its 95 % interval; None where there are fewer than `LEAST_HARVESTS`, or two of them
        have nothing in common.

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
    error *= sqrt(len(found) / 2)  # of the pairs only as many are independent as there are lags
    last = len(found[-1].keys)
    size = last / exp(min(0.0, intercept))
    low = last / exp(min(0.0, intercept + QUANTILE * error))
    high = last / exp(max(-50.0, intercept - QUANTILE * error))
    return SizeEstimate(
        documents=size, low=low, high=None if high == inf else high, method="updates"
    )


def _intercept(x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    """Return where the weighted line through points meets x = 0, and its standard error."""
    design = np.stack([np.ones_like(x), x], axis=1)
    inverse = np.linalg.inv(design.T @ (design * weight[:, None]))
    line = inverse @ (design.T @ (weight * y))
    freedom = len(x) - 2
    spread = float(weight @ (y - design @ line) ** 2) / freedom if freedom else 1.0
    return float(line[0]), float(np.sqrt(inverse[0, 0] * max(1.0, spread)))
