"""robots.txt, by RFC 9309: read once a day per origin, stored, obeyed."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from math import inf
from urllib.parse import quote, urlsplit

from protego import Protego

from longline.errors import RefusedError, RobotsError, UnreachableError
from longline.events import RobotsRead
from longline.model import Response

MAX_BYTES = 512 * 1024
"""RFC 9309, 2.5: at least 500 KiB must be read; the rest is ignored."""

_TOKEN = re.compile(r"[a-z_-]+|\*(?=\s|$)", re.IGNORECASE)
_AGENT_LINE = re.compile(r"\s*user[- ]?agent\s*(?::|\s)\s*(.*)", re.IGNORECASE)
_RULE_LINE = re.compile(r"\s*(?:allow|di[as]\w*|crawl[- ]delay|request[- ]rate)\b", re.IGNORECASE)
_OTHER_BREAK = re.compile("[\v\f\x1c-\x1e\x85\u2028\u2029]")
MAX_REDIRECTS = 5
"""RFC 9309, 2.3.1.2: at least five must be followed; after more there are no rules."""

KEPT_SECONDS = 24 * 3600.0
"""RFC 9309, 2.4: older copies are read again."""

FAILURE_KEPT_SECONDS = 60.0
"""A robots.txt that cannot be read forbids all; it is requested again only after this time."""

LONGEST_SECONDS = 10**9
"""Limit for a rate's seconds, which may be too large for a float."""

Get = Callable[[str], Awaitable[Response]]


class Robots:
    """The rules of all origins visited so far.

    A request that comes while robots.txt is loading waits for it.

    Args:
        agent: The user agent sent; the rules for its product token, its first word, are obeyed.
        get: Fetches a URL, with redirects and retries.
        known: Copies read before, by origin; new ones are added.
        on_read: Called with each copy read.
        now: The time, in seconds since 1970.
    """

    def __init__(
        self,
        agent: str,
        get: Get,
        *,
        known: dict[str, RobotsRead],
        on_read: Callable[[RobotsRead], object],
        now: Callable[[], float],
    ) -> None:
        self._agent = product_token(agent)
        self._get = get
        self._on_read = on_read
        self._now = now
        self._read = known
        self._down: dict[str, tuple[float, UnreachableError]] = {}
        self._parsed: dict[str, tuple[RobotsRead, Protego, float]] = {}
        self._loading: dict[str, asyncio.Task[RobotsRead]] = {}

    async def check(self, url: str) -> float:
        """Check that a URL may be fetched.

        Returns:
            The seconds between requests that the source demands; 0.0 if none.

        Raises:
            RobotsError: It is disallowed, or robots.txt currently answers with an error.
            UnreachableError, PrivateAddressError, BudgetSpent: As any request.
        """
        origin = origin_of(url)
        read = self._known(origin) or await self._load(origin)
        if _is_failure(read):
            raise RobotsError(
                f"{origin}/robots.txt answers with status {read.status}, "
                f"which means 'keep out' until it can be read again (RFC 9309)",
                advice="try again later",
            )
        parsed = self._parsed.get(origin)
        if parsed is None or parsed[0] is not read:
            rules = Protego.parse(plainly(read.text, self._agent))
            parsed = self._parsed[origin] = read, rules, self._interval(rules)
        _, rules, interval = parsed
        if not rules.can_fetch(url, self._agent):
            raise RobotsError(
                f"{origin}/robots.txt disallows {url} to {self._agent}",
                advice="ask the site's owner, or look for an interface that it allows",
            )
        return interval

    def _interval(self, rules: Protego) -> float:
        rate = rules.request_rate(self._agent)
        delay = rules.crawl_delay(self._agent) or 0.0
        return max(delay, min(rate.seconds, LONGEST_SECONDS) / rate.requests if rate else 0.0)

    def _known(self, origin: str) -> RobotsRead | None:
        """Return the copy for an origin, or None if there is no recent one.

        Raises:
            UnreachableError: It was not reachable a moment ago.
        """
        failed_at, error = self._down.get(origin, (-inf, None))
        if error is not None and self._now() - failed_at < FAILURE_KEPT_SECONDS:
            raise UnreachableError(
                error.message, advice=error.advice, host=error.host, port=error.port
            )
        read = self._read.get(origin)
        if read is None:
            return None
        kept_seconds = FAILURE_KEPT_SECONDS if _is_failure(read) else KEPT_SECONDS
        return read if 0 <= self._now() - read.read_at < kept_seconds else None

    async def _load(self, origin: str) -> RobotsRead:
        task = self._loading.get(origin)
        if task is None:
            task = self._loading[origin] = asyncio.create_task(self._fetch(origin))
            task.add_done_callback(lambda done: self._done(origin, done))
        # One of the waiting tasks may be cancelled; the others still need the answer.
        return await asyncio.shield(task)

    async def _fetch(self, origin: str) -> RobotsRead:
        try:
            response = await self._get(f"{origin}/robots.txt")
            text = response.body.decode("utf-8-sig", "replace")
            read = RobotsRead(origin, response.status, text, response.requests, self._now())
        except RefusedError as error:
            if error.status is None:
                raise  # rules in an encoding that cannot be read
            # Too many redirects, or too large, count as "there is none" (2.3.1.2).
            read = RobotsRead(origin, error.status or 404, "", error.requests, self._now())
        except UnreachableError as error:
            self._down[origin] = self._now(), error
            raise
        self._read[origin] = read
        self._on_read(read)
        return read

    def _done(self, origin: str, task: asyncio.Task[RobotsRead]) -> None:
        del self._loading[origin]
        if not task.cancelled():
            # Retrieve the exception here too, since all waiting tasks may have been cancelled.
            task.exception()

    async def close(self) -> None:
        """Cancel all loading."""
        for task in list(self._loading.values()):
            task.cancel()
        await asyncio.gather(*self._loading.values(), return_exceptions=True)


def product_token(agent: str) -> str:
    """Return the product token of a User-Agent or of a line of robots.txt (2.2.1).

    >>> product_token("longline/1.0 (polite)"), product_token("*"), product_token("*bot")
    ('longline', '*', '')
    """
    found = _TOKEN.match(agent)
    return found[0].lower() if found else ""


def plainly(text: str, token: str) -> str:
    r"""Rewrite robots.txt so that the parser library follows RFC 9309, too.

    The library takes an entire line as the name, matches any name that ours starts with, ends a
    group at records that are no rules, and treats more characters than line feeds as line ends.

    >>> plainly("User-agent: Longline/2 beta\rFoo: 1\rUser-agent: long\rDisallow: /", "longline")
    'User-agent: longline\nUser-agent: ~\nDisallow: /'
    """
    lines = []
    for line in re.split(r"\r\n?|\n", text):
        if named := _AGENT_LINE.match(line):
            name = product_token(named[1])
            lines.append(f"User-agent: {name if name in (token, '*') else '~'}")
        elif _RULE_LINE.match(line):
            lines.append(_OTHER_BREAK.sub(lambda found: quote(found[0]), line))
    return "\n".join(lines)


def origin_of(url: str) -> str:
    """Return scheme, host and port of a URL.

    >>> origin_of("https://shop.example/search?q=x")
    'https://shop.example'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"


def add_earlier(known: dict[str, RobotsRead], earlier: Mapping[str, RobotsRead]) -> None:
    """Add the copies of earlier runs that are newer, except failures, which may be over."""
    for origin, read in earlier.items():
        if not _is_failure(read) and (origin not in known or known[origin].read_at < read.read_at):
            known[origin] = read


def _is_failure(read: RobotsRead) -> bool:
    # 429 asks to come back later, like a 5xx; any other 4xx means that there are no rules.
    return read.status >= 500 or read.status == 429
