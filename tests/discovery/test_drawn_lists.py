"""Sites without a search box whose lists only a script draws."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from tests.discovery.test_ways_on import DOCUMENTS, number
from tests.webs import needs_browser

import longline
from longline.harvester import spec_of_folder
from longline.simulate import running_site

pytestmark = [pytest.mark.slow, needs_browser]

NOTICES = {key: d for key, d in list(DOCUMENTS.items())[:60] if "&" not in d.text}


def words(text: str) -> str:
    """Return a text with single spaces, as a page shows it."""
    return " ".join(text.split())


DRAWS = """<!doctype html><html lang=en><title>Notices</title><div id=app>One moment</div><script>
const app = document.querySelector('#app'), get = url => fetch(url).then(r => r.json());
const add = (to, tag, text) => to.appendChild(Object.assign(
    document.createElement(tag), {textContent: text}));
async function show() {
    const one = %s.match(/notice\\/(\\w+)/);
    app.textContent = '';
    if (one) {
        const {title, body} = await get(`%s${one[1]}`);
        add(app, 'h1', title);
        add(app, 'article', body);
        return;
    }
    for (const row of (await get('%s')).rows) {
        const item = add(app, 'li', '');
        add(item, 'a', row.name).href = `%snotice/${row.id}`;
        add(item, 'span', row.date);
    }
}
window.onhashchange = show;
show();
</script>"""


def listed(request: Request) -> Response:
    """Twenty rows, by the number of their page or of the first row."""
    first = number(request, "skip", 0) or 20 * number(request, "page") - 20
    rows = [{"id": d.key, "name": d.title, "date": "2024-05-06"} for d in NOTICES.values()]
    return JSONResponse({"rows": rows[first : first + 20], "found": len(rows)})


def as_names(request: Request) -> Response:
    """All rows in one object, which names them: no list of data."""
    names = [f"{d.key} {d.title}" for d in NOTICES.values()]
    return JSONResponse("\n".join(names))


def text(request: Request) -> Response:
    """Return the text of a document."""
    found = NOTICES.get(request.path_params.get("key") or request.query_params.get("ref", ""))
    if found is None:
        return PlainTextResponse("", 404)
    return JSONResponse({"title": found.title, "body": found.text})


@pytest.mark.parametrize(
    ("view", "text_at", "list_at"),
    [
        ("location.pathname", "/api/notices/", "/api/notices?page=1"),
        ("location.hash", "/api/text?ref=", "/api/notices?skip=0"),
    ],
)
def test_a_list_that_a_script_fetches_is_asked_for_plainly(
    view: str, text_at: str, list_at: str, tmp_path: Path
) -> None:
    """All rows come by the interface of the page, and their texts as its documents fetch them."""
    link = "#/" if view == "location.hash" else "/"
    page = DRAWS % (view, text_at, list_at, link)
    routes = [
        *(Route(path, lambda _: HTMLResponse(page)) for path in ("/", "/notice/{key}")),
        Route("/api/notices", listed),
        *(Route(path, text) for path in ("/api/notices/{key}", "/api/text")),
    ]
    with running_site(Starlette(routes=routes)) as url:
        harvest = longline.harvest(f"{url}/", tmp_path / "h", allow_private=True, rate=1000)
    held = {each.title: words(each.text) for each in harvest.documents}
    assert held == {each.title: words(each.text) for each in NOTICES.values()}
    assert not spec_of_folder(tmp_path / "h").ask.browser


@pytest.mark.parametrize("view", ["location.pathname", "location.hash"])
def test_links_that_a_script_draws_are_followed(view: str, tmp_path: Path) -> None:
    """Where a page's links come from no list of data, the page and its documents are shown."""
    link = "#/" if view == "location.hash" else "/"
    rows = "{rows: (await get('/names')).split('\\n').map(l => ({id: l.split(' ')[0], name: l}))}"
    page = DRAWS % (view, "/api/text?ref=", "%s", link)
    page = page.replace("(await get('%s'))", f"({rows})")
    routes = [
        *(Route(path, lambda _: HTMLResponse(page)) for path in ("/", "/notice/{key}")),
        Route("/names", as_names),
        Route("/api/text", text),
    ]
    with running_site(Starlette(routes=routes)) as url:
        harvest = longline.harvest(
            f"{url}/", tmp_path / "h", allow_private=True, rate=1000, max_documents=30
        )
    held = {words(each.text) for each in harvest.documents}
    assert len(held) == 30
    assert held <= {words(each.text) for each in NOTICES.values()}


def test_a_page_that_fetches_every_document_as_it_opens(tmp_path: Path) -> None:
    """A search in the browser reads them all, at each view: most of that is not fetched."""
    rows = "{rows: (await get('/names')).split('\\n').map(l => ({id: l.split(' ')[0], name: l}))}"
    page = (DRAWS % ("location.hash", "/api/text?ref=", "%s", "#/")).replace(
        "(await get('%s'))", f"({rows})"
    )
    reads_all = (
        "<input type=search><script>setTimeout(async () => {"
        "const names = await (await fetch('/names')).json();"
        "for (const part of [1, 2, 3]) for (const l of names.split('\\n'))"
        " fetch(`/api/text?part=${part}&ref=` + l.split(' ')[0]);"
        "}, 200)</script>"
    )
    sent: list[str] = []

    def counted(request: Request) -> Response:
        sent.append(request.url.query)
        return text(request)

    routes = [
        Route("/", lambda _: HTMLResponse(page + reads_all)),
        Route("/names", as_names),
        Route("/api/text", counted),
    ]
    with running_site(Starlette(routes=routes)) as url:
        harvest = longline.harvest(
            f"{url}/", tmp_path / "h", allow_private=True, rate=1000, max_documents=10
        )
    assert len({words(each.text) for each in harvest.documents}) == 10
    assert {words(each.text) for each in harvest.documents} <= {
        words(each.text) for each in NOTICES.values()
    }
    assert len(sent) < 6 * len(NOTICES)  # more than 12 pages are shown, of three times as many
