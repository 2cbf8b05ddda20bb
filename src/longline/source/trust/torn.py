"""Notice a page that ends in the middle, although its transfer was whole. No I/O."""

from __future__ import annotations

from longline.model import Response

TAIL_BYTES = 4096
"""What ends a page stands within so many bytes of its end: comments and scripts may follow."""

HEAD_BYTES = 1024
"""Within so many bytes a whole page of HTML says that it is one."""

_BRACKETS = {b"{": b"}", b"[": b"]"}


class PageEnds:
    """Know by its end whether a page is whole.

    JSON ends with the bracket that closes it. HTML may leave its end tag out, so that only a page
    without one is torn whose site mostly writes it.

    >>> ends, whole = PageEnds(), Response(url="", status=200, body=b"<html>Web</html>")
    >>> ends.is_torn(whole), ends.is_torn(Response(url="", status=200, body=b"<html>We"))
    (False, True)
    """

    def __init__(self) -> None:
        self._whole = 0
        self._others = 0

    def is_torn(self, response: Response, *, again: bool = False) -> bool:
        """Take note of a page, unless it was asked for again; say whether some of it is missing."""
        body = response.body.strip()
        if closing := _BRACKETS.get(body[:1]):
            return not body.endswith(closing)
        if not body.startswith(b"<") or b"<html" not in body[:HEAD_BYTES].lower():
            return False  # a part of a page, for a script to put in, has no end tag
        is_whole = b"</html" in body[-TAIL_BYTES:].lower()
        if not again:
            self._whole += is_whole
            self._others += not is_whole
        return not is_whole and self._whole >= self._others
