"""When to try again, and after how long. Pure but for the generator."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import numpy as np

RETRIED = frozenset({429, 500, 502, 503, 504})


def retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds that a Retry-After header asks to wait; None where it asks nothing sane.

    Args:
        value: Whole seconds, or an HTTP date.
        now: With a time zone.

    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> retry_after("120", now), retry_after("Thu, 01 Jan 2026 00:00:30 GMT", now)
    (120.0, 30.0)
    >>> retry_after("-5", now), retry_after("soon", now)
    (None, None)
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        # A year's worth of digits overflows nothing here, but may not be a float.
        return float(text[:15])
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    seconds = (date - now).total_seconds()
    return seconds if seconds >= 0 else None


def backoff(
    attempt: int, *, base_seconds: float, most_seconds: float, rng: np.random.Generator
) -> float:
    """Return the seconds to wait before try `attempt + 1`: doubled each time, and jittered.

    Args:
        attempt: Tries so far, from 1.
        base_seconds: The mean of the first wait.
        most_seconds: No wait is longer.
        rng: Jitters by half, so that many clients do not come back together.

    >>> wait = backoff(3, base_seconds=1, most_seconds=60, rng=np.random.default_rng(0))
    >>> 2 <= wait <= 6
    True
    """
    doubled = base_seconds * 2.0 ** min(attempt - 1, 30)
    return min(most_seconds, doubled * float(rng.uniform(0.5, 1.5)))
