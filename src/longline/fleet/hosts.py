"""The hosts that a slice talks to: each under a lease, which is renewed before requests."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from math import inf
from urllib.parse import urlsplit

from longline.errors import StoppedShort
from longline.events import RobotsRead
from longline.fetch import Hosts, Wait
from longline.fleet.leases import Leases
from longline.store import Lease

LOOK_SECONDS = 0.25
"""Between two looks whether another host is free."""

BUSY_SECONDS = 2.0
"""A source that another host was not free for is left alone for so long."""

SET_APART = 50
"""Requests of a host's day that are set apart at a time."""


class HostNotFreeError(StoppedShort):
    """A host must not be asked now; the source goes on later.

    Args:
        host: Which one.
        why: In words.
        seconds: Until it may be asked, as far as one knows.
    """

    def __init__(self, host: str, why: str, seconds: float) -> None:
        super().__init__(f"{host} cannot be asked now: {why}", advice="the fleet goes on later")
        self.seconds = seconds


@dataclass
class _Held:
    lease: Lease
    until: float
    left: float = 0
    """Requests that are set apart; without an end where the host has no quota."""


class LeasedHosts(Hosts):
    """What the fetchers of a slice know of hosts: no request goes out without a lease.

    Args:
        leases: Of the fleet.
        lease: Of the source's own host.
        worker: Who holds it, for people.
        seconds: That a lease holds.

    Attributes:
        refused: Why a request was kept back; None where none was.
    """

    def __init__(self, leases: Leases, lease: Lease, worker: str, seconds: float) -> None:
        super().__init__()
        self._leases, self._worker, self._seconds = leases, worker, seconds
        self._held: dict[str, _Held] = {}
        self._hold(lease)
        self.refused: HostNotFreeError | None = None

    def _hold(self, lease: Lease) -> _Held:
        held = self._held[lease.host] = _Held(lease, time.time() + self._seconds)
        self.robots |= {read.origin: read for read in self._leases.robots(lease)}
        return held

    async def admit(self, host: str) -> None:
        """Return when a request may be sent to a host; its lease holds then.

        Raises:
            LeaseLostError: Another worker has taken over a host.
            HostNotFreeError: Another worker talks to it, or its requests of the day are spent.
        """
        self._renew()
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

    def _renew(self) -> None:
        """Renew leases where half of their time is over.

        The clock of the day goes on while a process is stopped.
        """
        now = time.time()
        for held in self._held.values():
            if held.until - now < self._seconds / 2:
                self._leases.renew(held.lease, self._seconds)
                held.until = now + self._seconds

    async def _enter(self, host: str) -> _Held:
        ends = time.monotonic() + self._seconds
        while (lease := self._leases.enter(host, self._worker, self._seconds)) is None:
            # Who waits holds only names before this one, so that no two wait for each other.
            if host < max(self._held) or time.monotonic() > ends:
                raise HostNotFreeError(host, "another worker does", BUSY_SECONDS)
            await asyncio.sleep(LOOK_SECONDS)
            self._renew()
        return self._hold(lease)

    def asked_to_wait(self, wait: Wait) -> None:
        """Let nobody of the fleet ask the host before that."""
        if wait.host in self._held:
            seconds = wait.until.timestamp() - time.time()
            self._leases.hold_back(self._held[wait.host].lease, seconds)

    def has_read(self, robots: RobotsRead) -> None:
        """Keep it for all sources of the host."""
        host = urlsplit(robots.origin).hostname or ""
        if host in self._held:
            of_host = [
                read for read in self.robots.values() if urlsplit(read.origin).hostname == host
            ]
            self._leases.keep_robots(self._held[host].lease, of_host)

    def seconds_left(self) -> float:
        """Return how long the source has to be left alone for what hosts asked for."""
        waits = (wait.until.timestamp() - time.time() for wait in self.asked.values())
        refused = self.refused.seconds if self.refused else 0.0
        return max([0.0, refused, *waits])

    def give_back(self, pause: float) -> None:
        """Let others have the hosts.

        Raises:
            LeaseLostError: Another worker has taken over one.
        """
        for held in self._held.values():
            unspent = 0 if held.left == inf else int(held.left)
            self._leases.give_back(held.lease, pause=pause, unspent=unspent)
