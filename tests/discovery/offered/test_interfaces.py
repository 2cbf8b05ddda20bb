"""An interface is requested as it describes itself, in OpenAPI or by URL templates."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.grade import finder_of
from tests.discovery.offered.kit import (
    DOCUMENTS,
    SIZE,
    WANTED,
    as_page,
    harvested,
    matching,
    share_of_text,
    titles,
)

import longline
from longline.discovery.described.openapi import descriptions_in, operations_in, read_description
from longline.discovery.described.uri_templates import templates_in
from longline.errors import InputError
from longline.model import Response as Came
from longline.simulate import running_site


def row(document: Any) -> dict[str, str]:
    """Return a row of an answer."""
    return {"id": document.key, "title": document.title, "body": document.text}


def number(request: Request, name: str, default: int) -> int:
    """Return a number from the URL's query."""
    return int(request.query_params.get(name, default))


def parameter(name: str, kind: str = "string", **more: Any) -> dict[str, Any]:
    """Return a parameter of OpenAPI 3."""
    needed = more.pop("required", False)
    return {"name": name, "in": "query", "required": needed, "schema": {"type": kind, **more}}


LIST = {"type": "array", "items": {"$ref": "#/components/schemas/Book"}}
BOOK = {"type": "object", "properties": {"id": {"type": "string"}, "title": {"type": "string"}}}


def described(
    path: str, parameters: list[dict[str, Any]], schema: Any, **more: Any
) -> dict[str, Any]:
    """Return a description with one operation that lists, and one that does not."""
    answer = {"200": {"content": {"application/json": {"schema": schema}}}}
    health = {"200": {"content": {"application/json": {"schema": {"type": "boolean"}}}}}
    return {
        "openapi": "3.1.0",
        "paths": {
            "/health": {"get": {"responses": health}},
            path: {"get": {"parameters": parameters, "responses": answer}},
        },
        "components": {"schemas": {"Book": BOOK}},
        **more,
    }


def search(request: Request) -> Response:
    """Answer with rows that hold the words, and their total."""
    found = matching(request.query_params["needle"])
    start, size = number(request, "start", 0), min(number(request, "limit", 5), 20)
    return JSONResponse(
        {"hits": [row(d) for d in found[start : start + size]], "total": len(found)}
    )


def plain(request: Request) -> Response:
    """List rows from an offset on, and nothing else."""
    start, size = number(request, "skip", 0), min(number(request, "limit", 5), 15)
    return JSONResponse([row(d) for d in DOCUMENTS[start : start + size]])


def from_one_on(request: Request) -> Response:
    """List rows by page, from page 1 on; page 0 is the first page, too."""
    at, size = max(number(request, "__page", 1), 1), min(number(request, "__page_size", 5), 15)
    return JSONResponse({"rows": [row(d) for d in DOCUMENTS[(at - 1) * size : at * size]]})


def with_header(request: Request) -> Response:
    """List rows by page; one header has the total, another the next link."""
    page, size = number(request, "page", 1), 12
    headers = {"X-Total-Count": str(SIZE)}
    if page * size < SIZE:
        headers["Link"] = f'</v1/books?page={page + 1}>; rel="next"'
    rows = [row(d) for d in DOCUMENTS[(page - 1) * size : page * size]]
    return JSONResponse(rows, headers=headers)


def with_next(request: Request) -> Response:
    """List rows by page, from page 0 on, with links and a total, like Spring."""
    page, size = number(request, "page", 0), min(number(request, "size", 5), 18)
    links = (
        {"next": {"href": f"/books?page={page + 1}&size={size}"}}
        if (page + 1) * size < SIZE
        else {}
    )
    rows = [row(d) for d in DOCUMENTS[page * size : (page + 1) * size]]
    told = {"size": size, "totalElements": SIZE, "number": page}
    return JSONResponse({"_embedded": {"books": rows}, "_links": links, "page": told})


NEEDLE = [
    parameter("needle", required=True),
    parameter("limit", "integer", maximum=20),
    parameter("start", "integer", default=0),
]
FOUND = {"type": "object", "properties": {"hits": LIST, "total": {"type": "integer"}}}
PAGED = [
    parameter("skip", "integer", default=0),
    parameter("limit", "integer", default=5, maximum=15),
]
PRIVATE = [
    parameter("title"),
    parameter("__page", "integer"),
    parameter("__page_size", "integer"),
]
ROWS = {"type": "object", "properties": {"rows": LIST}}
SWAGGER = {
    "swagger": "2.0",
    "basePath": "/v1",
    "paths": {
        "/books": {
            "get": {
                "parameters": [{"name": "page", "in": "query", "type": "integer", "default": 1}],
                "responses": {"200": {"schema": {"type": "array", "items": BOOK}}},
            }
        }
    },
}
SITES: dict[str, tuple[str, Any, str, Callable[[Request], Response]]] = {
    "a search": ("/openapi.json", described("/find", NEEDLE, FOUND), "/find", search),
    "a list": ("/openapi.json", described("/items", PAGED, LIST), "/items", plain),
    "names of its own": (
        "/openapi.json",
        described("/entries/", PRIVATE, ROWS),
        "/entries/",
        from_one_on,
    ),
    "Swagger 2, headers": ("/swagger.json", SWAGGER, "/v1/books", with_header),
}


def interface(name: str, front: Response | None = None) -> Starlette:
    """Serve an interface and its description; its root is empty, or a front page."""
    place, description, path, answer = SITES[name]
    routes = [Route(path, answer), Route(place, lambda request: JSONResponse(description))]
    if front is not None:
        routes.append(Route("/", lambda request: front))
    return Starlette(routes=routes)


@pytest.mark.parametrize("name", SITES)
def test_an_interface_is_asked_as_it_is_described(name: str, tmp_path: Path) -> None:
    """From an empty root, all rows are found by the description; a plain list proves nothing."""
    harvest = harvested(interface(name), tmp_path)
    certificate = harvest.certificate
    assert titles(harvest) == WANTED
    assert certificate.discovery_requests <= 40
    is_list = name in ("a list", "names of its own")
    assert certificate.outcome == ("partial" if is_list else "complete")


def test_a_page_about_the_interface_names_its_description(tmp_path: Path) -> None:
    """The page that shows a description to people leads to it."""
    page = HTMLResponse(
        "<html><title>API</title><script>SwaggerUIBundle({url: '/openapi.json'})</script>"
    )
    assert titles(harvested(interface("a search", page), tmp_path)) == WANTED


def test_swagger_ui_names_the_description_in_a_script_of_its_own(tmp_path: Path) -> None:
    """The page has no address of it; the script is relative to the page."""
    page = "<html><title>Swagger UI</title><script src=./swagger-ui-bundle.js></script>"
    page += "<script src=./swagger-initializer.js></script>"
    script = "window.ui = SwaggerUIBundle({ url: '/v3/books-docs', dom_id: '#swagger-ui' });"
    description = described("/find", NEEDLE, FOUND)
    routes = [
        Route("/ui/", lambda _: HTMLResponse(page)),
        Route("/ui/swagger-initializer.js", lambda _: Response(script)),
        Route("/v3/books-docs", lambda _: JSONResponse(description)),
        Route("/find", search),
    ]
    assert titles(harvested(Starlette(routes=routes), tmp_path, "/ui/")) == WANTED


def test_a_description_may_say_that_a_parameter_is_for_words(tmp_path: Path) -> None:
    """Its name does not."""
    said = "What a book is about. Supports advanced text search."
    asked = [parameter("book_issues") | {"description": said}, *NEEDLE[1:]]

    def find(request: Request) -> Response:
        found = matching(request.query_params.get("book_issues", ""))
        start, size = number(request, "start", 0), min(number(request, "limit", 5), 20)
        if start and "book_issues" not in request.query_params:
            return JSONResponse({"detail": "Pass a parameter."}, 400)
        rows = [row(d) for d in found[start : start + size]]
        return JSONResponse({"hits": rows, "total": len(found)})

    description = described("/find", asked, FOUND)
    routes = [Route("/openapi.json", lambda _: JSONResponse(description)), Route("/find", find)]
    assert titles(harvested(Starlette(routes=routes), tmp_path)) == WANTED


def test_templates_at_the_root_say_how_to_search(tmp_path: Path) -> None:
    """A template of HAL leads to the search, whatever the names of its parameters."""
    root = {
        "_links": {
            "self": {"href": "/"},
            "find": {"href": "/find{?needle,start,limit}", "templated": True},
        }
    }
    app = Starlette(routes=[Route("/", lambda request: JSONResponse(root)), Route("/find", search)])
    assert titles(harvested(app, tmp_path)) == WANTED


def test_templates_at_the_root_say_what_is_listed(tmp_path: Path) -> None:
    """If no template takes words, the list is read, from page 0 on."""
    root = {"_links": {"books": {"href": "/books{?page,size,sort}", "templated": True}}}
    app = Starlette(
        routes=[Route("/", lambda request: JSONResponse(root)), Route("/books", with_next)]
    )
    harvest = harvested(app, tmp_path)
    assert titles(harvest) == WANTED
    assert harvest.certificate.outcome == "complete"


def test_descriptions_in_yaml_are_read() -> None:
    """YAML is read like JSON, also with numbers for statuses."""
    text = """
openapi: 3.0.0
servers: [{url: "https://elsewhere.example/api"}]
paths:
  /search:
    get:
      parameters:
        - {name: q, in: query, required: true, schema: {type: string}}
        - {name: page, in: query, schema: {type: integer, minimum: 0}}
      responses:
        200: {content: {application/json: {schema: {type: array, items: {type: object}}}}}
"""
    answer = Came(url="https://x.example/openapi.yaml", status=200, body=text.encode())
    description = read_description(answer)
    assert description is not None
    [found] = operations_in(description, answer.url)
    ask = found.ask()
    assert ask is not None
    # The server's own name may be known only to itself.
    assert ask.url == "https://x.example/api/search?q={query}&page=0"


def test_what_needs_a_value_that_nobody_knows_is_not_asked() -> None:
    """An operation that needs a user's id cannot be requested without it."""
    given = described("/books", [parameter("user", required=True), parameter("q")], LIST)
    [found] = operations_in(given, "https://x.example/openapi.json")
    assert not found.is_usable
    assert found.ask() is None


def test_a_header_names_the_description() -> None:
    """A `Link` header with rel=service-desc is used like a link on the page."""
    answer = Came(
        url="https://x.example/v1/",
        status=200,
        headers=(("link", '<spec.json>; rel="service-desc"; type="application/json"'),),
        body=b"{}",
    )
    assert descriptions_in(answer) == ["https://x.example/v1/spec.json"]


@pytest.mark.parametrize(
    ("template", "url"),
    [
        ("/search?q={query}{&page,per_page}", "https://x.example/search?q={query}"),
        ("/s{?keyword,offset,limit}", "https://x.example/s?keyword={query}"),
        ("/s{?searchTerms*}", "https://x.example/s?searchTerms={query}"),
        ("https://x.example/a?find={words}", "https://x.example/a?find={query}"),
    ],
)
def test_templates_become_addresses(template: str, url: str) -> None:
    """Expressions for words, sizes and offsets are distinguished by their names."""
    [found] = templates_in({"search_url": template}, "https://x.example/")
    ask = found.ask()
    assert ask is not None
    assert ask.url == url


@pytest.mark.parametrize(
    "template", ["/users/{id}/books{?q}", "https://other.example/s{?q}", "/a/{b}"]
)
def test_templates_that_need_more_than_words_are_left_out(template: str) -> None:
    """A template with an unknown path segment, or another host, is not used."""
    assert not list(templates_in({"a": template}, "https://x.example/"))


@pytest.mark.slow
def test_what_fastapi_serves_is_asked(tmp_path: Path) -> None:
    """A real server's own description leads to all its documents."""
    fastapi = pytest.importorskip("fastapi")
    app = fastapi.FastAPI()

    @app.get("/v1/lookup")
    def lookup(text: str, limit: int = fastapi.Query(10, le=20), offset: int = 0) -> dict[str, Any]:
        found = matching(text)
        return {"results": [row(d) for d in found[offset : offset + limit]], "count": len(found)}

    harvest = harvested(app, tmp_path)
    assert titles(harvest) == WANTED
    assert (
        json.loads((tmp_path / "harvest" / "certificate.json").read_text())["outcome"] == "complete"
    )


SEARCHED = {
    "swagger": "2.0",
    "basePath": "/v2",
    "paths": {
        "/books/search": {
            "post": {
                "parameters": [
                    {"in": "body", "name": "asked", "schema": {"$ref": "#/definitions/Asked"}}
                ],
                "responses": {"200": {"schema": {"type": "array", "items": BOOK}}},
            }
        },
        "/books/{id}": {"get": {"responses": {"200": {"schema": BOOK}}}},
    },
    "definitions": {
        "Asked": {
            "type": "object",
            "properties": {
                "search_for": {"type": "string"},
                "offset": {"type": "integer"},
                "limit": {"type": "integer"},
                "page": {"type": "integer"},
                "page_size": {"type": "integer"},
            },
        }
    },
}


async def posted(request: Request) -> Response:
    """Search by an object in JSON, for 20 titles at most; two ways to count are refused."""
    asked = json.loads(await request.body())
    start, size = asked.get("offset", 0), asked.get("limit", 10)
    if size > 20 or "page" in asked or not asked.get("search_for"):
        return JSONResponse({"message": "no such request"}, status_code=422)
    found = matching(asked["search_for"])[start : start + size]
    return JSONResponse([{"id": d.key, "title": d.title} for d in found])


def book(request: Request) -> Response:
    """A document's own record."""
    key = request.path_params["key"]
    return JSONResponse(next(row(d) for d in DOCUMENTS if d.key == key))


@pytest.mark.slow
@pytest.mark.parametrize("is_allowed", [True, False])
def test_a_search_by_post_is_used_if_allowed(tmp_path: Path, *, is_allowed: bool) -> None:
    """Its page size is learnt, as too many rows are refused; without leave, it is named."""
    page = '<html lang=en><p>An API: <a href="/swagger.json">its description</a>.</p>'
    routes = [
        Route("/", lambda _: HTMLResponse(page)),
        Route("/swagger.json", lambda _: JSONResponse(SEARCHED)),
        Route("/v2/books/search", posted, methods=["POST"]),
        Route("/v2/books/{key}", book),
    ]
    with running_site(Starlette(routes=routes)) as url:
        options: dict[str, Any] = {"allow_private": True, "rate": 1000, "post": is_allowed}
        if not is_allowed:
            with pytest.raises(InputError, match=r"books/search.* is sent by POST"):
                longline.harvest(url, tmp_path / "got", **options)
            return
        harvest = longline.harvest(url, tmp_path / "got", max_requests=600, **options)
    assert len(titles(harvest)) >= 0.95 * SIZE
    assert share_of_text(harvest) > 0.95


def found(request: Request) -> Response:
    """Show the hits of a form."""
    rows = "".join(
        f'<li><a href="/v2/books/{d.key}.html">{d.title}</a>'
        for d in matching(request.query_params.get("q", ""))
    )
    return HTMLResponse(f"<html lang=en><ol>{rows}</ol>")


@pytest.mark.slow
def test_a_form_is_used_beside_a_search_by_post(tmp_path: Path) -> None:
    """The description of the site's interface names a search that is not sent."""
    form = "<form action=/s><input name=q><button>Search</button></form>"
    page = f'<html lang=en>{form}<p><a href="/swagger.json">API description</a>.</p>'
    pages = {d.key: HTMLResponse(as_page(d)) for d in DOCUMENTS}
    routes = [
        Route("/", lambda _: HTMLResponse(page)),
        Route("/swagger.json", lambda _: JSONResponse(SEARCHED)),
        Route("/s", found),
        Route("/v2/books/{key}.html", lambda request: pages[request.path_params["key"]]),
    ]
    assert len(titles(harvested(Starlette(routes=routes), tmp_path))) >= 0.95 * SIZE


def counted_from_one(request: Request) -> Response:
    """Search for words of a French name; rows are counted from 1, and row 0 is refused."""
    typed, start = request.query_params.get("motsCles", ""), number(request, "start", 1)
    if start < 1 or not typed:
        return JSONResponse({"message": "start must be 1 or more"}, status_code=400)
    found = matching(typed)
    rows = [row(d) for d in found[start - 1 : start + 9]]
    return JSONResponse({"trouves": rows, "total": len(found)})


@pytest.mark.slow
def test_rows_may_be_counted_from_one_and_words_named_in_french(tmp_path: Path) -> None:
    """The description gives no minimum; the first page shows that row 0 is none."""
    asked = [parameter("motsCles", required=True), parameter("start", "integer")]
    schema = {"type": "object", "properties": {"trouves": LIST, "total": {"type": "integer"}}}
    routes = [
        Route("/openapi.json", lambda _: JSONResponse(described("/livres", asked, schema))),
        Route("/livres", counted_from_one),
    ]
    harvest = harvested(Starlette(routes=routes), tmp_path, "/openapi.json")
    assert len(titles(harvest)) >= 0.95 * SIZE
    assert harvest.certificate.outcome == "complete"


def register(request: Request) -> Response:
    """List rows, or facilities, or the description at the root, as PostgREST does."""
    start = number(request, "offset", 0)
    rows = [row(d) for d in DOCUMENTS] if request.url.path == "/reports" else [{"name": "North"}]
    return JSONResponse(rows[start : start + min(number(request, "limit", 5), 15)])


def test_a_description_that_names_its_own_address_is_no_list(tmp_path: Path) -> None:
    """Its parameters are no documents, and it is not left out as another list."""
    paged = [{"$ref": "#/parameters/offset"}, {"$ref": "#/parameters/limit"}]
    schema = {"type": "array", "items": BOOK}
    paths = {
        path: {"get": {"parameters": paged, "responses": {"200": {"schema": schema}}}}
        for path in ("/reports", "/facilities")
    }
    itself = {"/": {"get": {"responses": {"200": {"description": "This description"}}}}}
    parameters = {
        name: {"name": name, "in": "query", "type": "integer"} for name in ("offset", "limit")
    }
    description = {"swagger": "2.0", "basePath": "/", "paths": itself | paths}
    routes = [
        Route("/", lambda _: JSONResponse(description | {"parameters": parameters})),
        *(Route(path, register) for path in paths),
    ]
    harvest = harvested(Starlette(routes=routes), tmp_path)
    assert titles(harvest) == WANTED
    assert not any(each.endswith("/") for each in harvest.certificate.left_out)


def by_text(request: Request) -> Response:
    """Find rows by words of their text, and go on by a cursor that comes on the last page, too."""
    if not request.query_params.get("key"):
        return JSONResponse({"message": "A key is needed"}, status_code=401)
    found = matching(request.query_params.get("f.about"))
    start = int(request.query_params.get("cursor") or "0")
    rows = [row(each) for each in found[start : start + 10]]
    return JSONResponse({"found": len(found), "rows": rows, "cursor": str(start + len(rows))})


def test_an_example_below_links_into_the_page_itself_is_tried(tmp_path: Path) -> None:
    """Its words are those that the rows hold: no name of a parameter tells them."""
    links = "".join(f'<a href="#{part}">{part}</a> ' for part in ("help", "key", "use", "end"))
    page = (
        f'<html lang=en><a href="/">Home</a> {links}<p>This API gives JSON.</p>'
        '<a href="/api/rows?f.about=return&amp;key=public1">An example</a>'
    )
    routes = [Route("/", lambda _: HTMLResponse(page)), Route("/api/rows", by_text)]
    harvest = harvested(Starlette(routes=routes), tmp_path)
    assert titles(harvest) == WANTED


def test_more_rows_are_asked_for_by_the_number_that_the_address_sends(tmp_path: Path) -> None:
    """The list has no pages and no total; `pick` tells how many rows come, 10 in the address."""

    def news(request: Request) -> Response:
        most = min(number(request, "pick", 5), 100)
        return JSONResponse({"feed": {"entry": [row(each) for each in DOCUMENTS[:most]]}})

    app = Starlette(routes=[Route("/news", news)])
    harvest = harvested(app, tmp_path, "/news?dept=7&pick=10&format=json")
    assert titles(harvest) == WANTED
    assert harvest.certificate.outcome == "partial"


def test_a_list_of_the_newest_is_read_by_dates(tmp_path: Path) -> None:
    """It has no pages, no total and no words, and never more than 10 rows."""
    days = {d.key: f"20{10 + n % 9}-0{n % 7 + 1}-1{n % 9}" for n, d in enumerate(DOCUMENTS)}
    newest = sorted(DOCUMENTS, key=lambda each: days[each.key], reverse=True)

    def news(request: Request) -> Response:
        sent = request.query_params
        low, high = sent.get("publishedAfter", ""), sent.get("publishedBefore", "9")
        found = [d for d in newest if low <= days[d.key] <= high][:10]
        return JSONResponse({"news": [row(d) | {"published": days[d.key]} for d in found]})

    app = Starlette(routes=[Route("/news", news)])
    harvest = harvested(app, tmp_path, "/news?publishedAfter=2001-01-01&size=10")
    assert titles(harvest) == WANTED
    assert harvest.certificate.result_pages <= 30


@pytest.mark.parametrize("is_allowed", [True, False])
def test_an_example_for_curl_posts_a_search(tmp_path: Path, *, is_allowed: bool) -> None:
    """Its page is all that tells of the search, whose further pages need a mark of the last."""

    async def search(request: Request) -> Response:
        sent = await request.json()
        found, start = matching(sent["query"]), int(sent["offsetMark"].replace("*", "0"))
        shown = found[start : start + int(sent["pageSize"])]
        rows = [row(each) for each in shown]
        mark = str(start + len(rows))
        return JSONResponse({"results": rows, "offsetMark": mark, "count": len(found)})

    body = '{"query": "energy", "pageSize": "10", "offsetMark": "*", "sorts": [{"field": "date"}]}'
    command = f"curl -X POST \"URL/search\" \\\n -H 'Content-Type: application/json' -d '{body}'"

    def docs(request: Request) -> Response:
        said = command.replace("URL", f"http://{request.headers['host']}")
        return HTMLResponse(f"<html lang=en><h1>The API</h1><p>Ask in JSON:<pre>{said}</pre>")

    routes = [Route("/", docs), Route("/search", search, methods=["POST"])]
    with running_site(Starlette(routes=routes)) as url:
        if is_allowed:
            folder = tmp_path / "harvest"
            assert titles(longline.harvest(url, folder, allow_private=True, post=True)) == WANTED
        else:
            with pytest.raises(InputError, match="is sent by POST"):
                longline.harvest(url, tmp_path / "harvest", allow_private=True)


def test_an_example_names_field_and_mode_before_its_word(tmp_path: Path) -> None:
    """As in Primo: a query without them is refused."""

    def find(request: Request) -> Response:
        named, _, sought = request.query_params["query"].rpartition("contains,")
        if named != "any,":
            return JSONResponse({"error": "the parameter query is broken"}, status_code=400)
        start, size = number(request, "offset", 0), min(number(request, "limit", 5), 20)
        rows = [row(each) for each in matching(sought)]
        return JSONResponse({"docs": rows[start : start + size], "total": len(rows)})

    example = "/find?query=any,contains,return&amp;offset=0&amp;limit=10"
    page = f"<html lang=en><h1>The API</h1><p>An example:<pre>GET {example}</pre>"
    routes = [Route("/", lambda _: HTMLResponse(page)), Route("/find", find)]
    assert titles(harvested(Starlette(routes=routes), tmp_path)) == WANTED


def test_a_root_gives_an_example_and_the_address_of_a_document(tmp_path: Path) -> None:
    """Its list of addresses is no list of documents, and words of two letters are refused."""

    def root(request: Request) -> Response:
        searched = {
            "path": "/v1/find",
            "params": ["q", "size"],
            "example": "/v1/find?q=copper&size=10",
        }
        one = {"path": "/v1/get", "example": f"/v1/get?text_id={DOCUMENTS[0].key}"}
        return JSONResponse({"service": "stories", "status": "UP", "endpoints": [searched, one]})

    def find(request: Request) -> Response:
        sought = [word for word in request.query_params["q"].split() if len(word) > 2]
        if not sought:
            return JSONResponse({"error": "use words of at least 3 letters"}, status_code=422)
        start, size = number(request, "from", 0), min(number(request, "size", 5), 20)
        found = matching(" ".join(sought))
        rows = [{"id": d.key, "title": d.title} for d in found[start : start + size]]
        return JSONResponse({"stories": rows, "total": len(found)})

    def get(request: Request) -> Response:
        held = next(d for d in DOCUMENTS if d.key == request.query_params["text_id"])
        return JSONResponse(row(held))

    routes = [Route("/", root), Route("/v1/find", find), Route("/v1/get", get)]
    harvest = harvested(Starlette(routes=routes), tmp_path)
    assert titles(harvest) == WANTED
    assert share_of_text(harvest) == 1
    assert not harvest.certificate.cuts.get("failed")


def test_a_template_is_asked_with_the_key_of_the_example_for_curl(tmp_path: Path) -> None:
    """The words are a part of the path, and the page's own key opens the interface."""

    def find(request: Request) -> Response:
        if request.headers.get("authorization") != "Bearer ro_1":
            return JSONResponse({"error": "a token is needed"}, status_code=401)
        found = matching(request.path_params["words"])
        start = number(request, "token", 0)
        rows = [row(each) for each in found[start : start + 20]]
        after = f"{request.url.path}?token={start + 20}" if found[start + 20 :] else None
        return JSONResponse({"rows": rows, "total": len(found), "next": after})

    page = (
        "<html lang=en><h1>Search papers</h1><p>GET <code>/papers/search/{query}</code></p>"
        "<pre>curl --url '/papers/search/sea?limit=20' --header 'authorization: Bearer ro_1'</pre>"
    )
    routes = [Route("/", lambda _: HTMLResponse(page)), Route("/papers/search/{words}", find)]
    assert titles(harvested(Starlette(routes=routes), tmp_path)) == WANTED


@pytest.mark.parametrize("body", ['{"rows": [', "", f'["{"x" * 6_100_000}"]'], ids=len)
def test_an_example_that_cannot_be_read_does_not_end_the_others(body: str) -> None:
    """Its answer is broken, empty, or too long."""
    examples = "<code>GET /broken?f.about=return</code> <code>GET /find?f.about=return</code>"
    rows = [row(each) for each in matching("return")]
    routes = [
        Route("/", lambda _: HTMLResponse(f"<h1>The API</h1><p>{examples}")),
        Route("/broken", lambda _: Response(body, media_type="application/json")),
        Route("/find", lambda _: JSONResponse(rows)),
    ]
    with finder_of(Starlette(routes=routes)) as finder:
        assert [way.ask.url.partition("/find")[2] for way in finder.ways] == ["?f.about={query}"]
