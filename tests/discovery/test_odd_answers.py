"""Answers to no words, marks before words, hits without a unique name, lists by number."""

import html
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import Answer, harvested
from tests.discovery.test_ways_on import DOCUMENTS, FORM, SIZE, document, number, page, part, words

from longline.discovery.answer import show
from longline.discovery.reading import forms
from longline.model import Document
from longline.model import Request as Asked
from longline.model import Response as Came
from longline.text.numbers import counted

TEXTS = list(DOCUMENTS.values())
KINDS = ("news", "records")


def posted_box(request: Request) -> Response:
    """The front page's box is sent by POST, and has no words in the documents' language."""
    box = FORM.replace("<form ", "<form method=post role=search id=search class=search ")
    return HTMLResponse(
        f"<html lang=es><h1>Biblioteca</h1><p>Bienvenidos a la biblioteca.</p>{box}"
    )


def for_no_words(request: Request) -> Response:
    """GET works, too; no words list everything, and the next link has them unchanged."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    found = part(words(typed) if typed else TEXTS, 10 * (at - 1))
    rows = "".join(
        f'<li><a href="/doc/{d.key}">{html.escape(d.title)}</a> {html.escape(d.text[:90])}</li>'
        for d in found.rows
    )
    onward = f'<a href="/s?rows=10&amp;term={quote(typed)}&amp;page={at + 1}">Siguiente</a>'
    said = f"<p>{found.total} resultados</p><ul>{rows}</ul>{onward if found.more else ''}"
    return HTMLResponse(f"<html lang=es>{said if rows else '<p>Sin resultados.</p>'}")


def with_a_mark(request: Request) -> Response:
    """Any word matches; words with a plus are required, and quotes have no meaning."""
    marked = [word for word in request.query_params.get("q", "").split() if word[0] == "+"]
    free = [word for word in request.query_params.get("q", "").split() if word[0] not in "+-"]
    if any('"' in word for word in marked):
        rows = []
    elif marked:
        rows = words(" ".join(word[1:] for word in marked))
    else:
        rows = list({d.key: d for word in free for d in words(word)}.values())
    start = number(request, "start", 0)
    own = [{"id": d.key, "name": d.title, "about": d.text} for d in rows[start : start + 25]]
    return JSONResponse({"total": len(rows), "start": start, "hits": own})


def by_rank(request: Request) -> Response:
    """Links have the rank in the answer, and a row has the rank, a number and a shared title."""
    typed = request.query_params.get("term", "")
    found = words(typed)
    if at := number(request, "rank", 0):
        d = found[at - 1]
        return HTMLResponse(f"<h1>{html.escape(d.title)}</h1><p>{html.escape(d.text)}</p>")
    rows = "".join(
        f"<tr><td>{place}<td>N-{d.key}<td><a href='/s?term={quote(typed)}&amp;rank={place}'>"
        f"{html.escape(d.title if int(d.key) % 20 else 'Untitled')}</a></tr>"
        for place, d in enumerate(found, start=1)
    )
    return page(f"<table>{rows}</table>" if rows else "<p>Nothing matches.</p>")


def ten_a_page(request: Request, row: Callable[[Document, int], str]) -> Response:
    """Return a page of hits, with a total and the next page's link.

    Args:
        request: Has the words and the page number.
        row: Writes a document, given its rank in the answer, from 1 on.
    """
    typed, at = request.query_params.get("term", ""), number(request, "page")
    found = part(words(typed), 10 * (at - 1))
    rows = "".join(f"<li>{row(d, n)}</li>" for n, d in enumerate(found.rows, start=10 * at - 9))
    onward = f'<a href="/s?term={quote(typed)}&amp;page={at + 1}">Next</a>' if found.more else ""
    said = f"<p>{counted(found.total, 'result')}</p><ul>{rows}</ul>{onward}"
    return page(said if rows else "<p>Nothing matches.</p>")


def with_its_page(request: Request) -> Response:
    """The link of a hit contains the words and the number of its page."""
    place = f"term={quote(request.query_params.get('term', ''))}&amp;page={number(request, 'page')}"
    return ten_a_page(
        request, lambda d, _: f'<a href="/show?id={d.key}&amp;{place}">{html.escape(d.title)}</a>'
    )


def whole(request: Request) -> Response:
    """A document's own page."""
    d = DOCUMENTS[request.query_params["id"]]
    return HTMLResponse(f"<h1>{html.escape(d.title)}</h1><main>{html.escape(d.text)}</main>")


def inverted(request: Request) -> Response:
    """A text is given by the positions of each of its words."""
    rows, start = words(request.query_params.get("q", "")), number(request, "start", 0)

    def row(d: Document) -> dict[str, object]:
        places: dict[str, list[int]] = {}
        for place, word in enumerate(d.text.split()):
            places.setdefault(word, []).append(place)
        return {"id": d.key, "name": d.title, "abstract": {"index": places}}

    own = list(map(row, rows[start : start + 25]))
    return JSONResponse({"total": len(rows), "start": start, "hits": own})


def in_parts(request: Request) -> Response:
    """The first link of a hit leads to the lines with the words, and these to the full text."""
    typed = quote(request.query_params.get("term", ""))
    return ten_a_page(
        request,
        lambda d, _: (
            f'<a href="/part/{d.key}?term={typed}">{html.escape(d.title)}</a>'
            f"<p>{html.escape(d.text[:60])}</p>"
            f'<a href="/cites/{d.key}">Cites {len(d.text) % 9}</a> '
            f'<a href="/doc/{d.key}">Full document</a>'
        ),
    )


def fragment(request: Request) -> Response:
    """The lines of a document that contain a word, and a link to the full text."""
    d, typed = DOCUMENTS[request.path_params["key"]], request.query_params.get("term", "")
    lines = [line for line in d.text.split("\n") if typed.lower() in line.lower()]
    body = "".join(f"<p>{html.escape(line)}</p>" for line in lines)
    whole = f'<a href="/doc/{d.key}">View the complete document</a>'
    return HTMLResponse(f"<main><h1>{html.escape(d.title)}</h1>{whole}{body}</main>")


def of_two_kinds(request: Request) -> Response:
    """News and records alternate in one list, with URLs of different folders."""
    found = words(request.query_params.get("term", ""))
    news, records = ([d for d in found if kind in kind_of(d)] for kind in KINDS)
    turns = zip_longest(news, records)
    found = [d for pair in turns for d in pair if d is not None]
    rows = "".join(
        f"<div class=res><h3><a href='{kind_of(d)}{d.key}'>{html.escape(d.title)}</a></h3>"
        f"<p>{html.escape(d.text[:80])}</p><dl><dt>Path<dd><a href='{kind_of(d)}{d.key}'>"
        f"{kind_of(d)}</a></dl></div>"
        for d in found[:10]
    )
    said = f"<p>{counted(len(found), 'result')}</p><div>{rows}</div>"
    return page(said if rows else "<p>Nothing matches.</p>")


def kind_of(d: Document) -> str:
    """Return the folder of a document: about half are of each kind, by chance."""
    return f"/{KINDS[sum(map(ord, d.title)) % 2]}/doc/"


def with_a_number_each(request: Request) -> Response:
    """Every second link contains the number of the search, which differs each time."""
    searched = sum(map(ord, request.query_params.get("term", ""))) * 7919 % 100_003
    return ten_a_page(
        request,
        lambda d, _: (
            f'<a href="/doc/{d.key}{f"?phrase={searched}" if int(d.key) % 2 else ""}">'
            f"{html.escape(d.title)}</a> {html.escape(d.text[:90])}"
        ),
    )


def by_script_alone(request: Request) -> Response:
    """The next page is opened by a script; the form has a field with the page number."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    found = part(words(typed), 10 * (at - 1))
    rows = "".join(f'<li><a href="/doc/{d.key}">{html.escape(d.title)}</a>' for d in found.rows)
    box = FORM.replace(
        "<input name=term>", "<input name=term><input type=hidden name=page value=1>"
    )
    more = "<a href=\"javascript:go_to_page('2')\">2</a>"
    said = f"<p>{counted(found.total, 'result')}</p><ul>{rows}</ul>{more if found.more else ''}"
    return HTMLResponse(f"{box}{said if rows else '<p>Nothing matches.</p>'}")


def of_the_search(request: Request) -> Response:
    """Links contain the words, the total and the rank; a single hit is shown directly."""
    typed = request.query_params.get("term", "")
    found = words(typed)
    if len(found) == 1:
        return record_of(found[0])

    def row(d: Document, rank: int) -> str:
        own = f"/s({quote(typed)})/{len(found)},{rank}/record?at=({quote(typed)}),{rank}"
        box = f'<input type=checkbox name=save value="b15{d.key}">'
        return f'{box} <a href="{own}">{html.escape(d.title)}</a> <i>18{d.key[-2:]}</i>'

    return ten_a_page(request, row)


def at_its_place(request: Request) -> Response:
    """The document at a rank of an answer."""
    return record_of(words(request.path_params["words"])[request.path_params["rank"] - 1])


def record_of(d: Document) -> Response:
    """A catalogue's record of a document, line by line."""
    said = (("Title", d.title), ("Contents", d.text), ("Number", f"b15{d.key}"))
    rows = "".join(f"<tr><th>{name}<td class=said>{html.escape(text)}" for name, text in said)
    return HTMLResponse(f"<title>Catalogue</title>{FORM}<table class=record>{rows}</table>")


def collected(request: Request) -> Response:
    """Articles of others: titles lead to them, and the number of comments to a page here."""
    return ten_a_page(
        request,
        lambda d, _: (
            f'<a href="https://wire.example/{d.key}">{html.escape(d.title)}</a> <a href=/>All</a>'
            f' <a href="/doc/{d.key}">{counted(len(d.text) % 40, "comment")}</a>'
        ),
    )


def documented(request: Request) -> Response:
    """A page documents the interface; its parameter for words has an unusual name."""
    example = "/api/speech?any=value&amp;format=json"
    return HTMLResponse(f"<h1>API</h1><p>Answers in JSON.</p><code>GET {example}</code>")


def speeches(request: Request) -> Response:
    """Other parameters are refused, and one of these is required."""
    sent = dict(request.query_params)
    if set(sent) - {"any", "format", "startRecord"} or not sent.get("any"):
        return JSONResponse({"message": "invalid"}, 400)
    start = number(request, "startRecord")
    found = part(words(sent["any"]), start - 1, 20)
    rows = [{"speechID": d.key, "speech": f"{d.title} {d.text}"} for d in found.rows]
    said = {"numberOfRecords": found.total, "speechRecord": rows}
    return JSONResponse(said | ({"nextRecordPosition": start + 20} if found.more else {}))


def labels(request: Request) -> Response:
    """Unknown parameters are refused, 80 hits can be reached, and hits contain a path segment."""
    sent = dict(request.query_params)
    rows = words(sent["search"]) if sent.get("search") else TEXTS
    limit, skip = number(request, "limit", 1), number(request, "skip", 0)
    if set(sent) - {"search", "limit", "skip"} or limit > 40 or skip > 40:
        return JSONResponse({"error": {"code": "BAD_REQUEST"}}, 400)
    if not rows:
        return JSONResponse({"error": {"code": "NOT_FOUND"}}, 404)
    own = [
        {"id": d.key, "kind": ["a human drug"], "name": [d.title], "about": [d.text]}
        for d in rows[skip : skip + limit]
    ]
    page = {"skip": skip, "limit": limit, "total": len(rows)}
    return JSONResponse({"meta": {"results": page}, "results": own})


def notices(request: Request) -> Response:
    """The parameter for words has brackets in its name, and hits show little of the texts."""
    rows = words(request.query_params.get("conditions[about]", ""))
    at = number(request, "page")
    own = [
        {"number": f"n-{d.key}", "heading": d.title, "html_url": f"{request.base_url}doc/{d.key}"}
        for d in part(rows, 10 * (at - 1)).rows
    ]
    return JSONResponse({"count": len(rows), "page": at, "results": own})


def questions(request: Request) -> Response:
    """The parameter for words is empty in the URL; a list has a maximum number of rows."""
    asked = request.query_params.get("about", "")
    rows, at = words(asked) if asked else TEXTS, number(request, "p")
    host = request.base_url.netloc
    own = [
        {"dok_id": f"HD{d.key}", "titel": d.title, "datum": "", "text": f"//{host}/doc/{d.key}"}
        for d in part(rows[:60], 10 * (at - 1)).rows
    ]
    return JSONResponse({"list": {"@hits": str(len(rows)), "@page": str(at), "question": own}})


def code_of(d: Document) -> str:
    """Return a code in the style of an office's document numbers."""
    return "-".join(f"{part:04}" for part in (len(d.text), int(d.key), sum(map(ord, d.text))))


def with_its_file(request: Request) -> Response:
    """A link that only says "More", and one with the name of a file that is gone."""
    return ten_a_page(
        request,
        lambda d, _: (
            f"<h3>{html.escape(d.title)}</h3><a href='/doc/{d.key}' title='N {d.key}'>More...</a>"
            f" <span><a href='/pdfs/{d.key}.pdf'>PDF ({code_of(d)} - 9 pages)</a></span>"
        ),
    )


FRONT = Route("/", lambda request: page(""))
DOC = Route("/doc/{key}", document)
SITES: dict[Answer, tuple[list[Route], str]] = {
    for_no_words: ([Route("/", posted_box), Route("/s", for_no_words), DOC], "/"),
    with_a_mark: ([Route("/api", with_a_mark)], "/api?q=value"),
    by_rank: ([FRONT, Route("/s", by_rank)], "/"),
    with_its_page: ([FRONT, Route("/s", with_its_page), Route("/show", whole)], "/"),
    inverted: ([Route("/api", inverted)], "/api?q=value"),
    of_two_kinds: (
        [FRONT, Route("/s", of_two_kinds), *(Route(f"/{k}/doc/{{key}}", document) for k in KINDS)],
        "/",
    ),
    in_parts: ([FRONT, Route("/s", in_parts), Route("/part/{key}", fragment), DOC], "/"),
    with_a_number_each: ([FRONT, Route("/s", with_a_number_each), DOC], "/"),
    by_script_alone: (
        [Route("/", by_script_alone), Route("/s", by_script_alone), DOC],
        "/",
    ),
    of_the_search: (
        [
            FRONT,
            Route("/s", of_the_search),
            Route("/s({words})/{total:int},{rank:int}/record", at_its_place),
        ],
        "/",
    ),
    collected: ([FRONT, Route("/s", collected), DOC], "/"),
    speeches: ([Route("/", documented), Route("/api/speech", speeches)], "/"),
    labels: ([Route("/drug/label.json", labels)], "/drug/label.json?limit=5"),
    notices: ([Route("/api", notices), DOC], "/api?conditions[about]=value"),
    questions: ([Route("/api", questions), DOC], "/api?about=&kind=fr"),
    with_its_file: ([FRONT, Route("/s", with_its_file), DOC], "/"),
}


def come_once(documents: list[Document]) -> None:
    """Check that nearly all are held, none twice, and each with its full text."""
    assert 0.95 * SIZE <= len(documents) <= SIZE
    held = [" ".join(each.text.split()) for each in documents]
    own = [" ".join(each.text.split()) for each in TEXTS]
    assert sum(any(text in each for each in held) for text in own) >= 0.95 * SIZE


@pytest.mark.slow
@pytest.mark.parametrize("answer", SITES, ids=lambda answer: answer.__name__)
def test_documents_come_once_with_their_texts(answer: Answer, tmp_path: Path) -> None:
    """Nearly all are held, none twice, and each with its full text."""
    routes, start = SITES[answer]
    _, documents = harvested(routes, start, tmp_path)
    come_once(documents)


def by_number(request: Request) -> Response:
    """A list of topics, twenty per page, whose search is closed."""
    at = number(request, "page")
    rows = "".join(
        f'<div class=topic><div><a class=name href="/doc/{d.key}">{html.escape(d.title)}</a></div>'
        f'<div><a href="/part/{int(d.key) % 3}">Part</a></div></div>'
        for d in TEXTS[20 * at - 20 : 20 * at]
    )
    places = range(1, SIZE // 20 + 1)
    pager = "".join(f'<li><a href="?page={n}">{n}</a></li>' for n in places if n != at)
    return HTMLResponse(f"<h1>Topics</h1><div class=topics>{rows}</div><ul>{pager}</ul>")


@pytest.mark.slow
def test_a_place_in_the_address_is_counted_on(tmp_path: Path) -> None:
    """If only a script leads on, further pages are requested by number."""
    routes, start = SITES[by_script_alone]
    harvested(routes, start, tmp_path)
    assert "page={page}" in (tmp_path / "harvest" / "source.toml").read_text()


@pytest.mark.slow
def test_a_list_by_number_is_read_with_its_texts(tmp_path: Path) -> None:
    """Pages without a search are requested by number, and the listed documents are read."""
    _, documents = harvested([Route("/", by_number), DOC], "/", tmp_path)
    assert len(documents) == SIZE
    assert sum(bool(each.text) for each in documents) == SIZE


@pytest.mark.parametrize(
    ("labels", "field"),
    [(("Title", "Text"), "b"), (("Título", "Contenido"), "b"), (("Keywords", "Author"), "a")],
)
def test_of_several_boxes_that_for_the_text_is_taken(labels: tuple[str, str], field: str) -> None:
    """The box for texts is used, because a search of titles would find less."""
    boxes = "".join(
        f"<label for={name}>{label}</label><input id={name} name={name}>"
        for name, label in zip("ab", labels, strict=True)
    )
    body = f"<form action=/s>{boxes}<button>Search</button></form>".encode()
    kind = "text/html; charset=utf-8"
    came = Came(url="https://x.example/", status=200, content_type=kind, body=body)
    best, *_ = forms(show("", Asked(came.url), came))
    assert best.field == field
