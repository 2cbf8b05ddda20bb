"""How many documents are missing, by a source's exact counts: the statistics behind `probes`.

A source that counts exactly tells of each word w how many documents that are not held have it: its
count less the held documents with w, u_w. For any coefficients c, the sum of c_w u_w is, without
any error, the sum of x = (c_w of a document's words) over all documents that are not held. So with
c such that x is near 1 for each held document, that sum is nearly the number that is missing, and
what the probes brought of missing documents tells by how much x differs from 1 among them. Chance
enters by that mean alone: with ten frequent words, x scatters by a fourth or so from document to
document, where without counts the question is whether a document is held at all.

Source: Deville & Sarndal 1992, "Calibration estimators in survey sampling"; Cochran 1977, "Sampling
techniques", chapters 6 (ratios) and 7 (regression estimators).
"""

from dataclasses import dataclass
from math import exp, sqrt

import numpy as np
import numpy.typing as npt

from longline.estimate._share import Floats, Matched, Share, t_quantile
from longline.estimate._words import WordSets

MOST_WORDS = 300
"""Of the words that were counted; those that most missing documents have."""

RIDGE = 50.0
"""Documents without any word, each for each word: what keeps coefficients small."""

LEAST_MISSING = 1.0
"""Of the documents that the counts tell of; with fewer they only bound the others."""

MOST_BY_CHANCE = 3.0
"""So many may be missing, at 95 %, where none was met: -log .05."""

MOST_WITHOUT = 0.5
"""Of the held documents, without any counted word, for counts to bound what is missing."""

LEAST_FREEDOM = 8
"""Of Student's t: the scatter of x is known from the held documents too."""

CONTRADICTED = 0.02
"""Counts are not believed where so large a part of them is below what is held."""

UNREAD = 0.5
"""A word with fewer documents, per held document that has it, is none that the source looks for:
a label on every page, or part of what it takes for one word."""


@dataclass(frozen=True, eq=False)
class Counted:
    """Words that a source counted, and who has them.

    Attributes:
        counts: (words,) Documents of the source that have each.
        held_with: (words,) Held documents that have each.
        documents: How many documents are saved.
        held: Of held documents, or a sample of them, those words that each has, by their place in
            `counts`.
        matched: The same of the probes' matches, as in `Matched`.
    """

    counts: npt.NDArray[np.int64]
    held_with: npt.NDArray[np.int64]
    documents: int
    held: WordSets
    matched: WordSets


def share_by_counts(matched: Matched, counted: Counted, confidence: float) -> Share | None:
    """Estimate the share of all documents that is held; None where the counts cannot tell.

    The mean of x among missing documents is the weighted mean over the probes' matches that are
    not held, one probe of mean weight added at the mean of the held documents. Its variance is
    the larger of what the probes scatter by and what the held documents do; the interval of the
    number that is missing is that of its logarithm, with Student's t.

    Args:
        matched: What the probes matched.
        counted: Its `matched` has a document for each of these.
        confidence: Of the interval, e.g. 0.95.
    """
    held_with = counted.held_with
    is_read = counted.counts >= UNREAD * held_with
    missing_with = np.where(is_read, counted.counts - held_with, 0)
    if (
        2 * is_read.sum() < len(is_read)
        or missing_with[missing_with < 0].sum() < -CONTRADICTED * counted.counts.sum()
    ):
        return None
    is_told = (missing_with > 0) & (held_with > 0)
    order = np.argsort(-missing_with, kind="stable")
    words = order[is_told[order]][:MOST_WORDS]
    found = _share_of(matched, counted, words, missing_with, confidence)
    if found is None:
        words = order[(is_read & (held_with > 0))[order]][:MOST_WORDS]
        found = _share_of(matched, counted, words, missing_with, confidence, is_bound=True)
    return found


def _share_of(
    matched: Matched,
    counted: Counted,
    words: npt.NDArray[np.int64],
    missing_with: npt.NDArray[np.int64],
    confidence: float,
    *,
    is_bound: bool = False,
) -> Share | None:
    """Estimate the share held by some of the words; None where they cannot tell.

    With `is_bound` hardly anything is missing of what these words tell of: bound what is, unless
    many documents have none of them.
    """
    if not len(words):
        return None
    is_taken = np.zeros(len(counted.counts), dtype=np.bool_)
    is_taken[words] = True
    coefficients = np.zeros(len(counted.counts))
    coefficients[words] = _coefficients(counted.held.only(words, len(counted.counts)), len(words))
    told = max(0.0, float(coefficients @ missing_with))
    of_held = counted.held.sums(coefficients)
    of_missing = counted.matched.sums(coefficients)[~matched.held]
    mean, deviation, probes = _mean(matched, of_missing, of_held)
    without = float((counted.held.counts(is_taken) == 0).mean())
    if mean <= 0 or (without > MOST_WITHOUT if is_bound else told < LEAST_MISSING):
        return None
    missing, held = told / mean, counted.documents
    spread = exp(t_quantile(confidence, max(probes + 1, LEAST_FREEDOM)) * deviation / mean)
    most = (told + MOST_BY_CHANCE * is_bound) / mean * spread
    least = 0.0 if is_bound else missing / spread
    return Share(*(held / (held + each) for each in (missing, most, least)))


def _coefficients(held: WordSets, words: int) -> Floats:
    """(words,). Ridge regression of 1 on the words of each held document."""
    products = held.pairs(words)
    sums = products.diagonal().copy()
    products[np.diag_indices_from(products)] += RIDGE
    return np.asarray(np.linalg.solve(products, sums), dtype=np.float64)


def _mean(matched: Matched, x: Floats, of_held: Floats) -> tuple[float, float, int]:
    """Return the mean of x among missing documents, its standard deviation, and probes with any."""
    weight = matched.weight[~matched.held]
    _, probe = np.unique(matched.probe[~matched.held], return_inverse=True)
    weights, sums = np.bincount(probe, weight), np.bincount(probe, weight * x)
    probes = len(weights)
    own = float(weights.mean()) if probes else 1.0
    weights, sums = np.append(weights, own), np.append(sums, own * of_held.mean())
    mean = float(sums.sum() / weights.sum())
    among_probes = float(((sums - mean * weights) ** 2).sum()) * (probes + 1) / max(probes, 1)
    among_held = float(of_held.var() * (weights**2).sum())
    return mean, sqrt(max(among_probes, among_held)) / float(weights.sum()), probes
