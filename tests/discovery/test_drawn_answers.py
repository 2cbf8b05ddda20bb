"""Forms whose answers only a script fills, and search pages that only a script works."""

import html
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import found_by
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, number, part
from tests.webs import needs_browser

import longline
from longline.harvester import spec_of_folder
from longline.simulate import running_site

pytestmark = [pytest.mark.slow, needs_browser]

MENU = "".join(f'<li><a href="/about/{n}">About our {n}</a>' for n in ("office", "staff", "rules"))
DRAWS = """
    const words = new URLSearchParams(location.search).get('q') || '';
    if (words) fetch('/api?q=' + encodeURIComponent(words) + '&page=1').then(r => r.json()).then(
        found => document.querySelector('#hits').innerHTML = found.rows.map(
            row => `<article><a href="/doc/${row.id}">${row.name}</a></article>`).join(''))
"""


def shell(body: str) -> Response:
    """Return a page of the site, with its menu."""
    return HTMLResponse(f"<html lang=en><ul>{MENU}</ul><h1>Permits</h1>{body}")


def api(request: Request) -> Response:
    """Pages of 20 rows."""
    found = part(found_by(request), 20 * number(request, "page") - 20, 20)
    rows = [{"id": d.key, "name": d.title, "about": d.text} for d in found.rows]
    return JSONResponse({"total": found.total, "rows": rows})


def by_form(request: Request) -> Response:
    """A form on the first page leads to a page with the words, whose script fetches the hits."""
    form = "<form action=/find><input type=search name=q><button>Search</button></form>"
    if request.url.path == "/":
        return shell(form + "<p>The permits of the town since 1950 are in this register.</p>")
    typed = html.escape(request.query_params.get("q", ""))
    script = f"<script>{DRAWS}</script>"
    return shell(f"{form}<h2>Results for {typed}</h2><div id=hits></div>{script}")


def by_linked_page(request: Request) -> Response:
    """The first page lists the newest and links to a search page without a form."""
    newest = "".join(
        f'<article><a href="/doc/{d.key}">{html.escape(d.title)}</a></article>'
        for d in [*DOCUMENTS.values()][:12]
    )
    if request.url.path == "/":
        return shell(f'<a href="/search/">Search</a>{newest}')
    script = f"""{DRAWS}
        document.querySelector('#box').onkeydown = event => {{
            if (event.key === 'Enter') location.search = '?q=' + event.target.value
        }}"""
    box = "<input id=box type=search placeholder=Search>"
    return shell(f"{box}<div id=hits></div><script>{script}</script>")


def by_other_page(request: Request) -> Response:
    """A box without a form leads to another page, which has filters even without its script."""
    if request.url.path == "/":
        script = """document.querySelector('#box').onkeydown = event => {
            if (event.key === 'Enter') location.href = '/find?q=' + event.target.value
        }"""
        return shell(f"<input id=box type=search placeholder=Search><script>{script}</script>")
    kinds = ("tree", "shop", "sign", "fence", "stall", "event")
    filters = "".join(
        f"<li><a href='/find?kind={kind}'>Only {kind} permits</a></li>" for kind in kinds
    )
    return shell(f"<ul>{filters}</ul><div id=hits></div><script>{DRAWS}</script>")


def document(request: Request) -> Response:
    """Return the page of a document."""
    held = DOCUMENTS[request.path_params["key"]]
    return shell(f"<h2>{html.escape(held.title)}</h2><p>{html.escape(held.text)}</p>")


@pytest.mark.parametrize(
    ("site", "most"), [(by_form, 40), (by_linked_page, 42), (by_other_page, 48)]
)
def test_what_a_script_fetches_is_learnt_in_few_requests(
    site: Callable[[Request], Response], most: int, tmp_path: Path
) -> None:
    """No word is typed again and again into a page that never changes without its script."""
    sent = Counter[str]()

    def counted(handler: Callable[[Request], Response]) -> Callable[[Request], Response]:
        def handle(request: Request) -> Response:
            sent[request.url.path] += 1
            return handler(request)

        return handle

    paths = {"/": site, "/find": site, "/search/": site, "/api": api, "/doc/{key}": document}
    routes = [Route(path, counted(handler)) for path, handler in paths.items()]
    with running_site(Starlette(routes=routes)) as url:
        learnt = longline.discover(f"{url}/", allow_private=True, rate=1000)
        assert f"{url}/api?q={{query}}" in (learnt.spec.ask.url or "")
        assert learnt.requests <= most, json.dumps(sent)
        assert sent["/find"] <= 8
        harvest = longline.harvest(learnt.spec, tmp_path / "h", allow_private=True, rate=1000)
    assert len(harvest.documents) >= 0.98 * SIZE
    assert spec_of_folder(tmp_path / "h").ask.url == learnt.spec.ask.url


CHOOSES = """
    document.querySelector('#box').onsubmit = () => {
        const since = document.querySelector('#since').value
        const words = encodeURIComponent(document.querySelector('#q').value)
        fetch('/api?age=' + since + '&page=1&q=' + words).then(r => r.json()).then(
            found => document.querySelector('#hits').innerHTML = found.rows.map(
                row => `<article><a href="/doc/${row.id}">${row.name}</a></article>`).join(''))
        return false
    }
"""


def by_age(request: Request) -> Response:
    """A box beside a list without a name, set to the newest documents."""
    ages = {"30d": "Last month", "1y": "Last year", "99y": "All time"}
    options = "".join(f"<option value={age}>{said}</option>" for age, said in ages.items())
    form = f"<form id=box><input id=q type=search><select id=since>{options}</select>"
    return shell(
        f"{form}<button>Search</button></form><div id=hits></div><script>{CHOOSES}</script>"
    )


def newest_only(request: Request) -> Response:
    """Only with the widest choice are all documents searched: without one, the newest are."""
    newest = {*list(DOCUMENTS)[:30]}
    body = json.loads(bytes(api(request).body))
    if request.query_params.get("age") != "99y":
        body["rows"] = [row for row in body["rows"] if row["id"] in newest]
    return JSONResponse({"rows": body["rows"]})


def test_a_choice_that_a_script_sends_is_set_to_all(tmp_path: Path) -> None:
    """Otherwise only last month's documents would be found, and nothing would tell."""
    routes = [Route("/", by_age), Route("/api", newest_only), Route("/doc/{key}", document)]
    with running_site(Starlette(routes=routes)) as url:
        learnt = longline.discover(f"{url}/", allow_private=True, rate=1000)
        assert "age=99y" in learnt.spec.ask.url
        harvest = longline.harvest(learnt.spec, tmp_path / "h", allow_private=True, rate=1000)
    assert len(harvest.documents) >= 0.98 * SIZE


HANDED = """
    const box = document.createElement('div')
    box.innerHTML = '<form action=/find><input type=search name=q><button>Search</button></form>'
        + found.hits.map(row => `<article><a href="${row.url}">${row.title}</a></article>`).join('')
        + (found.more ? `<a href="${found.more}">Next</a>` : '')
    document.body.append(box)
"""


def handed(request: Request) -> Response:
    """Draw each answer from data in the page itself."""
    page, typed = int(request.query_params.get("page", 1)), request.query_params.get("q", "")
    found = part(found_by(request), 20 * page - 20, 20)
    data = {
        "hits": [{"url": f"/doc/{d.key}", "title": d.title} for d in found.rows],
        "more": f"/find?q={typed}&page={page + 1}" if found.more else "",
    }
    return shell(f"<script>found = {json.dumps(data)}\n{HANDED}</script>")


def test_an_answer_handed_to_a_script_is_not_all_that_there_is() -> None:
    """The data of the page change with the words: they are no index of all documents."""
    routes = [Route("/find", handed), Route("/doc/{key}", document)]
    with running_site(Starlette(routes=routes)) as url:
        learnt = longline.discover(f"{url}/find?q=return", allow_private=True, rate=1000)
    assert learnt.spec.ask.lists != "all"
    assert "{query}" in (learnt.spec.ask.url or "")


LED = """
    document.querySelector('#box').onsubmit = event => {
        event.preventDefault()
        location.href = '/find?' + new URLSearchParams(new FormData(event.target))
    }
"""


def led(request: Request) -> Response:
    """Lead to the answers by a script, with the newest alone as the form is set."""
    ages = {"30d": "Last month", "any": "All time"}
    options = "".join(f"<option value={age}>{said}</option>" for age, said in ages.items())
    form = f"<form id=box><input name=q type=search><select name=since>{options}</select>"
    form += f"<button>Search</button></form><script>{LED}</script>"
    if request.url.path == "/":
        return shell(form)
    newest, page = {*list(DOCUMENTS)[:30]}, int(request.query_params.get("page", 1))
    every = request.query_params.get("since") == "any"
    found = [each for each in found_by(request) if every or each.key in newest]
    shown = part(found, 20 * page - 20, 20)
    rows = "".join(
        f'<article><a href="/doc/{d.key}">{html.escape(d.title)}</a></article>' for d in shown.rows
    )
    after = request.url.include_query_params(page=page + 1)
    more = f'<a href="{after}">Next</a>' if shown.more else ""
    return shell(f"{form}<p>{shown.total} permits</p>{rows}{more}")


def test_lists_of_a_form_that_a_script_sends_are_set_to_all(tmp_path: Path) -> None:
    """The address to which it leads names what the form's list is set to."""
    routes = [Route("/", led), Route("/find", led), Route("/doc/{key}", document)]
    with running_site(Starlette(routes=routes)) as url:
        harvest = longline.harvest(f"{url}/", tmp_path / "h", allow_private=True, rate=1000)
    assert len(harvest.documents) >= 0.98 * SIZE


def test_a_page_that_once_answers_wrongly_needs_no_browser() -> None:
    """One of several servers lacks the newest documents, and says so with status 200."""
    asked = Counter[str]()

    def by_words(request: Request) -> Response:
        """Return plain hits."""
        form = "<form action=/find><input type=search name=q><button>Search</button></form>"
        shown = part(found_by(request), 20 * number(request, "page") - 20, 20)
        rows = "".join(
            f'<article><a href="/doc/{d.key}">{html.escape(d.title)}</a></article>'
            for d in (shown.rows if request.query_params.get("q") else [])
        )
        return shell(form + rows)

    def held(request: Request) -> Response:
        asked[request.url.path] += 1
        is_first = asked[request.url.path] == 1
        return shell("<h2>Page not found</h2>") if is_first else document(request)

    routes = [Route("/", by_words), Route("/find", by_words), Route("/doc/{key}", held)]
    with running_site(Starlette(routes=routes)) as url:
        learnt = longline.discover(f"{url}/", allow_private=True, rate=1000)
    assert learnt.spec.document is not None
    assert not learnt.spec.document.browser


YEAR = """
    const sent = new URLSearchParams(location.search)
    const words = sent.get('q'), since = sent.get('since') || '20251201'
    document.body.insertAdjacentHTML('beforeend',
        '<form id=box><input name=q type=search><button>Search</button></form><div id=hits></div>')
    document.querySelector('#box').onsubmit = event => {
        event.preventDefault()
        location.href = '/?since=' + since + '&start=0&q=' + event.target.elements.q.value
    }
    if (words) fetch('/api?q=' + words + '&since=' + since + '&paginatedBy=20&start=0').then(
        answer => answer.json()).then(found => document.querySelector('#hits').innerHTML =
            found.rows.map(row => `<p><a href="/doc/${row.id}">${row.name}</a></p>`).join(''))
"""


def of_the_last_year(request: Request) -> Response:
    """Search the newest alone, if only a day of the last year is sent."""
    newest = {*list(DOCUMENTS)[:30]}
    is_narrow = request.query_params.get("since", "") > "20250101"
    found = [each for each in found_by(request) if not is_narrow or each.key in newest]
    size = min(number(request, "paginatedBy"), 50)
    shown = part(found, number(request, "start"), size).rows
    rows = [{"id": d.key, "name": d.title} for d in shown]
    return JSONResponse({"total": len(found), "rows": rows})


def test_a_day_that_a_script_sends_is_left_out(tmp_path: Path) -> None:
    """Else only documents of the last year would be found, and nothing would tell."""
    routes = [
        Route("/", lambda _: shell(f"<div></div><script>{YEAR}</script>")),
        Route("/api", of_the_last_year),
        Route("/doc/{key}", document),
    ]
    with running_site(Starlette(routes=routes)) as url:
        harvest = longline.harvest(f"{url}/", tmp_path / "h", allow_private=True, rate=1000)
    assert len(harvest.documents) >= 0.98 * SIZE
