"""How an answer continues: next links are only trusted if they are of the same search."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from tests.discovery.test_ways_on import (
    TEXTS,
    Answer,
    as_row,
    document,
    number,
    page,
    part,
    shown,
    words,
)

import longline
from longline.learn import Found
from longline.simulate import running_site


def learnt(answer: Answer, path: str) -> Found:
    """Learn a site from its URL."""
    home = Route("/", lambda request: page(""))
    app = Starlette(routes=[Route(path, answer), home, Route("/doc/{key}", document)])
    with running_site(app) as url:
        start = f"{url}/" if path == "/s" else f"{url}{path}?q=time"
        return longline.discover(start, allow_private=True, rate=1000)


def link_forgets(request: Request) -> Response:
    """The next link has only the page number, and continues the list of everything."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    found = part(words(typed) if typed else TEXTS, 10 * (at - 1))
    return page(shown(found.rows) + (f'<a href="/s?page={at + 1}">next</a>' if found.more else ""))


def other_path(request: Request) -> Response:
    """The next link leads to an entirely different list."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    found = part(words(typed) if typed else TEXTS, 10 * (at - 1))
    return page(
        shown(found.rows) + (f'<a href="/all?page={at + 1}">next</a>' if found.more else "")
    )


def next_in_titles(request: Request) -> Response:
    """Only answers to the commonest words have a second page, and titles contain "Next"."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    found = part(words(typed) if typed else [], 80 * (at - 1), 80)
    rows = "".join(
        f"<li><a href='/doc/{d.key}'>Next {d.key}: {d.title}</a></li>" for d in found.rows
    )
    onward = f"<a href='/s?term={typed}&amp;page={at + 1}'>Next &gt;</a>"
    return page(f"<ul>{rows}</ul>{onward if found.more else ''}" if rows else "<p>Nothing.</p>")


def test_a_title_that_speaks_of_the_next_does_not_lead_on() -> None:
    """A longer answer is requested, which shows how answers continue."""
    spec = learnt(next_in_titles, "/s").spec
    assert spec.results.next or "page={page}" in spec.ask.url


def test_words_are_put_back_where_a_link_forgets_them() -> None:
    """Pages are then requested by number, with the words."""
    spec = learnt(link_forgets, "/s").spec
    assert spec.ask.url.endswith("/s?term={query}&page={page}")
    assert spec.results.next == ""


def test_a_link_to_something_else_is_not_followed() -> None:
    """Only first pages are read if nothing continues the search."""
    home = Route("/", lambda request: page(""))
    routes = [Route("/s", other_path), Route("/all", other_path), home]
    with running_site(Starlette(routes=[*routes, Route("/doc/{key}", document)])) as url:
        spec = longline.discover(f"{url}/", allow_private=True, rate=1000).spec
    assert spec.results.next == ""
    assert "{page}" not in spec.ask.url


def cursor_forgets(request: Request) -> Response:
    """The next link has a cursor without the words: the total differs there."""
    typed, start = request.query_params.get("q", ""), number(request, "after", 0)
    found = part(words(typed) if typed else TEXTS, start)
    following = f"/api?after={start + 10}" if found.more else None
    rows = [*map(as_row, found.rows)]
    return JSONResponse({"items": rows, "count": found.total, "next": following})


def test_another_total_on_page_2_is_of_another_search() -> None:
    """The cursor is sent with the words, because the next link lacks them."""
    spec = learnt(cursor_forgets, "/api").spec
    assert "q={query}" in spec.ask.url
    assert "after={offset}" in spec.ask.url


def has_more(found: Any, at: int) -> dict[str, Any]:
    return {"page": at, "has_more": found.more}


def is_last(found: Any, at: int) -> dict[str, Any]:
    return {"page": at, "last": not found.more}


def has_next(found: Any, at: int) -> dict[str, Any]:
    return {"paging": {"page": at, "next": at + 1 if found.more else None}}


SAYS_MORE = {
    has_more: "jmes:has_more",
    is_last: "jmes:!last",
    has_next: "jmes:paging.next",
}


@pytest.mark.parametrize("says", SAYS_MORE, ids=lambda says: says.__name__)
def test_an_answer_ends_where_it_says_so(says: Callable[[Any, int], dict[str, Any]]) -> None:
    """After a page that says it is the last, full or not, no page is requested."""

    def answer(request: Request) -> Response:
        at = number(request, "page")
        found = part(words(request.query_params.get("q", "")), 10 * (at - 1))
        return JSONResponse({"data": [*map(as_row, found.rows)], **says(found, at)})

    spec = learnt(answer, "/api").spec
    assert spec.results.more == SAYS_MORE[says]


def cursor_at_every_end(request: Request) -> Response:
    """A connection's cursor is that of its last row, on the last page, too."""
    start = number(request, "after", 0)
    found = part(words(request.query_params.get("q", "")), start)
    info = {"hasNextPage": found.more, "endCursor": str(start + len(found.rows))}
    return JSONResponse({"edges": [{"node": as_row(d)} for d in found.rows], "pageInfo": info})


def test_a_cursor_on_the_last_page_leads_nowhere() -> None:
    """The answer says that nothing follows; its cursor would lead to an empty page."""
    spec = learnt(cursor_at_every_end, "/api").spec
    assert spec.results.more == "jmes:pageInfo.hasNextPage"
