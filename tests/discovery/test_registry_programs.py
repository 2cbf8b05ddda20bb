"""Kinds of sites from program registries: inner lists, catalogues, semicolons, walls."""

import asyncio
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.command_line import longline as command
from tests.discovery.test_further_kinds import harvested
from tests.discovery.test_small_programs import rows
from tests.discovery.test_ways_on import SIZE, TEXTS, document, number, part, words

import longline
from longline.fetch import Manners
from longline.learn import LearnOptions, find_spec
from longline.simulate import running_site

pytestmark = pytest.mark.slow

SEEN: list[str] = []


def page(text: str) -> HTMLResponse:
    """Return a page with its own title."""
    return HTMLResponse(f"<title>Store</title><h1>Store</h1>{text}")


def test_a_list_two_pages_from_the_first_is_read(tmp_path: Path) -> None:
    """A page leads to a page that leads to the list, and no page has a box."""
    routes = [
        Route("/", lambda _: page("<a href=/plans>plans</a> <a href=/bags>bags</a>")),
        Route("/plans", lambda _: page("none yet")),
        Route("/bags", lambda _: page("<a href=/news/texts>news</a>")),
        Route("/news/texts", lambda _: page(f"<ul>{rows(TEXTS)}</ul>")),
        Route("/doc/{key}", document),
    ]
    certificate, documents = harvested(routes, "/", tmp_path)
    assert len(documents) == SIZE
    assert certificate.outcome == "partial"  # whether it leaves some out is not known


def landing(request: Request) -> Response:
    """The root of an OGC API catalogue, which links its description."""
    links = [
        {"rel": "about", "href": "https://papers.example/"},
        {"rel": "service-desc", "href": f"{request.base_url}described"},
        {"rel": "data", "href": f"{request.base_url}collections"},
    ]
    return JSONResponse({"title": "Catalogue", "links": links})


def described(_: Request) -> Response:
    """Describe the parameters."""
    answers = {"200": {"$ref": "https://schemas.example/answers.json#/Features"}}
    numbers = {"in": "query", "schema": {"type": "integer"}}
    asked = {
        "parameters": [{"name": "offset", **numbers}, {"name": "limit", **numbers}],
        "responses": answers,
    }
    tags = [{"name": f"part {n}"} for n in range(12)]
    paths = {"/collections/news/items": {"get": asked}}
    return JSONResponse({"openapi": "3.0.2", "info": {}, "tags": tags, "paths": paths})


def items(request: Request) -> Response:
    """Rows from an offset, and how many match."""
    shown = part(TEXTS, number(request, "offset", 0), min(number(request, "limit", 10), 50))
    features = [
        {"id": d.key, "properties": {"title": d.title, "description": d.text}} for d in shown.rows
    ]
    return JSONResponse({"features": features, "numberMatched": shown.total})


def test_a_catalogue_is_read_as_its_root_says(tmp_path: Path) -> None:
    """Its description is followed, not taken for a list of documents; its total is trusted."""
    routes = [
        Route("/", landing),
        Route("/described", described),
        Route("/collections/news/items", items),
    ]
    certificate, documents = harvested(routes, "/", tmp_path)
    assert len(documents) == SIZE
    assert certificate.outcome == "complete"


def by_semicolons(request: Request) -> Response:
    """A search whose pager separates parameters by semicolons."""
    asked = dict(
        each.partition("=")[::2] for each in request.url.query.replace(";", "&").split("&")
    )
    typed, at = asked.get("words", "").replace("+", " "), int(asked.get("page", 1))
    shown = part(words(typed), (at - 1) * 10)
    last = -(-shown.total // 10)
    links = "".join(
        f'<a href="/find?sort=score;words={typed.replace(" ", "+")};page={n}">{n}</a> '
        for n in range(1, last + 1)
        if n != at
    )
    form = "<form action=/find><input type=hidden name=sort value=score><input name=words></form>"
    found = f"<p>{shown.total} found</p><ul>{rows(shown.rows)}</ul>" if shown.rows else "<p>No.</p>"
    return HTMLResponse(f"<title>Find</title>{form}{found}<p>{links}</p>")


def test_semicolons_part_parameters_too() -> None:
    """Pages are requested by number, and no session is assumed."""
    routes = [Route("/", by_semicolons), Route("/find", by_semicolons)]
    routes += [Route("/doc/{key}", document)]
    with running_site(Starlette(routes=routes)) as url:
        found = longline.discover(f"{url}/", allow_private=True, browser=False)
    assert found.spec.ask.url.endswith("sort=score&words={query}&page={page}")
    assert found.spec.ask.paging == ""


def counted(request: Request) -> Response:
    """A site that counts requests for its first page."""
    SEEN.append(request.url.path)
    typed = request.query_params.get("q", "")
    form = "<form action=/s><input name=q><button>Search</button></form>"
    answer = HTMLResponse(f"<title>Site</title>{form}<ul>{rows(words(typed)[:10])}</ul>")
    if request.app.state.sets_cookie:
        answer.set_cookie("visitor", "1")
    return answer


@pytest.mark.parametrize(("sets_cookie", "times"), [(False, 1), (True, 2)])
def test_the_first_page_is_asked_for_once(sets_cookie: bool, times: int) -> None:
    """Later steps of learning reuse the first page, unless it depends on the visitor's cookie."""
    SEEN.clear()
    app = Starlette(routes=[Route(path, counted) for path in ("/", "/s")])
    app.state.sets_cookie = sets_cookie
    with running_site(app) as url:
        manners, options = Manners(allow_private=True), LearnOptions(browser=False)
        found = asyncio.run(find_spec(f"{url}/", manners, options))
    assert SEEN.count("/") == times
    assert found.requests <= 40


def test_a_search_that_robots_txt_disallows_is_named(tmp_path: Path) -> None:
    """A feed with only the page itself is no list of documents; the real list is harvested."""
    entry = "<entry><title>Home</title><link href=/home /></entry>"
    head = "<link rel=alternate type=application/atom+xml href=/feed>"
    form = "<form action=/find><input type=search name=q></form>"
    routes = [
        Route("/", lambda _: HTMLResponse(f"{head}{form}<a href=/all>All pages</a>")),
        Route("/robots.txt", lambda _: Response("User-agent: *\nDisallow: /find\n")),
        Route("/feed", lambda _: Response(f"<feed>{entry}</feed>", media_type="text/xml")),
        Route("/home", lambda _: page("Welcome.")),
        Route("/all", lambda _: page(f"<ul>{rows(TEXTS)}</ul>")),
        Route("/doc/{key}", document),
    ]
    with running_site(Starlette(routes=routes)) as url:
        done = command(tmp_path, "harvest", f"{url}/", "--allow-private", "--no-browser", "-o", "x")
    assert "its search was not learnt: the site's robots.txt disallows it" in done.stderr
    assert f"saved      {SIZE} documents" in done.stdout


def atom(request: Request) -> Response:
    """Answer with titles only."""
    typed = request.query_params.get("q", "")
    at = number(request, "start", 1) - 1
    found = TEXTS if typed == "*" else words(typed)
    entries = "".join(
        f"<entry><id>{d.key}</id><title>{n}</title><link href='/record?id={d.key}'/></entry>"
        for n, d in enumerate(part(found, at).rows)
    )
    total = f"<o:totalResults xmlns:o='http://a9.com/-/spec/opensearch/1.1/'>{len(found)}"
    feed = f"<feed xmlns='http://www.w3.org/2005/Atom'>{total}</o:totalResults>{entries}</feed>"
    return Response(feed, media_type="application/atom+xml")


def test_titles_without_texts_are_not_complete(tmp_path: Path) -> None:
    """A feed with only titles has no texts, and the certificate says so."""

    def own(request: Request) -> Response:
        to = f"{request.base_url}atom?q={{searchTerms}}&amp;start={{startIndex?}}"
        urls = f'<Url type="application/atom+xml" template="{to}"/>'
        whole = f"<OpenSearchDescription><ShortName>N</ShortName>{urls}</OpenSearchDescription>"
        return Response(whole, media_type="application/opensearchdescription+xml")

    certificate, documents = harvested([Route("/", own), Route("/atom", atom)], "/", tmp_path)
    assert len(documents) >= 0.95 * SIZE
    assert certificate.outcome == "partial"
    assert certificate.cut_texts == len(documents)
