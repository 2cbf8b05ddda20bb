"""An answer as it comes, what it says of itself, and what a user can do about an error."""

from collections.abc import Mapping
from contextlib import aclosing
from http import HTTPStatus

import httpx2
import msgspec

from longline.errors import option
from longline.fetch._decode import Decoder
from longline.model import Capture
from longline.text.refusals import data_too_fast

AS_SENT = "longline.headers"
"""Key of a response's original headers in its httpx2 extensions, if they were changed."""


class Answer(msgspec.Struct, frozen=True):
    """The head of an answer, and its decoded body."""

    head: httpx2.Response
    body: bytes

    def kind(self, name: str) -> bool:
        """Return whether it is a success of a content type with this name, such as "html"."""
        return self.head.is_success and name in self.head.headers.get("content-type", "")

    @property
    def status(self) -> int:
        """HTTP status; data that say that requests come too fast count as 429."""
        is_busy = self.kind("json") and data_too_fast(self.body)
        return 429 if is_busy else self.head.status_code


class Wire:
    """The body of an answer as received; its bytes are stored if somebody needs them."""

    def __init__(self, head: httpx2.Response, *, is_kept: bool) -> None:
        self.head = head
        self.body = bytearray()
        self.is_whole = False
        self._is_kept = is_kept

    async def read(self, most_bytes: int, decoder: Decoder | None = None) -> bytes:
        """Read up to this many bytes; as received, or decoded."""
        body = bytearray()
        async with aclosing(self.head.aiter_raw()) as pieces:
            async for piece in pieces:
                if self._is_kept:
                    self.body += piece
                for data in (piece,) if decoder is None else decoder.feed(piece):
                    body += data
                    if len(body) >= most_bytes:
                        return bytes(body[:most_bytes])
        self.is_whole = True
        if decoder is not None:
            decoder.end()
        return bytes(body)


def capture(wire: Wire, decoded: bytes, began: float) -> Capture:
    """Return a request and its answer as they went over the line."""
    head, sent = wire.head, wire.head.request
    return Capture(
        url=str(sent.url.copy_with(fragment=None)),
        method=sent.method,
        target=sent.url.raw_path,
        began=began,
        protocol=head.http_version,
        status=head.status_code,
        reason=head.reason_phrase,
        request_headers=tuple(sent.headers.raw),
        request_body=sent.content,
        headers=tuple(head.extensions.get(AS_SENT, head.headers.raw)),
        body=bytes(wire.body),
        decoded=decoded if head.is_success else None,
        truncated="" if wire.is_whole else "length",
    )


_OF_REQUEST = HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY
MOST_LETTERS = 300
"""Maximum length of an error that is shown in its own words."""

PROXY = option("proxy")
ASKS_FOR_PASSWORD = f"the proxy wants a login: give {PROXY} as http://NAME:PASSWORD@HOST:PORT"

ADVICE: Mapping[int, str] = {
    HTTPStatus.UNAUTHORIZED: "it wants a key or a login; a key goes into a header (--header, in "
    "Python headers=), and longline never logs in",
    HTTPStatus.FORBIDDEN: "the source refuses; ask its owner, and do not try to get around it",
    404: "check the URL",
    405: "it takes another method, such as POST: write a source.toml with [ask] method and body "
    "(docs/how-to/sources/none-of-these.md)",
    407: ASKS_FOR_PASSWORD,
    429: "lower the rate, and come back later",
}
"""Advice for answers by HTTP status."""


def advice_of(status: int, *, has_key: bool = False) -> str:
    """Return what a user can do about an answer with this status, 400 or more.

    Args:
        status: Of the answer.
        has_key: The request had headers of the user's own.

    >>> advice_of(503), advice_of(406)
    ('try again later', 'the source does not take such a request; check its URL, method and body')
    """
    if has_key and status == HTTPStatus.UNAUTHORIZED:
        return "it does not take the headers that were given; check the key in them"
    may_pass = status >= 500 or status in (408, 409, 423, 425)
    other = "the source does not take such a request; check its URL, method and body"
    return ADVICE.get(status, "try again later" if may_pass else other)


def own_words(status: int, content_type: str, body: bytes) -> str:
    r"""Return what a program's interface says of an error in its text, after ": ", or "".

    The text of a 400 or 422 is about the request; that of a 200 is all that names the error.

    >>> own_words(400, "application/json", b'{"error": "no such field"}')
    ': {"error": "no such field"}'
    >>> own_words(400, "text/html", b"<h1>Bad request</h1>"), own_words(400, "", b"\x08\x00z")
    ('', '')
    """
    if (
        status not in (HTTPStatus.OK, *_OF_REQUEST)
        or len(body) > MOST_LETTERS
        or "html" in content_type
    ):
        return ""
    words = " ".join(body.decode("utf-8", "replace").split())
    is_text = words.isprintable() and "\N{REPLACEMENT CHARACTER}" not in words
    return f": {words}" if words and is_text else ""


CHALLENGED = (HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_CHALLENGES = (
    *(b"captcha", b"checking your browser", b"just a moment...", b"verify you are human"),
    *(b"verifying you are human", b"enable javascript and cookies to continue"),
)


def is_challenge(status: int, body: bytes) -> bool:
    """Return whether a refusal asks the visitor to show that it is no program.

    >>> is_challenge(503, b"<title>Just a moment...</title>"), is_challenge(503, b"Repairs")
    (True, False)
    """
    lower = body.lower() if status in CHALLENGED else b""
    return any(words in lower for words in _CHALLENGES)
