"""Pages whose server hands the data of each answer to a script, which draws it."""

import html
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import found_by
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, number, part
from tests.webs import needs_browser

import longline
from longline.simulate import running_site

pytestmark = [pytest.mark.slow, needs_browser]

DRAWS = """
    const plain = text => Object.assign(document.createElement('p'), {textContent: text}).innerHTML
    const {hits, more, paper} = held.props
    const app = document.querySelector('#app')
    app.innerHTML = '<form id=box><input type=search name=q><button>Search</button></form>'
        + (hits || []).map(row =>
            `<article><a href="/papers/${row.id}">${plain(row.name)}</a></article>`).join('')
        + (more ? `<a rel=next href="${more}">Next</a>` : '')
        + (paper ? `<h1>${plain(paper.name)}</h1><p>${plain(paper.body)}</p>` : '')
    document.querySelector('#box').onsubmit = event => {
        event.preventDefault()
        location.href = '/papers?' + new URLSearchParams(new FormData(event.target))
    }
"""


def in_attribute(data: str) -> str:
    """As Inertia does."""
    held = "const held = JSON.parse(document.querySelector('#app').dataset.page)"
    return f'<div id=app data-page="{html.escape(data)}"></div><script>{held};{DRAWS}</script>'


def as_flags(data: str) -> str:
    """As programs in Elm are started."""
    start = f"Elm.Main.init({{ node: document.querySelector('#app'), flags: {data} }})"
    elm = f"let held; const Elm = {{Main: {{init(given) {{ held = given.flags; {DRAWS} }}}}}}"
    return f"<div id=app></div><script>{elm}</script><script>{start}</script>"


def in_a_variable(data: str) -> str:
    """As many sites in React or Vue hand the state of a page."""
    return f"<div id=app></div><script>window.held = {data};</script><script>{DRAWS}</script>"


def flattened(value: object) -> list[object]:
    """Return data as one flat list, as devalue writes it: positions in place of values."""
    flat: list[object] = []

    def put(each: object) -> int:
        at = len(flat)
        flat.append(each)
        if isinstance(each, dict):
            flat[at] = {name: put(inner) for name, inner in each.items()}
        elif isinstance(each, list):
            flat[at] = [put(inner) for inner in each]
        return at

    put(value)
    return flat


READS = """
    const flat = JSON.parse(document.querySelector('#flat').textContent)
    const read = at => {
        const value = flat[at]
        if (Array.isArray(value)) return value.map(read)
        if (value === null || typeof value != 'object') return value
        return Object.fromEntries(Object.entries(value).map(([name, at]) => [name, read(at)]))
    }
    const held = read(0)
"""


def in_a_flat_list(data: str) -> str:
    """As Nuxt does."""
    flat = json.dumps(flattened(json.loads(data))).replace("<", "\\u003c")
    script = f"<script type=application/json id=flat>{flat}</script>"
    return f"<div id=app></div>{script}<script>{READS};{DRAWS}</script>"


def site(handed: Callable[[str], str]) -> Starlette:
    """Return a site without rows, links or forms in its HTML."""

    def shell(props: dict[str, object]) -> Response:
        data = json.dumps({"props": props, "version": "a1"}).replace("<", "\\u003c")
        return HTMLResponse(f"<html lang=en><title>Papers</title>{handed(data)}")

    def found(request: Request) -> Response:
        typed = request.query_params.get("q", "")
        if not typed:
            return shell({"query": ""})
        page = number(request, "page")
        shown = part(found_by(request), 20 * page - 20, 20)
        rows = [{"id": int(d.key), "name": d.title} for d in shown.rows]
        more = f"/papers?q={typed}&page={page + 1}" if shown.more else None
        return shell({"query": typed, "hits": rows, "total": shown.total, "more": more})

    def paper(request: Request) -> Response:
        held = DOCUMENTS[request.path_params["key"]]
        return shell({"paper": {"name": held.title, "body": held.text}})

    routes = [Route("/", found), Route("/papers", found), Route("/papers/{key}", paper)]
    return Starlette(routes=routes)


@pytest.mark.parametrize("handed", [in_attribute, as_flags, in_a_variable, in_a_flat_list])
def test_handed_data_is_read_without_a_browser(
    handed: Callable[[str], str], tmp_path: Path
) -> None:
    """A browser takes half a second a page."""
    with running_site(site(handed)) as url:
        learnt = longline.discover(f"{url}/", allow_private=True, rate=1000)
        assert learnt.spec.source.kind == "json"
        assert not learnt.spec.ask.browser
        assert not learnt.spec.document.browser
        harvest = longline.harvest(learnt.spec, tmp_path / "h", allow_private=True, rate=1000)
    assert len(harvest.documents) >= 0.98 * SIZE
    texts = {each.title: each.text for each in harvest.documents}
    whole = [
        " ".join(each.text.split()) in " ".join(texts[each.title].split())
        for each in DOCUMENTS.values()
        if each.title in texts
    ]
    assert sum(whole) >= 0.9 * len(whole)
    assert not harvest.certificate.failed_documents
