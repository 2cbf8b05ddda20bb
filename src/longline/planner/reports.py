"""What a planner can report about its source."""

from collections.abc import Sequence

from longline.events import Discrepancy, DocumentReceived, SizeEstimate
from longline.model import Query
from longline.ports import Policy


class Reports:
    """Default reports of a planner: nothing is known."""

    def discrepancies(self) -> tuple[Discrepancy, ...]:
        """Return all discrepancies found so far."""
        return ()

    def at_least(self) -> int:
        """Return how many documents disjoint queries match together, by exact totals."""
        return 0

    def listed(self) -> int:
        """Return how many documents the source's complete list names, or 0 if it has none."""
        return 0

    def size(self) -> SizeEstimate | None:
        """Return the number of documents, if every answer of the source gives it; else None."""
        return None

    def split(self) -> tuple[Query, ...]:
        """Return the overflowing queries that were replaced by queries for their parts."""
        return ()

    def believed_forms(self) -> str:
        """Return the rule by which the source merges word forms, or "" if it merges none."""
        return ""

    def go_on(self, found: Sequence[DocumentReceived]) -> bool:
        """Continue after documents were missed; return False if there is nothing to continue with.

        Args:
            found: Documents that only test searches found; from then on the planner holds them.
        """
        return False


def reports_of(policy: Policy) -> Reports:
    """Return a policy's reports, or empty ones if it reports nothing."""
    return policy if isinstance(policy, Reports) else Reports()
