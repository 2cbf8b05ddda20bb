"""A simulated source without a network: what the engine needs, straight from a search box."""

from longline.errors import RefusedError
from longline.model import Document, Hit, Page, Query, Request, Response
from longline.simulate.search.searcher import Box


class MemoryClient:
    """Carry out a policy's wishes on a search box: one request a page, one a document.

    Implements `longline.ports.SourceClient`.

    Args:
        box: A `Searcher`, or a `FaultySource` around one.

    Attributes:
        requests: How many were counted so far.
    """

    is_proven = True

    def __init__(self, box: Box) -> None:
        self.box = box
        self.requests = 0

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return result page `number` of a query, for one request."""
        self.requests += 1
        return self.box.search(query, number), 1

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Return the document behind a hit, for one request.

        Raises:
            RefusedError: The source has no such document.
        """
        self.requests += 1
        document = self.box.document(hit.key)
        if document is None:
            raise RefusedError(f"no document {hit.key!r} in this source", advice="skip it")
        return document, 1

    async def check(self, *, documents: bool = False) -> bool:
        """Return False: what is in memory stays as it is."""
        return False

    async def fetch(self, request: Request) -> Response:
        """Refuse: there is nothing but a search box here.

        Raises:
            RefusedError: Always.
        """
        raise RefusedError(f"{request.url} is no page of this source", advice="search it")

    async def close(self) -> None:
        """Nothing is held open."""
