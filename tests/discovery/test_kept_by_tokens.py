"""Lists that continue by a token or an odd name, links with packed URLs, forms by POST."""

import base64
import html
import json
import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse
from starlette.responses import Response as Answer
from starlette.routing import Route
from tests.webs import needs_browser

import longline
from longline.errors import InputError
from longline.simulate import read_corpus, running_site

pytestmark = pytest.mark.slow

SIZE, ROWS = 90, 10
UNLUCKY = 26
"""How many searches find nothing, at first."""

DOCUMENTS = [each for each in read_corpus("docstrings") if 200 < len(each.text) < 900][:SIZE]


def harvested(site: Starlette, folder: Path, at: str = "/") -> longline.Harvest:
    """Harvest a site from a path on it."""
    with running_site(site) as url:
        return longline.harvest(f"{url}{at}", folder, allow_private=True, rate=1000)


def rows_of(start: int) -> list[dict[str, object]]:
    """Return the rows of a page, with their texts."""
    rows = DOCUMENTS[start : start + ROWS]
    return [{"id": each.key, "subject": each.title, "text": each.text} for each in rows]


def by_token() -> Starlette:
    """A list whose answers hold a token for the next page, and that accepts no other parameter."""

    def studies(request: Request) -> Answer:
        if set(request.query_params) - {"pageToken"}:
            return PlainTextResponse("unknown parameter", status_code=400)
        start = int(request.query_params.get("pageToken", "t0")[1:])
        more = {"nextPageToken": f"t{start + ROWS}"} if start + ROWS < SIZE else {}
        return JSONResponse({"studies": rows_of(start)} | more)

    return Starlette(routes=[Route("/api/studies", studies)])


def by_skip() -> Starlette:
    """A page that only links a list; its answers have `skip`, but the parameter is `$skip`."""

    def messages(request: Request) -> Answer:
        start = int(request.query_params.get("$skip", 0))
        rows = [] if set(request.query_params) - {"$skip"} else rows_of(start)
        return JSONResponse({"total": SIZE, "limit": ROWS, "skip": start, "data": rows})

    def home(request: Request) -> Answer:
        return HTMLResponse("<p>Start your app at <a href=/messages>/messages</a></p>")

    return Starlette(routes=[Route("/", home), Route("/messages", messages)])


@pytest.mark.parametrize(("site", "at"), [(by_token(), "/api/studies"), (by_skip(), "/")])
def test_a_list_is_read_to_its_end(site: Starlette, at: str, tmp_path: Path) -> None:
    """All documents are held, with their texts."""
    held = harvested(site, tmp_path / "got", at)
    assert len(held.documents) == SIZE
    came = {" ".join(each.text.split()) for each in held.documents}
    assert came == {" ".join(each.text.split()) for each in DOCUMENTS}


def packed_link(number: int, words: str, rank: int) -> str:
    """Return a signed link that contains the URL in base64, and the words."""
    data = {"url": f"/article/{number}", "term": words, "rank": rank}
    packed = base64.b64encode(json.dumps(data).encode()).decode()
    return f"/click?data={packed}--{hash(packed) & 0xFFFFFF:x}"


def by_links(link: Callable[[int, str, int], str]) -> Starlette:
    """A search whose result links differ in each answer, and lead to the article."""

    def home(request: Request) -> Answer:
        words = request.query_params.get("q", "")
        start = ROWS * (int(request.query_params.get("page", 1)) - 1)
        found = [
            number
            for number, each in enumerate(DOCUMENTS)
            if words and words.lower() in f"{each.title} {each.text}".lower()
        ]
        rows = "".join(
            f'<li><a href="{html.escape(link(number, words, rank))}">'
            f"{html.escape(DOCUMENTS[number].title)}</a></li>"
            for rank, number in enumerate(found[start : start + ROWS])
        )
        page = start // ROWS + 2
        more = f'<a rel=next href="/?q={html.escape(words)}&page={page}">next</a>'
        return HTMLResponse(
            "<form role=search action=/><input name=q></form>"
            f"<p>{len(found)} results</p><ul>{rows}</ul>{more if start + ROWS < len(found) else ''}"
        )

    def click(request: Request) -> Answer:
        if token := request.query_params.get("token"):
            return RedirectResponse(f"/article/{token[24:]}", 302)
        packed = request.query_params["data"].partition("--")[0]
        return RedirectResponse(json.loads(base64.b64decode(packed))["url"], 302)

    def article(request: Request) -> Answer:
        each = DOCUMENTS[request.path_params["number"]]
        body = f"<h1>{html.escape(each.title)}</h1><p>{html.escape(each.text)}</p>"
        return HTMLResponse(f"<main>{body}</main>")

    routes = [Route("/", home), Route("/click", click), Route("/article/{number:int}", article)]
    return Starlette(routes=routes)


def test_links_that_pack_their_address_name_one_document_each(tmp_path: Path) -> None:
    """The URL inside the link identifies the document, whatever else the link holds."""
    held = harvested(by_links(packed_link), tmp_path / "got")
    assert 0.97 * SIZE <= held.certificate.documents <= SIZE
    assert 'link_parameter = "data"' in (tmp_path / "got" / "source.toml").read_text()


def test_where_links_say_nothing_the_title_tells_documents_apart(tmp_path: Path) -> None:
    """Each answer has other links to the same articles; the spec says what that costs."""
    site = by_links(lambda number, words, rank: f"/click?token={secrets.token_hex(12)}{number}")
    held = harvested(site, tmp_path / "got")
    titles = {each.title for each in DOCUMENTS}
    assert 0.97 * len(titles) <= held.certificate.documents <= len(titles)
    assert "held as one" in (tmp_path / "got" / "source.toml").read_text()


def beside_a_form(list_is_clear: bool) -> Starlette:
    """A search form by POST, next to a menu, or next to links to lists of documents."""
    form = (
        "<form method=post action=/found role=search>"
        "<input type=search name=term><button>Search</button></form>"
    )

    def home(request: Request) -> Answer:
        parts = "".join(f"<li><a href=/part/{n}>Part {n}</a></li>" for n in range(6))
        menu = "<ul><li><a href=/about>About</a></li><li><a href=/terms>Terms</a></li></ul>"
        return HTMLResponse(form + (f"<ul>{parts}</ul>" if list_is_clear else menu))

    def part(request: Request) -> Answer:
        n = request.path_params["n"]
        rows = "".join(
            f"<tr><td><a href=/doc/{at}>{html.escape(DOCUMENTS[at].title)}</a></td></tr>"
            for at in range(5 * n, 5 * n + 5)
        )
        return HTMLResponse(f"<h1>Part {n}</h1><table>{rows}</table>")

    def doc(request: Request) -> Answer:
        each = DOCUMENTS[request.path_params["n"]]
        text = f"<h1>{html.escape(each.title)}</h1><p>{html.escape(each.text)}</p>"
        return HTMLResponse(f"<main>{text}</main>")

    def said(request: Request) -> Answer:
        return HTMLResponse("<h1>Of this site</h1><p>Nothing more is said here.</p>")

    return Starlette(
        routes=[
            Route("/", home),
            Route("/part/{n:int}", part),
            Route("/doc/{n:int}", doc),
            Route("/about", said),
            Route("/terms", said),
        ]
    )


def test_a_form_that_is_not_sent_is_named_beside_a_list(tmp_path: Path) -> None:
    """The list is harvested, and the spec says that the form is sent by POST."""
    held = harvested(beside_a_form(list_is_clear=True), tmp_path / "got")
    assert held.certificate.outcome == "partial"
    assert held.certificate.documents == 30
    assert "is sent by POST" in (tmp_path / "got" / "source.toml").read_text()


def test_a_form_that_is_not_sent_is_the_reason_where_nothing_else_is_sure(tmp_path: Path) -> None:
    """A menu is not taken for a list of documents, so the error names the unsent form."""
    with pytest.raises(InputError, match=r"(?s)sent by POST.*post=True"):
        harvested(beside_a_form(list_is_clear=False), tmp_path / "got")


@needs_browser
def test_a_token_of_a_visit_that_a_browser_sent_is_fetched_anew(tmp_path: Path) -> None:
    """The first words find nothing, so a browser types; its token is of no use in a harvest."""
    visits: dict[str, str] = {}
    searches: list[str] = []

    def front(request: Request) -> Answer:
        known = request.cookies.get("visit", "")
        visit = known if known in visits else secrets.token_hex(8)
        token = visits.setdefault(visit, secrets.token_hex(16))
        hidden = f"<input type=hidden name=_csrf value={token}>"
        box = f"<form id=f method=post action=/find>{hidden}<input type=text name=words></form>"
        answer = HTMLResponse(f"<html lang=en><h1>Search the register</h1>{box}")
        answer.set_cookie("visit", visit)
        return answer

    async def find(request: Request) -> Answer:
        sent = await request.form()
        if visits.get(request.cookies.get("visit", "")) != sent.get("_csrf"):
            return PlainTextResponse("Your visit has ended.", 403)
        typed = str(sent.get("words", "")).lower()
        searches.append(typed)
        found = [d for d in DOCUMENTS if typed and typed in f"{d.title} {d.text}".lower()]
        found = found if len(searches) > UNLUCKY else []
        rows = "".join(f"<li><a href=/doc/{d.key}>{html.escape(d.title)}</a>" for d in found[:40])
        said = (
            f"<p>{len(found)} entries</p><ul>{rows}</ul>" if found else "<p>No results found.</p>"
        )
        return HTMLResponse(f"<html lang=en><h1>Search the register</h1>{said}")

    def document(request: Request) -> Answer:
        held = next(d for d in DOCUMENTS if d.key == request.path_params["key"])
        return HTMLResponse(f"<h1>{html.escape(held.title)}</h1><p>{html.escape(held.text)}")

    routes = [Route("/", front), Route("/find", find, methods=["POST"])]
    app = Starlette(routes=[*routes, Route("/doc/{key}", document)])
    with running_site(app) as url:
        harvest = longline.harvest(url, tmp_path, allow_private=True, rate=1000, post=True)
    assert harvest.spec.ask.form is not None
    assert len(harvest.documents) >= 0.97 * SIZE
