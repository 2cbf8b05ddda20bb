"""robots.txt, as RFC 9309 has it: read once per origin, kept, obeyed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlsplit

from protego import Protego

from longline.errors import RefusedError, RobotsError
from longline.events import RobotsRead
from longline.model import Response

MAX_BYTES = 512 * 1024
"""RFC 9309, 2.5: at least 500 KiB are to be read; what comes after is not."""

Get = Callable[[str], Awaitable[Response]]


class Robots:
    """What the origins met so far allow.

    A request that comes while robots.txt is still on its way waits for it, as all others do.

    Args:
        agent: The product token to look for, e.g. "longline".
        get: Fetch a URL, with redirects and retries.
        known: What was read before, by origin.
        on_read: Told what was read.
    """

    def __init__(
        self,
        agent: str,
        get: Get,
        *,
        known: Mapping[str, RobotsRead],
        on_read: Callable[[RobotsRead], object],
    ) -> None:
        self._agent = agent
        self._get = get
        self._on_read = on_read
        # A failure says nothing about today.
        self._read = {origin: read for origin, read in known.items() if not _is_failure(read)}
        self._parsed: dict[str, Protego] = {}
        self._loading: dict[str, asyncio.Task[RobotsRead]] = {}

    async def check(self, url: str) -> float:
        """Make sure that a URL may be fetched.

        Returns:
            The seconds that the source wants between requests; 0.0 where it wants none.

        Raises:
            RobotsError: It may not, or robots.txt answers with an error for now.
            UnreachableError, PrivateAddressError, BudgetSpent: As any request.
        """
        origin = origin_of(url)
        read = self._read.get(origin) or await self._load(origin)
        if _is_failure(read):
            raise RobotsError(
                f"{origin}/robots.txt answers with status {read.status}, "
                f"which stands for 'keep out' until it is back (RFC 9309)",
                advice="try again later",
            )
        if origin not in self._parsed:
            self._parsed[origin] = Protego.parse(read.text)
        rules = self._parsed[origin]
        if not rules.can_fetch(url, self._agent):
            raise RobotsError(
                f"{origin}/robots.txt disallows {url} to {self._agent}",
                advice="ask the site's owner, or look for an interface that it does allow",
            )
        rate = rules.request_rate(self._agent)
        delay = rules.crawl_delay(self._agent) or 0.0
        return max(delay, rate.seconds / rate.requests if rate else 0.0)

    async def _load(self, origin: str) -> RobotsRead:
        task = self._loading.get(origin)
        if task is None:
            task = self._loading[origin] = asyncio.create_task(self._fetch(origin))
            task.add_done_callback(lambda done: self._done(origin, done))
        # One of those who wait may be cancelled; the others still want the answer.
        return await asyncio.shield(task)

    async def _fetch(self, origin: str) -> RobotsRead:
        try:
            response = await self._get(f"{origin}/robots.txt")
            text = response.body.decode("utf-8-sig", "replace")
            read = RobotsRead(origin, response.status, text, response.requests)
        except RefusedError as error:
            # Too many redirects, or too large, count as "there is none" (2.3.1.2).
            read = RobotsRead(origin, error.status or 404, "", error.requests)
        if not _is_failure(read):
            self._read[origin] = read
        self._on_read(read)
        return read

    def _done(self, origin: str, task: asyncio.Task[RobotsRead]) -> None:
        del self._loading[origin]
        if not task.cancelled():
            # Read here too, since all who waited for it may have been cancelled.
            task.exception()

    async def close(self) -> None:
        """Give up on what is still loading."""
        for task in list(self._loading.values()):
            task.cancel()
        await asyncio.gather(*self._loading.values(), return_exceptions=True)


def origin_of(url: str) -> str:
    """Return scheme, host and port of a URL.

    >>> origin_of("https://shop.example/search?q=x")
    'https://shop.example'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"


def _is_failure(read: RobotsRead) -> bool:
    # 429 asks to come back later, as a 5xx does; any other 4xx means that there are no rules.
    return read.status >= 500 or read.status == 429
