"""The budget of a harvest: checked before each request, so that no limit is exceeded."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from math import ceil

import msgspec

from longline.errors import BudgetSpent
from longline.text.numbers import all_of

Clock = Callable[[], float]
Now = Callable[[], datetime]

AGAIN = "run it again to continue"


class Allowed(msgspec.Struct, frozen=True, kw_only=True):
    """Limits; None for no limit.

    Attributes:
        requests: Of the entire harvest, including earlier runs.
        body_bytes: Of all answers of the harvest.
        seconds: Of this run.
        requests_per_day: From midnight to midnight, UTC.
        reserve: How many of those are left for others.
    """

    requests: int | None = None
    body_bytes: int | None = None
    seconds: float | None = None
    requests_per_day: int | None = None
    reserve: int = 0


class Used(msgspec.Struct, kw_only=True):
    """What was used so far, with the same names."""

    requests: int = 0
    body_bytes: int = 0
    requests_today: int = 0


class Budget:
    """Count requests before they are sent, so that none exceeds the limit.

    Bytes and seconds are checked before each request, too; an answer in progress is read to its
    end, so they can be exceeded by the current answers only.

    Args:
        allowed: The limits.
        used: By earlier runs.
        clock: Returns the seconds of this run; needed for `seconds`.
        now: Returns the time, UTC; needed for `requests_per_day`.
        left: Returns how many more requests the harvest needs, or None if unknown.

    >>> budget = Budget(Allowed(requests=1))
    >>> budget.spend()
    >>> budget.spend()
    Traceback (most recent call last):
        ...
    longline.errors.BudgetSpent: the 1 request of the budget is spent; allow more, \
and run it again to continue
    """

    def __init__(
        self,
        allowed: Allowed | None = None,
        used: Used | None = None,
        *,
        clock: Clock = lambda: 0.0,
        now: Now = lambda: datetime.fromtimestamp(0, UTC),
        left: Callable[[], int | None] = lambda: None,
    ) -> None:
        self.allowed = allowed or Allowed()
        self.used = used or Used()
        self._clock = clock
        self._now = now
        self._left = left
        self._day = now().date()
        self._unrecorded = 0

    @property
    def seconds(self) -> float:
        """Seconds this run has taken."""
        return self._clock()

    def spend(self) -> None:
        """Take one request from the budget.

        Raises:
            BudgetSpent: There is none left; nothing was taken.
        """
        self._check_totals()
        self._check_day()
        self.used.requests += 1
        self.used.requests_today += 1

    def receive(self, body_bytes: int) -> None:
        """Count an answer's bytes."""
        self.used.body_bytes += body_bytes
        self._unrecorded += body_bytes

    def unrecorded_bytes(self) -> int:
        """Return the bytes received since the last call."""
        found, self._unrecorded = self._unrecorded, 0
        return found

    def _check_totals(self) -> None:
        allowed, used = self.allowed, self.used
        if allowed.requests is not None and used.requests >= allowed.requests:
            spent = all_of(
                allowed.requests, "request of the budget is", "requests of the budget are"
            )
            raise BudgetSpent(f"{spent} spent", advice=f"allow more, and {AGAIN}")
        if allowed.body_bytes is not None and used.body_bytes >= allowed.body_bytes:
            raise BudgetSpent(
                f"{used.body_bytes:,} bytes were received, of {allowed.body_bytes:,} allowed",
                advice=f"allow more, and {AGAIN}",
            )
        if allowed.seconds is not None and self.seconds >= allowed.seconds:
            raise BudgetSpent(
                f"the time of the budget is over ({allowed.seconds:g} s)", advice=AGAIN
            )

    def _check_day(self) -> None:
        allowed = self.allowed
        if allowed.requests_per_day is None:
            return
        today = self._now().date()
        if today != self._day:
            self._day, self.used.requests_today = today, 0
        a_day = allowed.requests_per_day - allowed.reserve
        if self.used.requests_today >= a_day:
            kept = f", {allowed.reserve:,} of them kept back" if allowed.reserve else ""
            tomorrow = today + timedelta(days=1)
            raise BudgetSpent(
                f"today's {allowed.requests_per_day:,} requests are spent{kept}; "
                f"{_outlook(self._left(), a_day, tomorrow)}",
                advice=f"run it again from {tomorrow} 00:00 UTC on",
            )


def requests_left(documents: int, size: int | None, requests: int) -> int | None:
    """Return how many more requests a harvest needs, at its average cost per document so far.

    Args:
        documents: Held.
        size: Documents of the source, given or estimated; None if unknown.
        requests: Sent.

    Returns:
        None if unknown: no size, no documents yet, or as many documents as the size.

    >>> requests_left(200, 1000, 250), requests_left(200, None, 250), requests_left(9, 9, 20)
    (1000, None, None)
    """
    if size is None or not 0 < documents < size:
        return None
    return ceil((size - documents) * requests / documents)


def _outlook(left: int | None, a_day: int, first: date) -> str:
    """Say when a harvest with this many requests a day will end.

    >>> _outlook(1000, 300, date(2026, 3, 1))
    'about 1,000 more are expected, the last of them on 2026-03-04'
    """
    if left is None:
        return "how many more it takes is not known"
    last = first + timedelta(days=ceil(left / a_day) - 1)
    return f"about {left:,} more are expected, the last of them on {last}"
