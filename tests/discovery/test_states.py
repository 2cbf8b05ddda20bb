"""Searches that leave documents out until a link is followed, and lists beside filters."""

import html
from pathlib import Path
from urllib.parse import urlencode

import pytest
import starlette.requests
from starlette.responses import HTMLResponse
from starlette.routing import Route
from tests.discovery.test_further_kinds import harvested
from tests.discovery.test_menus import plain
from tests.discovery.test_odd_answers import TEXTS, come_once
from tests.discovery.test_ways_on import SIZE, number, words

from longline.discovery.answer import show
from longline.discovery.reading.hit_links import hit_links
from longline.model import Document, Request, Response


def state_of(d: Document) -> str:
    """Return whether an issue is open or closed."""
    return "closed" if int(d.key) % 3 == 0 else "open"


def issues(request: starlette.requests.Request) -> HTMLResponse:
    """Issues of one state; the form has a hidden field for it, and links set it."""
    asked = request.query_params
    typed, state, at = asked.get("q", ""), asked.get("state", "open"), number(request, "page")
    every = words(typed) if typed else TEXTS
    found = [d for d in every if state_of(d) == state]
    links = "".join(
        f'<a href="/issues?q={html.escape(typed)}&labels=&state={each}">{each.title()}</a>'
        for each in ("open", "closed")
    )
    rows = "".join(
        f'<div class=item><a href="/doc/{d.key}">{html.escape(d.title)}</a></div>'
        for d in found[20 * at - 20 : 20 * at]
    )
    onward = (
        f"<a href='?q={typed}&state={state}&page={at + 1}'>Next</a>" if found[20 * at :] else ""
    )
    return HTMLResponse(
        "<html lang=en><form action=/issues><input type=hidden name=labels value=0>"
        f"<input type=hidden name=state value={state}><input type=search name=q></form>{links}"
        f"<p>{len(found)} results</p>{rows}{onward}"
    )


@pytest.mark.slow
def test_documents_in_each_state_that_links_set_are_harvested(tmp_path: Path) -> None:
    """Neither the form nor any single setting brings all."""
    routes = [Route("/issues", issues), Route("/doc/{key}", plain)]
    _, documents = harvested(routes, "/issues", tmp_path)
    come_once(documents)
    assert len(documents) == SIZE


def recent(request: starlette.requests.Request) -> HTMLResponse:
    """Newer texts, and a link that includes the older ones; pages are full, and have no total."""
    asked = request.query_params
    typed, older, at = asked.get("q", ""), asked.get("older", ""), number(request, "page")
    found = [d for d in words(typed) if older or int(d.key) % 2]
    rows = "".join(
        f"<li><a href='/doc/{d.key}'>{html.escape(d.title)}</a> <p>{html.escape(d.text[:200])}"
        for d in found[2 * at - 2 : 2 * at]
    )
    here = f"/s?{urlencode({'q': typed} | ({'older': older} if older else {}))}"
    onward = f"<a rel=next href='{here}&page={at + 1}'>Next</a>" if found[2 * at :] else ""
    more = "" if older else f"<p><a href='{here}&older=1'>Include older results</a>"
    found_any = f"<ol>{rows}</ol>{onward}{more}" if found else "<p>No results."
    return HTMLResponse(f"<html lang=en><form action=/s><input name=q></form>{found_any}</html>")


@pytest.mark.slow
def test_a_link_that_includes_more_is_followed_where_pages_are_full(tmp_path: Path) -> None:
    """Each page has as many hits with it as without it, and the link alone says that it adds."""
    routes = [Route("/s", recent), Route("/doc/{key}", plain)]
    _, documents = harvested(routes, "/s", tmp_path)
    assert len(documents) > 0.95 * SIZE


def tabbed(request: starlette.requests.Request) -> HTMLResponse:
    """Articles, and a tab with the papers that the same words find."""
    asked = request.query_params
    typed, tab, at = asked.get("q", ""), asked.get("tab", "articles"), number(request, "page")
    lists = {"articles": [], "papers": []}
    for d in words(typed):
        lists["papers" if int(d.key) % 3 else "articles"].append(d)
    tabs = "".join(
        f"<li><a href='/s?{urlencode({'q': typed, 'tab': name})}'>{name.title()} ({len(found)})</a>"
        for name, found in lists.items()
    )
    found = lists[tab]
    rows = "".join(
        f"<li><a href='/doc/{d.key}'>{html.escape(d.title)}</a> <p>{html.escape(d.text[:200])}"
        for d in found[10 * at - 10 : 10 * at]
    )
    here = urlencode({"q": typed, "tab": tab, "page": at + 1})
    onward = f"<a rel=next href='/s?{here}'>Next</a>" if found[10 * at :] else ""
    hits = f"<p>{len(found)} results</p><ol>{rows}</ol>{onward}" if rows else "<p>No results."
    form = "<form action=/s><input name=q></form>"
    return HTMLResponse(f"<html lang=en>{form}<ul class=tabs>{tabs}</ul>{hits}</html>")


@pytest.mark.slow
def test_tabs_with_other_documents_are_harvested(tmp_path: Path) -> None:
    """Each search is sent on each tab."""
    routes = [Route("/s", tabbed), Route("/doc/{key}", plain)]
    certificate, documents = harvested(routes, "/s", tmp_path)
    assert certificate.outcome == "complete"
    assert len(documents) > 0.95 * SIZE


def in_namespaces(request: starlette.requests.Request) -> HTMLResponse:
    """A wiki that searches its articles unless the boxes of other namespaces are ticked."""
    asked = request.query_params
    typed, at, names = asked.get("q", ""), number(request, "page"), ("ns_main", "ns_talk")
    wanted = [name for name in names if asked.get(name)] or ["ns_main"]
    found = [d for d in words(typed) if names[int(d.key) % 3 == 0] in wanted]
    boxes = "".join(
        f"<label><input type=checkbox name={name} value=1{' checked' * (name in wanted)}>{name}"
        for name in names
    )
    rows = "".join(
        f"<li><a href='/doc/{d.key}'>{html.escape(d.title)}</a> <p>{html.escape(d.text[:200])}"
        for d in found[10 * at - 10 : 10 * at]
    )
    here = urlencode({"q": typed, **dict.fromkeys(wanted, 1), "page": at + 1})
    onward = f"<a rel=next href='/s?{here}'>Next</a>" if found[10 * at :] else ""
    hits = f"<p>{len(found)} results</p><ol>{rows}</ol>{onward}" if rows else "<p>No results."
    return HTMLResponse(f"<html lang=en><form action=/s><input name=q>{boxes}</form>{hits}</html>")


@pytest.mark.slow
def test_boxes_beside_a_ticked_one_are_ticked(tmp_path: Path) -> None:
    """Their names begin alike, and each has documents of its own."""
    routes = [Route("/s", in_namespaces), Route("/doc/{key}", plain)]
    _, documents = harvested(routes, "/s", tmp_path)
    assert len(documents) > 0.95 * SIZE


COURTS = ("assize", "labour", "appeal")


def court_of(d: Document) -> str:
    """Return the court of a decision."""
    return COURTS[int(d.key) % 3]


def decisions(request: starlette.requests.Request) -> HTMLResponse:
    """Decisions whose links repeat the search, its filters, the page, and the one before."""
    asked = request.query_params
    typed, court, at = asked.get("q", ""), asked.get("court", "all"), number(request, "page")
    every = words(typed) if typed else TEXTS
    found = [d for d in every if court in ("all", court_of(d))]
    rows = found[20 * at - 20 : 20 * at]
    carried = html.escape(urlencode([(n, v) for n, v in asked.items() if n != "page"]))
    said = "".join(
        f'<div class=item><a href="/doc/{d.key}?{carried}&amp;from={at if n else ""}'
        f'&amp;before={n - 1 if n else ""}">{html.escape(d.title)}</a></div>'
        for n, d in enumerate(rows)
    )
    onward = f'<a href="?{carried}&amp;page={at + 1}">Next</a>' if found[20 * at :] else ""
    options = "".join(f"<option value={each}>{each.title()}</option>" for each in ("all", *COURTS))
    return HTMLResponse(
        f"<html lang=en><form action=/s><input name=q><select name=court>{options}</select></form>"
        f"<p>{len(found)} results</p>{said}{onward}"
    )


@pytest.mark.slow
def test_what_links_repeat_of_searches_and_filters_is_in_no_key(tmp_path: Path) -> None:
    """Each document comes once, with its whole list in one search."""
    routes = [Route("/", decisions), Route("/s", decisions), Route("/doc/{key}", plain)]
    certificate, documents = harvested(routes, "/", tmp_path)
    come_once(documents)
    assert len(documents) == SIZE
    assert (certificate.outcome, certificate.queries) == ("complete", 1)


@pytest.mark.parametrize("year", ["", " (2018)"])
def test_filters_with_their_counts_are_no_documents(year: str) -> None:
    """They are more than the documents of a page; a year in brackets is no count."""
    pages = []
    for kind in ("all", "latest", "new"):
        filters = "".join(
            f'<li><a href="/{kind}/year/{1990 + n}">{1990 + n}</a> ({n + 1})</li>'
            for n in range(30)
        )
        rows = "".join(
            f'<dt><a href="/doc/{kind}{n}">The {n}th of {kind} documents{year}</a></dt>'
            for n in range(8)
        )
        url = f"https://x.example/{kind}"
        body = f"<ul>{filters}</ul><dl>{rows}</dl>".encode()
        response = Response(url=url, status=200, body=body, content_type="text/html")
        pages.append(show("", Request(url), response))
    found = hit_links(pages, [])
    assert found is not None
    assert all("/doc/" in link.url for link in found.links)
