"""A bound on requests that holds for all that runs within it, whatever that is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from longline.errors import BudgetSpent
from longline.text.numbers import all_of


class Allowance:
    """Requests that may be sent within a block of code; made by `allowing`.

    Args:
        requests: In all, to any host.
        outer: The allowance of the block around it, which counts as well.
        advice: What to do when they are spent.

    Attributes:
        requests: That may be sent.
        spent: That were sent, or were about to be.

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
        """How many more may be sent."""
        left = self.requests - self.spent
        return left if self._outer is None else min(left, self._outer.left)

    def check(self) -> None:
        """Do nothing while one more may be sent.

        Raises:
            BudgetSpent: None may be sent any more.
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
            BudgetSpent: It is one too many; nothing was counted.
        """
        self.check()
        within: Allowance | None = self
        while within is not None:
            within.spent += 1
            within = within._outer


_within: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def allowing(requests: int, advice: str = "allow more") -> Iterator[Allowance]:
    """Let what runs within, and in tasks that begin there, send so many requests at most.

    Robots.txt, redirects and tries again count, too. A harvest that meets the bound stops short,
    as at a budget of its own. Blocks may stand in each other: each bound holds.

    Args:
        requests: In all, to any host.
        advice: What to do when they are spent.

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
    """Count a request that is about to be sent in every allowance around it.

    Raises:
        BudgetSpent: It is one too many.
    """
    allowance = _within.get()
    if allowance is not None:
        allowance.spend()
