"""Estimate the number of missing documents from a source's exact totals; used by `probes`.

With exact totals, the number of documents that contain a word w and are not held is known: u_w, the
total less the held documents with w. For any coefficients c, the sum of c_w u_w is exactly the sum
of x = (the sum of c_w over a document's words) over all documents that are not held. So if c makes
x near 1 for each held document, that sum is nearly the number of missing documents, and the missing
documents found by probes show how much x differs from 1 among them. Only that mean has a random
error: with ten frequent words, x varies by about a fourth between documents, while without totals
the question is whether a document is held at all.

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
"""The most counted words to use: those that most missing documents contain."""

RIDGE = 50.0
"""Ridge penalty that keeps coefficients small: this many documents without any word per word."""

LEAST_MISSING = 1.0
"""With fewer missing documents in the totals than this, they only give bounds."""

MOST_BY_CHANCE = 3.0
"""This many may be missing, at 95 %, if none was found: -log .05."""

MOST_WITHOUT = 0.5
"""The most held documents without any counted word, as a share, for totals to give bounds."""

LEAST_FREEDOM = 8
"""Least degrees of freedom for Student's t: held documents also show how x varies."""

CONTRADICTED = 0.02
"""Totals are not trusted if they are below the held documents by this share in sum."""

UNREAD = 0.5
"""A word whose total is below this multiple of its held documents is not searched: a label on every
page, or part of a longer token."""


@dataclass(frozen=True, eq=False)
class Counted:
    """Words with exact totals, and the documents that contain them.

    counts: (words,) Documents of the source that contain each.
    held_with: (words,) Held documents that contain each.
    documents: The number of saved documents.
    held: For held documents, or a sample of them, which of the words each contains, by place in
        `counts`.
    matched: The same for the probes' matches, as in `Matched`.
    """

    counts: npt.NDArray[np.int64]
    held_with: npt.NDArray[np.int64]
    documents: int
    held: WordSets
    matched: WordSets


def share_by_counts(matched: Matched, counted: Counted, confidence: float) -> Share | None:
    """Estimate the share of all documents that is held; None if the totals do not show it.

    The mean of x among missing documents is the weighted mean over the probes' matches that are
    not held, plus one probe of mean weight at the mean of the held documents. Its variance is the
    larger of the variance between probes and that among held documents; the interval of the number
    missing is computed for its log, with Student's t.

    Args:
        matched: The probes' matches.
        counted: The words with totals; its `matched` has a document for each match.
        confidence: The confidence level of the interval, e.g. 0.95.
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
    """Estimate the share held from some of the words; None if they do not show it.

    With `is_bound`, hardly any missing document contains these words: return a bound on the number
    missing, unless many documents contain none of them.
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
    """Return the ridge regression of 1 on the words of each held document; (words,)."""
    products = held.pairs(words)
    sums = products.diagonal().copy()
    products[np.diag_indices_from(products)] += RIDGE
    return np.asarray(np.linalg.solve(products, sums), dtype=np.float64)


def _mean(matched: Matched, x: Floats, of_held: Floats) -> tuple[float, float, int]:
    """Return the mean of x among missing documents, its error, and the probes with any."""
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
