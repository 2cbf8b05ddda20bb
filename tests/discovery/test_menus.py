"""Menus beside documents, indexes of parts, and pages that a script draws behind a link."""

import html
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import harvested
from tests.discovery.test_odd_answers import TEXTS, come_once
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, words
from tests.webs import needs_browser

from longline.model import Document

PARTS = ("guide", "reference", "howto", "security")


def part_of(d: Document) -> str:
    """Return the part of the site that a document is in."""
    return PARTS[int(d.key) % len(PARTS)]


def front(request: Request) -> Response:
    """The menu names each part twice, and a button leads to the first one once more."""
    menu = "".join(f'<a class=nav href="/{part}/">{part.title()}</a>' for part in PARTS)
    start = '<main><p>Welcome.</p><a class="nav button" href="/guide/">Start</a></main>'
    return HTMLResponse(
        f"<html lang=en><title>Handbook</title><nav>{menu}</nav><aside>{menu}</aside>{start}"
    )


def with_a_menu(part: str, body: str) -> Response:
    """Beside a page is a menu of its part, which also names the part's own first page."""
    named = [f'<li><a class=item href="/{part}/">{part.title()}</a></li>'] + [
        f'<li><a class=item href="/{part}/{d.key}">{html.escape(d.title)}</a></li>'
        for d in TEXTS
        if part_of(d) == part
    ]
    menu = "".join(f'<a class=nav href="/{each}/">{each.title()}</a>' for each in PARTS)
    return HTMLResponse(
        f"<html lang=en><title>Handbook</title><nav>{menu}</nav>"
        f"<aside><ul class=menu>{''.join(named)}</ul></aside><div class=page>{body}</div>"
    )


def first_of_part(request: Request) -> Response:
    """A page that says nothing of its own."""
    return with_a_menu(request.path_params["part"], "<p>The menu has the pages of this part.</p>")


def in_its_part(request: Request) -> Response:
    """A document, beside the menu of its part."""
    d = DOCUMENTS[request.path_params["key"]]
    body = f"<h1>{html.escape(d.title)}</h1><div class=text>{html.escape(d.text)}</div>"
    return with_a_menu(request.path_params["part"], body)


@pytest.mark.slow
def test_a_menu_is_no_text(tmp_path: Path) -> None:
    """Menus name all documents, and no text contains the titles of the others."""
    routes = [
        Route("/", front),
        Route("/{part}/", first_of_part),
        Route("/{part}/{key}", in_its_part),
    ]
    _, documents = harvested(routes, "/", tmp_path)
    held = [each for each in documents if each.url.rpartition("/")[2] in DOCUMENTS]
    come_once(held)
    own = {key: len(d.text) + len(d.title) for key, d in DOCUMENTS.items()}
    assert all(len(each.text) < own[each.url.rpartition("/")[2]] + 50 for each in held)


def of_kinds(request: Request) -> Response:
    """Links of a part have a class for each of three kinds; one page names all of them."""
    part = request.path_params.get("part", "")
    listed = [d for d in TEXTS if part_of(d) == part] if part else []
    kinds = ("struct", "enum", "trait")
    sections = "".join(
        f"<h2>{kind}</h2><dl>"
        + "".join(
            f'<dt><a class={kind} href="/{part}/{d.key}">{html.escape(d.title)}</a></dt>'
            f"<dd>{html.escape(d.text[:60])}</dd>"
            for d in listed
            if int(d.key) // len(PARTS) % len(kinds) == n
        )
        + "</dl>"
        for n, kind in enumerate(kinds)
    )
    index = "".join(f'<dt><a class=mod href="/{each}/">{each}</a></dt>' for each in PARTS)
    body = sections if part else f"<dl>{index}</dl>"
    return HTMLResponse(f"<html lang=en><nav><a href=/all.html>All Items</a></nav>{body}")


def all_items(request: Request) -> Response:
    """Every document by its title alone."""
    named = "".join(
        f'<li><a href="/{part_of(d)}/{d.key}">{html.escape(d.title)}</a></li>' for d in TEXTS
    )
    return HTMLResponse(f"<html lang=en><h1>List of all items</h1><ul class=all>{named}</ul>")


def plain(request: Request) -> Response:
    """A document."""
    d = DOCUMENTS[request.path_params["key"]]
    return HTMLResponse(f"<main><h1>{html.escape(d.title)}</h1><p>{html.escape(d.text)}</main>")


@pytest.mark.slow
def test_a_page_that_names_more_than_an_index_is_read(tmp_path: Path) -> None:
    """All are held, although links of one kind alone look like the hits of the index."""
    routes = [
        Route("/", of_kinds),
        Route("/all.html", all_items),
        Route("/{part}/", of_kinds),
        Route("/{part}/{key}", plain),
    ]
    _, documents = harvested(routes, "/", tmp_path)
    come_once(documents)
    assert len(documents) == SIZE


SCRIPT = """
const root = document.querySelector("#root");
root.innerHTML = "<input type=search id=words><ul id=found></ul>";
root.querySelector("#words").addEventListener("keydown", async event => {
  if (event.key != "Enter") return;
  const rows = await (await fetch("/api/find?q=" + encodeURIComponent(event.target.value))).json();
  root.querySelector("#found").innerHTML = rows.hits.map(row =>
    `<li><a href="${row.href}">${row.title}</a></li>`).join("");
});
"""


def newspaper(request: Request) -> Response:
    """Each part names its newest alone; the search is a page that a script draws."""
    part = request.path_params.get("part", "")
    newest = [d for d in TEXTS if part_of(d) == part][:9]
    named = "".join(
        f'<article><a href="/{part}/{d.key}">{html.escape(d.title)}</a></article>' for d in newest
    )
    menu = "".join(f'<li><a href="/{each}/">{each.title()}</a></li>' for each in PARTS)
    return HTMLResponse(
        f"<html lang=en><nav><ul>{menu}</ul></nav><a href=/search/>Search</a><main>{named}</main>"
    )


def drawn(request: Request) -> Response:
    """Nothing is here without the script."""
    return HTMLResponse(f"<html lang=en><div id=root></div><script>{SCRIPT}</script>")


def found(request: Request) -> Response:
    """What a search finds."""
    rows = words(request.query_params.get("q", ""))
    hits = [{"id": d.key, "title": d.title, "href": f"/{part_of(d)}/{d.key}"} for d in rows]
    return JSONResponse({"hits": hits, "total": len(hits)})


@pytest.mark.slow
@needs_browser
def test_a_search_that_a_script_draws_goes_before_the_newest(tmp_path: Path) -> None:
    """All are held, not only the newest of each part."""
    routes = [
        Route("/", newspaper),
        Route("/search/", drawn),
        Route("/api/find", found),
        Route("/{part}/", newspaper),
        Route("/{part}/{key}", plain),
    ]
    _, documents = harvested(routes, "/", tmp_path)
    come_once(documents)


def with_an_opener(request: Request) -> Response:
    """The newest of each part, and a button by which a script shows a box."""
    shown = bytes(newspaper(request).body).decode().replace("<a href=/search/>Search</a>", "")
    opened = f"document.querySelector('button').onclick = () => {{{SCRIPT}}};"
    box = "<button type=button>Click here to search</button><div id=root></div>"
    return HTMLResponse(f"{shown}{box}<script>{opened}</script>")


@pytest.mark.slow
@needs_browser
def test_a_box_that_a_button_opens_goes_before_the_newest(tmp_path: Path) -> None:
    """All are held, not only the newest of each part."""
    routes = [
        Route("/", with_an_opener),
        Route("/api/find", found),
        Route("/{part}/", newspaper),
        Route("/{part}/{key}", plain),
    ]
    _, documents = harvested(routes, "/", tmp_path)
    come_once(documents)
