"""An order by date is learnt if the dates of rows fall, and an update reads little of it."""

import html
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

import longline
from longline.model import Document
from longline.simulate import Searcher, read_corpus, running_site
from longline.simulate.search import read_query

SIZE = 120
NEW = 4
CORPUS = [each for each in read_corpus("docstrings") if each.text][: SIZE + NEW]
DAYS = {
    each.key: (date(2020, 1, 1) + timedelta(days=int(day))).isoformat()
    for each, day in zip(CORPUS, np.random.default_rng(3).permutation(SIZE + NEW), strict=True)
}
BOX = Searcher(CORPUS, limit=None, page_size=SIZE + NEW, boolean=False, snippets=False)
LATEST = sorted(CORPUS, key=lambda each: DAYS[each.key])[-NEW:]


class Site:
    """A catalogue with dates; `orders` is how its order can be chosen.

    Args:
        orders: menu, links, lying (a menu without effect), newest (always so), or none.
    """

    def __init__(self, orders: str) -> None:
        self.orders = orders
        self.hide = {each.key for each in LATEST}
        self.asked: list[str] = []

    def app(self) -> Starlette:
        """Build the application."""
        routes = [Route("/", self.home), Route("/find", self.find), Route("/doc", self.document)]
        return Starlette(routes=[*routes, Route("/api", self.data)])

    def home(self, request: Request) -> Response:
        """Show the form."""
        return HTMLResponse(f"<html lang=en><title>Papers</title>{self.form()}")

    def form(self) -> str:
        """Return the form, with the menu if there is one."""
        choices = "".join(f"<option value={v}>{s}</option>" for v, s in CHOICES)
        menu = f"<select name=by>{choices}</select>" if self.orders in ("menu", "lying") else ""
        return f"<form action=/find><input type=search name=q>{menu}<button>Search</button></form>"

    def found(self, request: Request) -> tuple[list[Document], int]:
        """Return what a request asks for, in its order, and the number of its page."""
        typed, by = request.query_params.get("q", ""), request.query_params.get("by", "")
        self.asked.append(request.url.query)
        shown = [each for each in CORPUS if each.key not in self.hide]
        if typed:
            keys = {hit.key for hit in BOX.search(read_query(typed, boolean=False)).hits}
            shown = [each for each in shown if each.key in keys]
        if self.orders == "newest" or (by == "new" and self.orders in ("menu", "links")):
            shown.sort(key=lambda each: DAYS[each.key], reverse=True)
        return shown, int(request.query_params.get("page", 1))

    def find(self, request: Request) -> Response:
        """Show a page of results."""
        shown, at = self.found(request)
        typed, by = request.query_params.get("q", ""), request.query_params.get("by", "")
        rows = "".join(
            f'<li><a href="/doc?id={quote(each.key)}">{html.escape(each.title)}</a> '
            f"<span class=date>{DAYS[each.key]}</span></li>"
            for each in shown[10 * (at - 1) : 10 * at]
        )
        asked = f"/find?q={quote(typed)}"
        links = f'<a href="{asked}&amp;by=title">Title</a> <a href="{asked}&amp;by=new">Newest</a>'
        links = links if self.orders == "links" else ""
        more = f'<a rel=next href="{asked}&amp;by={by}&amp;page={at + 1}">next</a>'
        more = more if len(shown) > 10 * at else ""
        body = f"<p>{len(shown)} papers</p><ul>{rows}</ul>{more}" if rows else "<p>No papers</p>"
        return HTMLResponse(f"<html lang=en><title>Papers</title>{self.form()}{links}{body}")

    def data(self, request: Request) -> Response:
        """Return a page of rows."""
        shown, at = self.found(request)
        rows = [
            {"id": each.key, "title": each.title, "date": DAYS[each.key], "text": each.text}
            for each in shown[10 * (at - 1) : 10 * at]
        ]
        return JSONResponse({"total": len(shown), "rows": rows})

    def document(self, request: Request) -> Response:
        """Show a document."""
        one = next(each for each in CORPUS if each.key == request.query_params["id"])
        text = f"<article><h1>{html.escape(one.title)}</h1>{html.escape(one.text)}</article>"
        return HTMLResponse(f"<html lang=en><nav>Home</nav>{text}<footer>Contact</footer>")


CHOICES = (("rank", "Relevance"), ("old", "Oldest first"), ("new", "Most recent"))
OPTIONS = {"allow_private": True, "max_requests": 2000}


@pytest.mark.parametrize(
    ("orders", "path", "newest"),
    [
        ("menu", "/", {"by": "new"}),
        ("links", "/", {"by": "new"}),
        ("newest", "/", {}),
        ("newest", "/api?q=time", {}),
        ("lying", "/", None),
        ("none", "/", None),
    ],
)
def test_the_order_is_learnt_where_dates_fall(
    orders: str, path: str, newest: dict[str, str] | None
) -> None:
    """A menu, a link, or the default may put the newest first; a choice without effect does not."""
    with running_site(Site(orders).app()) as url:
        found = longline.discover(url + path, allow_private=True, browser=False)
    assert found.spec is not None
    assert found.spec.ask.newest == newest


@pytest.mark.slow
def test_an_update_reads_the_newest_until_they_are_known(tmp_path: Path) -> None:
    """The update finds all new documents with a twentieth of the requests."""
    site = Site("menu")
    with running_site(site.app()) as url:
        longline.discover(url, allow_private=True, browser=False).save(tmp_path / "source.toml")
        harvest = longline.harvest(
            tmp_path / "source.toml",
            tmp_path / "papers",
            **OPTIONS,  # type: ignore[arg-type]
        )
        assert len(harvest.documents) > 0.95 * SIZE
        site.hide, site.asked = set(), []
        updated = longline.update(tmp_path / "papers", only_new=True, **OPTIONS)  # type: ignore[arg-type]
    assert {each.key for each in LATEST} <= {
        each.url.rpartition("=")[2].replace("%20", " ") for each in updated.documents
    }
    assert len(site.asked) <= 10
