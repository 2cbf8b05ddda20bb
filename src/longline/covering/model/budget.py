"""How long a method may search, counted by itself or by a clock of the caller's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from longline.errors import InputError


@dataclass(frozen=True)
class Progress:
    """What a method that searches has so far.

    Attributes:
        method: Which method reports.
        share: How much of its budget is spent, 0 to 1.
        cost: What its best cover costs.
    """

    method: str
    share: float
    cost: float


@dataclass(frozen=True)
class Budget:
    """Iterations, seconds, or both: whichever is spent first.

    Iterations alone make a run repeat exactly: one seed, one answer, on any machine. This room
    reads no clock of its own; a limit in seconds brings one along, such as `time.monotonic`, or
    `time.process_time` where other work shares the machine.

    Attributes:
        iterations: At most so many. What one is, each method says.
        seconds: At most so long, by `clock`, from `begin`.
        clock: Tells the time in seconds.
        begin: The time at the start.

    Raises:
        InputError: A limit in seconds without a clock, which would never end.
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
        """Say how much is spent after so many iterations: 1 or more means stop.

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
        """Take this many iterations where neither they nor seconds are limited."""
        return Budget(iterations) if self.iterations is self.seconds is None else self

    def part(self, share: float, iterations: int | None = None) -> Budget:
        """Give a share of what is left of the time, and iterations as stated.

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
        InputError: A negative limit, nan, or seconds without a clock.
    """
    if iterations is not None and iterations < 0:
        raise InputError(f"a budget of {iterations} iterations", advice="give 0 or more")
    if seconds is None:
        return Budget(iterations)
    if not seconds >= 0:
        raise InputError(f"a time limit of {seconds} s", advice="give 0 or more")
    return Budget(iterations, seconds, clock, 0.0 if clock is None else clock())
