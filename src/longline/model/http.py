"""What is sent, and what comes: requests and responses of HTTP."""

from __future__ import annotations

import msgspec


class Browsing(msgspec.Struct, frozen=True, omit_defaults=True):
    """Show a page in a browser until its scripts have settled, and perhaps type into it.

    Attributes:
        box: Selector of the box that takes `words`; "" only shows the page.
        words: They are typed, and Enter is pressed.
        button: Selector of the button to press where Enter does nothing; "" for none.
        further: Then go on so many times: by a click on `more`, or by scrolling to the end.
        more: Selector of a button that shows more; "" scrolls.
        post: What is typed may be sent by POST, too.
        opener: Selector of a button that is pressed first, where the box is hidden; "" for none.
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
        browser: How a browser shows the page; None where the answer is wanted as it is sent.
        session: Which of several visitors asks; each has cookies of its own.
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
        url: Where the answer came from, after redirects.
        status: HTTP status code.
        content_type: The header's value, "" where there is none.
        headers: All as they came, as (name in small letters, value) pairs; but no cookies.
        body: Decoded from any transfer or content encoding, still bytes; of a page that a
            browser showed, its markup when the scripts had settled.
        requests: HTTP requests this answer cost: redirects and retries included, and what the
            page itself asked for.
        sent: What a page asked for while a browser showed it, since words were typed.
    """

    url: str
    status: int
    content_type: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    requests: int = 1
    sent: tuple[Exchange, ...] = ()

    def header(self, name: str) -> str:
        """Return a header's value, "" where there is none; several stand in one, with commas.

        >>> Response(url="", status=200, headers=(("x-wp-total", "7"),)).header("X-WP-Total")
        '7'
        """
        return ", ".join(value for each, value in self.headers if each == name.lower())


class Exchange(msgspec.Struct, frozen=True, omit_defaults=True):
    """Data that a page asked for, and what came.

    Attributes:
        response: None where it was not let through, or is not allowed.
        disallowed: By what rule of its robots.txt; "" for none.
    """

    request: Request
    response: Response | None
    disallowed: str = ""

    @property
    def is_kept_back(self) -> bool:
        """Whether the page was not let send it, although robots.txt would allow it."""
        return self.response is None and not self.disallowed


Header = tuple[bytes, bytes]
"""Name and value, as they are sent."""


class Capture(msgspec.Struct, frozen=True, kw_only=True):
    """A request as it was sent, and the answer as it came; chunks of its body are joined.

    Attributes:
        target: What the request's line names: path and query.
        began: When it was sent, in seconds since 1970.
        protocol: Of the answer, such as "HTTP/1.1".
        body: Encoded as its header Content-Encoding says.
        decoded: The body without that encoding; None where nobody has decoded it.
        is_decoded: `body` is without the encoding that the header names.
        truncated: Why the body is not whole, as WARC has it; "" where it is.
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
