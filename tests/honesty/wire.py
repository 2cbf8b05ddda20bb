"""Faults of the transfer, as ASGI: refusals, broken bodies, odd headers."""

import asyncio
import gzip
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import parse_qs, unquote, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from tests.honesty.stage import Stage, When

from longline.simulate.site.server import sent_target

SEARCH = r"^/(api/)?(search|more)"
DOCUMENTS = r"^/(api/)?documents/"
BOTH = rf"{SEARCH}|{DOCUMENTS}"
HOME = r"^/($|source\.toml|api/source\.toml)"

LOGIN = '<h1>Sign in</h1><form method="post"><input name="user"><input type="password" name="p">'
CAPTCHA = '<h1>Are you a human?</h1><form><div class="captcha"><img src="/c.png"></div></form>'
CONSENT = "<h1>Before you continue</h1><p>We value your privacy.</p><button>Accept all</button>"

Act = Callable[[Stage, ASGIApp, Scope, Receive, Send], Awaitable[None]]
"""Answers in place of the site, or changes the site's response."""

Keys = Callable[[Stage], frozenset[str]]


@dataclass(frozen=True, kw_only=True)
class Wire:
    """A fault of some requests.

    Attributes:
        act: What happens to these requests.
        target: Regular expression to search in path and query string.
        when: Which of the matching requests fail, counted over all runs.
        keys: Only the pages of these documents.
        queries: Only these queries, by position among the distinct ones, from 0.
    """

    act: Act
    target: str
    when: When = field(default_factory=When)
    keys: Keys | None = None
    queries: range | None = None

    def fits(self, stage: Stage, target: str) -> bool:
        """Return whether this fault may affect a request."""
        if not re.search(self.target, target):
            return False
        if self.keys is not None and key_of(target) not in self.keys(stage):
            return False
        words = typed(target)
        return self.queries is None or (
            words in stage.queries and list(stage.queries).index(words) in self.queries
        )


class Wires:
    """ASGI middleware that applies all faults and counts requests.

    Attributes:
        requests: Number of requests so far, over all runs.
    """

    def __init__(self, app: ASGIApp, stage: Stage, wires: tuple[Wire, ...]) -> None:
        self.app = app
        self.stage = stage
        self.wires = wires
        self.requests = 0
        self._seen = [0] * len(wires)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with the faults that affect it."""
        self.requests += 1
        target = sent_target(scope)
        if self.stage.is_away:
            await hang_up(send)
            return
        if words := typed(target):
            self.stage.queries.setdefault(words)
        app = self.app
        for place, wire in enumerate(self.wires):
            if self._hits(place, wire, target):
                app = partial(wire.act, self.stage, app)
        await app(scope, receive, send)

    def _hits(self, place: int, wire: Wire, target: str) -> bool:
        if not wire.fits(self.stage, target):
            return False
        self._seen[place] += 1
        return wire.when.holds(self.stage, target, self._seen[place])


def key_of(target: str) -> str:
    """Return the key of the requested document.

    >>> key_of("/api/documents/a%2Fb?sid=1")
    'a/b'
    """
    return unquote(urlsplit(target).path.partition("/documents/")[2])


def typed(target: str) -> str:
    """Return the search words of a request, or "".

    >>> typed("/search?q=deep+web&page=2")
    'deep web'
    """
    return parse_qs(urlsplit(target).query).get("q", [""])[0]


def answer(response: Callable[[], Response]) -> Act:
    """Answer every request with this response."""

    async def act(stage: Stage, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        await response()(scope, receive, send)

    return act


def refuse(status: int, retry_after: int | None = None) -> Act:
    """Answer with an error status, and optionally with a Retry-After in seconds."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return answer(lambda: PlainTextResponse(f"Error {status}\n", status, headers))


def redirect(path: str) -> Act:
    """Redirect to one page of the site."""
    return answer(lambda: RedirectResponse(path, 302))


def show(title: str, body: str) -> Act:
    """Show this page with status 200."""
    html = f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{body}</body></html>"
    return answer(lambda: HTMLResponse(html))


async def leave(stage: Stage, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Stop answering for the rest of the run."""
    stage.is_away = True
    await hang_up(send)


async def hang_up(send: Send) -> None:
    """Send headers without a body; the server then closes the connection."""
    head = [(b"content-length", b"1")]
    await send({"type": "http.response.start", "status": 200, "headers": head})


async def never_end(stage: Stage, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Send a byte every half second, for at most two minutes."""
    head = [(b"content-type", b"text/html")]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    for _ in range(240):
        await send({"type": "http.response.body", "body": b" ", "more_body": True})
        await asyncio.sleep(0.5)


async def break_off(stage: Stage, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Send half of the announced body, and close the connection."""
    head, body = await _ask(app, scope, receive)
    await send(head)
    await send({"type": "http.response.body", "body": body[: len(body) // 2], "more_body": True})


Spoil = Callable[[MutableHeaders, bytes], bytes]
"""Returns a changed body, and may change the headers."""


def spoil(change: Spoil, *, length: int = 0) -> Act:
    """Change the site's responses with status 200.

    Args:
        change: Changes headers and body.
        length: How many bytes Content-Length exceeds the body.
    """

    async def act(stage: Stage, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        head, body = await _ask(app, scope, receive)
        if head["status"] == 200:
            headers = MutableHeaders(raw=head["headers"])
            body = change(headers, body)
            headers["content-length"] = str(len(body) + length)
            head["headers"] = headers.raw
        await send(head)
        await send({"type": "http.response.body", "body": body, "more_body": bool(length)})

    return act


async def _ask(app: ASGIApp, scope: Scope, receive: Receive) -> tuple[Message, bytes]:
    """Return the head and the complete body of the site's response."""
    head: Message = {}
    body = bytearray()

    async def keep(message: Message) -> None:
        nonlocal head
        if message["type"] == "http.response.start":
            head = message
        else:
            body.extend(message.get("body", b""))

    await app(scope, receive, keep)
    return head, bytes(body)


def cut_in_half(headers: MutableHeaders, body: bytes) -> bytes:
    """Return the first half of a body, as if it were complete."""
    return body[: len(body) // 2]


def unchanged(headers: MutableHeaders, body: bytes) -> bytes:
    """Return the body unchanged."""
    return body


def gzip_cut(headers: MutableHeaders, body: bytes) -> bytes:
    """Compress a body with gzip, and return the first half."""
    headers["content-encoding"] = "gzip"
    packed = gzip.compress(body)
    return packed[: len(packed) // 2]


def gzip_members(headers: MutableHeaders, body: bytes) -> bytes:
    """Compress a body as three consecutive gzip members."""
    headers["content-encoding"] = "gzip"
    third = len(body) // 3 + 1
    pieces = (body[start : start + third] for start in range(0, len(body), third))
    return b"".join(map(gzip.compress, pieces))


def odd_cookie(headers: MutableHeaders, body: bytes) -> bytes:
    """Set a cookie with a non-ASCII letter, in UTF-8."""
    headers.raw.append((b"set-cookie", "naam=\u00e9\u00e9n; Path=/".encode()))
    return body


def says_utf_16(headers: MutableHeaders, body: bytes) -> bytes:
    """Declare UTF-16 inside a UTF-8 page, and no charset in the header."""
    if headers.get("content-type", "").startswith("text/html"):
        headers["content-type"] = "text/html"
    return body.replace(b'<meta charset="utf-8">', b'<meta charset="UTF-16">')


def pdf(headers: MutableHeaders, body: bytes) -> bytes:
    """Replace the body by a PDF, which contains no text."""
    headers["content-type"] = "application/pdf"
    return (
        b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Length 9 >>\nstream\n" + bytes(range(256)) * 8
    )


def linked(change: Callable[[str], str]) -> Spoil:
    """Change the addresses of documents on a page.

    Args:
        change: Returns a new address for the path of a document.
    """

    def spoiled(headers: MutableHeaders, body: bytes) -> bytes:
        def link(found: re.Match[bytes]) -> bytes:
            return b'href="' + change(found[1].decode()).encode() + b'"'

        return re.sub(rb'href="(/documents/[^"]*)"', link, body)

    return spoiled
