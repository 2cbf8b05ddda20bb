"""Interfaces to databases: tables named by a list, documents with more than their rows."""

import html
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.test_frames import around_words, told
from tests.discovery.test_further_kinds import harvested
from tests.discovery.test_odd_answers import TEXTS, Answer, come_once
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, number, part, words


def refused(request: Request, *known: str) -> Response | None:
    """Refuse unknown parameters, as strict interfaces do."""
    strange = set(request.query_params) - set(known)
    return JSONResponse({"error": f"unknown: {strange}"}, 400) if strange else None


def tables(request: Request) -> Response:
    """A list of names: the texts are in one of the tables."""
    return refused(request) or JSONResponse({"data": [{"name": n} for n in ("desks", "stories")]})


def rows_of_tables(request: Request) -> Response:
    """Rows of a table; the next link lacks the first part of its path."""
    if (wrong := refused(request, "_page")) is not None:
        return wrong
    if request.path_params["name"] == "desks":
        return JSONResponse({"data": [{"id": n, "name": f"desk {n}"} for n in (1, 2)], "total": 2})
    at = number(request, "_page")
    found = part(TEXTS, 10 * (at - 1))
    rows = [{"id": int(d.key), "headline": d.title, "body": d.text} for d in found.rows]
    onward = f"/tables/stories/rows?_limit=10&_page={at + 1}" if found.more else None
    return JSONResponse({"data": rows, "total": SIZE, "next": onward})


def names_of_tables(request: Request) -> Response:
    """A bare list of names."""
    return refused(request) or JSONResponse(["Speeches"])


def cells_in_xml(request: Request) -> Response:
    """Rows of cells from page 0 on; one cell is an XML document."""
    at = number(request, "page", 0)
    found = part(TEXTS, 10 * at)

    def cell(text: str) -> str:
        safe = text.replace("&", "&amp;").replace("<", "&lt;")
        return f'<v:doc xmlns:v="http://v.example/2"><v:p>{safe}</v:p></v:doc>'

    rows = [[d.key, cell(f"{d.title}\n{d.text}"), "5"] for d in found.rows]
    names = ["Id", "XmlData", "Status"]
    said = {"page": at, "perPage": 10, "hasMore": found.more}
    return JSONResponse(said | {"columnNames": names, "rowData": rows})


def products(request: Request) -> Response:
    """Rows with a short description, and the URL of an item with the complete one."""
    at = number(request, "page")
    found = part(TEXTS, 30 * (at - 1), 30)
    rows = [
        {"@id": f"/shop/products/p-{d.key}", "name": d.title, "shortDescription": d.text[:110]}
        for d in found.rows
    ]
    view = {"hydra:next": f"/shop/products?page={at + 1}"} if found.more else {}
    said: dict[str, Any] = {"hydra:member": rows, "hydra:totalItems": SIZE, "hydra:view": view}
    return JSONResponse(said)


def product(request: Request) -> Response:
    """An item."""
    d = DOCUMENTS[request.path_params["key"].removeprefix("p-")]
    said = {"@id": request.url.path, "name": d.title, "shortDescription": d.text[:110]}
    return JSONResponse(said | {"description": d.text})


def objects(request: Request) -> Response:
    """A search whose rows have two identifiers, and no text."""
    if (wrong := refused(request, "q", "page")) is not None:
        return wrong
    found = part(words(request.query_params.get("q", "")), 15 * (number(request, "page") - 1), 15)
    rows = [
        {"accessionNumber": f"E.{int(d.key) % 9}-{d.key}", "systemNumber": f"O{d.key}"}
        | {"_primaryTitle": d.title, "objectType": ("Print", "Bowl")[int(d.key) % 2]}
        for d in found.rows
    ]
    info = {"record_count": found.total, "page": number(request, "page"), "page_size": 15}
    return JSONResponse({"info": info, "records": rows})


def an_object(request: Request) -> Response:
    """An object, by its second identifier."""
    d = DOCUMENTS.get(request.path_params["key"].removeprefix("O"))
    if d is None or not request.path_params["key"].startswith("O"):
        return JSONResponse({"error": "not found"}, 404)
    return JSONResponse({"record": {"titles": [d.title], "description": f"<p>{d.text}</p>"}})


def items(request: Request) -> Response:
    """A list of URLs only, whose next page is an object; words are not accepted."""
    if (wrong := refused(request, "token")) is not None:
        return wrong
    at = number(request, "token", 0)
    base = str(request.base_url)
    rows = [{"id": f"{base}{d.key}", "type": "Made"} for d in TEXTS[at : at + 40]]
    onward = {"next": {"id": f"{base}search?token={at + 40}"}} if at + 40 < SIZE else {}
    return JSONResponse({"partOf": {"totalItems": SIZE}, "orderedItems": rows} | onward)


def item(request: Request) -> Response:
    """The object, with its text deeply nested."""
    d = DOCUMENTS.get(request.path_params["key"])
    if d is None:
        return JSONResponse({"error": "not found"}, 404)
    about = {"subject_of": [{"part": [{"type": "Essay", "content": d.text}]}]}
    return JSONResponse({"id": str(request.url), "names": [{"content": d.title}]} | about)


def changes(request: Request) -> Response:
    """A feed of changes: identifiers and dates, and the next page."""
    if (wrong := refused(request, "offset")) is not None:
        return wrong
    at = number(request, "offset", 0)
    rows = [{"id": f"x{d.key}", "changed": f"2024-05-{n % 28 + 1:02}"} for n, d in enumerate(TEXTS)]
    path = f"/feed/acts?offset={at + 40}"
    onward = {"offset": at + 40, "path": path, "uri": f"{request.base_url}{path[1:]}"}
    return JSONResponse({"data": rows[at : at + 40], "next_page": onward})


def changed(request: Request) -> Response:
    """An act."""
    d = DOCUMENTS.get(request.path_params["key"].removeprefix("x"))
    if d is None:
        return JSONResponse({"error": "not found"}, 404)
    return JSONResponse({"data": {"id": f"x{d.key}", "title": d.title, "description": d.text}})


def passages(request: Request) -> Response:
    """A search that shows the surroundings of the words; the key has an unusual name."""
    if (wrong := refused(request, "q", "page")) is not None:
        return wrong
    typed, at = request.query_params.get("q", ""), number(request, "page")
    found = part(words(typed), 12 * (at - 1), 12)
    rows = [
        {"viit": f"2024{d.key}", "pealkiri": d.title, "algus": around_words(d.text, typed)}
        for d in found.rows
    ]
    return JSONResponse({"kirjed": rows, "kokku": found.total, "page": at})


def speech(request: Request) -> Response:
    """The text of one speech."""
    d = DOCUMENTS.get(request.path_params["key"].removeprefix("2024"))
    if d is None or not request.path_params["key"].startswith("2024"):
        return JSONResponse({"error": "not found"}, 404)
    return JSONResponse({"pealkiri": d.title, "tekst": d.text})


def offers(request: Request) -> Response:
    """Rows with a title, and the URL of a page."""
    if (wrong := refused(request, "q", "page")) is not None:
        return wrong
    at = number(request, "page")
    found = part(words(request.query_params.get("q", "")), 20 * (at - 1), 20)
    rows = [{"slug": f"{d.key}-x", "name": d.title, "path": f"/o/{d.key}-x"} for d in found.rows]
    return JSONResponse({"data": rows, "total": found.total, "page": at})


def an_offer(request: Request) -> Response:
    """A page with a title, whose script requests the rest: its parts, in nested lists."""
    key, _, kind = request.path_params["key"].partition("-x")
    d = DOCUMENTS.get(key)
    if d is None:
        return JSONResponse({"error": "not found"}, 404)
    if kind == ".json":
        parts = [{"parts": [{"text": line}]} for line in d.text.split("\n") if line.strip()]
        return JSONResponse({"name": d.title, "body": {"content": parts}})
    return HTMLResponse(
        f'<main data-offer-url-value="/o/{d.key}-x.json"><h1>{html.escape(d.title)}</h1></main>'
    )


def beginning(request: Request) -> Response:
    """The first thirty, and the total."""
    rows = [{"id": int(d.key), "headline": d.title, "body": d.text} for d in TEXTS[:30]]
    return refused(request) or JSONResponse(rows, headers={"X-Total-Count": str(SIZE)})


def sitemap(request: Request) -> Response:
    """The URLs of all documents."""
    urls = "".join(f"<url><loc>{request.base_url}doc/{d.key}</loc></url>" for d in TEXTS)
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return Response(f'<urlset xmlns="{space}">{urls}</urlset>', media_type="application/xml")


def records(request: Request) -> Response:
    """Ten records from a start number, counted from 1; `search=all` lists all of them."""
    first, is_all = number(request, "startfrom"), request.query_params.get("search") == "all"
    shown = TEXTS[first - 1 : first + 9] if is_all else []
    rows = "".join(
        f'<record ref="{d.key}"><ref>{d.key}</ref><headline>{html.escape(d.title)}</headline>'
        f"<description>{html.escape(d.text)}</description></record>"
        for d in shown
    )
    said = f"<hits>{SIZE if is_all else 0}</hits><first>{first}</first>"
    body = f"<answer><list>{rows}</list><diagnostic>{said}</diagnostic></answer>"
    return Response(body, media_type="text/xml")


def test_records_that_are_counted_from_one_come_whole(tmp_path: Path) -> None:
    """A URL that requests everything is a list, and its second page begins at the eleventh."""
    certificate, documents = harvested([Route("/opac", records)], "/opac?search=all", tmp_path)
    assert (certificate.outcome, certificate.size) == ("complete", SIZE)
    come_once(documents)
    assert certificate.result_pages <= SIZE // 10 + 2


def test_what_a_list_keeps_back_is_missing(tmp_path: Path) -> None:
    """A list whose further rows cannot be reached is saved, and the missing ones are counted."""
    certificate, documents = harvested([Route("/rows", beginning)], "/rows", tmp_path)
    assert (certificate.outcome, certificate.cause) == ("partial", "cut")
    assert (len(documents), certificate.size) == (30, SIZE)


@pytest.mark.slow
def test_another_list_goes_before_one_that_is_cut(tmp_path: Path) -> None:
    """If the site lists everything elsewhere, that list is read."""
    routes = [Route("/rows", beginning), Route("/sitemap.xml", sitemap), Route("/doc/{key}", told)]
    _, documents = harvested(routes, "/rows", tmp_path)
    come_once(documents)


SITES: dict[Answer, tuple[list[Route], str]] = {
    rows_of_tables: (
        [Route("/api/tables", tables), Route("/api/tables/{name}/rows", rows_of_tables)],
        "/api/tables",
    ),
    cells_in_xml: (
        [Route("/v1/tables/", names_of_tables), Route("/v1/tables/{name}/rows", cells_in_xml)],
        "/v1/tables/",
    ),
    products: (
        [Route("/shop/products", products), Route("/shop/products/{key}", product)],
        "/shop/products",
    ),
    item: ([Route("/search", items), Route("/{key}", item)], "/search"),
    changed: ([Route("/feed/acts", changes), Route("/feed/acts/{key}", changed)], "/feed/acts"),
    speech: ([Route("/steno/search", passages), Route("/steno/{key}", speech)], "/steno/search"),
    an_offer: ([Route("/offers", offers), Route("/o/{key}", an_offer)], "/offers"),
    an_object: (
        [Route("/v2/objects/search", objects), Route("/v2/object/{key}", an_object)],
        "/v2/objects/search",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("answer", SITES, ids=lambda answer: answer.__name__)
def test_documents_come_once_with_their_texts(answer: Answer, tmp_path: Path) -> None:
    """Nearly all are held, none twice, and each with its full text."""
    routes, start = SITES[answer]
    _, documents = harvested(routes, start, tmp_path)
    come_once(documents)
