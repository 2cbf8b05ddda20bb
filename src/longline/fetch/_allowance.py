"""A limit on requests for all code that runs within a block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from longline.errors import BudgetSpent
from longline.text.numbers import all_of


class Allowance:
    """The number of requests allowed within a block of code; made by `allowing`.

    Args:
        requests: Maximum in all, to any host.
        outer: The allowance of the enclosing block, which also counts.
        advice: Advice in the error when they are spent.

    Attributes:
        requests: Maximum number of requests.
        spent: Requests sent, or about to be sent.

    >>> outer = Allowance(3)
    >>> inner = Allowance(5, outer)
    >>> inner.spend()
    >>> outer.spent, inner.left
    (1, 2)
    """

    def __init__(
        self, requests: int, outer: Allowance | None = None, advice: str = "allow more"
    ) -> None:
        self.requests = requests
        self._advice = advice
        self.spent = 0
        self._outer = outer

    @property
    def left(self) -> int:
        """Number of requests left."""
        left = self.requests - self.spent
        return left if self._outer is None else min(left, self._outer.left)

    def check(self) -> None:
        """Check that one more request may be sent.

        Raises:
            BudgetSpent: No more may be sent.
        """
        if self._outer is not None:
            self._outer.check()
        if self.spent >= self.requests:
            spent = all_of(
                self.requests, "request that was allowed is", "requests that were allowed are"
            )
            raise BudgetSpent(f"{spent} spent", advice=self._advice)

    def spend(self) -> None:
        """Count a request that is about to be sent.

        Raises:
            BudgetSpent: It exceeds the limit; nothing was counted.
        """
        self.check()
        within: Allowance | None = self
        while within is not None:
            within.spent += 1
            within = within._outer


_within: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def allowing(requests: int, advice: str = "allow more") -> Iterator[Allowance]:
    """Limit the requests sent by code within this block, and by tasks started there.

    Robots.txt, redirects and retries count, too. A harvest that reaches the limit stops early, as
    with its own budget. Blocks may be nested: all limits apply.

    Args:
        requests: Maximum in all, to any host.
        advice: Advice in the error when they are spent.

    Example:
        >>> import longline
        >>> from longline.api import allowing
        >>> with longline.demo_site() as url, allowing(50) as allowance:
        ...     harvest = longline.harvest(url, folder, allow_private=True)
        >>> allowance.left, harvest.certificate.requests
        (0, 50)
    """
    allowance = Allowance(requests, _within.get(), advice)
    token = _within.set(allowance)
    try:
        yield allowance
    finally:
        _within.reset(token)


def spend() -> None:
    """Count a request about to be sent in every enclosing allowance.

    Raises:
        BudgetSpent: It exceeds a limit.
    """
    allowance = _within.get()
    if allowance is not None:
        allowance.spend()
