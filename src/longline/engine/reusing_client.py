"""A client that reuses a document if its row looks as it did in an earlier harvest."""

from collections.abc import Awaitable, Callable

from longline.errors import NoTextError
from longline.model import Document, Hit, Page, Query, Request, Response
from longline.ports import SourceClient


class ReusingClient:
    """Search with another client, and take unchanged documents from an earlier harvest.

    Implements `longline.ports.SourceClient`.

    Args:
        client: Sends requests to the source.
        known: Returns a hit's saved document if it seems unchanged, else None.
        prepare: Awaited before the first search; returns the number of requests it sent.
        has: Whether the earlier harvest has a document of this key: a page without its text where
            the spec expects it is no other layout then, but may say that the document is gone.
    """

    def __init__(
        self,
        client: SourceClient,
        known: Callable[[Hit], Document | None],
        prepare: Callable[[], Awaitable[int]] | None = None,
        has: Callable[[str], bool] = lambda key: False,
    ) -> None:
        self._client = client
        self._known = known
        self._prepare = prepare
        self._has = has

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return result page `number` of a query, as the other client does."""
        prepare, self._prepare = self._prepare, None
        cost = await prepare() if prepare is not None else 0
        page, requests = await self._client.search(query, number, request)
        return page, requests + cost

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Return the document of a hit, without a request if it is known."""
        known = self._known(hit)
        if known is not None:
            return known, 0
        try:
            return await self._client.read(hit)
        except NoTextError as error:
            if self._has(hit.key):
                error.document = None
            raise

    @property
    def is_proven(self) -> bool:
        """Whether the newest answers show that the source still works."""
        return self._client.is_proven

    async def check(self, *, documents: bool = False) -> bool:
        """Check that what worked before still does, as the other client does."""
        return await self._client.check(documents=documents)

    async def fetch(self, request: Request) -> Response:
        """Return the raw response to a request."""
        return await self._client.fetch(request)

    async def close(self) -> None:
        """Close connections."""
        await self._client.close()
