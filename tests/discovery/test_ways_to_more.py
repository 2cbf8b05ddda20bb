"""Sites whose answers link to more: wider tabs, other languages, and texts behind documents."""

import html
import itertools
import json
from pathlib import Path
from urllib.parse import quote_plus, unquote_plus

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route
from tests.discovery.test_first_met import harvested, rows, site
from tests.discovery.test_further_kinds import found_by
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, TEXTS, document, number, part

from longline.discovery.answer import show
from longline.discovery.reading import find_data_hits
from longline.model import Request as Asked
from longline.model import Response as Answered

pytestmark = pytest.mark.slow

BOX = "<form action=/search><input name=q><button>Search</button></form>"


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
    assert len(harvest.documents) == (SIZE // 2 if splits else SIZE)
    assert harvest.certificate.outcome == "partial" or not splits
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


def test_a_link_to_all_beside_what_is_set_by_default_is_followed(tmp_path: Path) -> None:
    """A sentence offers all decisions; its link sends the order and the page as well."""
    box = "<form action=/find><input name=q><button>Search</button></form>"

    def front(request: Request) -> Response:
        return HTMLResponse(f"<html lang=en>{box}<p>Decisions about words and files.")

    def find(request: Request) -> Response:
        typed, on = html.escape(request.query_params["q"]), number(request, "page", 1)
        kinds = request.query_params.get("kinds", "upheld")
        every = [d for d in found_by(request) if "closed" in kinds or int(d.key) % 2]
        shown = part(every, 10 * on - 10, 10)
        own = f"q={typed}&from=&order=down&kinds="
        more = f'<a rel=next href="?{own}{kinds}&page={on + 1}">Next</a>' if shown.more else ""
        offer = f'<p>Showing: upheld. <a href="?{own}upheld%2Bclosed&page=1">Show all</a></p>'
        said = f"{offer}<p class=n>{shown.total} decisions</p>" if every else "<p>None.</p>"
        return HTMLResponse(f"<html lang=en>{box}{said}{rows(shown.rows)}{more}")

    harvest = harvested(site(front=front, find=find), tmp_path)
    assert len(harvest.documents) >= 0.97 * SIZE


def test_data_that_name_a_hit_by_its_key_are_its_document(tmp_path: Path) -> None:
    """A row leads to a transcript without a title; `nextPageToken` is sent as `page_token`."""

    def api(request: Request) -> Response:
        found, start = found_by(request), int(request.query_params.get("page_token", "0x0"), 16)
        rows = found[start : start + 10]
        more = {"nextPageToken": f"{start + 10:#x}"} if start + 10 < len(found) else {}
        listed = [
            {
                "hearing": {
                    "name": f"hearings/h-{d.key}",
                    "title": d.title,
                    "transcript": {"uri": f"{request.base_url}hearings/h-{d.key}/transcript"},
                }
            }
            for d in rows
        ]
        return JSONResponse({"results": listed, "totalSize": str(len(found)), **more})

    def transcript(request: Request) -> Response:
        each = DOCUMENTS[request.path_params["key"]]
        lines = [{"text": line} for line in each.text.split(". ")]
        name = f"hearings/h-{each.key}/transcript"
        return JSONResponse({"name": name, "segments": [{"paragraphs": lines}]})

    routes = [Route("/hearings", api), Route("/hearings/h-{key}/transcript", transcript)]
    app = Starlette(routes=routes)
    harvest = harvested(app, tmp_path, "/hearings?q=files&page_size=10")
    held = {each.title: each.text for each in harvest.documents}
    assert len(held) >= 0.95 * SIZE
    ends = {d.title: d.text.split()[-1].strip(".") for d in DOCUMENTS.values()}
    assert all(ends[title] in text for title, text in held.items())
    assert harvest.certificate.truncated_queries == 0


def test_kinds_with_a_fragment_are_no_places_of_one_page() -> None:
    """Their addresses are the same for many rows; those of parts of a page are not."""
    kinds = ("article", "thesis", "book")
    rows = [
        {
            "uri": f"10670/1.ab{n:03}",
            "kind": {"uri": f"http://x.example/ontology#{kinds[n % 3]}"},
            "url": f"http://x.example/r/{n}",
            "title": f"On words, part {n}",
        }
        for n in range(24)
    ]
    answers = [
        show(
            word,
            Asked(f"http://x.example/api?q={word}"),
            Answered(
                url=f"http://x.example/api?q={word}",
                status=200,
                content_type="application/json",
                body=json.dumps({"rows": rows[12 * n : 12 * n + 12]}).encode(),
            ),
        )
        for n, word in enumerate(("words", "part"))
    ]
    found = find_data_hits(answers, [])
    assert found is not None
    assert (found.link, found.title) == ("url", "title")


def test_the_form_for_all_is_filled_in_beside_the_one_for_a_part(tmp_path: Path) -> None:
    """Two pages have the same form, and differ in a hidden field; `*` finds all, page by page."""

    def box(holding: str) -> str:
        field = f"<input type=hidden name=holding value='{holding}'>"
        return f"<form action=/find>{field}<input name=q><button>Search</button></form>"

    def front(request: Request) -> Response:
        said = "Loans are left out; use the <a href=/whole>form for all holdings</a>."
        return HTMLResponse(f"<html lang=en><h1>Words and files</h1>{box('own')}<p>{said}")

    def whole(request: Request) -> Response:
        return HTMLResponse(f"<html lang=en>{box('*')}<p>This form finds all holdings.")

    def find(request: Request) -> Response:
        typed, holding = request.query_params["q"], request.query_params["holding"]
        every = TEXTS if typed == "*" else found_by(request) if typed else []
        found = [d for d in every if holding == "*" or int(d.key) % 2]
        shown = part(found, number(request, "skip", 0), 20)
        own = f"q={html.escape(typed)}&holding={holding}&skip={number(request, 'skip', 0) + 20}"
        on = f'<a href="?{own}">Next</a>' if shown.more else ""
        page = f"<p>{shown.total} objects</p>{rows(shown.rows)}{on}" if found else "<p>None found."
        return HTMLResponse(f"<html lang=en>{page}")

    harvest = harvested(site(front=front, whole=whole, find=find), tmp_path)
    assert len(harvest.documents) >= 0.97 * SIZE
    assert 'all = "*"' in (tmp_path / "h/source.toml").read_text()


@pytest.mark.parametrize("kind", ["named in the path", "with a number of the session"])
def test_searches_are_sent_to_where_the_form_redirects(tmp_path: Path, kind: str) -> None:
    """Each search costs one request instead of two; a session's number is left out."""
    redirects = 0
    numbers = itertools.count(7000)

    def search(request: Request) -> Response:
        nonlocal redirects
        redirects += 1
        typed = quote_plus(request.query_params["q"])
        is_named = kind.startswith("named")
        to = f"/found/q:{typed}" if is_named else f"/found?q={typed}&_fid=x{next(numbers):x}"
        return RedirectResponse(to, 303)

    def found(request: Request) -> Response:
        path = request.path_params.get("named", "")
        named = dict(each.partition(":")[::2] for each in path.split("/"))
        sent = {"q": unquote_plus(named.get("q", "")), "p": named.get("p", "1")}
        sent |= request.query_params
        kept = f"_fid={sent['_fid']}" if "_fid" in sent else ""
        words, on = sent["q"].lower().split(), int(sent["p"])
        every = [d for d in TEXTS if all(w in f"{d.title} {d.text}".lower() for w in words)]
        shown = part(every if words else [], 10 * (on - 1), 10)
        typed = quote_plus(sent["q"])
        to = f"/found/q:{typed}/p:{on + 1}" if kind.startswith("named") else f"/found?q={typed}"
        to += "" if kind.startswith("named") else f"&p={on + 1}&{kept}"
        more = f'<a rel=next href="{html.escape(to)}">Next</a>' if shown.more else ""
        listed = rows(shown.rows) if shown.rows else "<p>None found."
        return HTMLResponse(f"<html lang=en>{BOX}<p>{shown.total} papers</p>{listed}{more}")

    front = HTMLResponse(f"<html lang=en>{BOX}<p>Papers about words and files.")
    routes = [
        Route("/", lambda _: front),
        Route("/search", search),
        Route("/doc/{key}", document),
        Route("/found", found),
        Route("/found/{named:path}", found),
    ]
    harvest = harvested(Starlette(routes=routes), tmp_path)
    assert len(harvest.documents) >= 0.97 * SIZE
    assert redirects <= 8


def test_boxes_of_the_advanced_search_are_ticked_together(tmp_path: Path) -> None:
    """The plain box leaves one kind out; a box that is sent excludes the kinds that are not."""
    kinds = ("objects", "photos", "papers", "library")
    kind = {key: kinds[n % 4] for n, key in enumerate(DOCUMENTS)}
    box = "<form action=/find><input name=q><button name=go value=1>Search</button></form>"

    def front(request: Request) -> Response:
        return HTMLResponse(f"<html lang=en>{box}<p>Words and files of the museum.")

    def advanced(request: Request) -> Response:
        boxes = "".join(
            f"<input type=checkbox name=include_{each} value=true{' checked' * (each != kinds[3])}>"
            for each in kinds
        )
        form = f"<form action=/find><input name=q>{boxes}<button name=go value=1>Search</button>"
        return HTMLResponse(f"<html lang=en>{form}</form>")

    def find(request: Request) -> Response:
        typed, on = html.escape(request.query_params["q"]), number(request, "p", 1)
        ticked = [each for each in kinds if f"include_{each}" in request.query_params]
        found = [d for d in found_by(request) if kind[d.key] in (ticked or kinds[:3])]
        shown = part(found, 10 * (on - 1), 10)
        own = "".join(f"&include_{each}=true" for each in ticked)
        more = f'<a rel=next href="?q={typed}&p={on + 1}{own}">Next</a>' if shown.more else ""
        said = "The library can be searched too, by the <a href=/advanced>Advanced Search</a>."
        hits = "".join(
            f'<li><a href="/doc/{d.key}">{html.escape(d.title)}</a><p>{html.escape(d.text[:300])}'
            for d in shown.rows
        )
        page = f"<p>{shown.total} records</p><ul>{hits}</ul>{more}" if hits else "<p>None found."
        return HTMLResponse(f"<html lang=en>{box}{page}<p>{said}")

    harvest = harvested(site(front=front, advanced=advanced, find=find), tmp_path)
    assert len(harvest.documents) >= 0.97 * SIZE
