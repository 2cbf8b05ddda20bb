"""Habits of servers that were met late: rows in JSON, words read as a phrase, odd totals."""

import re
from collections.abc import Callable
from contextlib import suppress
from html import escape

import pytest
from numpy.random import default_rng
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.engines import Engine, Rules, Text, corpus
from tests.discovery.grade import discover, pages_by
from tests.discovery.test_parts import page

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import PagingState
from longline.discovery.dialect.operator_setting import switches
from longline.discovery.dialect.stemming import learn_forms
from longline.discovery.document.container import find_container
from longline.discovery.reading.json_hits import find_data_hits
from longline.discovery.reading.search_form import boxes
from longline.discovery.reading.total_number import find_total
from longline.discovery.session import DiscoverySession
from longline.model import Page
from longline.model import Response as Answer
from longline.simulate import running_site
from longline.source.spec import Ask, Results
from longline.text.stems import Rule

Read = Callable[[Request, list[Text]], Response]
SIZE = 20


def learnt_from(search: Read, rules: Rules, given: str) -> tuple[dict[str, str], str, list[Page]]:
    """Learn a site; return its findings, the number of words per query, and all pages of a word."""
    engine = Engine(corpus("docs"), rules)

    async def answer(request: Request) -> Response:
        return search(request, engine.search(request.query_params.get("q", "")))

    with running_site(Starlette(routes=[Route("/find", answer)])) as url:
        learnt = discover(f"{url}{given}")
        assert learnt.spec is not None, learnt.problem
        assert not learnt.review
        assert learnt.requests <= 40
        [pages] = pages_by(learnt, [("class",)], 60)
        facts = {finding.name: finding.value for finding in learnt.findings}
        shown = sorted(hit.title for page in pages for hit in page.hits)
        assert shown == sorted(" ".join(text.title.split()) for text in engine.search("class"))
        return facts, str(learnt.spec.ask.dialect.max_terms), pages


def rows(request: Request, found: list[Text]) -> Response:
    given = request.query_params
    start, size = int(given.get("offset") or 0), int(given.get("limit") or SIZE)
    cells = [[place, t.key, t.title, t.body] for place, t in enumerate(found)]
    names = [["_place", "Int"], ["_key", "Text"], ["title", "Text"], ["body", "Text"]]
    answer = [[0, 1.5], [[len(found)], names, *cells[start : start + size]]]
    return JSONResponse(answer if found else {"error": "nothing found"}, 200 if found else 404)


@pytest.mark.slow
def test_rows_without_names_are_learnt() -> None:
    """Rows after a number and column names are hits, and status 404 means no hits.

    The page size is made as large as possible.
    """
    facts, _, pages = learnt_from(rows, Rules(), "/find?q=file")
    assert facts["results.hit"] == "jmes:[1][2:]"
    assert facts["results.key"] == "jmes:[1]"
    assert facts["results.total"] == "jmes:[1][0][0]"
    assert facts["results.empty"] == "status:404"
    assert int(facts["ask.page_size"]) >= 500
    assert len(pages) == 1


def listing(request: Request, found: list[Text]) -> Response:
    words, start = request.query_params.get("q", ""), int(request.query_params.get("from") or 0)
    shown = "".join(
        f"<dt><a href='/t/{t.key}'>{escape(t.title)}</a><dd>{escape(t.body[:150])}"
        for t in found[start : start + SIZE]
    )
    onward = f"<a href='?q={escape(words)}&amp;from={start + SIZE}'>Next</a>"
    onward = onward if start + SIZE < len(found) else ""
    form = f"<form action=/find><input name=q value='{escape(words)}'></form>"
    return HTMLResponse(f"{form}<p>{len(found)} found</p><dl>{shown}</dl>{onward}")


@pytest.mark.slow
def test_words_read_as_one_string_are_noticed() -> None:
    """If the order of two words matters, single terms are used, and no review is needed."""
    facts, max_terms, _ = learnt_from(listing, Rules(default="phrase"), "/find")
    assert facts["dialect.default"] == "phrase"
    assert max_terms == "1"


def test_rows_may_hold_an_object() -> None:
    """A row of plain values is recognised, even if one cell is an object."""

    def answer(words: str, number: int) -> ParsedAnswer:
        rows = [
            [f"{words}{n}", f"{words} and {n * 37}", f"all of {words} {n}", {"name": "A"}, 2001]
            for n in range(number)
        ]
        data = {"columns": ["id", "title", "text", "author", "year"], "rows": rows}
        return page(JSONResponse(data).body.decode(), words, content_type="application/json")

    found = find_data_hits([answer("deep", 9), answer("web", 7)], [answer("xq", 0)])
    assert found is not None
    assert (found.path, found.key, found.title) == ("rows[*]", "[0]", "[1]")


def test_names_in_the_first_row_are_no_hit() -> None:
    """A first row that every answer has contains the column names."""

    def answer(words: str, number: int) -> ParsedAnswer:
        items = [
            [f"{words}{n}", f"{words} and {n * 37}", f"all that is said of {words} {n}"]
            for n in range(number)
        ]
        body = JSONResponse([["id", "title", "text"], *items]).body.decode()
        return page(body, words, content_type="application/json")

    found = find_data_hits([answer("deep", 9), answer("web", 7)], [answer("xq", 0)])
    assert found is not None
    assert (found.path, found.key, found.title, found.text) == ("[1:]", "[0]", "[1]", "[2]")


@pytest.mark.parametrize(
    ("around", "where"),
    [
        ("<ul id=kinds><li><a href='?kind=1'>Issues ({n})</a></ul><h3>Results ({n})</h3>", "h3"),
        ("<pre id=t>Results 1-2 of {about}{n} <a href=?p=2>next</a> | <a href=?r=1>back</a>", "#t"),
    ],
)
def test_total_beside_links(around: str, where: str) -> None:
    """A number in a link counts one kind of hit; one beside links, here with a "~", counts all."""
    totals = {"deep": 310, "web": 90, "sea": 12}
    pages = [
        page(
            f"<ol><li>{words}<li>x</ol>"
            + around.replace("{n}", str(n)).replace("{about}", "~" if n > 99 else ""),
            words,
        )
        for words, n in totals.items()
    ]
    found = find_total(pages, {each: each.root.findall(".//li") for each in pages})
    assert found is not None
    assert where in found.selector
    assert [total.documents for total in found.values if total] == [310, 90, 12]
    is_about = [total.relation == "about" for total in found.values if total]
    assert is_about == ["{about}" in around, False, False]


def test_a_button_that_empties_the_box_is_not_pressed() -> None:
    """Next to "Clear", the other button submits the form; without it, there is no button."""
    clear = "<button type=button class=box__clear>x</button>"
    box = f"<div><input placeholder=Search>{clear}</div>"
    assert [each.button for each in boxes(page(box))] == [""]
    box = f"<div><input placeholder=Search>{clear}<button class=go>Go</button></div>"
    assert [each.button for each in boxes(page(box))] == ["css:button.go"]


def test_a_container_of_the_sites_own_making_is_found() -> None:
    """Without a usual element, a document's text is in the innermost named element."""

    def document(title: str, said: str) -> ParsedAnswer:
        nav = "<div class=top><a href=/>Home</a> <a href=/about>About us</a></div>"
        return page(f"{nav}<div class=page><h3>{title}</h3><div class=record><p>{said}</div></div>")

    one = document("Deep web", "What no crawler ever sees, behind boxes that want a word. " * 3)
    other = document("Deep sea", "Fish without eyes, and water that no light ever reaches. " * 3)
    selector, share = find_container(
        DiscoverySession("http://site.example/", default_rng(0)), [one, other]
    )
    assert selector == "css:div.record"
    assert share > 0.75


def test_settings_that_have_operators_read() -> None:
    """A list or a radio button that offers operators is distinguished from sorting options."""
    form = "<select name=m><option value=a>All words<option value=b>Boolean</select>"
    form += "<select name=sort><option>date</select><input type=radio name=x value=expert>"
    assert list(switches(page(f"<form>{form}</form>").root)) == [("m", "b"), ("x", "expert")]


MODES = {"all": (), "bool": ("NOT", "AND NOT")}


def test_not_is_found_where_the_form_is_told_to_read_operators() -> None:
    """The word NOT excludes only with a setting, which is then part of the spec's URL."""
    engines = {mode: Engine(corpus("docs"), Rules(nots=nots)) for mode, nots in MODES.items()}
    select = "<select name=mode><option value=all>All words<option value=bool>Boolean</select>"

    async def answer(request: Request) -> Response:
        mode, words = request.query_params.get("mode", "all"), request.query_params.get("q", "")
        words = words if mode == "bool" else re.sub(r"\bNOT\b|-", " ", words)
        came = listing(request, engines[mode].search(words))
        body = bytes(came.body).replace(b"</form>", f"{select}</form>".encode())
        return HTMLResponse(body)

    with running_site(Starlette(routes=[Route("/find", answer)])) as url:
        learnt = discover(f"{url}/find")
        assert learnt.spec is not None
        assert learnt.spec.ask.dialect.not_.endswith("NOT {term}")
        assert "mode=bool" in learnt.spec.ask.url
        assert learnt.requests <= 40


BOOKS = (
    *("the connection of lines", "that is a connected line", "connecting to the sea is done"),
    *("activity of the ships", "to be active is that ship", "all the assemblies", "an assembler"),
)


@pytest.mark.parametrize(("rule", "learnt"), [("english", "english"), ("plural", "plural")])
def test_the_rule_of_a_source_that_stems(rule: str, learnt: str) -> None:
    """Pairs of words that the rules treat differently show which rule the source uses."""
    session = DiscoverySession("http://site.example/", default_rng(0))
    session.ask, session.results = (
        Ask(url="http://site.example/s?q={query}"),
        Results("css:li", "css:a"),
    )
    session.texts = dict(enumerate(BOOKS))  # type: ignore[arg-type]
    pages = PagingState(session, page("<p>found</p>"))
    pages.size = 50
    held = [set(Rule(rule).keys(book.split())) for book in BOOKS]
    plan = learn_forms(session, pages)
    request = next(plan)
    with suppress(StopIteration):
        while True:
            key = Rule(rule).key(request.url.partition("q=")[2])
            items = "".join(
                f"<li><a href=/{n}>{n}</a>" for n, keys in enumerate(held) if key in keys
            )
            body = f"<ul>{items}</ul>".encode()
            request = plan.send(
                Answer(url=request.url, status=200, content_type="text/html", body=body)
            )
    assert session.ask.dialect.forms == learnt
