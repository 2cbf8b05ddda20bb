"""Pages whose script fetches further hits, by a button "more" or by scrolling."""

import html
import json
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import Answer, found_by, harvested
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, document, number, part, words
from tests.webs import needs_browser

import longline
from longline.errors import InputError
from longline.harvester import spec_of_folder
from longline.model import Document
from longline.outcomes import Ending
from longline.simulate import running_site

pytestmark = [pytest.mark.slow, needs_browser]

PRESSED = "document.querySelector('#more').onclick = more"
SCROLLED = """new IntersectionObserver(seen => { if (seen[0].isIntersecting) more() })
    .observe(document.querySelector('#end'))"""


def rows(found: list[Document]) -> str:
    """Return hits as HTML."""
    return "".join(
        f'<article><h2><a href="/doc/{d.key}">{html.escape(d.title)}</a></h2></article>'
        for d in found
    )


def results(request: Request, fetched: str, begins: str) -> Response:
    """Return the first hits, and a script that fetches further ones."""
    found = found_by(request)
    said = f"<p>{len(found)} notices found</p>" if found else "<p>Nothing was found.</p>"
    end = "<button id=more>Load more</button><div id=end></div>" if found[10:] else ""
    script = f"""let page = 1; const words = {json.dumps(request.query_params.get("q", ""))};
    const add = text => document.querySelector('#hits').insertAdjacentHTML('beforeend', text);
    const more = () => {fetched}; {begins if end else ""}"""
    form = "<form action=/s><input type=search name=q><button>Search</button></form>"
    body = f"{form}{said}<div id=hits>{rows(found[:10])}</div>{end}<script>{script}</script>"
    return HTMLResponse(f"<html lang=en><h1>Gazette</h1>{body}")


def by_offset(request: Request) -> Response:
    """HTML inside JSON, only for scripts."""
    if request.url.path == "/s":
        address = "'/more?q=' + encodeURIComponent(words) + '&offset=' + 10 * page++"
        own = "{headers: {'X-Requested-With': 'XMLHttpRequest'}}"
        then = "then(r => r.json()).then(t => add(t.html))"
        return results(request, f"fetch({address}, {own}).{then}", PRESSED)
    if request.headers.get("X-Requested-With") != "XMLHttpRequest":
        return Response("forbidden", 403)
    found = part(found_by(request), number(request, "offset", 0))
    return JSONResponse({"html": rows(found.rows), "more": found.more})


def by_page(request: Request) -> Response:
    """A part of a page at the same URL, when the reader reaches the end."""
    if "part" in request.query_params:
        return HTMLResponse(rows(part(found_by(request), 10 * number(request, "page") - 10).rows))
    address = "'/s?q=' + encodeURIComponent(words) + '&part=1&page=' + ++page"
    return results(request, f"fetch({address}).then(r => r.text()).then(add)", SCROLLED)


async def by_post(request: Request) -> Response:
    """A form that a script sends, with values from the page."""
    if request.url.path == "/s":
        sent = "new URLSearchParams({action: 'more', page: ++page, s: words, nonce: 'a1b2'})"
        fetched = f"fetch('/more', {{method: 'POST', body: {sent}}}).then(r => r.text()).then(add)"
        return results(request, fetched, PRESSED)
    sent_ = await request.form()
    if sent_["nonce"] != "a1b2":
        return Response("0", 400)
    return HTMLResponse(rows(part(words(str(sent_["s"])), 10 * int(str(sent_["page"])) - 10).rows))


def harvest(answer: Answer, folder: Path, *, post: bool = False) -> longline.Harvest:
    """Harvest a site from its front page."""
    routes = [Route(path, answer, methods=["GET", "POST"]) for path in ("/s", "/more")]
    routes += [Route("/", lambda request: results(request, "0", "")), Route("/doc/{key}", document)]
    with running_site(Starlette(routes=routes)) as url:
        return longline.harvest(
            f"{url}/", folder / "harvest", allow_private=True, rate=1000, post=post
        )


@pytest.mark.parametrize("answer", [by_offset, by_page, by_post], ids=lambda a: a.__name__)
def test_what_a_script_fetches_is_asked_for_plainly(answer: Answer, tmp_path: Path) -> None:
    """Each answer is read to its end, in few requests, and its total is that of its first page."""
    made = harvest(answer, tmp_path, post=answer is by_post)
    spec, certificate = spec_of_folder(made.folder), made.certificate
    assert not spec.ask.browser
    assert "{page}" in spec.ask.next_url + spec.ask.next_body or "{offset}" in spec.ask.next_url
    assert certificate.documents >= 0.98 * SIZE
    assert certificate.outcome == "complete"
    assert certificate.result_pages < SIZE
    assert not certificate.discrepancies


def test_what_is_fetched_by_post_is_told(tmp_path: Path) -> None:
    """Without permission to send it, the source's spec says what would bring more."""
    made = harvest(by_post, tmp_path)
    assert "let it be sent by --post" in (made.folder / "source.toml").read_text()
    assert spec_of_folder(made.folder).ask.next_url == ""


def sections(request: Request) -> Response:
    """Six sections with their newest documents, and a box that only a script reads."""
    box = """<div class=search><input type=text id=box placeholder="Search this site"></div><script>
    document.querySelector('#box').onkeydown = pressed => { if (pressed.key === 'Enter')
        location = '/s?q=' + encodeURIComponent(pressed.target.value) }</script>"""
    at = request.path_params.get("section")
    if at is None:
        named = "".join(f'<li><a href="/in/{n}">Section {n}</a></li>' for n in range(6))
        return HTMLResponse(f"<html lang=en>{box}<h1>Canton</h1><ul>{named}</ul>")
    newest = [*DOCUMENTS.values()][int(at) :: 6][:9]
    return HTMLResponse(f"<html lang=en>{box}<h1>Section</h1>{rows(newest)}")


def found(request: Request) -> Response:
    """Return a page of hits."""
    shown = part(found_by(request), 10 * number(request, "page") - 10)
    again = f"/s?q={request.query_params['q']}&page={number(request, 'page') + 1}"
    more = f'<a rel=next href="{again}">Next</a>' if shown.more else ""
    said = f"<p>{shown.total} results</p>{rows(shown.rows)}{more}" if shown.rows else "<p>None.</p>"
    return HTMLResponse(f"<html lang=en><h1>Results</h1>{said}")


def test_a_box_that_a_script_reads_goes_before_lists_of_a_part(tmp_path: Path) -> None:
    """Lists of some documents are used only if the box gives nothing."""
    routes = [
        Route("/", sections),
        Route("/in/{section}", sections),
        Route("/s", found),
        Route("/doc/{key}", document),
    ]
    certificate, documents = harvested(routes, "/", tmp_path)
    assert len(documents) >= 0.98 * SIZE
    assert certificate.outcome == "complete"
    listed, few = harvested([each for each in routes if each.path != "/s"], "/", tmp_path / "no")
    assert len(few) == 54
    assert listed.outcome == "partial"


def drawn(request: Request) -> Response:
    """A page that gets all its content from an interface, by POST."""
    script = """
    const words = new URLSearchParams(location.search).get('q');
    if (words) fetch('/api/find', {method: 'POST', body: JSON.stringify({words})})
        .then(r => r.json()).then(found => document.querySelector('#hits').innerHTML = found.html);
    document.querySelector('#box').onkeydown = pressed => { if (pressed.key === 'Enter')
        location = '/?q=' + encodeURIComponent(pressed.target.value) }"""
    box = "<input type=search id=box><div id=hits></div>"
    return HTMLResponse(f"<html lang=en><h1>Library</h1>{box}<script>{script}</script>")


async def interface(request: Request) -> Response:
    """The interface that the page requests."""
    return JSONResponse({"html": rows(words((await request.json())["words"]))})


def test_an_interface_that_robots_txt_disallows_is_named(tmp_path: Path) -> None:
    """A disallowed interface is not requested, and the error gives the reason."""
    rules = "User-agent: *\nDisallow: /api/\n"
    routes = [
        Route("/", drawn),
        Route("/api/find", interface, methods=["POST"]),
        Route("/robots.txt", lambda _: PlainTextResponse(rules)),
    ]
    with pytest.raises(InputError, match=r"robots\.txt disallows .*/api/find") as caught:
        harvested(routes, "/", tmp_path)
    assert caught.value.ending == Ending("blocked", "robots")
