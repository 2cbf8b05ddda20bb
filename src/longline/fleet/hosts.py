"""The hosts of a slice: each under a lease, which is renewed before requests."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from urllib.parse import urlsplit

from longline.errors import StoppedShort, StorageError
from longline.events import RobotsRead
from longline.fetch import Hosts, Wait
from longline.queue import Leases, Taken
from longline.store import Lease, LeaseLostError

LOOK_SECONDS = 0.25
"""Seconds between checks whether another host is free."""

MARGIN_SECONDS = 0.05
"""Seconds added to a host's pace when another worker continues: requests arrive with varying
delays after they are written."""

BUSY_SECONDS = 2.0
"""Seconds that a source waits if another of its hosts was not free."""

SET_APART = 50
"""Number of requests of a host's day that are reserved at a time."""


class HostNotFreeError(StoppedShort):
    """A host must not be requested now; the source continues later.

    Args:
        host: The host.
        why: The reason, in words.
        seconds: Until it may be requested, as far as known.
    """

    def __init__(self, host: str, why: str, seconds: float) -> None:
        super().__init__(f"{host} cannot be asked now: {why}", advice="the fleet goes on later")
        self.seconds = seconds


class NotWantedError(StoppedShort):
    """The source was paused or cancelled while it was harvested."""

    def __init__(self) -> None:
        super().__init__("it was paused or cancelled", advice="`longline fleet resume` goes on")


@dataclass
class _Held:
    lease: Lease
    until: float
    left: float = 0
    """Reserved requests; infinite if the host has no quota."""
    interval: float = 0
    """Seconds between two requests that the lease allows."""


class LeasedHosts(Hosts):
    """The knowledge of a slice's fetchers about hosts: no request is sent without a lease.

    Args:
        leases: Of the fleet.
        worker: Name of the worker, for people.
        seconds: Duration of a lease.

    Attributes:
        refused: Why a request was refused; None if none was.
        is_wanted: The source was neither paused nor cancelled meanwhile.
        first_at: When the first request was written, by `time.monotonic`; None before.
    """

    def __init__(self, leases: Leases, worker: str, seconds: float) -> None:
        super().__init__()
        self._leases, self._worker, self._seconds = leases, worker, seconds
        self._held: dict[str, _Held] = {}
        self.refused: HostNotFreeError | None = None
        self.first_at: float | None = None
        self.is_wanted = True

    def take(self) -> Taken | None:
        """Lease the host of the source that has waited longest, or return None."""
        asked_at = time.time()
        taken = self._leases.take(self._worker, self._seconds)
        if taken is not None:
            self._hold(taken.lease, asked_at)
        return taken

    def _hold(self, lease: Lease, asked_at: float) -> _Held:
        """Record a lease; its time counts from before the database was queried."""
        held = self._held[lease.host] = _Held(lease, asked_at + self._seconds)
        self.robots |= {read.origin: read for read in self._leases.robots(lease)}
        return held

    async def admit(self, host: str) -> None:
        """Wait until a request may be sent to a host; its lease is valid then.

        Raises:
            LeaseLostError: Another worker has taken over a host.
            NotWantedError: The source was paused or cancelled.
            HostNotFreeError: Another worker has it, or its requests of the day are spent.
        """
        self.renew()
        if not self.is_wanted:
            raise NotWantedError
        try:
            held = self._held.get(host) or await self._enter(host)
            if held.left <= 0:
                given, seconds = self._leases.set_apart(held.lease, SET_APART)
                held.left = inf if given is None else given
                if given == 0:
                    raise HostNotFreeError(host, "its requests of the day are spent", seconds)
        except HostNotFreeError as error:
            self.refused = error
            raise
        held.left -= 1

    def sends(self, host: str) -> None:
        """Check that the leases are still valid when a request is written.

        Raises:
            LeaseLostError: Another worker has taken over a host.
        """
        self.renew()
        if self.first_at is None:
            self.first_at = time.monotonic()

    def renew(self) -> None:
        """Renew leases when half of their time is over, by the wall clock.

        That clock runs while a process is stopped. So nothing is sent in the second half, and if a
        worker dies, its host is left alone for that half, or for as long as its pace demands.

        Raises:
            LeaseLostError: Another worker has taken over one.
        """
        now = time.time()
        for host, held in self._held.items():
            interval, half = self._interval(host), self._seconds / 2
            if held.until - now < half or interval > max(half, held.interval):
                self.is_wanted &= self._leases.renew(held.lease, half + max(half, interval))
                held.until, held.interval = now + self._seconds, interval

    def renew_waiting(self) -> None:
        """Renew leases while waiting for answers; a lost host is noticed later."""
        with suppress(LeaseLostError, StorageError):
            self.renew()

    def _interval(self, host: str) -> float:
        """Return the seconds between requests to a host, as far as known."""
        place = self.places.get(host)
        return max(place.interval() if place else 0.0, self.delays.get(host, 0.0))

    async def _enter(self, host: str) -> _Held:
        ends, asked_at = time.monotonic() + self._seconds, time.time()
        while (lease := self._leases.enter(host, self._worker, self._seconds)) is None:
            # Each worker waits only for hosts later in the alphabet, so that no two wait for each
            # other.
            if host < max(self._held) or time.monotonic() > ends:
                raise HostNotFreeError(host, "another worker does", BUSY_SECONDS)
            await asyncio.sleep(LOOK_SECONDS)
            self.renew()
            asked_at = time.time()
        return self._hold(lease, asked_at)

    def asked_to_wait(self, wait: Wait) -> None:
        """Keep the entire fleet from requesting the host before that."""
        if wait.host in self._held:
            seconds = wait.until.timestamp() - time.time()
            self._leases.hold_back(self._held[wait.host].lease, seconds)

    def has_read(self, robots: RobotsRead) -> None:
        """Store it for all sources of the host."""
        host = urlsplit(robots.origin).hostname or ""
        if host in self._held:
            of_host = [
                read for read in self.robots.values() if urlsplit(read.origin).hostname == host
            ]
            self._leases.keep_robots(self._held[host].lease, of_host)

    def seconds_left(self) -> float:
        """Return the seconds that the source must wait, as its hosts demanded."""
        waits = (wait.until.timestamp() - time.time() for wait in self.asked.values())
        refused = self.refused.seconds if self.refused else 0.0
        return max([0.0, refused, *waits])

    def give_back(self) -> None:
        """Release the hosts, each as soon as its pace allows.

        Raises:
            LeaseLostError: Another worker has taken over one.
        """
        for host, held in self._held.items():
            unspent = 0 if held.left == inf else int(held.left)
            place = self.places.get(host)
            pause = 0.0
            if place is not None:
                pause = max(0.0, place.free_at - time.monotonic()) + MARGIN_SECONDS
            self._leases.give_back(held.lease, pause=pause, unspent=unspent)
