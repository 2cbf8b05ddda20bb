"""Protect the dashboard from others: check host, origin and token, and restrict what pages load.

The server behind accepts web sockets from any origin, so this runs before all of it.
"""

import hashlib
import hmac
import re
import secrets
from html import escape
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names of this machine; others are refused, since any site can point its name to this machine."""

COOKIE = "longline"

MOST_FORM = 4_000
"""Maximum bytes of a form read before login."""

SAFE = frozenset({"GET", "HEAD"})

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

_SCRIPT = re.compile(r"<script\b(?P<rest>.*?</script>)", re.S)

_LOGIN = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>longline</title><style>
:root{{color-scheme:light dark}}body{{font:16px/1.5 system-ui,sans-serif;max-width:22rem;
margin:20vh auto;padding:0 1rem}}input,button{{font:inherit;padding:.5rem;width:100%;
box-sizing:border-box;margin-top:.5rem}}</style></head><body><h1>longline</h1>
<form method="post" action="/login"><label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" autofocus required>
<button>Open the dashboard</button></form><p role="alert">{said}</p></body></html>"""


def policy(nonce: str) -> str:
    """Return the Content-Security-Policy of a page whose scripts have a nonce.

    Templates are compiled in the browser, which needs `unsafe-eval`, and styles are set on
    elements, which needs `unsafe-inline` for styles; see the decision record on the dashboard.
    """
    return (
        "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        f"script-src 'self' 'nonce-{nonce}' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self'; connect-src 'self'"
    )


REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts"
)
"""Policy of a report: it loads nothing, and has an origin of its own."""


class Guard:
    """A wrapper that protects an ASGI application.

    Args:
        app: The application.
        port: The port it listens on.
        token: Required from users; "" if everybody on this machine may use it.
    """

    def __init__(self, app: ASGIApp, port: int, token: str = "") -> None:
        self._app = app
        self._port = port
        self._token = token
        # The cookie does not reveal the token.
        self._cookie = hashlib.sha256(f"longline {token}".encode()).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or pass it to the application."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is None and self._token and not self._is_known(headers):
            refusal = await self._login(scope, receive)
        if refusal is not None:
            await self._refuse(refusal, scope, receive, send)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        host = headers.get("host", "")
        if not self._token and not self._is_own(host):
            said = f"this dashboard is not reached by the name {host}; use 127.0.0.1:{self._port}"
            return PlainTextResponse(said, 421)
        origin = headers.get("origin")
        is_action = scope["type"] == "websocket" or scope["method"] not in SAFE
        if origin is not None and urlsplit(origin).netloc != host:
            return PlainTextResponse("asked for by a page of another site", 403)
        # Browsers send this header with every action; other programs need not.
        if is_action and headers.get("sec-fetch-site", "same-origin") not in (
            "same-origin",
            "none",
        ):
            return PlainTextResponse("asked for by a page of another site", 403)
        return None

    def _is_own(self, host: str) -> bool:
        try:
            parts = urlsplit(f"//{host}")
            return parts.hostname in LOOPBACK and parts.port == self._port
        except ValueError:
            return False

    def _is_known(self, headers: Headers) -> bool:
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return _same(given.strip(), self._token)
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and _same(cookie.value, self._cookie)

    async def _login(self, scope: Scope, receive: Receive) -> Response:
        if scope["type"] == "websocket":
            return PlainTextResponse("no token", 401)
        request = Request(scope, receive)
        if request.method != "POST" or request.url.path != "/login":
            is_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
            return _login_page("") if is_page else PlainTextResponse("no token", 401)
        body = b""
        async for piece in request.stream():
            body += piece
            if len(body) > MOST_FORM:
                return PlainTextResponse("too long", 413)
        given = parse_qs(body.decode("utf-8", "replace")).get("token", [""])[0]
        if not _same(given, self._token):
            return _login_page("That is not the token.")
        found = RedirectResponse("/", 303)
        found.set_cookie(COOKIE, self._cookie, httponly=True, samesite="strict")
        return found

    async def _refuse(self, refusal: Response, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        for name, value in HEADERS.items():
            refusal.headers[name] = value
        await refusal(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to the application; add security headers, and a nonce to its pages."""
        nonce = secrets.token_urlsafe(18)
        begun: Message | None = None
        body = b""

        async def sent(message: Message) -> None:
            nonlocal begun, body
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Content-Security-Policy", policy(nonce))
                is_page = headers.get("x-nicegui-content") == "page"
                if is_page:
                    begun = message
                    return
            elif begun is not None:
                body += message.get("body", b"")
                if message.get("more_body"):
                    return
                whole = with_nonce(body.decode(), nonce).encode()
                MutableHeaders(scope=begun)["content-length"] = str(len(whole))
                await send(begun)
                message = {"type": "http.response.body", "body": whole}
            await send(message)

        await self._app(scope, receive, sent)


def with_nonce(page: str, nonce: str) -> str:
    r"""Add a nonce to each script of a page, but not to "<script" inside a script.

    >>> with_nonce("<script>let a = '<script';</script>", "n")
    '<script nonce="n">let a = \'<script\';</script>'
    """
    return _SCRIPT.sub(lambda found: f'<script nonce="{nonce}"{found["rest"]}', page)


def _login_page(said: str) -> Response:
    policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'"
    headers = {"Content-Security-Policy": policy, "Cache-Control": "no-store"}
    return HTMLResponse(_LOGIN.format(said=escape(said)), 401, headers)


def _same(given: str, right: str) -> bool:
    return hmac.compare_digest(given.encode(), right.encode())
