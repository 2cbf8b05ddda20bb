"""Smoothed Good-Toulmin: how many unseen things a larger sample would show."""

from math import comb, log

import numpy as np
import numpy.typing as npt

from longline.errors import InputError

Floats = npt.NDArray[np.float64]


def good_toulmin(species: npt.ArrayLike, times: float) -> float:
    """Estimate how many unseen things a further sample of relative size `times` would show.

    Good and Toulmin's sum t f_1 - t^2 f_2 + t^3 f_3 - ... is unbiased. Up to t = 1 it is used as it
    is. For larger t, its last terms grow without bound: it is cut at a random place, and the mean
    over these places is taken, so each term is weighted by the probability that it is reached. The
    place is binomial, with 1/2 log_3 (n t^2 / (t - 1)) trials of probability 2 / (t + 2). This
    works for samples up to about log n times the size; no method works beyond that.

    Args:
        species: (counts,) >= 0. f_1, f_2, ...: how many things were seen once, twice, and so on;
            for incidence data, in how many sampling units.
        times: t > 0. Size of the further sample, relative to the first one.

    Returns:
        At least 0.

    Raises:
        InputError: `times` is not above 0, or a count is below 0.

    Source: Good & Toulmin 1956; Orlitsky, Suresh & Wu 2016, "Optimal prediction of the number of
    unseen species", PNAS 113. The example is Corbet's of Malayan butterflies (Fisher, Corbet &
    Williams 1943): the same time again shows 75 more species.

    >>> butterflies = [118, 74, 44, 24, 29, 22, 20, 19, 20, 15, 12, 14, 6, 12, 6]
    >>> good_toulmin(butterflies, 1.0), round(good_toulmin(butterflies, 3.0))
    (75.0, 122)
    """
    f = np.asarray(species, dtype=np.float64)
    if not times > 0 or f.ndim != 1 or (f < 0).any():
        raise InputError(
            f"a sample {times} times as large, of counts of shape {f.shape}",
            advice="give a number above 0, and a list of counts of 0 or more",
        )
    f = np.trim_zeros(f, "b")
    r = np.arange(1, len(f) + 1)
    if times > 1:
        reached = _reached(len(f), times, float(r @ f))
        r, f = r[: len(reached)], f[: len(reached)] * reached
    return max(0.0, float(-((-times) ** r) @ f))


def _reached(terms: int, times: float, seen: float) -> Floats:
    """Return the probability that each term is reached: that a binomial number is no smaller."""
    trials = max(1, round(0.5 * log(max(seen, 2.0) * times**2 / (times - 1)) / log(3)))
    chance = 2 / (times + 2)
    odds = [comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)]
    tail: Floats = np.cumsum(odds[::-1])[::-1]
    return tail[1 : terms + 1]
