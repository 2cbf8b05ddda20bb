"""How a harvest goes, in a line."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from longline.cli._progress import Tell
from longline.text.numbers import span

if TYPE_CHECKING:
    from longline.api import Ledger
    from longline.events import AnyEvent

ENOUGH_FOR_A_PACE = 20
"""Documents of a run after which it is said how long the rest takes."""


def progress(tell: Tell, most: int | None = None) -> Callable[[AnyEvent, Ledger], None]:
    """Return what shows how a harvest goes.

    Args:
        tell: Shows it.
        most: Requests that it may send.
    """
    begun: list[tuple[int, int, float]] = []

    def observe(event: AnyEvent, ledger: Ledger) -> None:
        if not begun:
            begun.append((ledger.documents, ledger.requests - 1, time.monotonic()))
        documents, requests, started = begun[0]
        pace = Pace(
            ledger.documents - documents,
            ledger.requests - requests,
            max(time.monotonic() - started, 1e-3),
        )
        tell(state(ledger, pace, most), ledger.documents, ledger.expected_size)

    return observe


class Pace(NamedTuple):
    """What came in a run by now, and in how many seconds."""

    documents: int
    requests: int
    seconds: float


def state(ledger: Ledger, pace: Pace, most: int | None = None) -> str:
    """Say in a line how a harvest stands; what is left takes no less time than what came.

    What matters most comes first: a narrow terminal shows only the beginning.
    """
    from longline.api import saved_of

    size = ledger.expected_size
    parts = [saved_of(ledger.documents, ledger.believed())]
    parts.append(f"{ledger.requests:,}{f' of {most:,}' if most else ''} requests")
    if size and pace.documents >= ENOUGH_FOR_A_PACE:
        left = (size - ledger.documents) * pace.seconds / pace.documents
        if left >= 1:
            parts.append(f"at least {span(left)} left")
    if ledger.documents_failed:
        parts.append(f"{ledger.documents_failed:,} failed")
    rate = pace.requests / pace.seconds
    parts.append(f"{rate:.{0 if rate >= 10 else 1}f}/s")
    if ledger.rows_received:
        parts.append(f"each {ledger.overlapping_rate:.2f} times")
    return ", ".join(parts)
