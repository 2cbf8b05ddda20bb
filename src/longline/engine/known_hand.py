"""A hand that reads no document again whose row looks as it did in an earlier harvest."""

from __future__ import annotations

from collections.abc import Callable

from longline.model import Document, Hit, Page, Query, Request, Response
from longline.ports import Hand


class KnownHand:
    """Carry out searches by another hand, and take documents from an earlier harvest.

    Implements `longline.ports.Hand`.

    Args:
        hand: Asks the source.
        known: Returns the document of a hit as it was kept, where nothing shows that it changed.
    """

    def __init__(self, hand: Hand, known: Callable[[Hit], Document | None]) -> None:
        self._hand = hand
        self._known = known

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return result page `number` of a query, as the other hand does."""
        return await self._hand.search(query, number, request)

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Return the document behind a hit, for no request where it is known."""
        known = self._known(hit)
        return await self._hand.read(hit) if known is None else (known, 0)

    @property
    def is_proven(self) -> bool:
        """Whether the newest answers show by themselves that the source still answers."""
        return self._hand.is_proven

    async def check(self, *, documents: bool = False) -> bool:
        """Make sure that what was right before still is, as the other hand does."""
        return await self._hand.check(documents=documents)

    async def fetch(self, request: Request) -> Response:
        """Return the answer to a request as it is."""
        return await self._hand.fetch(request)

    async def close(self) -> None:
        """Let go of connections."""
        await self._hand.close()
