"""Compute the expected new documents per cost of terms, for many terms at once.

The number u of a term's unseen documents is taken as lognormal, with the exponential of a linear
prediction as its mean; a term's value is E[new] / E[cost] over five nodes of that distribution.
"""

from collections.abc import Iterable
from math import log
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from longline.planner.observed import TermStatistics

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Numbers: TypeAlias = Any
"""A number, or an array of them."""

FEATURES = 7
"""1, log df, share seen once, pages per df, share outside of the densest page, length, titles.

The last is the share of the term's documents that have it in the title: it helps only if the rest
of their texts is unknown."""

ORDER = 4
"""The number of features that describe the order of rows in an answer; see `order`."""

PRIOR = np.array([log(3000.0), -0.04, 0.5, 0.0, 1.1, 0.1, 0.0])
"""Initial coefficients; all but the first were similar on every corpus tried.

The first is about the log of the number of unseen documents; it hardly changes in a harvest."""

NODES = np.array([-2.857, -1.356, 0.0, 1.356, 2.857])
SHARES = np.array([0.01126, 0.22208, 0.53333, 0.22208, 0.01126])
"""Gauss-Hermite nodes of a standard normal, and their probabilities."""

SHRINKAGE = 3.0
MOST_NOISE = 2.0
"""Upper bound of the variance of log u."""

MOST_HIDDEN = 4.0
"""Upper bound of the log of the ratio of documents with a term to those known to have it."""


class Bid(NamedTuple):
    """The parameters of a term's value, besides the term's own counts.

    Attributes:
        beta: (FEATURES,). Coefficients of log u.
        covariance: (FEATURES, FEATURES). Their covariance.
        dispersion: How much more than by chance terms differ from the prediction: a factor.
        reveal: (FEATURES,). Coefficients of the log of the ratio of seen documents that contain a
            term to those whose known text contains it: 0 if complete texts are read.
        odds: (7,). For the log odds of new rows in cut answers: the coefficients of `order`, then
            the covariance of the first two (level, both, slope), which sets the optimism.
        limit, page_size: k and p.
        row_cost: Cost of a row, if a page costs 1.
        rate: New documents per cost of other queries; a last page promising less is skipped.
        skips: Whether the number of rows on a last page is known in advance.
    """

    beta: Floats
    covariance: Floats
    dispersion: float
    reveal: Floats
    odds: Floats
    limit: float
    page_size: float
    row_cost: float
    rate: float
    skips: bool


def features(seen: TermStatistics, terms: Ints | int) -> tuple[Floats, Floats]:
    """Return the features of terms, whose df must be 1 or more.

    Returns:
        (FEATURES, terms), or (FEATURES,) for one term; and (terms,), the part of log u that needs
        no learning. That is the log of the share of seen documents with the term, as if they were a
        random sample, times the mean seen-once weight (how rarely documents came again).
    """
    cells, documents = max(1, seen.cell_count), max(1, len(seen))
    mean_once, mean_length = max(seen.once_sum / cells, 1e-9), seen.length_sum / cells
    counts = (seen.df, seen.once, seen.pages, seen.densest, seen.lengths, seen.titled)
    df, once, pages, densest, lengths, titled = [count[terms].astype(float) for count in counts]
    x = np.array(
        [
            np.ones_like(df),
            np.log(df) - 3,
            np.log((np.maximum(once, 0) + SHRINKAGE * mean_once) / (df + SHRINKAGE) / mean_once),
            np.log(np.maximum(pages, 1) / df) + 1,
            np.log(np.maximum(df - densest + 0.5, 0.5) / (df + 0.5)) + 0.3,
            lengths / df - mean_length,
            titled / df,
        ]
    )
    return x, np.log(df * mean_once / documents)


def noise(df: Numbers, mean: Numbers, dispersion: float) -> Numbers:
    """Return the variance of log u for a term with `df`, where u is exp(`mean`) on average."""
    chance = 1 / df + 1 / (np.exp(np.minimum(mean, 30)) + 0.5)
    return np.minimum(dispersion * chance, MOST_NOISE)


def order(df: Numbers, unseen: Numbers, limit: float, documents: float) -> tuple[Numbers, ...]:
    """Return the features of a cut answer that predict how its rows are ordered.

    These are 1, the share of the answer that is cut off, and the share of seen documents with the
    term, with its square. Terms in nearly all documents show the same rows as each other, and say
    nothing about how other answers are cut.
    """
    common = np.minimum(df / documents, 1)
    return 1.0, np.maximum(1 - limit / (df + unseen), 0), common, common * common


def fresh(df: Numbers, unseen: Numbers, limit: float, documents: float, odds: Floats) -> Numbers:
    """Return the new documents that a query for a term with `unseen` unseen documents would show.

    If an answer is cut, the log odds that a row is new are those among all matching documents, log
    u / a, plus a learned function of `order`: below 0 if seen documents come first (a static
    ranking), 0 if they come as often as others, and above 0 if they come less often. One standard
    deviation is added as optimism: large answers can only be learned about by requesting some.
    """
    _, cut, common, square = order(df, unseen, limit, documents)
    hope = np.sqrt(odds[4] + cut * (2 * odds[5] + cut * odds[6]))
    told = odds[0] + odds[1] * cut + odds[2] * common + odds[3] * square
    ratio = unseen / df * np.exp(told + hope)
    new = limit * ratio / (1 + ratio)
    return np.minimum(np.maximum(new, limit - df), unseen)  # all unseen ones if it is not cut


def values(terms: Ints, seen: TermStatistics, bid: Bid) -> Floats:
    """Return E[new] / E[cost] for each of the terms."""
    x, base = features(seen, terms)
    df = seen.df[terms].astype(float)
    mean = base + _sum(bid.beta, x)
    own = noise(df, mean, bid.dispersion)
    variance = _sum(x, [_sum(line, x) for line in bid.covariance]) + own
    known = df * np.exp(np.clip(_sum(bid.reveal, x), 0, MOST_HIDDEN))
    nodes = NODES[:, None]  # (nodes, terms) from here
    unseen = np.exp(np.minimum(mean - own / 2 + np.sqrt(variance) * nodes, 30))
    new = fresh(known, unseen, bid.limit, max(1, len(seen)), bid.odds)
    rows = np.clip(known + unseen, 1, bid.limit)
    full = np.floor(rows / bid.page_size + 1e-9)
    left = rows - full * bid.page_size
    cost = np.ceil(rows / bid.page_size - 1e-9) + bid.row_cost * rows
    last_cost = 1 + bid.row_cost * left
    if bid.skips:
        skipped = (full > 0) & (left > 0) & (new * left / rows < bid.rate * last_cost)
        new = np.where(skipped, new * (1 - left / rows), new)
        cost = np.where(skipped, cost - last_cost, cost)
    worth: Floats = _sum(SHARES, new) / _sum(SHARES, cost)
    return worth


def _sum(weights: Iterable[Numbers], lines: Iterable[Numbers]) -> Numbers:
    """Return a weighted sum, in the same order for every term, so that equal terms stay equal."""
    return sum(weight * line for weight, line in zip(weights, lines, strict=True))
