"""Habits of published programs: bookmarks, feeds, wikis, as their administrators install them."""

import html
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.discovery.test_first_met import harvested, rows, site
from tests.discovery.test_further_kinds import found_by
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, TEXTS, number, part

pytestmark = pytest.mark.slow

PARAGRAPHS = "".join(f"<p>Of this, part {n} says what the others leave open. " * 3 for n in "1234")


def listed(request: Request) -> tuple[str, list[str], str]:
    """Return the words, the keys on a page of 10, and the parameters of the next page or ""."""
    typed = html.escape(request.query_params.get("q", ""))
    at = number(request, "page", 1)
    shown = part(found_by(request) if typed else TEXTS, 10 * (at - 1), 10)
    onward = f"q={typed}&page={at + 1}" if shown.more else ""
    return typed, [each.key for each in shown.rows], onward


def test_a_document_is_shown_beside_its_list(tmp_path: Path) -> None:
    """The box is a web component; details open on the list's own page, and keep its parameters."""
    box = "<form role=search><sl-input name=q placeholder=Words></sl-input><button>Search</button>"

    def marks(request: Request) -> Response:
        typed, keys, onward = listed(request)
        at = f"&page={request.query_params['page']}" if "page" in request.query_params else ""
        hits = "".join(
            f'<li class=mark><a href="https://elsewhere.example/{key}">'
            f"{html.escape(DOCUMENTS[key].title)}</a><p>{html.escape(DOCUMENTS[key].text[:60])}</p>"
            f'<a class=view href="?q={typed}&details={key}{at}">View</a></li>'
            for key in keys
        )
        on = f'<a href="?{onward}">Next</a>' if onward else ""
        listing = f"<main><h1>Marks</h1><ul>{hits}</ul>{on}</main>"
        found = DOCUMENTS.get(request.query_params.get("details", ""))
        opened = "" if found is None else f"<h2>{html.escape(found.title)}</h2>"
        opened += "" if found is None else f"<div class=notes>{html.escape(found.text)}</div>"
        modal = f"<div class=modal><div class=modal-body>{opened}</div></div>" if opened else ""
        return HTMLResponse(f"<html lang=en>{box}</form>{listing}{modal}")

    harvest = harvested(site(front=marks), tmp_path)
    assert SIZE >= len(harvest.documents) >= 0.97 * SIZE
    own = [
        DOCUMENTS[each.url.partition("details=")[2].partition("&")[0]] for each in harvest.documents
    ]
    texts = [each.text.split() for each in harvest.documents]
    assert all(o.text.split()[-3:] == t[-3:] for o, t in zip(own, texts, strict=True))
    assert sum(map(len, texts)) < 1.3 * sum(len(f"{o.title} {o.text}".split()) for o in own)


def test_texts_in_hits_that_lead_elsewhere_are_whole(tmp_path: Path) -> None:
    """More rows come by a button whose address only a script reads; other hosts do not answer."""

    def feed(request: Request) -> Response:
        typed, keys, onward = listed(request)
        hits = "".join(
            f'<div class=flux><a class=title href="http://elsewhere.invalid/{key}">'
            f"{html.escape(DOCUMENTS[key].title)}</a><div class=text>"
            f"<p>{html.escape(DOCUMENTS[key].text)}</p>{PARAGRAPHS[: 40 * (int(key) % 20)]}<p>End."
            "</div></div>"
            for key in keys
        )
        more = f'<button id=more type=submit formaction="/?{onward}">Load more articles</button>'
        box = f'<form action="/"><input type=search name=q value="{typed}"></form>'
        page = f"{hits}{more if onward else ''}" if hits else "<p>There are no articles."
        return HTMLResponse(f"<html lang=en>{box}<div id=stream>{page}</div>")

    harvest = harvested(site(front=feed), tmp_path)
    assert len(harvest.documents) >= 0.97 * SIZE
    assert harvest.certificate.cut_texts == 0
    assert all(each.text.split()[-1] == "End." for each in harvest.documents)


def test_an_overview_among_the_first_hits_does_not_make_texts_whole_pages(tmp_path: Path) -> None:
    """It lists all topics, and is what most words find first."""
    menu = "<ul id=menu><li><a href=/help>Help</a><li><a href=/about>About the wiki</a></ul>"
    box = "<form action=/find><input name=q><button>Search</button></form>"

    def find(request: Request) -> Response:
        typed, keys, onward = listed(request)
        if not typed or not keys:
            return HTMLResponse(f"<html lang=en>{box}<p>No topics")
        changes = '<li><a href="/topic/changes">Changes of all topics</a></li>'
        first = changes * (number(request, "page", 1) == 1)
        on = f'<a href="?{onward}">Next</a>' if onward else ""
        hits = rows([DOCUMENTS[key] for key in keys]).replace("/doc/", "/topic/")
        page = hits.replace("<ol class=hits>", f"<ol class=hits>{first}")
        return HTMLResponse(f"<html lang=en>{box}{page}{on}")

    def topic(request: Request) -> Response:
        found = DOCUMENTS.get(request.path_params["key"])
        if found is None:
            every = "".join(f"<tr><td>{html.escape(d.title)}<td>{d.text[:90]}" for d in TEXTS)
            return HTMLResponse(f"<html lang=en>{menu}<table><tr><th>All{every}</table>")
        head = f"<h1>{html.escape(found.title)}</h1>"
        text = f"<div class=topic>{head}<p>{html.escape(found.text * 3)}</p></div>"
        return HTMLResponse(f"<html lang=en>{menu}{text}<p>Edited on day {found.key}")

    routes = [
        Route("/", lambda _: HTMLResponse(f"<html lang=en>{box}<p>A wiki about words.")),
        Route("/find", find),
        Route("/topic/{key}", topic),
    ]
    harvest = harvested(Starlette(routes=routes), tmp_path)
    assert len(harvest.documents) >= 0.97 * SIZE
    assert not any("About the wiki" in each.text for each in harvest.documents)
