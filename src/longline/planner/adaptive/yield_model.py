"""Learn from each answer how many unseen documents terms match, and how many new ones they show.

Log u, the log of a term's unseen documents, is regressed on the features of `gains` by a
Kalman filter with a little drift. A query that shows k documents without a total only proves
u >= k - a: the estimate moves to the mean of the truncated normal, and narrows to its variance
(assumed density filtering). Terms differ from the prediction by a learned multiple of the chance
variance of a seen and u unseen documents, 1/a + 1/u. The mean of log u is half of that variance
below the log of the mean of u, which is linear in the features. A second regression learns how
many of the k documents of an overflowing answer are new, so the ranking need not be known.
"""

from dataclasses import dataclass
from math import erfc, exp, log, pi, sqrt
from typing import NamedTuple

import numpy as np

from longline.model import Total
from longline.planner.adaptive import gains
from longline.planner.adaptive.gains import NODES, ORDER, PRIOR, SHARES, Bid, Floats
from longline.planner.adaptive.hidden_frequency import Reveal
from longline.planner.observed import RankingDetector, ReturnLimit, TermStatistics
from longline.planner.regression import Regression

FIRST_SD = np.array([2.0, 0.03, 0.2, 0.2, 0.3, 0.2, 0.0])
DRIFT = np.array([0.003, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
"""Variance that each coefficient gains per query: the first one follows the harvest.

The others do not drift: terms are queried because they promise much, and a drifting slope would
learn from that selection that frequent terms have more unseen documents than others."""

SNIPPET_PRIOR = np.array([11.5, 0.0, 0.13, 0.3, 0.85, 0.0, -0.85])
SNIPPET_SD = np.array([1.5, 0.05, 0.1, 0.1, 0.15, 0.1, 0.1])
SNIPPET_DRIFT = np.array([0.03, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
"""The same if only snippets are known, fitted to the true values on both corpora."""

TAILS = 4.0
"""Degrees of freedom: an error much larger than its variance is an outlier, and has little weight.
Otherwise one term with many seen and no unseen documents would move all predictions."""

LEAST_DISPERSION = 0.5
DECAY = 0.97
FIRST_EXCESS = 2.5
"""Initial dispersion; it was between 1.5 and 3 on every corpus tried."""

ODDS = np.zeros(ORDER)
ODDS_SD = np.array([0.1, 0.3, 2.0, 3.0])
ODDS_DRIFT = np.array([0.0005, 0.0005, 0.0, 0.0])
"""For the log odds of new documents among the k shown, by `gains.order`.

Very frequent terms may differ a lot: one that shows the rows of another says nothing else."""

OPTIMISM = 1.0
"""Standard deviations added as optimism for cut answers: how the order treats seen documents
shows only in large answers, and without optimism none would be requested."""

STEADY_ODDS = np.array([0.0, -0.8, 0.0, 0.0])
RANKED_ODDS = np.array([0.2, 0.3, 0.5, -1.0])
"""Prior log odds if only snippets are known, for one order for all queries, and for an order by
relevance; the difference from these is learned, without optimism."""

CLUSTERS = 3.0
"""Variance of the content of k rows, relative to k independent draws."""

LEAST_NOISE = 0.02
HIDDEN_NOISE = 1.0
"""Further variance of the log odds between terms: if complete texts are read, and if the number
of seen documents that match is unknown."""

USEFUL_COUNT = 1.0
"""Totals are ignored if their log has at least this error variance."""


@dataclass(frozen=True)
class Forecast:
    """The expected result of a query for a term, before it is sent.

    Attributes:
        df: a, the seen documents that contain it.
        x: Its features.
        mean, variance: Mean and variance of log u.
        noise: The part of that variance that is due to differences between terms.
        known: Estimated seen documents that contain it, `df` or more.
        documents: Seen documents.
    """

    df: int
    x: Floats
    mean: float
    noise: float
    variance: float
    known: float
    documents: float

    def totals(self, at_least: float) -> tuple[Floats, Floats]:
        """Return at most five values of D that are `at_least` or more, and their probabilities."""
        sd = sqrt(self.variance)
        totals = self.known + np.exp(np.minimum(self.mean + sd * NODES, 30.0))
        fits = totals >= at_least
        if not fits.any():
            return np.array([max(at_least, 1.0)]), np.ones(1)
        return totals[fits], SHARES[fits] / SHARES[fits].sum()


class Yields:
    """Predict what terms bring, and learn from their answers.

    Args:
        order: Detects how the source orders rows.
    """

    def __init__(self, order: RankingDetector | None = None) -> None:
        self._order = order or RankingDetector()
        self._log_unseen = Regression(PRIOR, FIRST_SD, DRIFT)
        self.reveal = Reveal()
        self._excess_sum, self._excess_weight = 10 * FIRST_EXCESS, 10.0
        self._log_odds = Regression(ODDS, ODDS_SD, ODDS_DRIFT)
        self._count_errors: dict[str, tuple[float, float]] = {
            "exact": (0.0, 3.0),
            "about": (0.27, 3.0),
        }

    @property
    def dispersion(self) -> float:
        """How much more than by chance terms differ from the prediction: a factor."""
        return max(LEAST_DISPERSION, self._excess_sum / self._excess_weight)

    @property
    def odds(self) -> Floats:
        """(7,). The log odds of new rows, in the form that `gains.fresh` needs."""
        (level, both), (_, slope) = OPTIMISM**2 * self._log_odds.covariance[:2, :2]
        if self.reveal.is_partial:
            level = both = slope = 0.0
        return np.array([*(self._log_odds.beta + self._expected_odds), level, both, slope])

    @property
    def _expected_odds(self) -> Floats:
        """(4,). The coefficients expected from the order of rows."""
        if not self.reveal.is_partial:
            return np.zeros(ORDER)
        steady = self._order.steadiness
        return steady * STEADY_ODDS + (1 - steady) * RANKED_ODDS

    def learn_hidden(self, forecast: Forecast, known: int, seen: int, cut: float = 0.0) -> None:
        """Learn that, of `seen` rows seen before, `known` were known to contain the term.

        `cut` is the log of the matching documents per received row.
        """
        were_whole = not self.reveal.is_partial
        self.reveal.learn(forecast.x, known, seen, cut * (1 - self._order.steadiness))
        if were_whole and self.reveal.is_partial:
            self._log_unseen = Regression(SNIPPET_PRIOR, SNIPPET_SD, SNIPPET_DRIFT)

    def bid(self, bounds: ReturnLimit, row_cost: float, rate: float, *, skips: bool) -> Bid:
        """Return all parameters for valuing terms; see `Bid`."""
        return Bid(
            self._log_unseen.beta,
            self._log_unseen.covariance,
            self.dispersion,
            self.reveal.beta,
            self.odds,
            float(bounds.most_rows),
            float(bounds.full_page),
            row_cost,
            rate,
            skips,
        )

    def foresee(self, seen: TermStatistics, number: int) -> Forecast:
        """Return the forecast for a term, whose df must be 1 or more."""
        x, base = gains.features(seen, number)
        df = int(seen.df[number])
        mean = float(base) + self._log_unseen.mean(x)
        noise = float(gains.noise(df, mean, self.dispersion))
        variance = noise + self._log_unseen.variance(x)
        known = df * self.reveal.ratio(x)
        return Forecast(df, x, mean - noise / 2, noise, variance, known, max(1, len(seen)))

    def count_error(self, relation: str) -> float:
        """Return the error variance of the log of the source's totals; inf if they say nothing."""
        if relation not in self._count_errors:
            return float("inf")
        loss, weight = self._count_errors[relation]
        return loss / weight

    def check_count(self, relation: str, reported: int, rows: int) -> None:
        """Compare a total with the rows of a complete answer.

        Once totals turn out to be useless, everything learned from cut answers is dropped.
        """
        if relation in self._count_errors:
            loss, weight = self._count_errors[relation]
            error = log((reported + 0.5) / (rows + 0.5)) ** 2
            was_useful = self.count_error(relation) < USEFUL_COUNT
            self._count_errors[relation] = (loss * DECAY + error, weight * DECAY + 1)
            if was_useful and self.count_error(relation) >= USEFUL_COUNT:
                self._log_odds = Regression(ODDS, ODDS_SD, ODDS_DRIFT)

    def learn(self, forecast: Forecast, unseen: float, variance: float = 0.0) -> None:
        """Learn a term's number of unseen documents; `variance` is the variance of log(unseen)."""
        self._log_unseen.widen()
        error = log(unseen + 0.5) - forecast.mean
        unsure = self._log_unseen.variance(forecast.x)
        spread = unsure + forecast.noise + variance
        surprise = max(1.0, (TAILS + error**2 / spread) / (TAILS + 1))
        spread = unsure + (forecast.noise + variance) * surprise
        self._log_unseen.move(forecast.x, error / spread, 1 / spread)
        unit = forecast.noise / self.dispersion
        excess = (error**2 - unsure - variance) / unit
        self._excess_sum = self._excess_sum * DECAY + min(excess, 10.0)
        self._excess_weight = self._excess_weight * DECAY + 1

    def learn_at_least(self, forecast: Forecast, unseen: float) -> None:
        """Learn that a term had at least this many unseen documents."""
        self._log_unseen.widen()
        spread = self._log_unseen.variance(forecast.x) + forecast.noise
        low = min((log(max(unseen, 0.5)) - forecast.mean) / sqrt(spread), 6.0)
        hazard = exp(-low * low / 2) / sqrt(2 * pi) / max(erfc(low / sqrt(2)) / 2, 1e-12)
        narrowed = spread * max(1 + low * hazard - hazard**2, 0.05)
        self._log_unseen.move(forecast.x, hazard / sqrt(spread), (spread - narrowed) / spread**2)

    def learn_from_rows(self, forecast: Forecast, df: float, limit: float, new: int) -> None:
        """Learn from the first k documents of an answer without a total.

        The seen documents among them, relative to all `df` seen ones, show how much of the answer
        was received (capture and recapture). This depends on u and on the order at once, so each
        estimate moves by its uncertainty; complete answers depend on u only.
        """
        unseen = exp(min(forecast.mean, 30.0))
        x = _order(df, unseen, limit, forecast.documents)
        said = forecast.mean - log(max(df, 0.5)) + self._log_odds.mean(x)
        said += float(self._expected_odds @ x)
        error = log((new + 0.5) / (limit - new + 0.5)) - said
        self._log_odds.widen()
        unsure = self._log_unseen.variance(forecast.x) + forecast.noise
        total = unsure + self._log_odds.variance(x) + self._chance(limit, new)
        self._log_unseen.move(forecast.x, error / total, 1 / total)
        self._log_odds.move(x, error / total, 1 / total)

    def learn_overflow(
        self,
        df: float,
        unseen: float,
        limit: float,
        documents: float,
        *,
        new: int,
        variance: float = 0.0,
    ) -> None:
        """Learn how many of the first k documents of an overflowing answer were new.

        Args:
            df: Seen documents that match.
            unseen: Other documents that match.
            limit: k.
            documents: Seen documents, whether or not they match.
            new: New documents among the k.
            variance: Variance of log(unseen), if that is not exact.
        """
        x = _order(df, unseen, limit, documents)
        shown = log((new + 0.5) / (limit - new + 0.5))
        held = log(max(unseen, 0.5) / max(df, 0.5)) + float(self._expected_odds @ x)
        self._log_odds.learn(x, shown - held, self._chance(limit, new) + variance)

    def _chance(self, limit: float, new: int) -> float:
        """Return the variance of the log odds of new documents among k."""
        own = HIDDEN_NOISE if self.reveal.is_partial else LEAST_NOISE
        return CLUSTERS * (1 / (new + 0.5) + 1 / (limit - new + 0.5)) + own


def _order(df: float, unseen: float, limit: float, documents: float) -> Floats:
    """Return the features in which the log odds of new documents among k are linear."""
    return np.array(gains.order(df, unseen, limit, documents))


EXACT = 0.01
"""A total is trusted if the error variance of its log is below this."""


class NextPage(NamedTuple):
    """The expected content of a query's next page.

    Attributes:
        new: New documents.
        rows: Rows, at most a full page.
        is_cut: Whether further pages probably follow it, or the return limit cuts it.
    """

    new: float
    rows: float
    is_cut: bool


def next_page(
    forecast: Forecast, total: Total | None, error: float, new: int, rows: int, bounds: ReturnLimit
) -> NextPage:
    """Return what to expect after `rows` rows of a query, of which `new` were new.

    Args:
        forecast: The forecast for the query.
        total: The source's total, or None.
        error: Error variance of the log of the source's totals.
        new: New documents so far.
        rows: Rows so far.
        bounds: The source's k and p.
    """
    totals, shares = _totals(forecast, total, error, rows + 1)
    is_cut = float(shares[totals > min(bounds.most_rows, rows + bounds.full_page)].sum()) > 0.5
    left = np.minimum(np.minimum(totals, bounds.most_rows) - rows, bounds.full_page)
    unseen = np.clip(totals - forecast.known - new, 0, None)
    gain = left * np.minimum(unseen / np.maximum(totals - rows, 1), 1)
    return NextPage(float(gain @ shares), float(left @ shares), is_cut)


def _totals(
    forecast: Forecast, total: Total | None, error: float, at_least: int
) -> tuple[Floats, Floats]:
    """Return possible values of D and their probabilities, from the forecast and the total."""
    totals, shares = forecast.totals(at_least)
    if total is None:
        return totals, shares
    reported = max(total.documents, at_least)
    if error < EXACT:
        return np.array([float(reported)]), np.ones(1)
    shares = shares * np.exp(-(np.log(totals / reported) ** 2) / (2 * error)) + 1e-12
    return totals, shares / shares.sum()
