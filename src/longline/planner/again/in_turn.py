"""One planner after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from longline.events import AnyEvent
from longline.model import Finish, Request, Search
from longline.ports import Thinker


class InTurn:
    """Let one planner finish, and then ask another for what the first left.

    Args:
        first: Says how it ended.
        make_second: Called when the first has finished.
    """

    def __init__(self, first: Thinker, make_second: Callable[[], Thinker]) -> None:
        self._first = first
        self._make_second = make_second
        self._second: Thinker | None = None
        self._finish: Finish | None = None

    def next(self) -> Search | Request | Finish:
        """Say what is wanted next."""
        if self._second is None:
            action = self._first.next()
            if not isinstance(action, Finish):
                return action
            self._finish, self._second = action, self._make_second()
        action = self._second.next()
        return self._finish if isinstance(action, Finish) and self._finish else action

    def tell(self, event: AnyEvent) -> None:
        """Tell the planner whose turn it is."""
        (self._second or self._first).tell(event)

    def __getattr__(self, name: str) -> Any:
        """Report what the first planner reports of the source."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._first, name)
