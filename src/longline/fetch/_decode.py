"""Decode content codings piece by piece, and detect truncated bodies.

Source: RFC 9110, 8.4; RFC 1952 (gzip, of one member or several); RFC 1950 and 1951 (deflate).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

ACCEPTED = "gzip, deflate"
"""Value of the header Accept-Encoding."""

_PIECE_BYTES = 1 << 16
"""Maximum bytes per decoded piece; with concatenated streams, each copies the rest of a piece."""

_MOST_CODINGS = 5
# Headers name these, but none of them is a coding: the body is unchanged.
_NO_CODINGS = frozenset({"", "identity", "none", "binary", "8bit", "utf-8"})


class UnknownCodingError(Exception):
    """A coding that is not supported; the message names it."""


class NotCodedError(Exception):
    """The body is not encoded as its header says."""


class BrokenCodingError(Exception):
    """The body is damaged or truncated."""


class TooLongError(Exception):
    """A decoding step has more bytes than allowed."""


class Decoder:
    """Decode the codings of one body.

    Args:
        header: The value of Content-Encoding, in the order in which codings were applied.
        most_bytes: Maximum at each step, so that a small body cannot expand without limit.

    Raises:
        UnknownCodingError: A coding is not supported, or there are too many.

    >>> decoder = Decoder("deflate", most_bytes=100)
    >>> b"".join(decoder.feed(zlib.compress(b"deep web")))
    b'deep web'
    >>> decoder.end()
    """

    def __init__(self, header: str, *, most_bytes: int) -> None:
        named = [name.strip().lower() for name in header.split(",")]
        codings = [name for name in named if name not in _NO_CODINGS]
        unknown = [name for name in codings if name not in _STEPS]
        if unknown or len(codings) > _MOST_CODINGS:
            raise UnknownCodingError(", ".join(unknown or codings))
        self._steps = [_STEPS[name]() for name in reversed(codings)]
        self._most_bytes = most_bytes

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Return a piece of the body decoded, in small pieces.

        Raises:
            NotCodedError, BrokenCodingError, TooLongError: See these classes.
        """
        pieces: Iterable[bytes] = (data,)
        for step in self._steps:
            pieces = step.pieces(pieces, self._most_bytes)
        yield from pieces

    def end(self) -> None:
        """Check that the body was complete.

        Raises:
            BrokenCodingError: It ends too early.
        """
        if not all(step.is_whole for step in self._steps):
            raise BrokenCodingError("it ends too early")


def decode_start(body: bytes, header: str, *, most_bytes: int) -> bytes:
    """Decode as much as possible of the start of a body, up to this many bytes.

    A body that is not encoded as its header says is returned as it came.

    >>> decode_start(zlib.compress(b"deep web")[:-2], "deflate", most_bytes=4)
    b'deep'
    >>> decode_start(b"deep web", "gzip", most_bytes=100)
    b'deep web'
    """
    decoded = bytearray()
    try:
        for piece in Decoder(header, most_bytes=most_bytes + len(body)).feed(body):
            decoded += piece
            if len(decoded) >= most_bytes:
                break
    except (UnknownCodingError, NotCodedError):
        return body
    except (BrokenCodingError, TooLongError):
        pass
    return bytes(decoded[:most_bytes])


class _Step:
    """Decode one coding that zlib supports."""

    further = b""
    """The first bytes of a further stream, if streams may be concatenated."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None
        self._kept = b""
        self._taken_bytes = 0
        self._is_over = False

    @property
    def is_whole(self) -> bool:
        """Whether the coding is complete; no data at all is an empty body."""
        return not self._kept and (self._stream is None or self._stream.eof)

    def pieces(self, coded: Iterable[bytes], most_bytes: int) -> Iterator[bytes]:
        for data in coded:
            self._taken_bytes += len(data)
            if self._taken_bytes > most_bytes:
                raise TooLongError
            yield from self._undo(data)

    def _undo(self, data: bytes) -> Iterator[bytes]:
        data, self._kept = self._kept + data, b""
        while data and not self._is_over:
            if self._stream is None or self._stream.eof:
                # Padding of the last tape block belongs to no stream.
                self._is_over = bool(self._stream) and not self.further.startswith(data[:2])
                if self._is_over or len(data) < 2:
                    self._kept = b"" if self._is_over else data
                    return
                self._stream = zlib.decompressobj(self._bits(data))
            yield from self._inflate(self._stream, data)
            data = self._stream.unused_data

    def _inflate(self, stream: zlib._Decompress, data: bytes) -> Iterator[bytes]:
        while not stream.eof:
            try:
                piece = stream.decompress(data, _PIECE_BYTES)
            except zlib.error as error:
                raise BrokenCodingError(str(error)) from None
            yield piece
            data = stream.unconsumed_tail
            if not data and len(piece) < _PIECE_BYTES:
                return

    def _bits(self, data: bytes) -> int:
        """Return zlib's wbits for the stream that starts here."""
        raise NotImplementedError


class _Gzip(_Step):
    further = b"\x1f\x8b"

    def _bits(self, data: bytes) -> int:
        if not data.startswith(self.further):
            raise NotCodedError("it does not begin as gzip does")
        return 16 + zlib.MAX_WBITS


class _Deflate(_Step):
    def _bits(self, data: bytes) -> int:
        # Some servers omit the header of RFC 1950.
        has_header = data[0] & 0xF == zlib.DEFLATED and not int.from_bytes(data[:2], "big") % 31
        return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS


_STEPS: dict[str, type[_Step]] = {"gzip": _Gzip, "x-gzip": _Gzip, "deflate": _Deflate}
