"""A searcher as a web site: a home page, a search form, result and document pages, a JSON API.

/                    the home page; it names the source spec in a link
/search?q=&page=     the form, and the result pages
/documents/KEY       a document
/api/search?q=&page= and /api/documents/KEY    the same as JSON
/source.toml and /api/source.toml              specs for the site, and for its API
/sitemap.xml /oai /feed.xml                    if they are among the given routes
/help /about /news /contact /legal /robots.txt
"""

from collections.abc import Awaitable, Callable, Sequence

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from longline.model import Document, Filter, Hit, Page
from longline.simulate.search import Box, read_query
from longline.simulate.site import html as _html
from longline.simulate.site.spec import api_spec, html_spec

ALLOW_ALL = "User-agent: *\nAllow: /\n"
_SPEC_LINK = '<link rel="longline-source" type="application/toml" href="/source.toml">\n'


def website(
    box: Box,
    *,
    name: str = "The Simulated Library",
    robots: str | None = ALLOW_ALL,
    head: str = "",
    routes: Sequence[Route] = (),
) -> Starlette:
    """Build the web site of a search box, for any ASGI server.

    Args:
        box: Answers the queries: a `Searcher`, or a `FaultySource` around one.
        name: The site's name.
        robots: Content of /robots.txt; None for a site without one.
        head: Additional HTML in the home page's head.
        routes: Routes in addition to the search.
    """
    site = _Site(box, name, robots, head)
    own = {
        "/": site.home,
        "/search": site.search,
        "/documents/{key:path}": site.document,
        "/api/search": site.api_search,
        "/api/documents/{key:path}": site.api_document,
        "/source.toml": site.source,
        "/api/source.toml": site.api_source,
        "/robots.txt": site.robots_txt,
    }
    plain = set(_html.PLAIN_PAGES) - {"newsletter"} - (set() if box.boolean else {"help"})
    return Starlette(
        routes=[
            *(Route(path, endpoint) for path, endpoint in own.items()),
            *(Route(f"/{page}", site.plain_page(page)) for page in sorted(plain)),
            Route("/newsletter", site.plain_page("newsletter"), methods=["POST"]),
            *routes,
        ],
        exception_handlers={HTTPException: site.failure},
    )


class _Site:
    """Endpoints of one site's pages, for `website`."""

    def __init__(self, box: Box, name: str, robots: str | None, head: str) -> None:
        self.box = box
        self.name = name
        self.robots = robots
        self.head = _SPEC_LINK + head

    async def home(self, request: Request) -> Response:
        return self._page("Home", _html.home(self.name), head=self.head)

    async def search(self, request: Request) -> Response:
        typed, number = _asked(request)
        filters = self._filters(request)
        if not (typed or (self.box.lists_all and "q" in request.query_params)):
            form = _html.search_form(facets=self.box.facets)
            return self._page("Search", f"<h1>Search</h1>\n{form}")
        page = self._find(typed, number, filters)
        body = _html.results(typed, number, page, of=self.box, filters=filters)
        return self._page(f"{typed or 'Everything'} - Search results", body)

    async def document(self, request: Request) -> Response:
        document = self._document(request)
        return self._page(document.title or document.key, _html.document(document))

    async def api_search(self, request: Request) -> Response:
        typed, number = _asked(request)
        if not (typed or self.box.lists_all):
            raise HTTPException(400, "say what to look for: /api/search?q=WORDS")
        filters = self._filters(request)
        page = self._find(typed, number, filters)
        base = str(request.base_url).rstrip("/")
        onward = _html.search_path(typed, number + 1, filters)
        return JSONResponse(
            {
                "total": page.total.documents if page.total else None,
                "total_relation": page.total.relation if page.total else None,
                "hits": [_as_json(hit, base) for hit in page.hits],
                "next": f"{base}/api{onward}" if page.next else None,
            }
        )

    async def api_document(self, request: Request) -> Response:
        document = self._document(request)
        url = str(request.base_url).rstrip("/") + _html.document_path(document.key)
        return JSONResponse(
            {"id": document.key, "url": url, "title": document.title, "text": document.text}
        )

    async def source(self, request: Request) -> Response:
        return _toml(html_spec(self.box, self.name, str(request.base_url)))

    async def api_source(self, request: Request) -> Response:
        return _toml(api_spec(self.box, self.name, str(request.base_url)))

    async def robots_txt(self, request: Request) -> Response:
        if self.robots is None:
            raise HTTPException(404)
        return PlainTextResponse(self.robots)

    def plain_page(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return self._page(*_html.PLAIN_PAGES[name])

        return endpoint

    async def failure(self, request: Request, error: Exception) -> Response:
        """Return an error page for a missing page or a wrong request, or JSON for the API."""
        status = error.status_code if isinstance(error, HTTPException) else 500
        what = error.detail if isinstance(error, HTTPException) else "Error"
        headers = getattr(error, "headers", None)
        if request.url.path.startswith("/api/"):
            return JSONResponse({"error": what}, status, headers=headers)
        body = f'<h1>{_html.escape(what)}</h1>\n<p>Go on from the <a href="/">home page</a>.</p>\n'
        return self._page(f"{status}", body, status=status)

    def _page(self, title: str, body: str, *, head: str = "", status: int = 200) -> HTMLResponse:
        whole = _html.layout(self.name, title, body, head=head, help_page=self.box.boolean)
        return HTMLResponse(whole, status)

    def _find(self, typed: str, number: int, filters: tuple[Filter, ...]) -> Page:
        query = read_query(typed, boolean=self.box.boolean)
        return self.box.search(msgspec.structs.replace(query, filters=filters), number)

    def _filters(self, request: Request) -> tuple[Filter, ...]:
        """Read the filters from the form's other fields."""
        asked = request.query_params
        found = []
        for facet in self.box.facets:
            low, high = asked.get(facet.name, ""), asked.get(f"{facet.name}_to", "")
            if facet.kind in ("number", "date") and (low or high):
                found.append(Filter(facet.name, low or facet.low, high or facet.high))
            elif low:
                found.append(Filter(facet.name, low))
        return tuple(found)

    def _document(self, request: Request) -> Document:
        document = self.box.document(request.path_params["key"])
        if document is None:
            raise HTTPException(404, "There is no such document")
        return document


def _asked(request: Request) -> tuple[str, int]:
    """Return the typed query, and the requested page number."""
    typed = request.query_params.get("q", "").strip()
    number = request.query_params.get("page") or "1"
    if not (number.isascii() and number.isdigit() and int(number[:9]) >= 1):
        raise HTTPException(404, "There is no such page")
    return typed, int(number[:9])


def _as_json(hit: Hit, base: str) -> dict[str, str]:
    return {
        "id": hit.key,
        "url": base + _html.document_path(hit.key),
        "api_url": f"{base}/api{_html.document_path(hit.key)}",
        "title": hit.title,
        "snippet": hit.snippet,
    }


def _toml(text: str) -> Response:
    return Response(text, media_type="application/toml; charset=utf-8")
