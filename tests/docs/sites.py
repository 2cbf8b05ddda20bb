"""Sites on loopback that stand for the addresses of the documentation's examples."""

import html
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache, partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.offered.test_graphql import SERVERS, endpoint
from tests.discovery.scripted import Scripted
from tests.discovery.servers import Make, Site
from tests.real import servers

from longline.fetch import has_browser
from longline.model import Document
from longline.simulate import Searcher, read_corpus, running_site, website
from longline.simulate.search import read_query

Serve = Callable[[], AbstractContextManager[str]]


TIME = "2026-01-01T00:00:00Z"


@cache
def texts(most: int) -> tuple[Document, ...]:
    """Docstrings of the standard library, spread over all of it."""
    every = read_corpus("docstrings")
    return tuple(every[:: max(1, len(every) // most)][:most])


def found(box: Searcher, typed: str) -> list[Document]:
    """Return what a box shows for words, all pages together."""
    if not typed:
        return []
    query = read_query(typed.replace("-", " NOT "), boolean=True)
    page, number, shown = box.search(query), 1, []
    while True:
        shown += [box.document(hit.key) for hit in page.hits]
        if page.next is None:
            return [each for each in shown if each is not None]
        number += 1
        page = box.search(query, number)


@contextmanager
def wiki() -> Iterator[str]:
    """What a MediaWiki shows of itself: a page that names its interface, and the interface."""
    pages = texts(400)
    box = Searcher(pages, limit=10_000, page_size=500)

    async def home(request: Request) -> Response:
        api = f"{str(request.base_url).rstrip('/')}/w/api.php?action=rsd"
        return HTMLResponse(f'<title>Wiki</title><link rel="EditURI" href="{api}"><h1>Wiki</h1>')

    async def api(request: Request) -> Response:
        asked = request.query_params
        rows = found(box, asked.get("gsrsearch", ""))
        first, size = int(asked.get("gsroffset", 0)), int(asked.get("gsrlimit", 10))
        numbers = {page.key: place for place, page in enumerate(pages, 1)}
        hits = [
            {
                "pageid": numbers[row.key],
                "title": row.title,
                "index": first + place,
                "length": len(row.text),
                "revisions": [{"timestamp": TIME, "slots": {"main": {"content": row.text}}}],
                "canonicalurl": str(request.url_for("page", number=numbers[row.key])),
            }
            for place, row in enumerate(rows[first : first + size], 1)
        ]
        answer = {"searchinfo": {"totalhits": len(rows)}, "pages": hits}
        return JSONResponse({"query": answer})

    async def page(request: Request) -> Response:
        text = pages[request.path_params["number"] - 1]
        return HTMLResponse(f"<h1 id=firstHeading>{text.title}</h1><p>{html.escape(text.text)}")

    routes = [Route("/", home), Route("/w/api.php", api), Route("/wiki/{number:int}", page)]
    with running_site(Starlette(routes=routes)) as url:
        yield url


@contextmanager
def blog() -> Iterator[str]:
    """What a WordPress shows of itself: a page that names its REST interface, and its posts."""
    posts = texts(400)
    box = Searcher(posts, limit=None, page_size=100)
    numbers = {post.key: place for place, post in enumerate(posts, 1)}

    async def home(request: Request) -> Response:
        api = f"{str(request.base_url).rstrip('/')}/wp-json/"
        return HTMLResponse(f'<title>Blog</title><link rel="https://api.w.org/" href="{api}">')

    async def listing(request: Request) -> Response:
        asked = request.query_params
        typed = asked.get("search", "")
        rows = found(box, typed) if typed else list(posts)
        rows = rows if request.path_params["kind"] == "posts" else []
        size = min(int(asked.get("per_page", 10)), 100)
        first = (int(asked.get("page", 1)) - 1) * size
        shown = [
            {
                "id": numbers[row.key],
                "link": f"{request.base_url}{numbers[row.key]}/",
                "title": {"rendered": row.title},
                "content": {"rendered": f"<p>{html.escape(row.text)}</p>"},
            }
            for row in rows[first : first + size]
        ]
        return JSONResponse(shown, headers={"X-WP-Total": str(len(rows))})

    routes = [Route("/", home), Route("/wp-json/wp/v2/{kind}", listing)]
    with running_site(Starlette(routes=routes)) as url:
        yield url


@contextmanager
def api() -> Iterator[str]:
    """A JSON interface that shows the first 1,000 of what matches, with their texts."""
    everything = texts(2_998)
    box = Searcher(everything, limit=1_000, page_size=100)

    async def search(request: Request) -> Response:
        asked = request.query_params
        number = int(asked.get("page", 1))
        if not asked.get("q", "").strip():
            return JSONResponse({"error": "q is missing"}, 400)
        page = box.search(read_query(asked["q"], boolean=True), number)
        rows = [box.document(hit.key) for hit in page.hits]
        items = [
            {"id": row.key, "title": row.title, "text": row.text} for row in rows if row is not None
        ]
        return JSONResponse({"total": page.total and page.total.documents, "items": items})

    with running_site(Starlette(routes=[Route("/v1/search", search)])) as url:
        yield url


@contextmanager
def court() -> Iterator[str]:
    """A site with a search form that says nothing of what made it."""
    make = Make("court", total="of", limit=100, paging="rel", path="/find", field="words")
    with running_site(Site(make).app) as url:
        yield url


@contextmanager
def shop() -> Iterator[str]:
    """A page whose results only a script can show."""
    if not has_browser():
        raise servers.Missing("no Chromium here, or the extra `browser` is not installed")
    with running_site(Scripted("routed", documents=200).app) as url:
        yield url


@contextmanager
def register() -> Iterator[str]:
    """A register that is searched by year and kind, without a box for words."""
    entries = texts(600)
    dates = {entry.key: f"{1990 + place % 30}" for place, entry in enumerate(entries)}

    async def listing(request: Request) -> Response:
        asked = request.query_params
        low, high = asked.get("from") or "1990", asked.get("to") or "2019"
        rows = [entry for entry in entries if low <= dates[entry.key] <= high]
        first = (int(asked.get("page", 1)) - 1) * 20
        shown = "".join(
            f'<li><a href="/entry/{row.key}">{html.escape(row.title)}</a></li>'
            for row in rows[:200][first : first + 20]
        )
        return HTMLResponse(f"<title>Register</title><p>{len(rows)} entries</p><ul>{shown}</ul>")

    async def entry(request: Request) -> Response:
        row = next(each for each in entries if each.key == request.path_params["key"])
        return HTMLResponse(f"<h1>{html.escape(row.title)}</h1><p>{html.escape(row.text)}</p>")

    routes = [Route("/list", listing), Route("/entry/{key:path}", entry)]
    with running_site(Starlette(routes=routes)) as url:
        yield url


@contextmanager
def museum() -> Iterator[str]:
    """A box that shows the 20 nearest in meaning to whatever is typed."""
    objects = texts(400)
    box = Searcher(objects, ranking="meaning", limit=20, page_size=20)
    places = {each.key: place for place, each in enumerate(objects)}

    async def search(request: Request) -> Response:
        typed = request.query_params.get("q", "")
        shown = "".join(
            f'<li class="hit"><a href="/object/{places[each.key]}">{html.escape(each.title)}</a>'
            f"<p>{html.escape(each.text[:100])}</p></li>"
            for each in found(box, typed)
        )
        form = '<form action="/search" role="search"><input type="search" name="q"></form>'
        return HTMLResponse(f"<title>Museum</title>{form}<ol>{shown}</ol>")

    async def one(request: Request) -> Response:
        each = objects[int(request.path_params["place"])]
        body = f"<h1>{html.escape(each.title)}</h1><article>{html.escape(each.text)}</article>"
        return HTMLResponse(f"<title>{html.escape(each.title)}</title>{body}")

    routes = [Route("/", search), Route("/search", search), Route("/object/{place:int}", one)]
    with running_site(Starlette(routes=routes)) as url:
        yield url


@contextmanager
def handbook() -> Iterator[str]:
    """A site of pages without a search: a home page, parts by letter, and the pages of each."""
    pages = {each.key: each for each in texts(600) if each.title.count(".") < 2}
    letters = sorted({each.title[0].lower() for each in pages.values()})

    def links(rows: list[tuple[str, str]]) -> str:
        return "".join(f'<li><a href="{to}">{html.escape(text)}</a></li>' for to, text in rows)

    async def home(request: Request) -> Response:
        rows = [(f"/part/{letter}", f"Part {letter.upper()}") for letter in letters]
        return HTMLResponse(f"<title>Handbook</title><h1>Handbook</h1><ul>{links(rows)}</ul>")

    async def part(request: Request) -> Response:
        letter = request.path_params["letter"]
        rows = [
            (f"/page/{key}", f"{each.title}: {each.text.partition(chr(10))[0]}")
            for key, each in pages.items()
            if each.title[0].lower() == letter
        ]
        return HTMLResponse(f"<title>Part {letter.upper()}</title><ul>{links(rows)}</ul>")

    async def one(request: Request) -> Response:
        each = pages[request.path_params["key"]]
        body = f"<h1>{html.escape(each.title)}</h1><p>{html.escape(each.text)}</p>"
        return HTMLResponse(f"<title>{html.escape(each.title)}</title>{body}")

    routes = [Route("/", home), Route("/part/{letter}", part), Route("/page/{key:path}", one)]
    with running_site(Starlette(routes=routes)) as url:
        yield url


@contextmanager
def manual() -> Iterator[str]:
    """A site as MkDocs builds it: pages, and one file that its script searches."""
    pages = texts(300)
    rows = [{"location": f"p/{n}/", "title": d.title, "text": d.text} for n, d in enumerate(pages)]

    async def home(request: Request) -> Response:
        script = '<script src="search/main.js"></script>'
        return HTMLResponse(f"<title>Manual</title><h1>Manual</h1>{script}")

    async def index(request: Request) -> Response:
        return JSONResponse({"config": {"lang": ["en"]}, "docs": rows})

    async def one(request: Request) -> Response:
        each = pages[request.path_params["number"]]
        body = f"<main><h1>{html.escape(each.title)}</h1><p>{html.escape(each.text)}</p></main>"
        return HTMLResponse(f"<title>{html.escape(each.title)}</title>{body}")

    routes = [Route("/", home), Route("/search/search_index.json", index)]
    with running_site(Starlette(routes=[*routes, Route("/p/{number:int}/", one)])) as url:
        yield url


@contextmanager
def books() -> Iterator[str]:
    """A GraphQL endpoint whose schema has a connection with a search."""
    with running_site(endpoint(*SERVERS["connection with a search"])) as url:
        yield url


@contextmanager
def closed() -> Iterator[str]:
    """A site whose robots.txt keeps everybody out of its search."""
    robots = "User-agent: *\nDisallow: /search\n"
    with running_site(website(Searcher(texts(100)), robots=robots)) as url:
        yield url


@contextmanager
def _real(serve: Callable[[servers.Texts, Path], AbstractContextManager[str]]) -> Iterator[str]:
    rows = [(each.key.replace("/", "."), each.title, each.text) for each in texts(400)]
    with tempfile.TemporaryDirectory() as folder, serve(rows, Path(folder)) as url:
        yield url.rstrip("/")


SITES: dict[str, Serve] = {
    "wiki.example": wiki,
    "blog.example": blog,
    "kiwix.example": partial(_real, servers.kiwix),
    "data.example": partial(_real, servers.datasette),
    "api.example": api,
    "court.example": court,
    "shop.example": shop,
    "register.example": register,
    "museum.example": museum,
    "handbook.example": handbook,
    "manual.example": manual,
    "books.example": books,
    "closed.example": closed,
}
"""By host; `servers.Missing` is raised where the machine lacks a server."""
