"""A made-up JSON interface; each part of its answers is drawn at random."""

# ruff: noqa: E501  (markup reads better in one line)

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bench.discovery.engine import Engine, Rules, Text, texts
from bench.discovery.pages import Shown
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route


@dataclass
class DataMake:
    """What was drawn for an interface; see the field names."""

    seed: int
    language: str
    rules: Rules
    documents: int
    shape: str
    total: str
    paging: str
    parameter: str
    size_name: str
    page_size: int
    clamp: int
    limit: int | None
    field: str
    extra: tuple[str, ...]
    names: str
    key: str
    body: str
    link: str
    bare: bool
    beyond: str
    nothing: str
    pager: str = "data"
    counts: str = "exact"


def draw_data(seed: int) -> DataMake:
    """Draw an interface; the same seed gives the same interface."""
    rng = random.Random(f"made up data {seed}")
    one = rng.choice
    return DataMake(
        seed=seed,
        language=one(("en", "en", "de", "fr", "es", "it", "pl", "ru", "ja")),
        rules=Rules(
            default=one(("AND", "AND", "AND", "OR", "OR", "string")),
            nots=one(((), (), ("-",), ("NOT",), ("-", "NOT"))),
            ors=rng.random() < 0.5,
            phrase=rng.random() < 0.7,
            stems=rng.random() < 0.2,
            stops=rng.random() < 0.2,
        ),
        documents=rng.randint(150, 400),
        shape=one(("bare", "items", "data-attributes", "hits-source", "geojson", "rows", "nested", "response-docs", "edges")),
        total=one(("field", "field", "field", "meta", "header", "none", "object", "string", "pages")),
        paging=one(("page1", "page1", "page0", "offset", "offset", "link", "header-link", "cursor", "none")),
        parameter=one(("short", "long")),
        size_name=one(("", "limit", "per_page", "size", "rows", "count")),
        page_size=one((5, 10, 10, 20, 25, 50)),
        clamp=one((50, 100, 100, 1000)),
        limit=one((None, None, None, 100, 200)),
        field=one(("q", "query", "search", "term", "filter[text]", "keywords", "qs")),
        extra=tuple(rng.sample(("facets", "took", "score", "author", "tags", "nulls", "highlight", "dates", "links", "suggestions"), rng.randint(0, 5))),
        names=one(("plain", "odd", "camel")),
        key=one(("number", "string", "uuid", "slug")),
        body=one(("whole", "snippet", "none", "html")),
        link=one(("none", "self", "page", "path")),
        bare=rng.random() < 0.15,
        beyond=one(("empty", "empty", "404", "400", "last")),
        nothing=one(("empty", "empty", "empty", "404", "null")),
    )  # fmt: skip


class DataSite:
    """An interface, and the truth about it."""

    def __init__(self, make: DataMake, folder: Path | None) -> None:
        self.make = make
        rng = random.Random(f"texts {make.seed}")
        self.texts = texts(make.language, make.documents, rng, folder, "utf-8")
        keys = {
            "number": lambda: str(rng.randint(1000, 10**7)),
            "string": lambda: f"rec{rng.randint(1000, 10**7)}",
            "uuid": lambda: f"{rng.randrange(16**8):08x}-{rng.randrange(16**4):04x}",
            "slug": lambda: f"{rng.choice(('old', 'new', 'big', 'red'))}-{rng.randint(10, 10**6)}",
        }[make.key]
        self.texts = tuple(Text(keys(), t.title, t.body, t.author, t.date) for t in self.texts)
        self.engine = Engine(self.texts, make.rules, make.language)
        self.by_key = {t.key: t for t in self.texts}
        self.touched: list[str] = []
        self.origin = ""
        common = sorted(
            (w for w in self.engine.index if len(w) > 4 and w.isalpha()),
            key=lambda w: -len(self.engine.index[w]),
        )
        word = common[5] if common else "the"
        self.start = "/api/search" + ("" if make.bare else "?" + urlencode({make.field: word}))
        self.app = Starlette(
            routes=[
                Route("/api/search", self.search),
                Route("/api/items/{key}", self.item),
                Route("/items/{key}", self.page),
            ]
        )

    def typed_engine(self, typed: str, given: dict[str, str]) -> list[Text]:
        """Return the documents that match."""
        return self.engine.search(typed)

    def page_of(self, found: list[Text], number: int, size: int) -> Shown:
        """Return the content of a result page."""
        make = self.make
        size = min(size, make.clamp)
        reach = found[: make.limit] if make.limit else found
        pages = -(-len(reach) // size)
        if make.paging == "none":
            pages = min(pages, 1)
        rows = reach[(number - 1) * size : number * size] if number <= pages else []
        if number > pages and make.beyond == "last" and pages:
            rows = reach[(pages - 1) * size : pages * size]
        return Shown(tuple(rows), len(found), len(found), pages)

    def _as_json(self, text: Text, typed: str, place: int) -> dict[str, Any]:
        make = self.make
        names = {
            "plain": ("id", "title", "text", "url"),
            "odd": ("docno", "label", "abstract_t", "href"),
            "camel": ("recordId", "displayTitle", "fullText", "webUrl"),
        }[make.names]
        key: Any = int(text.key) if make.key == "number" else text.key
        row: dict[str, Any] = {names[0]: key, names[1]: text.title}
        body = " ".join(text.body.split())
        if make.body == "whole":
            row[names[2]] = text.body
        elif make.body == "snippet":
            row[names[2]] = body[:120]
        elif make.body == "html":
            row[names[2]] = f"<p>{body[:200].replace('<', '&lt;')}</p>"
        if make.link == "self":
            row[names[3]] = f"{self.origin}/api/items/{text.key}"
        elif make.link == "page":
            row[names[3]] = f"{self.origin}/items/{text.key}"
        elif make.link == "path":
            row[names[3]] = f"/items/{text.key}"
        for name in make.extra:
            match name:
                case "score":
                    row["score"] = round(1 / (place + 1), 4)
                case "author":
                    row["author"] = {"name": text.author}
                case "tags":
                    row["tags"] = [text.author[0], text.date[:4]]
                case "nulls":
                    row["subtitle"] = None if place % 3 else text.date
                case "highlight":
                    row["highlight"] = {names[1]: [text.title.replace(typed, f"<em>{typed}</em>")]}
                case "dates":
                    row["created"] = f"{text.date}T00:00:00Z"
                case "links":
                    row["thumbnail"] = f"{self.origin}/thumbs/{text.key}.png"
        return row

    async def search(self, request: Request) -> Response:
        """Answer a query."""
        self.origin = str(request.base_url).rstrip("/")
        make, asked = self.make, request.query_params
        typed = asked.get(make.field, "")
        found = self.engine.search(typed) if typed else list(self.texts)
        size = make.page_size
        if make.size_name and asked.get(make.size_name, "").isdigit():
            size = max(1, min(int(asked[make.size_name]), make.clamp))
        names = {
            "page1": ("page", "p"), "page0": ("page", "pageNumber"), "offset": ("offset", "start"),
            "link": ("page", "page"), "header-link": ("page", "page"),
            "cursor": ("cursor", "after"), "none": ("-", "-"),
        }[make.paging]  # fmt: skip
        name = names[make.parameter == "long"]
        value = asked.get(name, "")
        number = 1
        if value:
            if make.paging == "cursor":
                number = int(value.removeprefix("c"), 16) if value[1:] else 1
            elif not value.isdigit():
                return JSONResponse({"error": "bad page"}, 400)
            else:
                number = {"page0": int(value) + 1, "offset": int(value) // size + 1}.get(
                    make.paging, int(value)
                )
        if number < 1:
            return JSONResponse({"error": "bad page"}, 400)
        if not found and make.nothing == "404":
            return JSONResponse({"error": "nothing found"}, 404)
        shown = self.page_of(found, number, size)
        if number > max(shown.pages, 1) and make.beyond in ("404", "400"):
            return JSONResponse({"error": "no such page"}, int(make.beyond))
        rows: list[Any] = [self._as_json(t, typed, n) for n, t in enumerate(shown.rows)]
        return self._built(rows, shown, typed, number, size, name)

    def _built(
        self, rows: list[Any], shown: Shown, typed: str, number: int, size: int, name: str
    ) -> Response:
        make = self.make
        headers: dict[str, str] = {}
        tree: dict[str, Any] = {}
        key = next(iter(rows[0])) if rows else "id"
        match make.shape:
            case "data-attributes":
                rows = [{"type": "doc", "id": str(r[key]), "attributes": r} for r in rows]
                tree["data"] = rows
            case "hits-source":
                tree["hits"] = {"hits": [{"_id": str(r[key]), "_source": r} for r in rows]}
            case "geojson":
                tree |= {
                    "type": "FeatureCollection",
                    "features": [
                        {
                            "type": "Feature",
                            "geometry": {"type": "Point", "coordinates": [1.5, 2.5]},
                            "properties": r,
                        }
                        for r in rows
                    ],
                }
            case "rows":
                columns = list(rows[0]) if rows else [key]
                tree |= {"columns": columns, "rows": [[r.get(c) for c in columns] for r in rows]}
            case "nested":
                tree["response"] = {"status": "ok", "results": {"list": rows}}
            case "response-docs":
                tree["response"] = {"start": (number - 1) * size, "docs": rows}
            case "edges":
                tree["edges"] = [{"cursor": f"x{n}", "node": r} for n, r in enumerate(rows)]
            case _:
                tree["items"] = rows
        if not rows and make.nothing == "null" and "items" in tree:
            tree["items"] = None
        total = shown.total
        match make.total:
            case "field":
                tree["total"] = total
            case "meta":
                tree["meta"] = {"count": total, "pages": shown.pages}
            case "header":
                headers["X-Total-Count"] = str(total)
            case "object" if isinstance(tree.get("hits"), dict):
                tree["hits"]["total"] = {"value": total, "relation": "eq"}
            case "object":
                tree["totalResults"] = {"value": total}
            case "string":
                tree["numFound"] = str(total)
            case "pages":
                tree["totalPages"] = shown.pages
        if "facets" in make.extra:
            tree["facets"] = [
                {
                    "name": "author",
                    "values": [
                        {"value": "A", "count": total // 2},
                        {"value": "B", "count": total - total // 2},
                    ],
                }
            ]
        if "took" in make.extra:
            tree["took"] = 3 + (total * 7 + number) % 11
        if "suggestions" in make.extra:
            tree["suggestions"] = [{"term": typed + "s"}, {"term": typed + "e"}]
        given = {make.field: typed} | ({make.size_name: str(size)} if make.size_name else {})
        onward = (
            f"/api/search?{urlencode(given | {name: str(number + 1)})}"
            if number < shown.pages
            else None
        )
        if make.paging == "link":
            tree["links"] = {"next": onward and self.origin + onward}
        elif make.paging == "header-link" and onward:
            headers["Link"] = f'<{self.origin}{onward}>; rel="next"'
        elif make.paging == "cursor":
            tree["next_cursor"] = f"c{number + 1:x}" if number < shown.pages else None
        elif make.paging in ("page1", "page0"):
            tree["page"] = number - (make.paging == "page0")
        body: Any = (
            rows
            if make.shape == "bare"
            and make.paging not in ("link", "cursor")
            and make.total in ("header", "none")
            else tree
        )
        return JSONResponse(body, headers=headers)

    async def item(self, request: Request) -> Response:
        """Return a document as JSON."""
        text = self.by_key.get(request.path_params["key"])
        if text is None:
            return JSONResponse({"error": "not found"}, 404)
        return JSONResponse(
            {"id": text.key, "title": text.title, "body": text.body, "author": text.author}
        )

    async def page(self, request: Request) -> Response:
        """Return a document as a page."""
        text = self.by_key.get(request.path_params["key"])
        if text is None:
            return HTMLResponse("<h1>404</h1>", 404)
        body = text.body.replace("&", "&amp;").replace("<", "&lt;")
        return HTMLResponse(
            f"<title>{text.key}</title><nav><a href=/>Home</a></nav><h1>{text.title.replace('<', '&lt;')}</h1><article>{body}</article>"
        )
