"""A cache for pages that are opened repeatedly: scripts, and the newest answers."""

import logging
import time
from collections.abc import Mapping

import msgspec

from longline.logs import log
from longline.model import Request, Response

Whole = tuple[Response, Mapping[str, str]]
"""An answer with its headers; several Set-Cookie values are separated by line feeds."""

SECONDS = 120.0
"""How long an answer may be reused; after that its data, such as a token, may have expired."""

MOST = 32
"""Maximum number of cached answers; the newest are kept."""

MOST_AT_OPENING = 100
"""Further data that a page asks for as it opens is not fetched: it may be every document.

Pages that ask for each of their hits by itself must get all of them.
"""

FEWEST_AT_OPENING = 4
"""The same for the pages after one that asked for more; what was fetched before is not counted."""


class Held:
    """Cache scripts and the newest answers; reused answers count no requests.

    Args:
        most: How much data a page may ask for as it opens.

    Attributes:
        scripts: By URL.
        is_flooded: A page asked for more data as it opened than it got.

    >>> held, asked = Held(), Request("https://shop.example/")
    >>> held.keep(asked, (Response(url=asked.url, status=200, body=b""), {}))
    >>> held.get(asked)[0].requests, held.get(Request("https://shop.example/new"))
    (0, None)
    """

    def __init__(self, most: int = MOST_AT_OPENING) -> None:
        self._most = most
        self.scripts: dict[str, Whole] = {}
        self.is_flooded = False
        self._kept: dict[Request, tuple[float, Whole]] = {}

    def allows(self, number: int) -> bool:
        """Return whether a page that opens may ask for this much data.

        >>> held = Held(most=32)
        >>> held.allows(32), held.allows(33), held.allows(4), held.allows(5)
        (True, False, True, False)
        """
        allowed = number <= (FEWEST_AT_OPENING if self.is_flooded else self._most)
        if not allowed and not self.is_flooded:
            said = (
                f"a page asks for more than {self._most} answers as it opens: {FEWEST_AT_OPENING}"
            )
            log(logging.WARNING, f"{said} are fetched for each of the next pages")
        self.is_flooded |= not allowed
        return allowed

    def keep(self, request: Request, whole: Whole) -> None:
        """Store an answer."""
        response = msgspec.structs.replace(whole[0], requests=0)
        self._kept.pop(request, None)
        self._kept[request] = (time.monotonic(), (response, whole[1]))
        while len(self._kept) > MOST:
            self._kept.pop(next(iter(self._kept)))

    def get(self, request: Request) -> Whole | None:
        """Return an answer of the last two minutes, or None."""
        at, whole = self._kept.get(request, (0.0, None))
        return whole if time.monotonic() - at < SECONDS else None
