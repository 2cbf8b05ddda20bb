"""Answers in the formats of common search servers: each is learnt to its last page."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from tests.discovery.engines import Engine, Text, corpus
from tests.discovery.grade import discover, pages_by

from longline.simulate import running_site

Given = dict[str, str]


@cache
def engine() -> Engine:
    return Engine(corpus("docs"))


def number(given: Given, name: str, default: int) -> int:
    value = given.get(name, "")
    return int(value) if value.isdigit() else default


def part(given: Given, query: str, start: int, size: int) -> tuple[list[Text], int, int | None]:
    """Return some rows, the total, and the offset of the next ones (None at the end)."""
    found = engine().search(given.get(query, ""))
    following = start + size if start + size < len(found) else None
    return found[start : start + size], len(found), following


def solr(given: Given, request: Request) -> Any:
    start, size = number(given, "start", 0), min(number(given, "rows", 10), 200)
    rows, total, _ = part(given, "q", start, size)
    docs = [{"id": t.key, "title_t": [t.title], "content_txt": [t.body]} for t in rows]
    header = {"status": 0, "QTime": 7, "params": given}
    return {
        "responseHeader": header,
        "response": {"numFound": total, "start": start, "docs": docs},
    }


def algolia(given: Given, request: Request) -> Any:
    page, size = number(given, "page", 0), min(number(given, "hitsPerPage", 20), 100)
    rows, total, _ = part(given, "query", page * size, size)
    hits = [
        {
            "objectID": t.key,
            "name": t.title,
            "description": t.body,
            "_highlightResult": {"name": {"value": t.title}},
        }
        for t in rows
    ]
    about = {
        "page": page,
        "nbPages": -(-total // size),
        "hitsPerPage": size,
        "query": given["query"],
    }
    return {"hits": hits, "nbHits": total, **about}


def mediawiki(given: Given, request: Request) -> Any:
    start, size = number(given, "sroffset", 0), min(number(given, "srlimit", 10), 500)
    rows, total, following = part(given, "srsearch", start, size)
    found = [
        {
            "ns": 0,
            "title": f"{t.title} {t.key}",
            "pageid": int(t.key, 16),
            "snippet": f"<b>{t.body.split()[0]}</b> {' '.join(t.body.split()[1:20])}",
        }
        for t in rows
    ]
    answer: dict[str, Any] = {"query": {"searchinfo": {"totalhits": total}, "search": found}}
    if following:
        answer["continue"] = {"sroffset": following, "continue": "-||"}
    return answer


def crossref(given: Given, request: Request) -> Any:
    start, size = number(given, "offset", 0), min(number(given, "rows", 20), 1000)
    rows, total, _ = part(given, "query", start, size)
    items = [
        {
            "DOI": f"10.1/{t.key}",
            "title": [t.title],
            "abstract": t.body,
            "score": 1.5,
            "URL": f"https://doi.example/10.1/{t.key}",
        }
        for t in rows
    ]
    message = {"total-results": total, "items-per-page": size, "query": {"start-index": start}}
    return {"status": "ok", "message": {**message, "items": items}}


def jsonapi(given: Given, request: Request) -> Any:
    page, size = number(given, "page[number]", 1), min(number(given, "page[size]", 15), 60)
    rows, total, following = part(given, "filter[text]", (page - 1) * size, size)
    data = [
        {
            "type": "docs",
            "id": t.key,
            "attributes": {"title": t.title, "summary": t.body},
            "links": {"self": f"/docs/{t.key}"},
        }
        for t in rows
    ]
    link = str(request.url.include_query_params(**{"page[number]": page + 1}))
    return {"data": data, "meta": {"total": total}, "links": {"next": link if following else None}}


def token(given: Given, request: Request) -> Any:
    start, size = int(given.get("pageToken", "")[2:] or 0), min(number(given, "maxResults", 25), 50)
    rows, total, following = part(given, "q", start, size)
    items = [
        {
            "etag": f"x{t.key}",
            "id": {"kind": "doc", "docId": t.key},
            "snippet": {"title": t.title, "description": t.body},
        }
        for t in rows
    ]
    answer = {"pageInfo": {"totalResults": total, "resultsPerPage": size}, "items": items}
    return {**answer, "nextPageToken": f"AA{following}"} if following else answer


SHAPES: dict[Callable[[Given, Request], Any], str] = {
    solr: "q",
    algolia: "query",
    mediawiki: "srsearch",
    crossref: "query",
    jsonapi: "filter[text]",
    token: "q",
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_answers_are_learnt_to_their_last_page(shape: Callable[[Given, Request], Any]) -> None:
    """Every document with a word is returned, once, from the URL of another word."""

    async def search(request: Request) -> JSONResponse:
        return JSONResponse(shape(dict(request.query_params), request))

    with running_site(Starlette(routes=[Route("/search", search)])) as url:
        learnt = discover(f"{url}/search?{SHAPES[shape]}=file")
        assert learnt.spec is not None, learnt.problem
        for word in ("class", "path"):
            [pages] = pages_by(learnt, [(word,)], 60)
            keys = [hit.key for page in pages for hit in page.hits]
            total = len(engine().search(word))
            assert len(keys) == len(set(keys)) == total
            assert pages[0].total is not None
            assert pages[0].total.documents == total
            assert all(hit.title for page in pages for hit in page.hits)
    assert not learnt.review
    assert learnt.requests <= 40
