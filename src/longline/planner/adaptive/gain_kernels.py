"""Compute the expected new documents per cost of terms, in one compiled pass.

The number u of a term's unseen documents is taken as lognormal, with the exponential of a linear
prediction as its mean; a term's value is E[new] / E[cost] over five nodes of that distribution.
"""

from collections.abc import Callable
from math import exp, log, sqrt
from typing import NamedTuple, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int32]
Weights = npt.NDArray[np.float32]

Function = TypeVar("Function", bound=Callable[..., object])

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


def compiled(function: Function) -> Function:
    """Compile a function on its first call, and cache the machine code on disk if possible."""
    try:
        return cast(Function, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # no writable folder, neither next to this file nor in the home folder
        return cast(Function, numba.njit(nogil=True)(function))


class Means(NamedTuple):
    """Averages over the seen documents.

    Attributes:
        once: The mean seen-once weight of a cell (a term in a document).
        length: The mean log length of a cell's document.
        documents: The number of seen documents.
    """

    once: float
    length: float
    documents: float


class Counted(NamedTuple):
    """Counts of terms, as in `TermStatistics`: (terms,) each."""

    df: Counts
    once: Weights
    pages: Counts
    densest: Counts
    lengths: Weights
    titled: Counts


class OfTerm(NamedTuple):
    """The same counts for one term."""

    df: float
    once: float
    pages: float
    densest: float
    lengths: float
    titled: float


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


@compiled
def features(x: Floats, term: OfTerm, means: Means) -> float:
    """Fill in a term's features `x`; return the part of log u that needs no learning.

    That is the log of the share of seen documents with the term, as if they were a random sample,
    times the mean seen-once weight (how rarely documents came again).
    """
    df, once = term.df, max(term.once, 0.0)
    x[0] = 1.0
    x[1] = log(df) - 3.0
    x[2] = log((once + SHRINKAGE * means.once) / (df + SHRINKAGE) / means.once)
    x[3] = log(max(term.pages, 1.0) / df) + 1.0
    x[4] = log(max(df - term.densest + 0.5, 0.5) / (df + 0.5)) + 0.3
    x[5] = term.lengths / df - means.length
    x[6] = term.titled / df
    return log(df * means.once / means.documents)


@compiled
def noise(df: float, mean: float, dispersion: float) -> float:
    """Return the variance of log u for a term with `df`, where u is exp(`mean`) on average."""
    return min(dispersion * (1.0 / df + 1.0 / (exp(min(mean, 30.0)) + 0.5)), MOST_NOISE)


@compiled
def order(
    df: float, unseen: float, limit: float, documents: float
) -> tuple[float, float, float, float]:
    """Return the features of a cut answer that predict how its rows are ordered.

    These are 1, the share of the answer that is cut off, and the share of seen documents with the
    term, with its square. Terms in nearly all documents show the same rows as each other, and say
    nothing about how other answers are cut.
    """
    common = min(df / documents, 1.0)
    return 1.0, max(1.0 - limit / (df + unseen), 0.0), common, common * common


@compiled
def fresh(df: float, unseen: float, limit: float, documents: float, odds: Floats) -> float:
    """Return the new documents that a query for a term with `unseen` unseen documents would show.

    If an answer is cut, the log odds that a row is new are those among all matching documents, log
    u / a, plus a learned function of `order`: below 0 if seen documents come first (a static
    ranking), 0 if they come as often as others, and above 0 if they come less often. One standard
    deviation is added as optimism: large answers can only be learned about by requesting some.
    """
    total = df + unseen
    if total <= limit:  # the answer is not cut
        return unseen
    _, cut, common, square = order(df, unseen, limit, documents)
    hope = sqrt(odds[4] + cut * (2.0 * odds[5] + cut * odds[6]))
    told = odds[0] + odds[1] * cut + odds[2] * common + odds[3] * square
    ratio = unseen / df * exp(told + hope)
    new: float = limit * ratio / (1.0 + ratio)
    return max(limit - df, min(new, unseen))


@compiled
def values(terms: Ints, counted: Counted, means: Means, bid: Bid) -> Floats:
    """Return E[new] / E[cost] for each of the terms."""
    df, once, pages, densest, lengths, titled = counted
    documents = means.documents
    worth = np.empty(len(terms))
    x = np.empty(FEATURES)
    p = bid.page_size
    for place in range(len(terms)):
        t = terms[place]
        a = float(df[t])
        term = OfTerm(
            a,
            float(once[t]),
            float(pages[t]),
            float(densest[t]),
            float(lengths[t]),
            float(titled[t]),
        )
        mean = features(x, term, means)
        variance, hidden = 0.0, 0.0
        for i in range(FEATURES):
            mean += bid.beta[i] * x[i]
            hidden += bid.reveal[i] * x[i]
            for j in range(FEATURES):
                variance += x[i] * bid.covariance[i, j] * x[j]
        own = noise(a, mean, bid.dispersion)
        mean -= own / 2.0
        sd = np.sqrt(variance + own)
        a *= exp(min(max(hidden, 0.0), MOST_HIDDEN))
        new_sum, cost_sum = 0.0, 0.0
        for node in range(len(NODES)):
            unseen = exp(min(mean + sd * NODES[node], 30.0))
            new = fresh(a, unseen, bid.limit, documents, bid.odds)
            rows = max(min(a + unseen, bid.limit), 1.0)
            full = np.floor(rows / p + 1e-9)
            left = rows - full * p
            cost = np.ceil(rows / p - 1e-9) + bid.row_cost * rows
            last_cost = 1.0 + bid.row_cost * left
            if bid.skips and full > 0 and left > 0 and new * left / rows < bid.rate * last_cost:
                new *= 1.0 - left / rows
                cost -= last_cost
            new_sum += SHARES[node] * new
            cost_sum += SHARES[node] * cost
        worth[place] = new_sum / cost_sum
    return worth
