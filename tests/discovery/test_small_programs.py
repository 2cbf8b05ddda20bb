"""Kinds of sites of small programs: redirected searches, blogs by "Previous", one long page."""

import html
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from tests.command_line import longline as command
from tests.discovery.test_further_kinds import harvested
from tests.discovery.test_ways_on import SIZE, TEXTS, document, number, part, words

import longline
from longline.model import Document
from longline.simulate import running_site

pytestmark = pytest.mark.slow

LOGS: dict[str, int] = {}


def rows(found: list[Document]) -> str:
    """Return posts as a blog lists them, each with the start of its text."""
    return "".join(
        f'<li class=post><h2><a href="/doc/{d.key}">{html.escape(d.title)}</a></h2>'
        f"<p>{html.escape(d.text[:80])} <a rel=tag href=/tag>library</a></p></li>"
        for d in found
    )


def in_titles(typed: str) -> list[Document]:
    """Find documents by file names with the typed text: a tag, and a hyphenated title."""
    sought = typed.strip().lower()
    names = {d.key: "library_" + "-".join(d.title.lower().split()) for d in TEXTS}
    return [d for d in TEXTS if sought and sought in names[d.key]]


def blog(request: Request) -> Response:
    """A blog whose search redirects to a path; "Previous" leads on, "Next" to newer posts."""
    if "search" in request.query_params:
        return RedirectResponse(f"/search/{request.query_params['search'] or '-'}", 302)
    typed = request.path_params.get("typed")
    at = number(request, "page", 1)
    found = TEXTS if typed is None else in_titles(typed)
    shown = part(found, (at - 1) * 10)
    newer = f'<a rel=next href="?page={at - 1}">Next</a>' if at > 1 else ""
    older = f'<a rel=prev href="?page={at + 1}">Previous</a>' if shown.more else ""
    list_ = f"<ul>{rows(shown.rows)}</ul>" if shown.rows else "<p>Search results not found!</p>"
    form = '<form role=search action="/"><input type=search name=search></form>'
    return HTMLResponse(f"<title>Blog</title>{form}{list_}<nav>{newer} {older}</nav>")


def test_a_blog_that_goes_back_is_read_to_its_end(tmp_path: Path) -> None:
    """The search's final URL is used, pages by "Previous", and known posts by their titles."""
    routes = [Route("/", blog), Route("/search/{typed}", blog), Route("/doc/{key}", document)]
    with running_site(Starlette(routes=routes)) as url:
        found = longline.discover(f"{url}/", allow_private=True, browser=False)
    assert found.spec.ask.url.endswith("/search/{query}")
    assert "prev" in found.spec.results.next
    assert not found.review
    certificate, documents = harvested(routes, "/", tmp_path)
    assert len(documents) >= 0.95 * SIZE
    assert certificate.outcome == "complete"


def one_page(request: Request) -> Response:
    """Everything on one page, with lists to filter it, and no box for words."""
    held = TEXTS if request.query_params.get("kind", "") in ("", "all") else []
    options = "<option value=''>All</option><option value=done>Done</option>"
    form = f"<form action=/><select name=kind>{options}</select><button>Show</button></form>"
    return HTMLResponse(f"<title>List</title>{form}<ul>{rows(held)}</ul>")


def test_a_long_list_on_one_page_is_read(tmp_path: Path) -> None:
    """Many similar rows, each with its own link, are accepted without a second page."""
    routes = [Route("/", one_page), Route("/doc/{key}", document)]
    _, documents = harvested(routes, "/", tmp_path)
    assert len(documents) == SIZE


def board(request: Request) -> Response:
    """A forum that shows "please wait" for a moment, and stores the search under a number."""
    typed = request.query_params.get("keywords")
    form = "<form action=/search><input name=keywords><button>Search</button></form>"
    if typed is not None:
        LOGS[typed] = LOGS.get(typed, len(LOGS))
        if not words(typed):
            return HTMLResponse(f"{form}<p>Sorry, no results.</p>")
        led = f"/search?sid={LOGS[typed]}"
        meta = f'<meta http-equiv=refresh content="2;URL={led}">'
        return HTMLResponse(f"{meta}<p>Thank you, your search is under way.</p>")
    sid = number(request, "sid", -1)
    kept = next((each for each, n in LOGS.items() if n == sid), "")
    shown = part(words(kept), number(request, "page", 1) * 10 - 10)
    at = number(request, "page", 1)
    more = f'<a class=next href="/search?sid={sid}&page={at + 1}">Next</a>' if shown.more else ""
    return HTMLResponse(f"{form}<ul>{rows(shown.rows)}</ul>{more}")


def test_a_page_that_asks_to_wait_leads_to_the_results(tmp_path: Path) -> None:
    """The page to which a reader is sent after two seconds is the answer."""
    routes = [Route("/", board), Route("/search", board), Route("/doc/{key}", document)]
    _, documents = harvested(routes, "/", tmp_path)
    assert len(documents) >= 0.95 * SIZE


def busy(request: Request) -> Response:
    """A site that answers a few dozen searches, and refuses all others."""
    typed = request.query_params.get("q", "")
    LOGS["busy"] = LOGS.get("busy", 0) + (request.url.path == "/s")
    if LOGS["busy"] > 18:
        return Response("Too many connections", 503)
    form = "<form action=/s><input name=q><button>Search</button></form>"
    return HTMLResponse(f"{form}<ul>{rows(words(typed)[:10])}</ul>")


def test_a_busy_site_is_not_said_to_lose_documents() -> None:
    """If known documents got no answer, the review says so, and suggests a lower rate."""
    routes = [Route("/", busy), Route("/s", busy), Route("/doc/{key}", document)]
    with running_site(Starlette(routes=routes)) as url:
        found = longline.discover(f"{url}/", allow_private=True, browser=False, words=["string"])
    [said] = [each for each in found.review if "known_items" in each]
    assert "no answer came" in said
    assert "503" in said
    assert "rate" in said


def by_post(request: Request) -> Response:
    """A list that some pages link, and a search form that uses only POST."""
    form = "<form method=post action=/s><input name=q><button>Search</button></form>"
    return HTMLResponse(f"<title>Shelf</title>{form}<ul>{rows(TEXTS)}</ul>")


def test_a_list_beside_a_search_by_post_names_the_option(tmp_path: Path) -> None:
    """If a list is harvested in place of a search, the option to learn the search is named."""
    routes = [Route("/", by_post), Route("/doc/{key}", document)]
    with running_site(Starlette(routes=routes)) as url:
        done = command(tmp_path, "plan", f"{url}/", "--allow-private", "--no-browser")
        options = {"allow_private": True, "browser": False, "max_documents": 9}
        part = longline.harvest(f"{url}/", tmp_path / "part", **options)  # type: ignore[arg-type]
    assert "its search was not learnt: a form is sent by POST; --post has it sent" in done.stderr
    step = part.next_steps[0]
    assert "sent by POST, into a new folder" in step.words
    assert step.command.startswith(f"longline harvest {url}")
    assert step.command.endswith(f"--allow-private --post -o {tmp_path}/part-by-post")
