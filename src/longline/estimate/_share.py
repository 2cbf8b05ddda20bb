"""The share of a weight that is held, with its interval; used by `probes`."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, cos, exp, lgamma, log, log1p, pi, sin, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

NEWTON_STEPS = 25
SLOPE_SD = 1.0
"""Standard deviation of the slope's prior: change of log-odds of being held per e-fold of words."""

NO_WORD = 0.5
"""The number of words used for a document without any, where log 0 is undefined."""

SHARE_BIAS = 0.01
"""Possible bias of the share, besides that of the extrapolation."""


@dataclass(frozen=True, eq=False)
class Matched:
    """The probes' matches, one entry per match.

    Attributes:
        probe: (matches,) ints. Number of the probe that found it, 0 to probes - 1.
        weight: (matches,) > 0. The weight of the document in this match.
        held: (matches,) booleans. Whether the harvest holds it.
        words: (matches,) >= 1. The number of probe words that could have found it.
        heaviest: The possible weight of a probe for documents that all probes missed.
    """

    probe: npt.NDArray[np.int64]
    weight: Floats
    held: npt.NDArray[np.bool_]
    words: Floats
    heaviest: float = 0.0

    @property
    def probes(self) -> int:
        """The number of probes with matches."""
        return int(self.probe[-1]) + 1

    def with_pseudo(self, heaviest: float) -> Matched:
        """Add one probe that is held and one that is not, of mean weight.

        Args:
            heaviest: The weight of the unheld one if that is more than the mean.
        """
        mean = float(self.weight.sum() / self.probes)
        middle = float(np.exp(np.average(np.log(self.words), weights=self.weight)))
        return Matched(
            np.append(self.probe, [self.probes, self.probes + 1]),
            np.append(self.weight, [mean, max(mean, heaviest)]),
            np.append(self.held, [True, False]),
            np.append(self.words, [middle, middle]),
        )

    def share(self) -> float:
        """Return the weight held / the total weight."""
        return float(self.weight[self.held].sum() / self.weight.sum())


@dataclass(frozen=True)
class Share:
    """A share, with its interval."""

    value: float
    low: float
    high: float

    def times(self, part: float) -> Share:
        """Return the share multiplied by `part`."""
        return Share(self.value * part, self.low * part, self.high * part)

    def widened(self, below: float = 0.0) -> Share:
        """Return the share with an interval widened for bias, and by `below` at the low end."""
        low, high = self.low - SHARE_BIAS - below, self.high + SHARE_BIAS
        return Share(self.value, max(0.0, low), min(1.0, high))


def share_held(
    matched: Matched, reached: int, beyond: int, *, unasked: float, confidence: float
) -> Share:
    """Estimate the share of all documents that is held, with Wilson's interval.

    With R the weight held / the weight matched, and s the share held among documents that no
    probe can find (a logistic fit of "held" on the log of a document's probe words, evaluated at
    `NO_WORD`), the share is (reached + beyond) / (reached / R + beyond / s).

    The variance v2 of this statistic is linearised probe by probe, after one held and one unheld
    pseudo-probe are added: without them, data with all documents held would have no variance.
    The interval is Wilson's for a share of n* = R2 (1 - R2) / v2 trials, with R2 the share with the
    pseudo-probes, and with Student's t for the number of probes.

    Args:
        matched: At least one match; probe numbers ascending.
        reached: Held documents that some probe word could find.
        beyond: Held documents that no probe word could find.
        unasked: The share of the pool that was not sent, 0 to 1: sampling without replacement.
        confidence: The confidence level of the interval, e.g. 0.95.

    Returns:
        low <= value <= high, all within 0 to 1; the value is 0 if nothing is held.
    """
    likely = _Logistic.of(matched.with_pseudo(0.0)).share
    padded = matched.with_pseudo(matched.heaviest)
    fit = _Logistic.of(padded)
    value = _combined(matched.share(), likely, reached, beyond)
    centre = _combined(padded.share(), fit.share, reached, beyond)
    variance = _variance(padded, fit, reached, beyond) * unasked
    trials = centre * (1 - centre) / variance if variance > 0 else np.inf
    low, high = wilson(value, trials, t_quantile(confidence, matched.probes + 1))
    return Share(value, min(low, value), max(high, value))


def _combined(reachable: float, unreachable: float, reached: int, beyond: int) -> float:
    if not reachable or not reached:
        return reachable
    return (reached + beyond) / (reached / reachable + beyond / unreachable)


def _variance(padded: Matched, fit: _Logistic, reached: int, beyond: int) -> float:
    """Return the variance of the combined share: the sum of squares of each probe's influence."""
    ratio = padded.share()
    residual = padded.weight * (padded.held - ratio) / padded.weight.sum()
    pull = np.bincount(padded.probe, residual).astype(np.float64)
    if reached and beyond:
        value = _combined(ratio, fit.share, reached, beyond)
        scale = value**2 / (reached + beyond)
        pull = scale * (reached / ratio**2 * pull + beyond / fit.share**2 * fit.pull)
    probes = padded.probes
    return float((pull**2).sum() * probes / (probes - 1))


@dataclass(frozen=True, eq=False)
class _Logistic:
    """The share held of documents without a probe word, and each probe's influence on it."""

    share: float
    pull: Floats

    @classmethod
    def of(cls, matched: Matched) -> _Logistic:
        """Fit by Newton's method, each probe counting as one observation on average."""
        weight = matched.weight * (matched.probes / matched.weight.sum())
        design = np.column_stack([np.ones(len(weight)), np.log(matched.words)])
        prior = np.diag([1e-6, SLOPE_SD**-2])
        line = np.zeros(2)
        for _ in range(NEWTON_STEPS):
            held = _logistic(design @ line)
            curvature = (design * (weight * held * (1 - held))[:, None]).T @ design + prior
            score = design.T @ (weight * (matched.held - held)) - prior @ line
            step = np.linalg.solve(curvature, score)
            line += np.clip(step, -2, 2)
            if np.abs(step).max() < 1e-9:
                break
        place = np.array([1.0, log(NO_WORD)])
        share = float(_logistic(place @ line))
        each = (weight * (matched.held - _logistic(design @ line)))[:, None] * design
        scores = np.column_stack([np.bincount(matched.probe, each[:, j]) for j in (0, 1)])
        pull = share * (1 - share) * (scores @ np.linalg.solve(curvature, place))
        return cls(share, np.asarray(pull, dtype=np.float64))


def _logistic(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), dtype=np.float64)


def wilson(share: float, trials: float, quantile: float) -> tuple[float, float]:
    """Return Wilson's interval for a share seen in a number of trials.

    Args:
        share: 0 to 1.
        trials: > 0; for infinity, the interval is the share itself.
        quantile: Quantile of the standard normal (1.96 for 95 %), or of Student's t.

    Source: Wilson 1927; the example is Newcombe 1998, Table I, method 3, for 81 of 263.

    >>> [round(end, 4) for end in wilson(81 / 263, 263, 1.959964)]
    [0.2553, 0.3662]
    """
    if trials == np.inf:
        return share, share
    square = quantile**2 / trials
    centre = (share + square / 2) / (1 + square)
    half = quantile / (1 + square) * sqrt(share * (1 - share) / trials + square / (4 * trials))
    return max(0.0, centre - half), min(1.0, centre + half)


def t_quantile(confidence: float, freedom: int) -> float:
    """Return the t that bounds a central share `confidence` of Student's distribution.

    This is Newton's method from the normal quantile, which is below it; as the distribution is
    concave from 0 on, no step exceeds the solution.

    Args:
        confidence: Above 0, below 1.
        freedom: Degrees of freedom, 1 or more.

    >>> round(t_quantile(0.95, 10), 3)
    2.228
    """
    t = NormalDist().inv_cdf((1 + confidence) / 2)
    scale = lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - log(freedom * pi) / 2
    for _ in range(NEWTON_STEPS):
        density = exp(scale - (freedom + 1) / 2 * log1p(t * t / freedom))
        step = (confidence - t_within(t, freedom)) / (2 * density)
        t += step
        if abs(step) < 1e-12 * t:
            break
    return t


def t_within(t: float, freedom: int) -> float:
    """Return the share of Student's distribution between -t and t.

    Source: Abramowitz & Stegun 1964, 26.7.3 and 26.7.4.

    >>> round(t_within(2.228, 10), 4)
    0.95
    """
    angle = atan(t / sqrt(freedom))
    square = cos(angle) ** 2
    is_odd = freedom % 2
    term = cos(angle) if is_odd else 1.0
    total = term if freedom > 1 else 0.0
    for k in range(2 + is_odd, freedom - 1, 2):
        term *= square * (k - 1) / k
        total += term
    return 2 / pi * (angle + sin(angle) * total) if is_odd else sin(angle) * total
