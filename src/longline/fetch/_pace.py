"""Pace: a least interval between the requests to one host, however many wait."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from longline.errors import Interrupted


class Pace:
    """Hand out the moments at which requests to a host may start, first come, first served.

    Args:
        rate: Requests per second and host; None for no pause.
    """

    def __init__(self, rate: float | None) -> None:
        self._interval = 0.0 if rate is None else 1.0 / rate
        self._slower: dict[str, float] = {}
        self._free: dict[str, float] = {}
        self._stopped = asyncio.Event()

    @property
    def is_stopped(self) -> bool:
        """Whether no more requests may start."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Start no more requests, and keep nobody waiting for one."""
        self._stopped.set()

    def slow_down(self, host: str, interval_seconds: float) -> None:
        """Wait at least this long between requests to a host from now on."""
        self._slower[host] = max(interval_seconds, self._slower.get(host, 0.0))

    def hold(self, host: str, seconds: float) -> None:
        """Start no request to a host for so long."""
        self._free[host] = max(self._free.get(host, 0.0), time.monotonic() + seconds)

    async def wait(self, host: str) -> None:
        """Return when the next request to a host may start.

        Raises:
            Interrupted: None may any more.
        """
        interval = max(self._interval, self._slower.get(host, 0.0))
        # Nothing is awaited between reading the free moment and taking it, so that no
        # two tasks can take the same one.
        now = time.monotonic()
        start = max(now, self._free.get(host, 0.0))
        self._free[host] = start + interval
        await self.rest(start - now)

    async def rest(self, seconds: float) -> None:
        """Wait so long, for whatever reason.

        Raises:
            Interrupted: As `wait`.
        """
        if seconds > 0 and not self.is_stopped:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._stopped.wait()
        if self.is_stopped:
            raise Interrupted
