"""The sites of the tasks: a catalogue behind a search form, or a JSON API; requests are counted.

longline does not know the markup: there is no source spec, and no preset matches. A document has an
author, a year and a kind besides its title and text; a result row and its own page show them.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlencode

import msgspec
import numpy as np
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from longline.model import Document, Facet, Filter, Page, Query
from longline.simulate import Searcher
from longline.simulate.search import Box, read_query

KINDS = ("letter", "map", "photograph", "report")
RECENT = 5
"""Number of documents that a front page links to, if documents have links."""

FIELDS = ("author", "year", "kind")
YEARS = (1950, 2024)
_NAMES = (
    "Adler",
    "Brandt",
    "Castro",
    "Dahl",
    "Eriksen",
    "Fabre",
    "Greco",
    "Haas",
    "Ivanova",
    "Jung",
)


def catalogue(documents: Sequence[Document], rng: np.random.Generator) -> list[Document]:
    """Give documents catalogue keys, and fields drawn at random."""
    made = []
    for number, document in enumerate(documents):
        fields = {
            "author": f"{rng.choice(list('ABCDEFGH'))}. {rng.choice(_NAMES)}",
            "year": int(rng.integers(*YEARS, endpoint=True)),
            "kind": str(rng.choice(KINDS, p=(0.5, 0.1, 0.3, 0.1))),
        }
        title = document.title or f"Item {number}"
        made.append(
            msgspec.structs.replace(document, key=f"i{number:05}", title=title, fields=fields)
        )
    return made


def facets_of(documents: Sequence[Document]) -> dict[Facet, dict[str, str]]:
    """Return the filters of the form: a list of kinds."""
    values = {each.key: str(each.fields["kind"]) for each in documents}
    return {Facet("kind", "list", KINDS): values}


@dataclass
class Log:
    """What was requested from a site, for the judge.

    Attributes:
        requests: Number of requests of any kind, with any result.
        cut: Searches that match more than their pages show, and whose last page was requested: the
            harvester has seen all that the site shows for them, but not all that matches.
    """

    requests: int = 0
    cut: set[str] = field(default_factory=set)


class Counting:
    """ASGI middleware: count every request."""

    def __init__(self, app: ASGIApp, log: Log) -> None:
        self.app, self.log = app, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count a request, and pass it on."""
        self.log.requests += scope["type"] == "http"
        await self.app(scope, receive, send)


class Catalogue:
    """Endpoints of one site.

    Args:
        box: Answers the queries.
        honest: The same box without lies, for the log.
        log: Collects the searches that are cut.
        kind: HTML pages, or an API.
        links: For each document, the keys that its page links to.
        listed: Keys in /sitemap.xml; None for a site without one.
    """

    def __init__(
        self,
        box: Box,
        honest: Searcher,
        log: Log,
        kind: Literal["html", "json"],
        links: dict[str, list[str]],
        listed: Sequence[str] | None,
    ) -> None:
        self.box, self.honest, self.log, self.kind = box, honest, log, kind
        self.links, self.listed = links, listed

    def app(self) -> Starlette:
        """Build the application."""
        pages = {"/": self.home, "/find": self.find, "/item/{key}": self.item}
        if self.kind == "json":
            pages = {"/api/items": self.api_find, "/api/items/{key}": self.item}
        if self.listed is not None:
            pages["/sitemap.xml"] = self.sitemap
        pages["/robots.txt"] = self.robots
        return Starlette(routes=[Route(path, endpoint) for path, endpoint in pages.items()])

    def robots(self, request: Request) -> Response:
        """Allow everything."""
        return PlainTextResponse("User-agent: *\nDisallow:\n")

    def home(self, request: Request) -> Response:
        """Show the form, and a few documents if documents have links."""
        recent = "".join(f'<a href="/item/{key}">{key}</a> ' for key in list(self.links)[:RECENT])
        return _page("The county archive", f"{self._form('')}<p>Search our holdings. {recent}</p>")

    def find(self, request: Request) -> Response:
        """Show a page of results."""
        typed, number, page = self._answer(request)
        if not typed:
            return _page("Search", self._form(""))
        total = f"<p class=count>{page.total.documents} items found</p>" if page.total else ""
        rows = "".join(self._row(hit.key) for hit in page.hits)
        body = f"<ol class=found>{rows}</ol>" if rows else "<p>Nothing matches your search.</p>"
        onward = ""
        if page.next is not None:
            address = {**request.query_params, "p": str(number + 1)}
            onward = f'<a class=next href="/find?{html.escape(urlencode(address))}">Next</a>'
        return _page(f"Search: {html.escape(typed)}", self._form(typed) + total + body + onward)

    def item(self, request: Request) -> Response:
        """Show a document."""
        document = self.box.document(request.path_params["key"])
        if document is None:
            raise HTTPException(404)
        if self.kind == "json":
            return JSONResponse(_as_json(document, text=True))
        fields = "".join(
            f"<dt>{n}</dt><dd>{html.escape(str(v))}</dd>" for n, v in _fields(document)
        )
        links = "".join(
            f'<li><a href="/item/{key}">{key}</a></li>' for key in self.links.get(document.key, ())
        )
        return _page(
            html.escape(document.title),
            f"<h1>{html.escape(document.title)}</h1><dl>{fields}</dl>"
            f"<div class=text>{html.escape(document.text)}</div>"
            + (f"<h2>See also</h2><ul>{links}</ul>" if links else ""),
        )

    def api_find(self, request: Request) -> Response:
        """Return a page of rows."""
        typed, number, page = self._answer(request)
        if not typed:
            return JSONResponse({"error": "q is missing"}, 400)
        rows = [
            _as_json(found, text=False)
            for found in map(self.box.document, (h.key for h in page.hits))
            if found
        ]
        answer: dict[str, Any] = {"page": number, "rows": rows, "more": page.next is not None}
        if page.total:
            answer["count"] = page.total.documents
        return JSONResponse(answer)

    def sitemap(self, request: Request) -> Response:
        """List the URLs of documents."""
        base = str(request.base_url).rstrip("/")
        rows = "".join(f"<url><loc>{base}/item/{key}</loc></url>" for key in self.listed or ())
        text = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'
        return Response(text, media_type="application/xml")

    def _answer(self, request: Request) -> tuple[str, int, Page]:
        asked = request.query_params
        typed, kind = asked.get("q", "").strip(), asked.get("kind", "")
        number = int(asked.get("p", "1")) if asked.get("p", "1").isdigit() else 1
        query = read_query(typed, boolean=self.box.boolean)
        if kind and self.box.facets:
            query = msgspec.structs.replace(query, filters=(Filter("kind", kind),))
        if typed:
            self._note(f"{typed} {kind}".strip(), query, number)
        return typed, number, self.box.search(query, max(number, 1))

    def _note(self, name: str, query: Query, number: int) -> None:
        limit = self.box.limit
        is_last = limit is not None and number == -(-limit // self.box.page_size)
        if is_last and self.honest.matches(query) > limit:
            self.log.cut.add(name)

    def _form(self, typed: str) -> str:
        choices = "".join(f"<option>{each}</option>" for each in KINDS)
        kinds = f"<select name=kind><option value=''>any kind</option>{choices}</select>"
        return (
            f'<form action="/find"><input type=search name=q value="{html.escape(typed)}">'
            f"{kinds if self.box.facets else ''}<button>Search</button></form>"
        )

    def _row(self, key: str) -> str:
        document = self.box.document(key)
        if document is None:
            return ""
        fields = " ".join(
            f"<span class={n}>{html.escape(str(v))}</span>" for n, v in _fields(document)
        )
        link = f'<a href="/item/{key}">{html.escape(document.title)}</a>'
        return f"<li>{link} <small>{fields}</small></li>"


def _fields(document: Document) -> list[tuple[str, Any]]:
    return [(name, document.fields[name]) for name in FIELDS]


def _as_json(document: Document, *, text: bool) -> dict[str, Any]:
    row = {"id": document.key, "href": f"/api/items/{document.key}", "title": document.title}
    row.update(_fields(document))
    return {**row, "body": document.text} if text else row


def _page(title: str, body: str) -> HTMLResponse:
    return HTMLResponse(
        f"<!DOCTYPE html><html lang=en><title>{title}</title><main>{body}</main></html>"
    )
