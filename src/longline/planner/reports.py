"""What a planner can say of its source, beside what it asks for."""

from collections.abc import Sequence

from longline.events import Discrepancy, DocumentReceived, SizeEstimate
from longline.model import Query
from longline.ports import Policy


class Reports:
    """Nothing is known, unless a planner says otherwise."""

    def discrepancies(self) -> tuple[Discrepancy, ...]:
        """Return all that did not add up so far."""
        return ()

    def at_least(self) -> int:
        """Return how many documents disjoint queries have between them, by exact totals."""
        return 0

    def listed(self) -> int:
        """Return how many documents the source's own list of all names; 0 where it has none."""
        return 0

    def size(self) -> SizeEstimate | None:
        """Return how many documents there are, where the source says it with every answer."""
        return None

    def split(self) -> tuple[Query, ...]:
        """Return the queries that overflow, and whose parts were asked for instead."""
        return ()

    def believed_forms(self) -> str:
        """Return the rule by which the source takes forms of words for one, "" if for none."""
        return ""

    def go_on(self, found: Sequence[DocumentReceived]) -> bool:
        """Go on, after documents were left behind; False where there is nothing to go on by.

        Args:
            found: Documents that only test searches brought, held from now on where it goes on.
        """
        return False


def reports_of(policy: Policy) -> Reports:
    """Return what a policy reports; nothing where it is no planner that does."""
    return policy if isinstance(policy, Reports) else Reports()
