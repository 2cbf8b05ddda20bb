"""One planner after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from longline.events import AnyEvent, Discrepancy, DocumentReceived
from longline.model import Finish, Request, Search
from longline.planner.reports import Reports, reports_of
from longline.ports import Policy


class InTurn(Reports):
    """Let one planner finish, and then ask another for what the first left.

    Args:
        first: Says how it ended.
        make_second: Called when the first has finished.
    """

    def __init__(self, first: Policy, make_second: Callable[[], Policy]) -> None:
        self._first = first
        self._reports = reports_of(first)
        self._make_second = make_second
        self._second: Policy | None = None
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

    # What is reported of the source is what the first planner reports.

    def discrepancies(self) -> tuple[Discrepancy, ...]:
        """Return all that did not add up so far."""
        return self._reports.discrepancies()

    def at_least(self) -> int:
        """Return how many documents disjoint queries have between them, by exact totals."""
        return self._reports.at_least()

    def believed_forms(self) -> str:
        """Return the rule by which the source takes forms of words for one, "" if for none."""
        return self._reports.believed_forms()

    def go_on(self, found: Sequence[DocumentReceived]) -> bool:
        """Let the first planner go on, where it can, and the second after it."""
        goes_on = self._reports.go_on(found)
        if goes_on:
            self._second = None
        return goes_on
