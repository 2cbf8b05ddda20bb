"""Interfaces that describe themselves, lists in custom formats, and links that change."""

import html
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import harvested
from tests.discovery.test_odd_answers import DOC, FRONT, TEXTS, Answer, come_once
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, number, page, part, words
from tests.webs import needs_browser

from longline.discovery.answer import show
from longline.discovery.reading import boxes
from longline.model import Request as Asked
from longline.model import Response as Came
from longline.text.numbers import counted


def with_any_path(request: Request) -> Response:
    """A path that may be empty, a list that may be null, and one of many filters takes words."""
    text = {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}
    names = ("filter[key][condition][text]", "filter[fulltext][condition][text]")
    sent = [{"name": "path", "in": "path", "required": True}]
    sent += [{"name": name, "in": "query", "schema": text} for name in names]
    sent += [
        {"name": f"page[{name}]", "in": "query", "schema": {"type": "integer"}}
        for name in ("offset", "limit")
    ]
    rows = {"type": "array", "items": {"type": "object"}}
    schema = {"type": "object", "properties": {"data": {"anyOf": [rows, {"type": "null"}]}}}
    answer = {"200": {"content": {"application/json": {"schema": schema}}}}
    paths = {
        "/settings": {"get": {"summary": "Settings"}},
        "/v1/search/{path}": {"get": {"parameters": sent, "responses": answer}},
    }
    return JSONResponse({"openapi": "3.1.0", "paths": paths})


def filtered(request: Request) -> Response:
    """Rows below `data`, with links to their pages."""
    typed = request.query_params.get("filter[fulltext][condition][text]", "")
    found = words(typed) if typed else TEXTS
    start, size = number(request, "page[offset]", 0), min(number(request, "page[limit]", 20), 50)
    rows = [
        {"id": f"k-{d.key}", "attributes": {"metadata": {"title": d.title, "abstract": d.text}}}
        for d in found[start : start + size]
    ]
    return JSONResponse({"data": rows, "meta": {"count": len(found)}})


def with_own_headers(request: Request) -> Response:
    """A standard header is declared as required, and a list takes no words."""
    sent = [
        {"name": "Content-Type", "in": "header", "type": "string", "required": True},
        {"name": "page[offset]", "in": "query", "type": "integer", "default": 0},
        {"name": "page[limit]", "in": "query", "type": "integer", "maximum": 50},
    ]
    paths = {"/rows/": {"get": {"summary": "Rows", "parameters": sent}}}
    return JSONResponse({"swagger": "2.0", "basePath": "/api", "paths": paths})


def short_of_links(request: Request) -> Response:
    """The last page but one has no next link."""
    start, size = number(request, "page[offset]", 0), min(number(request, "page[limit]", 10), 50)
    rows = [{"id": d.key, "name": d.title, "about": d.text} for d in TEXTS[start : start + size]]
    onward = f"/api/rows/?page[offset]={start + size}&page[limit]={size}"
    links = {"next": onward} if start + 2 * size < SIZE else {}
    return JSONResponse({"data": rows, "links": links, "meta": {"total": SIZE}})


def by_number(request: Request) -> Response:
    """An object of rows by number, with other content; "os" is the offset."""
    start = number(request, "os", 0)
    rows: dict[str, object] = {
        f"D{d.key}": {"id": d.key, "display": {"title": d.title}, "body": d.text}
        for d in TEXTS[start : start + 10]
    }
    rows["facets"] = {"kind": {"news": SIZE}}
    return JSONResponse({"rows": 10, "os": start, "total": SIZE, "documents": rows})


def written(request: Request) -> Response:
    """The documentation has a URL template with a placeholder in the path."""
    said = "<code>GET /api/search/{search_query}</code> <code>GET /api/maps/{map_id}</code>"
    return HTMLResponse(f"<h1>API</h1><p>Answers in JSON.</p><p>{said}</p>")


def in_the_path(request: Request) -> Response:
    """Rows without their texts."""
    found, at = words(request.path_params["words"]), number(request, "page")
    rows = [{"id": d.key, "name": d.title} for d in found[20 * at - 20 : 20 * at]]
    return JSONResponse({"total": len(found), "page": at, "results": rows})


def one_map(request: Request) -> Response:
    """A row with its text."""
    d = DOCUMENTS[request.path_params["key"]]
    return JSONResponse({"id": d.key, "name": d.title, "about": d.text})


def with_its_place(request: Request) -> Response:
    """Links contain the offset of their page, under an unusual name."""
    typed, at = request.query_params.get("term", ""), number(request, "o", 0)
    found = part(words(typed), at)
    rows = "".join(
        f'<li><a href="/doc/{d.key}?term={quote(typed)}&amp;i={at}">{html.escape(d.title)}</a>'
        for d in found.rows
    )
    onward = f'<a href="/s?term={quote(typed)}&amp;o={at + 10}">Next</a>' if found.more else ""
    said = f"<p>{counted(found.total, 'result')}</p><ul>{rows}</ul>{onward}"
    return page(said if rows else "<p>Nothing matches.</p>")


def metadata(request: Request) -> Response:
    """SRU records without the searched texts, but with links to them."""
    query = re.sub(r'"| and ', " ", request.query_params.get("query", ""))
    found = words(query)
    start, size = number(request, "startRecord") - 1, number(request, "maximumRecords", 10)
    rows = "".join(
        f"<record><recordData><dc><identifier>urn:{d.key}</identifier>"
        f"<title>{html.escape(d.title)}</title><place>{request.base_url}doc/{d.key}</place>"
        "</dc></recordData></record>"
        for d in found[start : start + min(size, 50)]
    )
    head = '<?xml version="1.0"?><searchRetrieveResponse><version>1.2</version>'
    said = f"<numberOfRecords>{len(found)}</numberOfRecords><records>{rows}</records>"
    return Response(f"{head}{said}</searchRetrieveResponse>", media_type="application/xml")


SITES: dict[Answer, tuple[list[Route], str]] = {
    filtered: (
        [
            Route("/openapi.json", with_any_path),
            Route("/settings", lambda _: JSONResponse([{"name": "A"}, {"name": "B"}])),
            Route("/v1/search/", filtered),
        ],
        "/openapi.json",
    ),
    short_of_links: (
        [Route("/api/swagger.json", with_own_headers), Route("/api/rows/", short_of_links)],
        "/api/swagger.json",
    ),
    by_number: ([Route("/api/wds", by_number)], "/api/wds"),
    in_the_path: (
        [
            Route("/", written),
            Route("/api/search/{words}", in_the_path),
            Route("/api/maps/{key}", one_map),
        ],
        "/",
    ),
    with_its_place: ([FRONT, Route("/s", with_its_place), DOC], "/"),
    metadata: ([Route("/sru", metadata), DOC], "/sru?operation=searchRetrieve&query=value"),
}


@pytest.mark.slow
@pytest.mark.parametrize("answer", SITES, ids=lambda answer: answer.__name__)
def test_documents_come_once_with_their_texts(answer: Answer, tmp_path: Path) -> None:
    """Nearly all are held, none twice, in any of these ways."""
    routes, start = SITES[answer]
    _, documents = harvested(routes, start, tmp_path)
    come_once(documents)


def mailbox(request: Request) -> Response:
    """The page is only sent to requests for HTML; others get an error."""
    if "text/html" not in request.headers.get("accept", ""):
        return JSONResponse({"error": "not found"}, 404)
    return HTMLResponse(
        "<html lang=en><title>Mail</title><div class='border credit'>"
        '<input placeholder="Search emails..."></div><ul></ul><script>'
        "const list = document.querySelector('ul');"
        "document.querySelector('input').oninput = async (e) => {"
        "  const found = await (await fetch('/api/mail?search='"
        "    + encodeURIComponent(e.target.value))).json();"
        "  list.innerHTML = found.rows.map((row) => `<li>${row.subject}</li>`).join('');"
        "};</script>"
    )


def mail(request: Request) -> Response:
    """Rows of a mailbox, with the texts."""
    start = number(request, "skip", 0)
    found = part(words(request.query_params.get("search", "")), start, 25)
    rows = [{"id": d.key, "subject": d.title, "text": d.text} for d in found.rows]
    return JSONResponse({"total": found.total, "skip": start, "limit": 25, "rows": rows})


@pytest.mark.slow
@needs_browser
def test_a_page_that_only_browsers_get_is_shown_in_one(tmp_path: Path) -> None:
    """A page that refuses a plain request is opened as a browser requests it."""
    routes = [Route("/", mailbox), Route("/api/mail", mail)]
    _, documents = harvested(routes, "/", tmp_path)
    come_once(documents)


def test_what_is_searched_is_no_other_form() -> None:
    """A box "Search emails" is found, though a class name contains parts of "order" and "edit"."""
    body = b"<div class='border credit'><input placeholder='Search emails'><button>Go</button>"
    came = Came(url="https://x.example/", status=200, body=body)
    [box] = boxes(show("", Asked(came.url), came))
    assert box.score > 0


def test_an_empty_place_for_a_script_is_no_line_of_a_page() -> None:
    """An additional empty element does not count as words of a page."""
    bodies = b"<p>Search the library", b"<p>Search the library</p><div id=root></div>"
    pages = [
        show("", Asked(url), Came(url=url, status=200, body=body))
        for url, body in zip(("https://x.example/", "https://x.example/s"), bodies, strict=True)
    ]
    assert pages[1].beyond([pages[0]]) == set()


def test_a_box_is_not_known_by_the_state_that_a_script_gives_it() -> None:
    """AngularJS's class "pristine", which changes on typing, is not part of the selector."""
    body = b"<form><input class='ng-pristine ng-valid' name=keyword placeholder=Search></form>"
    came = Came(url="https://x.example/", status=200, body=body)
    [box] = boxes(show("", Asked(came.url), came))
    assert box.selector == 'css:input[name="keyword"]'
