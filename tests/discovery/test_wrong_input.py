"""Pages that cannot be learnt: the error says what was tried, and no form is sent in vain."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from tests.command_line import longline
from tests.discovery.servers import MAKES, Site
from tests.webs import needs_browser

from longline import model
from longline.discovery import Discoverer, SpecFinder
from longline.events import RequestFailed, ResponseReceived
from longline.simulate import running_site

Fails = Callable[..., str]


@pytest.fixture
def fails(tmp_path: Path) -> Fails:
    """Return a function that runs `longline discover` and returns its one line of error."""

    def check(url: str, *more: object, code: int = 2) -> str:
        done = longline(tmp_path, "discover", url, "--allow-private", "--no-browser", *more)
        lines = done.stderr.strip().splitlines()
        assert (done.returncode, len(lines)) == (code, 1), done.stderr
        return lines[0]

    return check


@pytest.fixture
def pages() -> Iterator[tuple[str, list[str]]]:
    """A site of hopeless pages, and the requests that it got."""
    log: list[str] = []

    async def form(request: Request) -> Response:
        shown = FORMS.get(request.path_params["name"])
        return HTMLResponse(shown or "not found", 200 if shown else 404)

    async def nothing(request: Request) -> Response:
        return HTMLResponse(f"<p>{WORDS}</p>{FORM}<p>Nothing was found.</p>")

    async def loop(request: Request) -> Response:
        return RedirectResponse("/loop2" if request.url.path == "/loop" else "/loop")

    async def large(request: Request) -> Response:
        return Response(b"<p>web</p>" * 6_000_000, media_type="text/html")

    async def long(request: Request) -> Response:
        return Response((b"<p>" + b"web " * 100) * 17_000, media_type="text/html")

    async def strange(request: Request) -> Response:
        body = "<form action=/nothing><input name=q></form>".encode("utf-16")
        return Response(body, headers={"content-type": "text/html; charset=x-klingon"})

    async def broken(request: Request) -> Response:
        return HTMLResponse("<form action=/nothing <input name='q><table><tr><<<</b></form" * 20)

    async def empty(request: Request) -> Response:
        return HTMLResponse("")

    routes = [Route("/form/{name}", form), Route("/nothing", nothing, methods=["GET", "POST"])]
    plain = {"loop": loop, "loop2": loop, "large": large, "long": long, "strange": strange}
    plain |= {"broken": broken, "empty": empty}
    routes += [Route(f"/{name}", endpoint) for name, endpoint in plain.items()]
    with running_site(Starlette(routes=routes), log=log) as url:
        yield url, log


WORDS = "The reading room keeps letters, maps and photographs of the harbour and its pilots."
FORM = '<form action="/nothing"><input name="q"><button>Search</button></form>'
FORMS = {
    "none": f"<p>{WORDS}</p>",
    "loose": f'<p>{WORDS}</p><input id="filter" placeholder="Search">',
    "login": f'<p>{WORDS}</p><form action="/nothing" method="post"><input name="q">'
    '<input type="password" name="p"><button>Search</button></form>',
    "file": f'<p>{WORDS}</p><form action="/nothing" method="post"><input type="search" name="q">'
    '<input type="file" name="f"><button>Search</button></form>',
    "post": f'<p>{WORDS}</p><form action="/nothing" method="post"><input name="name">'
    "<button>Find</button></form>",
    "deaf": f"<p>{WORDS}</p>{FORM}",
    "unsendable": f'<p>{WORDS}</p>{FORM}<form action="http://[bad"><select name="kind">'
    "<option>maps<option>letters</select></form>",
}


def test_page_without_a_form(fails: Fails, pages: tuple[str, list[str]]) -> None:
    """The error for a page without a form says what to write by hand."""
    message = fails(f"{pages[0]}/form/none")
    assert "no search box" in message
    assert all(
        word in message
        for word in ("address of the results page", "source.toml", "none-of-these.md")
    )


@pytest.mark.slow
@needs_browser
def test_a_browser_is_tried_and_said(pages: tuple[str, list[str]], tmp_path: Path) -> None:
    """If there is a browser, it is tried too, and one line of error covers both attempts."""
    done = longline(tmp_path, "discover", f"{pages[0]}/form/loose", "--allow-private")
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "source.toml" in done.stderr


@pytest.mark.slow
@needs_browser
def test_what_is_not_there_is_said_once(pages: tuple[str, list[str]], tmp_path: Path) -> None:
    """A browser is tried, and has nothing to add."""
    done = longline(tmp_path, "harvest", f"{pages[0]}/form/absent", "--allow-private", "-o", "x")
    [said] = [line for line in done.stderr.splitlines() if line.startswith("error")]
    assert said.endswith("form/absent answers 404 Not Found; check the URL")
    assert "browser" not in said


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("page", ["form/none", "empty"])
def test_what_a_browser_shows_alike_is_said_once(
    pages: tuple[str, list[str]], tmp_path: Path, page: str
) -> None:
    """A page that is no better in a browser is mentioned once."""
    done = longline(tmp_path, "harvest", f"{pages[0]}/{page}", "--allow-private", "-o", "x")
    [said] = [line for line in done.stderr.splitlines() if line.startswith("error")]
    assert "in a browser: " not in said
    assert said.count(f"/{page}") <= 2


@pytest.mark.parametrize("home", [f"<p>{WORDS}</p><a href=/search>Search</a>", FORM])
def test_a_search_that_robots_txt_forbids(fails: Fails, home: str) -> None:
    """The error names robots.txt, and suggests no other way to the same search."""
    shown = home.replace("/nothing", "/search")
    routes = [
        Route("/", lambda request: HTMLResponse(shown)),
        Route("/search", lambda request: HTMLResponse(FORM)),
        Route("/robots.txt", lambda request: Response("User-agent: *\nDisallow: /search")),
    ]
    with running_site(Starlette(routes=routes)) as url:
        message = fails(f"{url}/", code=3)  # the source keeps us out
    assert "/robots.txt disallows" in message
    assert "ask the site's owner" in message
    assert "source.toml" not in message


def test_box_that_only_a_script_uses(fails: Fails, pages: tuple[str, list[str]]) -> None:
    """A text box outside a form is reported as used by a script."""
    assert "script" in fails(f"{pages[0]}/form/loose")


@pytest.mark.parametrize(("name", "said", "code"), [("login", "password", 3), ("file", "file", 2)])
def test_form_with_a_secret_is_never_sent(
    fails: Fails, pages: tuple[str, list[str]], name: str, said: str, code: int
) -> None:
    """A form with a password or a file field is not sent, not even when POST is allowed."""
    url, log = pages
    message = fails(f"{url}/form/{name}", "--post", code=code)
    assert f"asks for a {said}" in message
    assert "owner" in message
    assert "--words" not in message
    assert not [path for path in log if path.startswith("/nothing")]


def test_post_is_sent_only_when_allowed(fails: Fails, pages: tuple[str, list[str]]) -> None:
    """A POST form that may serve any purpose is not sent; the error names the option."""
    url, log = pages
    assert "--post" in fails(f"{url}/form/post")
    assert not [path for path in log if path.startswith("/nothing")]
    fails(f"{url}/form/post", "--post")
    assert [path for path in log if path.startswith("/nothing")]


def test_search_that_finds_nothing(fails: Fails, pages: tuple[str, list[str]]) -> None:
    """If every word is answered like nonsense, the error says so, and what was tried."""
    message = fails(f"{pages[0]}/form/deaf")
    assert "what made-up words bring" in message
    assert "(reading, room, " in message
    assert "--words" in message


def test_a_form_that_cannot_be_sent_is_passed_over(
    fails: Fails, pages: tuple[str, list[str]]
) -> None:
    """A form of lists whose action is no URL does not hide what the others bring."""
    assert "what made-up words bring" in fails(f"{pages[0]}/form/unsendable")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("loop", "a redirect loop: "),
        ("large", "is 60,000,000 bytes, more than the 50,000,000 bytes allowed"),
        ("long", "is 7 MB long, which no search page is"),
        ("strange", "what made-up words bring"),
        ("broken", "no search box"),
        ("empty", "an empty answer came from"),
    ],
)
def test_page_that_is_none(
    fails: Fails, pages: tuple[str, list[str]], name: str, said: str
) -> None:
    """Loops, 60 MB, an unknown charset, broken and empty pages give one line with the reason."""
    message = fails(f"{pages[0]}/{name}")
    assert message.startswith("error: ")
    assert said in message


def test_too_few_requests(fails: Fails, pages: tuple[str, list[str]]) -> None:
    """If requests run out before hits are found, the error names the option."""
    assert "--max-requests" in fails(f"{pages[0]}/form/deaf", "--max-requests", 4)


def test_budget_is_kept(tmp_path: Path) -> None:
    """No more requests are sent than allowed; what was learnt so far is written."""
    log: list[str] = []
    with running_site(Site(MAKES[0]).app, log=log) as url:
        options = ("--allow-private", "--max-requests", 9, "-o", "source.toml")
        done = longline(tmp_path, "discover", f"{url}/", *options)
    assert done.returncode == 3, done.stderr
    assert len(log) <= 9
    assert "results.hit" not in done.stderr
    assert 'hit = "css:' in (tmp_path / "source.toml").read_text()


@pytest.mark.slow
def test_discover_writes_what_harvest_reads(tmp_path: Path) -> None:
    """The written spec can be harvested; an existing file is not changed."""
    with running_site(Site(MAKES[0]).app) as url:
        command = ("discover", f"{url}/", "--allow-private")
        done = longline(tmp_path, *command, "-o", "source.toml")
        assert done.returncode == 0, done.stderr
        again = longline(tmp_path, *command, "-o", "source.toml")
        assert again.returncode == 2
        options = ("-o", "got", "--allow-private", "--max-documents", 30)
        harvest = longline(tmp_path, "harvest", "source.toml", *options)
    assert "30 documents" in harvest.stdout, harvest.stderr


def test_harvest_learns_by_itself(tmp_path: Path) -> None:
    """`longline harvest URL` learns a page without a spec, and keeps the notes."""
    with running_site(Site(MAKES[3]).app) as url:
        options = ("-o", "got", "--allow-private", "--max-documents", 30)
        done = longline(tmp_path, "harvest", f"{url}/", *options)
    assert "30 documents" in done.stdout, done.stderr
    assert "# sure:" in (tmp_path / "got/source.toml").read_text()


def test_findings_as_json(tmp_path: Path) -> None:
    """--json gives the spec, the findings and the reasons for a review."""
    with running_site(Site(MAKES[0]).app) as url:
        done = longline(tmp_path, "discover", f"{url}/", "--allow-private", "--json")
    report = json.loads(done.stdout)
    assert {"spec", "findings", "review", "requests"} <= report.keys()
    assert report["requests"] <= 40
    assert all(each["evidence"] for each in report["findings"])


def test_a_browser_that_fails_does_not_hide_what_was_wrong_without_it() -> None:
    """If learning ends in a browser, the error starts with the problem of the plain pages."""
    discoverer = Discoverer("https://shop.example/", np.random.default_rng(0), browser="needed")
    html = "<title>Shop</title><input type=search placeholder=Search><script src=/a.js></script>"
    front = model.Response(
        url="https://shop.example/", status=200, content_type="text/html", body=html.encode()
    )
    while isinstance(asked := discoverer.next(), model.Request) and asked.browser is None:
        is_front = asked.url == front.url
        came = ResponseReceived(asked, front, 1) if is_front else RequestFailed(asked, "gone", 1)
        discoverer.tell(came)
    discoverer.conclude("the browser closed")
    plain, _, shown = discoverer.problem.partition("in a browser: ")
    assert "has a search box that needs a script" in plain
    assert shown == "the browser closed"


def test_a_sparql_endpoint_is_called_one() -> None:
    """Its editor takes no words: the advice is to write the query by hand."""
    finder = SpecFinder("https://data.example/sparql")
    asked = finder.next()
    assert isinstance(asked, model.Request)
    editor = b"<title>SPARQL Query Editor</title><form><textarea name='query'></textarea></form>"
    finder.tell(ResponseReceived(asked, model.Response(url=asked.url, status=200, body=editor), 1))
    assert isinstance(finder.next(), model.Finish)
    assert "SPARQL" in finder.problem
    assert "docs/how-to/sources/sparql.md" in finder.advice


def test_the_spec_that_a_page_in_an_old_encoding_names_is_requested() -> None:
    """Links are read in the page's own encoding."""
    finder = SpecFinder("https://x.example/")
    asked = finder.next()
    assert isinstance(asked, model.Request)
    page = "<html><link rel=longline-source href=/bücher.toml><p>Library".encode("latin-1")
    kind = "text/html; charset=iso-8859-1"
    came = model.Response(url=asked.url, status=200, content_type=kind, body=page)
    finder.tell(ResponseReceived(asked, came, 1))
    asked = finder.next()
    assert isinstance(asked, model.Request)
    assert asked.url == "https://x.example/bücher.toml"
