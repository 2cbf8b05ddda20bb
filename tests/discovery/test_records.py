"""Records that lead to their texts, lists of lists, links that describe their action."""

import html
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import harvested
from tests.discovery.test_odd_answers import DOC, FRONT, TEXTS, Answer, come_once, ten_a_page
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, number, page, part, words
from tests.webs import needs_browser

import longline
from longline.model import Document
from longline.text.numbers import counted


def with_words_in_the_path(request: Request) -> Response:
    """A link has the words after a dot, and a rank in steps of 21,459 beside a digit."""
    typed = quote(request.query_params.get("term", ""))
    return ten_a_page(
        request,
        lambda d, rank: (
            f'<a href="/ark/x{d.key}.r={typed}?rk={21459 * rank};2">{html.escape(d.title)}</a>'
            f"<p>{html.escape(d.text[:90])}</p>"
        ),
    )


def ark(request: Request) -> Response:
    """A viewer without text, which links the text; or the text."""
    key, _, said = request.path_params["name"].removeprefix("x").partition(".")
    d = DOCUMENTS[key]
    if said == "texteBrut":
        return HTMLResponse(f"<h4>Notice</h4><p>{html.escape(d.title)}</p>{html.escape(d.text)}")
    return HTMLResponse(
        f"<title>{html.escape(d.title)}</title><h1>{html.escape(d.title)}</h1>"
        f'<div id=viewer></div><a href="/ark/x{key}.texteBrut">Plain text</a>'
    )


def catalogue(request: Request) -> Response:
    """A search of titles, whose hits lead to records."""
    return ten_a_page(request, lambda d, _: f'<a href="/book/{d.key}">{html.escape(d.title)}</a>')


def record(request: Request) -> Response:
    """A record of a book, with links to its formats; or its text."""
    key, _, kind = request.path_params["name"].partition(".")
    d = DOCUMENTS[key]
    if kind:
        return HTMLResponse(f"<h1>{html.escape(d.title)}</h1><p>{html.escape(d.text)}</p>")
    facts = "".join(f"<dt>{name}<dd>{html.escape(d.title[:20])}" for name in ("Title", "Sort"))
    return HTMLResponse(
        f"<h1>{html.escape(d.title)}</h1><dl>{facts}</dl>"
        f'<a href="/book/{key}.html.images">Read online</a>'
    )


def with_favourites(request: Request) -> Response:
    """A longer link of each hit saves it as a favourite."""
    return ten_a_page(
        request,
        lambda d, _: (
            f'<h3><a href="/doc/{d.key}">{html.escape(d.title)}</a></h3>'
            f"<p>{html.escape(d.text[:90])}</p>"
            f'<a href="/add/{d.key}">Save <span>{html.escape(d.title)}</span> to favourites</a>'
        ),
    )


def as_tables(request: Request) -> Response:
    """A record is a table with its full text; its number and its author link to searches."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    key = typed.removeprefix("no=")
    found = part([DOCUMENTS[key]] if key in DOCUMENTS else words(typed), 10 * (at - 1), 10)

    def table(d: Document) -> str:
        author = f"Author{int(d.key) % 4}"
        rows = [
            ("Id", f'<a href="/s?how=link&amp;term=no={d.key}">{d.key}</a>'),
            ("Author", f'<a href="/s?how=link&amp;term={author}">{author}, J.</a>'),
            ("Title", f"<b>{html.escape(d.title)}</b>"),
            ("Abstract", html.escape(d.text)),
        ]
        cells = "".join(f"<tr><td><b>{name}:</b></td><td>{said}</td></tr>" for name, said in rows)
        return f"<table>{cells}<tr><td><b>Owner:</b></td><td>Press</td></tr></table><hr>"

    said = f"<table><tr><td>Base <b>PRESS</b><br>Found: <b>{found.total}</b></td></tr></table>"
    onward = f'<a href="/s?term={quote(typed)}&amp;page={at + 1}">Next</a>' if found.more else ""
    rows = "".join(map(table, found.rows))
    return page(f"{said}{rows}{onward}" if rows else "Nothing matches.")


def issue(d: Document) -> str:
    """Return the name of a newspaper page, which is not searched."""
    place = int(d.key)
    return f"Herald, 19{place % 90 + 10}-0{place % 9 + 1}, Image {place}"


def newspapers(request: Request) -> Response:
    """A search of the printed text, whose hits show name, date and page."""
    return ten_a_page(request, lambda d, _: f'<a href="/issue/{d.key}/">{issue(d)}</a>')


def scan(request: Request) -> Response:
    """A viewer of pictures, with a link to the text at a separate URL; or that text."""
    d = DOCUMENTS[request.path_params["key"]]
    is_text = request.url.path.endswith("/ocr/")
    own = f"/issue/{d.key}/"
    said = html.escape(d.text) if is_text else f'<i id=view></i><a href="{own}ocr/">View text</a>'
    return HTMLResponse(f"<html lang=en><title>{issue(d)}</title><h1>{issue(d)}</h1><main>{said}")


def gallery(request: Request) -> Response:
    """Pictures of newspaper pages, in a grid; their names have words of texts by chance."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    found = part(words(typed), 12 * (at - 1), 12)
    cells = [
        f'<td><div><a href="/issue/{d.key}/#words={quote(typed)}&amp;index={n}"><img src=/x></a>'
        f'</div><a href="/issue/{d.key}/#words={quote(typed)}&amp;index={n}">Return, {issue(d)}</a>'
        for n, d in enumerate(found.rows)
    ]
    rows = "".join(f"<tr>{''.join(cells[n : n + 4])}" for n in range(0, len(cells), 4))
    onward = f'<a href="/s?term={quote(typed)}&amp;page={at + 1}">Next</a>' if found.more else ""
    said = f"<p>{counted(found.total, 'result')}</p><table>{rows}</table>{onward}"
    return page(said if rows else "<p>Nothing matches.</p>")


def subject(d: Document) -> str:
    """Return a title: of every second document, words that only other texts have."""
    own, other = set(d.text.split()), TEXTS[(TEXTS.index(d) + 7) % len(TEXTS)]
    foreign = [word for word in other.text.split() if word not in own and word.isalpha()]
    return " ".join((foreign if int(d.key) % 2 else d.text.split())[-5:])


def letters(request: Request) -> Response:
    """A search in the bodies of letters, whose hits show their subjects."""
    return ten_a_page(request, lambda d, _: f'<a href="/m/{d.key}">{subject(d)}</a>')


def letter(request: Request) -> Response:
    """A letter below a head, in one block."""
    d = DOCUMENTS[request.path_params["key"]]
    head = f"[previous] [next]\nSubject: {subject(d)}\nFrom: Writer{d.key} Quill{d.key}\n"
    return HTMLResponse(f"<html lang=en><pre>{head}List: letters\n\n{html.escape(d.text)}</pre>")


def ignores_words(request: Request) -> Response:
    """A list that ignores words; one word is in every row of its first page."""
    start, size = number(request, "offset", 0), min(number(request, "limit", 20), 50)
    rows = [{"id": n, "headline": d.title, "body": f"{d.text} reut"} for n, d in enumerate(TEXTS)]
    meta = {"limit": size, "offset": start, "total_count": SIZE}
    return JSONResponse({"meta": meta, "objects": rows[start : start + size]})


def names_lists(request: Request) -> Response:
    """The root of an interface in OData: a list of lists."""
    sets = [{"name": "Texts", "kind": "EntitySet", "url": "Texts"}]
    return JSONResponse({"@odata.context": "/odata/$metadata", "value": sets})


def entities(request: Request) -> Response:
    """At most fifty rows without a next link; the total is sent on request."""
    start = number(request, "$skip", 0)
    rows = [{"Id": d.key, "Title": d.title, "Body": d.text} for d in TEXTS[start : start + 50]]
    said: dict[str, Any] = {"@odata.context": "/odata/$metadata#Texts", "value": rows}
    return JSONResponse(said | ({"@odata.count": SIZE} if "$count" in request.url.query else {}))


def all_entities(request: Request) -> Response:
    """Every row at once, with a total as long as the answer on request."""
    rows = [{"Id": d.key, "Title": d.title, "Body": d.text} for d in TEXTS]
    said: dict[str, Any] = {"@odata.context": "$metadata#Texts"}
    counted = {"@odata.count": SIZE} if "$count" in request.url.query else {}
    return JSONResponse(said | counted | {"value": rows})


def of_a_program(request: Request) -> Response:
    """The front page of a program that serves data: it links to its service and its parts."""
    del request
    links = "service", "service/$metadata", "service/Texts", "preview/Texts#app"
    shown = "".join(f"<li><a href={link}>{link}</a>" for link in links)
    return HTMLResponse(f"<title>Server</title><h1>Welcome</h1><h2>Endpoints</h2><ul>{shown}</ul>")


def rows_alone(request: Request) -> Response:
    """Rows of cells, after their number and the columns' names, as Groonga answers."""
    if request.query_params.get("table") != "Texts":
        return JSONResponse([[-22], "no such table"], 400)
    start = number(request, "offset", 0)
    cells = [[int(d.key), d.title, d.text] for d in TEXTS[start : start + 10]]
    columns = [["_id", "UInt32"], ["title", "ShortText"], ["content", "Text"]]
    return JSONResponse([[0, 1.5, 0.1], [[[SIZE], columns, *cells]]])


def made_of_xml(request: Request) -> Response:
    """Nested rows; a single row is an object, and not a list."""
    start = number(request, "start", 0)
    found = part(words(request.query_params.get("q", "")), start, 20)
    rows: Any = [
        {"Data": {"Meta": {"Technical": {"ID": f"J-{d.key}"}, "General": {"Subject": d.title}}}}
        | {"Body": d.text}
        for d in found.rows
    ]
    rows = rows[0] if len(rows) == 1 else rows
    hits = {"@start": start, "#text": str(found.total)}
    return JSONResponse({"Result": {"Hits": hits, **({"Reference": rows} if rows else {})}})


def as_rich_text(request: Request) -> Response:
    """A text is a tree of nodes, as editors store it."""
    start = number(request, "start", 0)
    found = part(words(request.query_params.get("q", "")), start, 20)

    def tree(text: str) -> dict[str, Any]:
        lines = [[{"type": "text", "text": line}] for line in text.split("\n") if line.strip()]
        return {"type": "doc", "content": [{"type": "paragraph", "content": x} for x in lines]}

    rows = [
        {"id": d.key, "fields": {"title": d.title, "slug": f"t-{d.key}", "body": tree(d.text)}}
        for d in found.rows
    ]
    return JSONResponse({"total": found.total, "start": start, "items": rows})


def description(request: Request) -> Response:
    """An interface describes a search by words, and the URL of each law."""
    sent = [{"name": "keyword", "in": "query", "required": True, "schema": {"type": "string"}}]
    paths = {
        "/keyword": {"get": {"summary": "Search", "parameters": sent}},
        "/changes/{law_id}": {"get": {"summary": "Earlier versions"}},
        "/law_data/{law_id}": {"get": {"summary": "A law"}},
    }
    return JSONResponse({"openapi": "3.0.3", "servers": [{"url": "/v2"}], "paths": paths})


def excerpts(request: Request) -> Response:
    """The search shows only the queried words of a text."""
    typed = request.query_params.get("keyword", "")
    rows = [
        {"law": {"law_id": f"L{d.key}", "law_title": d.title}, "sentences": [{"text": typed}]}
        for d in words(typed)
    ]
    return JSONResponse({"sentence_count": len(rows), "items": rows})


def law(request: Request) -> Response:
    """The text is a tree, like an XML document."""
    d = DOCUMENTS[request.path_params["key"].removeprefix("L")]
    lines = [x for x in d.text.split("\n") if x.strip()]
    inner = [{"tag": "Sentence", "attr": {}, "children": [line]} for line in lines]
    tree = {"tag": "Law", "attr": {"Lang": "en"}, "children": inner}
    return JSONResponse({"law_info": {"law_title": d.title}, "law_full_text": tree})


def overview(request: Request) -> Response:
    """The start page of javadoc's output: its search runs in a script."""
    return HTMLResponse(
        '<html lang=en><meta name=generator content="javadoc/PackageIndexWriter">'
        '<h1>Overview</h1><a href="help-doc.html">Help</a>'
    )


def types(request: Request) -> Response:
    """The data file of that script."""
    named = [{"p": "org.wire", "l": f"T{d.key}"} for d in TEXTS]
    rows = [{"l": "All Classes", "u": "allclasses-index.html"}, *named]
    return PlainTextResponse(f"typeSearchIndex = {json.dumps(rows)};updateSearchResults();")


def typed_page(request: Request) -> Response:
    """A type's own page."""
    d = DOCUMENTS[request.path_params["name"].removeprefix("T").removesuffix(".html")]
    return HTMLResponse(f"<h1>{html.escape(d.title)}</h1><main>{html.escape(d.text)}</main>")


def described_elsewhere(request: Request) -> Response:
    """A description linked from the front page: a list, and acts named by three parts."""
    sent = [{"name": name, "in": "query"} for name in ("offset", "limit", "keyword", "title")]
    act = "/acts/{publisher}/{year}/{position}"
    paths = {
        "/acts": {"get": {"summary": "Publishers"}},
        "/acts/search": {"get": {"summary": "Acts", "parameters": sent}},
        "/acts/{publisher}/{year}": {"get": {"summary": "Acts of a year"}},
        act: {"get": {"summary": "An act"}},
        f"{act}/text.html": {"get": {"summary": "Its text"}},
    }
    return JSONResponse({"openapi": "3.0.1", "paths": paths})


def published(d: Any) -> dict[str, Any]:
    """Return a list's row of an act, which has no URL, and needs more than its number."""
    place = int(d.key)
    named = {"publisher": "DU" if place % 3 else "MP", "year": 2000 + place % 9}
    return named | {"pos": place, "title": d.title, "inForce": True}


def acts(request: Request) -> Response:
    """Acts without their texts; words search an empty field."""
    start, size = number(request, "offset", 0), min(number(request, "limit", 20), 50)
    found = [] if request.query_params.get("keyword") else TEXTS
    rows = [published(d) for d in found[start : start + size]]
    return JSONResponse({"items": rows, "count": len(rows), "totalCount": len(found)})


def act_or_text(request: Request) -> Response:
    """The record of an act in JSON, or its text as a page."""
    d = DOCUMENTS[request.path_params["pos"]]
    said = published(d)
    if [request.path_params[name] for name in ("pub", "year")] != [
        str(said[name]) for name in ("publisher", "year")
    ]:
        return JSONResponse({"error": "not found"}, 404)
    if request.url.path.endswith("text.html"):
        return HTMLResponse(f"<h1>{html.escape(d.title)}</h1><main>{html.escape(d.text)}</main>")
    return JSONResponse(said | {"comments": None, "references": {}})


def posts(request: Request) -> Response:
    """A list without a search, and without the texts."""
    start = number(request, "offset", 0)
    rows = [{"id": int(d.key), "title": d.title} for d in TEXTS[start : start + 20]]
    return JSONResponse(rows, headers={"X-Total-Count": str(SIZE)})


def post(request: Request) -> Response:
    """A row of that list, with its text."""
    d = DOCUMENTS[request.path_params["key"]]
    return JSONResponse({"id": int(d.key), "title": d.title, "body": d.text})


SITES: dict[Answer, tuple[list[Route], str]] = {
    with_words_in_the_path: (
        [FRONT, Route("/s", with_words_in_the_path), Route("/ark/{name}", ark)],
        "/",
    ),
    catalogue: ([FRONT, Route("/s", catalogue), Route("/book/{name}", record)], "/"),
    with_favourites: (
        [FRONT, Route("/s", with_favourites), DOC, Route("/add/{key}", lambda _: page("Log in"))],
        "/",
    ),
    newspapers: (
        [
            FRONT,
            Route("/s", newspapers),
            Route("/issue/{key}/", scan),
            Route("/issue/{key}/ocr/", scan),
        ],
        "/",
    ),
    letters: (
        [
            FRONT,
            Route("/s", letters),
            Route("/m/{key}", letter),
        ],
        "/",
    ),
    gallery: (
        [
            FRONT,
            Route("/s", gallery),
            Route("/issue/{key}/", scan),
            Route("/issue/{key}/ocr/", scan),
        ],
        "/",
    ),
    as_tables: ([FRONT, Route("/s", as_tables)], "/"),
    ignores_words: ([Route("/api/story/", ignores_words)], "/api/story/"),
    entities: ([Route("/odata/", names_lists), Route("/odata/Texts", entities)], "/odata/"),
    all_entities: (
        [Route("/service", names_lists), Route("/service/Texts", all_entities)],
        "/service",
    ),
    of_a_program: (
        [
            Route("/", of_a_program),
            Route("/service", names_lists),
            Route(
                "/service/$metadata", lambda _: Response("<Edmx/>", media_type="application/xml")
            ),
            Route("/service/Texts", all_entities),
        ],
        "/",
    ),
    rows_alone: ([Route("/d/select", rows_alone)], "/d/select?table=Texts"),
    made_of_xml: ([Route("/api", made_of_xml)], "/api?q=value"),
    as_rich_text: ([Route("/api", as_rich_text)], "/api?q=value"),
    law: (
        [
            Route("/openapi.json", description),
            Route("/v2/keyword", excerpts),
            Route("/v2/law_data/{key}", law),
        ],
        "/openapi.json",
    ),
    acts: (
        [
            Route(
                "/", lambda _: HTMLResponse("<script>show({url: '/docs/openapi.json'})</script>")
            ),
            Route("/docs/openapi.json", described_elsewhere),
            Route("/acts", lambda _: JSONResponse([{"code": "DU", "acts": 90}, {"code": "MP"}])),
            Route("/acts/search", acts),
            Route("/acts/{pub}/{year}/{pos}", act_or_text),
            Route("/acts/{pub}/{year}/{pos}/text.html", act_or_text),
        ],
        "/acts",
    ),
    posts: ([Route("/posts", posts), Route("/posts/{key}", post)], "/posts"),
    typed_page: (
        [
            Route("/", overview),
            Route("/type-search-index.js", types),
            Route("/org/wire/{name}", typed_page),
        ],
        "/",
    ),
}


LISTS = {ignores_words, entities, all_entities, of_a_program, rows_alone, acts, posts, typed_page}
"""Lists whose total is read from the answer, or by their protocol."""


@pytest.mark.slow
@pytest.mark.parametrize("answer", SITES, ids=lambda answer: answer.__name__)
def test_documents_come_once_with_their_texts(answer: Answer, tmp_path: Path) -> None:
    """Nearly all are held, none twice, in any of these ways; a list with a total is complete."""
    routes, start = SITES[answer]
    certificate, documents = harvested(routes, start, tmp_path)
    come_once(documents)
    if answer in LISTS:
        assert (certificate.outcome, certificate.size) == ("complete", SIZE)
        assert longline.open(tmp_path / "harvest").spec.ask.lists == "all"


def with_a_file(request: Request) -> Response:
    """A record with a link to its file, and one to a file that all pages link."""
    d = DOCUMENTS[request.path_params["key"]]
    return HTMLResponse(
        f"<h1>{html.escape(d.title)}</h1><a href=/terms.pdf>Terms</a>"
        f'<p class=files><a href="/file/{d.key}/document.txt">File</a></p>'
        f"<main>{html.escape(d.text)}</main>"
    )


@pytest.mark.slow
def test_files_outside_the_text_are_named(tmp_path: Path) -> None:
    """Unsaved files are reported, also if a page links them beside its text."""
    routes = [FRONT, Route("/s", catalogue), Route("/book/{key}", with_a_file)]
    certificate, documents = harvested(routes, "/", tmp_path)
    assert len(documents) >= 0.95 * SIZE
    linked = [[file.url.rpartition("/")[2] for file in each.attachments] for each in documents]
    assert linked == [["document.txt"]] * len(documents)
    assert sum(certificate.attachments_unread.values()) == len(documents)


def sitemap(request: Request) -> Response:
    """The URL of every page."""
    places = (f"<url><loc>{request.base_url}p/{d.key}</loc></url>" for d in TEXTS[:24])
    return Response(f"<urlset>{''.join(places)}</urlset>", media_type="application/xml")


def drawn(request: Request) -> Response:
    """A shell, into which a script puts the page."""
    d = DOCUMENTS[request.path_params["key"]]
    said = json.dumps([d.title, d.text]).replace("<", "\\u003c")
    return HTMLResponse(
        "<html lang=en><h1></h1><main></main><script>"
        f"for (const [at, said] of {said}.entries())"
        " document.querySelector(['h1', 'main'][at]).innerText = said"
        "</script>"
    )


def printed(request: Request) -> Response:
    """A page without scripts."""
    d = DOCUMENTS[request.path_params["key"]]
    return HTMLResponse(
        f"<html lang=en><h1>{html.escape(d.title)}</h1><main>{html.escape(d.text)}</main>"
    )


def in_two_parts(request: Request) -> Response:
    """One of two sitemaps, with half of the pages."""
    part = ["north", "south"].index(request.path_params["part"])
    places = (f"<url><loc>{request.base_url}p/{d.key}</loc></url>" for d in TEXTS[part:40:2])
    return Response(f"<urlset>{''.join(places)}</urlset>", media_type="application/xml")


def test_each_sitemap_that_a_site_names_is_read(tmp_path: Path) -> None:
    """robots.txt names two sitemaps, each with its own pages."""
    names = "Sitemap: /maps/north.xml\nSitemap: /maps/south.xml\n"
    routes = [
        Route("/", lambda _: HTMLResponse("<html lang=en><h1>Library</h1><p>Come in.")),
        Route("/robots.txt", lambda _: PlainTextResponse(names)),
        Route("/maps/{part}.xml", in_two_parts),
        Route("/p/{key}", printed),
    ]
    certificate, documents = harvested(routes, "/", tmp_path)
    assert len(documents) == 40
    assert certificate.outcome == "partial"


def newest(request: Request) -> Response:
    """A feed with the full texts of the newest ten pages."""
    items = "".join(
        f"<item><title>{html.escape(d.title)}</title><link>{request.base_url}p/{d.key}</link>"
        f"<description>{html.escape(d.text)}</description></item>"
        for d in TEXTS[:10]
    )
    return Response(f"<rss><channel>{items}</channel></rss>", media_type="application/rss+xml")


def test_a_page_that_names_more_than_its_feed_is_read(tmp_path: Path) -> None:
    """If the front page lists all documents, it is read instead of a feed of the newest."""
    named = "".join(f'<li><a href="/p/{d.key}">{html.escape(d.title)}</a>' for d in TEXTS[:40])
    feed = '<link rel=alternate type="application/rss+xml" href="/feed.xml">'
    front = f"<html lang=en><head>{feed}</head><h1>Bulletin</h1><ul>{named}</ul>"
    routes = [
        Route("/", lambda _: HTMLResponse(front)),
        Route("/feed.xml", newest),
        Route("/p/{key}", printed),
    ]
    _, documents = harvested(routes, "/", tmp_path)
    assert len(documents) == 40


@pytest.mark.slow
@needs_browser
def test_pages_of_a_list_that_a_script_draws_are_read(tmp_path: Path) -> None:
    """A sitemap names them; without a browser none has a text."""
    routes = [
        Route("/", lambda _: HTMLResponse("<html lang=en><h1>Library</h1><p>Come in.")),
        Route("/sitemap.xml", sitemap),
        Route("/p/{key}", drawn),
    ]
    _, documents = harvested(routes, "/", tmp_path)
    held = {" ".join(each.text.split()) for each in documents}
    own = {" ".join(d.text.split()) for d in TEXTS[:24]}
    assert len(held & own) >= 20
