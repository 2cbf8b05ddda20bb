"""Serve a simulated site over HTTP, for a person or a test."""

import asyncio
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from longline.errors import InputError, LonglineError
from longline.simulate.search import Box
from longline.simulate.site.website import website

START_SECONDS = 10.0
STOP_SECONDS = 1
LOOK_SECONDS = 0.005
"""How often a site in a thread checks whether it should stop."""


def serve(site: ASGIApp | Box, *, host: str = "127.0.0.1", port: int = 8765) -> None:
    """Serve a site until interrupted. Prints nothing.

    Args:
        site: A search box, which gets a web site; or any ASGI application.
        host: Where to listen; the default can only be reached from this machine.
        port: 0 takes any free port.

    Raises:
        InputError: The port is in use, or the host is not on this machine.
    """
    with _listen(host, port) as listener:
        uvicorn.Server(_config(_application(site))).run(sockets=[listener])


@contextmanager
def running_site(
    site: ASGIApp | Box,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    log: list[str] | None = None,
) -> Iterator[str]:
    """Serve a site in its own thread for the duration of the `with` block.

    Args:
        site: A search box, which gets a web site; or any ASGI application.
        host: Where to listen.
        port: 0 takes any free port.
        log: The path and query string of every request are appended to it, in order.

    Yields:
        The base URL, without a slash at its end. The site is ready by then.

    Raises:
        InputError: The port is in use, or the host is not on this machine.

    >>> from longline.simulate.documents.corpus import read_corpus
    >>> from longline.simulate.search.searcher import Searcher
    >>> with running_site(Searcher(read_corpus("docstrings"))) as url:
    ...     url.startswith("http://127.0.0.1:")
    True
    """
    application = _application(site)
    with _listen(host, port) as listener:
        server = _Prompt(_config(application if log is None else RequestLog(application, log)))
        thread = threading.Thread(
            target=lambda: asyncio.run(server.serve(sockets=[listener])), daemon=True
        )
        thread.start()
        _wait_until_started(server, thread)
        try:
            yield _url(listener)
        finally:
            server.should_exit = True
            thread.join(START_SECONDS)


class RequestLog:
    """ASGI middleware that logs every request, whatever its outcome.

    Args:
        app: Answers the requests.
        log: Path and query string of each are appended, as sent: "/search?q=web&page=2".
    """

    def __init__(self, app: ASGIApp, log: list[str]) -> None:
        self.app = app
        self.log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Log the request, then pass it on."""
        if scope["type"] == "http":
            self.log.append(sent_target(scope))
        await self.app(scope, receive, send)


def sent_target(scope: Scope) -> str:
    """Return a request's path and query string as they were sent, with escapes."""
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    words: bytes = scope["query_string"]
    return (path + (b"?" + words if words else b"")).decode("latin-1")


def _application(site: ASGIApp | Box) -> ASGIApp:
    return site if callable(site) else website(site)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small answers immediately (TCP_NODELAY) only if the protocol is given here;
    # otherwise every page of a kept connection takes 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        raise InputError(
            f"cannot listen on {host}:{port}: {getattr(error, 'strerror', None) or error}",
            advice="take another port, or 0 for any that is free",
        ) from None
    return listener


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _config(application: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        access_log=False,
        log_level="critical",
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=STOP_SECONDS,
    )


class _Prompt(uvicorn.Server):
    """A server that stops as soon as all requests are answered; others take 0.2 s longer."""

    async def main_loop(self) -> None:
        """Serve until requested to stop."""
        ticks = asyncio.create_task(super().main_loop())  # keeps the header Date up to date
        while not (self.should_exit or ticks.done()):
            await asyncio.sleep(LOOK_SECONDS)
        ticks.cancel()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, and answer open requests within `STOP_SECONDS`."""
        for listening in (*self.servers, *(sockets or ())):
            listening.close()
        state = self.server_state
        for connection in list(state.connections):
            connection.shutdown()
        deadline = time.monotonic() + STOP_SECONDS
        while (state.connections or state.tasks) and time.monotonic() < deadline:
            await asyncio.sleep(LOOK_SECONDS)
        for task in state.tasks:
            task.cancel()


def _wait_until_started(server: uvicorn.Server, thread: threading.Thread) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not server.started:
        if not thread.is_alive() or time.monotonic() > deadline:
            raise LonglineError("the simulated site did not start", advice="report this")
        time.sleep(LOOK_SECONDS)
