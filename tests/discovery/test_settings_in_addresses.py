"""Searches whose words or settings stand in addresses in ways of their own."""

import html
from pathlib import Path
from urllib.parse import unquote_plus

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from tests.discovery.offered.kit import as_page, drawn, harvested, titles

import longline
from longline.simulate import running_site

DOCUMENTS = drawn(150)
SIZE, RECENT, WIDTH = len(DOCUMENTS), 40, 10

FORM = """<form action=/search.php><input name=search><input name=author>
<select name=rows><option value=0 selected>Messages</option><option value=1>Threads</option>
</select>
<select name=days><option value=30 selected>Last 30 days</option><option value=0>All dates</option>
</select><input type=submit value=Search></form>"""


def found(words: str, days: str, rows: str) -> list[int]:
    """Return messages, the newest first; as threads, the first message of each three."""
    sought = words.lower().split()
    if not any(len(word) > 3 for word in sought):
        return []
    since = SIZE - RECENT if days == "30" else 0
    numbers = [
        n
        for n, d in enumerate(DOCUMENTS)
        if n >= since and all(w in f"{d.title} {d.text}".lower() for w in sought)
    ]
    return sorted({n - n % 3 for n in numbers} if rows == "1" else numbers, reverse=True)


def search(request: Request) -> Response:
    """Lead a form's search to its own address, and answer that."""
    given = request.query_params
    if "days" in given:
        settings = (
            f"search={given['search']},author=,page=1,rows={given['rows']},days={given['days']}"
        )
        return RedirectResponse(f"/search.php?0,{settings}", status_code=302)
    parts = (part.partition("=") for part in request.url.query.split(","))
    sent = {name: unquote_plus(value) for name, _, value in parts}
    if "search" not in sent:
        return HTMLResponse(f"<html lang=en><title>Search</title>{FORM}")
    numbers, page = found(sent["search"], sent["days"], sent["rows"]), int(sent["page"])
    rows = "".join(
        f'<div class=hit><h4><a href="/p/{n}">{html.escape(DOCUMENTS[n].title)}</a></h4>'
        f"<p>{html.escape(DOCUMENTS[n].text[:150])}</p></div>"
        for n in numbers[(page - 1) * WIDTH : page * WIDTH]
    )
    after = request.url.query.replace(f"page={page}", f"page={page + 1}")
    more = f'<a href="/search.php?{after}">Next</a>' if page * WIDTH < len(numbers) else ""
    told = f"<p class=n>{len(numbers)} results</p>" if numbers else "<p>No messages were found.</p>"
    return HTMLResponse(f"<html lang=en><title>Search</title>{told}{rows}{more}{FORM}")


@pytest.mark.slow
def test_settings_between_commas_are_set_to_the_widest(tmp_path: Path) -> None:
    """All dates are searched, and threads of older messages are no reason to refuse the form."""
    routes = [
        Route("/search.php", search),
        Route("/p/{n:int}", lambda r: HTMLResponse(as_page(DOCUMENTS[r.path_params["n"]]))),
    ]
    harvest = harvested(Starlette(routes=routes), tmp_path, "/search.php")
    assert len(titles(harvest)) >= 0.95 * SIZE, harvest.certificate.stopped


def test_titles_that_several_hits_share_are_not_passed_over_for_authors() -> None:
    """The text of a link is the title, though each hit has another author."""
    names = [
        f"{given}, {family}"
        for given in ["Ash", "Elm", "Yew", "Oak", "Fir", "Bay", "Box", "Fig", "Hop", "Ivy"]
        for family in "BCDFGHKLMNPRSTVW"
    ]

    def listed(request: Request) -> Response:
        sought = request.query_params.get("q", "").lower()
        rows = "".join(
            f'<tr><td><a href="/p/{n}">{html.escape(DOCUMENTS[n % 9].title)}</a>'
            f"<td>{names[n % len(names)]}"
            for n in range(SIZE)
            if sought in DOCUMENTS[n].text.lower()
        )
        table = f"<table><tr><th>Title<th>Author{rows}</table>" if rows else "<p>Nothing</p>"
        form = "<form action=/><input name=q type=search><input type=submit value=Search></form>"
        return HTMLResponse(f"<html lang=en><title>Theses</title>{form}{table}")

    routes = [
        Route("/", listed),
        Route("/p/{n:int}", lambda r: HTMLResponse(as_page(DOCUMENTS[r.path_params["n"]]))),
    ]
    with running_site(Starlette(routes=routes)) as url:
        spec = longline.discover(url, allow_private=True).spec
    assert spec.results.title == "css:a"


def test_a_box_without_a_form_is_asked_by_the_parameter_that_it_is_bound_to(tmp_path: Path) -> None:
    """A server reads what a script writes into the address: no browser is needed."""

    def articles(request: Request) -> Response:
        sought = request.query_params.get("q", "")
        numbers = [n for n, d in enumerate(DOCUMENTS) if sought.lower() in d.text.lower()]
        rows = "".join(
            f'<li><a href="/p/{n}">{html.escape(DOCUMENTS[n].title)}</a></li>' for n in numbers[:12]
        )
        box = f'<input type=search wire:model.live="q" value="{html.escape(sought)}">'
        told = f"<p>Showing {min(12, len(numbers))} of {len(numbers)} articles</p>"
        body = f"<div>{box}{told}<ul>{rows}</ul></div>" if rows else f"<div>{box}<p>Nothing</p>"
        return HTMLResponse(f"<html lang=en><title>Help</title>{body}")

    routes = [
        Route("/", articles),
        Route("/p/{n:int}", lambda r: HTMLResponse(as_page(DOCUMENTS[r.path_params["n"]]))),
    ]
    with running_site(Starlette(routes=routes)) as url:
        options = {"allow_private": True, "max_requests": 900, "browser": False}
        harvest = longline.harvest(url, tmp_path / "got", **options)  # type: ignore[arg-type]
    assert len(titles(harvest)) >= 0.95 * SIZE
