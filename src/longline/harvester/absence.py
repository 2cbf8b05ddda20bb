"""Wait for a host that answered before, and is away in the middle of a harvest."""

import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from urllib.parse import urlsplit

from longline.errors import RefusedError, SourceError, UnreachableError
from longline.fetch import Manners, Wait

WAITS = (15.0, 30.0, 60.0, 60.0, 60.0, 60.0)
"""Seconds before a host that is away is asked again, where `wait_seconds` is 1."""


class Absence:
    """Wait for a host that is away, up to five minutes, and say so.

    Args:
        manners: How long a wait may be; where `retries` is 0, nothing is waited for.
        rest: Waits so many seconds; raises `Interrupted` where the run is to end.
        on_wait: Told each wait.
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

    async def outlast(self, error: SourceError, turn: int) -> bool:
        """Wait before a host is asked again; False where it was waited for long enough.

        Args:
            error: What came of the newest request.
            turn: Waits since it went away.

        Raises:
            Interrupted: The run is to end.
        """
        host, waits = host_of(error), self._waits[turn:]
        if not host or not waits:
            return False
        now = datetime.fromtimestamp(self._now(), UTC)
        until, last = now + timedelta(seconds=waits[0]), now + timedelta(seconds=sum(waits))
        self._on_wait(Wait(host, until, error.message, is_asked=False, gives_up=last))
        await self._rest(waits[0])
        return True


def host_of(error: SourceError) -> str:
    """Return which host an error is about; "" where none is named.

    >>> host_of(UnreachableError("no answer", host="a.example"))
    'a.example'
    >>> host_of(RefusedError("503", url="https://b.example/1", status=503))
    'b.example'
    """
    if isinstance(error, RefusedError):
        return urlsplit(error.url).hostname or ""
    return error.host if isinstance(error, UnreachableError) else ""
