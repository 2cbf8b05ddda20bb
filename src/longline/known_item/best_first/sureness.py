"""The confidence of an answer, from how often such answers were right."""

import math
from dataclasses import dataclass
from typing import NamedTuple


class Signs(NamedTuple):
    """The features that predict how often an answer is right.

    Attributes:
        odds: The search's own log odds.
        is_unnamed: Whether the page's name lacks some word of the query.
        has_extra: Whether its name has other words.
    """

    odds: float
    is_unnamed: bool
    has_extra: bool


@dataclass(frozen=True)
class Reported:
    """The confidence of an answer: a logistic regression of how often such answers were right.

    The odds alone are too high: the words of a name occur together, so a page on the same topic has
    most of them, while the page to find has all of them, and no others.

    Attributes:
        base: Log odds of being right, if the search's own odds are even.
        share: The weight of the search's own log odds, which count up to `most`.
        unnamed: Subtracted if the page's name lacks some word of the query.
        extra: Subtracted if its name has other words.

    Source: `python -m bench.sites.sureness`; docs/research/decisions/0060.
    """

    base: float = 2.9
    share: float = 0.27
    most: float = 8.0
    unnamed: float = 2.8
    extra: float = 1.4

    def confidence(self, signs: Signs) -> float:
        """Return the probability that an answer with these features is right.

        >>> [round(Reported().confidence(Signs(8.0, unnamed, False)), 2) for unnamed in (0, 1)]
        [0.99, 0.91]
        """
        odds = self.base + self.share * max(min(signs.odds, self.most), -self.most)
        odds -= self.unnamed * signs.is_unnamed + self.extra * signs.has_extra
        return 1 / (1 + math.exp(-odds))


REPORTED = Reported()
"""The fitted values."""
