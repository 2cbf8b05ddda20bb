"""A GraphQL endpoint is searched or listed by its own schema, or refused with its name."""

import base64
import html
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.offered.kit import DOCUMENTS, SIZE, WANTED, drawn, harvested, matching, titles

import longline
from longline.discovery.described.graphql_schema import Schema
from longline.model import Document

MOST = 25


def row(document: Document) -> dict[str, str]:
    """Return an object of the schema."""
    return {"id": document.key, "title": document.title, "body": document.text}


def scalar(name: str, *, needed: bool = False) -> dict[str, Any]:
    """Return a scalar type as introspection describes it."""
    kind = {"kind": "SCALAR", "name": name, "ofType": None}
    return {"kind": "NON_NULL", "name": None, "ofType": kind} if needed else kind


def named(kind: str, name: str) -> dict[str, Any]:
    """Return an object type as introspection describes it."""
    return {"kind": kind, "name": name, "ofType": None}


def listed(inner: dict[str, Any]) -> dict[str, Any]:
    """Return a list type whose items are never null."""
    needed = {"kind": "NON_NULL", "name": None, "ofType": inner}
    return {
        "kind": "NON_NULL",
        "name": None,
        "ofType": {"kind": "LIST", "name": None, "ofType": needed},
    }


def field(name: str, kind: dict[str, Any], **arguments: dict[str, Any]) -> dict[str, Any]:
    """Return a field with its arguments."""
    given = [{"name": each, "defaultValue": None, "type": of} for each, of in arguments.items()]
    return {"name": name, "args": given, "type": kind}


BOOK = {
    "kind": "OBJECT",
    "name": "Book",
    "fields": [
        field("id", scalar("ID")),
        field("title", scalar("String")),
        field("body", scalar("String")),
    ],
}


def schema(root: list[dict[str, Any]], *more: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with some fields at its root."""
    types = [{"kind": "OBJECT", "name": "Root", "fields": root}, BOOK, *more]
    return {"__schema": {"queryType": {"name": "Root"}, "types": types}}


PAGE_INFO = {
    "kind": "OBJECT",
    "name": "PageInfo",
    "fields": [field("hasNextPage", scalar("Boolean")), field("endCursor", scalar("String"))],
}
CONNECTION = {
    "kind": "OBJECT",
    "name": "BookConnection",
    "fields": [
        field("edges", listed(named("OBJECT", "BookEdge"))),
        field("pageInfo", named("OBJECT", "PageInfo")),
        field("totalCount", scalar("Int")),
    ],
}
EDGE = {"kind": "OBJECT", "name": "BookEdge", "fields": [field("node", named("OBJECT", "Book"))]}
FILTER = {
    "kind": "INPUT_OBJECT",
    "name": "BookFilter",
    "inputFields": field("", {}, search=scalar("String"), year=scalar("Int"))["args"],
}
RESULT = {
    "kind": "OBJECT",
    "name": "BookPage",
    "fields": [field("items", listed(named("OBJECT", "Book"))), field("total", scalar("Int"))],
}
SEARCH = {
    "kind": "INPUT_OBJECT",
    "name": "SearchInput",
    "inputFields": field(
        "",
        {},
        term=scalar("String"),
        take=scalar("Int"),
        skip=scalar("Int"),
        group=scalar("Boolean"),
    )["args"],
}
PAGED = {"first": scalar("Int"), "after": scalar("String")}


def connection(found: list[Document], sent: dict[str, Any]) -> dict[str, Any]:
    """Answer with a connection, paged by a cursor."""
    start = int(base64.b64decode(sent.get("after") or b"MA=="))
    size = min(sent.get("first") or 10, MOST)
    end = start + size
    cursor = base64.b64encode(str(end).encode()).decode()
    info = {"hasNextPage": end < len(found), "endCursor": cursor}
    edges = [{"node": row(d)} for d in found[start:end]]
    return {"edges": edges, "pageInfo": info, "totalCount": len(found)}


def counted(found: list[Document], sent: dict[str, Any]) -> list[dict[str, str]]:
    """Answer with a plain list, from an offset on."""
    start, size = sent.get("offset") or 0, min(sent.get("limit") or 10, MOST)
    return [row(d) for d in found[start : start + size]]


Answer = Callable[[dict[str, Any]], Any]
SERVERS: dict[str, tuple[dict[str, Any], str, Answer]] = {
    "connection with a search": (
        schema(
            [field("books", named("OBJECT", "BookConnection"), search=scalar("String"), **PAGED)],
            CONNECTION,
            EDGE,
            PAGE_INFO,
        ),
        "books",
        lambda sent: connection(matching(sent.get("search")), sent),
    ),
    "connection that shows nothing without words": (
        schema(
            [
                field(
                    "books",
                    named("OBJECT", "BookConnection"),
                    text=scalar("String", needed=True),
                    **PAGED,
                )
            ],
            CONNECTION,
            EDGE,
            PAGE_INFO,
        ),
        "books",
        lambda sent: connection(matching(sent["text"]) if sent["text"].strip() else [], sent),
    ),
    "words in a filter": (
        schema(
            [
                field(
                    "books",
                    named("OBJECT", "BookConnection"),
                    filter=named("INPUT_OBJECT", "BookFilter"),
                    **PAGED,
                )
            ],
            CONNECTION,
            EDGE,
            PAGE_INFO,
            FILTER,
        ),
        "books",
        lambda sent: connection(matching((sent.get("filter") or {}).get("search")), sent),
    ),
    "words and paging in a needed input": (
        schema(
            [
                field(
                    "search",
                    named("OBJECT", "BookPage"),
                    input={
                        **scalar("", needed=True),
                        "ofType": named("INPUT_OBJECT", "SearchInput"),
                    },
                )
            ],
            RESULT,
            SEARCH,
        ),
        "search",
        lambda sent: {
            "items": counted(
                matching(sent["input"].get("term")),
                {"limit": sent["input"].get("take"), "offset": sent["input"].get("skip")},
            ),
            "total": len(matching(sent["input"].get("term"))),
        },
    ),
    "connection without a search": (
        schema(
            [field("allBooks", named("OBJECT", "BookConnection"), **PAGED)],
            CONNECTION,
            EDGE,
            PAGE_INFO,
        ),
        "allBooks",
        lambda sent: connection(DOCUMENTS, sent),
    ),
    "plain list with a search that needs words": (
        schema(
            [
                field(
                    "findBooks",
                    listed(named("OBJECT", "Book")),
                    q=scalar("String", needed=True),
                    limit=scalar("Int"),
                    offset=scalar("Int"),
                )
            ]
        ),
        "findBooks",
        lambda sent: counted(matching(sent["q"]), sent),
    ),
    "pages counted from 1, with a total": (
        schema(
            [
                field(
                    "books", named("OBJECT", "BookPage"), page=scalar("Int"), perPage=scalar("Int")
                )
            ],
            RESULT,
        ),
        "books",
        lambda sent: {
            "items": counted(
                DOCUMENTS,
                {
                    "offset": (sent["page"] - 1) * min(sent["perPage"], MOST),
                    "limit": sent["perPage"],
                },
            ),
            "total": SIZE,
        },
    ),
    "pages counted from 0": (
        schema(
            [
                field(
                    "allBooks",
                    listed(named("OBJECT", "Book")),
                    page=scalar("Int"),
                    perPage=scalar("Int"),
                    q=scalar("String"),
                )
            ],
        ),
        "allBooks",
        lambda sent: counted(
            matching(sent.get("q")),
            {"offset": sent["page"] * min(sent["perPage"], MOST), "limit": sent["perPage"]},
        ),
    ),
    "plain list of all": (
        schema([field("books", listed(named("OBJECT", "Book")))]),
        "books",
        lambda sent: [row(d) for d in DOCUMENTS],
    ),
}


def endpoint(described: dict[str, Any] | None, name: str, answer: Answer) -> Starlette:
    """Serve an endpoint that takes queries by POST, and a front page that does not name it."""

    async def graphql(request: Request) -> Response:
        asked = json.loads(await request.body())
        query, sent = asked["query"], asked.get("variables") or {}
        if "__schema" in query:
            refused = {"errors": [{"message": "introspection is not allowed"}]}
            return JSONResponse(refused if described is None else {"data": described})
        if "__typename" in query:
            return JSONResponse({"data": {"__typename": "Root"}})
        if name not in query:
            return JSONResponse({"errors": [{"message": "no such field"}]}, status_code=400)
        return JSONResponse({"data": {name: answer(sent)}})

    routes = [Route("/graphql", graphql, methods=["POST"])]
    front = HTMLResponse("<html lang=en><title>Library</title><p>Welcome</p></html>")
    return Starlette(routes=[*routes, Route("/", lambda request: front)])


@pytest.mark.parametrize("name", SERVERS)
def test_what_a_schema_lists_is_held(name: str, tmp_path: Path) -> None:
    """All documents are held, and a list without a total is not called complete."""
    harvest = harvested(endpoint(*SERVERS[name]), tmp_path, "/graphql")
    certificate = harvest.certificate
    assert titles(harvest) == WANTED
    assert all(document.text for document in harvest.documents)
    assert certificate.discovery_requests <= 40
    assert not certificate.cuts
    assert (certificate.outcome == "partial") == (name == "plain list of all")
    if certificate.outcome == "partial":
        assert "how many documents it leaves out is not known" in certificate.stopped


@pytest.mark.slow
def test_an_endpoint_is_found_from_the_front_page(tmp_path: Path) -> None:
    """If a site has no search of its own, the usual URL of an endpoint is tried."""
    harvest = harvested(endpoint(*SERVERS["connection with a search"]), tmp_path)
    assert titles(harvest) == WANTED


@pytest.mark.parametrize("path", ["/graphql", pytest.param("/", marks=pytest.mark.slow)])
def test_an_endpoint_that_does_not_describe_itself_is_refused(path: str, tmp_path: Path) -> None:
    """The error names the endpoint, its refusal of introspection, and what to write by hand."""
    with pytest.raises(longline.LonglineError) as raised:
        harvested(endpoint(None, "books", lambda sent: []), tmp_path, path)
    said = str(raised.value)
    assert "GraphQL endpoint, and refuses introspection: introspection is not allowed" in said
    assert "graphql.md" in said
    assert "try again later" not in said


def test_a_field_that_needs_what_nobody_knows_is_left_out() -> None:
    """A list that needs an author's id cannot be requested without it."""
    of_author = field("booksOf", listed(named("OBJECT", "Book")), author=scalar("ID", needed=True))
    every = field("books", listed(named("OBJECT", "Book")), first=scalar("Int"))
    [found] = Schema(schema([of_author, every])).listings()
    assert (found.name, found.path, found.size) == ("books", "data.books[*]", ("first",))
    assert json.loads(found.body(words=False).replace("{size}", "5"))["variables"] == {"first": 5}


@pytest.mark.slow
def test_an_endpoint_with_another_name_is_known_by_its_refusal(tmp_path: Path) -> None:
    """Where GET is answered by an error of GraphQL, its schema is asked for by POST."""
    books = endpoint(*SERVERS["words and paging in a needed input"])

    async def shop(request: Request) -> Response:
        if request.method == "GET":
            said = "GraphQL operations must contain a non-empty `query`"
            return JSONResponse({"errors": [{"message": said}]}, status_code=400)
        [route] = [each for each in books.routes if getattr(each, "path", "") == "/graphql"]
        answer: Response = await route.endpoint(request)  # type: ignore[attr-defined]
        return answer

    app = Starlette(routes=[Route("/shop-api", shop, methods=["GET", "POST"])])
    harvest = harvested(app, tmp_path, "/shop-api")
    assert titles(harvest) == WANTED
    assert harvest.certificate.requests <= 60


def by_strawberry(*, is_open: bool) -> Any:
    """Return the endpoint that strawberry makes from types."""
    strawberry = pytest.importorskip("strawberry")
    from strawberry.asgi import GraphQL
    from strawberry.extensions import DisableIntrospection
    from tests.discovery.offered.books import Query

    extensions = [] if is_open else [DisableIntrospection]
    made = strawberry.Schema(Query, extensions=extensions)
    app = Starlette()
    app.mount("/graphql", GraphQL(made, graphql_ide="graphiql" if is_open else None))
    return app


@pytest.mark.slow
def test_what_strawberry_serves_is_read(tmp_path: Path) -> None:
    """A real server's own schema leads to all its documents, not to its shelves."""
    harvest = harvested(by_strawberry(is_open=True), tmp_path, "/graphql")
    assert titles(harvest) == WANTED
    assert harvest.certificate.outcome == "complete"
    with pytest.raises(longline.LonglineError, match="refuses introspection"):
        harvested(by_strawberry(is_open=False), tmp_path / "closed", "/graphql")


@pytest.mark.slow
def test_examples_of_a_documentation_give_what_a_search_requires(tmp_path: Path) -> None:
    """Its page names the endpoint as text, and the library in the variables of a query."""
    strawberry = pytest.importorskip("strawberry")
    from strawberry.asgi import GraphQL
    from tests.discovery.offered.books import LIBRARY, OfLibraries

    variables = {"first": 10, "where": {"query": "search term", "libraryId": LIBRARY}}

    def docs(request: Request) -> Response:
        at = f"<p>Our GraphQL endpoint takes POST: <code>{request.base_url}v1</code>"
        asked = "query Books($first: Int!, $where: Wanted!) { booksOfLibrary { edges } }"
        examples = f"<pre>{asked}</pre><pre>{html.escape(json.dumps(variables))}</pre>"
        return HTMLResponse(f"<html lang=en><h1>Library API</h1>{at}{examples}")

    app = Starlette(routes=[Route("/docs", docs)])
    app.mount("/v1", GraphQL(strawberry.Schema(OfLibraries), graphql_ide=None))
    harvest = harvested(app, tmp_path, "/docs")
    assert len(titles(harvest) & WANTED) >= 0.95 * len(WANTED)
    assert all(document.text for document in harvest.documents)


@pytest.mark.slow
def test_thousands_come_by_the_hundred(tmp_path: Path) -> None:
    """3,000 documents cost fewer requests than with a spec written by a person: 147."""
    many = drawn(3000)
    described, name, _ = SERVERS["connection without a search"]

    def answer(sent: dict[str, Any]) -> dict[str, Any]:
        start = int(base64.b64decode(sent.get("after") or b"MA=="))
        end = start + min(sent["first"], 100)
        cursor = base64.b64encode(str(end).encode()).decode()
        info = {"hasNextPage": end < len(many), "endCursor": cursor}
        edges = [{"node": row(d)} for d in many[start:end]]
        return {"edges": edges, "pageInfo": info, "totalCount": len(many)}

    harvest = harvested(endpoint(described, name, answer), tmp_path, "/graphql")
    assert harvest.certificate.documents == len(many)
    assert harvest.certificate.requests < 60
