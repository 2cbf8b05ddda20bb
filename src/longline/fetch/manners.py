"""Options of a fetcher: limits, hooks, and knowledge from earlier runs."""

import math
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from longline.errors import InputError, option
from longline.events import RobotsRead
from longline.fetch._guard import Resolve, resolve
from longline.fetch._own import OwnOptions, check_own
from longline.model import Capture
from longline.text.addresses import is_public
from longline.text.safe import in_plain
from longline.version import __version__

USER_AGENT = f"longline/{__version__} (a polite harvester; obeys robots.txt)"

TIMEOUT_SECONDS = 30.0
"""For a connection, and for each piece of an answer; an entire answer may take twice as long."""

MAX_WAIT_SECONDS = 600.0
"""A source that asks for a longer wait ends the run."""

LONG_SECONDS = 5.0
"""Failed tries are reported if the try and the wait for the next take at least this long."""

POLITE_RATE = 1.0
"""Requests per second to a public host, unless the user gives another rate."""


ABOVE_0 = ("rate", "timeout", "deadline", "concurrency", "size", "min_return", "sites_at_once")


class Wait(msgspec.Struct, frozen=True):
    """A time during which a host gets no requests.

    Attributes:
        until: The end, UTC.
        reason: The host's wording, e.g. "429, Retry-After 300", or why no answer came.
        is_asked: True if the host demanded it; False if it gave no good answer and is retried.
        gives_up: If a host is down during a harvest: when to give it up.
    """

    host: str
    until: datetime
    reason: str
    is_asked: bool = True
    gives_up: datetime | None = None


class Manners(OwnOptions, frozen=True, kw_only=True):
    """Options of a fetcher: what is allowed, how fast, and how much; limits extend it.

    Attributes:
        allow_private: Connect to private, loopback and reserved addresses too.
        robots: False fetches no robots.txt and obeys none.
        rate: Requests per second to one host, or to hosts that share an address; None is
            `POLITE_RATE` for public ones, and no pause for private ones.
        retries: Tries after the first, for refused connections and the statuses 429, 502, 503 and
            504; for broken answers, 500, and time-outs at most one.
        wait_seconds: Mean wait before the first retry; doubled for each later one. If requests came
            too fast (429), 3, 12 and 48 times as long.
        max_wait: Longest wait in seconds; a source that asks for more ends the run. A source that
            is down during a harvest is waited for this long, five minutes at most.
        timeout: Seconds for a connection, and for each piece of an answer.
        deadline: Seconds for one entire answer; None is twice `timeout`.
        max_body_bytes: Maximum size of one decoded answer, a page or a file.
        max_redirects: Maximum redirects of one answer.
        concurrency: Documents fetched at the same time.
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
        """Check that all values are valid.

        Raises:
            InputError: A value has the wrong type, or a number is not above 0; the message names
                it.
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
        """Seconds that one entire answer may take."""
        return self.deadline or 2 * self.timeout


@dataclass(frozen=True, kw_only=True)
class Hooks:
    """Functions to call with a fetcher's events.

    Attributes:
        on_robots: Called with every robots.txt that is read.
        on_send: Called before every HTTP request that is sent, including robots.txt, redirects and
            retries. An exception, such as BudgetSpent, stops the request.
        on_receive: Called with the decoded size of each answer's body, in bytes.
        on_asked: Called when a host demands a wait.
        on_wait: Called when a request waits for that, or for a retry.
        on_capture: Called with the bytes sent and received; None if nobody stores them.
    """

    on_robots: Callable[[RobotsRead], object] = lambda event: None
    on_send: Callable[[], object] = lambda: None
    on_receive: Callable[[int], object] = lambda body_bytes: None
    on_asked: Callable[[Wait], object] = lambda wait: None
    on_wait: Callable[[Wait], object] = lambda wait: None
    on_capture: Callable[[Capture], object] | None = None


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """What earlier runs learnt about hosts.

    Attributes:
        robots: Each robots.txt read, by origin; not fetched again that day.
        waits: Waits that hosts demanded, by host.
    """

    robots: Mapping[str, RobotsRead] = field(default_factory=dict)
    waits: Mapping[str, Wait] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Network:
    """The network and the clock that a fetcher uses; tests replace them.

    Attributes:
        is_public: Decides which IP addresses are allowed without `allow_private`.
        resolve: Resolves a host name to addresses.
        ssl_context: None trusts the system's authorities.
        now: The time, in seconds since 1970.
    """

    is_public: Callable[[str], bool] = is_public
    resolve: Resolve = resolve
    ssl_context: ssl.SSLContext | None = None
    now: Callable[[], float] = time.time
