"""Indexes and catalogues that page by cursor, on servers that follow their documentation."""

import json
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from tests.discovery.engines import Engine, Rules, Text, corpus
from tests.discovery.grade import finder_of
from tests.harvests import Harvest

from longline.discovery.paging.json_ways import token_ways
from longline.harvester.settings import Limits, Settings
from longline.model import Query
from longline.model import Response as Came
from longline.source import Source, read_spec
from longline.source.spec import Ask

DOCUMENTS = 700


class Index:
    """An index over a small corpus: `*:*` lists all, other queries use an engine."""

    def __init__(self, *, sorts: bool = True, most: int = 100, window: int = 300) -> None:
        self.texts = corpus("docs")[:DOCUMENTS]
        self.engine = Engine(self.texts, Rules(nots=("NOT",)))
        self.sorts, self.most, self.window = sorts, most, window
        self.asked: list[str] = []

    def found(self, typed: str) -> list[Text]:
        self.asked.append(typed)
        found = list(self.texts) if typed == "*:*" else self.engine.search(typed)
        return sorted(found, key=lambda text: text.key)


class Elastic(Index):
    """Elasticsearch's search: sorted by `_id` if allowed, otherwise by a result window."""

    @property
    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/", self.home),
                Route("/_cat/indices", self.indices),
                Route("/texts/_search", self.search, methods=["POST"]),
            ]
        )

    async def home(self, request: Request) -> Response:
        return JSONResponse({"version": {"number": "9.1.0"}, "tagline": "You Know, for Search"})

    async def indices(self, request: Request) -> Response:
        return JSONResponse([{"index": ".security"}, {"index": "texts"}])

    async def search(self, request: Request) -> Response:
        body = await request.json()
        size, start = min(body["size"], self.most), body.get("from", 0)
        if body.get("sort") and not self.sorts:
            return JSONResponse({"error": "Fielddata access on the _id field is disallowed"}, 400)
        if start + size > self.window:
            return JSONResponse({"error": "Result window is too large"}, 400)
        found = self.found(body["query"]["query_string"]["query"])
        rows = [row for row in found if row.key > body.get("search_after", [""])[0]]
        hits = [
            {
                "_id": row.key,
                "_source": {"title": row.title, "body": row.body},
                **({"sort": [row.key]} if body.get("sort") else {}),
            }
            for row in rows[start : start + size]
        ]
        total = {"value": len(found), "relation": "eq"}
        return JSONResponse({"hits": {"total": total, "hits": hits}})


class Solr(Index):
    """Solr's select: by cursorMark if sorted by the key, otherwise by offset."""

    @property
    def app(self) -> Starlette:
        return Starlette(routes=[Route("/solr/texts/select", self.search)])

    async def search(self, request: Request) -> Response:
        given = request.query_params
        mark, start = given.get("cursorMark"), int(given.get("start", "0"))
        if mark is not None and (not self.sorts or given.get("sort") != "id asc" or start):
            return JSONResponse({"error": {"msg": "Cursor functionality requires a sort"}}, 400)
        found = self.found(given["q"])
        after = mark.removeprefix("after ") if mark and mark != "*" else ""
        rows = [row for row in found if row.key > after]
        rows = rows[start : start + min(int(given.get("rows", "10")), self.most)]
        docs = [{"id": row.key, "title": [row.title], "body": row.body} for row in rows]
        header = {"status": 0, "params": {"q": given["q"]}}
        response = {"numFound": len(found), "start": start, "docs": docs}
        answer = {"responseHeader": header, "response": response}
        if mark is not None:
            answer["nextCursorMark"] = f"after {rows[-1].key}" if rows else mark  # type: ignore[assignment]
        return JSONResponse(answer)


MAKES = [(Elastic, "/", "search_after"), (Solr, "/solr/texts/select?q=*:*", "cursorMark")]


@pytest.mark.slow
@pytest.mark.parametrize(("make", "path", "name"), MAKES)
@pytest.mark.parametrize("sorts", [True, False])
def test_index_is_harvested_by_cursor_where_it_allows_one(
    make: type[Elastic] | type[Solr], path: str, name: str, sorts: bool, tmp_path: Path
) -> None:
    """All documents are fetched by cursor, once each; without a cursor, by offset."""
    index = make(sorts=sorts)
    with finder_of(index.app, path) as finder:
        spec = finder.spec
        assert spec is not None
        assert spec.ask.has_cursor == sorts
        assert (name in spec.ask.url + spec.ask.next_body) == sorts
        certificate = Harvest(
            tmp_path, spec, Settings(), Limits(allow_private=True, rate=1000)
        ).run()
    # A single Elasticsearch query cannot reach hits beyond its window.
    assert certificate.documents >= (DOCUMENTS if sorts else 0.97 * DOCUMENTS)
    if sorts:
        assert certificate.overlapping_rate < 1.2
        assert index.asked.count("*:*") >= DOCUMENTS / index.most


@pytest.mark.parametrize("page", ["first", "later"])
def test_a_cursor_is_json_where_it_stands_outside_of_a_string(page: str) -> None:
    """A cursor is JSON in a body; inside a string it is escaped, like words."""
    body = '{"q": "{query}", "text": "\\"{query}\\"", "n": {size}}'
    later = body[:-1] + ', "after": {next}, "mark": "{next}"}'
    spec = read_spec(
        f"""
        [source]
        name = "i"
        url = "https://i.example/"
        kind = "json"
        [ask]
        url = "https://i.example/s"
        method = "POST"
        body = '{body}'
        next_body = '{later}'
        page_size = 1
        [ask.dialect]
        quote_all = true
        [results]
        hit = "jmes:hits[*]"
        key = "jmes:id"
        next = "jmes:to_string(hits[-1].sort)"
        """.replace("\n        ", "\n")
    )
    source, query = Source(spec), Query(("deep",))
    request = source.search_request(query)
    sent = {"q": '"deep"', "text": '""deep""', "n": 1}
    if page == "later":
        answer = json.dumps({"hits": [{"id": 1, "sort": ['a"b', 2]}]}).encode()
        came = Came(url=request.url, status=200, content_type="application/json", body=answer)
        following = source.page(query, 1, request, came).next
        assert following is not None
        request = following
        sent |= {"after": ['a"b', 2], "mark": '["a\\"b",2]'}
    assert json.loads(request.body) == sent


def test_a_token_is_sent_before_the_number_of_a_page_beside_it() -> None:
    """Only so many ways are tried."""
    found = {"pages.next.page": 2, "pages.next.starting_after": "WzE2XQ"}
    ways = list(token_ways(Ask(url="https://x.example/s?q={query}&per_page=20"), found))
    assert ways[0].next == "jmes:pages.next.starting_after"
    assert ways[0].ask.url.endswith("&starting_after={next}")
