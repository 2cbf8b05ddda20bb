"""Shares of terms in cells, where only titles and snippets of documents are known.

A snippet shows a term of its document, or not; so fewer of a cell's documents are known to hold
a term than do, by a factor of the term's own: what stands in titles is always shown, words that
every other sentence has more often than others. Every split whose sides were counted tells the
true share. Its log odds are regressed on what snippets say (`snippet_features`). What is left is
shared out between the term and chance.
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
    """Return what a regression makes of snippets; (terms, FEATURES)."""
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
    """Return log odds, kept from 0 and 1."""
    kept = np.clip(share, LEAST_SHARE, 1 - LEAST_SHARE)
    return np.asarray(np.log(kept / (1 - kept)))


def _of(terms: Numbers, others: Numbers, values: Floats) -> Floats:
    """Return the values of some terms by those of others, both ascending; 0 where none is."""
    if not len(others):
        return np.zeros(len(terms))
    place = np.minimum(np.searchsorted(others, terms), len(others) - 1)
    return np.where(others[place] == terms, values[place], 0.0)


FIRST_BETA = np.array([1.7, 0.45, 0.7, -1.0, 0.2, -0.08, 0.6])
FIRST_SD = np.array([0.7, 0.3, 0.3, 0.2, 0.1, 0.1, 0.2])
DRIFT = np.array([0.005, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
"""Of `FEATURES`, as they lay on both corpora when fitted to the truth."""

HERE = 1
"""The feature that comes from the cell's own snippets."""

OWN_VARIANCE = 0.4
"""Of log odds, between terms: what splits by a term say of it is weighed against this."""

DECAY = 0.97
LEAST_NOISE = 0.05
MOST_ERROR = 3.0
MOST_EXCESS = 1.0
"""Of a square error: a term that fails to split must not make all others seem unsure."""


@dataclass(frozen=True)
class Shown:
    """How a term's share in a cell was estimated.

    Attributes:
        term: Its number.
        x: (FEATURES,). What snippets say of it.
        chance: Variance of its log odds, from the number of snippets.
    """

    term: int
    x: Floats
    chance: float


class Unshown:
    """Learn how far the shares of terms lie above what snippets show.

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
        """Return the log odds that are expected of each of the terms; x is (terms, features)."""
        found = x @ self._common.beta
        there, own = self._among(terms)
        found[there] += [self._of(term) for term in own]
        return np.asarray(found)

    def chances(self, chance: Floats) -> Floats:
        """Return the variance of log odds that comes from the number of a cell's snippets."""
        return np.asarray(chance * self._common.beta[HERE] ** 2)

    def variances(self, terms: Numbers) -> Floats:
        """Return the variance of log odds that is left, beside chance, for each of the terms."""
        found = np.full(len(terms), self._noise(known=False))
        found[self._among(terms)[0]] = self._noise(known=True)
        return found

    def _among(self, terms: Numbers) -> tuple[npt.NDArray[np.int64], list[int]]:
        """Return the places, among ascending terms, of those that split a cell before."""
        own = np.array(sorted(self._own), dtype=np.int64)
        place = np.minimum(np.searchsorted(terms, own), len(terms) - 1)
        is_there = terms[place] == own
        return place[is_there], own[is_there].tolist()

    def _of(self, term: int) -> float:
        """Return what a term keeps of its own."""
        errors, weight = self._own.get(term, (0.0, 0.0))
        return errors / (weight + 1 / OWN_VARIANCE)

    def _noise(self, *, known: bool) -> float:
        loss, weight = self._loss[known]
        return max(LEAST_NOISE, loss / weight)

    def learn(self, shown: Shown, found: float) -> None:
        """Learn from one split the share that was found."""
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
