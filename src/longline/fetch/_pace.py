"""Pace: when the next request to a host may start, shared by all who request from it.

Names with a common address share a pace, since one machine serves them. For a public host the
interval is at least its response time, and longer if it has trouble; a private host has no pause,
unless it answers that there are too many requests.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime

import numpy as np

from longline.errors import AskedToWait, BudgetSpent, Interrupted
from longline.events import RobotsRead
from longline.fetch._retry import Quota, RequestsLeft
from longline.fetch.manners import POLITE_RATE, Hooks, Manners, Network, Wait
from longline.text.numbers import all_of

SLOWER = 2.0
"""Factor by which trouble lengthens the interval."""

FASTER = 0.8
"""Factor by which each good answer then shortens it, down to the ordinary interval. If one request
in five fails at any pace, it stays about the same."""

LEAST_SLOWED_SECONDS = 0.02
MOST_SLOWED_SECONDS = 60.0
"""Lower and upper bounds of an interval lengthened by trouble, in seconds."""

NEWEST = 0.25
"""Weight of the newest response time in the running average."""

JITTER = 0.2
"""Intervals of public hosts are randomly longer by up to this share, to avoid a fixed rhythm."""

RESOLVE_SECONDS = 5.0
"""If a name is not resolved within this time, it gets a pace of its own."""


class Place:
    """One machine: its observed behaviour, and when the next request to it may start.

    Args:
        least: Minimum seconds between requests.
        is_public: Its response times count, too, and so does any trouble.

    Attributes:
        turn: Lock of the next request, held until it is written.
        free_at: When that request may start, in seconds of a monotonic clock.
        sent: Requests sent to it.
        left: How many requests it says are left.

    >>> place = Place(1.0, is_public=True)
    >>> place.answered(began=0, ended=4)
    >>> place.interval()
    4.0
    >>> place.slow_down(began=5, now=6)
    >>> place.interval()
    8.0
    """

    def __init__(self, least: float, *, is_public: bool) -> None:
        self.is_public = is_public
        self.turn = asyncio.Lock()
        self.free_at = 0.0
        self.sent = 0
        self.left = RequestsLeft()
        self._least = least
        self._answer_seconds: float | None = None
        self._slowed = 0.0
        self._slowed_at = 0.0

    def interval(self) -> float:
        """Return the minimum seconds between the starts of two requests."""
        return max(self._ordinary(), self._slowed)

    def _ordinary(self) -> float:
        return max(self._least, (self._answer_seconds or 0.0) if self.is_public else 0.0)

    def keep_to(self, least: float) -> None:
        """Set a minimum interval in seconds from now on."""
        self._least = max(self._least, least)

    def answered(self, began: float, ended: float) -> None:
        """Update the average response time."""
        seconds = ended - began
        before = seconds if self._answer_seconds is None else self._answer_seconds
        self._answer_seconds = before + NEWEST * (seconds - before)

    def slow_down(self, began: float, now: float) -> None:
        """Lengthen the interval, unless the failed request started before the last such change."""
        if began >= self._slowed_at:
            slowed = max(SLOWER * self.interval(), LEAST_SLOWED_SECONDS)
            self._slowed = min(slowed, MOST_SLOWED_SECONDS)
            self._slowed_at = now

    def recover(self) -> None:
        """Shorten the interval a little."""
        self._slowed *= FASTER
        if self._slowed <= max(self._ordinary(), LEAST_SLOWED_SECONDS / SLOWER):
            self._slowed = 0.0


class Hosts:
    """Knowledge about hosts that parallel fetchers share, so that each host has one pace.

    A subclass for several processes keeps the shared knowledge in a database.

    Args:
        most: Maximum requests to one place; None for no limit.

    Attributes:
        places: By host and by address; names that share an address share a place.
        delays: Seconds between requests that a host's robots.txt demands.
        asked: Waits that hosts demanded.
        robots: The robots.txt read so far, by origin.
    """

    def __init__(self, most: int | None = None) -> None:
        self.most = most
        self.places: dict[str, Place] = {}
        self.delays: dict[str, float] = {}
        self.asked: dict[str, Wait] = {}
        self.robots: dict[str, RobotsRead] = {}

    async def admit(self, host: str) -> None:
        """Wait until a request may be sent to a host, before each one; an exception stops it."""

    def sends(self, host: str) -> None:
        """Called when a request is written; an exception stops it."""

    def asked_to_wait(self, wait: Wait) -> None:
        """Called when a host has demanded a wait."""

    def has_read(self, robots: RobotsRead) -> None:
        """Called when a robots.txt was read."""


class Turn:
    """The right to send the next request to a place; nobody else may send before it.

    The interval starts when the request is written: by then its connection is open, however long
    that took.

    Args:
        place: Its lock is held, and released when the request was written, or will not be.
        interval: Seconds until the next one.
        check: Called before it is written; an exception stops it.
    """

    def __init__(self, place: Place, interval: float, check: Callable[[], object]) -> None:
        self._place, self._interval, self._check = place, interval, check
        self._is_over = False

    async def trace(self, event: str, info: object) -> None:
        """Handle the HTTP library's trace events."""
        if event.endswith("send_request_headers.started") and not self._is_over:
            self._check()
            self.end()

    def end(self) -> None:
        """Release the lock for the next request."""
        if not self._is_over:
            self._is_over = True
            self._place.free_at = time.monotonic() + self._interval
            self._place.turn.release()


_shared: ContextVar[Hosts | None] = ContextVar("hosts", default=None)


@contextmanager
def sharing_hosts(hosts: Hosts | None = None) -> Iterator[None]:
    """Share hosts among all fetchers made within this block, and in its tasks.

    Args:
        hosts: The shared knowledge; None starts with none.
    """
    token = _shared.set(hosts or Hosts())
    try:
        yield
    finally:
        _shared.reset(token)


def shared_hosts() -> Hosts:
    """Return the hosts shared here, or new ones if none are."""
    return _shared.get() or Hosts()


class Pace:
    """Assigns start times to requests for each host, first come, first served.

    Args:
        manners: The rate, and the longest wait.
        hooks: Functions to call when hosts demand waits.
        waits: Waits that hosts demanded before, by host.
        hosts: Knowledge shared with other fetchers.
        network: Resolves names, knows public addresses, has the clock.
        rng: Jitters the intervals of public places.
    """

    def __init__(
        self,
        manners: Manners,
        hooks: Hooks,
        waits: Mapping[str, Wait],
        hosts: Hosts,
        network: Network,
        rng: np.random.Generator,
    ) -> None:
        self._rate = manners.rate
        self._max_wait = manners.max_wait
        self._hooks = hooks
        self._hosts = hosts
        for name, wait in waits.items():
            self._note(name, wait)
        self._network = network
        self._rng = rng
        self._told: dict[str, Wait] = {}
        self._stopped = asyncio.Event()

    @property
    def is_stopped(self) -> bool:
        """Whether no more requests may start."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Start no more requests, and end all waits."""
        self._stopped.set()

    def delay(self, host: str, seconds: float) -> None:
        """Wait at least this long between requests to a host from now on."""
        self._hosts.delays[host] = max(seconds, self._hosts.delays.get(host, 0.0))

    def hold(self, host: str, seconds: float, reason: str) -> None:
        """Start no request to a host for this time, as the host demanded.

        Raises:
            AskedToWait: It is longer than allowed.
        """
        wait = Wait(host, datetime.fromtimestamp(self._network.now() + seconds, UTC), reason)
        if self._note(host, wait):
            self._hooks.on_asked(wait)
            self._hosts.asked_to_wait(wait)
        self._held(host)

    def _note(self, host: str, wait: Wait) -> bool:
        """Record a wait a host demanded; return whether it is longer than the one before."""
        before = self._hosts.asked.get(host)
        is_longer = before is None or before.until < wait.until
        if is_longer:
            self._hosts.asked[host] = wait
        return is_longer

    def told(self, host: str, quota: Quota) -> None:
        """Send a host no more requests than its quota says are left, until the quota is renewed."""
        place = self._hosts.places.get(host)
        if place is not None:
            place.left.told(quota, self._network.now())

    def learn(self, host: str, began: float, status: int | None, *, is_retry: bool) -> None:
        """Adapt the interval to the result of a request that has just ended.

        Args:
            host: As passed to `wait`.
            began: When the request started, by `time.monotonic`.
            status: HTTP status; None if no answer came.
            is_retry: It is a retry: the first failure was already counted.
        """
        place, now = self._hosts.places.get(host), time.monotonic()
        if place is None:
            return
        place.answered(began, now)
        in_trouble = status is None or status == 429 or status >= 500
        if in_trouble and not is_retry and (place.is_public or status in (429, 503)):
            place.slow_down(began, now)
        elif not in_trouble:
            place.recover()

    async def wait(self, host: str) -> Turn:
        """Wait until the next request to a host may start; the turn must be ended by the caller.

        Raises:
            Interrupted: No more may start.
            AskedToWait: The host demanded a longer wait than allowed.
            BudgetSpent: No more requests may be sent to the host.
        """
        place = self._hosts.places.get(host) or await self._find_place(host)
        place.keep_to(self._least(place.is_public))
        while True:
            while (asked := self._held(host)) is not None:
                await self._wait_as_asked(asked)
            await place.turn.acquire()
            try:
                if await self._may_go(host, place):
                    interval = self._interval(host, place)
                    return Turn(place, interval, lambda: self._hosts.sends(host))
            except BaseException:
                place.turn.release()
                raise
            place.turn.release()

    async def _may_go(self, host: str, place: Place) -> bool:
        """Wait until a request may start; return False if the host demanded a wait meanwhile."""
        while (left := place.free_at - time.monotonic()) > 0:
            await self.rest(left)
        if self._held(host) is not None:
            return False
        if (used_up := place.left.spent(self._network.now())) is not None:
            self.hold(host, *used_up)
            return False
        self._check_stopped()
        await self._admit(host, place)
        return True

    async def _admit(self, host: str, place: Place) -> None:
        most = self._hosts.most
        if most is not None and place.sent >= most:
            to = f"that may be sent to {host}"
            raise BudgetSpent(
                f"{all_of(most, f'request {to} is', f'requests {to} are')} spent",
                advice="allow more, and run it again to continue",
            )
        await self._hosts.admit(host)
        place.sent += 1

    def _interval(self, host: str, place: Place) -> float:
        interval = max(place.interval(), self._hosts.delays.get(host, 0.0))
        jitter = float(self._rng.uniform(0.0, JITTER)) if place.is_public else 0.0
        return interval * (1.0 + jitter)

    async def _wait_as_asked(self, asked: Wait) -> None:
        if self._told.get(asked.host) != asked:
            self._told[asked.host] = asked
            self._hooks.on_wait(asked)
        await self.rest(asked.until.timestamp() - self._network.now())

    def _held(self, host: str) -> Wait | None:
        """Return the wait a host demanded, or None if it is over.

        Raises:
            AskedToWait: The remaining time is longer than allowed.
        """
        wait = self._hosts.asked.get(host)
        left = 0.0 if wait is None else wait.until.timestamp() - self._network.now()
        if wait is None or left <= 0:
            return None
        if left > self._max_wait:
            raise AskedToWait(host, wait.until, wait.reason, self._max_wait)
        return wait

    async def _find_place(self, host: str) -> Place:
        """Return the place of a host: that of any host that shares an address with it."""
        try:
            async with asyncio.timeout(RESOLVE_SECONDS):
                addresses = await self._network.resolve(host, 80)
        except OSError:  # a time-out is one, too
            return Place(self._least(True), is_public=True)
        places = self._hosts.places
        shared = (places[each] for each in (host, *addresses) if each in places)
        is_public = any(map(self._network.is_public, addresses))
        place = next(shared, None) or Place(self._least(is_public), is_public=is_public)
        for name in (host, *addresses):
            places.setdefault(name, place)
        return place

    def _least(self, is_public: bool) -> float:
        if self._rate is not None:
            return 1.0 / self._rate
        return 1.0 / POLITE_RATE if is_public else 0.0

    async def rest(self, seconds: float) -> None:
        """Wait for a time, whatever the reason.

        Raises:
            Interrupted: As `wait`.
        """
        if seconds > 0 and not self.is_stopped:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._stopped.wait()
        self._check_stopped()

    def _check_stopped(self) -> None:
        if self._stopped.is_set():
            raise Interrupted
