"""An answer as it comes, and what it says of itself."""

from contextlib import aclosing

import httpx2
import msgspec

from longline.fetch._decode import Decoder
from longline.fetch._retry import data_too_fast
from longline.model import Capture

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
