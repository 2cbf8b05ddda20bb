"""Answers that came a moment ago, for a page that is opened again and again to be typed into."""

from __future__ import annotations

import time
from collections.abc import Mapping

import msgspec

from longline.model import Request, Response

Whole = tuple[Response, Mapping[str, str]]
"""An answer with its headers, several Set-Cookie in lines."""

SECONDS = 120.0
"""So long an answer is as good as a new one; later what it gave may have ended, such as a token."""

MOST = 32
"""Answers that are kept, the newest."""


class Recent:
    """Keep the newest answers for a while, as ones that cost nothing when they are used again.

    >>> recent, asked = Recent(), Request("https://shop.example/")
    >>> recent.keep(asked, (Response(url=asked.url, status=200, body=b""), {}))
    >>> recent.get(asked)[0].requests, recent.get(Request("https://shop.example/new"))
    (0, None)
    """

    def __init__(self) -> None:
        self._kept: dict[Request, tuple[float, Whole]] = {}

    def keep(self, request: Request, whole: Whole) -> None:
        """Keep an answer."""
        response = msgspec.structs.replace(whole[0], requests=0)
        self._kept.pop(request, None)
        self._kept[request] = (time.monotonic(), (response, whole[1]))
        while len(self._kept) > MOST:
            self._kept.pop(next(iter(self._kept)))

    def get(self, request: Request) -> Whole | None:
        """Return an answer that came in the last two minutes; None where none did."""
        at, whole = self._kept.get(request, (0.0, None))
        return whole if time.monotonic() - at < SECONDS else None
