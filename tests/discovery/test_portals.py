"""Portals: a filter that the page sets, documents named by several values, unusual names."""

import gzip
import html
import json
import re
from pathlib import Path

import numpy as np
import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import harvested
from tests.discovery.test_odd_answers import TEXTS, come_once
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, number, words
from tests.webs import needs_browser

from longline.discovery.answer import show
from longline.discovery.asking.completion import seems_to_complete
from longline.discovery.session import DiscoverySession
from longline.model import Document
from longline.model import Request as Asked
from longline.model import Response as Came

SCRIPT = """
const at = location.pathname.split("/").filter(x => x);
const box = document.querySelector("#words"), found = document.querySelector("#found");
async function list() {
  const sent = new URLSearchParams(location.search);
  const asked = new URLSearchParams({q: sent.get("q") || "", pagina: 1, tam_pagina: 10,
    status: "open"});
  const answer = await (await fetch("/api/search?" + asked)).json();
  found.innerHTML = answer.items.map(d =>
    `<li><a href="/notices/${d.office}/${d.year}/${d.number}">${d.title}</a></li>`).join("");
}
async function one() {
  const d = await (await fetch(`/api/offices/${at[1]}/notices/${at[2]}/${at[3]}`)).json();
  found.innerHTML = `<h2>${d.title}</h2><p>${d.text}</p>`;
}
box.addEventListener("keydown", event => {
  if (event.key == "Enter") location.href = "/list?q=" + encodeURIComponent(box.value);
});
if (at[0] == "notices") one(); else list();
"""


def shell(request: Request) -> Response:
    """Every address shows the same page, which a script fills."""
    return HTMLResponse(
        "<!doctype html><html lang=en><title>Notices</title><input id=words type=search>"
        f"<ul id=found></ul><script>{SCRIPT}</script>"
    )


def named(d: Document) -> dict[str, object]:
    """Three values name a notice together: none of them is its own."""
    n = int(d.key) - 1000
    office, year = 700 + n % 4, 2019 + n // 4 % 4
    return {"office": str(office), "year": year, "number": n // 16, "title": d.title}


def searched(request: Request) -> Response:
    """A tenth of the notices is open, and comes last; the rest is found without that filter."""
    sent = request.query_params
    rows = words(sent["q"]) if sent.get("q") else []
    rows.sort(key=lambda d: int(d.key) % 10 == 0)
    if sent.get("status") == "open":
        rows = [d for d in rows if int(d.key) % 10 == 0]
    size = min(number(request, "tam_pagina", 10), 20)
    begin = size * (number(request, "pagina") - 1)
    return JSONResponse({"items": [*map(named, rows[begin : begin + size])], "total": len(rows)})


def notice(request: Request) -> Response:
    """A notice, by all that names it."""
    asked = {name: str(value) for name, value in request.path_params.items()}
    for d in TEXTS:
        own = named(d)
        if all(str(own[name]) == asked[name] for name in asked):
            return JSONResponse({**own, "text": d.text})
    return JSONResponse({"error": "unknown"}, 404)


@pytest.mark.slow
@needs_browser
def test_what_a_script_filters_out_is_held(tmp_path: Path) -> None:
    """All notices are held with their texts, not only the open ones that the page shows."""
    routes = [
        Route("/", shell),
        Route("/list", shell),
        Route("/notices/{office}/{year}/{number}", shell),
        Route("/api/search", searched),
        Route("/api/offices/{office}/notices/{year}/{number}", notice),
    ]
    _, documents = harvested(routes, "/", tmp_path)
    come_once(documents)


def rows_of_a_portal(request: Request) -> Response:
    """A list without a total or a link; rows begin with a reference, and titles come twice."""
    limit, offset = number(request, "$limit", 50), number(request, "$offset", 0)
    rows = [
        {"request_no": f"2008-{n:05}", "subject": f"Subject {n // 2}", "about": d.text}
        for n, d in enumerate(TEXTS)
    ]
    return JSONResponse(rows[offset : offset + limit])


@pytest.mark.slow
def test_a_list_goes_on_by_a_name_like_that_of_its_size(tmp_path: Path) -> None:
    """Beside $limit it is $offset that counts rows, and the reference tells them apart."""
    routes = [Route("/resource/rows.json", rows_of_a_portal)]
    _, documents = harvested(routes, "/resource/rows.json?$limit=10", tmp_path)
    come_once(documents)
    assert len(documents) == SIZE


INDEXED = {"version": "1", "languages": {"en": {"hash": "en_1", "wasm": "en", "page_count": SIZE}}}


def blog(request: Request) -> Response:
    """The front page names what made the site, and links to its search; it has no box."""
    return HTMLResponse(
        "<html lang=en><meta name=generator content='Eleventy v2'><title>Blog</title>"
        "<a href=/>Home</a><a href=/look/>Search</a><a href=/newest/>Newest</a><p>Welcome.</p>"
    )


def newest(request: Request) -> Response:
    """A page that names half of the posts."""
    named = "".join(
        f'<li><a href="/p/{d.key}/">{html.escape(d.title)}</a></li>' for d in TEXTS[: SIZE // 2]
    )
    return HTMLResponse(f"<html lang=en><h1>Newest posts</h1><ol>{named}</ol>")


def with_the_box(request: Request) -> Response:
    """The page of the search loads Pagefind."""
    return HTMLResponse(
        "<html lang=en><script src=/pagefind/pagefind-ui.js></script><div id=search></div>"
        '<link href="/pagefind/pagefind-ui.css" rel=stylesheet>'
    )


def entry(request: Request) -> Response:
    """Name the index of the language."""
    return JSONResponse(INDEXED)


def meta(request: Request) -> Response:
    """Name the pieces of the index: one for each page, in CBOR."""
    cbor2 = pytest.importorskip("cbor2")
    pages = [[f"en_{d.key}", len(d.text)] for d in TEXTS]
    body = b"pagefind_dcd" + cbor2.dumps(["1", pages, [], [], [], []])
    return Response(gzip.compress(body), media_type="application/octet-stream")


def piece(request: Request) -> Response:
    """The text of a page."""
    d = DOCUMENTS[request.path_params["name"].partition(".")[0].removeprefix("en_")]
    said = {"url": f"/p/{d.key}/", "content": d.text, "meta": {"title": d.title}, "word_count": 9}
    body = b"pagefind_dcd" + json.dumps(said).encode()
    return Response(gzip.compress(body), media_type="application/octet-stream")


def read(request: Request) -> Response:
    """A page of the blog."""
    d = DOCUMENTS[request.path_params["key"]]
    return HTMLResponse(f"<h1>{html.escape(d.title)}</h1><main>{html.escape(d.text)}</main>")


@pytest.mark.slow
def test_an_index_is_looked_for_where_the_site_searches(tmp_path: Path) -> None:
    """What usually stands there for its generator is missing: the page of the search has it."""
    routes = [
        Route("/", blog),
        Route("/look/", with_the_box),
        Route("/newest/", newest),
        Route("/p/{key}/", read),
        Route("/pagefind/pagefind-entry.json", entry),
        Route("/pagefind/pagefind.en_1.pf_meta", meta),
        Route("/pagefind/fragment/{name}", piece),
    ]
    certificate, documents = harvested(routes, "/", tmp_path)
    come_once(documents)
    assert certificate.outcome == "complete"


@pytest.mark.parametrize(("letters", "is_name"), [(20, True), (1000, False)])
def test_texts_are_no_names_to_complete(letters: int, is_name: bool) -> None:
    """Every long text has a word that begins with any letter."""
    rows = [{"id": n, "text": f"Of the sea {n} " + "x" * letters} for n in range(5)]
    body = json.dumps({"rows": rows}).encode()
    came = Came(url="https://x.example/api", status=200, content_type="application/json", body=body)
    session = DiscoverySession("https://x.example/api", np.random.default_rng(0))
    session.probes = [show("sea", Asked(came.url), came, 1, "json")]
    assert seems_to_complete(session) == is_name


@pytest.mark.slow
def test_a_search_for_words_in_short_texts_completes_nothing(tmp_path: Path) -> None:
    """Letters and short words, as "a" and "s", stand in many sentences."""
    begins = ("Are a s", "Are a", "Are s")
    told = [re.findall(r"[a-z]+", document.text.lower())[:12] for document in TEXTS]
    sentences = [f"{begins[n % 3]} {' '.join(words)}" for n, words in enumerate(told)]
    asked = [set(sentence.lower().split()) for sentence in sentences]

    def search(request: Request) -> Response:
        typed = set(re.findall(r"\w+", request.query_params.get("q", "").lower()))
        found = [place for place, words in enumerate(asked) if typed and typed <= words]
        begin = int(request.query_params.get("from", "0"))
        rows = [{"id": n, "text": sentences[n]} for n in found[begin : begin + 20]]
        return JSONResponse({"count": len(found), "rows": rows})

    certificate, documents = harvested([Route("/api", search)], "/api?q=ship", tmp_path)
    assert certificate.outcome == "complete"
    assert len(documents) == len(TEXTS)


@pytest.mark.slow
def test_totals_that_are_estimated_anew_do_not_hide_how_pages_go_on(tmp_path: Path) -> None:
    """Each answer has another total; the words in the rows show that page 2 is of the same search.

    An answer on one long page has no limit because its second page is empty.
    """
    sent: list[str] = []

    def search(request: Request) -> Response:
        typed = request.query_params.get("q", "")
        sent.append(typed)
        found = words(typed)
        begin, size = number(request, "from", 0), min(number(request, "size", 20), 100)
        total = round(len(found) * (0.94 if len(sent) % 2 else 1.06))
        rows = [{"id": d.key, "title": d.title, "text": d.text} for d in found]
        rows = rows[begin : begin + size]
        return JSONResponse({"total": total, "from": begin, "size": size, "rows": rows})

    certificate, documents = harvested([Route("/api", search)], "/api?q=file", tmp_path)
    come_once(documents)
    assert len(documents) >= 0.95 * SIZE
    assert certificate.outcome == "complete"
    assert certificate.limit is None


@pytest.mark.slow
def test_a_search_that_gives_numbers_alone(tmp_path: Path) -> None:
    """The documentation gives the address of a search and that of one object as examples."""
    docs = (
        "<html lang=en><h1>Collection API</h1><p>Search: <a href='/v1/search?q=file'>example</a>"
        "<p>Object: <code>/v1/objects/1001</code>"
    )

    def search(request: Request) -> Response:
        found = [int(d.key) for d in words(request.query_params.get("q", ""))]
        return JSONResponse({"total": len(found), "objectIDs": found or None})

    def told(request: Request) -> Response:
        d = DOCUMENTS[request.path_params["key"]]
        return JSONResponse({"objectID": int(d.key), "title": d.title, "label": d.text})

    routes = [
        Route("/", lambda _: HTMLResponse(docs)),
        Route("/v1/search", search),
        Route("/v1/objects/{key}", told),
    ]
    certificate, documents = harvested(routes, "/", tmp_path)
    come_once(documents)
    assert len(documents) >= 0.95 * SIZE
    assert certificate.outcome == "complete"


@pytest.mark.slow
def test_records_of_several_kinds_have_their_texts_under_other_names(tmp_path: Path) -> None:
    """Items have two texts, articles one of another name, species a third one."""
    kinds = ("items", "articles", "species")

    def place(d: Document) -> str:
        return f"{kinds[int(d.key) % 3]}/{d.key}"

    def search(request: Request) -> Response:
        found, at = words(request.query_params.get("q", "")), number(request, "page")
        rows = [{"id": place(d), "url": f"/api/{place(d)}", "label": d.title} for d in found]
        return JSONResponse({"total": len(found), "rows": rows[20 * at - 20 : 20 * at]})

    def told(request: Request) -> Response:
        d = DOCUMENTS[request.path_params["key"]]
        half = len(d.text) // 2
        texts = {
            "items": {"summary": d.text[:half], "history": d.text[half:]},
            "articles": {"content": d.text},
            "species": {"biology": d.text},
        }
        own = texts[request.path_params["kind"]]
        return JSONResponse({"id": place(d), "label": d.title, **own})

    routes = [Route("/api/search", search), Route("/api/{kind}/{key}", told)]
    certificate, documents = harvested(routes, "/api/search?q=file", tmp_path)
    assert len(documents) >= 0.95 * SIZE
    assert certificate.outcome == "complete"
    said = {each.key.rpartition("/")[2]: set(each.text.split()) for each in documents}
    shares = [
        len(own & set(DOCUMENTS[key].text.split())) / len(set(DOCUMENTS[key].text.split()))
        for key, own in said.items()
    ]
    assert sum(shares) >= 0.9 * len(shares)


@pytest.mark.slow
def test_records_beside_a_file_of_json_are_files_of_json(tmp_path: Path) -> None:
    """A row of `/records.json` has the beginning of a text; `/records/1001.json` has all of it."""

    def search(request: Request) -> Response:
        found, begin = words(request.query_params.get("text", "")), number(request, "page") - 1
        rows = [
            {"id": d.key, "title": d.title, "description": d.text[:120]}
            for d in found[begin * 10 : begin * 10 + 10]
        ]
        return JSONResponse({"count": len(found), "page": begin + 1, "results": rows})

    def told(request: Request) -> Response:
        d = DOCUMENTS[request.path_params["key"]]
        return JSONResponse({"record": {"id": d.key, "title": d.title, "fulltext": d.text}})

    routes = [Route("/v3/records.json", search), Route("/v3/records/{key}.json", told)]
    certificate, documents = harvested(routes, "/v3/records.json?text=file&page=1", tmp_path)
    assert len(documents) >= 0.95 * SIZE
    assert all(each.text.split()[-1] == DOCUMENTS[each.key].text.split()[-1] for each in documents)
    assert certificate.cut_texts == 0
