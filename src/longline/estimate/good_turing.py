"""Simple Good-Turing: adjust the counts of a sample for what it has not seen."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from longline.errors import InputError

Floats = npt.NDArray[np.float64]

CONFIDENCE = 1.65
"""The least difference, in standard deviations, between Turing's and the smooth estimate."""


@dataclass(frozen=True, eq=False)
class GoodTuring:
    """Adjusted counts.

    Attributes:
        unseen: Probability that the next occurrence is of something not in the sample.
        adjusted: (counts,). r*, the adjusted counts; the seen part sums to 1 - unseen.
        slope: Slope of log Z on log r; above -1 the method does not apply.
    """

    unseen: float
    adjusted: Floats
    slope: float


def good_turing(counts: npt.ArrayLike, species: npt.ArrayLike) -> GoodTuring:
    """Adjust counts for what the sample has not seen.

    Z_r = 2 N_r / (t - q), with q and t the counts next to r, averages N_r over the gaps; a line
    is fitted to log Z on log r. The linear estimate is r (1 + 1/r) ^ (1 + slope), Turing's is
    (r + 1) N_{r+1} / N_r: small r use Turing's as long as the two differ by more than 1.65 of its
    standard deviations, all others the linear one. The result is normalised to 1 - N_1 / N.

    Args:
        counts: (counts,) ints, r >= 1, ascending: how often something occurs.
        species: (counts,) ints, N_r >= 1: how many things occur that often.

    Returns:
        The counts themselves if there is only one, since no line can be fitted.

    Raises:
        InputError: Counts are not ascending, of different length, or below 1.

    Source: Gale & Sampson 1995, "Good-Turing frequency estimation without tears". The example is
    that of the Stanford NLP library's `SimpleGoodTuring`, which follows Sampson's program.

    >>> found = good_turing([1, 2, 3, 5, 8], [10, 6, 4, 2, 1])
    >>> round(found.unseen, 4), (found.adjusted / 52).round(5).tolist()
    (0.1923, [0.01203, 0.02951, 0.04814, 0.08647, 0.14484])
    """
    r, n = _checked(counts, species)
    if len(r) < 2:
        return GoodTuring(0.0, r, 0.0)
    slope = _slope(r, n)
    adjusted = r * (1 + 1 / r) ** (1 + slope)
    for place in range(len(r) - 1):
        turing, deviation = _turing(r, n, place)
        if r[place + 1] != r[place] + 1 or abs(turing - adjusted[place]) <= CONFIDENCE * deviation:
            break
        adjusted[place] = turing
    total = float(r @ n)
    # If everything occurs once, the formula says that all is unseen: leave the sample a part.
    unseen = min(float(n[0]) / total, 1 - 1 / total) if r[0] == 1 else 0.0
    return GoodTuring(unseen, adjusted * (1 - unseen) * total / float(adjusted @ n), slope)


def _checked(counts: npt.ArrayLike, species: npt.ArrayLike) -> tuple[Floats, Floats]:
    r = np.asarray(counts, dtype=np.float64)
    n = np.asarray(species, dtype=np.float64)
    if r.ndim != 1 or r.shape != n.shape or not len(r):
        raise InputError(
            f"counts of shape {r.shape} and species of shape {n.shape}",
            advice="give two lists of one length",
        )
    if min(r.min(), n.min()) < 1 or (np.diff(r) <= 0).any():
        raise InputError(
            "counts or species below 1, or counts not ascending",
            advice="list each count once, ascending, with how many things have it",
        )
    return r, n


def _slope(r: Floats, n: Floats) -> float:
    before = np.concatenate([[0], r[:-1]])
    after = np.concatenate([r[1:], [2 * r[-1] - before[-1]]])
    x, y = np.log(r), np.log(2 * n / (after - before))
    x = x - x.mean()
    return float(x @ y / (x @ x))


def _turing(r: Floats, n: Floats, place: int) -> tuple[float, float]:
    """Return Turing's estimate for a count, and its standard deviation."""
    ratio = n[place + 1] / n[place]
    estimate = (r[place] + 1) * ratio
    variance = (r[place] + 1) ** 2 * ratio / n[place] * (1 + ratio)
    return float(estimate), float(np.sqrt(variance))
