"""A simulated source without a network: connects the engine directly to a search box."""

from longline.errors import RefusedError
from longline.model import Document, Hit, Page, Query, Request, Response
from longline.simulate.search.searcher import Box


class MemoryClient:
    """Send a policy's requests to a search box: one request for each page or document.

    Implements `longline.ports.SourceClient`.

    Args:
        box: A `Searcher`, or a `FaultySource` around one.

    Attributes:
        requests: Requests counted so far.
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
        """Return False: a source in memory does not change."""
        return False

    async def fetch(self, request: Request) -> Response:
        """Refuse, because the source has only a search box.

        Raises:
            RefusedError: Always.
        """
        raise RefusedError(f"{request.url} is no page of this source", advice="search it")

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""
