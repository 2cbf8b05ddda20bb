"""Hits opened by scripts, words posted with a token of each visit, links inside of cells."""

import html
import json
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, document, number, part, words
from tests.webs import needs_browser

import longline
from longline.model import Document
from longline.simulate import running_site

pytestmark = [pytest.mark.slow, needs_browser]

OPENS = """
document.addEventListener('click', event => {
    const hit = event.target.closest('[data-record]');
    if (hit) {
        event.preventDefault();
        location.href = '/record?from=list&id=' + encodeURIComponent(hit.dataset.record);
    }
});
"""
FORM = "<form action=/find><input type=search name=q><button>Search</button></form>"


def pressed(request: Request) -> Response:
    """Hits without addresses: a script in a file of its own opens them."""
    if "q" not in request.query_params:
        return HTMLResponse(f"<html lang=en><h1>Catalogue</h1>{FORM}")
    at = number(request, "page")
    found = part(words(request.query_params["q"]), 20 * at - 20, 20)
    rows = "".join(
        f'<div class=hit data-record="rec:{d.key}"><a href="#">{html.escape(d.title)}</a></div>'
        for d in found.rows
    )
    query = f"q={request.query_params['q']}&page={at + 1}"
    onward = f"<a rel=next href='/find?{query}'>Next</a>" if found.more else ""
    script = "<script src=/opens.js></script>"
    return HTMLResponse(f"<html lang=en>{FORM}<p>{found.total} found</p>{rows}{onward}{script}")


def record(request: Request) -> Response:
    """Show the document of a record."""
    kind, _, key = request.query_params.get("id", "").partition(":")
    d = DOCUMENTS.get(key) if kind == "rec" else None
    if d is None:
        return Response(status_code=404)
    body = f"<h1>{html.escape(d.title)}</h1><div class=text>{html.escape(d.text)}</div>"
    return HTMLResponse(f"<html lang=en><nav>Home</nav>{body}")


def harvested(routes: list[Route], folder: Path, *, post: bool = False) -> list[Document]:
    """Return the documents of a site, harvested from its front page."""
    with running_site(Starlette(routes=routes)) as url:
        harvest = longline.harvest(
            f"{url}/", folder, allow_private=True, rate=1000, max_requests=2000, post=post
        )
    return list(harvest.documents)


def with_texts(documents: list[Document]) -> int:
    """Return how many documents have their own text."""
    own = {" ".join(d.text.split()) for d in DOCUMENTS.values()}
    return sum(any(text in " ".join(each.text.split()) for text in own) for each in documents)


def test_a_hit_that_a_script_opens_is_pressed(tmp_path: Path) -> None:
    """Where one press leads, all documents are found, and asked for without a browser."""
    routes = [
        *(Route(path, pressed) for path in ("/", "/find")),
        Route("/opens.js", lambda _: Response(OPENS, media_type="text/javascript")),
        Route("/record", record),
    ]
    documents = harvested(routes, tmp_path / "h")
    assert len(documents) >= 0.95 * SIZE
    assert with_texts(documents) >= 0.95 * len(documents)


POSTS = """
<input id=words type=search><button id=go>Search</button><ol id=list></ol><script>
const begun = fetch('/begin', {method: 'POST'}).then(r => r.json());
document.querySelector('#words').onkeydown = async event => {
    if (event.key != 'Enter') return;
    const {token} = await begun;
    const found = await fetch('/search', {method: 'POST', headers: {'X-Csrf': token},
        body: JSON.stringify({words: event.target.value})}).then(r => r.json());
    document.querySelector('#list').innerHTML = found.map(
        row => `<li><a href="/doc/${row.id}">${row.name}</a></li>`).join('');
};
</script>"""


def test_words_are_posted_with_the_token_of_each_visit(tmp_path: Path) -> None:
    """Where each visit needs a token of its own, the page itself sends the words, if allowed."""
    tokens: list[str] = []

    def begin(request: Request) -> Response:
        tokens.append(f"token{len(tokens) * 7919}")
        return JSONResponse({"token": tokens[-1]})

    async def search(request: Request) -> Response:
        token = request.headers.get("x-csrf", "")
        if token not in tokens:
            return Response(status_code=403)
        tokens.remove(token)
        found = words(json.loads(await request.body())["words"])[:40]
        return JSONResponse([{"id": d.key, "name": html.escape(d.title)} for d in found])

    page = f"<html lang=en><h1>Decisions of the courts since 1950</h1>{POSTS}"
    routes = [
        Route("/", lambda _: HTMLResponse(page)),
        Route("/begin", begin, methods=["POST"]),
        Route("/search", search, methods=["POST"]),
        Route("/doc/{key}", document),
    ]
    with running_site(Starlette(routes=routes)) as url:
        found = longline.discover(f"{url}/", allow_private=True, rate=1000, post=True)
        assert found.spec.ask.form is not None
        assert found.spec.ask.form.post
        found.save(tmp_path / "source.toml")
        harvest = longline.harvest(
            tmp_path / "source.toml",
            tmp_path / "h",
            allow_private=True,
            rate=1000,
            max_documents=40,
        )
    assert len(harvest.documents) >= 40


TABLE = """
<table id=log></table><script>
const load = words => fetch('/rows', {method: 'POST', body: new URLSearchParams(
    {start: 0, length: 20, words})}).then(r => r.json()).then(found => {
    document.querySelector('#log').innerHTML = found.data.map(
        row => '<tr>' + row.map(cell => `<td>${cell}</td>`).join('') + '</tr>').join('');
});
document.querySelector('h1').insertAdjacentHTML('afterend', '<input type=search>');
document.querySelector('input').oninput = event => load(event.target.value);
load('');
</script>"""


async def rows(request: Request) -> Response:
    """Rows of a table, as lists of pieces of HTML."""
    sent = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
    found = words(sent["words"]) if sent.get("words") else list(DOCUMENTS.values())
    start = int(sent.get("start", 0))
    length = min(int(sent.get("length", 20)), 100)
    cells = [
        [d.key, f"<a href='/doc/{d.key}'>{html.escape(d.title)}</a>", "2024"]
        for d in found[start : start + length]
    ]
    return JSONResponse({"data": cells, "recordsFiltered": len(found)})


def test_a_table_behind_a_menu_is_read_with_the_links_in_its_cells(tmp_path: Path) -> None:
    """A page with a script of its own draws the box; cells of its data hold links as HTML."""
    menu = "<ul><li><a href=/about>About us</a><li><a href=/log>Log of disclosures</a></ul>"
    page = f"<html lang=en><h1>Log</h1>{menu}<script src=/table.js></script>{TABLE}"
    routes = [
        Route("/", lambda _: HTMLResponse(f"<html lang=en><h1>The board</h1>{menu}<p>Welcome.")),
        Route("/about", lambda _: HTMLResponse(f"<html lang=en><h1>About</h1>{menu}<p>We are.")),
        Route("/log", lambda _: HTMLResponse(page)),
        Route("/table.js", lambda _: Response("", media_type="text/javascript")),
        Route("/rows", rows, methods=["POST"]),
        Route("/doc/{key}", document),
    ]
    documents = harvested(routes, tmp_path / "h", post=True)
    assert len(documents) == SIZE
    assert with_texts(documents) >= 0.95 * SIZE
