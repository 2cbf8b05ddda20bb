"""Kinds of sites of which too little was harvested in a blind test, each from its URL."""

import html
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, document, part, together, words

import longline
from longline.discovery.described.interfaces import examples_in
from longline.model import Document
from longline.model import Response as Came
from longline.simulate import running_site

pytestmark = pytest.mark.slow

ALL = list(DOCUMENTS.values())
ROWS = 10
Answer = Callable[[Request], Response]


def page(body: str) -> Response:
    """Return a page with this body."""
    head = "<!doctype html><html lang=en><title>Register</title><a href='/about'>About us</a>"
    return HTMLResponse(f"{head}<h1>Register</h1>{body}<footer>Contact</footer>")


def onward(request: Request, found: list[Document], row: Callable[[Document], str]) -> str:
    """Return the rows of one page, the total, and the link to the next page."""
    at = int(request.query_params.get("page", 1))
    shown = part(found, ROWS * (at - 1), ROWS)
    address = html.escape("?" + urlencode({**request.query_params, "page": at + 1}))
    more = f"<a class=next href='{address}'>Next page</a>" if shown.more else ""
    return f"<p>{shown.total} found</p><div>{''.join(map(row, shown.rows))}</div>{more}"


def linked(kind: str = "job") -> Callable[[Document], str]:
    """Return a function that writes a hit with a link."""
    return lambda one: (
        f"<div class='{kind}'><a href='/doc/{one.key}'>{html.escape(one.title)}</a></div>"
    )


def promoted(request: Request) -> Response:
    """One promoted row is above the hits of every answer, with its own class."""
    found = words(request.query_params.get("what", ""))
    form = "<form action='/s'><input name=what><button>Find jobs</button></form>"
    if not found:
        return page(f"{form}<p>Sorry, no jobs match.</p>")
    return page(form + linked("job promoted")(ALL[3]) + onward(request, found, linked()))


def site_search(request: Request) -> Response:
    """The front page searches the site's few pages; another page has the catalogue."""
    return page("<p>No pages found.</p>")


def pictures(request: Request) -> Response:
    """Hits have no link: a script opens them, and each shows a part of its title."""
    found = words(request.query_params.get("subject", ""))
    if not found:
        return page("<p>No photographs match.</p>")
    opens = "<script>function show(n){location.href='/doc/'+n}</script>" * SCRIPTED[0]

    def row(one: Document) -> str:
        title = html.escape(one.title[:40])
        return f"<div class=thumb onclick='show({one.key})'><b>{title}</b></div>"

    return page(onward(request, found, row) + opens)


SCRIPTED = [True]


def parts(request: Request) -> Response:
    """A page of letters, linked from the front page, leads to the lists."""
    first = sorted({one.title[0].upper() for one in ALL})
    menu = " ".join(f"<a href='/list?letter={each}'>{each}</a>" for each in first)
    letter = request.query_params.get("letter", "")
    found = [one for one in ALL if one.title[0].upper() == letter]
    rows = "".join(f"<li><a href='/doc/{d.key}'>{html.escape(d.title)}</a></li>" for d in found)
    return page(f"<p>By name: {menu}</p><ul>{rows}</ul>")


def by_year(request: Request) -> Response:
    """The heading has the requested year, which is not a total."""
    year = request.query_params.get("year", "")
    options = "".join(f"<option>{each}</option>" for each in range(2011, 2021))
    form = f"<form action='/s'><select name=year>{options}</select><input type=submit></form>"
    found = [one for one in ALL if str(2011 + len(one.text) ** 2 % 97 % 10) == year]
    rows = "".join(f"<tr><td><a href='/doc/{d.key}'>{html.escape(d.title)}</a>" for d in found)
    return page(f"{form}<h2>Acts of {year}</h2><table>{rows}</table>" if found else form)


def api(request: Request) -> Response:
    """Answers with data, for the example URL on the front page."""
    found = part(words(request.query_params.get("q", "")), 0, 40)
    rows = [{"id": d.key, "name": d.title, "text": d.text} for d in found.rows]
    return JSONResponse({"meta": {"total": found.total}, "items": rows})


KINDS: list[tuple[str, str, dict[str, Answer]]] = [
    ("<form action='/s'><input name=what><button>Find jobs</button></form>", "", {"/s": promoted}),
    (
        "<form action='/site'><input name=s placeholder='Search this website'><button>Go</button>"
        "</form><p>Pictures of the county, a century of them: <a href='/cat'>photo catalogue</a>",
        "<form action='/pics'><input name=subject><button>Search catalogue</button></form>",
        {"/site": site_search, "/pics": pictures},
    ),
    ("<p>We keep seeds. <a href='/list'>Browse them</a></p>", "", {"/list": parts}),
    ("<p>Acts and orders. <a href='/s'>By date</a></p>", "", {"/s": by_year}),
    ("<p>An interface.</p><pre>GET /api/items?q=time&amp;limit=40</pre>", "", {"/api/items": api}),
]


@pytest.mark.parametrize(
    ("front", "catalogue", "paths"), KINDS, ids=["promoted", "pictures", "parts", "years", "api"]
)
def test_all_of_a_site_comes_from_its_front_page(
    front: str, catalogue: str, paths: dict[str, Answer], tmp_path: Path
) -> None:
    """Nearly all documents are held, with their texts, and no search is called cut."""
    routes = [Route(path, answer) for path, answer in paths.items()]
    routes += [Route("/", lambda _: page(front)), Route("/doc/{key}", document)]
    routes += [Route("/cat", lambda _: page(catalogue))] if catalogue else []
    with running_site(Starlette(routes=routes)) as url:
        harvest = longline.harvest(
            f"{url}/", tmp_path / "harvest", allow_private=True, max_requests=1200, browser=False
        )
    texts = {" ".join(one.text.split())[:40] for one in ALL}
    held = {
        each for each in texts if any(each in " ".join(d.text.split()) for d in harvest.documents)
    }
    assert len(held) >= 0.95 * len(texts)
    assert not harvest.certificate.truncations or paths.keys() == {"/api/items"}


def test_hits_without_the_words_that_found_them_are_not_whole(tmp_path: Path) -> None:
    """If no script shows where a hit leads, the documents are partial, and never complete."""
    form = "<form action='/pics'><input name=subject><button>Search</button></form>"
    routes = [Route("/", lambda _: page(form)), Route("/pics", pictures)]
    SCRIPTED[0] = False
    try:
        with running_site(Starlette(routes=routes)) as url:
            harvest = longline.harvest(
                f"{url}/", tmp_path / "h", allow_private=True, max_requests=600, browser=False
            )
    finally:
        SCRIPTED[0] = True
    assert harvest.certificate.outcome == "partial"
    assert harvest.certificate.cut_texts > 0.9 * SIZE


def register(sent: dict[str, str]) -> str:
    """Answer a form by POST: a substring, an order, and a menu of pages."""
    form = (
        "<form action='/r' method=post><input name=text><input type=radio name=sort value=date "
        "checked><input type=radio name=sort value=title><input type=submit value=Search></form>"
    )
    typed, order = sent.get("text", ""), sent.get("sort", "date")
    found = sorted(together(typed), key=lambda d: d.title if order == "title" else d.key)
    if not found:
        return f"{form}<p>No notices were found.</p>"
    at, last = int(sent.get("page", 1)), -(-len(found) // ROWS)
    hidden = {"text": typed, "sort": order}.items()
    held = "".join(f"<input type=hidden name={k} value='{html.escape(v)}'>" for k, v in hidden)
    options = "".join(
        f"<option value={n}{' selected' * (n == at)}>{n}</option>" for n in range(1, last + 1)
    )
    menu = f"<form action='/r' method=post>{held}<select name=page>{options}</select></form>"
    rows = "".join(map(linked("notice"), part(found, ROWS * (at - 1), ROWS).rows))
    return f"<p>{len(found)} notices were found</p>{menu}{rows}{form}"


def test_a_menu_of_pages_and_an_order_by_post(tmp_path: Path) -> None:
    """The menu of pages is followed to its end, and an order is not taken for a filter."""

    async def answer(request: Request) -> Response:
        return page(register({k: str(v) for k, v in (await request.form()).items()}))

    routes = [Route("/", lambda _: page(register({}))), Route("/doc/{key}", document)]
    routes += [Route("/r", answer, methods=["POST"])]
    with running_site(Starlette(routes=routes)) as url:
        options = {"allow_private": True, "max_requests": 1200, "browser": False, "post": True}
        harvest = longline.harvest(f"{url}/", tmp_path / "harvest", **options)  # type: ignore[arg-type]
    assert len(harvest.documents) >= 0.95 * SIZE
    assert harvest.spec.results.next.startswith("css:select")


def test_examples_stand_on_pages_without_a_form() -> None:
    """A link or a line of code is an example if it contains words; a menu's link is not."""
    body = b"<a href='/api?query=river'>try</a> <a href='/page?id=3'>3</a><code>/x?q=</code>"
    came = Came(url="https://x.example/", status=200, content_type="text/html", body=body)
    assert [each.url for each in examples_in(came)] == ["https://x.example/api"]
    other = Came(url=came.url, status=200, content_type="text/html", body=body + b"<form></form>")
    assert not examples_in(other)


def test_a_session_in_the_path_is_begun_anew(tmp_path: Path) -> None:
    """The form is requested where visitors get a session, and hits are identified without it."""
    sets: list[list[Document]] = []
    form = "<FORM ACTION=/opac/{}/search METHOD=POST><INPUT NAME=trm><INPUT TYPE=SUBMIT></FORM>"
    sessions = iter(range(100_000))

    def begin(request: Request) -> Response:
        return RedirectResponse(f"/opac/a{next(sessions):08}/menu")

    def menu(request: Request) -> Response:
        return page(form.format(request.path_params["session"]))

    async def search(request: Request) -> Response:
        sets.append(words(str((await request.form())["trm"])))
        return RedirectResponse(f"set/{len(sets)}?page=1", 302)

    def show(request: Request) -> Response:
        found = sets[request.path_params["number"] - 1]
        own = f"/opac/{request.path_params['session']}"
        row = lambda one: f"<TR><TD><A HREF={own}/rec/{one.key}>{html.escape(one.title)}</A>"  # noqa: E731
        rows = f"<TABLE>{onward(request, found, row)}</TABLE>" if found else "<P>Nothing found."
        return page(rows + form.format(request.path_params["session"]))

    routes = [Route("/", lambda _: page("<A HREF=/opac>Enter the catalogue</A>"))]
    routes += [Route("/opac", begin), Route("/opac/{session}/menu", menu)]
    routes += [Route("/opac/{session}/search", search, methods=["POST"])]
    routes += [Route("/opac/{session}/set/{number:int}", show)]
    routes += [Route("/opac/{session}/rec/{key}", document)]
    with running_site(Starlette(routes=routes)) as url:
        options = {"allow_private": True, "max_requests": 1200, "browser": False, "post": True}
        harvest = longline.harvest(f"{url}/", tmp_path / "harvest", **options)  # type: ignore[arg-type]
    assert harvest.spec.ask.form is not None
    assert harvest.spec.ask.form.page == f"{url}/opac"
    held = [each.url.rpartition("/")[2] for each in harvest.documents]
    assert len(held) == len(set(held)) >= 0.95 * SIZE
