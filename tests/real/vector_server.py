"""A search by meaning as others build it: sqlite-vec's nearest vectors, fused with FTS5."""

import html
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from longline.model import Document
from longline.simulate import running_site
from longline.simulate.documents import words
from longline.simulate.search.index import Nearest

K = 20
FUSED = 60
"""The usual constant of reciprocal rank fusion."""


class Hybrid:
    """The k documents that reciprocal rank fusion of both searches ranks first.

    Args:
        documents: All documents of the box.
        fused: Whether words count in addition to meaning.
    """

    def __init__(self, documents: Sequence[Document], *, fused: bool) -> None:
        import apsw
        import sqlite_vec

        texts = [words(f"{each.title}\n{each.text}") for each in documents]
        self._nearest = Nearest(texts)
        self._fused = fused
        self._documents = documents
        self._base = apsw.Connection(":memory:")
        self._base.enable_load_extension(True)
        self._base.load_extension(sqlite_vec.loadable_path())
        points = [self._nearest.point(text).astype(np.float32) for text in texts]
        self._base.execute(
            f"create virtual table near using vec0(point float[{len(points[0])}] "
            "distance_metric=cosine)"
        )
        self._base.execute("create virtual table said using fts5(text)")
        for place, (point, text) in enumerate(zip(points, texts, strict=True), 1):
            self._base.execute(
                "insert into near(rowid, point) values (?, ?)", (place, bytes(point))
            )
            self._base.execute(
                "insert into said(rowid, text) values (?, ?)", (place, " ".join(text))
            )

    def search(self, typed: str) -> list[Document]:
        """Return the results for typed words."""
        asked = words(typed)
        if not asked:
            return []
        point = bytes(self._nearest.point(asked).astype(np.float32))
        lists = [self._rows("select rowid from near where point match ? and k = ?", point)]
        if self._fused:
            either = " OR ".join(f'"{word}"' for word in asked)
            lists.append(
                self._rows(
                    "select rowid from said where said match ? order by rank limit ?", either
                )
            )
        scores: dict[int, float] = {}
        for rows in lists:
            for rank, row in enumerate(rows):
                scores[row] = scores.get(row, 0.0) + 1 / (FUSED + rank)
        best = sorted(scores, key=lambda row: -scores[row])[:K]
        return [self._documents[row - 1] for row in best]

    def _rows(self, statement: str, asked: Any) -> list[int]:
        return [row for (row,) in self._base.execute(statement, (asked, K))]


@contextmanager
def vector_server(documents: Sequence[Document], kind: str, *, fused: bool) -> Iterator[str]:
    """Serve a small site, or a JSON interface, and yield its address."""
    box = Hybrid(documents, fused=fused)
    held = {each.key: each for each in documents}

    async def search(request: Request) -> Response:
        found = box.search(request.query_params.get("q", ""))
        if kind == "json":
            rows = [{"id": each.key, "title": each.title, "text": each.text} for each in found]
            return JSONResponse({"results": rows})
        shown = "".join(
            f'<li class="hit"><a href="/item/{html.escape(each.key)}">{html.escape(each.title)}</a>'
            f"<p>{html.escape(each.text[:100])}</p></li>"
            for each in found
        )
        form = '<form action="/search" role="search"><input type="search" name="q"></form>'
        return HTMLResponse(f"<title>Archive</title>{form}<ol>{shown}</ol>")

    async def item(request: Request) -> Response:
        each = held[request.path_params["key"]]
        body = f"<h1>{html.escape(each.title)}</h1><article>{html.escape(each.text)}</article>"
        return HTMLResponse(f"<title>{html.escape(each.title)}</title>{body}")

    routes = [Route("/", search), Route("/search", search), Route("/item/{key:path}", item)]
    with running_site(Starlette(routes=routes)) as url:
        yield f"{url}/search?q=file" if kind == "json" else f"{url}/"
