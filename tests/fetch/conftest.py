"""A real HTTP server on loopback whose responses a test defines."""

import asyncio
import socketserver
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from tests.webs import web_fetcher

from longline.errors import LonglineError
from longline.fetch import WebFetcher
from longline.model import Request, Response


@dataclass
class Seen:
    """A request as the server received it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    seconds: float


@dataclass
class Reply:
    """A response of the server; `raw` is sent unchanged, and then the connection closes."""

    body: bytes | str = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    wait_seconds: float = 0.0
    drip_seconds: float = 0.0


class Quiet(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing about clients that hang up, which the tests make them do."""


@dataclass
class Site:
    """A server with a response per path: a reply, a list of replies, or a function."""

    url: str
    replies: dict[str, Any] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    server: socketserver.BaseServer | None = None

    @property
    def paths(self) -> list[str]:
        return [seen.path for seen in self.seen]

    @property
    def pages(self) -> list[str]:
        return [path for path in self.paths if path != "/robots.txt"]

    def reply(self, seen: Seen) -> Reply:
        made = self.replies.get(seen.path, Reply(status=404))
        if isinstance(made, list):
            made = made.pop(0) if len(made) > 1 else made[0]
        if callable(made):
            made = made(seen)
        return made if isinstance(made, Reply) else Reply(made)


def handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            seen = Seen(self.command, self.path, headers, body, time.monotonic())
            site.seen.append(seen)
            self.send(site.reply(seen))

        def do_POST(self) -> None:
            self.do_GET()

        def do_CONNECT(self) -> None:
            self.do_GET()

        def send(self, reply: Reply) -> None:
            time.sleep(reply.wait_seconds)
            if reply.raw is not None:
                self.wfile.write(reply.raw)
                self.close_connection = True
                return
            body = reply.body.encode() if isinstance(reply.body, str) else reply.body
            self.send_response(reply.status)
            for name, value in {"Content-Length": str(len(body)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if not reply.drip_seconds:
                self.wfile.write(body)
                return
            for byte in body:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(reply.drip_seconds)

        def log_message(self, *args: Any) -> None:
            pass

    return Handler


def start(host: str = "127.0.0.1") -> Site:
    site = Site("")
    server = Quiet((host, 0), handler(site))
    site.url = f"http://{host}:{server.server_port}"
    site.server = server
    threading.Thread(target=lambda: server.serve_forever(0.02), daemon=True).start()
    return site


def stop(site: Site) -> None:
    assert site.server is not None
    site.server.shutdown()
    site.server.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    """One server."""
    made = start()
    yield made
    stop(made)


@pytest.fixture
def other_site() -> Iterator[Site]:
    """Another server, with another origin."""
    made = start()
    yield made
    stop(made)


@pytest.fixture
def site_at_other_address() -> Iterator[Site]:
    """A server on another address of this machine."""
    try:
        made = start("127.0.0.2")
    except OSError:
        pytest.skip("this machine has one loopback address only")
    yield made
    stop(made)


Outcome = Response | LonglineError
Fetch = Callable[..., Outcome]


@pytest.fixture
def reply() -> type[Reply]:
    return Reply


def with_fetcher(work: Callable[[WebFetcher], Awaitable[Any]], **options: Any) -> Any:
    """Run work with a fetcher that may reach loopback and waits only briefly."""

    async def main() -> Any:
        settings = {"allow_private": True, "wait_seconds": 0.01, **options}
        fetcher = web_fetcher(**settings)
        try:
            return await work(fetcher)
        finally:
            await fetcher.close()

    return asyncio.run(asyncio.wait_for(main(), 30))


@pytest.fixture
def run() -> Callable[..., Any]:
    return with_fetcher


@pytest.fixture
def fetch() -> Fetch:
    """Fetch one URL or request, by default without robots.txt; errors are returned as values."""

    def one(request: str | Request, **options: Any) -> Outcome:
        asked = Request(request) if isinstance(request, str) else request

        async def work(fetcher: WebFetcher) -> Outcome:
            try:
                return await fetcher.fetch(asked)
            except LonglineError as error:
                return error

        return with_fetcher(work, **{"robots": False, **options})

    return one
