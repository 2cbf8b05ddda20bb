"""Lists of hits and texts in frames, or behind a link of a document's page."""

import html
import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import harvested
from tests.discovery.test_odd_answers import come_once
from tests.discovery.test_ways_on import DOCUMENTS, FORM, TEXTS, number, page, part, words
from tests.test_attachments import pdf

from longline.model import Document
from longline.text.numbers import counted

pytestmark = pytest.mark.slow


def search_page(request: Request) -> Response:
    """A form, and nothing else."""
    return page(FORM)


def hits(request: Request) -> Response:
    """A list with titles and pages, at any URL."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    found = part(words(typed), 10 * at - 10)
    rows = "".join(
        f'<li><a href="/doc/{d.key}">{html.escape(d.title)}</a></li>' for d in found.rows
    )
    onward = f'<a href="?term={quote(typed)}&amp;page={at + 1}">Next</a>' if found.more else ""
    return page(f"<p>{counted(found.total, 'result')}</p><ol>{rows}</ol>{onward}")


def in_two_frames(request: Request) -> Response:
    """The hits are in a frame, and another frame is empty."""
    typed = quote(request.query_params.get("term", ""))
    frames = f'<frame src="/list?term={typed}"><frame src="/blank">'
    return HTMLResponse(f"<html><title>Results</title><frameset cols='*,*'>{frames}</frameset>")


def told(request: Request) -> Response:
    """A document's page with its title and its text."""
    d = DOCUMENTS[request.path_params["key"]]
    return page(f"<h1>{html.escape(d.title)}</h1><article>{html.escape(d.text)}</article>")


def around(inner: str) -> Route:
    """Return a route of documents' pages that show only the title, and lead to the text."""

    def record(request: Request) -> Response:
        d = DOCUMENTS[request.path_params["key"]]
        leading = inner.format(key=d.key, other=int(d.key) * 7)
        return page(f"<nav><a href=/>Home</a></nav><h1>{html.escape(d.title)}</h1>{leading}")

    return Route("/doc/{key}", record)


def framed(request: Request) -> Response:
    """Only a text, at a URL that cannot be derived from its document's."""
    d = DOCUMENTS[str(request.path_params["number"] // 7)]
    return HTMLResponse(f"<html><body><pre>{html.escape(d.text)}</pre>")


def as_file(request: Request) -> Response:
    """A text without any markup."""
    return PlainTextResponse(DOCUMENTS[request.path_params["key"]].text)


def in_linked_data(request: Request) -> Response:
    """A page drawn by its script; its text is only in its JSON-LD."""
    d = DOCUMENTS[request.path_params["key"]]
    said = json.dumps({"@type": "Article", "headline": d.title, "articleBody": d.text})
    held = said.replace("<", "\\u003c")
    return HTMLResponse(
        f"<html><title>{html.escape(d.title)}</title><div id=app>{html.escape(d.title)}</div>"
        f'<script type="application/ld+json">{held}</script>'
    )


def with_their_words(request: Request) -> Response:
    """A list that shows for each text the surroundings of the words."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    found = part(words(typed), 10 * at - 10)
    rows = "".join(
        f'<li><a href="/doc/{d.key}">{html.escape(d.title)}</a>'
        f"<p>{html.escape(around_words(d.text, typed))}</p></li>"
        for d in found.rows
    )
    onward = f'<a href="?term={quote(typed)}&amp;page={at + 1}">Next</a>' if found.more else ""
    return page(f"<p>{counted(found.total, 'result')}</p><ol>{rows}</ol>{onward}")


def as_pdf(request: Request) -> Response:
    """A text in a PDF file."""
    said = DOCUMENTS[request.path_params["key"]].text.encode("ascii", "replace").decode()
    written = re.sub(r"([\\()])", r"\\\1", " ".join(said.split()))
    return Response(pdf(written), media_type="application/pdf")


def in_shells(request: Request) -> Response:
    """An answer inside a frame of the same address, beside a form in which `p` is a name."""
    if "inside" not in request.query_params:
        inside = html.escape(str(request.url.include_query_params(inside=1)))
        fields = "<label for=a>Full text</label><input id=a name=cont><label for=b>Judge</label>"
        form = f"<form action=/s>{fields}<input id=b name=p><button>Search</button></form>"
        title = "<!doctype html><html lang=en><title>Library</title>"
        return HTMLResponse(f"{title}<h1>Library</h1>{form}<iframe src='{inside}'></iframe>")
    if "key" in request.path_params:
        return told(request)
    sent = request.query_params
    found = part(
        [] if sent.get("p") else words(sent.get("cont", "")), 10 * number(request, "page") - 10
    )
    rows = "".join(f'<li><a href="/doc/{d.key}">{html.escape(d.title)}</a>' for d in found.rows)
    following = html.escape(str(request.url.include_query_params(page=number(request, "page") + 1)))
    onward = f'<a href="{following}">Next</a>' if found.more else ""
    return HTMLResponse(f"<p>{counted(found.total, 'result')}</p><ol>{rows}</ol>{onward}")


def naming_files(request: Request) -> Response:
    """JSON with a sentence of each text, which stands in a file; the PDF is broken."""
    found = part(words(request.query_params.get("q", "")), 10 * number(request, "page") - 10)
    rows = [
        {
            "id": d.key,
            "title": d.title,
            "abstract": " ".join(d.text.split()[:12]),
            "files": [
                {"type": "full", "to": {"pdf": f"/f/{d.key}.pdf", "text": f"/f/{d.key}.txt"}}
            ],
        }
        for d in found.rows
    ]
    return JSONResponse({"total": found.total, "results": rows})


def naming_acts(request: Request) -> Response:
    """JSON of titles, each with the address of its record, and that of its file without an ending.

    The record says no more than the row.
    """
    home = str(request.base_url).rstrip("/")

    def row(d: Document) -> dict[str, str]:
        urls = {"url": f"{home}/acts/{d.key}", "documentUrl": f"{home}/files/{d.key}"}
        return {"id": f"v{d.key}", "subject": f"Act on {d.title}", **urls}

    if key := request.path_params.get("key"):
        return JSONResponse(row(DOCUMENTS[key]))
    found = part(words(request.query_params.get("q", "")), 10 * number(request, "page") - 10)
    return JSONResponse({"total": found.total, "acts": list(map(row, found.rows))})


def wanting_a_name(request: Request) -> Response:
    """JSON of titles that links to documents; without the name of a program it refuses both."""
    if not request.query_params.get("appname"):
        return JSONResponse({"error": "Missing appname"}, 403)
    if key := request.path_params.get("key"):
        d = DOCUMENTS[key]
        return JSONResponse({"data": [{"id": key, "fields": {"title": d.title, "body": d.text}}]})
    found = part(words(request.query_params.get("q", "")), 10 * number(request, "page") - 10)
    home = str(request.base_url).rstrip("/")
    rows = [
        {"id": d.key, "fields": {"title": d.title}, "href": f"{home}/api/{d.key}"}
        for d in found.rows
    ]
    return JSONResponse({"totalCount": found.total, "data": rows})


def parts_of(document: Document) -> list[str]:
    """Return the headings of a text's parts: the first words of each."""
    said = document.text.split()
    return [" ".join(said[at : at + 2]) for at in range(0, len(said), 10)]


def listed(request: Request, looked: dict[str, str], titles: dict[str, str]) -> Response:
    """A list of the titles of documents in which the search, that looks at little, finds words."""
    typed, at = request.query_params.get("term", "").lower(), number(request, "page")
    named = [d for d in TEXTS if all(map(looked[d.key].lower().count, typed.split()))]
    found = part(named if typed else [], 10 * at - 10)
    rows = "".join(
        f'<li><a href="/doc/{d.key}">{html.escape(titles[d.key])}</a>' for d in found.rows
    )
    onward = f'<a href="?term={quote(typed)}&amp;page={at + 1}">Next</a>' if found.more else ""
    return page(f"<p>{counted(found.total, 'result')}</p><ol>{rows}</ol>{onward}")


def by_headings(request: Request) -> Response:
    """A list whose search looks at titles and headings alone."""
    looked = {d.key: f"{d.title} {' '.join(parts_of(d))}" for d in TEXTS}
    return listed(request, looked, {d.key: d.title for d in TEXTS})


def contents(request: Request) -> Response:
    """A document's page with its title and a table of contents."""
    d = DOCUMENTS[request.path_params["key"]]
    said = d.text.split()
    parts = [" ".join(said[at : at + 2]) for at in range(0, len(said), 10)]
    rows = "".join(
        f"<li><a href='/p/{d.key}/{n}'>{html.escape(p)}</a>" for n, p in enumerate(parts)
    )
    menu = f'<ul class=tabs><li>Contents<li><a href="/text/{int(d.key) * 7}">All of it</a></ul>'
    return page(f"<h1>{html.escape(d.title)}</h1>{menu}<ol class=contents>{rows}</ol>")


def title_of(document: Document) -> str:
    """Return the first words of a text."""
    return " ".join(document.text.split()[:6])


def by_titles(request: Request) -> Response:
    """A list whose search looks at titles alone."""
    titles = {d.key: title_of(d) for d in TEXTS}
    return listed(request, titles, titles)


def beginning(request: Request) -> Response:
    """A document's page with the first words of its text, and a link to all of it."""
    d = DOCUMENTS[request.path_params["key"]]
    is_whole = "all" in request.query_params
    said = html.escape(d.text if is_whole else " ".join(d.text.split()[:12]))
    whole = "" if is_whole else f'<a href="/doc/{d.key}?all=1#text">Show full document</a>'
    return page(f"<h1>{html.escape(title_of(d))}</h1><article>{said}</article>{whole}")


def with_a_tab(request: Request) -> Response:
    """A document's page with a few facts, at an address with a state, and a tab with its text."""
    d = DOCUMENTS[request.path_params["key"]]
    tabs = f'<a href="/doc/{d.key}">Summary (1)</a><a href="/doc/{d.key}/text">Text (1)</a>'
    is_text = request.url.path.endswith("/text")
    said = html.escape(d.text if is_text else f"Introduced on day {d.key}")
    return page(f"<h1>{html.escape(title_of(d))}</h1>{tabs}<div class=said>{said}</div>")


def with_a_state(request: Request) -> Response:
    """The list of titles, whose links carry the same state each."""
    shown = by_titles(request)
    return HTMLResponse(re.sub(rb'(href="/doc/\d+)', rb"\1?s=1", bytes(shown.body)))


def leading(inner: str) -> Route:
    """Return a route of pages that show the title of the list, and lead to a file."""

    def record(request: Request) -> Response:
        d = DOCUMENTS[request.path_params["key"]]
        return page(f"<h1>{html.escape(title_of(d))}</h1>{inner.format(key=d.key)}")

    return Route("/doc/{key}", record)


def refused(_: Request) -> Response:
    """What no visitor asks for without meaning it."""
    raise AssertionError("deleted")


def around_words(text: str, typed: str) -> str:
    """Return the text around the first typed word."""
    at = max(text.lower().find(typed.split()[0].lower()) - 60, 0) if typed.split() else 0
    return f"... {text[at : at + 160]} ..."


SITES: dict[str, list[Route]] = {
    "hits in a frame": [
        Route("/s", in_two_frames),
        Route("/list", hits),
        Route("/blank", lambda _: HTMLResponse("<html><body>")),
        Route("/doc/{key}", told),
    ],
    "text in a frame": [
        Route("/s", hits),
        around('<iframe src="/text/{other}" width="100%"></iframe>'),
        Route("/text/{number:int}", framed),
    ],
    "text in an object": [
        Route("/s", hits),
        around('<object data="/files/{key}" type="text/plain"></object>'),
        Route("/files/{key}", as_file),
    ],
    "text that a script asks for": [
        Route("/s", hits),
        around('<div hx-get="/text/{other}" hx-trigger="load">Loading ...</div>'),
        Route("/text/{number:int}", framed),
    ],
    "text in linked data": [Route("/s", hits), Route("/doc/{key}", in_linked_data)],
    "text behind one of the links": [
        Route("/s", with_their_words),
        around(
            '<ul><li><a href="/text/{other}">Text</a><li><a href="/pdf/{key}">PDF</a></ul>'
            '<p>Cite as <a href="/id/{key}">/id/{key}</a>'
        ),
        Route("/text/{number:int}", framed),
    ],
    "text behind a table of contents": [
        Route("/s", by_headings),
        Route("/doc/{key}", contents),
        Route("/text/{number:int}", framed),
    ],
    "text of which a page shows the beginning": [
        Route("/s", by_titles),
        Route("/doc/{key}", beginning),
    ],
    "text on a tab of that name": [
        Route("/s", with_a_state),
        Route("/doc/{key}", with_a_tab),
        Route("/doc/{key}/text", with_a_tab),
    ],
    "text in a file that a link announces": [
        Route("/s", by_titles),
        leading('<dl><dt>Date<dd>day {key}</dl><a href="/files/{key}">Full text</a>'),
        Route("/files/{key}", as_file),
    ],
    "text behind a link that only names its document": [
        Route("/s", by_titles),
        leading(
            '<dl><dt>Date<dd>day {key}</dl><a rel=nofollow href="/vote/{key}">Like</a>'
            '<a href="/delete?id={key}">Bin</a> <a href="/judgment/{key}/view">Avgjørelsen</a>'
        ),
        Route("/judgment/{key}/view", as_file),
        Route("/vote/{key}", as_file),
        Route("/delete", refused),
    ],
    "text in a file that the page declares": [
        Route("/s", by_titles),
        leading(
            '<meta name=citation_pdf_url content="/files/{key}">'
            '<a href="/files/{key}">doc-{key}.pdf</a>'
        ),
        Route("/files/{key}", as_file),
    ],
    "text behind a link": [
        Route("/s", hits),
        around('<p>Shelf {key}. <a href="/text/{other}">View the document</a></p>'),
        Route("/text/{number:int}", framed),
    ],
}


@pytest.mark.parametrize("kind", SITES)
def test_documents_come_with_the_texts_that_frames_show(kind: str, tmp_path: Path) -> None:
    """Nearly all documents are held, with their titles and their texts."""
    _, documents = harvested([Route("/", search_page), *SITES[kind]], "/", tmp_path)
    come_once(documents)
    for document in documents:
        (key,) = re.findall(r"/doc/(\d+)", document.key)
        one = DOCUMENTS[key]
        assert document.title in (one.title, title_of(one))


def test_documents_come_with_the_text_of_the_file_that_their_page_shows(tmp_path: Path) -> None:
    """A PDF in an object is read, and the fields beside it are kept."""
    pytest.importorskip("pypdf")
    facts = "<dl><dt>Number<dd>{key}/26<dt>Court<dd>of {key}</dl>"
    shown = around(f'{facts}<object id="file" data="/pdf/{{key}}" type="application/pdf"></object>')
    routes = [Route("/", search_page), Route("/s", hits), shown, Route("/pdf/{key}", as_pdf)]
    _, documents = harvested(routes, "/", tmp_path)
    assert len(documents) >= 0.95 * len(DOCUMENTS)
    for document in documents:
        key = document.key.rpartition("/")[2]
        text = DOCUMENTS[key].text
        assert {*re.findall("[A-Za-z]{4,}", text)} <= {*re.findall("[A-Za-z]{4,}", document.text)}
        assert (document.fields["Number"], document.fields["Court"]) == (f"{key}/26", f"of {key}")


def test_texts_come_from_shells_around_frames_of_the_same_address(tmp_path: Path) -> None:
    """Words are sent in the field for texts, and hits and texts are read inside of the frames."""
    routes = [Route("/", in_shells), Route("/s", in_shells), Route("/doc/{key}", in_shells)]
    _, documents = harvested(routes, "/", tmp_path)
    come_once(documents)
    assert all(DOCUMENTS[d.key.rpartition("/")[2]].title == d.title for d in documents)


def test_texts_come_from_the_files_that_rows_name(tmp_path: Path) -> None:
    """The rows' own sentence is kept as a field."""
    routes = [Route("/api", naming_files), Route("/f/{key}.txt", as_file)]
    _, documents = harvested(routes, "/api?q=water&page=1", tmp_path)
    assert len(documents) >= 0.95 * len(DOCUMENTS)
    for document in documents:
        assert document.text.split() == DOCUMENTS[document.key].text.split()
        assert document.fields["abstract"]


def test_texts_come_from_files_that_only_their_field_names(tmp_path: Path) -> None:
    """The records behind the rows' first links have no text."""
    pytest.importorskip("pypdf")
    records = [Route("/acts", naming_acts), Route("/acts/{key}", naming_acts)]
    _, documents = harvested(
        [*records, Route("/files/{key}", as_pdf)], "/acts?q=water&page=1", tmp_path
    )
    assert len(documents) >= 0.95 * len(DOCUMENTS)
    for document in documents:
        text = DOCUMENTS[document.key.removeprefix("v")].text
        assert {*re.findall("[A-Za-z]{4,}", text)} <= {*re.findall("[A-Za-z]{4,}", document.text)}


def test_documents_are_asked_for_with_the_parameters_that_searches_need(tmp_path: Path) -> None:
    """Links in the rows lack the name that the interface wants from each visitor."""
    routes = [Route("/api", wanting_a_name), Route("/api/{key}", wanting_a_name)]
    _, documents = harvested(routes, "/api?appname=test&q=water&page=1", tmp_path)
    assert len(documents) >= 0.95 * len(DOCUMENTS)
    for document in documents:
        text = DOCUMENTS[document.key].text
        assert {*re.findall("[A-Za-z]{4,}", text)} <= {*re.findall("[A-Za-z]{4,}", document.text)}
