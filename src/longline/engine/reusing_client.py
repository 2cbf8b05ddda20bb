"""A client that reads no document again whose row looks as it did in an earlier harvest."""

from collections.abc import Awaitable, Callable

from longline.model import Document, Hit, Page, Query, Request, Response
from longline.ports import SourceClient


class ReusingClient:
    """Carry out searches by another client, and take documents from an earlier harvest.

    Implements `longline.ports.SourceClient`.

    Args:
        client: Asks the source.
        known: Returns the document of a hit as it was kept, where nothing shows that it changed.
        prepare: Awaited before the first search; returns how many requests it cost.
    """

    def __init__(
        self,
        client: SourceClient,
        known: Callable[[Hit], Document | None],
        prepare: Callable[[], Awaitable[int]] | None = None,
    ) -> None:
        self._client = client
        self._known = known
        self._prepare = prepare

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return result page `number` of a query, as the other client does."""
        prepare, self._prepare = self._prepare, None
        cost = await prepare() if prepare is not None else 0
        page, requests = await self._client.search(query, number, request)
        return page, requests + cost

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Return the document behind a hit, for no request where it is known."""
        known = self._known(hit)
        return await self._client.read(hit) if known is None else (known, 0)

    @property
    def is_proven(self) -> bool:
        """Whether the newest answers show by themselves that the source still answers."""
        return self._client.is_proven

    async def check(self, *, documents: bool = False) -> bool:
        """Make sure that what was right before still is, as the other client does."""
        return await self._client.check(documents=documents)

    async def fetch(self, request: Request) -> Response:
        """Return the answer to a request as it is."""
        return await self._client.fetch(request)

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.close()
