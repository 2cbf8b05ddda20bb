"""Sites and interfaces as users meet them first: what hides behind a search that works."""

import html
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import found_by
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, TEXTS, document, number, part

import longline
from longline.model import Document
from longline.simulate import running_site

pytestmark = pytest.mark.slow

STATES = ("open", "closed", "planned")
STATE = {key: STATES[0 if n % 8 == 0 else 1 + n % 2] for n, key in enumerate(DOCUMENTS)}
AUTHORS = ("Helen Costa", "Marco Petrov", "Mei Singh", "Olga Walsh", "Ruth Larsen")
TITLES = {each.key: TEXTS[n // 2 * 2].title for n, each in enumerate(TEXTS)}
"""Each is the title of two documents."""


def harvested(app: Starlette, folder: Path, path: str = "/") -> longline.Harvest:
    """Harvest a site from one of its addresses."""
    with running_site(app) as url:
        return longline.harvest(f"{url}{path}", folder / "h", allow_private=True, rate=1000)


def site(**pages: Callable[[Request], Response]) -> Starlette:
    """Return a site with pages by name, and one for each document."""
    routes = [Route("/" if name == "front" else f"/{name}", page) for name, page in pages.items()]
    return Starlette(routes=[*routes, Route("/doc/{key}", document)])


def rows(found: list[Document]) -> str:
    """Return hits as a list."""
    listed = (f'<li><a href="/doc/{d.key}">{html.escape(d.title)}</a></li>' for d in found)
    return f"<ol class=hits>{''.join(listed)}</ol>"


def test_what_the_simple_search_leaves_out_is_found_by_the_advanced_one(tmp_path: Path) -> None:
    """Its radio buttons have no choice for all: each state is harvested, and all is complete."""
    box = "<form action=/find><input name=q><button>Search</button></form>"
    radios = "".join(
        f"<input type=radio name=st value={each}{' checked' * (each == 'open')}> {each}"
        for each in STATES
    )

    def find(request: Request) -> Response:
        state = request.query_params.get("st", "")
        every = found_by(request) if request.query_params.get("q") else TEXTS
        state = state if state in STATES else "open"
        found = [each for each in every if STATE[each.key] == state]
        more = "<p>Only open ones are listed, see the <a href=/more>advanced search</a>."
        return HTMLResponse(f"<html lang=en>{box}<p>{len(found)} found</p>{rows(found)}{more}")

    def more(request: Request) -> Response:
        return HTMLResponse(f"<form action=/find><input name=q>{radios}<button>Go</button></form>")

    harvest = harvested(site(front=find, find=find, more=more), tmp_path)
    assert len(harvest.documents) == SIZE
    assert harvest.certificate.outcome == "complete"


def test_an_overview_leads_to_the_list_of_the_same_words(tmp_path: Path) -> None:
    """The list has a form of its own, beside that of the overview."""
    box = (
        "<form action=/search role=search><input type=search name=q><button>Search</button></form>"
    )

    def search(request: Request) -> Response:
        words = html.escape(request.query_params.get("q", ""))
        found = found_by(request)
        more = f'<a href="/list?q={words}">View all {len(found)} papers</a>' if found else ""
        page = f"<section>{rows(found[:5])}{more}</section>" if found else "<p>No papers found."
        return HTMLResponse(f"<html lang=en>{box}<h1>Results</h1>{page}")

    def listed(request: Request) -> Response:
        words = html.escape(request.query_params.get("q", ""))
        form = f'<form action=/list><input name=q value="{words}"><button>Filter</button></form>'
        shown = part(found_by(request) if words else TEXTS, 10 * (number(request, "p", 1) - 1), 10)
        on = f'<a rel=next href="?q={words}&p={number(request, "p", 1) + 1}">Next</a>'
        cells = "".join(
            f'<tr><td><a href="/doc/{d.key}">{html.escape(d.title)}</a></td><td>done</td></tr>'
            for d in shown.rows
        )
        page = f"<p>{shown.total} results</p><table>{cells}</table>{on if shown.more else ''}"
        return HTMLResponse(f"<html lang=en>{box}{form}{page}")

    front = HTMLResponse(f"<html lang=en>{box}<p>Papers of the archive about words and files.")
    harvest = harvested(site(front=lambda _: front, search=search, list=listed), tmp_path)
    assert len(harvest.documents) == SIZE
    assert harvest.certificate.truncated_queries == 0


def test_a_link_that_the_cover_repeats_leads_to_the_document(tmp_path: Path) -> None:
    """Authors differ in more hits than titles do, but no other link leads to theirs."""
    box = "<form action=/find><input name=q><button>Search</button></form>"

    def find(request: Request) -> Response:
        shown = part(found_by(request), 10 * (number(request, "p", 1) - 1), 10)
        cells = "".join(
            f'<li class=book><a href="/doc/{d.key}"><img src=/c.png alt="cover"></a><h3><a '
            f'class=results href="/doc/{d.key}">{html.escape(TITLES[d.key])}</a></h3>by <a '
            f'class=results href="/author/{n}">{AUTHORS[n % 5]} {n}</a></li>'
            for n, d in enumerate(shown.rows, 17 * len(request.query_params.get("q", "")))
        )
        words = html.escape(request.query_params.get("q", ""))
        on = f'<a href="?q={words}&p={number(request, "p", 1) + 1}">Next</a>'
        said = f"<div class=stats>{shown.total} hits <span>sorted, of 2.5 million</span></div>"
        page = f"<div>{said}<ul>{cells}</ul></div>{on if shown.more else ''}"
        return HTMLResponse(f"<html lang=en>{box}{page if shown.rows else '<p>Nothing found'}")

    front = HTMLResponse(f"<html lang=en>{box}<p>Books of the library about words and files.")
    harvest = harvested(site(front=lambda _: front, find=find), tmp_path)
    assert len(harvest.documents) >= 0.97 * SIZE
    assert all("/doc/" in each.url for each in harvest.documents)


def test_an_example_for_curl_names_the_headers_to_send(tmp_path: Path) -> None:
    """Without the key, every request is refused; rows count from 0 by page.from."""
    example = "curl -H 'X-API-Key: 7f59' 'http://{host}/api/search?q=file&page.size=20&page.from=0'"

    def docs(request: Request) -> Response:
        said = html.escape(example.replace("{host}", request.headers["host"]))
        return HTMLResponse(f"<html lang=en><h1>The API</h1><p>Ask in JSON:<pre>{said}</pre>")

    def search(request: Request) -> Response:
        if request.headers.get("x-api-key") != "7f59":
            return JSONResponse({"error": "key"}, status_code=401)
        size = min(number(request, "page.size", 20), 50)
        shown = part(found_by(request), number(request, "page.from", 0), size)
        found = [{"id": d.key, "title": d.title, "abstract": d.text} for d in shown.rows]
        return JSONResponse({"stats": {"total": shown.total}, "results": found})

    app = Starlette(routes=[Route("/docs", docs), Route("/api/search", search)])
    harvest = harvested(app, tmp_path, "/docs")
    assert len(harvest.documents) >= 0.97 * SIZE
    assert harvest.certificate.truncated_queries == 0


def test_records_known_by_numbers_alone_have_their_own_titles(tmp_path: Path) -> None:
    """A field that is empty in all of them is no title."""

    def docs(request: Request) -> Response:
        links = '<a href="/v1/search?q=file">a search</a> <a href="/v1/objects/1003">an object</a>'
        return HTMLResponse(f"<html lang=en><h1>Collection API</h1><p>Answers in JSON: {links}")

    def search(request: Request) -> Response:
        found = found_by(request)
        return JSONResponse({"total": len(found), "objectIDs": [int(d.key) for d in found] or None})

    def record(request: Request) -> Response:
        found = DOCUMENTS[request.path_params["key"]]
        return JSONResponse(
            {
                "objectID": int(found.key),
                "GalleryNumber": "",
                "title": found.title,
                "repository": "-",
                "description": found.text,
            }
        )

    routes = [("/docs", docs), ("/v1/search", search), ("/v1/objects/{key}", record)]
    harvest = harvested(Starlette(routes=[Route(*each) for each in routes]), tmp_path, "/docs")
    assert len(harvest.documents) >= 0.97 * SIZE
    assert {each.title for each in harvest.documents} <= {each.title for each in TEXTS}


def test_numeric_dates_are_read_in_the_order_that_one_of_them_shows(tmp_path: Path) -> None:
    """Each becomes a date that sorts, also one that by itself could be two days."""
    box = "<form action=/find><input name=q><button>Search</button></form>"
    days = {key: (n % 12 + 1, n % 28 + 1, 2001 + n % 9) for n, key in enumerate(DOCUMENTS)}

    def find(request: Request) -> Response:
        found = found_by(request)
        listed = "".join(
            f'<li><a href="/doc/{d.key}">{html.escape(d.title)}</a> '
            f"<span class=decided>{'/'.join(map(str, days[d.key]))}</span></li>"
            for d in found
        )
        said = f"<p>{len(found)} found</p><ul>{listed}</ul>" if found else "<p>Nothing found."
        return HTMLResponse(f"<html lang=en>{box}{said}")

    front = HTMLResponse(f"<html lang=en>{box}<p>Decisions about files and classes.")
    harvest = harvested(site(front=lambda _: front, find=find), tmp_path)
    read = {each.url.rpartition("/")[2]: each.fields["decided"] for each in harvest.documents}
    assert len(read) >= 0.97 * SIZE
    for key, said in read.items():
        month, day, year = days[key]
        assert said == f"{year}-{month:02}-{day:02}"
