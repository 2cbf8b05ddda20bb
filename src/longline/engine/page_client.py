"""A client for policies that only ask for pages: no spec, no search."""

from __future__ import annotations

from longline.errors import PageError
from longline.model import Document, Hit, Page, Query, Request, Response
from longline.ports import Fetcher


class PageClient:
    """Get pages for a policy that only asks for pages, from any fetcher.

    Implements `longline.ports.SourceClient`.
    """

    is_proven = True

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Refuse: how to search is not known.

        Raises:
            PageError: Always.
        """
        raise PageError(f"no source spec says how to ask for {str(query)!r}")

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Refuse, as `search` does.

        Raises:
            PageError: Always.
        """
        raise PageError(f"no source spec says how to read {hit.key!r}")

    async def check(self, *, documents: bool = False) -> bool:
        """Return False: nothing is known to be right."""
        return False

    async def fetch(self, request: Request) -> Response:
        """Return the answer to a request as it is."""
        return await self._fetcher.fetch(request)

    async def close(self) -> None:
        """Let go of connections."""
        await self._fetcher.close()
