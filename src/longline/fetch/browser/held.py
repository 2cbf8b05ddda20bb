"""What came before, for pages that are opened again and again: scripts, and newest answers."""

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


class Held:
    """Keep scripts, and for a while the newest answers, as ones that cost nothing a second time.

    Attributes:
        scripts: By address.

    >>> held, asked = Held(), Request("https://shop.example/")
    >>> held.keep(asked, (Response(url=asked.url, status=200, body=b""), {}))
    >>> held.get(asked)[0].requests, held.get(Request("https://shop.example/new"))
    (0, None)
    """

    def __init__(self) -> None:
        self.scripts: dict[str, Whole] = {}
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
