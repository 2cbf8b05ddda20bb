"""A generated site behind a fetcher, so that the engine works on it as on the web."""

from collections.abc import Mapping
from urllib.parse import quote, unquote

import msgspec

from longline.errors import RefusedError
from longline.model import Request, Response


class GraphSite:
    """A fetcher that answers requests for pages in memory, each as JSON.

    Args:
        pages: Pages by key; records that `msgspec` can write, such as `known_item.SitePage`.
        origin: The site's pretended origin; the page's key follows it.
    """

    def __init__(
        self, pages: Mapping[str, msgspec.Struct], origin: str = "http://graph.invalid/"
    ) -> None:
        self._pages = pages
        self._origin = origin

    def url(self, key: str) -> str:
        """Return the URL of a page.

        >>> GraphSite({}).url("7")
        'http://graph.invalid/7'
        """
        return self._origin + quote(key, safe="")

    def key(self, url: str) -> str:
        """Return the key of the page at a URL."""
        return unquote(url.removeprefix(self._origin))

    async def fetch(self, request: Request) -> Response:
        """Return a page as JSON.

        Raises:
            RefusedError: There is no such page (404).
        """
        page = self._pages.get(self.key(request.url))
        if page is None:
            raise RefusedError(
                f"{request.url} is not a page of the generated site", url=request.url, status=404
            )
        return Response(
            url=request.url,
            status=200,
            content_type="application/json",
            body=msgspec.json.encode(page),
        )

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""
