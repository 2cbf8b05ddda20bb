"""The limits of a search, in iterations or by a clock that the caller passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from longline.errors import InputError


@dataclass(frozen=True)
class Progress:
    """The state of a method that searches.

    Attributes:
        method: The method that reports.
        share: The share of its budget that is spent, 0 to 1.
        cost: The cost of its best cover.
    """

    method: str
    share: float
    cost: float


@dataclass(frozen=True)
class Budget:
    """Iterations, seconds, or both: whichever is spent first.

    With iterations alone a run is reproducible: one seed, one answer, on any machine. This package
    uses no clock of its own; a limit in seconds needs one, such as `time.monotonic`, or
    `time.process_time` if other work shares the machine.

    Attributes:
        iterations: The most iterations. Each method defines what one is.
        seconds: The most time by `clock`, from `begin`.
        clock: Returns the time in seconds.
        begin: The time at the start.

    Raises:
        InputError: There is a limit in seconds without a clock, which would never end.
    """

    iterations: int | None = None
    seconds: float | None = None
    clock: Callable[[], float] | None = None
    begin: float = 0.0

    def __post_init__(self) -> None:
        if self.seconds is not None and self.clock is None:
            advice = "pass clock=time.monotonic, or limit iterations"
            raise InputError("a time limit has no clock", advice=advice)

    def spent(self, iterations: int) -> float:
        """Return the share spent after a number of iterations: 1 or more means stop.

        >>> Budget(iterations=50).spent(20)
        0.4
        """
        share = 0.0
        if self.iterations is not None:
            share = iterations / self.iterations if self.iterations > 0 else 1.0
        if self.seconds is not None and self.clock is not None:
            elapsed = self.clock() - self.begin
            share = max(share, elapsed / self.seconds if self.seconds > 0 else 1.0)
        return share

    def or_iterations(self, iterations: int) -> Budget:
        """Return a budget of this many iterations if neither iterations nor seconds are limited."""
        return Budget(iterations) if self.iterations is self.seconds is None else self

    def part(self, share: float, iterations: int | None = None) -> Budget:
        """Return a budget with a share of the remaining time, and the given iterations.

        >>> Budget(seconds=8.0, clock=lambda: 102.0, begin=100.0).part(0.5).seconds
        3.0
        """
        if self.seconds is None or self.clock is None:
            return Budget(iterations)
        now = self.clock()
        left = max(0.0, self.seconds - (now - self.begin))
        return Budget(iterations, left * share, self.clock, now)


def budget_of(
    iterations: int | None, seconds: float | None, clock: Callable[[], float] | None
) -> Budget:
    """Check the limits, and start the clock.

    Raises:
        InputError: A limit is negative or nan, or seconds have no clock.
    """
    if iterations is not None and iterations < 0:
        raise InputError(f"a budget of {iterations} iterations", advice="give 0 or more")
    if seconds is None:
        return Budget(iterations)
    if not seconds >= 0:
        raise InputError(f"a time limit of {seconds} s", advice="give 0 or more")
    return Budget(iterations, seconds, clock, 0.0 if clock is None else clock())
