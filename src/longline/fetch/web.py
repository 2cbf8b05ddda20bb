"""The one HTTP client: polite, bounded, guarded. It decides nothing about queries."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable, Mapping
from importlib.metadata import version
from urllib.parse import urlsplit

import httpx2
import numpy as np

from longline.errors import (
    InputError,
    Interrupted,
    PrivateAddressError,
    RefusedError,
    RobotsError,
    SourceError,
    StoppedShort,
)
from longline.events import RobotsRead
from longline.fetch._addresses import is_private_host, is_public
from longline.fetch._guard import GuardedTransport, Resolve, resolve
from longline.fetch._pace import Pace
from longline.fetch._robots import MAX_BYTES as ROBOTS_BYTES
from longline.fetch._robots import Robots
from longline.fetch._send import Answer, Limits, Sender, Tally
from longline.model import Request, Response

USER_AGENT = f"longline/{version('longline')} (a polite harvester; obeys robots.txt)"
_HOST = re.compile(r"[\w.:~-]+")
_TO_ANY_HOST = frozenset({"accept", "accept-language", "content-type", "user-agent"})


class WebFetcher:
    """Fetch from the web: the port `Fetcher` on one connection pool.

    Obeys robots.txt and its Crawl-delay, keeps to a pace for each host, tries again what may
    pass, keeps cookies, and connects to no private address. Proxies named by the environment
    are not used: behind a proxy nobody could tell which address is really connected to.

    Args:
        rng: Jitters the waits between tries.
        user_agent: Its first word up to "/" is looked for in robots.txt.
        allow_private: Connect to private, loopback and reserved addresses too.
        obey_robots: False fetches no robots.txt and obeys none.
        known_robots: What an earlier run read, by origin; not asked for again.
        on_robots: Told of every robots.txt that is read.
        on_send: Called before every HTTP request that is sent: robots.txt, redirects and
            retries too. What it raises, such as BudgetSpent, stops the request.
        on_receive: Told how many bytes, decoded, each answer's body has.
        rate: Requests per second to one host; None for no pause.
        retries: Tries after the first, for connection errors, time-outs and the statuses
            429, 500, 502, 503 and 504.
        wait_seconds: Mean wait before the first retry; doubled for each after it.
        max_wait_seconds: No wait is longer; a source that asks for more ends the run.
        timeout_seconds: For a connection, and for each piece of an answer.
        deadline_seconds: For one whole answer.
        max_bytes: Of a decoded body.
        max_redirects: Hops of one answer.
        connections: Open at the same time.
        is_public: Says which IP addresses are connected to without `allow_private`.
        resolve: Turns a host's name into addresses.
        ssl_context: None trusts the system's authorities.
    """

    def __init__(
        self,
        *,
        rng: np.random.Generator,
        user_agent: str = USER_AGENT,
        allow_private: bool = False,
        obey_robots: bool = True,
        known_robots: Mapping[str, RobotsRead] | None = None,
        on_robots: Callable[[RobotsRead], object] = lambda event: None,
        on_send: Callable[[], object] = lambda: None,
        on_receive: Callable[[int], object] = lambda body_bytes: None,
        rate: float | None = None,
        retries: int = 3,
        wait_seconds: float = 1.0,
        max_wait_seconds: float = 120.0,
        timeout_seconds: float = 30.0,
        deadline_seconds: float = 120.0,
        max_bytes: int = 10_000_000,
        max_redirects: int = 10,
        connections: int = 8,
        is_public: Callable[[str], bool] = is_public,
        resolve: Resolve = resolve,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self.user_agent = user_agent
        self._is_allowed = is_allowed = (lambda address: True) if allow_private else is_public
        self._obey_robots = obey_robots
        self._max_redirects = max_redirects
        self._max_wait_seconds = max_wait_seconds
        self._client = httpx2.AsyncClient(
            transport=GuardedTransport(
                is_allowed=is_allowed,
                connections=connections,
                resolve=resolve,
                ssl_context=ssl_context,
            ),
            headers={"User-Agent": user_agent},
            timeout=httpx2.Timeout(timeout_seconds, pool=None),
            trust_env=False,
        )
        self._pace = Pace(rate)
        limits = Limits(
            retries=retries,
            wait_seconds=wait_seconds,
            max_wait_seconds=max_wait_seconds,
            timeout_seconds=timeout_seconds,
            deadline_seconds=deadline_seconds,
            max_bytes=max_bytes,
        )
        self._sender = Sender(
            self._client, self._pace, limits, on_send=on_send, on_receive=on_receive, rng=rng
        )
        self._robots = Robots(
            user_agent.partition("/")[0],
            self._fetch_robots,
            known=known_robots or {},
            on_read=on_robots,
        )

    async def fetch(self, request: Request) -> Response:
        """Return the final answer, after redirects and retries.

        `Response.requests` and an error's `requests` count what was sent for it, robots.txt
        aside: that is told to `on_robots`.

        Raises:
            InputError: No http or https URL, a private address, or robots.txt disallows it.
            StoppedShort: The source asks to wait longer than allowed; from `on_send`; or `stop`
                was called.
            UnreachableError: No answer, although retried.
            RefusedError: A final status of 400 or more, an answer too large, a redirect loop.
        """
        return await self._fetch(request, obey_robots=self._obey_robots)

    async def fetch_whole(self, request: Request) -> tuple[Response, dict[str, str]]:
        """Return the same, with the headers of the final answer, several of one name as one.

        They are joined by commas, but for cookies, of which each has a line.

        Raises:
            As `fetch`.
        """
        answer, tally = await self._answer(request, obey_robots=self._obey_robots)
        headers: dict[str, str] = {}
        for name, value in answer.head.headers.multi_items():
            between = "\n" if name.lower() == "set-cookie" else ", "
            headers[name] = f"{headers[name]}{between}{value}" if name in headers else value
        return _final(answer, tally), headers

    def keep_cookies(self, header: str, url: str) -> None:
        """Send cookies that a script has set from now on, beside those that the source has set.

        Args:
            header: As a browser sends it: "a=1; b=2".
            url: Of the page.
        """
        host = urlsplit(url).hostname or ""
        known = {cookie.name for cookie in self._client.cookies.jar}
        for pair in filter(None, header.split("; ")):
            name, _, value = pair.partition("=")
            if name not in known:
                # The standard library's jar knows a name without a dot by this ending.
                self._client.cookies.set(name, value, host if "." in host else f"{host}.local")

    def stop(self) -> None:
        """Send nothing more, and wait for nothing but the answers under way.

        Whatever is asked for from now on, or is being cancelled, is `Interrupted`.
        """
        self._pace.stop()

    async def close(self) -> None:
        """Let go of connections."""
        await self._robots.close()
        await self._client.aclose()

    async def _fetch_robots(self, url: str) -> Response:
        return await self._fetch(Request(url), obey_robots=False, cut_at=ROBOTS_BYTES)

    async def _fetch(
        self, request: Request, *, obey_robots: bool, cut_at: int | None = None
    ) -> Response:
        return _final(*await self._answer(request, obey_robots=obey_robots, cut_at=cut_at))

    async def _answer(
        self, request: Request, *, obey_robots: bool, cut_at: int | None = None
    ) -> tuple[Answer, Tally]:
        tally = Tally()
        try:
            answer = await self._follow(request, tally, obey_robots, cut_at)
            _check(answer)
            return answer, tally
        except (SourceError, StoppedShort) as error:
            error.requests += tally.requests
            raise
        except asyncio.CancelledError:
            if not self._pace.is_stopped:
                raise
            interrupted = Interrupted()
            interrupted.requests = tally.requests
            raise interrupted from None

    async def _follow(
        self, request: Request, tally: Tally, obey_robots: bool, cut_at: int | None
    ) -> Answer:
        sent = self._build(request)
        hops: list[str] = []
        while True:
            url = str(sent.url)
            if is_private_host(url, self._is_allowed):
                raise PrivateAddressError(sent.url.host, sent.url.host)
            if obey_robots:
                await self._obey(url, sent.url.host)
            answer = await self._sender.send(sent, tally, cut_at=cut_at)
            if not answer.head.has_redirect_location:
                return answer
            hops.append(url)
            sent = self._redirected(request, sent, answer.head, hops)

    async def _obey(self, url: str, host: str) -> None:
        interval = await self._robots.check(url)
        if interval > self._max_wait_seconds:
            raise RobotsError(
                f"robots.txt of {host} asks for {interval:,.0f} s between requests, "
                f"longer than the {self._max_wait_seconds:,.0f} s allowed",
                advice="ask the site's owner for another way in",
            )
        self._pace.slow_down(host, interval)

    def _build(self, request: Request) -> httpx2.Request:
        try:
            sent = self._client.build_request(
                request.method,
                request.url,
                headers=list(request.headers),
                content=request.body or None,
            )
        except (httpx2.InvalidURL, ValueError) as error:
            raise InputError(f"{request.url!r} is no URL: {error}", advice="correct it") from None
        if not _is_web(sent.url):
            raise InputError(
                f"{request.url!r} is no http or https URL", advice="write https://host/path"
            )
        return sent

    def _redirected(
        self, request: Request, sent: httpx2.Request, head: httpx2.Response, hops: list[str]
    ) -> httpx2.Request:
        following = head.next_request
        if following is None or not _is_web(following.url):
            location = head.headers.get("location", "")
            raise _refused(head, f"{head.url} redirects to {location!r}, which is no http URL")
        # A page that sets a cookie may well lead to itself, but not for ever.
        if hops.count(str(following.url)) > 2:
            raise _refused(
                head,
                f"a redirect loop: {' -> '.join([*hops, str(following.url)])}",
                "open the URL in a browser, and name the address of the page that it shows",
            )
        if len(hops) > self._max_redirects:
            raise _refused(
                head, f"{hops[0]} redirects more than {self._max_redirects} times, to {hops[-1]}"
            )
        if following.url.origin != sent.url.origin:
            # A key in a header is meant for the source, not for where it leads.
            for name, _ in request.headers:
                if name.lower() not in _TO_ANY_HOST:
                    following.headers.pop(name, None)
        return following


def _is_web(url: httpx2.URL) -> bool:
    # httpx2 percent-encodes what cannot be part of a host rather than refusing it.
    is_host = _HOST.fullmatch(url.host) is not None
    return url.scheme in ("http", "https") and is_host and (url.port or 0) < 2**16


def _refused(
    head: httpx2.Response, message: str, advice: str = "open the URL in a browser"
) -> RefusedError:
    return RefusedError(message, advice=advice, url=str(head.url), status=head.status_code)


_ADVICE = {
    401: "the source wants a login, which is not supported; ask its owner for access",
    403: "the source refuses; ask its owner, and do not try to get around it",
    404: "check the URL",
    429: "lower the rate, and come back later",
}


def _check(answer: Answer) -> None:
    head = answer.head
    if not head.is_success:
        what = f"{head.request.method} {head.url} answers {head.status_code} {head.reason_phrase}"
        raise _refused(head, what.strip(), _ADVICE.get(head.status_code, "try again later"))


def _final(answer: Answer, tally: Tally) -> Response:
    head = answer.head
    return Response(
        url=str(head.url.copy_with(fragment=None)),
        status=head.status_code,
        content_type=head.headers.get("content-type", ""),
        headers=tuple(
            (name.lower(), value)
            for name, value in head.headers.multi_items()
            # What logs in is neither read nor kept.
            if name.lower() not in ("set-cookie", "set-cookie2")
        ),
        body=answer.body,
        requests=tally.requests,
    )
