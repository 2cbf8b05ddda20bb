"""Estimate how many seen documents contain a term, if only part of their text is known.

Titles and snippets show only some of a document's terms, so more documents contain a term than are
known to. Of the rows in an answer that were seen before, some were known to contain the term; the
log of the ratio is regressed on the features of `gains`. An answer cut after a ranking by
relevance shows documents that use the term most, which are more often known to contain it: that is
one more feature. If complete texts are read, all were known, and the ratio is 1.
"""

from math import exp, log

import numpy as np

from longline.planner.adaptive.gains import FEATURES, MOST_HIDDEN, Floats
from longline.planner.regression import Regression

PRIOR = np.array([0.0, 0.02, -0.1, 0.42, 0.38, 0.2, -0.9, -0.6])
"""Initial coefficients, fitted to the true values on both corpora; the last is for cut answers.

Titles are always known in full: a term that occurs in titles is hidden less often."""

FIRST_SD = np.array([1.5, 0.1, 0.1, 0.15, 0.15, 0.4, 0.2, 0.2])
DRIFT = np.array([0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])

DECAY = 0.97
LEAST_NOISE = 0.01


class Reveal:
    """Learn the ratio of seen documents that contain a term to those that are known to.

    >>> reveal = Reveal()
    >>> for _ in range(10):
    ...     reveal.learn(np.eye(FEATURES)[0], known=10, seen=40)
    >>> round(reveal.ratio(np.eye(FEATURES)[0]))
    4
    """

    def __init__(self) -> None:
        self._regression = Regression(PRIOR, FIRST_SD, DRIFT)
        self._noise_sum, self._noise_weight = 1.0, 10.0
        self.is_partial = False

    @property
    def beta(self) -> Floats:
        """(FEATURES,). Coefficients of the log of the ratio; 0 as long as nothing was hidden."""
        return self._regression.beta[:FEATURES] if self.is_partial else np.zeros(FEATURES)

    def ratio(self, x: Floats) -> float:
        """Return the ratio for a term with features `x`; it is 1 or more."""
        return exp(min(max(float(self.beta @ x), 0.0), MOST_HIDDEN))

    @property
    def _noise(self) -> float:
        return max(LEAST_NOISE, self._noise_sum / self._noise_weight)

    def learn(self, x: Floats, known: int, seen: int, cut: float = 0.0) -> None:
        """Learn that, of `seen` rows seen before, `known` were known to contain the term.

        Args:
            x: The term's features.
            known: Rows that were known to contain it.
            seen: Rows that were seen before.
            cut: Log of the matching documents per received row; 0 if all were received, or if which
                rows are received does not depend on the term.
        """
        self.is_partial = self.is_partial or known < seen
        if not seen:
            return
        x = np.append(x, cut)
        observed = log((seen + 0.5) / (known + 0.5))
        own = 1 / (known + 0.5) - 1 / (seen + 1)
        error = observed - self._regression.mean(x)
        excess = error**2 - own - self._regression.variance(x)
        self._regression.learn(x, observed, own + self._noise)
        self._noise_sum = self._noise_sum * DECAY + min(excess, 2.0)
        self._noise_weight = self._noise_weight * DECAY + 1
