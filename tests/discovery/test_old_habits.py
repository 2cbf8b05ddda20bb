"""Habits of old search pages: numbers in brackets, "Next 15", forms by POST, lower-case not."""

from collections.abc import Iterator
from html import escape

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.discovery.grade import discover, pages_by

from longline.model import Document, Query
from longline.simulate import Searcher, read_corpus, running_site

SIZE = 15
DOCUMENTS = read_corpus("docstrings")[:600]
FORM = '<form method="post" action="/find"><input name="words"><input type="submit" value="Search">'


@pytest.fixture
def site() -> Iterator[tuple[str, list[str]]]:
    """A site whose form uses POST, although answers also work by GET; and its methods used."""
    methods: list[str] = []
    searcher = Searcher(DOCUMENTS, limit=None, page_size=SIZE)
    titles = {document.key: document for document in DOCUMENTS}

    async def home(request: Request) -> Response:
        return HTMLResponse(f"<title>Papers</title><p>{DOCUMENTS[0].text}</p>{FORM}</form>")

    async def find(request: Request) -> Response:
        methods.append(request.method)
        if request.method == "POST":
            return HTMLResponse("Use the address.", 405)
        words = request.query_params["words"]
        start = int(request.query_params.get("start") or 0)
        required, _, barred = f" {words} ".partition(" not ")
        query = Query(tuple(required.split()), tuple(barred.replace(" not ", " ").split()))
        keys = searcher.keys(query) if query.required else []
        return HTMLResponse(_answer(words, keys, start, titles))

    async def paper(request: Request) -> Response:
        document = titles[request.path_params["key"]]
        return HTMLResponse(f"<h1>{escape(document.title)}</h1><pre>{escape(document.text)}</pre>")

    routes = [
        Route("/", home),
        Route("/find", find, methods=["GET", "POST"]),
        Route("/papers/{key}", paper),
    ]
    with running_site(Starlette(routes=routes)) as url:
        yield url, methods


def _answer(words: str, keys: list[str], start: int, documents: dict[str, Document]) -> str:
    shown = "".join(
        f'<dl><dt><a href="/papers/{escape(key)}">{escape(documents[key].title)}</a>'
        f"<dd>{escape(documents[key].text[:200])}</dl>"
        for key in keys[start : start + SIZE]
    )
    last = min(start + SIZE, len(keys))
    hits = f"<p>{start + 1} to {last} of {len(keys)} hits</p>" if keys else "<p>No hits.</p>"
    links = "".join(
        f' <a href="/find?words={escape(words)}&amp;start={place}">[{place // SIZE + 1}]</a>'
        for place in range(0, len(keys), SIZE)
        if place != start
    )
    left = min(SIZE, len(keys) - last)
    if left > 0:
        links += f' <a href="/find?words={escape(words)}&amp;start={last}">Next {left}</a>'
    return f"<title>Papers</title><h1>Search for {escape(words)}</h1>{hits}{shown}<p>{links}</p>"


def test_a_form_by_post_is_asked_by_get_where_that_does(site: tuple[str, list[str]]) -> None:
    """Nothing is posted without permission, and the source is still learnt."""
    url, methods = site
    learnt = discover(url)
    assert learnt.spec is not None
    assert "words={query}" in learnt.spec.ask.url
    assert learnt.spec.ask.dialect.not_ == "not {term}"
    assert set(methods) == {"GET"}


def test_every_page_of_an_answer_is_read(site: tuple[str, list[str]]) -> None:
    """The last page's link "Next 7" is followed like the others."""
    learnt = discover(site[0])
    word = "return"
    (pages,) = pages_by(learnt, [(word,)], most=40)
    total = pages[0].total
    assert total is not None
    keys = {hit.key for page in pages for hit in page.hits}
    assert len(keys) == total.documents > 3 * SIZE


def test_the_address_of_an_answer_says_how_to_ask(site: tuple[str, list[str]]) -> None:
    """A copied URL is enough if no page has a form."""
    url, _ = site
    learnt = discover(f"{url}/find?words=file")
    assert learnt.spec is not None
    assert "words={query}" in learnt.spec.ask.url
    assert "the address given" in learnt.toml()
