"""Records of interfaces: texts in lists of objects, odd examples, rows that tell the time."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.offered.kit import (
    DOCUMENTS,
    SIZE,
    WANTED,
    harvested,
    matching,
    share_of_text,
    titles,
)

from longline.model import Document

ALONE = next(word for word in DOCUMENTS[0].text.split() if len(matching(word)) == 1)
"""A word of one document."""


def searching(
    write: Callable[[int, Document], dict[str, Any]], words: str = "query"
) -> Callable[[Request], Response]:
    """Return a search whose rows are written by a function of a number and a document."""
    numbers = {each.key: number for number, each in enumerate(DOCUMENTS)}

    def search(request: Request) -> Response:
        given = request.query_params
        page, size = int(given.get("page", 1)), min(int(given.get("size", 10)), 15)
        found = matching(given.get(words))
        rows = [write(numbers[d.key], d) for d in found[(page - 1) * size : page * size]]
        return JSONResponse({"data": rows, "meta": {"total": len(found)}})

    return search


def in_lists(number: int, document: Document) -> dict[str, Any]:
    """Return a row as DataCite writes it; each tenth has no description."""
    said = [{"lang": "en", "description": document.text, "descriptionType": "Abstract"}]
    inner = {
        "creators": [{"name": f"Writer {number}", "nameType": "Personal"}],
        "titles": [{"lang": "en", "title": document.title}],
        "descriptions": said if number % 10 else [],
        "types": {"general": "Dataset"},
    }
    return {"id": f"10.1/{document.key}", "attributes": inner}


def of_many_shapes(number: int, document: Document) -> dict[str, Any]:
    """Return a row whose texts are plain, or have a language, or are lists of such, as in Elda."""

    def shaped(text: str) -> Any:
        tagged = {"_value": text, "_lang": "es"}
        return (text, tagged, [tagged], [tagged, {"_value": text, "_lang": "en"}])[number % 4]

    return {
        "identifier": f"e-{number}",
        "title": shaped(document.title),
        "description": shaped(document.text),
    }


@pytest.mark.parametrize("write", [in_lists, of_many_shapes])
def test_titles_and_texts_in_lists_of_objects_are_read(
    write: Callable[[int, Document], dict[str, Any]], tmp_path: Path
) -> None:
    """They stand in the rows, so no document has to be requested by itself."""
    app = Starlette(routes=[Route("/rows", searching(write))])
    harvest = harvested(app, tmp_path, "/rows?query=return")
    assert titles(harvest) == WANTED
    assert share_of_text(harvest) > 0.85
    assert not any(document.text.endswith("es") for document in harvest.documents)
    assert harvest.certificate.document_pages == 0


def in_marc(number: int, document: Document) -> str:
    """Return a record in MARC in XML, as Invenio writes it; the title has two parts."""

    def field(tag: str, *parts: tuple[str, str]) -> str:
        inner = "".join(f'<subfield code="{c}">{escape(text)}</subfield>' for c, text in parts)
        return f'<datafield tag="{tag}" ind1=" " ind2=" ">{inner}</datafield>'

    title, _, rest = document.title.partition(" ")
    subjects = [field("650", ("a", f"TOPIC {each}"), ("2", "x")) for each in range(number % 3)]
    return (
        f'<record><controlfield tag="001">{39000 + 7 * number}</controlfield>'
        f'<controlfield tag="005">2024</controlfield>{field("041", ("a", "eng"))}'
        + field("245", ("a", title), *([("b", rest)] if rest else []))
        + f"{field('520', ('a', document.text))}{''.join(subjects)}</record>"
    )


def test_records_in_marc_are_read(tmp_path: Path) -> None:
    """Words stand under `p`, which also is a usual name of a position; that has its own name."""

    def search(request: Request) -> Response:
        given = request.query_params
        first, size = int(given.get("jrec", 1)) - 1, min(int(given.get("rg", 10)), 50)
        rows = [in_marc(DOCUMENTS.index(d), d) for d in matching(given.get("p"))]
        body = "".join(rows[first : first + size])
        return Response(f'<collection xmlns="x:marc">{body}</collection>', media_type="text/xml")

    app = Starlette(routes=[Route("/search", search)])
    harvest = harvested(app, tmp_path, "/search?p=return&of=xm&rg=10&jrec=1")
    assert titles(harvest) == WANTED
    assert share_of_text(harvest) > 0.85
    assert {"245a", "650a"} <= {name for each in harvest.documents for name in each.fields}


def test_the_last_identifier_in_a_next_link_is_no_position(tmp_path: Path) -> None:
    """Identifiers that rise by one each would look like one, ten hits further."""
    numbers = {each.key: 5_060_018_370 + n + 7 * (n // 25) for n, each in enumerate(DOCUMENTS)}

    def search(request: Request) -> Response:
        given = request.query_params
        since, size = int(given.get("sinceId", 0)), min(int(given.get("limit", 10)), 20)
        found = [d for d in matching(given.get("title")) if numbers[d.key] > since]
        rows = [{"id": numbers[d.key], "title": d.title, "note": d.text} for d in found[:size]]
        after = request.url.include_query_params(sinceId=rows[-1]["id"]) if rows else ""
        return JSONResponse({"nextPage": str(after) if len(found) > size else "", "bibs": rows})

    app = Starlette(routes=[Route("/bibs.json", search)])
    harvest = harvested(app, tmp_path, "/bibs.json?title=return&limit=10")
    assert titles(harvest) == WANTED
    assert "sinceId" not in harvest.spec.ask.url


def test_a_value_that_stands_alone_in_each_row_is_that_of_a_filter(tmp_path: Path) -> None:
    """Its letters stand in every row; the word stands in the texts alone, which rows lack."""
    kinds = ("man", "search", "time")
    kind_of = {each.key: kinds[n % len(kinds)] for n, each in enumerate(DOCUMENTS)}

    def search(request: Request) -> Response:
        given, kind = request.query_params, request.query_params.get("kind", "")
        found = [d for d in matching(given.get("ask")) if kind in ("", kind_of[d.key])]
        page = int(given.get("page", 1))
        rows = [
            {"id": d.key, "kind": kind_of[d.key], "title": d.title, "note": f"Human no. {d.key}"}
            for d in found[10 * (page - 1) : 10 * page]
        ]
        return JSONResponse({"total": len(found), "rows": rows})

    word = next(w for w in ("file", "string", "name", "object") if len(matching(w)) > 3)
    app = Starlette(routes=[Route("/list", search)])
    harvest = harvested(app, tmp_path, f"/list?ask={word}&kind=man&page=1")
    assert "ask={query}" in harvest.spec.ask.url
    wanted = {d.title for d in DOCUMENTS if kind_of[d.key] == "man"}
    assert titles(harvest) <= wanted
    assert len(titles(harvest)) >= 0.8 * len(wanted)


def plain(_: int, document: Document) -> dict[str, Any]:
    """Return a plain row."""
    return {"id": document.key, "title": document.title, "body": document.text}


def test_an_example_may_ask_for_a_later_page(tmp_path: Path) -> None:
    """The first page is not left out."""
    example = "/rows?about=return&size=5&page=2"
    page = f"<html lang=en><p>This API gives JSON: <code>GET {example}</code>"
    rows = Route("/rows", searching(plain, "about"))
    app = Starlette(routes=[Route("/", lambda _: HTMLResponse(page)), rows])
    assert titles(harvested(app, tmp_path / "docs")) == WANTED
    assert titles(harvested(app, tmp_path / "url", example)) == WANTED


def chosen(request: Request) -> Response:
    """Return the fields that are asked for, in rows as they come without their texts."""
    body = json.loads(bytes(searching(plain, "lookfor")(request).body))
    names = request.query_params.getlist("field[]") or ["id", "title"]
    body["data"] = [{name: row[name] for name in names} for row in body["data"]]
    return JSONResponse(body)


def test_another_example_may_name_the_field_of_the_texts(tmp_path: Path) -> None:
    """The first one brings titles alone."""
    first = "/find?lookfor=return&amp;page=1"
    other = f"{first}&amp;field[]=id&amp;field[]=title&amp;field[]=body"
    links = "".join(f'<li><a href="{each}">{each}</a>' for each in (first, other))
    page = f"<html lang=en><h1>Interface</h1><p>Search the JSON API: <ul>{links}</ul>"
    routes = [Route("/docs", lambda request: HTMLResponse(page)), Route("/find", chosen)]
    harvest = harvested(Starlette(routes=routes), tmp_path, "/docs")
    assert titles(harvest) == WANTED
    assert share_of_text(harvest) > 0.95


def feed(request: Request) -> Response:
    """Search by "any", and answer with RSS."""
    found = matching(request.query_params["any"]) if "any" in request.query_params else []
    items = "".join(
        f"<item><title><![CDATA[{each.title}]]></title><guid>{each.key}</guid>"
        f"<description><![CDATA[{each.text}]]></description></item>"
        for each in found
    )
    head = f"<title>Books</title><totalResults>{len(found)}</totalResults>"
    body = f'<?xml version="1.0"?><rss version="2.0"><channel>{head}{items}</channel></rss>'
    return Response(body, media_type="application/xml")


@pytest.mark.parametrize("path", ["/docs", f"/rss?any={ALONE}"], ids=["docs", "example"])
def test_a_parameter_may_take_words_though_its_name_and_one_row_do_not_show_it(
    path: str, tmp_path: Path
) -> None:
    """It is the only one of the example."""
    example = f"/rss?any={ALONE}"
    page = f'<html lang=ja><p>API: <a href="{example}">{example}</a> <a href="/">Home</a>'
    routes = [Route("/docs", lambda _: HTMLResponse(page)), Route("/rss", feed)]
    assert len(titles(harvested(Starlette(routes=routes), tmp_path, path))) >= 0.95 * SIZE


def test_rows_with_the_time_of_the_answer_are_no_search(tmp_path: Path) -> None:
    """A service whose rows tell the time heeds no word: its list is read to the end, by links."""
    times = itertools.count()

    def feed(request: Request) -> Response:
        start, now = int(request.query_params.get("$skip", 0)), next(times)
        entries = "".join(
            f"<entry><id>{request.base_url}Books({number})</id><title/>"
            f"<updated>2026-01-01T00:{now // 60 % 60:02}:{now % 60:02}Z</updated>"
            f"<content><properties><Id>{number}</Id><Title><![CDATA[{each.title}]]></Title>"
            f"<Text><![CDATA[{each.text}]]></Text></properties></content></entry>"
            for number, each in list(enumerate(DOCUMENTS))[start : start + 15]
        )
        more = f'<link rel="next" href="{request.base_url}Books?$skip={start + 15}"/>'
        links = f'<link rel="self" href="{request.url}"/>' + (more if start + 15 < SIZE else "")
        body = f"<feed>{links}{entries}</feed>"
        return Response(f'<?xml version="1.0"?>{body}', media_type="application/atom+xml")

    harvest = harvested(Starlette(routes=[Route("/Books", feed)]), tmp_path, "/Books")
    assert titles(harvest) == WANTED


def test_a_record_without_a_text_is_saved_all_the_same(tmp_path: Path) -> None:
    """Some records have none on their own page either; their titles show that they were read."""
    bare = {each.key for each in DOCUMENTS[::9]}

    def row(number: int, document: Document) -> dict[str, Any]:
        """Name a record; what is searched stands on its own page."""
        identifier = {"source": "hub", "recordIdentifier": f"r{number}"}
        extent = f"{1 + number % 23} pages"
        about = {"extent": extent, "url": f"/rows/r{number}"}
        return {"info": identifier, "about": about, "title": document.title}

    def own(request: Request) -> Response:
        document = DOCUMENTS[int(request.path_params["name"][1:])]
        text = None if document.key in bare else document.text
        return JSONResponse({"record": {"title": document.title, "body": text}})

    routes = [Route("/rows", searching(row)), Route("/rows/{name}", own)]
    harvest = harvested(Starlette(routes=routes), tmp_path, "/rows?query=return")
    assert titles(harvest) == WANTED
    assert all(document.key.startswith("r") for document in harvest.documents)
    assert harvest.certificate.documents_failed == 0
    assert share_of_text(harvest) > 0.8


def test_a_second_list_of_a_service_is_named(tmp_path: Path) -> None:
    """The longer list is read, and the harvest is not complete without the other one."""

    def listed(request: Request) -> Response:
        name, start = request.url.path, int(request.query_params.get("$skip", 0))
        if name == "/":
            sets = [{"name": each, "kind": "EntitySet", "url": each} for each in ("Books", "Maps")]
            return JSONResponse({"@odata.context": f"{request.base_url}$metadata", "value": sets})
        held = DOCUMENTS if name == "/Books" else DOCUMENTS[:12]
        rows = [{"Id": each.key, "Title": each.title, "Text": each.text} for each in held]
        body = {"@odata.context": f"{request.base_url}$metadata#X", "@odata.count": len(held)}
        more = {"@odata.nextLink": f"{request.base_url}{name[1:]}?$skip={start + 15}"}
        shown = {"value": rows[start : start + 15]}
        return JSONResponse(body | shown | (more if start + 15 < len(held) else {}))

    paths = ("/", "/Books", "/Maps")
    harvest = harvested(Starlette(routes=[Route(path, listed) for path in paths]), tmp_path)
    assert titles(harvest) == WANTED
    assert harvest.certificate.outcome == "partial"
    assert ["/Maps" in each for each in harvest.certificate.left_out] == [True]


def notes(request: Request) -> Response:
    """Return the titles of notes in XML, each with the address of its record."""
    page, found = int(request.query_params.get("page", 1)), matching(request.query_params.get("q"))
    rows = "".join(
        f"<note><id>{each.key}</id><title>{escape(each.title)}</title>"
        f"<url>{request.base_url}notes/{each.key}</url></note>"
        for each in found[15 * page - 15 : 15 * page]
    )
    return Response(f"<notes><total>{len(found)}</total>{rows}</notes>", media_type="text/xml")


def note(request: Request) -> Response:
    """Return a record with one comment, or several."""
    held = {each.key: each for each in DOCUMENTS}[request.path_params["key"]]
    words = held.text.split()
    parts = 1 if int(held.key[1:]) % 7 == 6 else 2
    half = -(-len(words) // parts)
    halves = (" ".join(words[at : at + half]) for at in range(0, len(words), half))
    said = "".join(f"<comment><said>{escape(each)}</said></comment>" for each in halves)
    inside = f"<id>{held.key}</id><title>{escape(held.title)}</title><comments>{said}</comments>"
    return Response(f"<osm><note>{inside}</note></osm>", media_type="text/xml")


def test_a_record_in_xml_may_have_one_part_or_several(tmp_path: Path) -> None:
    """A single part is no list: its text would not be found, and the record counted as failed."""
    routes = [Route("/find", notes), Route("/notes/{key}", note)]
    harvest = harvested(Starlette(routes=routes), tmp_path, "/find?q=return&page=1")
    assert titles(harvest) == WANTED
    assert share_of_text(harvest) > 0.95
    assert not harvest.certificate.documents_failed
