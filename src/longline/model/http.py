"""HTTP requests and responses."""

from __future__ import annotations

import msgspec


class Browsing(msgspec.Struct, frozen=True, omit_defaults=True):
    """Show a page in a browser until its scripts have settled, and optionally type into it.

    Attributes:
        box: Selector of the box for `words`; "" only shows the page.
        words: Text to type, followed by Enter.
        button: Selector of the button to press if Enter does nothing; "" for none.
        further: How often to load more afterwards: by a click on `more`, or by scrolling to the
            end.
        more: Selector of a button that shows more; "" scrolls.
        post: The typed words may be sent by POST, too.
        opener: Selector of a button to press first if the box is hidden; "" for none.
    """

    box: str = ""
    words: str = ""
    button: str = ""
    further: int = 0
    more: str = ""
    post: bool = False
    opener: str = ""


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """One HTTP request, ready to send; `headers` are (name, value) pairs.

    Attributes:
        browser: How a browser shows the page; None if the raw answer is wanted.
        session: Which session it belongs to; each has its own cookies.
    """

    url: str
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    browser: Browsing | None = None
    session: int = 0


class Response(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The final answer to a request.

    Attributes:
        url: The URL of the answer, after redirects.
        status: HTTP status code.
        content_type: The header's value, or "" if missing.
        headers: All received, as (lowercase name, value) pairs; but no cookies.
        body: Without transfer and content encoding, still bytes; for a page shown in a browser, its
            markup after the scripts had settled.
        requests: HTTP requests this answer cost: including redirects, retries, and the page's own
            requests.
        sent: The page's own requests in a browser, since words were typed.
        place: The place on the page that the address names, after redirects; "" if it names none.
    """

    url: str
    status: int
    content_type: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    requests: int = 1
    sent: tuple[Exchange, ...] = ()
    place: str = ""

    def header(self, name: str) -> str:
        """Return a header's value, or "" if missing; repeated headers are joined by commas.

        >>> Response(url="", status=200, headers=(("x-wp-total", "7"),)).header("X-WP-Total")
        '7'
        """
        return ", ".join(value for each, value in self.headers if each == name.lower())


class Exchange(msgspec.Struct, frozen=True, omit_defaults=True):
    """A page's own request, and its answer.

    Attributes:
        response: None if it was blocked or is not allowed.
        disallowed: The robots.txt rule that forbids it; "" for none.
    """

    request: Request
    response: Response | None
    disallowed: str = ""

    @property
    def is_kept_back(self) -> bool:
        """Whether longline blocked the request, although robots.txt would allow it."""
        return self.response is None and not self.disallowed


Header = tuple[bytes, bytes]
"""Name and value, as they are sent."""


class Capture(msgspec.Struct, frozen=True, kw_only=True):
    """A request as sent, and its answer as received; chunks of its body are joined.

    Attributes:
        target: Path and query in the request line.
        began: When it was sent, in seconds since 1970.
        protocol: Of the answer, such as "HTTP/1.1".
        body: Encoded as its header Content-Encoding says.
        decoded: The body without that encoding; None if it was not decoded.
        is_decoded: `body` is without the encoding that the header names.
        truncated: Why the body is incomplete, as a WARC reason; "" if it is complete.
    """

    url: str
    method: str
    target: bytes
    began: float
    protocol: str
    status: int
    reason: str
    request_headers: tuple[Header, ...]
    request_body: bytes
    headers: tuple[Header, ...]
    body: bytes
    decoded: bytes | None = None
    is_decoded: bool = False
    truncated: str = ""
