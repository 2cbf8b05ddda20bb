"""Kinds of archives, registers and shops of which too little was harvested in a test set."""

import hashlib
import html
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.test_ways_on import DOCUMENTS, Answer, document, part, words

import longline
from longline.discovery.answer import show
from longline.discovery.reading import boxes, wider_settings
from longline.model import Document
from longline.model import Request as Asked
from longline.model import Response as Came
from longline.simulate import running_site

pytestmark = pytest.mark.slow

ROWS = 10


def page(body: str) -> Response:
    """Return a page with this body."""
    head = "<!doctype html><html lang=en><title>Archive</title><a href='/about'>About us</a>"
    return HTMLResponse(f"{head}<h1>Archive</h1>{body}<footer>Contact</footer>")


def row(one: Document, link: str = "") -> str:
    """Return a hit with a link, as HTML."""
    return f"<p class=hit><a href='{link or f'/doc/{one.key}'}'>{html.escape(one.title)}</a></p>"


def texts_from(front: str, paths: dict[str, Answer], folder: Path) -> list[str]:
    """Return the texts that a harvest of a site brings, from its front page."""
    routes = [Route(path, answer) for path, answer in paths.items()]
    routes += [Route("/", lambda _: page(front)), Route("/doc/{key}", document)]
    with running_site(Starlette(routes=routes)) as url:
        harvest = longline.harvest(
            f"{url}/", folder, allow_private=True, max_requests=1200, browser=False
        )
    return [" ".join(one.text.split()) for one in harvest.documents]


def older(request: Request) -> Response:
    """Page numbers are in the path, and the next link has an unusual label."""
    typed, at = request.query_params.get("s", ""), int(request.path_params.get("page", 1))
    found = part(words(typed), ROWS * (at - 1), ROWS)
    if not found.rows:
        return page("<p>Nothing was found.</p>")
    more = f"<a href='/page/{at + 1}?s={typed}'>Artigos mais antigos</a>" if found.more else ""
    return page("".join(map(row, found.rows)) + f"<nav><div class=links>{more}</div></nav>")


def sized(request: Request) -> Response:
    """The next link has the page's number and the hits per page."""
    typed, at = request.query_params.get("topic", ""), int(request.query_params.get("_cur", 1))
    found = part(words(typed), ROWS * (at - 1), ROWS)
    if not found.rows:
        return page("<p>Nothing was found.</p>")
    more = f"<a href='?topic={typed}&_cur={at + 1}&_delta={ROWS}'>Ahead</a>" if found.more else ""
    return page("".join(map(row, found.rows)) + more)


def fields(request: Request) -> Response:
    """Only one of five fields takes words; the first ones take a name and a number."""
    sent = request.query_params
    found = words(sent.get("contract_descr", "")) if not sent.get("party_name") else []
    if not found:
        return page("<p>No records.</p>")
    return page(f"<p>{len(found)} records</p>" + "".join(map(row, found)))


def passing(request: Request) -> Response:
    """Each answer has its own context, which is part of the URLs of its hits."""
    typed = request.query_params.get("q", "")
    found = words(typed)[:30]
    context = hashlib.sha256(typed.encode()).hexdigest()[:20]
    rows = [row(d, f"/doc/{d.key}?ctx=d-{context}") for d in found]
    return page("".join(rows) or "<p>No objects.</p>")


def choice(request: Request) -> Response:
    """A collection is chosen first, and the server stores the choice."""
    shown = page("<form action='/hits'>Word: <input name=word><button>Search</button></form>")
    shown.set_cookie("collection", request.query_params.get("of", "-"))
    return shown


def chosen(request: Request) -> Response:
    """Find nothing if no collection was chosen."""
    found = words(request.query_params.get("word", ""))
    if request.cookies.get("collection") != "0":
        return page("<p>Please choose a collection.</p>")
    return page("".join(map(row, found)) or "<p>No hits.</p>")


def pressed(request: Request) -> Response:
    """Rows have no link: a click on a row leads to its document."""
    found = words(request.query_params.get("q", ""))
    rows = "".join(
        f"<tr onclick=\"location.href='/doc/{d.key}'\"><td>{html.escape(d.title)}</td></tr>"
        for d in found
    )
    return page(f"<table id=rows>{rows}</table>" if found else "<p>No cases.</p>")


def entities(request: Request) -> Response:
    """Answer like OData, with titles only; without a search nothing is listed."""
    typed = request.query_params.get("$search", "")
    if not typed:
        return JSONResponse({"error": {"message": "$search is required"}}, 400)
    first = int(request.query_params.get("$skip", 0))
    found = part(words(typed), first, 40)
    rows = [{"Id": int(d.key), "Title": d.title} for d in found.rows]
    return JSONResponse({"@odata.count": found.total, "value": rows})


def entity(request: Request) -> Response:
    """Answer with a document."""
    one = DOCUMENTS[request.path_params["key"]]
    return JSONResponse({"Id": int(one.key), "Title": one.title, "Body": one.text})


def named(request: Request) -> Response:
    """Answer in XML, with values named by an attribute."""
    first = int(request.query_params.get("start", 0))
    found = part(words(request.query_params.get("q", "")), first, 40)
    rows = "".join(
        f"<doc><str name='id'>{d.key}</str><str name='title'>{html.escape(d.title)}</str>"
        f"<str name='body'>{html.escape(d.text)}</str></doc>"
        for d in found.rows
    )
    body = f"<response><result numFound='{found.total}' start='{first}'>{rows}</result></response>"
    return Response(body, media_type="application/xml")


def board(request: Request) -> Response:
    """Answer like Discourse, but without the posts' own URLs."""
    found = words(request.query_params.get("q", ""))
    posts = [{"id": int(d.key), "blurb": d.text[:40], "topic_id": int(d.key)} for d in found]
    return JSONResponse({"posts": posts, "grouped_search_result": {}})


FORM = "<form action='/s'><input name={}><button>Search</button></form>"
KINDS: dict[str, tuple[str, dict[str, Answer]]] = {
    "older": (FORM.format("s"), {"/s": older, "/page/{page}": older}),
    "sized": (FORM.format("topic"), {"/s": sized}),
    "fields": (
        "<form action='/s'>Party <input name=party_name> Id <input name=contract_id> Subject "
        "<input name=contract_descr><button>Search</button></form>",
        {"/s": fields},
    ),
    "passing": (FORM.format("q"), {"/s": passing}),
    "chosen": (
        "<form action='/choose'><select name=of><option value=1>Letters<option value=2>Maps"
        "<option value=0>-- all collections --</select><input type=submit></form>",
        {"/choose": choice, "/hits": chosen},
    ),
    "pressed": (FORM.format("q"), {"/s": pressed}),
    "entities": (
        "<pre>GET /odata/Texts?$search=time&amp;$top=5</pre>",
        {"/odata/Texts": entities, "/odata/Texts({key})": entity},
    ),
    "named": ("<p>Ask for <a href='/find?q=time'>this</a></p>", {"/find": named}),
    "board": (
        "<meta name=generator content='Discourse 3.1'>" + FORM.format("q"),
        {"/search.json": board, "/s": passing},
    ),
}


@pytest.mark.parametrize(("front", "paths"), KINDS.values(), ids=KINDS)
def test_all_of_a_site_comes_from_its_front_page(
    front: str, paths: dict[str, Answer], tmp_path: Path
) -> None:
    """Nearly all documents are held, once, with their texts."""
    texts = {" ".join(one.text.split())[:40] for one in DOCUMENTS.values()}
    held = texts_from(front, paths, tmp_path / "harvest")
    assert sum(any(text in each for each in held) for text in texts) >= 0.95 * len(texts)
    assert len(held) <= len(DOCUMENTS)


MONTHS = [f"{2010 + n // 12}/{n % 12 + 1:02}" for n in range(16)]


def months(request: Request) -> Response:
    """The archive of a mailing list links each month by date and by thread."""
    rows = "".join(
        f"<li><a href='{each}/dates.html'>{each}</a> [<a href='{each}/threads.html'>threads</a>]"
        for each in MONTHS
    )
    return HTMLResponse(f"<h1>Archives by month</h1><ul>{rows}</ul>")


def month(request: Request) -> Response:
    """Messages of a month are numbered from 0; in a thread, replies are nested."""
    at = MONTHS.index(request.path_params["month"])
    own = list(DOCUMENTS.values())[at :: len(MONTHS)]
    name = request.path_params["name"]
    if name.startswith("msg"):
        one = own[int(name[3:6])]
        title, text = html.escape(one.title), html.escape(one.text)
        up = "<a href='dates.html'>Date Index</a> <a href='threads.html'>Thread Index</a>"
        return HTMLResponse(f"{up}<h1>{title}</h1><pre>{text}</pre>{up}")
    links = [f"<a href='msg{n:03}.html'>{html.escape(d.title)}</a>" for n, d in enumerate(own)]
    if name == "dates.html":
        rows = "".join(f"<li><b>{each}</b><ul><li><i>From</i>: us</ul>" for each in links)
        return HTMLResponse(f"<h1>By date</h1><ul>{rows}</ul>")
    rows = "".join(f"<li>{a}<ul><li>{b}</ul>" for a, b in zip(links[::2], links[1::2], strict=True))
    return HTMLResponse(f"<h1>By thread</h1><ul>{rows}</ul>")


def test_an_archive_by_month_comes_whole(tmp_path: Path) -> None:
    """Each month is read, though two links lead to each and all number from 0."""
    paths = {"/list/": months, "/list/{month:path}/{name}": month}
    texts = texts_from("<ul><li><a href='/list/'>users</a></ul>", paths, tmp_path)
    expected = {" ".join(each.text.split()) for each in DOCUMENTS.values()}
    assert set(texts) == expected
    assert len(texts) == len(expected)


def test_a_choice_without_all_is_said() -> None:
    """A search within one collection is not taken for a search of all."""
    front = (
        "<form action='/choose'><select name=of><option value=1>Letters<option value=2>Maps"
        "</select><input type=submit></form>"
    )
    routes = [Route("/", lambda _: page(front)), Route("/choose", choice), Route("/hits", chosen)]
    with (
        running_site(Starlette(routes=routes)) as url,
        pytest.raises(
            longline.LonglineError, match="a search for each choice, and none is for all"
        ),
    ):
        longline.discover(f"{url}/", allow_private=True, browser=False)


def test_what_stands_between_dashes_may_say_all() -> None:
    """Lists often have an entry "-- all collections --", with any value."""
    body = b"<form><select name=of><option value=1>One<option value=0>-- all --</select></form>"
    came = Came(url="https://x.example/", status=200, content_type="text/html", body=body)
    shown = show("", Asked(came.url), came)
    assert wider_settings(next(shown.root.iter("form")), "") == {"of": [("0",)]}


def test_a_link_may_be_the_button_of_a_box() -> None:
    """A link or a picture with a script is used as a button, if its label says search."""
    body = (
        b"<div><input id=w><a href='/help'>Search help</a>"
        b"<a class=go href='javascript:doSearch(1)'>Go</a></div>"
    )
    came = Came(url="https://x.example/", status=200, content_type="text/html", body=body)
    [box] = boxes(show("", Asked(came.url), came))
    assert box.button == "css:a.go"
