"""Wait for a host that answered before, and is down during a harvest."""

import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from itertools import accumulate
from urllib.parse import urlsplit

from longline.errors import RefusedError, SourceError, UnreachableError
from longline.fetch import Manners, Wait

WAITS = (15.0, 30.0, 60.0, 60.0, 60.0, 60.0)
"""Seconds between retries of a host that is down, multiplied by `wait_seconds`."""


class Absence:
    """Wait up to five minutes for a host that is down, and report it.

    Args:
        manners: The longest wait; if `retries` is 0, it does not wait.
        rest: Waits for some seconds; raises `Interrupted` if the run is to end.
        on_wait: Called with each wait.
        now: The time, in seconds since 1970.
    """

    def __init__(
        self,
        manners: Manners,
        rest: Callable[[float], Awaitable[None]],
        on_wait: Callable[[Wait], object],
        now: Callable[[], float] = time.time,
    ) -> None:
        scaled = [seconds * manners.wait_seconds for seconds in WAITS if manners.retries]
        in_all = accumulate(scaled)
        self._waits = [
            each for each, sum_ in zip(scaled, in_all, strict=True) if sum_ <= manners.max_wait
        ]
        self._rest, self._on_wait, self._now = rest, on_wait, now
        self._gives_up = 0.0

    async def outlast(self, error: SourceError, turn: int) -> bool:
        """Wait before a host is requested again; return False if it was waited for long enough.

        Args:
            error: The error of the newest request.
            turn: Number of waits since it went down.

        Raises:
            Interrupted: The run is to end.
        """
        host, waits = host_of(error), self._waits[turn:]
        if not host or not waits:
            return False
        now = self._now()
        if not turn:  # asking again takes time, too, which is part of the wait
            self._gives_up = now + sum(waits)
        if now >= self._gives_up:
            return False
        until, last = (datetime.fromtimestamp(at, UTC) for at in (now + waits[0], self._gives_up))
        self._on_wait(Wait(host, until, error.message, is_asked=False, gives_up=last))
        await self._rest(waits[0])
        return True


def host_of(error: SourceError) -> str:
    """Return the host that an error is about, or "" if it names none.

    >>> host_of(UnreachableError("no answer", host="a.example"))
    'a.example'
    >>> host_of(RefusedError("503", url="https://b.example/1", status=503))
    'b.example'
    """
    if isinstance(error, RefusedError):
        return urlsplit(error.url).hostname or ""
    return error.host if isinstance(error, UnreachableError) else ""
