"""Policies written as a plan: a generator that yields actions and receives the answers."""

from collections.abc import Generator
from typing import Generic, TypeVar

from longline.model import Finish, Page, Search

Action = TypeVar("Action")
Answer = TypeVar("Answer")
Result = TypeVar("Result")

Asking = Generator[Search, Page | None, Result]
"""A part of a plan: it yields searches and receives their pages (None for a failure)."""


class GeneratorPolicy(Generic[Action, Answer]):
    """Follow a plan, one action at a time, to its end.

    A subclass has `tell`, which stores the answer to the last action in `came`.

    Args:
        plan: Yields actions, receives the answer to each (None for a failure), and returns why it
            ended.

    Attributes:
        came: The answer to the last action, until the plan receives it.

    >>> def plan():
    ...     word = yield "say a word"
    ...     return Finish(f"it was {word}")
    >>> planned = GeneratorPolicy(plan())
    >>> planned.next()
    'say a word'
    >>> planned.came = "web"
    >>> planned.next()
    Finish(reason='it was web')
    """

    def __init__(self, plan: Generator[Action, Answer | None, Finish]) -> None:
        self.begin(plan)

    def begin(self, plan: Generator[Action, Answer | None, Finish]) -> None:
        """Start another plan, after one that has ended."""
        self._plan = plan
        self._has_begun = False
        self._finish: Finish | None = None
        self.came: Answer | None = None

    def next(self) -> Action | Finish:
        """Return what is wanted next."""
        if self._finish is not None:
            return self._finish
        answer, self.came = self.came, None
        try:
            if self._has_begun:
                return self._plan.send(answer)
            self._has_begun = True
            return next(self._plan)
        except StopIteration as end:
            finish: Finish = end.value
            self._finish = finish
            return finish

    def stop(self, finish: Finish) -> None:
        """End the plan now; it has no effect if the plan has ended already."""
        if self._finish is None:
            self._plan.close()
            self._finish = finish
