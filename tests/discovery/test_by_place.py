"""Links of hits with a position in a search's answer: by the search's number, or its words."""

import html
from pathlib import Path
from urllib.parse import parse_qs, quote

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import harvested
from tests.discovery.test_odd_answers import come_once
from tests.discovery.test_ways_on import number, part, words

from longline.model import Document
from longline.text.numbers import counted

pytestmark = pytest.mark.slow

SEARCHES: list[list[Document]] = []
"""The searches of a catalogue that numbers them and keeps their hits."""

BOX = (
    "<form action=/cmd><select name=order><option value=rel>relevance<option value=year>year"
    "</select><input name=words><button>Search</button></form>"
)


def page(body: str) -> Response:
    """Return a page with this body."""
    return HTMLResponse(f"<!doctype html><html lang=en><title>Catalogue</title>{BOX}{body}")


def record(document: Document) -> Response:
    """Show one document."""
    title, text = html.escape(document.title), html.escape(document.text)
    return page(f"<table><tr><th>Title<td>{title}<tr><th>Abstract<td>{text}</table>")


def command(request: Request) -> Response:
    """Search, store the hits under a number, and show a single hit directly."""
    found = words(request.query_params.get("words", ""))
    if request.query_params.get("order") == "year":
        found = found[::-1]
    SEARCHES.append(found)
    if len(found) == 1:
        return RedirectResponse(f"/set={len(SEARCHES)}/show?at=1")
    return listed(len(SEARCHES), 1)


def onwards(request: Request) -> Response:
    """Show a further page of a stored search."""
    return listed(request.path_params["search"], number(request, "at"))


def listed(search: int, first: int) -> Response:
    """Show ten hits of a stored search, each with its position."""
    shown = part(SEARCHES[search - 1], first - 1)
    if not shown.rows:
        return page("<p>Your search found nothing.</p>")
    rows = "".join(
        f'<tr><td>{at}.</td><td><a href="/set={search}/show?at={at}">{html.escape(d.title)}</a>'
        f" / {1900 + int(d.key) % 90}</td></tr>"
        for at, d in enumerate(shown.rows, start=first)
    )
    onward = f'<a href="/set={search}/next?at={first + 10}">next page</a>' if shown.more else ""
    return page(f"<div>results {first} of {shown.total}</div><table>{rows}</table>{onward}")


def shown(request: Request) -> Response:
    """Show the hit at a position of a stored search."""
    return record(SEARCHES[request.path_params["search"] - 1][number(request, "at") - 1])


def summary(request: Request) -> Response:
    """Search by query parameters, with further pages by path parameters."""
    held = parse_qs(request.path_params.get("rest", "").replace(";", "&"))
    typed = request.query_params.get("words", "") or held.get("words", [""])[0]
    at = int(held.get("page", ["0"])[0])
    found = part(words(typed), 10 * at)
    own = f"page={at};words={quote(typed)}"
    rows = "".join(
        f'<div class=hit><b>{10 * at + place}.</b> <a href="/display;{own};rec={place}">'
        f"{html.escape(d.title)}</a> <i>Questions</i></div>"
        for place, d in enumerate(found.rows)
    )
    onward = f'<a href="/cmd;page={at + 1};words={quote(typed)}">Next</a>' if found.more else ""
    said = counted(found.total, "result") if found.rows else "Your search found nothing."
    return page(f"<p>{said}</p>{rows}{onward}")


def display(request: Request) -> Response:
    """Show the hit at a position of a page of some words."""
    held = parse_qs(request.path_params["rest"].replace(";", "&"))
    place = 10 * int(held["page"][0]) + int(held["rec"][0])
    return record(words(held["words"][0])[place])


NUMBERED = [
    Route("/cmd", command),
    Route("/set={search:int}/next", onwards),
    Route("/set={search:int}/show", shown),
]
IN_THE_PATH = [
    Route("/cmd", summary),
    Route("/cmd;{rest}", summary),
    Route("/display;{rest}", display),
]


@pytest.mark.parametrize("routes", [NUMBERED, IN_THE_PATH], ids=["numbered", "in the path"])
def test_documents_come_once_though_their_addresses_change(
    routes: list[Route], tmp_path: Path
) -> None:
    """Hits are distinguished by their description, and read through the search's links."""
    SEARCHES.clear()
    front = Route("/", lambda request: page(""))
    certificate, documents = harvested([front, *routes], "/", tmp_path)
    come_once(documents)
    assert certificate.outcome == "complete"
