"""When to retry, after how long, and what to advise instead. Pure but for the random generator."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Literal, NamedTuple

import numpy as np

Trouble = Literal["fast", "busy", "broken", "slow"]
"""Why a try failed: requests came too fast, the site is overloaded, the answer is broken, or it
took too long."""

RETRIED: Mapping[int, Trouble] = {
    429: "fast",
    500: "broken",
    502: "busy",
    503: "busy",
    504: "busy",
}

STUBBORN_TRIES = 2
"""Maximum tries if answers are broken or slow: a second failure is usually permanent."""

FAST_WAITS = 3.0, 12.0, 48.0
"""Waits if requests came too fast, as factors; the last one for all later tries, too. Many sites
count requests over a minute."""

ABSURD_SECONDS = 31 * 86400.0
"""Longer waits are ignored: no quota covers more than a month."""

SAME_WINDOW_SECONDS = 2.0
"""Reset times of a quota that differ by less are the same: sites write whole seconds."""

EPOCH_SECONDS = 10**9
"""Numbers of seconds from here on count from 1970, not from now."""

_PREFIXES = ("x-ratelimit-", "x-rate-limit-", "ratelimit-")
_RESETS = ("reset", "reset-after", "resettime")
_LEFT = re.compile(r"\b(?:r|remaining)\s*=\s*(\d{1,12})")
_RESET = re.compile(r"\b(?:t|reset)\s*=\s*(\d{1,9})")
_NUMBER = re.compile(r"\d{1,15}(?:\.\d{1,9})?", re.ASCII)


def asked_wait(status: int, headers: Mapping[str, str], now: datetime) -> tuple[float, str] | None:
    """Return the seconds that an answer asks to wait, and its wording, or None if it does not.

    Retry-After comes first, then the end of a quota that is used up. A 403 counts only with
    Retry-After, or if it says that no requests are left.

    Args:
        status: HTTP status of a refusal.
        headers: By lowercase names.
        now: With a time zone.

    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> asked_wait(429, {"retry-after": "120"}, now)
    (120.0, '429, Retry-After 120')
    >>> asked_wait(403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767225630"}, now)
    (30.0, '403, X-RateLimit-Reset 1767225630')
    >>> asked_wait(403, {"x-ratelimit-remaining": "7", "x-ratelimit-reset": "1767225630"}, now)
    """
    if status != 403 and status not in RETRIED:
        return None
    found = retry_after(headers.get("retry-after"), now)
    if found is not None:
        return found, _said(status, "retry-after", headers)
    for prefix in _PREFIXES:
        left = headers.get(f"{prefix}remaining", "1" if status == 403 else "0").strip()
        if not _NUMBER.fullmatch(left) or float(left) >= 1:
            continue
        for name in (f"{prefix}{reset}" for reset in _RESETS):
            seconds = _time_left(headers.get(name, ""), now)
            if seconds is not None:
                return seconds, _said(status, name, headers)
    return None


class Quota(NamedTuple):
    """How many requests a source still allows, within its time window.

    Attributes:
        left: Requests left.
        seconds: Seconds until the window ends.
        said: Its header, for people.
    """

    left: int
    seconds: float
    said: str


class RequestsLeft:
    """How many requests a source still accepts until its quota is renewed, as far as known."""

    def __init__(self) -> None:
        self._quota: tuple[int, float, str] | None = None  # left, until when, its wording

    def told(self, quota: Quota, now: float) -> None:
        """Record how many requests are left; it may not count requests in flight yet."""
        until = now + quota.seconds
        left = quota.left
        if self._quota is not None and abs(self._quota[1] - until) < SAME_WINDOW_SECONDS:
            left = min(left, self._quota[0])
        self._quota = (left, until, quota.said)

    def spent(self, now: float) -> tuple[float, str] | None:
        """Take one request from the quota; if none is left, return how long to wait, and why.

        >>> left = RequestsLeft()
        >>> left.told(Quota(1, 30.0, "X-RateLimit-Remaining 1"), now=0.0)
        >>> left.spent(now=1.0), left.spent(now=2.0), left.spent(now=31.0)
        (None, (28.0, 'X-RateLimit-Remaining 1'), None)
        """
        if self._quota is None or self._quota[1] <= now:
            self._quota = None
            return None
        left, until, said = self._quota
        if left <= 0:
            return until - now, said
        self._quota = (left - 1, until, said)
        return None


def quota_of(headers: Mapping[str, str], now: datetime) -> Quota | None:
    """Return the quota in an answer's headers, or None if there is none with an end.

    Args:
        headers: By lowercase names.
        now: With a time zone.

    Source: the headers' older names; draft-ietf-httpapi-ratelimit-headers, in both of its forms.

    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> quota_of({"x-ratelimit-remaining": "3", "x-ratelimit-reset": "30"}, now)
    Quota(left=3, seconds=30.0, said='X-RateLimit-Remaining 3')
    >>> quota_of({"ratelimit": '"hour";r=0;t=12'}, now)[:2]
    (0, 12.0)
    """
    for prefix in _PREFIXES:
        left = headers.get(f"{prefix}remaining", "").strip()
        if not _NUMBER.fullmatch(left):
            continue
        resets = (_time_left(headers.get(f"{prefix}{reset}", ""), now) for reset in _RESETS)
        seconds = next((each for each in resets if each is not None), None)
        if seconds is not None:
            name = f"{prefix}remaining".title().replace("limit", "Limit")
            return Quota(int(float(left)), seconds, f"{name} {left}")
    whole = headers.get("ratelimit", "")
    left_said, reset_said = _LEFT.search(whole), _RESET.search(whole)
    if left_said is None or reset_said is None:
        return None
    return Quota(int(left_said[1]), float(reset_said[1]), f"RateLimit {whole[:40]}")


def retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds that a Retry-After header asks to wait, or None if invalid or absurd.

    Args:
        value: Whole seconds, or an HTTP date.
        now: With a time zone.

    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> retry_after("120", now), retry_after("Thu, 01 Jan 2026 00:00:30 GMT", now)
    (120.0, 30.0)
    >>> retry_after("-5", now), retry_after("soon", now), retry_after("99999999", now)
    (None, None, None)
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        # The first digits are enough to see that the number is too large.
        return _sane(float(text[:15]))
    return _until(text, now)


def _time_left(value: str, now: datetime) -> float | None:
    """Read the end of a time window, written as a time or as seconds from now; None if invalid."""
    text = value.strip()
    if not _NUMBER.fullmatch(text):
        return _until(text, now)
    number = float(text)
    return _sane(number - now.timestamp() if number >= EPOCH_SECONDS else number)


def _until(text: str, now: datetime) -> float | None:
    """Return the seconds until a date in HTTP or ISO 8601 format, or None if it is invalid."""
    try:
        date = datetime.fromisoformat(text) if text[:4].isdigit() else parsedate_to_datetime(text)
        if date.tzinfo is None:
            date = date.replace(tzinfo=UTC)
        return _sane((date - now) / timedelta(seconds=1))
    except (ValueError, TypeError, OverflowError):
        return None


def _sane(seconds: float) -> float | None:
    return seconds if 0 <= seconds <= ABSURD_SECONDS else None


def _said(status: int, name: str, headers: Mapping[str, str]) -> str:
    """Quote an answer for people, with the header's name as sites write it.

    >>> _said(429, "x-ratelimit-reset", {"x-ratelimit-reset": "30"})
    '429, X-RateLimit-Reset 30'
    """
    return f"{status}, {name.title().replace('limit', 'Limit')} {headers[name].strip()[:40]}"


def backoff(
    attempt: int, *, base_seconds: float, most_seconds: float, rng: np.random.Generator
) -> float:
    """Return the seconds to wait before try `attempt + 1`: doubled each time, and jittered.

    Args:
        attempt: Tries so far, from 1.
        base_seconds: The mean of the first wait.
        most_seconds: Maximum wait.
        rng: Jitters by half, so that many clients do not return at the same time.

    >>> wait = backoff(3, base_seconds=1, most_seconds=60, rng=np.random.default_rng(0))
    >>> 2 <= wait <= 6
    True
    """
    doubled = base_seconds * 2.0 ** min(attempt - 1, 30)
    return min(most_seconds, doubled * float(rng.uniform(0.5, 1.5)))


class Tries:
    """The tries of one request: how many are allowed, and how long they may take.

    Args:
        most: Maximum tries for a busy site; for broken or slow answers, `STUBBORN_TRIES`.
        most_seconds: No more tries once the answers took this long in all.
        wait_seconds: Mean wait after the first try of a busy site, doubled after each; after
            other failures half of it; multiplied by `FAST_WAITS` if requests came too fast.
        most_wait_seconds: Maximum wait.
        rng: Jitters the waits.

    Attributes:
        made: Failed tries so far.
        noticed: Seconds that the last page with a success status asked to wait, and that page.

    >>> tries = Tries(4, 120, wait_seconds=1, most_wait_seconds=60, rng=np.random.default_rng(0))
    >>> round(tries.wait_after("broken", 0.2), 1), tries.wait_after("broken", 0.2)
    (0.6, None)
    """

    def __init__(
        self,
        most: int,
        most_seconds: float,
        *,
        wait_seconds: float,
        most_wait_seconds: float,
        rng: np.random.Generator,
    ) -> None:
        self.made = 0
        self.noticed: tuple[float, bytes] | None = None
        self._most = most
        self._seconds_left = most_seconds
        self._wait_seconds = wait_seconds
        self._most_wait_seconds = most_wait_seconds
        self._rng = rng
        self._stubborn = 0

    def wait_after(self, trouble: Trouble, seconds: float) -> float | None:
        """Return the seconds to wait before the next try, or None if there is none.

        Args:
            trouble: Why the try that has just ended failed.
            seconds: How long it took.
        """
        self.made += 1
        self._seconds_left -= seconds
        is_busy = trouble in ("fast", "busy")
        self._stubborn += not is_busy
        is_last = self.made >= self._most or self._stubborn >= STUBBORN_TRIES
        if is_last or self._seconds_left <= 0:
            return None
        if trouble == "fast":
            attempt, factor = 1, FAST_WAITS[min(self.made, len(FAST_WAITS)) - 1]
        else:
            attempt, factor = (self.made, 1.0) if is_busy else (1, 0.5)
        return backoff(
            attempt,
            base_seconds=self._wait_seconds * factor,
            most_seconds=self._most_wait_seconds,
            rng=self._rng,
        )
