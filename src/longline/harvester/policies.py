"""The policies of a run, one after the other."""

from __future__ import annotations

from collections.abc import Callable

from longline.events import Concluded
from longline.planner.measure import Measured
from longline.planner.probe import FieldAware


class Policies:
    """Makes the policies of a run, one after the other, and lets the newest conclude.

    Args:
        make: Makes one.
        concludes: False concludes nothing, where a run only tries again what failed.
    """

    def __init__(self, make: Callable[[], FieldAware[Measured]], *, concludes: bool) -> None:
        self._make = make
        self._concludes = concludes
        self._policy: FieldAware[Measured] | None = None

    def renew(self) -> FieldAware[Measured]:
        """Return a fresh policy."""
        self._policy = self._make()
        return self._policy

    def conclude(self, is_over: bool) -> Concluded | None:
        """Return what the newest policy has to say, if that is new."""
        if self._policy is None or not self._concludes:
            return None
        return self._policy.policy.conclude(is_over)
