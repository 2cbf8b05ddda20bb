"""How many of the seen documents hold a term, where not all of their text is known.

From titles and snippets a harvester knows part of each document's terms: more documents hold a term
than are known to. Every answer tells, of the rows that were seen before, how many were known to
hold the term; the log of that ratio is regressed on the features of `gain_kernels`. An answer that
is cut after a ranking by the query shows those that make much of the term, and so those that are
known to: that is one feature more. Where whole texts are read, all of them were known to, and the
ratio is 1.
"""

from math import exp, log

import numpy as np

from longline.planner.adaptive.gain_kernels import FEATURES, MOST_HIDDEN, Floats
from longline.planner.regression import Regression

PRIOR = np.array([0.0, 0.02, -0.1, 0.42, 0.38, 0.2, -0.9, -0.6])
"""As it lay on both corpora when fitted to the truth; the last is for cut answers.

Titles are always known whole: a term that stands in titles is hidden less."""

FIRST_SD = np.array([1.5, 0.1, 0.1, 0.15, 0.15, 0.4, 0.2, 0.2])
DRIFT = np.array([0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])

DECAY = 0.97
LEAST_NOISE = 0.01


class Reveal:
    """Learn how many seen documents hold a term, per those that are known to.

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
        """(FEATURES,). Coefficients of the log of the ratio; 0 while nothing was hidden."""
        return self._regression.beta[:FEATURES] if self.is_partial else np.zeros(FEATURES)

    def ratio(self, x: Floats) -> float:
        """Return the ratio for a term of features `x`, 1 or more."""
        return exp(min(max(float(self.beta @ x), 0.0), MOST_HIDDEN))

    @property
    def _noise(self) -> float:
        return max(LEAST_NOISE, self._noise_sum / self._noise_weight)

    def learn(self, x: Floats, known: int, seen: int, cut: float = 0.0) -> None:
        """Learn that of `seen` rows seen before `known` were known to hold the term.

        Args:
            x: The term's features.
            known: Rows that were known to hold it.
            seen: Rows that were seen before.
            cut: Log of the documents that match per row that came, 0 where all came and where
                which of them came has nothing to do with the term.
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
