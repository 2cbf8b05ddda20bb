"""Pace: a least interval between the requests to one host, however many wait."""

from __future__ import annotations

import asyncio
import time


class Pace:
    """Hand out the moments at which requests to a host may start, first come, first served.

    Args:
        rate: Requests per second and host; None for no pause.
    """

    def __init__(self, rate: float | None) -> None:
        self._interval = 0.0 if rate is None else 1.0 / rate
        self._slower: dict[str, float] = {}
        self._free: dict[str, float] = {}

    def slow_down(self, host: str, interval_seconds: float) -> None:
        """Wait at least this long between requests to a host from now on."""
        self._slower[host] = max(interval_seconds, self._slower.get(host, 0.0))

    def hold(self, host: str, seconds: float) -> None:
        """Start no request to a host for so long."""
        self._free[host] = max(self._free.get(host, 0.0), time.monotonic() + seconds)

    async def wait(self, host: str) -> None:
        """Return when the next request to a host may start."""
        interval = max(self._interval, self._slower.get(host, 0.0))
        # Nothing is awaited between reading the free moment and taking it, so that no
        # two tasks can take the same one.
        now = time.monotonic()
        start = max(now, self._free.get(host, 0.0))
        self._free[host] = start + interval
        if start > now:
            await asyncio.sleep(start - now)
