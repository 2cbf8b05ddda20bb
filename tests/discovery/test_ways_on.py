"""Sites whose answers continue in special ways are harvested from their URL only."""

import base64
import html
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import msgspec
import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

import longline
from longline.model import Document
from longline.simulate import Searcher, read_corpus, running_site
from longline.simulate.search import read_query

pytestmark = pytest.mark.slow

FORM = '<form action="/s"><input name=term><input type=submit value=Search></form>'
SIZE = 160

Answer = Callable[[Request], Response]


def drawn() -> list[Document]:
    """Return documents drawn at random from the embedded corpus."""
    corpus = [each for each in read_corpus("docstrings") if each.text]
    places = np.random.default_rng(5).permutation(len(corpus))[:SIZE].tolist()
    return [
        msgspec.structs.replace(corpus[place], key=str(1000 + n), title=corpus[place].title or "-")
        for n, place in enumerate(places)
    ]


DOCUMENTS = {each.key: each for each in drawn()}
TEXTS = list(DOCUMENTS.values())
BOX = Searcher(DOCUMENTS.values(), limit=None, page_size=SIZE, boolean=False)


class Part(NamedTuple):
    """Rows of a page, the total, and whether more follow."""

    rows: list[Document]
    total: int
    more: bool


def words(typed: str) -> list[Document]:
    """Return the documents that hold every word."""
    hits = BOX.search(read_query(typed, boolean=False)).hits if typed.split() else ()
    return [DOCUMENTS[hit.key] for hit in hits]


def together(typed: str) -> list[Document]:
    """Return the documents that contain the typed string."""
    sought = typed.strip().lower()
    return [d for d in DOCUMENTS.values() if sought and sought in f"{d.title} {d.text}".lower()]


def part(found: list[Document], start: int, rows: int = 10) -> Part:
    """Return a page of hits."""
    return Part(found[start : start + rows], len(found), start + rows < len(found))


def number(request: Request, name: str, default: int = 1) -> int:
    """Return a number from the URL's query."""
    return int(request.query_params.get(name, default))


def as_row(document: Document) -> dict[str, str]:
    """Return a row of an interface; its text is on the document's page."""
    return {"id": document.key, "name": document.title, "link": f"/doc/{document.key}"}


def shown(rows: list[Document]) -> str:
    """Return a list of hits."""
    items = (f'<li><a href="/doc/{d.key}">{html.escape(d.title)}</a></li>' for d in rows)
    return f"<ul>{''.join(items)}</ul>" if rows else "<p>Nothing matches.</p>"


def page(body: str) -> Response:
    """Return a page with this body."""
    head = "<!doctype html><html lang=en><title>Library</title>"
    return HTMLResponse(f"{head}<h1>Library</h1>{FORM}{body}")


def says_whether_more(request: Request) -> Response:
    """Only `has_more` shows the end of an answer."""
    at = number(request, "page")
    found = part(words(request.query_params.get("q", "")), 10 * (at - 1))
    return JSONResponse({"data": [*map(as_row, found.rows)], "has_more": found.more, "page": at})


def has_a_cursor(request: Request) -> Response:
    """Pages continue by a cursor, as in GraphQL's connections."""
    start = int(base64.b64decode(request.query_params.get("after", "") or b"MA=="))
    found = part(words(request.query_params.get("q", "")), start)
    cursor = base64.b64encode(str(start + 10).encode()).decode() if found.more else None
    edges = [{"node": as_row(d)} for d in found.rows]
    info = {"hasNextPage": found.more, "endCursor": cursor}
    return JSONResponse({"edges": edges, "pageInfo": info})


def forgets(request: Request) -> Response:
    """`links.next` lacks the search: it continues the list of everything."""
    typed, at = request.query_params.get("q", ""), number(request, "page")
    found = part(words(typed) if typed else [*DOCUMENTS.values()], 10 * (at - 1))
    links = {"next": f"/api?page={at + 1}" if found.more else None}
    rows = [*map(as_row, found.rows)]
    return JSONResponse({"items": rows, "meta": {"count": found.total}, "links": links})


def repeats_its_last(request: Request) -> Response:
    """A page past the end repeats the last one."""
    found = words(request.query_params.get("q", ""))
    at = min(number(request, "page"), max(-(-len(found) // 10), 1))
    rows = [*map(as_row, part(found, 10 * (at - 1)).rows)]
    return JSONResponse({"results": rows, "total": len(found)})


def by_htmx(request: Request) -> Response:
    """An element loads more when it becomes visible; the response is not a complete page."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    found = part(words(typed), 10 * (at - 1))
    onward = f'/s?term={quote(typed)}&amp;page={at + 1}" hx-trigger="revealed'
    rows = shown(found.rows) + (f'<div hx-get="{onward}">Loading</div>' if found.more else "")
    return page(rows) if at == 1 else HTMLResponse(rows)


def by_a_frame(request: Request) -> Response:
    """An element defined by a script loads the next hits from its URL."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    found = part(words(typed), 10 * (at - 1))
    onward = f"/s?term={quote(typed)}&amp;page={at + 1}"
    more = f'<lazy-part src="{onward}" loading=lazy>Loading</lazy-part>' if found.more else ""
    return page(shown(found.rows) + more)


def by_a_button(request: Request) -> Response:
    """A button's own attribute has the URL; there is no total."""
    typed, start = request.query_params.get("term", ""), number(request, "from", 0)
    found = part(words(typed), start, 20)
    onward = f"/s?term={quote(typed)}&amp;from={start + 20}"
    more = f'<button class=more data-url="{onward}">Load more</button>'
    return page(shown(found.rows) + (more if found.more else ""))


def letter_by_letter(request: Request) -> Response:
    """Two words are only found next to each other."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    found = part(together(typed), 10 * (at - 1))
    more = f'<a href="/s?term={quote(typed)}&amp;page={at + 1}">next</a>' if found.more else ""
    return page(shown(found.rows) + more)


def document(request: Request) -> Response:
    """Show a document."""
    one = DOCUMENTS[request.path_params["key"]]
    body = f"<article><h2>{html.escape(one.title)}</h2><p>{html.escape(one.text)}</p></article>"
    return HTMLResponse(f"<html lang=en><nav>Home</nav>{body}<footer>Contact</footer>")


PAGES = (by_htmx, by_a_frame, by_a_button, letter_by_letter)
DATA = (says_whether_more, has_a_cursor, forgets, repeats_its_last)


@pytest.mark.parametrize("answer", [*PAGES, *DATA], ids=lambda answer: answer.__name__)
def test_all_of_a_site_comes_from_its_address(
    answer: Callable[[Request], Response], tmp_path: Path
) -> None:
    """Nearly all documents are held, none is false, and the interval contains the truth."""
    is_page = answer in PAGES
    routes = [Route("/s" if is_page else "/api", answer), Route("/doc/{key}", document)]
    home = [Route("/", lambda request: page(""))] if is_page else []
    with running_site(Starlette(routes=[*routes, *home])) as url:
        start = f"{url}/" if is_page else f"{url}/api?q=time"
        options = {"allow_private": True, "rate": 1000, "max_requests": 1200}
        harvest = longline.harvest(start, tmp_path / "harvest", **options)  # type: ignore[arg-type]
    certificate = harvest.certificate
    held = {each.url.rpartition("/")[2] for each in harvest.documents}
    assert held <= DOCUMENTS.keys()
    assert len(held) >= 0.95 * SIZE
    assert certificate.size_low is not None
    assert certificate.size_low <= SIZE <= (certificate.size_high or SIZE)
    assert not certificate.cuts
