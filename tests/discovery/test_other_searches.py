"""A site with a separate search for each list: the other lists are named as left out."""

import html
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import harvested
from tests.discovery.test_ways_on import DOCUMENTS, number, part, words

from longline.model import Document

pytestmark = pytest.mark.slow

LISTS = "archives-l", "museum-l"


def page(body: str) -> Response:
    """Return a page with this body."""
    return HTMLResponse(f"<!doctype html><html lang=en><title>Lists</title><h1>Lists</h1>{body}")


MENU = "".join(f'<li><a href="/of?name={name}">{name.upper()}</a></li>' for name in LISTS)


def index(request: Request) -> Response:
    """Name both lists."""
    return page(f"<ul>{MENU}</ul>")


def box(request: Request) -> Response:
    """Show the search of one list, and lead to all."""
    name = request.query_params.get("name", LISTS[0])
    field = f'<input type=hidden name=in value="{name}">'
    form = f"<form action=/find>{field}<input name=q><button>Search</button></form>"
    return page(f"<ul>{MENU}</ul>{form}")


def found(request: Request, documents: list[Document]) -> Response:
    """Show a page of hits."""
    typed, at = request.query_params.get("q", ""), number(request, "page")
    shown = part(documents, 10 * at - 10)
    rows = "".join(
        f'<li><a href="/doc/{d.key}">{html.escape(d.title)}</a></li>' for d in shown.rows
    )
    own = f"in={request.query_params.get('in', '')}&amp;q={quote(typed)}"
    onward = f'<a href="/find?{own}&amp;page={at + 1}">Next</a>' if shown.more else ""
    return page(f"<p>{shown.total} found</p><ol>{rows}</ol>{onward}")


def in_one(request: Request) -> Response:
    """Search only the chosen list."""
    own = LISTS.index(request.query_params.get("in", LISTS[0]))
    typed = request.query_params.get("q", "")
    return found(request, [d for d in words(typed) if int(d.key) % 2 == own])


def in_another_order(request: Request) -> Response:
    """Search all, whichever list was chosen, but in reverse order for the other one."""
    documents = words(request.query_params.get("q", ""))
    return found(request, documents[:: 1 if request.query_params.get("in") == LISTS[0] else -1])


def told(request: Request) -> Response:
    """Show a document."""
    d = DOCUMENTS[request.path_params["key"]]
    return page(f"<h2>{html.escape(d.title)}</h2><article>{html.escape(d.text)}</article>")


def site(find: object) -> list[Route]:
    """Return the pages of a site, including its search."""
    pages = Route("/", index), Route("/of", box), Route("/doc/{key}", told)
    return [*pages, Route("/find", find)]  # type: ignore[arg-type]


def test_another_list_is_named_and_the_harvest_is_not_complete(tmp_path: Path) -> None:
    """All of one list is held, and the URL of the other one is reported as left out."""
    certificate, documents = harvested(site(in_one), "/", tmp_path)
    own = {key for key in DOCUMENTS if int(key) % 2 == 0}
    assert {each.key.rpartition("/")[2] for each in documents} <= own
    assert len(documents) >= 0.95 * len(own)
    assert [url.partition("/of")[2] for url in certificate.left_out] == [f"?name={LISTS[1]}"]
    assert certificate.outcome == "partial"
    assert certificate.left_out[0] in certificate.stopped
    listed = (tmp_path / "harvest" / "left-out.csv").read_text().split()
    assert listed == ["url", *certificate.left_out]


def test_the_list_that_was_given_is_all_that_is_wanted(tmp_path: Path) -> None:
    """The page of one list is given: that list is complete without the other."""
    certificate, documents = harvested(site(in_one), f"/of?name={LISTS[1]}", tmp_path)
    assert certificate.left_out == ()
    assert certificate.outcome == "complete"
    own = {key for key in DOCUMENTS if int(key) % 2 == 1}
    assert {each.key.rpartition("/")[2] for each in documents} <= own
    assert len(documents) >= 0.95 * len(own)


def test_the_same_documents_in_another_order_are_no_other_list(tmp_path: Path) -> None:
    """A list whose documents are also found here, by its own words, is not left out."""
    certificate, documents = harvested(site(in_another_order), "/", tmp_path)
    assert certificate.left_out == ()
    assert certificate.outcome == "complete"
    assert len(documents) >= 0.95 * len(DOCUMENTS)


def start(request: Request) -> Response:
    """Show the search."""
    return page("<form action=/find><input name=q><button>Search</button></form>")


def beside(request: Request, *, is_filter: bool) -> Response:
    """Search one database, and lead to the other; or search both, and lead to a part."""
    typed, chosen = request.query_params.get("q", ""), "db" in request.query_params
    every = words(typed)
    maps = [d for d in every if int(d.key) % 2]
    own = every if is_filter else [d for d in every if not int(d.key) % 2]
    shown = found(request, maps if chosen else own)
    box = f'<h4>Elsewhere</h4><a href="/find?q={quote(typed)}&amp;db=maps">Maps ({len(maps)})</a>'
    return HTMLResponse(bytes(shown.body).decode() + box)


@pytest.mark.parametrize("is_filter", [False, True])
def test_a_counted_link_may_lead_to_another_database(tmp_path: Path, *, is_filter: bool) -> None:
    """It is named as left out, unless the search finds the same documents without it."""
    routes = [
        Route("/", start),
        Route("/find", lambda request: beside(request, is_filter=is_filter)),
        Route("/doc/{key}", told),
    ]
    certificate, documents = harvested(routes, "/", tmp_path)
    assert [url.endswith("&db=maps") for url in certificate.left_out] == [True] * (not is_filter)
    assert certificate.outcome == ("complete" if is_filter else "partial")
    assert len(documents) >= 0.95 * len(DOCUMENTS) / (1 if is_filter else 2)
