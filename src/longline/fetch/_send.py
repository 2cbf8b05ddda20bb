"""Send one HTTP request politely, and retry it if that makes sense."""

from __future__ import annotations

import asyncio
import os
import re
import ssl
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import httpx2
import numpy as np

from longline.errors import InputError, RefusedError, SourceError, UnreachableError
from longline.fetch._allowance import spend
from longline.fetch._answer import ASKS_FOR_PASSWORD, PROXY, Answer, Wire, capture
from longline.fetch._decode import (
    ACCEPTED,
    BrokenCodingError,
    Decoder,
    NotCodedError,
    TooLongError,
    UnknownCodingError,
    decode_start,
)
from longline.fetch._guard import UnknownHostError
from longline.fetch._pace import Pace
from longline.fetch._retry import (
    RETRIED,
    STUBBORN_TRIES,
    Tries,
    Trouble,
    asked_wait,
    quota_of,
)
from longline.fetch.manners import LONG_SECONDS, Hooks, Manners, Wait
from longline.text.refusals import data_too_fast, refused_for, said_wait

_PASSING = (
    TimeoutError,
    httpx2.TimeoutException,
    httpx2.NetworkError,
    httpx2.ProxyError,
    httpx2.RemoteProtocolError,
)
_HOPELESS = (UnknownHostError, ssl.SSLCertVerificationError)
_NEVER_KEPT_BYTES = 64 * 1024
_NUMBER = re.compile(r"\[Errno (\d+)\]")


class Tally:
    """Counts the HTTP requests that one answer costs."""

    def __init__(self) -> None:
        self.requests = 0


SAFER = 1.1
"""Factor by which requests are further apart than a rate that a refusal names demands."""

MOST_APART = 60.0
"""Maximum seconds between requests that a page's notices can impose on a URL."""


class Sender:
    """Send requests one at a time at each host's pace, and retry temporary failures.

    Args:
        manners: How long to wait, how often to try, and how much to read.
        hooks: Functions to call with requests and answers.
        now: The time, in seconds since 1970.
        rng: Jitters the waits between tries.
    """

    def __init__(
        self,
        client: httpx2.AsyncClient,
        pace: Pace,
        manners: Manners,
        hooks: Hooks,
        now: Callable[[], float],
        rng: np.random.Generator,
    ) -> None:
        self._client = client
        self._pace = pace
        self._manners = manners
        self._hooks = hooks
        self._now = now
        self._rng = rng
        # By host and path: seconds between requests that were long enough.
        self._apart: dict[str, float] = {}
        self._came: dict[str, float] = {}
        self._plain: set[str] = set()  # hosts whose compressed answers were damaged

    async def send(
        self, request: httpx2.Request, tally: Tally, *, cut_at: int | None = None
    ) -> Answer:
        """Send a request until its answer is final, with a limited number of tries (`Tries`).

        Args:
            request: Its body can be sent again.
            tally: Counts every try.
            cut_at: Bytes after which the body is cut off; None refuses bodies that are too large.

        Raises:
            UnreachableError: No answer after all retries.
            RefusedError: The answer is too large, or not encoded as its header says.
            SourceError: The run has ended.
            AskedToWait: The source asks for a longer wait than allowed.
            Interrupted: The user has stopped the run.
        """
        host, manners = request.url.host, self._manners
        tries = Tries(
            manners.retries + 1,
            STUBBORN_TRIES * manners.whole_seconds,
            wait_seconds=manners.wait_seconds,
            most_wait_seconds=manners.max_wait,
            rng=self._rng,
        )
        place = request.url.host + request.url.path
        while True:
            await self._pace.rest(self._left_apart(place))
            turn = await self._pace.wait(host)
            began, is_retry = time.monotonic(), tries.made > 0
            try:
                self._hooks.on_send()
                spend()
                tally.requests += 1
                request.extensions["trace"] = turn.trace
                if host in self._plain:
                    request.headers["Accept-Encoding"] = "identity"
                async with asyncio.timeout(manners.whole_seconds):
                    answer = await self._once(request, cut_at)
            except _PASSING as error:
                self._pace.learn(host, began, None, is_retry=is_retry)
                took = time.monotonic() - began
                wait = tries.wait_after(_trouble(error), took)
                if wait is None or any(isinstance(each, _HOPELESS) for each in _causes(error)):
                    raise self._unreachable(request, tries.made, error) from error
                self._tell_retry(host, took, wait, self._reason(error))
            else:
                self._pace.learn(host, began, answer.status, is_retry=is_retry)
                self._hooks.on_receive(len(answer.body))
                wait = self._wait_after(answer, tries, time.monotonic() - began)
                if place in self._apart:
                    self._came[place] = time.monotonic()
                if wait is None:
                    return answer
            finally:
                turn.end()
            await self._pace.rest(wait)

    def _tell_retry(self, host: str, took: float, seconds: float, reason: str) -> None:
        """Report that a host gave no good answer and is retried, if that takes long."""
        if took + seconds >= LONG_SECONDS:
            until = datetime.fromtimestamp(self._now() + seconds, UTC)
            self._hooks.on_wait(Wait(host, until, reason, is_asked=False))

    def _left_apart(self, place: str) -> float:
        """Return the seconds until a URL may be requested again, by its own notices."""
        apart = self._apart.get(place, 0.0)
        return max(self._came[place] + apart - time.monotonic(), 0.0) if apart else 0.0

    def _notice(self, answer: Answer, tries: Tries) -> tuple[float, str] | None:
        """Return the wait that a page with success status asks for, or None if it does not help."""
        before, asked = tries.noticed, said_wait(answer.body)
        tries.noticed = None if asked is None else (asked[0], answer.body)
        if before is not None and asked is None:
            self._apart[answer.head.url.host + answer.head.url.path] = min(before[0], MOST_APART)
        return None if before is not None and before[1] == answer.body else asked

    def _refused(self, answer: Answer) -> tuple[float, str] | None:
        """Return the wait that a refusal's text asks for, or None; keep to the rate it names."""
        refusal = refused_for(answer.status, answer.body)
        if refusal is None:
            return None
        if refusal.apart:
            self._pace.delay(answer.head.url.host, min(SAFER * refusal.apart, MOST_APART))
        return refusal.seconds, f"{answer.status}, {refusal.said}"

    def _wait_after(self, answer: Answer, tries: Tries, seconds: float) -> float | None:
        """Return the seconds to wait before a request is sent again, or None if it is not.

        A wait demanded by the source is handled by the pace, which also delays other requests.

        Raises:
            AskedToWait: The source asks for a longer wait than allowed.
        """
        head, status = answer.head, answer.status
        now, is_page = datetime.fromtimestamp(self._now(), UTC), 200 <= status < 300
        asked = self._notice(answer, tries) if answer.kind("html") else None
        if not is_page:
            asked = asked_wait(status, head.headers, now) or self._refused(answer)
        quota = None if asked is not None else quota_of(head.headers, now)
        if quota is not None:
            self._pace.told(head.url.host, quota)
        if is_page and asked is None:
            return None
        trouble = RETRIED.get(status) if asked is None else "busy"
        if asked is not None:
            self._pace.hold(head.url.host, *asked)
        wait = None if trouble is None else tries.wait_after(trouble, seconds)
        if wait is None or asked is not None:
            return wait and 0.0
        said = head.reason_phrase if status == head.status_code else data_too_fast(answer.body)
        reason = f"{head.status_code} {said}".strip()
        self._tell_retry(head.url.host, seconds, wait, reason)
        return wait

    async def _once(self, request: httpx2.Request, cut_at: int | None) -> Answer:
        if self._client.is_closed:  # a page in a browser may ask for more after the end of a run
            raise SourceError(f"{request.url} was not asked for: the run has ended")
        began = self._now()
        try:
            head = await self._client.send(request, stream=True)
            wire = Wire(head, is_kept=self._hooks.on_capture is not None)
            try:
                answer = Answer(head, await self._read(wire, cut_at))
            finally:
                await head.aclose()
            if self._hooks.on_capture is not None:
                await head.request.aread()
                self._hooks.on_capture(capture(wire, answer.body, began))
            return answer
        except UnknownCodingError as error:
            raise _unreadable(
                request, f"came encoded as {error}, which cannot be read: {ACCEPTED} was asked for"
            ) from None
        except NotCodedError as error:
            raise _unreadable(request, f"is not encoded as its header says: {error}") from None
        except BrokenCodingError as error:
            self._plain.add(request.url.host)
            raise httpx2.RemoteProtocolError(f"the answer is damaged: {error}") from None
        except httpx2.LocalProtocolError as error:
            raise InputError(
                f"a request to {request.url} cannot be sent: {error}",
                advice="check ask.headers in the source spec",
            ) from None

    async def _read(self, wire: Wire, cut_at: int | None) -> bytes:
        head, limit = wire.head, self._manners.max_body_bytes
        declared = head.headers.get("content-length", "")
        if not head.is_success:
            # Error pages and redirects are not kept: enough is read to reuse the connection.
            start, most = await wire.read(_NEVER_KEPT_BYTES), _NEVER_KEPT_BYTES
            return decode_start(start, head.headers.get("content-encoding", ""), most_bytes=most)
        if cut_at is not None:
            return await wire.read(cut_at, _decoder(head, cut_at))
        if declared.isdecimal() and int(declared) > limit:
            raise _too_large(head, f"is {int(declared):,} bytes", limit)
        try:
            body = await wire.read(limit + 1, _decoder(head, limit))
        except TooLongError:
            raise _too_large(head, "has too much to decode", limit) from None
        if len(body) > limit:
            raise _too_large(head, f"has sent {len(body):,} bytes and goes on", limit)
        return body

    def _unreachable(
        self, request: httpx2.Request, attempts: int, error: Exception
    ) -> UnreachableError:
        host = request.url.host
        port = request.url.port or (443 if request.url.scheme == "https" else 80)
        tries = "1 try" if attempts == 1 else f"{attempts} tries"
        certificate = next(filter(None, map(_refused_certificate, _causes(error))), "")
        by, advice = "", "check that the site is up and that its URL is right"
        if self._manners.proxy:
            by, advice = (
                " through the proxy",
                "check that both are up and that their URLs are right",
            )
        elif any(name.lower() == f"{request.url.scheme}_proxy" for name in os.environ):
            advice += f"; a proxy that the environment names is not used: give it with {PROXY}"
        if str(error).startswith("407"):
            advice = ASKS_FOR_PASSWORD
        return UnreachableError(
            f"no answer from {host} port {port}{by} in {tries}: {self._reason(error)}",
            advice=certificate or advice,
            host=host,
            port=port,
        )

    def _reason(self, error: Exception) -> str:
        manners = self._manners
        if isinstance(error, httpx2.TimeoutException):
            return f"nothing came for {manners.timeout:g} s"
        if isinstance(error, httpx2.ProxyError):
            return f"it says {error}"
        if isinstance(error, TimeoutError):
            return f"the answer took longer than {manners.whole_seconds:g} s"
        # The innermost cause is the system's own message, e.g. "Connection refused".
        system = [cause for cause in _causes(error) if isinstance(cause, OSError) and cause.errno]
        innermost = system[-1] if system else error
        if isinstance(innermost, ssl.SSLError):
            return f"TLS: {getattr(innermost, 'verify_message', '') or innermost}".rstrip(".")
        # From an asyncio error only the text is available.
        told = _NUMBER.match(str(innermost))
        number = int(told[1]) if told else getattr(innermost, "errno", 0) or 0
        if number > 0:
            return os.strerror(number)
        return str(getattr(innermost, "strerror", "") or innermost) or type(error).__name__


def _refused_certificate(error: BaseException) -> str:
    """Return what to do about a certificate that is not trusted, or "" if that is not the cause."""
    if not isinstance(error, ssl.SSLCertVerificationError):
        return ""
    if error.verify_code in range(18, 22):  # in OpenSSL: its signer is not known
        return (
            "where you trust the site, put its certificate, or that of who signed it, into a file, "
            "and name that file in the environment variable SSL_CERT_FILE for this run"
        )
    return "give the name that its certificate is for, or ask who runs the site to renew it"


def _decoder(head: httpx2.Response, limit: int) -> Decoder:
    # Incompressible data is a little longer when encoded.
    most_bytes = limit + _NEVER_KEPT_BYTES
    return Decoder(head.headers.get("content-encoding", ""), most_bytes=most_bytes)


def _unreadable(request: httpx2.Request, what: str) -> RefusedError:
    return RefusedError(
        f"{request.url} {what}", advice="tell the site's owner", url=str(request.url)
    )


def _trouble(error: Exception) -> Trouble:
    """Return why no answer came: refused connection, time-out, or broken off."""
    if isinstance(error, TimeoutError | httpx2.TimeoutException):
        return "slow"
    return "busy" if isinstance(error, httpx2.ConnectError) else "broken"


def _too_large(head: httpx2.Response, what: str, limit: int) -> RefusedError:
    return RefusedError(
        f"{head.url} {what}, more than the {limit:,} bytes allowed",
        advice="if it is what you want, --max-body-bytes allows more",
        url=str(head.url),
        status=head.status_code,
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
