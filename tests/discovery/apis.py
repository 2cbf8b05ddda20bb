"""JSON interfaces of different makes, each with the truth about itself."""

import base64
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from tests.discovery.engines import Engine, Rules, Text, corpus


@dataclass(frozen=True)
class Make:
    """A make of interface.

    Attributes:
        shape: The form of answers and items; a name in `SHAPES`.
        paging: "page", "page0", "offset", "cursor", "address", "header" or "none".
        position: The parameter with the page's number, offset or cursor.
        size_name: The parameter that sets the hits per page; "" if there is none.
        whole: The listing contains the documents' full texts.
        is_strict: A request without words is refused.
    """

    name: str
    shape: str = "plain"
    path: str = "/api/search"
    query: str = "q"
    paging: str = "page"
    position: str = "page"
    page_size: int = 10
    size_name: str = ""
    clamp: int = 100
    limit: int | None = None
    method: str = "GET"
    nested: str = ""
    whole: bool = True
    total: bool = True
    is_strict: bool = True
    corpus: str = "docs"
    documents: int = 900
    rules: Rules = field(default_factory=Rules)


class Api:
    """One interface, and the truth about it."""

    def __init__(self, make: Make) -> None:
        self.make = make
        self.texts = corpus(make.corpus)[: make.documents]
        self.engine = Engine(self.texts, make.rules)
        self.log: list[str] = []
        self.routes = [
            Route(make.path, self.search, methods=[make.method]),
            Route("/api/documents/{key}", self.document),
        ]
        self.app = Starlette(routes=[*self.routes, Route("/robots.txt", _nothing)])

    def found(self, typed: str) -> list[Text]:
        found = self.engine.search(typed)
        return found[: self.make.limit] if self.make.limit else found

    async def search(self, request: Request) -> Response:
        given = await self._given(request)
        make = self.make
        typed = str(given.get(make.query) or "")
        if not typed.strip() and make.is_strict:
            return JSONResponse({"error": f"{make.query} is missing"}, 400)
        self.log.append(typed)
        size = make.page_size
        if make.size_name and str(given.get(make.size_name) or "").isdigit():
            size = max(1, min(int(given[make.size_name]), make.clamp))
        found = self.found(typed)
        start = self._start(given, size)
        rows = found[start : start + size]
        more = start + size if start + size < len(found) else None
        answer = SHAPES[make.shape](self, typed, rows, len(self.engine.search(typed)), start, size)
        headers: dict[str, str] = {}
        if make.paging == "cursor":
            answer["nextCursor"] = None if more is None else _token(more)
        elif make.paging in ("address", "header") and more is not None:
            following = str(request.url.include_query_params(**{make.position: more}))
            if make.paging == "address":
                answer["next"] = following
            else:
                headers["Link"] = f'<{following}>; rel="next"'
        if make.shape == "list" and make.total:
            headers["X-Total-Count"] = str(len(self.engine.search(typed)))
        return JSONResponse(answer, headers=headers)

    async def _given(self, request: Request) -> dict[str, Any]:
        if self.make.method == "GET":
            return dict(request.query_params)
        given = await request.json()
        return dict(given[self.make.nested] if self.make.nested else given)

    def _start(self, given: dict[str, Any], size: int) -> int:
        make = self.make
        said = given.get(make.position)
        if make.paging == "cursor":
            return int(base64.b64decode(str(said)).decode()[1:]) if said else 0
        number = int(said) if str(said or "").isdigit() else None
        if make.paging == "page":
            return max(0, (number or 1) - 1) * size
        if make.paging == "page0":
            return (number or 0) * size
        return 0 if make.paging == "none" else number or 0

    async def document(self, request: Request) -> Response:
        key = request.path_params["key"]
        text = next((text for text in self.texts if text.key == key), None)
        if text is None:
            return JSONResponse({"error": "no such document"}, 404)
        return JSONResponse(
            {"id": text.key, "title": text.title, "author": text.author, "body": text.body}
        )


async def _nothing(request: Request) -> Response:
    return PlainTextResponse("", 404)


def _token(start: int) -> str:
    return base64.b64encode(f"c{start}".encode()).decode()


def _item(api: Api, text: Text) -> dict[str, Any]:
    body = text.body if api.make.whole else text.body[:120] + " ..."
    return {
        "id": text.key,
        "title": text.title,
        "authors": [text.author],
        "abstract" if api.make.whole else "excerpt": body,
        "year": int(text.date[:4]) if text.date[:4].isdigit() else None,
        "score": round(1 / (len(text.body) + 1), 6),
    }


def _plain(api: Api, typed: str, rows: list[Text], total: int, start: int, size: int) -> Any:
    answer = {"count": total, "results": [_item(api, text) for text in rows]}
    return answer if api.make.total else {"results": answer["results"]}


def _elastic(api: Api, typed: str, rows: list[Text], total: int, start: int, size: int) -> Any:
    hits = [
        {
            "_index": "texts",
            "_id": text.key,
            "_score": round(3 - place / 100, 3),
            "_source": {k: v for k, v in _item(api, text).items() if k not in ("id", "score")},
        }
        for place, text in enumerate(rows)
    ]
    return {
        "took": 3 + len(typed),
        "timed_out": False,
        "_shards": {"total": 5, "successful": 5},
        "hits": {"total": {"value": total, "relation": "eq"}, "max_score": 3.0, "hits": hits},
        "aggregations": {
            "author": {"buckets": [{"key": f"author{n}", "doc_count": n} for n in range(5)]}
        },
    }


def _enveloped(api: Api, typed: str, rows: list[Text], total: int, start: int, size: int) -> Any:
    return {
        "status": "ok",
        "data": {
            "query": typed,
            "pagination": {"total": total, "offset": start, "limit": size},
            "facets": [{"name": "year", "values": [{"value": n, "n": n} for n in range(9)]}],
            "items": [
                {
                    "rank": start + place + 1,
                    "uuid": f"u-{text.key}",
                    "attributes": {"label": text.title, "text": text.body, "by": text.author},
                    "links": {"self": f"/api/documents/{text.key}"},
                }
                for place, text in enumerate(rows)
            ],
        },
    }


def _list(api: Api, typed: str, rows: list[Text], total: int, start: int, size: int) -> Any:
    return [_item(api, text) for text in rows]


SHAPES: dict[str, Callable[..., Any]] = {
    "plain": _plain,
    "elastic": _elastic,
    "enveloped": _enveloped,
    "list": _list,
}

MAKES = (
    Make("plain"),
    Make("elastic", shape="elastic", paging="offset", position="from", size_name="size"),
    Make("enveloped", shape="enveloped", paging="offset", position="offset", size_name="limit"),
    Make("cursor", paging="cursor", position="cursor", size_name="limit", total=False),
    Make("listed", shape="list", paging="header", position="skip", whole=False),
    Make("addressed", paging="address", position="start", query="term", limit=100),
    Make("counted", paging="page0", position="page", size_name="per_page", clamp=50),
    Make("short", paging="none", page_size=1000, rules=Rules(default="OR")),
)
