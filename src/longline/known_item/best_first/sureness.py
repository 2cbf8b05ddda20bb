"""How sure an answer is, by how often such answers were right."""

import math
from dataclasses import dataclass
from typing import NamedTuple


class Signs(NamedTuple):
    """What tells how often such an answer is right.

    Attributes:
        odds: The search's own log odds.
        is_unnamed: The page is not called by some word of the query.
        has_extra: Its name has other words.
    """

    odds: float
    is_unnamed: bool
    has_extra: bool


@dataclass(frozen=True)
class Reported:
    """How sure an answer is: a logistic regression of how often such answers were right.

    The odds alone are too sure: the words of a name come together, so that a page about the same
    thing has most of them, and the page that is meant has them all, and no other.

    Attributes:
        base: Log odds of being right, where the search's own odds are even.
        share: What each of the search's own log odds adds, up to `most` of them.
        unnamed: What takes away, if the page is not called by some word of the query.
        extra: What takes away, if its name has other words.

    Source: `python -m bench.sites.sureness`; docs/research/decisions/0060.
    """

    base: float = 2.9
    share: float = 0.27
    most: float = 8.0
    unnamed: float = 2.8
    extra: float = 1.4

    def confidence(self, signs: Signs) -> float:
        """Return the probability that an answer with these signs is right.

        >>> [round(Reported().confidence(Signs(8.0, unnamed, False)), 2) for unnamed in (0, 1)]
        [0.99, 0.91]
        """
        odds = self.base + self.share * max(min(signs.odds, self.most), -self.most)
        odds -= self.unnamed * signs.is_unnamed + self.extra * signs.has_extra
        return 1 / (1 + math.exp(-odds))


REPORTED = Reported()
"""As it was fitted."""
