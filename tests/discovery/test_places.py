"""Documents of which several stand on one page, as in digests and threads."""

import html
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import found_by
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, number, part

import longline
from longline.harvester import spec_of_folder
from longline.model import Document
from longline.simulate import running_site

pytestmark = pytest.mark.slow

A_PAGE = 8
PAGES = [[*DOCUMENTS.values()][at : at + A_PAGE] for at in range(0, SIZE, A_PAGE)]
PAGE_OF = {held.key: n for n, page in enumerate(PAGES) for held in page}


def as_section(held: Document) -> str:
    """Begin a document with a named anchor in its heading, as digests do."""
    heading = f"<h3><a name=subj{held.key}>{html.escape(held.title)}</a></h3>"
    return f"{heading}<p>By a reader</p><pre>{html.escape(held.text)}</pre><hr>"


def as_post(held: Document) -> str:
    """Hold a document in an element, as threads do."""
    body = f"<h4>{html.escape(held.title)}</h4><div>{html.escape(held.text)}</div>"
    return f"<article id=subj{held.key}>{body}</article>"


def shell(body: str) -> Response:
    """Return a page of the site."""
    form = "<form action=/find><input type=search name=q><button>Search</button></form>"
    return HTMLResponse(f"<html lang=en><title>Digest</title>{form}<main>{body}</main>")


def found(request: Request) -> Response:
    """Return hits, each with a link to its place."""
    typed = request.query_params.get("q", "")
    if not typed:
        return shell("<p>Type a word.</p>")
    page = number(request, "page")
    shown = part(found_by(request), 20 * page - 20, 20)
    rows = "".join(
        f'<li><a href="/issue/{PAGE_OF[d.key]}#subj{d.key}">{html.escape(d.title)}</a>'
        f"<small>Issue {PAGE_OF[d.key]}</small></li>"
        for d in shown.rows
    )
    more = f'<a rel=next href="/find?q={typed}&page={page + 1}">Next</a>' if shown.more else ""
    return shell(f"<p>{shown.total} contributions</p><ol>{rows}</ol>{more}")


def test_links_may_be_redirected_to_places(tmp_path: Path) -> None:
    """As forums do: the element's id has another name, with the same number."""

    def hits(request: Request) -> Response:
        """Return hits with the title of their thread, which many share."""
        shown = part(found_by(request), 20 * number(request, "page") - 20, 20)
        rows = "".join(
            f'<li><a href="/issue/{PAGE_OF[d.key]}?comment={d.key}">Thread {PAGE_OF[d.key]}</a>'
            f"<p>{html.escape(d.text[:90])}</p></li>"
            for d in (shown.rows if request.query_params.get("q") else [])
        )
        after = request.url.include_query_params(page=number(request, "page") + 1)
        more = f'<a rel=next href="{after}">Next</a>' if shown.more else ""
        return shell(f"<p>{shown.total} posts</p><ol>{rows}</ol>{more}")

    def thread(request: Request) -> Response:
        if key := request.query_params.get("comment"):
            return RedirectResponse(f"{request.url.path}#findComment-{key}", 301)
        held = PAGES[int(request.path_params["number"])]
        return shell(
            "<h1>Thread</h1>" + "".join(map(as_post, held)).replace("id=subj", "id=elComment_")
        )

    routes = [Route("/", hits), Route("/find", hits), Route("/issue/{number}", thread)]
    with running_site(Starlette(routes=routes)) as url:
        harvest = longline.harvest(f"{url}/", tmp_path / "h", allow_private=True, rate=1000)
    documents = harvest.documents
    assert len(documents) >= 0.98 * SIZE
    for held in documents:
        said, own = " ".join(held.text.split()), DOCUMENTS[held.url.partition("comment=")[2]]
        assert said.endswith(" ".join(own.text.split()))
        assert len(said) <= len(own.text) + len(own.title) + 1
        assert held.title.startswith("Thread ")


@pytest.mark.parametrize("written", [as_section, as_post])
def test_each_place_is_a_document_with_its_own_text(
    written: Callable[[Document], str], tmp_path: Path
) -> None:
    """Each page is requested once, or nearly; before, each page was one document."""
    sent = Counter[str]()

    def issue(request: Request) -> Response:
        sent["pages"] += 1
        held = PAGES[int(request.path_params["number"])]
        menu = "".join(f'<dt><a href="#subj{d.key}">{html.escape(d.title)}</a></dt>' for d in held)
        return shell(f"<h1>Issue</h1><dl>{menu}</dl>{''.join(map(written, held))}<p>The end</p>")

    routes = [Route("/", found), Route("/find", found), Route("/issue/{number}", issue)]
    with running_site(Starlette(routes=routes)) as url:
        harvest = longline.harvest(f"{url}/", tmp_path / "h", allow_private=True, rate=1000)
    assert spec_of_folder(tmp_path / "h").results.places
    documents = harvest.documents
    assert len(documents) >= 0.98 * SIZE
    by_key = {held.url.partition("#subj")[2]: held for held in documents}
    for key, held in by_key.items():
        said = " ".join(held.text.split())
        assert " ".join(DOCUMENTS[key].text.split()) in said
        others = (d.text for d in PAGES[PAGE_OF[key]] if d.key != key and len(d.text) > 200)
        assert not any(" ".join(text.split()) in said for text in others)
    assert sent["pages"] <= 1.5 * len(PAGES) + 6
