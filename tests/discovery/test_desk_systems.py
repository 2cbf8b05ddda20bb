"""Systems of companies and newspapers: words in paths, sessions in links, lists beside lists."""

import html
from itertools import count
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from tests.discovery.test_first_met import harvested
from tests.discovery.test_further_kinds import found_by
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, TEXTS, document, number, part, words

import longline
from longline.model import Document
from longline.simulate import running_site

pytestmark = pytest.mark.slow

BOX = "<form action={0}><input name={1} type=search><button>Search</button></form>"
LOOKS = ("objlink report", "objlink subjective column")
DEPARTMENTS = ("Politics", "Economy", "Culture")


def test_words_in_the_path_and_rows_of_several_looks(tmp_path: Path) -> None:
    """The form redirects to an address that holds the words; a department stands over titles."""
    box = BOX.format("/", "s")

    def front(request: Request) -> Response:
        if sent := request.query_params.get("s"):
            return RedirectResponse(f"/!s={sent}/", 302)
        return HTMLResponse(f"<html lang=en>{box}<p>The archive of the paper, files and all.")

    def found(request: Request) -> Response:
        page = number(request, "at", 0)
        shown = part(words(request.path_params["words"]), 10 * page)
        listed = "".join(
            f'<li class=article><a class="{LOOKS[int(d.key) % 2]}" href="/a/{d.key}">'
            f"<h4>{DEPARTMENTS[int(d.key) % 3]}</h4><h3>{html.escape(d.title)}</h3><p>"
            f"{html.escape(d.text[:100])}</p></a><div><i>2020</i></div></li>"
            for d in shown.rows
        )
        on = f'<a rel=next href="?at={page + 1}">on</a>' if shown.more else ""
        said = f"<p>1 to 10 of {shown.total}</p><ul>{listed}</ul>{on}" if shown.rows else "None."
        return HTMLResponse(f"<html lang=en>{box}{said}")

    routes = [("/", front), ("/!s={words}/", found), ("/a/{key}", document)]
    harvest = harvested(Starlette(routes=[Route(*each) for each in routes]), tmp_path)
    assert len(harvest.documents) >= 0.97 * SIZE
    assert {each.title for each in harvest.documents} <= {each.title for each in TEXTS}


def test_words_and_sessions_in_the_paths_of_links(tmp_path: Path) -> None:
    """A document is the same with words before the session, or none, and in each session."""
    sessions = count(7_000_000)
    box = "<form action=/list><input name=kw type=search><button>Search</button></form>"

    def listed(request: Request) -> Response:
        typed = request.query_params.get("kw", "")
        given = typed or request.path_params.get("kw", "")
        page = number(request, "page", 1)
        shown = part(words(given) if given else TEXTS, 10 * (page - 1))
        end = (f"/kw/{html.escape(given)}" if given else "") + f"/session/L3x{next(sessions)}"
        rows = "".join(
            f'<li><a href="/detail/a_id/{d.key}{end}">{html.escape(d.title)}</a></li>'
            for d in shown.rows
        )
        on = f'<a href="?kw={html.escape(given)}&page={page + 1}">Next</a>' if shown.more else ""
        said = f"<p>{shown.total} results</p><ol>{rows}</ol>{on}"
        return HTMLResponse(f"<html lang=en>{box}{said if shown.rows else '<p>No results.'}")

    app = Starlette(
        routes=[Route("/list", listed), Route("/detail/a_id/{key}/{rest:path}", document)]
    )
    harvest = harvested(app, tmp_path, "/list")
    assert len(harvest.documents) == SIZE


def test_other_lists_of_an_answer_are_named(tmp_path: Path) -> None:
    """One is harvested and not called complete; the address of another one brings that."""
    names = ("opinions", "cases")

    def search(request: Request) -> Response:
        answer: dict[str, object] = {}
        for at, name in enumerate(names):
            of_kind = [each for each in found_by(request) if int(each.key) % 3 // 2 == at]
            shown = part(of_kind, number(request, "from_hit", 0), number(request, "hits", 10))
            answer[name] = [_record(each) for each in shown.rows]
            answer[f"total_{name}"] = shown.total
        return JSONResponse(answer)

    def described(request: Request) -> Response:
        whole = {"type": "integer"}
        sent = [
            {"name": "q", "in": "query", "type": "string"},
            {"name": "from_hit", "in": "query", "default": 0, "description": FROM, **whole},
        ]
        paths = {"/search": {"get": {"summary": "Search", "parameters": sent}}}
        return JSONResponse({"swagger": "2.0", "basePath": "/", "paths": paths})

    kinds = {key: names[int(key) % 3 // 2] for key in DOCUMENTS}
    with running_site(Starlette(routes=[Route("/", described), Route("/search", search)])) as url:
        harvest = longline.harvest(f"{url}/", tmp_path / "h", allow_private=True, rate=1000)
        assert harvest.certificate.outcome == "partial"
        (other,) = harvest.certificate.left_out
        rest = longline.harvest(other, tmp_path / "rest", allow_private=True, rate=1000)
    kept = [sum(kinds[each.key] == name for name in names[:1]) for each in harvest.documents]
    assert len(kept) >= 0.95 * list(kinds.values()).count("opinions")
    assert all(kept)
    assert {kinds[each.key] for each in rest.documents} == {"cases"}


FROM = "Get results starting from this index."


def _record(each: Document) -> dict[str, str]:
    return {"id": each.key, "name": each.title, "summary": each.text}


def test_documents_of_cmis_are_read(tmp_path: Path) -> None:
    """The words stand in SQL, and each text is at an address that no row holds."""

    def browser(request: Request) -> Response:
        given = request.query_params
        typed = given.get("q", "").partition("CONTAINS('")[2].partition("')")[0]
        every = TEXTS if typed == "*" else words(typed)
        shown = part(every, number(request, "skipCount", 0), number(request, "maxItems", 100))
        rows = [
            {"cmis:objectId": f"{d.key};1.0", "cmis:name": f"{d.title}.txt"} for d in shown.rows
        ]
        if given.get("succinct"):
            results = [{"succinctProperties": row} for row in rows]
        else:
            results = [{"properties": {n: {"value": row[n]} for n in row}} for row in rows]
        return JSONResponse(
            {"results": results, "hasMoreItems": shown.more, "numItems": shown.total}
        )

    def content(request: Request) -> Response:
        key = request.query_params["objectId"].partition(";")[0]
        return Response(DOCUMENTS[key].text or "-", media_type="text/plain")

    app = Starlette(routes=[Route("/browser", browser), Route("/browser/root", content)])
    example = "/browser?cmisselector=query&q=SELECT%20*%20FROM%20cmis:document%20WHERE%20CONTAINS"
    harvest = harvested(app, tmp_path, f"{example}('file')&maxItems=50&skipCount=0")
    assert len(harvest.documents) == SIZE
    texts = {each.key.partition(";")[0]: each.text for each in harvest.documents}
    assert all(texts[key].split() == DOCUMENTS[key].text.split() for key in texts)


def test_an_answer_that_says_that_nothing_was_found_is_no_failure(tmp_path: Path) -> None:
    """It lacks the list of hits and comes with status 200; pages are counted by pIndex."""

    def search(request: Request) -> Response:
        found = found_by(request)
        size = number(request, "pSize", 10)
        shown = part(found, size * (number(request, "pIndex", 1) - 1), size)
        if not shown.rows:
            return JSONResponse({"RESULT": {"CODE": "INFO-200", "MESSAGE": "There is no data."}})
        head = [{"total_count": shown.total}, {"RESULT": {"CODE": "INFO-000"}}]
        return JSONResponse({"BILLS": [{"head": head}, {"row": [_record(d) for d in shown.rows]}]})

    app = Starlette(routes=[Route("/api", search)])
    harvest = harvested(app, tmp_path, "/api?pIndex=1&pSize=10&q=file")
    assert len(harvest.documents) >= 0.97 * SIZE
    assert harvest.certificate.cuts == {}


def test_a_length_that_is_sent_is_raised_where_there_are_no_pages(tmp_path: Path) -> None:
    """Answers of five rows would need a thousand searches."""

    def search(request: Request) -> Response:
        shown = part(found_by(request), 0, min(number(request, "cantidad", 5), 60))
        return JSONResponse({"rows": [_record(each) for each in shown.rows]})

    app = Starlette(routes=[Route("/consulta", search)])
    harvest = harvested(app, tmp_path, "/consulta?q=file&cantidad=5")
    assert len(harvest.documents) >= 0.97 * SIZE
    assert harvest.certificate.queries < 150


def test_rows_with_a_rank_and_links_to_other_searches(tmp_path: Path) -> None:
    """The journal of a record is another search; records have no pages, and ranks change."""
    box = "<form action=/cgi><input name=STR><input type=submit value=Search></form>"

    def search(request: Request) -> Response:
        typed = request.query_params.get("STR", "")
        first = number(request, "STN", 1)
        shown = part(words(typed), first - 1)
        rows = "".join(
            f"<tr><td>{rank}.</td><td><b>Author {int(d.key) % 7}</b> {html.escape(d.title)} // "
            f'<a href="/cgi?STR=journal+{int(d.key) % 4}">Journal {int(d.key) % 4}</a><br>'
            f"<span>{html.escape(d.text)}</span></td></tr>"
            for rank, d in enumerate(shown.rows, first)
        )
        on = f'<a href="/cgi?STR={html.escape(typed)}&STN={first + 10}">Next</a>'
        said = f"<p>Found: {shown.total}</p><table class=list>{rows}</table>"
        page = said + (on if shown.more else "") if shown.rows else "<p>No documents found."
        return HTMLResponse(f"<html lang=en>{box}{page}")

    front = HTMLResponse(f"<html lang=en>{box}<p>A database of periodicals on files.")
    app = Starlette(routes=[Route("/", lambda _: front), Route("/cgi", search)])
    harvest = harvested(app, tmp_path)
    assert 0.97 * SIZE <= len(harvest.documents) <= SIZE
