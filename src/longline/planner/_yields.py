"""Learn, from query to query, what terms bring: how many unseen documents, how many of them new.

Log u, the log of a term's unseen documents, is regressed on the features of `_gains` by a
Kalman filter with a little drift. A query that shows k documents and says no more only tells
that u >= k - a: the belief is then moved to the mean of the truncated normal, and narrowed to
its variance (assumed density filtering). What new documents an overflowing query brings is
k - a (k/D)^gamma, gamma weighed on a grid by its squared errors; so no one needs to say
whether the ranking is static.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, exp, log, pi, sqrt

import numpy as np

from longline.planner import _gains
from longline.planner._gains import CLASSES, FEATURES, NODES, PRIOR, SHARES, Bid, Floats
from longline.planner._pairs import Pairs
from longline.planner._regression import Regression
from longline.planner._reveal import Reveal
from longline.planner._seen import SeenDocuments

FIRST_SD = np.array([1.5, 0.1, 0.2, 0.3, 0.3, 0.2, 0.0])
DRIFT = np.array([0.03, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
"""Variance that each coefficient gains from query to query: the first follows the harvest.

The others stay: terms are asked for because much was promised of them, and a free slope would
learn from that choice that frequent terms keep more than others do."""

SNIPPET_SLOPES = np.array([0.1, 0.2, 1.0, 0.0, 0.0, -0.75])
SNIPPET_SD = np.array([1.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2])
SNIPPET_DRIFT = np.array([0.05, 0.0005, 0.0005, 0.0005, 0.0005, 0.0005, 0.0005])
"""The same where only snippets are known: there the slopes differ from source to source."""

LEAST_NOISE = 0.04
DECAY = 0.97
GAMMAS = np.linspace(-0.2, 1.2, 15)
GAMMA_ERROR = 10.0
"""New documents that a query's answer may differ from the model by chance (standard deviation)."""

USEFUL_COUNT = 1.0
"""Counts whose log errs by more than this variance are not looked at."""


@dataclass(frozen=True)
class Forecast:
    """What a term promised before it was sent.

    Attributes:
        df: a, the seen documents that hold it.
        x: Its features.
        mean, variance: Of log u, without and with the noise of single terms.
        bias: Log of what came per predicted, for its class of df.
        known: Seen documents that are thought to hold it, `df` or more.
    """

    df: int
    x: Floats
    mean: float
    variance: float
    bias: float
    known: float

    def totals(self, at_least: float) -> tuple[Floats, Floats]:
        """Return at most five values of D, `at_least` so much each, and their probabilities."""
        sd = sqrt(self.variance)
        totals = self.known + np.exp(np.minimum(self.mean + self.bias + sd * NODES, 30.0))
        fits = totals >= at_least
        if not fits.any():
            return np.array([max(at_least, 1.0)]), np.ones(1)
        return totals[fits], SHARES[fits] / SHARES[fits].sum()


class Yields:
    """Predict what terms bring, and learn from what they brought.

    Attributes:
        typical: Unseen documents that a good term has, about k: twice as many are no better.
    """

    def __init__(self) -> None:
        self.typical = 100.0
        self._log_unseen = Regression(PRIOR, FIRST_SD, DRIFT)
        self.reveal = Reveal()
        self._noise = 0.36
        self._noise_sum, self._noise_weight = 3.6, 10.0
        self._size_came = np.full(CLASSES, 5.0)
        self._size_said = np.full(CLASSES, 5.0)
        self._over_came = np.full(CLASSES, 2.0)
        self._over_said = np.full(CLASSES, 2.0)
        self._gamma_loss = 10.0 * (GAMMAS - 0.3) ** 2
        self._count_errors: dict[str, tuple[float, float]] = {
            "exact": (0.0, 3.0),
            "about": (0.27, 3.0),
        }

    @property
    def gamma(self) -> float:
        """The exponent of the overflow, 0 (seen documents come first) to 1 (no such order)."""
        weights = np.exp(-(self._gamma_loss - self._gamma_loss.min()) / 2)
        return float((weights * GAMMAS).sum() / weights.sum())

    def learn_hidden(self, forecast: Forecast, known: int, seen: int) -> None:
        """Learn that of `seen` rows seen before `known` were known to hold the term."""
        were_whole = not self.reveal.is_partial
        self.reveal.learn(forecast.x, known, seen)
        if were_whole and self.reveal.is_partial:
            beta = np.concatenate([self._log_unseen.beta[:1], SNIPPET_SLOPES])
            self._log_unseen = Regression(beta, SNIPPET_SD, SNIPPET_DRIFT)

    def bid(
        self,
        *,
        limit: float,
        page_size: float,
        page_cost: float,
        row_cost: float,
        rate: float,
        skips: bool,
    ) -> Bid:
        """Return all that terms are valued with."""
        return Bid(
            self._log_unseen.beta,
            self._log_unseen.covariance,
            self._noise,
            np.log(self._size_came / self._size_said),
            self._over_came / self._over_said,
            self.reveal.beta,
            self.gamma,
            float(limit),
            float(page_size),
            page_cost,
            row_cost,
            rate,
            skips,
        )

    def foresee(
        self, counts: SeenDocuments | Pairs, place: int, means: tuple[float, float]
    ) -> Forecast:
        """Return what a term or pair promises now; its df is 1 or more."""
        x = np.empty(FEATURES)
        df = int(counts.df[place])
        mean = _gains.features(
            x,
            float(df),
            float(counts.once[place]),
            float(counts.pages[place]),
            float(counts.densest[place]),
            float(counts.lengths[place]),
            float(counts.titled[place]),
            *means,
        )
        variance = self._noise * (1 + 1 / df) + self._log_unseen.variance(x)
        bias = log(self._size_came[_class(df)] / self._size_said[_class(df)])
        mean += self._log_unseen.mean(x)
        return Forecast(df, x, mean, variance, bias, df * self.reveal.ratio(x))

    def new(self, df: float, total: float, limit: float) -> float:
        """Return how many new documents a term brings that D = `total` documents hold."""
        bias = self._over_came / self._over_said
        return float(_gains.fresh(df, max(0.0, total - df), self.gamma, limit, bias))

    def count_error(self, relation: str) -> float:
        """Return the variance of the log of the source's counts; inf where they say nothing."""
        if relation not in self._count_errors:
            return float("inf")
        loss, weight = self._count_errors[relation]
        return loss / weight

    def check_count(self, relation: str, claimed: int, rows: int) -> None:
        """Compare a count with an answer that came whole."""
        if relation in self._count_errors:
            loss, weight = self._count_errors[relation]
            error = log((claimed + 0.5) / (rows + 0.5)) ** 2
            self._count_errors[relation] = (loss * DECAY + error, weight * DECAY + 1)

    def learn(self, forecast: Forecast, unseen: float, variance: float = 0.0) -> None:
        """Learn how many unseen documents a term had; `variance` is that of log(unseen)."""
        own = 1 / (unseen + 0.5) + variance
        error = log(unseen + 0.5) - forecast.mean
        spread = self._spread(forecast)
        unsure = self._log_unseen.variance(forecast.x)
        self._log_unseen.move(forecast.x, error / (spread + own), 1 / (spread + own))
        excess = error**2 - own - unsure
        self._noise_sum = self._noise_sum * DECAY + min(excess, 4.0) / (1 + 1 / forecast.df)
        self._noise_weight = self._noise_weight * DECAY + 1
        self._noise = max(LEAST_NOISE, self._noise_sum / self._noise_weight)
        self._calibrate(forecast, unseen, spread)

    def learn_at_least(self, forecast: Forecast, unseen: float) -> float:
        """Learn that a term had at least so many unseen documents; return how many it may have."""
        spread = self._spread(forecast)
        low = min((log(max(unseen, 0.5)) - forecast.mean) / sqrt(spread), 6.0)
        hazard = exp(-low * low / 2) / sqrt(2 * pi) / max(erfc(low / sqrt(2)) / 2, 1e-12)
        narrowed = spread * max(1 + low * hazard - hazard**2, 0.05)
        self._log_unseen.move(forecast.x, hazard / sqrt(spread), (spread - narrowed) / spread**2)
        supposed = exp(min(forecast.mean + sqrt(spread) * hazard, 30.0))
        self._calibrate(forecast, supposed, spread)
        return supposed

    def learn_overflow(self, df: float, total: float, limit: float, new: int) -> None:
        """Learn how many of the first k documents of an overflowing query were new."""
        share = limit / max(total, limit)
        said = np.clip(limit - df * share**GAMMAS, 0, limit)
        place = min(CLASSES - 1, int(-2 * np.log2(share)))
        expected = max(0.0, limit - df * share**self.gamma)
        self._over_came[place] = self._over_came[place] * 0.95 + new / limit
        self._over_said[place] = self._over_said[place] * 0.95 + expected / limit
        error = GAMMA_ERROR * max(limit, 10.0) / 100
        self._gamma_loss = self._gamma_loss * 0.98 + ((said - new) / error) ** 2

    def _spread(self, forecast: Forecast) -> float:
        """Let a query pass; return the variance of log u."""
        self._log_unseen.widen()
        noise = self._noise * (1 + 1 / forecast.df)
        return self._log_unseen.variance(forecast.x) + noise

    def _calibrate(self, forecast: Forecast, unseen: float, spread: float) -> None:
        place, said = _class(forecast.df), exp(min(forecast.mean + spread / 2, 30.0))
        unit = self.typical / 5  # a query that brings so many counts as much as the prior
        most = 2 * self.typical
        self._size_came[place] = self._size_came[place] * DECAY + min(unseen, most) / unit
        self._size_said[place] = self._size_said[place] * DECAY + min(said, most) / unit


def means(seen: SeenDocuments) -> tuple[float, float]:
    """Return the means, over cells, of the seen-once weight and of log length."""
    cells = max(1, seen.cell_count)
    return max(seen.once_sum / cells, 1e-9), seen.length_sum / cells


def _class(df: int) -> int:
    return min(CLASSES - 1, df.bit_length() - 1)
