"""Estimate the shares of terms in cells, if only titles and snippets of documents are known.

A snippet may or may not show a term of its document. So fewer of a cell's documents are known to
contain a term than really do, by a factor that depends on the term: terms in titles are always
shown, and frequent words more often than others. Every split with totals for both sides gives the
true share. Its log odds are regressed on what snippets show (`features`), and the error is divided
between the term and chance.
"""

from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from longline.planner.cells.cell import Cell, Shares
from longline.planner.observed import DocumentIndex, Numbers
from longline.planner.regression import Floats, Regression
from longline.pool import STOP_WORDS

FEATURES = (
    "constant",
    "log odds among what the cell shows",
    "log odds among what its root's cell shows",
    "share of titles among what shows the term",
    "required terms",
    "excluded terms",
    "stop word",
)

LEAST_SHARE = 1e-4


def features(cell: Cell, held: DocumentIndex, shares: Shares) -> Floats:
    """Return the features of terms for the regression; (terms, FEATURES)."""
    ones = np.ones(len(shares.terms))
    shown, titled = held.shown(shares.terms)
    root = cell
    while root.parent is not None and root.parent.parent is not None:
        root = root.parent
    above = root.shares(held)
    return np.column_stack(
        [
            ones,
            log_odds(shares.share),
            log_odds(_of(shares.terms, above.terms, above.share)),
            titled / (shown + 1),
            len(cell.required) * ones,
            len(cell.excluded) * ones,
            np.isin(shares.terms, held.term_numbers(STOP_WORDS)),
        ]
    )


def log_odds(share: Floats) -> Floats:
    """Return log odds of shares, clipped away from 0 and 1."""
    kept = np.clip(share, LEAST_SHARE, 1 - LEAST_SHARE)
    return np.asarray(np.log(kept / (1 - kept)))


def _of(terms: Numbers, others: Numbers, values: Floats) -> Floats:
    """Return `values` of `others` for the given terms, both ascending; 0 if a term is missing."""
    if not len(others):
        return np.zeros(len(terms))
    place = np.minimum(np.searchsorted(others, terms), len(others) - 1)
    return np.where(others[place] == terms, values[place], 0.0)


FIRST_BETA = np.array([1.7, 0.45, 0.7, -1.0, 0.2, -0.08, 0.6])
FIRST_SD = np.array([0.7, 0.3, 0.3, 0.2, 0.1, 0.1, 0.2])
DRIFT = np.array([0.005, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
"""Initial coefficients of `FEATURES`, fitted to the true values on both corpora, with drift."""

HERE = 1
"""The index of the feature from the cell's own snippets."""

OWN_VARIANCE = 0.4
"""Prior variance of a term's own log odds, against which the splits by that term are weighted."""

DECAY = 0.97
LEAST_NOISE = 0.05
MOST_ERROR = 3.0
MOST_EXCESS = 1.0
"""Cap on a squared error, so that a term that fails to split does not make all seem uncertain."""


@dataclass(frozen=True)
class Shown:
    """The basis of an estimate of a term's share in a cell.

    Attributes:
        term: The term's number.
        x: (FEATURES,). What snippets show of it.
        chance: Variance of its log odds due to the number of snippets.
    """

    term: int
    x: Floats
    chance: float


class Unshown:
    """Learn how far the shares of terms exceed what snippets show.

    >>> unshown = Unshown()
    >>> x = np.array([1.0, -2.0, -2.0, 0.0, 1.0, 0.0, 0.0])
    >>> for _ in range(30):
    ...     unshown.learn(Shown(7, x, chance=0.1), found=0.5)
    >>> unshown.expected(np.array([7]), x[None]).round(1).tolist()
    [0.0]
    """

    def __init__(self) -> None:
        self._common = Regression(FIRST_BETA, FIRST_SD, DRIFT)
        self._own: dict[int, tuple[float, float]] = {}
        self._loss = {False: (5.0, 10.0), True: (2.5, 10.0)}

    def expected(self, terms: Numbers, x: Floats) -> Floats:
        """Return the expected log odds of each term; x is (terms, features)."""
        found = x @ self._common.beta
        there, own = self._among(terms)
        found[there] += [self._of(term) for term in own]
        return np.asarray(found)

    def chances(self, chance: Floats) -> Floats:
        """Return the variance of log odds that is due to the number of a cell's snippets."""
        return np.asarray(chance * self._common.beta[HERE] ** 2)

    def variances(self, terms: Numbers) -> Floats:
        """Return the remaining variance of log odds, besides chance, for each term."""
        found = np.full(len(terms), self._noise(known=False))
        found[self._among(terms)[0]] = self._noise(known=True)
        return found

    def _among(self, terms: Numbers) -> tuple[npt.NDArray[np.int64], list[int]]:
        """Return the places, among ascending terms, of those that split a cell before."""
        own = np.fromiter(self._own, dtype=np.int64)
        there, place, _ = np.intersect1d(terms, own, assume_unique=True, return_indices=True)
        return place, there.tolist()

    def _of(self, term: int) -> float:
        """Return a term's own deviation of log odds."""
        errors, weight = self._own.get(term, (0.0, 0.0))
        return errors / (weight + 1 / OWN_VARIANCE)

    def _noise(self, *, known: bool) -> float:
        loss, weight = self._loss[known]
        return max(LEAST_NOISE, loss / weight)

    def learn(self, shown: Shown, found: float) -> None:
        """Learn from one split with the true share `found`."""
        x, term = shown.x, shown.term
        known, own = term in self._own, self._of(term)
        error = log(found / (1 - found)) - self._common.mean(x)
        error = float(np.clip(error, -MOST_ERROR, MOST_ERROR))
        noise = shown.chance + self._noise(known=known)
        again = shown.chance + self._noise(known=True)
        loss, weight = self._loss[known]
        excess = (error - own) ** 2 - shown.chance
        self._loss[known] = (loss * DECAY + min(excess, MOST_EXCESS), weight * DECAY + 1)
        self._common.learn(x, self._common.mean(x) + error - own, noise)
        errors, weights = self._own.get(term, (0.0, 0.0))
        self._own[term] = (errors + error / again, weights + 1 / again)
