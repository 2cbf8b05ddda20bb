"""Shares of terms in cells, where only titles and snippets of documents are known.

A snippet shows a term of its document, or not; so fewer of a cell's documents are known to hold
a term than do, by a factor of the term's own: words that every other sentence has are shown
more often than others. And by one of the cell's own: the longer its documents, the less of them
is shown. Every split whose sides were counted tells the true share beside the one that the
snippets show. The difference of their log odds is regressed on those of the snippets and on how
many terms the cell requires and excludes. What is left is shared out among the term, the
cell with all that it is split into, and chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from longline.planner._numbering import Numbers
from longline.planner._regression import Floats, Regression

FIRST_BETA = np.array([0.9, 0.15, 0.2, -0.1])
FIRST_SD = np.array([0.7, 0.2, 0.1, 0.1])
DRIFT = np.array([0.005, 0.0, 0.0, 0.0])

OWN_VARIANCE = 0.4
"""Of log odds, between terms: what splits by a term say of it is weighed against this."""

CELL_VARIANCE = 0.2
"""The same, between a cell and the one that it is a side of."""

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
        log_odds: Of its share among what snippets show.
        chance: Variance of these, from the number of snippets.
        required, excluded: Terms of the cell's query.
        shift: Log odds that the cell has more than others.
    """

    term: int
    log_odds: float
    chance: float
    required: int
    excluded: int
    shift: float


class Unshown:
    """Learn how far the shares of terms lie above what snippets show.

    >>> unshown = Unshown()
    >>> term = Shown(7, log_odds=-2.0, chance=0.1, required=1, excluded=0, shift=0.0)
    >>> for _ in range(30):
    ...     _ = unshown.learn(term, found=0.0)
    >>> unshown.shifts(np.array([7]), np.array([-2.0]), 1, 0).round(1).tolist()
    [2.0]
    """

    def __init__(self) -> None:
        self._common = Regression(FIRST_BETA, FIRST_SD, DRIFT)
        self._own: dict[int, tuple[float, float]] = {}
        self._loss = {False: (5.0, 10.0), True: (2.5, 10.0)}

    def shifts(self, terms: Numbers, log_odds: Floats, required: int, excluded: int) -> Floats:
        """Return what is to be added to log odds among what is shown, for each of the terms."""
        beta = self._common.beta
        shift = beta[0] + beta[1] * log_odds + beta[2] * required + beta[3] * excluded
        there, own = self._among(terms)
        shift[there] += [self._of(term) for term in own]
        return np.asarray(shift)

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

    def learn(self, shown: Shown, found: float) -> float:
        """Learn from one split: the log odds that were found; return what the cell keeps of it."""
        x = np.array([1.0, shown.log_odds, shown.required, shown.excluded])
        term, known, own = shown.term, shown.term in self._own, self._of(shown.term)
        error = found - shown.log_odds - self._common.mean(x) - shown.shift
        error = float(np.clip(error, -MOST_ERROR, MOST_ERROR))
        noise = shown.chance + self._noise(known=known)
        again = shown.chance + self._noise(known=True)
        loss, weight = self._loss[known]
        excess = (error - own) ** 2 - shown.chance
        self._loss[known] = (loss * DECAY + min(excess, MOST_EXCESS), weight * DECAY + 1)
        self._common.learn(x, self._common.mean(x) + error - own, noise)
        errors, weights = self._own.get(term, (0.0, 0.0))
        self._own[term] = (errors + error / again, weights + 1 / again)
        return (error - own) * CELL_VARIANCE / (CELL_VARIANCE + noise)
