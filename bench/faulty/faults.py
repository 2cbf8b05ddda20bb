"""HTTP failures: refusals, slowness, dropped connections. ASGI middleware.

A fault is a small value that says which requests fail, and how:

    Faulty(website(searcher),
           Refuse(503, retry_after="1", requests=[3]),
           Slow(0.05, target="^/search"),
           Refuse(404, target="^/documents/b$"))

To add one, write a frozen dataclass below `Fault` with `act`. Wrong content with status 200 is not
a fault but a lie: see `bench.faulty.lies`.
"""

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from longline.simulate.site.server import sent_target

EVERY: Collection[int] = range(1, 2**62)


@dataclass(frozen=True, kw_only=True)
class Fault(ABC):
    """A failure of certain requests; always the same ones.

    Attributes:
        target: A regular expression to search in the path and query string as sent, e.g.
            "/search?q=web&page=2".
        requests: Which of the requests that match `target` fail, counted from 1; a retry counts as
            another request.
    """

    target: str = ""
    requests: Collection[int] = EVERY

    @abstractmethod
    async def act(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer instead of `app`, or let `app` answer and damage its answer."""


@dataclass(frozen=True)
class Refuse(Fault):
    """Answer with an error, optionally with a Retry-After header.

    Attributes:
        status: 429, 503, 500, 404 ...
        retry_after: Seconds, or a date, or nonsense; None sends no such header.
    """

    status: int = 503
    retry_after: str | None = None

    async def act(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer without the site."""
        headers = {} if self.retry_after is None else {"Retry-After": self.retry_after}
        answer = PlainTextResponse(f"Error {self.status}\n", self.status, headers)
        await answer(scope, receive, send)


@dataclass(frozen=True)
class Slow(Fault):
    """Let the site answer after a delay."""

    seconds: float = 0.05

    async def act(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait, then pass the request on."""
        await asyncio.sleep(self.seconds)
        await app(scope, receive, send)


@dataclass(frozen=True)
class Drop(Fault):
    """Break the connection after this many bytes of the answer's body."""

    after_bytes: int = 0

    async def act(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the start of the site's answer only; the server then closes the connection."""
        left = self.after_bytes

        async def send_beginning(message: Message) -> None:
            nonlocal left
            if message["type"] == "http.response.body":
                body = message.get("body", b"")[:left]
                left -= len(body)
                # This announces more to come; nothing follows.
                message = {"type": "http.response.body", "body": body, "more_body": True}
            await send(message)

        await app(scope, receive, send_beginning)


class Faulty:
    """ASGI middleware that applies faults to an application.

    Args:
        app: Answers if nothing fails.
        faults: All that apply to a request act on it, the first outermost.
    """

    def __init__(self, app: ASGIApp, *faults: Fault) -> None:
        self.app = app
        self.faults = faults
        self._seen = [0] * len(faults)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or fail."""
        app = self.app
        if scope["type"] == "http":
            target = sent_target(scope)
            hits = [fault for number, fault in enumerate(self.faults) if self._hit(number, target)]
            for fault in reversed(hits):
                app = partial(fault.act, app)
        await app(scope, receive, send)

    def _hit(self, number: int, target: str) -> bool:
        fault = self.faults[number]
        if not re.search(fault.target, target):
            return False
        self._seen[number] += 1
        return self._seen[number] in fault.requests
