"""Serve a simulated site over HTTP, for a person or for a test."""

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
"""How often a site in a thread looks whether it is to end."""


def serve(site: ASGIApp | Box, *, host: str = "127.0.0.1", port: int = 8765) -> None:
    """Serve a site until interrupted. Prints nothing.

    Args:
        site: A search box, which gets the web site of its own; or any ASGI application.
        host: Where to listen; the default is reached from this machine only.
        port: 0 takes any that is free.

    Raises:
        InputError: The port is in use, or the host is not of this machine.
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
    """Serve a site in a thread of its own as long as the `with` block runs.

    Args:
        site: A search box, which gets the web site of its own; or any ASGI application.
        host: Where to listen.
        port: 0 takes any that is free.
        log: Gets the path and query string of every request, in order.

    Yields:
        The base URL, without a slash at its end. The site answers by then.

    Raises:
        InputError: The port is in use, or the host is not of this machine.

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
    """ASGI middleware: write down every request, whatever becomes of it.

    Args:
        app: What answers.
        log: Gets the path and query string of each, as sent: "/search?q=web&page=2".
    """

    def __init__(self, app: ASGIApp, log: list[str]) -> None:
        self.app = app
        self.log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note the request down, then pass it on."""
        if scope["type"] == "http":
            self.log.append(sent_target(scope))
        await self.app(scope, receive, send)


def sent_target(scope: Scope) -> str:
    """Return a request's path and query string as they were sent, escapes and all."""
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    words: bytes = scope["query_string"]
    return (path + (b"?" + words if words else b"")).decode("latin-1")


def _application(site: ASGIApp | Box) -> ASGIApp:
    return site if callable(site) else website(site)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small answers at once (TCP_NODELAY) only if the protocol is named here;
    # without it every page of a kept connection takes 40 ms.
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
    """A server that ends as soon as it is told to and has answered; others take 0.2 s for it."""

    async def main_loop(self) -> None:
        """Serve until told to end."""
        ticks = asyncio.create_task(super().main_loop())  # keeps the header Date up to date
        while not (self.should_exit or ticks.done()):
            await asyncio.sleep(LOOK_SECONDS)
        ticks.cancel()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections; answer what was asked, for a second at most."""
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
