"""Share out a counted answer between seen and unseen documents, where neither is known."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LOG_ODDS = np.linspace(-12.0, 10.0, 881)
"""Of a document's being unseen: the values that are weighed against each other."""

LEAST_TOLD = 0.01
"""What narrows a guess by less, as a share of its precision, tells nothing."""

LEAST_VARIANCE = 1e-4
"""The values are weighed in steps of .025: nothing is known better."""


@dataclass(frozen=True)
class Guess:
    """What is thought of a number of documents.

    Attributes:
        log: Its logarithm.
        variance: Of that.
    """

    log: float
    variance: float


@dataclass(frozen=True)
class Shares:
    """How many of an answer's documents are unseen.

    Attributes:
        total: Documents of the answer.
        log_odds, variance: Of a document's being unseen.
        said: What the count alone says of the number of those; None where that is nothing.
    """

    total: float
    log_odds: float
    variance: float
    said: Guess | None

    @property
    def unseen(self) -> float:
        """Documents that were not seen before the answer."""
        return self.total / (1 + exp(-self.log_odds))


def share_out(total: float, seen: Guess, unseen: Guess, at_least: tuple[int, int]) -> Shares:
    """Share out `total` documents by how sure each of two guesses is.

    Args:
        total: Documents that match.
        seen: What was thought of those that were seen, before the count came.
        unseen: What was thought of the others.
        at_least: Rows that came of either.

    >>> shares = share_out(200, Guess(np.log(50), 0.25), Guess(np.log(50), 0.01), (20, 30))
    >>> round(shares.unseen)
    51
    """
    others = total / (1 + np.exp(-LOG_ODDS))
    held = total - others
    loss = (np.log(held) - seen.log) ** 2 / seen.variance
    loss += (np.log(others) - unseen.log) ** 2 / unseen.variance
    fits = (held > at_least[0] - 0.5) & (others > at_least[1] - 0.5)
    if fits.any():
        loss[~fits] = np.inf
    weight = np.exp((loss.min() - loss) / 2)
    odds, now = _moments(weight, LOG_ODDS), _moments(weight, np.log(others))
    return Shares(total, odds.log, odds.variance, _told(unseen, now))


def _moments(weight: Floats, values: Floats) -> Guess:
    mean = float(weight @ values / weight.sum())
    return Guess(mean, float(weight @ (values - mean) ** 2 / weight.sum()))


def _told(before: Guess, now: Guess) -> Guess | None:
    """Return the observation that moves one guess to the other, None where it tells nothing."""
    variance = max(now.variance, LEAST_VARIANCE)
    told = 1 / variance - 1 / before.variance
    if told * before.variance < LEAST_TOLD:
        return None
    return Guess((now.log / variance - before.log / before.variance) / told, 1 / told)
