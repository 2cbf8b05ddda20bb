"""Web archive records: the bytes sent and received, and content made from them.

Needs warcio. Every record is a separate gzip member.

Source: ISO 28500:2017, WARC 1.1.
"""

import io
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, BinaryIO

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from longline.model import Capture, Header
from longline.version import __version__

PRIVATE = frozenset(
    {b"cookie", b"set-cookie", b"set-cookie2", b"authorization", b"proxy-authorization"}
)
"""Login headers; they are left out."""

ORIGINAL = b"X-Archive-Orig-"
"""Prefix of headers that no longer match the stored body."""


class Records:
    """Write records to a stream.

    Args:
        stream: A writable binary stream.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._writer = WARCWriter(stream, gzip=True, warc_version="1.1")

    def about(self, filename: str, source: str) -> None:
        """Write a file's first record, which names the software.

        Args:
            filename: "" if it has none yet.
            source: The source that is harvested.
        """
        told = {
            "software": f"longline/{__version__}",
            "format": "WARC File Format 1.1",
            "conformsTo": "https://iipc.github.io/warc-specifications/specifications/"
            "warc-format/warc-1.1/",
            "isPartOf": source,
            "description": "Headers that log in (Cookie, Set-Cookie, Authorization) are left out, "
            "and secrets stand as ~secret.NAME~. Chunks of a body are joined.",
        }
        self._writer.write_record(self._writer.create_warcinfo_record(filename, told))

    def exchange(self, capture: Capture) -> None:
        """Write a request and its response."""
        date = moment(capture.began)
        headers = {"WARC-Date": date}
        if capture.protocol.startswith("HTTP/2"):
            headers["WARC-Protocol"] = "h2"
        asked = self._http(capture.url, "request", request_head(capture), capture.request_body)
        asked.rec_headers.replace_header("WARC-Date", date)
        came = self._http(
            capture.url,
            "response",
            response_head(capture),
            capture.body,
            headers | ({"WARC-Truncated": capture.truncated} if capture.truncated else {}),
        )
        self._writer.write_request_response_pair(asked, came)

    def content(self, kind: str, url: str, media_type: str, body: bytes, seconds: float) -> None:
        """Write a record of content only.

        Args:
            kind: "resource" for received content, "conversion" for derived content.
            url: Its URL, or a URN.
            media_type: Of the content.
            body: The content.
            seconds: When it was received, since 1970.
        """
        self._writer.write_record(
            self._writer.create_warc_record(
                url,
                kind,
                payload=io.BytesIO(body),
                length=len(body),
                warc_content_type=media_type,
                warc_headers_dict={"WARC-Date": moment(seconds)},
            )
        )

    def _http(
        self, url: str, kind: str, head: bytes, body: bytes, headers: dict[str, str] | None = None
    ) -> Any:
        return self._writer.create_warc_record(
            url,
            kind,
            payload=io.BytesIO(body),
            length=len(body),
            http_headers=_AsSent(head),
            warc_headers_dict=headers,
        )


class _AsSent(StatusAndHeaders):  # type: ignore[misc]  # warcio has no types
    """The head of a message, byte by byte; warcio would rewrite non-ASCII characters."""

    def __init__(self, head: bytes) -> None:
        super().__init__("as sent", [])
        self._head = head

    def compute_headers_buffer(self, header_filter: object = None) -> None:
        self.headers_buff = self._head


def request_head(capture: Capture) -> bytes:
    """Return a request's line and headers, in the format of HTTP/1.1."""
    line = b"%s %s HTTP/1.1" % (capture.method.encode("ascii", "replace"), capture.target)
    return _head(line, capture.request_headers)


def response_head(capture: Capture) -> bytes:
    """Return an answer's line and headers, in the format of HTTP/1.1, to match the body.

    If a body's chunks were joined, or it was cut off or decoded, headers that contradict this are
    renamed.
    """
    version_ = capture.protocol if capture.protocol == "HTTP/1.0" else "HTTP/1.1"
    line = f"{version_} {capture.status} {capture.reason}".rstrip().encode("latin-1", "replace")
    length = b"%d" % len(capture.body)
    misfits = {b"transfer-encoding"}
    if capture.is_decoded:
        misfits.add(b"content-encoding")
    declared = [value for name, value in capture.headers if name.lower() == b"content-length"]
    if declared != [length] and capture.method != "HEAD":
        misfits.add(b"content-length")
    headers = [
        (ORIGINAL + name if name.lower() in misfits else name, value)
        for name, value in capture.headers
    ]
    if b"content-length" in misfits:
        headers.append((b"Content-Length", length))
    return _head(line, headers)


def _head(line: bytes, headers: Iterable[Header]) -> bytes:
    kept = (b"%s: %s" % each for each in headers if each[0].lower() not in PRIVATE)
    return b"\r\n".join([line, *kept, b"", b""])


def moment(seconds: float) -> str:
    """Return a time in the format of a record.

    >>> moment(0.5)
    '1970-01-01T00:00:00.500000Z'
    """
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
