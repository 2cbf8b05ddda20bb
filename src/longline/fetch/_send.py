"""One HTTP request, sent politely and tried again where that makes sense."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import Callable, Iterator
from contextlib import aclosing
from datetime import UTC, datetime

import httpx2
import msgspec
import numpy as np

from longline.errors import InputError, RefusedError, StoppedShort, UnreachableError
from longline.fetch._guard import UnknownHostError
from longline.fetch._pace import Pace
from longline.fetch._retry import RETRIED, backoff, retry_after

_PASSING = (
    TimeoutError,
    httpx2.TimeoutException,
    httpx2.NetworkError,
    httpx2.RemoteProtocolError,
)
_HOPELESS = (UnknownHostError, ssl.SSLCertVerificationError)
_NEVER_KEPT_BYTES = 64 * 1024


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How long to wait, how often to try, and how much to take; see `WebFetcher`."""

    retries: int
    wait_seconds: float
    max_wait_seconds: float
    timeout_seconds: float
    deadline_seconds: float
    max_bytes: int


class Tally:
    """Counts the HTTP requests that one answer costs."""

    def __init__(self) -> None:
        self.requests = 0


class Answer(msgspec.Struct, frozen=True):
    """The head of an answer, and its decoded body."""

    head: httpx2.Response
    body: bytes


class Sender:
    """Send requests one at a time to each host's pace, and try again what may pass.

    Args:
        on_send: Called before every HTTP request; what it raises stops the request.
        on_receive: Told how many bytes each answer's body has.
    """

    def __init__(
        self,
        client: httpx2.AsyncClient,
        pace: Pace,
        limits: Limits,
        *,
        on_send: Callable[[], object],
        on_receive: Callable[[int], object],
        rng: np.random.Generator,
    ) -> None:
        self._client = client
        self._pace = pace
        self._limits = limits
        self._on_send = on_send
        self._on_receive = on_receive
        self._rng = rng

    async def send(
        self, request: httpx2.Request, tally: Tally, *, cut_at: int | None = None
    ) -> Answer:
        """Send a request until its answer is final.

        Args:
            request: Its body can be sent again.
            tally: Counts every try.
            cut_at: Bytes after which the body is cut off; None refuses what is too large.

        Raises:
            UnreachableError: No answer, although retried.
            RefusedError: The answer is too large, or not what its encoding says.
            StoppedShort: The source asks to wait longer than we are ready to, or the user has
                told the run to stop.
        """
        host = request.url.host
        for attempt in range(1, self._limits.retries + 2):
            await self._pace.wait(host)
            self._on_send()
            tally.requests += 1
            last = attempt > self._limits.retries
            asked = None
            try:
                async with asyncio.timeout(self._limits.deadline_seconds):
                    answer = await self._once(request, cut_at)
            except _PASSING as error:
                if last or any(isinstance(cause, _HOPELESS) for cause in _causes(error)):
                    raise self._unreachable(request, attempt, error) from error
            else:
                self._on_receive(len(answer.body))
                if answer.head.status_code not in RETRIED:
                    return answer
                asked = self._asked_wait(answer.head)
                if last:
                    return answer
            if asked is None:
                await self._pace.rest(self._backoff(attempt))
            else:
                self._pace.hold(host, asked)
        raise AssertionError("the last try returns or raises")

    async def _once(self, request: httpx2.Request, cut_at: int | None) -> Answer:
        try:
            head = await self._client.send(request, stream=True)
            try:
                return Answer(head, await self._read(head, cut_at))
            finally:
                await head.aclose()
        except httpx2.DecodingError as error:
            raise RefusedError(
                f"{request.url} is not encoded as its header says: {error}",
                advice="tell the site's owner",
                url=str(request.url),
            ) from None
        except httpx2.LocalProtocolError as error:
            raise InputError(
                f"a request to {request.url} cannot be sent: {error}",
                advice="check ask.headers in the source spec",
            ) from None

    async def _read(self, head: httpx2.Response, cut_at: int | None) -> bytes:
        limit = self._limits.max_bytes
        if not head.is_success:
            # Error pages and redirects are not kept: enough is read to use the connection again.
            cut_at = _NEVER_KEPT_BYTES
        declared = head.headers.get("content-length", "")
        if cut_at is None and declared.isdecimal() and int(declared) > limit:
            raise _too_large(head, f"is {int(declared):,} bytes", limit)
        body = bytearray()
        async with aclosing(head.aiter_bytes()) as chunks:
            async for chunk in chunks:
                body += chunk
                if cut_at is not None and len(body) >= cut_at:
                    return bytes(body[:cut_at])
                if cut_at is None and len(body) > limit:
                    raise _too_large(head, f"has sent {len(body):,} bytes and goes on", limit)
        return bytes(body)

    def _asked_wait(self, head: httpx2.Response) -> float | None:
        asked = retry_after(head.headers.get("retry-after"), datetime.now(UTC))
        if asked is not None and asked > self._limits.max_wait_seconds:
            error = StoppedShort(
                f"{head.url.host} answers with status {head.status_code} and asks to wait "
                f"{asked:,.0f} s, longer than the {self._limits.max_wait_seconds:,.0f} s allowed",
                advice="run the same command again after that time",
            )
            raise error
        return asked

    def _backoff(self, attempt: int) -> float:
        return backoff(
            attempt,
            base_seconds=self._limits.wait_seconds,
            most_seconds=self._limits.max_wait_seconds,
            rng=self._rng,
        )

    def _unreachable(
        self, request: httpx2.Request, attempts: int, error: Exception
    ) -> UnreachableError:
        host = request.url.host
        port = request.url.port or (443 if request.url.scheme == "https" else 80)
        tries = "1 try" if attempts == 1 else f"{attempts} tries"
        return UnreachableError(
            f"no answer from {host} port {port} in {tries}: {self._reason(error)}",
            advice="check that the site is up and that its URL is right",
            host=host,
            port=port,
        )

    def _reason(self, error: Exception) -> str:
        limits = self._limits
        if isinstance(error, httpx2.TimeoutException):
            return f"nothing came for {limits.timeout_seconds:g} s"
        if isinstance(error, TimeoutError):
            return f"the answer took longer than {limits.deadline_seconds:g} s"
        # The innermost cause is the system's own word, e.g. "Connection refused".
        system = [cause for cause in _causes(error) if isinstance(cause, OSError) and cause.errno]
        innermost = system[-1] if system else error
        if isinstance(innermost, ssl.SSLError):
            return f"TLS: {getattr(innermost, 'verify_message', '') or innermost}"
        if isinstance(innermost, OSError) and (innermost.errno or 0) > 0:
            return os.strerror(innermost.errno or 0)
        return str(getattr(innermost, "strerror", "") or innermost) or type(error).__name__


def _too_large(head: httpx2.Response, what: str, limit: int) -> RefusedError:
    return RefusedError(
        f"{head.url} {what}, more than the {limit:,} bytes allowed",
        advice="no page to search or read is so long: name another, or leave its link out",
        url=str(head.url),
        status=head.status_code,
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
