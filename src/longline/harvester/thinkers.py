"""The thinkers of a run, one after the other."""

from __future__ import annotations

from collections.abc import Callable

from longline.events import Concluded
from longline.planner.measure import Measured
from longline.planner.probe import FieldAware


class Thinkers:
    """Makes the thinkers of a run, one after the other, and lets the newest conclude.

    Args:
        make: Makes one.
        concludes: False concludes nothing, where a run only tries again what failed.
    """

    def __init__(self, make: Callable[[], FieldAware[Measured]], *, concludes: bool) -> None:
        self._make = make
        self._concludes = concludes
        self._thinker: FieldAware[Measured] | None = None

    def renew(self) -> FieldAware[Measured]:
        """Return a fresh thinker."""
        self._thinker = self._make()
        return self._thinker

    def conclude(self, is_over: bool) -> Concluded | None:
        """Return what the newest thinker has to say, if that is new."""
        if self._thinker is None or not self._concludes:
            return None
        return self._thinker.thinker.conclude(is_over)
