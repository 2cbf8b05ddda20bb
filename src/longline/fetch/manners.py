"""How the web is asked: what bounds a request, who is told, and what is known from before."""

import math
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from longline.errors import InputError, in_plain, option
from longline.events import RobotsRead
from longline.fetch._addresses import is_public
from longline.fetch._guard import Resolve, resolve
from longline.fetch._own import OwnOptions, check_own
from longline.model import Capture
from longline.version import __version__

USER_AGENT = f"longline/{__version__} (a polite harvester; obeys robots.txt)"

TIMEOUT_SECONDS = 30.0
"""For a connection, and for each piece of an answer; a whole answer may take twice as long."""

MAX_WAIT_SECONDS = 600.0
"""A source that asks for a longer wait ends the run."""

LONG_SECONDS = 5.0
"""Of a try that failed and the wait before the next: so many are told."""

POLITE_RATE = 1.0
"""Requests per second to a public host, where the user does not say more."""


ABOVE_0 = ("rate", "timeout", "deadline", "concurrency", "size", "min_return", "sites_at_once")


class Wait(msgspec.Struct, frozen=True):
    """A host is not asked for some time.

    Attributes:
        until: The end, UTC.
        reason: What its answer said, e.g. "429, Retry-After 300", or why none came.
        is_asked: The host asked for it; False where it gave no good answer, and is asked again.
        gives_up: Of a host that is away in the middle of a harvest: when it is given up.
    """

    host: str
    until: datetime
    reason: str
    is_asked: bool = True
    gives_up: datetime | None = None


class Manners(OwnOptions, frozen=True, kw_only=True):
    """What a fetcher may do, how fast, and how much it takes; limits extend it.

    Attributes:
        allow_private: Connect to private, loopback and reserved addresses too.
        robots: False fetches no robots.txt and obeys none.
        rate: Requests per second to one host, or to hosts that share an address; None is
            `POLITE_RATE` for public ones, and no pause for private ones.
        retries: Tries after the first, where the connection is refused and for the statuses 429,
            502, 503 and 504; where an answer breaks off, for 500, and for time-outs one at most.
        wait_seconds: Mean wait before the first retry; doubled for each after it.
        max_wait: Seconds. No wait is longer; a source that asks for more ends the run. One that
            is away in the middle of a harvest is waited for so long, five minutes at most.
        timeout: Seconds for a connection, and for each piece of an answer.
        deadline: Seconds for one whole answer; None is twice `timeout`.
        max_body_bytes: Of one decoded answer, be it a page or a file.
        max_redirects: Hops of one answer.
        concurrency: Documents that are asked for at the same time.
    """

    user_agent: str = USER_AGENT
    allow_private: bool = False
    robots: bool = True
    rate: float | None = None
    retries: int = 3
    wait_seconds: float = 1.0
    max_wait: float = MAX_WAIT_SECONDS
    timeout: float = TIMEOUT_SECONDS
    deadline: float | None = None
    max_body_bytes: int = 50_000_000
    max_redirects: int = 10
    concurrency: int = 4

    def check(self) -> None:
        """Refuse values that mean nothing.

        Raises:
            InputError: A value of another kind, or a number that is not above 0, named.
        """
        try:
            msgspec.convert(msgspec.structs.asdict(self), type(self), from_attributes=True)
        except msgspec.ValidationError as error:
            told = in_plain(str(error)).replace("`$.", "`")
            raise InputError(f"an option is wrong: {told}", advice="correct it") from None
        if not (self.user_agent.strip() and self.user_agent.isascii()) or (
            not self.user_agent.isprintable()
        ):
            raise InputError(
                f"{option('user_agent')} is {self.user_agent!r}",
                advice="give a name in plain letters, such as mybot/1.0 (mail@example.org)",
            )
        for name in self.__struct_fields__:
            value = getattr(self, name)
            is_bound = name in ABOVE_0 or name.startswith("max_")
            if is_bound and value is not None and not 0 < value < math.inf:
                raise InputError(f"{option(name)} is {value}", advice="give a number above 0")
        check_own(self)

    @property
    def whole_seconds(self) -> float:
        """Seconds that one whole answer may take."""
        return self.deadline or 2 * self.timeout


@dataclass(frozen=True, kw_only=True)
class Hooks:
    """Functions to call with what a fetcher does.

    Attributes:
        on_robots: Told of every robots.txt that is read.
        on_send: Called before every HTTP request that is sent: robots.txt, redirects and
            retries too. What it raises, such as BudgetSpent, stops the request.
        on_receive: Told how many bytes, decoded, each answer's body has.
        on_asked: Told when a host asks not to be asked for some time.
        on_wait: Told when a request waits for that, or for an answer that does not come.
        on_capture: Told what was sent and what came, byte by byte; None where nobody keeps it.
    """

    on_robots: Callable[[RobotsRead], object] = lambda event: None
    on_send: Callable[[], object] = lambda: None
    on_receive: Callable[[int], object] = lambda body_bytes: None
    on_asked: Callable[[Wait], object] = lambda wait: None
    on_wait: Callable[[Wait], object] = lambda wait: None
    on_capture: Callable[[Capture], object] | None = None


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """What earlier runs learnt of hosts.

    Attributes:
        robots: What was read, by origin; not asked for again that day.
        waits: What hosts asked for, by host.
    """

    robots: Mapping[str, RobotsRead] = field(default_factory=dict)
    waits: Mapping[str, Wait] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Network:
    """The network and the clock that a fetcher uses; tests give others.

    Attributes:
        is_public: Says which IP addresses are connected to without `allow_private`.
        resolve: Turns a host's name into addresses.
        ssl_context: None trusts the system's authorities.
        now: The time, in seconds since 1970.
    """

    is_public: Callable[[str], bool] = is_public
    resolve: Resolve = resolve
    ssl_context: ssl.SSLContext | None = None
    now: Callable[[], float] = time.time
