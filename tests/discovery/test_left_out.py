"""Sites that show a part first, name what is left out, or describe documents elsewhere."""

import html
import json
from pathlib import Path

import pytest
from lxml.html import fromstring
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.test_first_met import harvested, rows, site
from tests.discovery.test_further_kinds import found_by
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, TEXTS, number, part, words
from tests.webs import needs_browser

import longline
from longline.discovery.reading.title_snippet import find_title
from longline.discovery.words import first_words
from longline.model import Document
from longline.simulate import running_site

pytestmark = pytest.mark.slow

BOX = "<form action=/find><input name=q><button>Search</button></form>"
FRONT = HTMLResponse(f"<html lang=en>{BOX}<p>Papers of the archive about words and files.")
PARTS = ("I. General acts", "II. Staff", "III. Other decisions", "V. Tenders. - A. Public works")
YEARS = ("2025", "2024", "2023", "2022")
YEAR = {key: YEARS[n % 4] for n, key in enumerate(DOCUMENTS)}

SPEC = """
[source]
name = "papers"
url = "URL"
[ask]
url = "URL/find?q={query}"
[results]
hit = "css:ol li"
link = "css:a"
title = "css:a"
total = "css:p"
next = "css:a[rel=next]"
empty = "text:None found."
[document]
text = "css:.abstract"
title = "css:h1"
"""

DRAWS = """
const plain = text => Object.assign(document.createElement('p'), {textContent: text}).innerHTML
const send = async (where, body) => (await fetch(where, {method: 'POST', body: JSON.stringify(body),
    headers: {'Content-Type': 'application/json'}})).json()
const app = document.querySelector('#app'), given = new URLSearchParams(location.search)
if (location.pathname == '/paper') send('/api/paper', {id: given.get('no')}).then(held => {
    const paper = JSON.parse(held.data)
    app.innerHTML = `<h1>${plain(paper.name)}</h1><div class=text>${plain(paper.body)}</div>`
})
else {
    const words = given.get('q') || '', year = given.get('year') || '2025'
    app.innerHTML = `<form action="/"><input type=search name=q value="${plain(words)}">
        <select name=year>${YEARS.map(y =>
            `<option${y == year ? ' selected' : ''}>${y}</option>`).join('')}</select>
        <button>Search</button></form><ul></ul>`
    if (given.has('q')) send('/api/find', {years: [year], words, kinds: []}).then(held => {
        app.querySelector('ul').innerHTML = JSON.parse(held.data).map(row =>
            `<li><a href="/paper?no=${row.no}">${plain(row.name)}</a></li>`).join('')
    })
}
"""


def paged(request: Request, found: list[Document]) -> str:
    """Return the hits on the page that is asked for by `p`, and a link to the next one."""
    here = number(request, "p", 1)
    shown = part(found, 10 * (here - 1), 10)
    after = request.url.include_query_params(p=here + 1)
    on = f'<a rel=next href="{html.escape(str(after))}">Next</a>' if shown.more else ""
    return rows(shown.rows) + on


def test_what_a_sentence_offers_to_put_back_is_searched(tmp_path: Path) -> None:
    """Half of the papers is left out unless a link of the answer is followed."""

    def find(request: Request) -> Response:
        typed = html.escape(request.query_params.get("q", ""))
        every = found_by(request) if typed else []
        found = [d for d in every if "exclude" in request.query_params or int(d.key) % 2]
        shown = part(found, 10 * (number(request, "p", 1) - 1), 10)
        kept = "&exclude=" if "exclude" in request.query_params else ""
        on = f'<a rel=next href="?q={typed}&p={number(request, "p", 1) + 1}{kept}">Next</a>'
        back = f'<p>Reviews are left out. <a href="/find?q={typed}&exclude=">Put them back</a></p>'
        page = f"<p>{len(found)} results</p>{rows(shown.rows)}{on if shown.more else ''}{back}"
        return HTMLResponse(f"<html lang=en>{BOX}{page if typed else ''}")

    harvest = harvested(site(front=lambda _: FRONT, find=find), tmp_path)
    assert len(harvest.documents) >= 0.97 * SIZE


def test_a_box_that_offers_what_is_left_out_is_ticked(tmp_path: Path) -> None:
    """Half of the papers is left out unless a box of the detailed search is ticked."""
    boxes = (
        "<p><input type=checkbox name=stem value=1> Include similar words</p>"
        "<p><input type=checkbox name=closed value=Yes> Include closed files<br>"
        "<small>They are left out unless this box is ticked.</small></p>"
    )
    form = f"<form action=/find><input name=q>{boxes}<button>Search</button></form>"

    def find(request: Request) -> Response:
        typed = html.escape(request.query_params.get("q", ""))
        every = request.query_params.get("closed") == "Yes"
        found = [d for d in found_by(request) if every or int(d.key) % 2]
        page = f"<p>{len(found)} results for {typed}</p>{paged(request, found)}"
        return HTMLResponse(f'<html lang=en>{BOX}<a href="/more">Detailed search</a>{page}')

    fuller = HTMLResponse(f"<html lang=en>{form}")
    harvest = harvested(site(front=lambda _: FRONT, find=find, more=lambda _: fuller), tmp_path)
    assert len(harvest.documents) >= 0.97 * SIZE


def test_what_is_hidden_in_one_form_and_a_ticked_box_in_another_is_left_out(tmp_path: Path) -> None:
    """Half of the papers has no scan; the first form of the page asks for scans alone."""
    scans = "name=scans value=true"
    hidden = f"<form action=/find><input type=search name=q><input type=hidden {scans}></form>"
    ticked = f"<form action=/find><input name=q><input type=checkbox {scans} checked> Scans</form>"

    def find(request: Request) -> Response:
        only = request.query_params.get("scans") == "true"
        found = [d for d in found_by(request) if not only or int(d.key) % 2]
        said = f"<p>{len(found)} results</p>{paged(request, found)}"
        return HTMLResponse(f"<html lang=en>{hidden}{said}")

    front = HTMLResponse(f"<html lang=en>{hidden}<p>Papers about words and files.{ticked}")
    harvest = harvested(site(front=lambda _: front, find=find), tmp_path)
    assert len(harvest.documents) >= 0.97 * SIZE


def test_the_title_of_a_page_names_the_subject_where_its_text_is_short(tmp_path: Path) -> None:
    """Texts lack the usual words, and those of the sentence that says how to search."""
    subject = ("iterator", "mapping", "decorator")
    hint = "Enter one or more words to begin your search within this whole catalogue."
    usual = {*first_words(hint, "en", [])}

    def find(request: Request) -> Response:
        typed = request.query_params.get("q", "").lower().split()
        found = [] if not typed or usual & {*typed} else found_by(request)
        said = f"<p>{len(found)} results</p>{paged(request, found)}"
        return HTMLResponse(f"<html lang=en>{BOX}{said}")

    named = ", ".join(each.title() for each in subject)
    said = f"<title>Find | Library of {named}</title>{BOX}<p>{hint}"
    app = site(front=lambda _: HTMLResponse(f"<html lang=en>{said}"), find=find)
    assert len(harvested(app, tmp_path).documents) >= 0.9 * SIZE


def test_a_heading_that_links_is_the_title_even_if_versions_share_it() -> None:
    """A line with names and a number, longer and different in each hit, is none."""
    said = "Helen Costa, Marco Petrov: Papers {0}, version {0}"
    hits = [
        f"<div><h3><a href=/doc/{n}>On files, part {n // 3}</a></h3><p class=meta>{said.format(n)}"
        "</p><p>The first words of the text.</p></div>"
        for n in range(12)
    ]
    found = find_title([*fromstring(f"<div>{''.join(hits)}</div>")], "css:a")
    assert found is not None
    assert found.texts[::4] == ("On files, part 0", "On files, part 1", "On files, part 2")


def test_identifiers_that_number_the_rows_of_each_answer_are_no_keys(tmp_path: Path) -> None:
    """Beyond the end the last page is shown again."""

    def api(request: Request) -> Response:
        found = found_by(request)
        start, size = number(request, "offset", 0), min(number(request, "count", 10), 20)
        shown = part(found, start, size).rows or found[-size:]
        value = [
            {
                "id": f"http://host/api/#Pages.{n}",
                "name": d.title,
                "url": f"http://{request.headers['host']}/doc/{d.key}",
                "published": f"20{int(d.key) % 20 + 10}-0{int(d.key) % 9 + 1}-17T00:00:00",
                "language": "en",
            }
            for n, d in enumerate(shown)
        ]
        pages = {"pages": {"estimated": 2 * len(found), "value": value}} if found else {}
        return JSONResponse({"kind": "answer", **pages})

    app = site(api=api)
    harvest = harvested(app, tmp_path, "/api?q=file&count=10&offset=0")
    assert len(harvest.documents) >= 0.95 * SIZE


def test_documents_of_each_script_are_read(tmp_path: Path) -> None:
    """Articles and books have containers of different names."""
    kinds = {key: ("book" if n % 5 == 0 else "article") for n, key in enumerate(DOCUMENTS)}

    def find(request: Request) -> Response:
        typed = html.escape(request.query_params.get("q", ""))
        shown = part(found_by(request), 10 * (number(request, "p", 1) - 1), 10)
        hits = "".join(
            f'<li><a href="/show/{kinds[d.key]}?code={d.key}">{html.escape(d.title)}</a></li>'
            for d in shown.rows
        )
        on = f'<a href="?q={typed}&p={number(request, "p", 1) + 1}">Next</a>'
        page = f"<p>{shown.total} records</p><ul>{hits}</ul>{on if shown.more else ''}"
        return HTMLResponse(f"<html lang=en>{BOX}{page if shown.rows else '<p>No records'}")

    def paper(request: Request) -> Response:
        found = DOCUMENTS[request.query_params["code"]]
        kind = kinds[found.key]
        assert kind == request.path_params["kind"]
        head = f'<h2>{html.escape(found.title)}</h2><div id="{kind}{found.key}" class={kind}>'
        menu = "<ul id=menu><li><a href=/help>Help</a></ul>"
        text = f"<p>{html.escape(found.text)}</p>"
        return HTMLResponse(f"<html lang=en>{menu}<div id=page>{head}{text}</div></div>")

    routes = [Route("/", lambda _: FRONT), Route("/find", find), Route("/show/{kind}", paper)]
    harvest = harvested(Starlette(routes=routes), tmp_path)
    assert len(harvest.documents) >= 0.97 * SIZE
    assert harvest.certificate.documents_failed == 0


def test_documents_are_where_the_front_page_of_the_interface_says(tmp_path: Path) -> None:
    """Rows have neither link nor text; documents want the key that every search sends."""

    def search(request: Request) -> Response:
        if request.query_params.get("apikey") != "7f59":
            return JSONResponse({"error": "key"}, status_code=401)
        shown = part(found_by(request), number(request, "offset", 0), number(request, "rows", 20))
        found = [{"id": f"A{d.key}X", "label": d.title, "kind": "text"} for d in shown.rows]
        return JSONResponse({"found": shown.total, "results": [{"name": "all", "docs": found}]})

    def item(request: Request) -> Response:
        if request.query_params.get("apikey") != "7f59":
            return JSONResponse({"error": "key"}, status_code=401)
        found = DOCUMENTS[request.path_params["key"][1:-1]]
        said = {"label": found.title, "fields": [{"id": "about", "value": [found.text]}]}
        return JSONResponse({"item": said})

    front = HTMLResponse("<html lang=en><h1>The API</h1><h2>GET /items/{id}/view</h2><p>One item.")
    routes = [
        Route("/", lambda _: front),
        Route("/search", search),
        Route("/items/{key}/view", item),
    ]
    where = "/search?q=file&rows=20&offset=0&apikey=7f59"
    harvest = harvested(Starlette(routes=routes), tmp_path, where)
    assert len(harvest.documents) == SIZE
    assert all(
        DOCUMENTS[each.key[1:-1]].text.split()[-5:] == each.text.split()[-5:]
        for each in harvest.documents
    )
    assert harvest.certificate.outcome == "complete"


@needs_browser
def test_a_year_that_a_script_must_send_is_sent_in_turn(tmp_path: Path) -> None:
    """Answers are JSON in a string, asked for by JSON; documents are drawn from such answers."""

    async def find(request: Request) -> Response:
        sent = await request.json()
        assert isinstance(sent["years"], list)
        found = words(sent["words"]) if sent["words"] else TEXTS
        of_year = [d for d in found if YEAR[d.key] in sent["years"]]
        told = [{"no": d.key, "name": d.title, "year": YEAR[d.key]} for d in of_year]
        return JSONResponse({"status": "ok", "data": json.dumps(told)})

    async def paper(request: Request) -> Response:
        found = DOCUMENTS[(await request.json())["id"]]
        asked.append(found.key)
        return JSONResponse({"data": json.dumps({"name": found.title, "body": found.text})})

    asked = list[str]()
    script = f"const YEARS = {json.dumps(YEARS)};{DRAWS}"
    shown = list[str]()
    shell = HTMLResponse(f"<html lang=en><div id=app></div><script>{script}</script>")

    def shell_at(request: Request) -> Response:
        shown.append(request.url.path)
        return shell

    routes = [
        *(Route(path, shell_at) for path in ("/", "/paper")),
        Route("/api/find", find, methods=["POST"]),
        Route("/api/paper", paper, methods=["POST"]),
    ]
    harvest = harvested(Starlette(routes=routes), tmp_path)
    assert len(harvest.documents) == SIZE
    assert {each.key for each in harvest.documents} == set(DOCUMENTS)
    assert all(
        DOCUMENTS[each.key].text.split()[-5:] == each.text.split()[-5:]
        for each in harvest.documents
    )
    assert len(asked) >= SIZE
    assert shown.count("/paper") < 10  # the browser showed only the first
    assert all("/paper?no=" in each.url for each in harvest.documents)


def test_an_example_names_the_field_and_another_where_texts_are(tmp_path: Path) -> None:
    """Words without their field find nothing, and hits are identifiers alone."""
    first = next(iter(DOCUMENTS))

    def docs(request: Request) -> Response:
        api = f"http://{request.headers['host']}/api"
        find = html.escape(f"{api}/find?term0=text_file&count=10&start=0")
        page = f"<h1>The API</h1><p>Answers are JSON.<pre>{find}</pre><h2>Texts</h2><p>In XML:"
        return HTMLResponse(f"<html lang=en>{page}<pre>{api}/text?div=t17-{first}</pre>")

    def find(request: Request) -> Response:
        field, _, typed = request.query_params.get("term0", "").partition("_")
        found = (words(typed) if typed else TEXTS) if field == "text" else []
        count = min(number(request, "count", 10), 20)
        shown = part(found, number(request, "start", 0), count)
        return JSONResponse({"total": shown.total, "hits": [f"t17-{d.key}" for d in shown.rows]})

    def text(request: Request) -> Response:
        found = DOCUMENTS[request.query_params["div"].removeprefix("t17-")]
        body = f"<head>{html.escape(found.title)}</head><p>{html.escape(found.text)}</p>"
        told = f'<TEI><body id="t17-{found.key}">{body}</body></TEI>'
        return Response(told, media_type="application/xml")

    routes = [Route("/docs", docs), Route("/api/find", find), Route("/api/text", text)]
    harvest = harvested(Starlette(routes=routes), tmp_path, "/docs")
    assert len(harvest.documents) >= 0.97 * SIZE
    assert all(each.title == DOCUMENTS[each.key[4:]].title for each in harvest.documents)


def test_pages_of_another_layout_are_read_too(tmp_path: Path) -> None:
    """Learning meets none of them; a few show a login instead, and count as failed."""
    few = {each for n, each in enumerate(sorted(DOCUMENTS)) if n % 9 == 4}
    closed = set(sorted(few)[:2])

    def front(request: Request) -> Response:
        newest = sorted(DOCUMENTS.values(), key=lambda each: each.key in few)
        return HTMLResponse(f"<html lang=en>{BOX}{rows(newest[:8])}")

    def find(request: Request) -> Response:
        typed, on = html.escape(request.query_params["q"]), number(request, "p", 1)
        found = sorted(found_by(request), key=lambda each: each.key in few)
        shown = part(found, 10 * (on - 1), 10)
        more = f'<a rel=next href="?q={typed}&p={on + 1}">Next</a>' if shown.more else ""
        return HTMLResponse(f"<html lang=en>{BOX}{rows(shown.rows)}{more}")

    def doc(request: Request) -> Response:
        each = DOCUMENTS[request.path_params["key"]]
        title, text = html.escape(each.title), html.escape(each.text)
        if each.key in closed:
            return HTMLResponse("<html lang=en><main><h1>Members</h1>Sign in to read.</main>")
        if each.key in few:
            page = f"<main><h2>{title}</h2><section>{text}</section></main>"
        else:
            page = f"<h1>{title}</h1><div class=story>{text}</div>"
        return HTMLResponse(f"<html lang=en><nav><a href=/>Home</a></nav>{page}")

    routes = [Route("/", front), Route("/find", find), Route("/doc/{key}", doc)]
    harvest = harvested(Starlette(routes=routes), tmp_path)
    held = {each.url.rpartition("/")[2]: each for each in harvest.documents}
    certificate = harvest.certificate
    assert certificate.other_layouts == len(few - closed)
    assert certificate.documents_failed == len(closed)
    assert all(DOCUMENTS[key].text.split()[-1] in held[key].text for key in few - closed)
    assert f"layouts    {len(few - closed)} documents' pages have" in str(harvest)


@pytest.mark.parametrize("said", ["No abstract is available.", "Please log in to read on."])
def test_documents_without_a_text_are_saved_and_those_behind_a_login_are_not(
    tmp_path: Path, said: str
) -> None:
    """Both sentences stand in place of many texts, below the title; the first may be right."""
    lacking = {each for n, each in enumerate(sorted(DOCUMENTS)) if n % 6 == 4}

    def find(request: Request) -> Response:
        typed, on = html.escape(request.query_params["q"]), number(request, "p", 1)
        found = sorted(found_by(request), key=lambda each: each.key in lacking)
        shown = part(found, 10 * (on - 1), 10)
        more = f'<a rel=next href="?q={typed}&p={on + 1}">Next</a>' if shown.more else ""
        hits = "".join(
            f'<li><a href="/paper/{d.key}">{html.escape(d.title)}</a></li>' for d in shown.rows
        )
        page = f"<p>{shown.total} papers</p><ol>{hits}</ol>{more}" if hits else "<p>None found."
        return HTMLResponse(f"<html lang=en>{BOX}{page}")

    def paper(request: Request) -> Response:
        each = DOCUMENTS[request.path_params["key"]]
        text = said if each.key in lacking else html.escape(each.text)
        page = f"<h1>{html.escape(each.title)}</h1><div class=abstract><p>{text}</div>"
        return HTMLResponse(f"<html lang=en>{BOX}<main>{page}</main>")

    app = site(front=lambda _: FRONT, find=find)
    app.routes.append(Route("/paper/{key}", paper))
    spec = tmp_path / "source.toml"
    with running_site(app) as url:
        spec.write_text(SPEC.replace("URL", url))
        harvest = longline.harvest(spec, tmp_path / "h", allow_private=True, rate=1000)
    is_open = said.startswith("No")
    assert len(harvest.documents) >= 0.97 * (SIZE if is_open else SIZE - len(lacking))
    assert (harvest.certificate.other_layouts > 0) == is_open
    assert harvest.certificate.outcome != "complete"


def test_the_title_is_the_heading_of_the_documents_own_pages(tmp_path: Path) -> None:
    """Rows have an office, then a number and date as a heading, then the title as plain text."""

    def find(request: Request) -> Response:
        typed, on = html.escape(request.query_params["q"]), number(request, "p", 1)
        shown = part(found_by(request), 10 * (on - 1), 10)
        more = f'<a rel=next href="?q={typed}&p={on + 1}">Next</a>' if shown.more else ""
        hits = "".join(
            f"<li><h3>OFFICE {int(d.key) % 7}</h3><h4>Gazette {d.key} of {int(d.key) % 28 + 1}/05/"
            f"2024 - {PARTS[int(d.key) % 4]}</h4><p>{html.escape(d.title)}</p><a "
            f"href='/act/{d.key}'>More</a>"
            for d in shown.rows
        )
        page = f"<p>{shown.total} acts</p><ul>{hits}</ul>{more}" if hits else "<p>None found."
        return HTMLResponse(f"<html lang=en>{BOX}{page}")

    def act(request: Request) -> Response:
        each = DOCUMENTS[request.path_params["key"]]
        page = f"<h1>Act {each.key}</h1><h3>{html.escape(each.title)}</h3><div class=text>"
        return HTMLResponse(f"<html lang=en>{BOX}<main>{page}{html.escape(each.text)}</div></main>")

    app = site(front=lambda _: FRONT, find=find)
    app.routes.append(Route("/act/{key}", act))
    harvest = harvested(app, tmp_path)
    assert len(harvest.documents) >= 0.97 * SIZE
    for each in harvest.documents:
        assert each.title == DOCUMENTS[each.url.rpartition("/")[2]].title
