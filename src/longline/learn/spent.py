"""What it costs to find and learn a source."""

from longline.errors import BudgetSpent, option
from longline.text.numbers import all_of

MAX_REQUESTS = 40
LEAST_REQUESTS = 30
"""Minimum number of requests for learning a search or a list, whatever was spent before."""


class Spent:
    """Counts what finding and learning a source costs.

    Attributes:
        requests: HTTP requests sent.
        body_bytes: Size of their responses, in bytes.
        most: Limit of requests; None for no limit.
        advice: What the user can do if they are spent.
    """

    def __init__(self, most: int | None = None, advice: str = "") -> None:
        self.requests = 0
        self.body_bytes = 0
        self.most = most
        self.advice = advice or f"raise {option('max_requests')}"

    @property
    def left(self) -> int:
        """How many more requests learning may cost, if nothing else is said."""
        return self.bound(max(MAX_REQUESTS - self.requests, LEAST_REQUESTS))

    def bound(self, requests: int) -> int:
        """Return the given number of requests, or the number left if that is smaller."""
        return requests if self.most is None else min(requests, self.most - self.requests)

    def send(self) -> None:
        """Count a request before it is sent.

        Raises:
            BudgetSpent: It would exceed the limit.
        """
        if self.most is not None and self.requests >= self.most:
            noun, nouns = "request that was allowed is", "requests that were allowed are"
            spent = f"{all_of(self.most, noun, nouns)} spent" if self.most else "no request is left"
            raise BudgetSpent(spent, advice=self.advice)
        self.requests += 1

    def receive(self, body_bytes: int) -> None:
        """Count the size of a response."""
        self.body_bytes += body_bytes
