"""The one HTTP client: polite, bounded, guarded. It decides nothing about queries."""

import asyncio
import re
from collections import defaultdict
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import urlsplit

import httpx2
import msgspec
import numpy as np
from w3lib.html import get_meta_refresh

from longline.errors import (
    AddressError,
    Interrupted,
    PrivateAddressError,
    RefusedError,
    RobotsError,
    SourceError,
    StoppedShort,
)
from longline.events import RobotsRead
from longline.fetch._answer import AS_SENT, Answer, advice_of, is_challenge, own_words
from longline.fetch._cookies import Jar
from longline.fetch._decode import ACCEPTED
from longline.fetch._guard import GuardedTransport
from longline.fetch._own import Own
from longline.fetch._pace import Pace, shared_hosts
from longline.fetch._robots import MAX_BYTES as ROBOTS_BYTES
from longline.fetch._robots import MAX_REDIRECTS as ROBOTS_REDIRECTS
from longline.fetch._robots import Robots, add_earlier
from longline.fetch._send import Sender, Tally
from longline.fetch.manners import Earlier, Hooks, Manners, Network
from longline.model import Request, Response
from longline.outcomes import WALL_ADVICE, Ending
from longline.text.addresses import is_private_host
from longline.text.media_type import media_type
from longline.text.url import resolve as resolve_url

MAX_DELAY_SECONDS = 120.0
"""Longest delay between requests that robots.txt may demand; slower harvests would never end."""

MOST_SECONDS = 5.0
"""A page with a longer delay before its meta refresh is meant to be read."""

_HEAD_BYTES = 20_000
_HOST = re.compile(r"[\w.:~-]+")
_TO_ANY_HOST = frozenset({"accept", "accept-language", "content-type", "user-agent"})

SESSION = "longline.session"
"""Key of a request's session in its httpx2 extensions."""


class WebFetcher:
    """Fetch from the web: the port `Fetcher` on one connection pool.

    It obeys robots.txt and its Crawl-delay, keeps a pace for each host, retries temporary failures,
    keeps the cookies of each session, and connects to no private address. Proxies from the
    environment are ignored: behind a proxy the real address of a connection is unknown. With a
    proxy given by the user, the guard checks names and addresses first.

    Args:
        rng: Jitters the waits between tries.
        manners: What is allowed, how fast, and how much.
        hooks: Functions to call with events.
        earlier: What earlier runs learnt about hosts.
        network: Replaces the machine's own network in tests.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        manners: Manners = Manners(),
        *,
        hooks: Hooks = Hooks(),
        earlier: Earlier = Earlier(),
        network: Network = Network(),
    ) -> None:
        self.user_agent = manners.user_agent
        self._manners = manners
        self.most_bytes = manners.max_body_bytes
        is_allowed = (lambda address: True) if manners.allow_private else network.is_public
        self._is_allowed = is_allowed
        self._client = httpx2.AsyncClient(
            transport=GuardedTransport(
                is_allowed=is_allowed,
                connections=2 * manners.concurrency,
                resolve=network.resolve,
                ssl_context=network.ssl_context,
                proxy=manners.proxy,
            ),
            headers={"User-Agent": manners.user_agent, "Accept-Encoding": ACCEPTED},
            timeout=httpx2.Timeout(manners.timeout, pool=None),
            trust_env=False,
            # Its own jar does not keep the same cookies as browsers.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            event_hooks={"response": [self._keep_cookies, _read_location]},
        )
        self._timeouts = self._client.timeout.as_dict()
        self._public_hosts: set[str] = set()
        self._own = Own(manners)
        self._jars = defaultdict[int, Jar](Jar)  # by session
        self._kinds: dict[str, str] = {}  # by host that answers in no other media type
        hosts = shared_hosts()
        add_earlier(hosts.robots, earlier.robots)
        self._pace = Pace(manners, hooks, earlier.waits, hosts, network, rng)
        self._sender = Sender(self._client, self._pace, manners, hooks, network.now, rng)

        def read(robots: RobotsRead) -> None:
            hooks.on_robots(robots)
            hosts.has_read(robots)

        self._robots = Robots(
            manners.user_agent,
            self._fetch_robots,
            known=hosts.robots,
            on_read=read,
            now=network.now,
        )

    async def fetch(self, request: Request) -> Response:
        """Return the final answer, after redirects and retries.

        `Response.requests` and an error's `requests` count the requests sent for it, without
        robots.txt: those are reported to `on_robots`.

        Raises:
            AddressError, PrivateAddressError, RobotsError: No http or https URL, a private address,
                or robots.txt disallows it.
            StoppedShort: The source asks to wait longer than allowed; from `on_send`; or `stop` was
                called.
            UnreachableError: No answer after all retries.
            RefusedError: A final status of 400 or more, an answer too large, a redirect loop.
        """
        return _final(*await self._answer(request))

    async def fetch_whole(self, request: Request) -> tuple[Response, dict[str, str]]:
        """Return the same, and the final answer's headers, with repeated headers joined.

        They are joined by commas; Set-Cookie values by line feeds.

        Raises:
            As `fetch`.
        """
        answer, tally = await self._answer(request)
        headers: dict[str, str] = {}
        for name, value in answer.head.headers.multi_items():
            between = "\n" if name.lower() == "set-cookie" else ", "
            headers[name] = f"{headers[name]}{between}{value}" if name in headers else value
        return _final(answer, tally), headers

    @property
    def has_cookies(self) -> bool:
        """Whether the site set cookies."""
        return any(jar.has_any for jar in self._jars.values())

    def keep_cookies(self, header: str, url: str) -> None:
        """Send cookies that a script has set from now on, in addition to those the source has set.

        Args:
            header: As a browser sends it: "a=1; b=2".
            url: URL of the page.
        """
        jar = self._jars[0]
        known = jar.names()
        for pair in header.encode("utf-8", "replace").split(b"; "):
            if pair.partition(b"=")[0] not in known:
                jar.keep(pair + b"; Path=/", url, datetime.now(UTC))

    async def rest(self, seconds: float) -> None:
        """Wait for a time, unless `stop` is called.

        Raises:
            Interrupted: It was called.
        """
        await self._pace.rest(seconds)

    def stop(self) -> None:
        """Send nothing more, and wait only for answers in progress.

        Later requests, and those being cancelled, raise `Interrupted`.
        """
        self._pace.stop()

    async def close(self) -> None:
        """Close connections."""
        await self._robots.close()
        await self._client.aclose()

    async def _fetch_robots(self, url: str) -> Response:
        return _final(*await self._answer(Request(url), is_robots=True))

    async def _answer(self, request: Request, *, is_robots: bool = False) -> tuple[Answer, Tally]:
        tally = Tally()
        try:
            answer = await self._follow(request, tally, is_robots)
            own = {name.lower() for name, _ in request.headers} - _TO_ANY_HOST
            _check(answer, has_key=bool(self._manners.headers or own))
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

    async def _follow(self, request: Request, tally: Tally, is_robots: bool) -> Answer:
        sent = self._build(request)
        cut_at = ROBOTS_BYTES if is_robots else None
        max_redirects = ROBOTS_REDIRECTS if is_robots else self._manners.max_redirects
        hops: list[str] = []
        while True:
            url = str(sent.url)
            self._check_host(sent.url.host, url)
            if self._manners.robots and not is_robots:
                await self._obey(url, sent.url.host)
            self._own.dress(sent)
            self._show_cookies(sent)
            answer = await self._sender.send(sent, tally, cut_at=cut_at)
            if _redirects(answer.head):
                hops.append(url)
                sent = self._redirected(request, sent, answer.head, hops, max_redirects)
                continue
            if answer.head.status_code == HTTPStatus.NOT_ACCEPTABLE and self._is_news(answer.head):
                sent = self._build(msgspec.structs.replace(request, url=url))
                continue
            led = "" if is_robots else _led_on(answer)
            if not led or led in hops or len(hops) >= max_redirects:
                return answer
            hops.append(url)
            sent = self._build(msgspec.structs.replace(request, url=led, method="GET", body=b""))

    def _is_news(self, head: httpx2.Response) -> bool:
        """Record the one media type that a host offers in its 406; return whether it is new."""
        host, kind = head.request.url.host, media_type(head.headers.get("content-type", ""))
        is_news = kind.startswith("application/") and self._kinds.get(host) != kind
        self._kinds |= {host: kind} if is_news else {}
        return is_news

    def _check_host(self, host: str, url: str) -> None:
        """Check, once per host, that a URL's host is not visibly private."""
        if host not in self._public_hosts:
            if is_private_host(url, self._is_allowed):
                raise PrivateAddressError(host, host)
            self._public_hosts.add(host)

    def _show_cookies(self, sent: httpx2.Request) -> None:
        if not (self._jar_of(sent).has_any or self._own.has_cookies):
            return
        set_by_source = self._jar_of(sent).header(str(sent.url), datetime.now(UTC))
        cookies = self._own.cookies(sent, set_by_source)
        if cookies and "cookie" not in sent.headers:
            sent.headers = httpx2.Headers([*sent.headers.raw, (b"Cookie", cookies)])

    async def _keep_cookies(self, head: httpx2.Response) -> None:
        for name, value in head.headers.raw:
            if name.lower() == b"set-cookie":
                self._jar_of(head.request).keep(value, str(head.url), datetime.now(UTC))

    def _jar_of(self, sent: httpx2.Request) -> Jar:
        return self._jars[sent.extensions[SESSION]]

    async def _obey(self, url: str, host: str) -> None:
        interval = await self._robots.check(url)
        if interval > MAX_DELAY_SECONDS:
            raise RobotsError(
                f"robots.txt of {host} asks for {interval:,.0f} s between requests, "
                f"longer than the {MAX_DELAY_SECONDS:,.0f} s that a harvest can keep to",
                advice="ask the site's owner for another way in",
            )
        self._pace.delay(host, interval)

    def _build(self, request: Request) -> httpx2.Request:
        try:
            url = httpx2.URL(resolve_url(request.url))
        except (httpx2.InvalidURL, ValueError):
            url = httpx2.URL()
        if not _is_web(url):
            raise AddressError(
                f"{request.url!r} is not an http or https URL", advice="write https://host/path"
            )
        headers = self._client.headers
        kind = self._kinds.get(url.host)
        given = ((("Accept", kind),) if kind else ()) + request.headers
        if given:
            headers = headers.copy()
            headers.update([(name.encode(), value.encode()) for name, value in given])
        return httpx2.Request(
            request.method,
            url,
            headers=headers,
            content=request.body or None,
            extensions={SESSION: request.session, "timeout": self._timeouts},
        )

    def _redirected(
        self,
        request: Request,
        sent: httpx2.Request,
        head: httpx2.Response,
        hops: list[str],
        max_redirects: int,
    ) -> httpx2.Request:
        following = head.next_request
        if following is None or not _is_web(following.url):
            location = head.headers.get("location", "")
            raise _refused(head, f"{head.url} redirects to {location!r}, which is no http URL")
        # A page that sets a cookie may redirect to itself, but not endlessly.
        if hops.count(str(following.url)) > 2:
            raise _refused(
                head,
                f"a redirect loop: {' -> '.join([*hops, str(following.url)])}",
                "open the URL in a browser, and name the address of the page that it shows",
            )
        if len(hops) > max_redirects:
            raise _refused(
                head, f"{hops[0]} redirects more than {max_redirects} times, to {hops[-1]}"
            )
        if following.url.origin != sent.url.origin:
            # A key in a header is for the source, not for the targets of its redirects.
            for name, _ in request.headers:
                if name.lower() not in _TO_ANY_HOST:
                    following.headers.pop(name, None)
        return following


async def _read_location(head: httpx2.Response) -> None:
    """Resolve a redirect's target as a browser does."""
    if _redirects(head):
        head.extensions[AS_SENT] = list(head.headers.raw)
        with suppress(ValueError):
            head.headers["location"] = resolve_url(head.headers["location"], str(head.url))


def _led_on(answer: Answer) -> str:
    """Return the target of a page's meta refresh after a short delay, on its own host, or ""."""
    url, start = str(answer.head.url), answer.body[:_HEAD_BYTES]
    if not (answer.kind("html") and b"refresh" in start.lower()):
        return ""
    seconds, target = get_meta_refresh(start.decode("utf-8", "replace"), url)
    if not target or (seconds or 0) > MOST_SECONDS:
        return ""
    target = target.partition("#")[0]
    is_own = urlsplit(target)[:2] == urlsplit(url)[:2]
    return target if is_own and target != url.partition("#")[0] else ""


def _redirects(head: httpx2.Response) -> bool:
    return head.status_code >= 300 and head.has_redirect_location


def _is_web(url: httpx2.URL) -> bool:
    # httpx2 percent-encodes invalid characters of a host instead of refusing them.
    is_host = _HOST.fullmatch(url.host) is not None
    return url.scheme in ("http", "https") and is_host and (url.port or 0) < 2**16


def _refused(
    head: httpx2.Response, message: str, advice: str = "open the URL in a browser", status: int = 0
) -> RefusedError:
    status = status or head.status_code
    return RefusedError(message, advice=advice, url=str(head.url), status=status)


def _check(answer: Answer, *, has_key: bool) -> None:
    head, status = answer.head, answer.status
    if not 200 <= status < 300:
        what = f"{head.request.method} {head.url} answers {head.status_code} {head.reason_phrase}"
        said = own_words(head.status_code, head.headers.get("content-type", ""), answer.body)
        error = _refused(head, what.strip() + said, advice_of(status, has_key=has_key), status)
        if is_challenge(head.status_code, answer.body):
            said = f"{what} and asks the visitor to show that it is no program"
            error = _refused(head, said, WALL_ADVICE["captcha"])
            error.ending = Ending("blocked", "captcha")
        raise error


def _final(answer: Answer, tally: Tally) -> Response:
    head = answer.head
    return Response(
        url=str(head.url).partition("#")[0],
        status=head.status_code,
        content_type=head.headers.get("content-type", ""),
        headers=tuple(
            (name.lower(), value)
            for name, value in head.headers.multi_items()
            # Login cookies are neither read nor kept.
            if name.lower() not in ("set-cookie", "set-cookie2")
        ),
        body=answer.body,
        requests=tally.requests,
        place=head.url.fragment,
    )
