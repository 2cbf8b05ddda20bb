"""Sites whose answers link to more: wider tabs, other languages, and texts behind documents."""

import html
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from tests.discovery.test_first_met import harvested, rows, site
from tests.discovery.test_further_kinds import found_by
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, document, number, part

pytestmark = pytest.mark.slow


def test_a_tab_that_counts_more_results_is_searched(tmp_path: Path) -> None:
    """The form is set to what is in force; two tabs tell both numbers, with more parameters."""
    field = "<input type=hidden name=tab value=valid>"
    box = f"<form action=/find>{field}<input name=q><button>Search</button></form>"

    def front(request: Request) -> Response:
        return HTMLResponse(f"<html lang=en>{box}<p>Acts of the state about words and files.")

    def find(request: Request) -> Response:
        typed, on = html.escape(request.query_params["q"]), number(request, "p", 0)
        every = found_by(request)
        lists = {"valid": [d for d in every if int(d.key) % 2], "both": every}
        tab = request.query_params.get("tab", "valid")
        own = f"q={typed}&order=&tab="
        tabs = "".join(
            f'<li><a href="?{own}{name}&p=0">{name} ({len(found)})</a>'
            for name, found in lists.items()
        )
        shown = part(lists[tab], 10 * on, 10)
        more = f'<a rel=next href="?{own}{tab}&p={on + 1}">Next</a>' if shown.more else ""
        said = f"<ul>{tabs}</ul><p class=n>{shown.total} acts</p>" if every else "<p>No acts.</p>"
        return HTMLResponse(f"<html lang=en>{box}{said}{rows(shown.rows)}{more}")

    harvest = harvested(site(front=front, find=find), tmp_path)
    assert len(harvest.documents) >= 0.97 * SIZE


def bilingual(*, by_path: bool, splits: bool) -> Starlette:
    """Return a site in two languages, of which each may find half of the documents."""

    def front(request: Request) -> Response:
        own = language(request)
        return HTMLResponse(f"<html lang={own}>{box(own)}<p>Words and files of the museum.")

    def language(request: Request) -> str:
        return str(request.path_params.get("own") or request.query_params.get("lang", "en"))

    def box(own: str) -> str:
        field = "" if by_path else f"<input type=hidden name=lang value={own}>"
        action = f"/{own}/find" if by_path else "/find"
        return f"<form action={action}>{field}<input name=q><button>Search</button></form>"

    def find(request: Request) -> Response:
        own, on = language(request), number(request, "p", 1)
        other, typed = "fr" if own == "en" else "en", html.escape(request.query_params["q"])
        every = found_by(request)
        shown = part(
            [d for d in every if not splits or int(d.key) % 2 == (own == "en")], 10 * (on - 1), 10
        )
        place = (
            (lambda o: f"/{o}/find?q={typed}")
            if by_path
            else (lambda o: f"/find?lang={o}&q={typed}")
        )
        switch = f'<a href="{place(other)}">{"Deutsch" if other == "en" else "Français"}</a>'
        more = f'<a rel=next href="{place(own)}&p={on + 1}">Next</a>' if shown.more else ""
        listed = rows(shown.rows)
        if by_path:
            listed = listed.replace('href="', f'href="/{own}')
        return HTMLResponse(f"<html lang={own}>{switch}{box(own)}{listed}{more}")

    paths = (
        ("/{own}/", "/{own}/find", "/{own}/doc/{key}") if by_path else ("/", "/find", "/doc/{key}")
    )
    pages = zip(paths, (front, find, document), strict=True)
    return Starlette(routes=[Route(path, page) for path, page in pages])


@pytest.mark.parametrize("by_path", [False, True], ids=["parameter", "path"])
@pytest.mark.parametrize("splits", [False, True], ids=["translated", "split"])
def test_other_languages_of_a_search_are_named_if_they_find_others(
    tmp_path: Path, by_path: bool, splits: bool
) -> None:
    """A site whose pages alone are translated is whole; else half is left out, and named."""
    app = bilingual(by_path=by_path, splits=splits)
    harvest = harvested(app, tmp_path, "/en/" if by_path else "/")
    left_out = harvest.certificate.left_out
    assert [("fr" in url) for url in left_out] == ([True] if splits else [])
    assert harvest.certificate.outcome == ("partial" if splits else "complete")
    assert len(harvest.documents) >= 0.95 * SIZE / (1 + splits)


def test_texts_behind_the_pages_of_data_are_read(tmp_path: Path) -> None:
    """Rows of an interface lead to pages with an abstract, and these to the text."""

    def api(request: Request) -> Response:
        start = number(request, "start", 0)
        found = found_by(request)
        shown = [
            {"id": d.key, "name": d.title, "link": f"{request.base_url}paper/{d.key}"}
            for d in found[start : start + 20]
        ]
        return JSONResponse({"found": len(found), "papers": shown})

    def paper(request: Request) -> Response:
        each = DOCUMENTS[request.path_params["key"]]
        begun = html.escape(" ".join(each.text.split()[:25]))
        led = f'<a href="/paper/{each.key}/document">Full text</a>'
        head = f"<h1>{html.escape(each.title)}</h1><h2>Abstract</h2><p>{begun}</p>"
        return HTMLResponse(f"<html lang=en>{head}<ul><li>{led}</ul>")

    def whole(request: Request) -> Response:
        return PlainTextResponse(DOCUMENTS[request.path_params["key"]].text)

    routes = [
        Route("/api", api),
        Route("/paper/{key}", paper),
        Route("/paper/{key}/document", whole),
    ]
    harvest = harvested(Starlette(routes=routes), tmp_path, "/api?q=files&start=0")
    held = list(harvest.documents)
    assert len(held) >= 0.97 * SIZE
    texts = {each.title: each.text for each in held}
    lasts = [
        texts[d.title].endswith(d.text.split()[-1]) for d in DOCUMENTS.values() if d.title in texts
    ]
    assert sum(lasts) > 0.9 * SIZE


def test_the_lists_of_all_months_are_read(tmp_path: Path) -> None:
    """An archive without a search has a list for each month, which counts its own documents."""
    months = [f"2023-{month:02}" for month in range(1, 9)]
    lists = {month: list(DOCUMENTS.values())[n::8] for n, month in enumerate(months)}
    menu = "".join(f'<li><a href="/archive/{each}/">{each[5:]}</a></li>' for each in months)

    def archive(request: Request) -> Response:
        month = str(request.path_params["month"])
        found = "".join(
            f'<li><a href="msg{n:05}.html">{html.escape(d.title)}</a> <em>{month}</em></li>'
            for n, d in enumerate(lists[month])
        )
        return HTMLResponse(f"<html lang=en><ul class=nav>{menu}</ul><ul class=list>{found}</ul>")

    def message(request: Request) -> Response:
        each = lists[str(request.path_params["month"])][int(request.path_params["number"])]
        text = f"<h1>{html.escape(each.title)}</h1><pre>{html.escape(each.text)}</pre>"
        return HTMLResponse(f"<html lang=en><ul class=nav>{menu}</ul>{text}")

    routes = [Route("/archive/{month}/", archive)]
    routes.append(Route("/archive/{month}/msg{number:int}.html", message))
    harvest = harvested(Starlette(routes=routes), tmp_path, "/archive/2023-08/")
    assert len(harvest.documents) == SIZE
    assert len({each.text for each in harvest.documents}) >= 0.97 * SIZE


def test_hits_in_groups_are_read(tmp_path: Path) -> None:
    """Results are groups without a key, each with one or two versions of a document."""

    def api(request: Request) -> Response:
        found, start = found_by(request), number(request, "page", 1) * 10 - 10
        titled = sorted({int(d.key) // 2 for d in found})
        groups = [[d for d in found if int(d.key) // 2 == both] for both in titled]
        shown = [
            {
                "axis": "version",
                "entries": [
                    {"doc": {"id": d.key, "title": d.title, "text": d.text}} for d in group
                ],
            }
            for group in groups[start : start + 10]
        ]
        return JSONResponse({"results": shown, "paging": {"groups": len(groups)}})

    harvest = harvested(Starlette(routes=[Route("/api", api)]), tmp_path, "/api?q=files&page=1")
    assert len(harvest.documents) >= 0.98 * SIZE
    assert all(document.text for document in harvest.documents)
