"""Searches that run in the page: the file that a script loads names every document."""

import html
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route
from tests.discovery.test_further_kinds import harvested
from tests.discovery.test_odd_answers import TEXTS, come_once
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, number, part, words
from tests.webs import needs_browser

SEARCH = """
let rows = null;
const box = document.querySelector("#words"), list = document.querySelector("#found");
box.addEventListener("input", async () => {
  rows = rows || await (await fetch("/static/parts.5baff42c.json")).json();
  const word = box.value.toLowerCase();
  list.innerHTML = "";
  for (const row of rows.filter(r => r.content.toLowerCase().includes(word)).slice(0, 10)) {
    const link = document.createElement("a");
    link.href = row.routePath + ".html";
    link.textContent = row.title;
    list.appendChild(document.createElement("li")).appendChild(link);
  }
});
"""


def front(request: Request) -> HTMLResponse:
    """A box without a form, and nothing that names the file."""
    return HTMLResponse(
        "<!doctype html><html lang=en><title>Notes</title><h1>Notes</h1>"
        "<input id=words type=search placeholder=Search><ul id=found></ul>"
        f"<script>{SEARCH}</script>"
    )


def parts(request: Request) -> JSONResponse:
    """URLs have a custom name, and lack their ending."""
    return JSONResponse(
        [
            {"id": n, "title": d.title, "content": d.text, "routePath": f"/a/note-{d.key}"}
            for n, d in enumerate(TEXTS)
        ]
    )


def note(request: Request) -> HTMLResponse:
    """A document's own page."""
    key = request.path_params["name"].removeprefix("note-").removesuffix(".html")
    if key not in DOCUMENTS or not request.url.path.endswith(".html"):
        return HTMLResponse("not found", 404)
    d = DOCUMENTS[key]
    return HTMLResponse(f"<h1>{html.escape(d.title)}</h1><main>{html.escape(d.text)}</main>")


ROWS = """
const box = document.querySelector("#words"), list = document.querySelector("#found");
const held = load();
box.addEventListener("input", async () => {
  const word = box.value.toLowerCase(), rows = (await held).entries;
  list.innerHTML = "";
  for (const row of rows.filter(r => (r.heading + r.story).toLowerCase().includes(word))) {
    const item = list.appendChild(document.createElement("li"));
    item.textContent = row.heading;
    item.addEventListener("click", () => { document.querySelector("dialog").show(); });
  }
});
"""
HANDED = "const kept = %s; function load() { return kept; }"
LOADED = "async function load() { return (await fetch('/data/all.json')).json(); }"

NAMED = """
fetch("/data/names.json").then(sent => sent.json()).then(names => {
  const all = document.body.appendChild(document.createElement("ul"));
  for (const name of names)
    all.appendChild(document.createElement("li")).textContent = name.heading;
});
"""


def entries(request: Request) -> JSONResponse:
    """Rows without URLs, among other data of the page."""
    rows = [{"nr": n, "heading": d.title, "story": d.text} for n, d in enumerate(TEXTS)]
    return JSONResponse({"menu": [{"name": "Home"}, {"name": "About"}], "entries": rows})


def names(request: Request) -> JSONResponse:
    """A list in the page from the start, without any text."""
    return JSONResponse([{"nr": n, "heading": d.title} for n, d in enumerate(TEXTS)])


def shown_in_place(request: Request) -> HTMLResponse:
    """Documents open within the page, and have no URL."""
    is_handed = request.url.path == "/handed"
    held = entries(request).body.decode().replace("<", "\\u003c")
    script = HANDED % held if is_handed else LOADED
    if request.url.path == "/named":
        script = HANDED % held + NAMED
    if request.url.path == "/asked":
        script = LOADED.replace("/data/all.json", "/api/all")
    return HTMLResponse(
        "<!doctype html><html lang=en><title>Stories</title><h1>Stories</h1><dialog></dialog>"
        "<input id=words type=search placeholder=Search><ul id=found></ul>"
        f"<script>{script}</script><script>{ROWS}</script>"
    )


PARTS = """
const form = document.querySelector("form"), list = document.querySelector("#found");
form.addEventListener("submit", async event => {
  event.preventDefault();
  const at = "/s?q=" + encodeURIComponent(form.q.value);
  list.innerHTML = await (await fetch(at, {headers: {"X-Part": "true"}})).text();
  history.pushState(null, "", at);
});
"""


def in_parts(request: Request) -> HTMLResponse:
    """One URL: the page itself, or hits for a script that sends a header."""
    if request.headers.get("x-part") != "true":
        return HTMLResponse(
            "<!doctype html><html lang=en><title>Record</title><h1>Record</h1><form action=/s>"
            f"<input name=q type=search></form><ul id=found></ul><script>{PARTS}</script>"
        )
    typed, at = request.query_params.get("q", ""), number(request, "page")
    found = part(words(typed), 10 * (at - 1))
    rows = "".join(
        f'<li><a href="/a/note-{d.key}.html">{html.escape(d.title)}</a></li>' for d in found.rows
    )
    onward = f'<div hx-get="/s?q={quote(typed)}&amp;page={at + 1}" hx-trigger="revealed">...</div>'
    return HTMLResponse(f"<p>{found.total} found</p>{rows}{onward if found.more else ''}")


@pytest.mark.slow
@needs_browser
def test_parts_of_a_page_are_asked_for_as_its_script_does(tmp_path: Path) -> None:
    """The header that distinguishes parts from the page is always sent, without a browser."""
    routes = [Route("/", in_parts), Route("/s", in_parts), Route("/a/{name}", note)]
    certificate, documents = harvested(routes, "/", tmp_path)
    come_once(documents)
    assert certificate.requests < 3 * SIZE


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("way", ["handed", "loaded", "asked", "named"])
def test_rows_that_a_page_filters_are_read(way: str, tmp_path: Path) -> None:
    """The rows are read from data in the page or loaded by it, if no word is sent for them.

    The list of an interface is not called complete: it may leave out others.
    """
    routes = [Route(path, entries) for path in ("/data/all.json", "/api/all")]
    routes += [Route("/data/names.json", names), Route("/{way}", shown_in_place)]
    certificate, documents = harvested(routes, f"/{way}", tmp_path)
    come_once(documents)
    is_whole = way != "asked"
    assert certificate.outcome == ("complete" if is_whole else "partial")
    assert certificate.size == (SIZE if is_whole else None)


@pytest.mark.slow
@needs_browser
def test_a_file_under_names_of_its_own_is_read(tmp_path: Path) -> None:
    """All documents are read from the file, without typing into the box."""
    routes = [
        Route("/", front),
        Route("/static/parts.5baff42c.json", parts),
        Route("/a/{name}", note),
    ]
    certificate, documents = harvested(routes, "/", tmp_path)
    come_once(documents)
    assert (certificate.outcome, certificate.size) == ("complete", SIZE)
