"""A form that is sent by POST, beside links to searches; answers on tabs that also send a size."""

import html
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import found_by
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, document, number, part

import longline
from longline.simulate import running_site

pytestmark = pytest.mark.slow

KINDS = ("REP", "MIN", "COR")
KIND = {key: KINDS[n % 3] for n, key in enumerate(DOCUMENTS)}
FREQUENT = ("return", "object", "file", "class")


def front(request: Request) -> Response:
    """Offer a form that is sent by POST, and searches that others have made."""
    form = "<form action=/go method=post><input type=hidden name=state value=x1>"
    form += "<input name=words type=search><button>Search</button></form>"
    links = "".join(f'<li><a href="/results?q={word}">{word}</a>' for word in FREQUENT)
    return HTMLResponse(f"<html lang=en>{form}<h2>Frequent searches</h2><ul>{links}</ul>")


def results(request: Request) -> Response:
    """List one kind, with a tab for each."""
    given = request.query_params
    kind = given.get("kind") if given.get("kind") in KINDS else "REP"
    every = found_by(request) if given.get("q") else []
    shown = part(
        [each for each in every if KIND[each.key] == kind], number(request, "first", 0), 10
    )
    asked = f"/results?q={html.escape(given.get('q', ''))}"
    tabs = "".join(
        f'<li role=tab><a href="{asked}&kind={each}&rows=10">{each} '
        f"({sum(KIND[d.key] == each for d in every)})</a></li>"
        for each in KINDS
    )
    rows = "".join(
        f'<tr><td><a href="/doc/{d.key}">{html.escape(d.title)}</a></td></tr>' for d in shown.rows
    )
    after = f"{asked}&kind={kind}&rows=10&first={number(request, 'first', 0) + 10}"
    more = f'<a href="{after}">Next</a>' if shown.more else ""
    return HTMLResponse(
        f"<html lang=en><ul>{tabs}</ul><p>{shown.total} found</p><table>{rows}</table>{more}"
    )


def test_linked_searches_show_how_to_search_without_the_form(tmp_path: Path) -> None:
    """All three tabs are harvested; the form itself may change something and is not sent."""
    sent = Route("/go", lambda request: RedirectResponse("/results", 302), methods=["POST"])
    routes = [Route("/", front), sent, Route("/results", results), Route("/doc/{key}", document)]
    with running_site(Starlette(routes=routes)) as url:
        harvest = longline.harvest(f"{url}/", tmp_path / "h", allow_private=True, rate=1000)
    assert len(harvest.documents) >= 0.97 * SIZE
