"""Search by meaning is recognised, and nothing else is taken for it."""

from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from html import escape
from random import Random

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.grade import discover

from longline.discovery import Discoverer
from longline.model import Query
from longline.simulate import Searcher, read_corpus, running_site
from longline.simulate.documents import words

DOCUMENTS = read_corpus("docstrings")[::6]
HELD = {each.key: each for each in DOCUMENTS}
SIZE = 20

Find = Callable[[str], list[str]]


def learnt(find: Find, kind: str, total: Callable[[str], int] | None = None) -> Discoverer:
    """Learn a site that shows the results of `find`, and optionally totals."""

    async def search(request: Request) -> Response:
        typed = request.query_params.get("q", "")
        rows = [HELD[key] for key in find(typed)] if typed else []
        if kind == "json":
            found = [{"id": each.key, "title": each.title, "text": each.text} for each in rows]
            said = {} if total is None else {"total": total(typed)}
            return JSONResponse({"results": found, **said})
        shown = "".join(
            f'<li><a href="/item/{escape(each.key)}">{escape(each.title)}</a>'
            f"<p>{escape(each.text[:120])}</p>"
            for each in rows
        )
        count = "" if total is None or not typed else f"<p class=count>{total(typed)} results</p>"
        form = "<form action=/search role=search><input type=search name=q></form>"
        return HTMLResponse(f"<title>Archive</title>{form}{count}<ol class=hits>{shown}</ol>")

    async def item(request: Request) -> Response:
        each = HELD[request.path_params["key"]]
        return HTMLResponse(f"<h1>{escape(each.title)}</h1><article>{escape(each.text)}</article>")

    routes = [Route("/", search), Route("/search", search), Route("/item/{key:path}", item)]
    with running_site(Starlette(routes=routes)) as url:
        return discover(f"{url}/search?q=file" if kind == "json" else f"{url}/")


@cache
def by_meaning() -> Find:
    source = Searcher(DOCUMENTS, ranking="meaning", limit=SIZE, page_size=SIZE, snippets=False)
    return lambda typed: source.keys(Query(tuple(words(typed)) or ("?",)))


LEXICAL = Searcher(DOCUMENTS, limit=SIZE, page_size=SIZE, snippets=False)
VOCABULARY = [*LEXICAL.document_frequencies()]


def fuzzy(typed: str) -> list[str]:
    """Return documents with any of the words, or with similarly spelt ones."""
    near = [near for word in words(typed) for near in get_close_matches(word, VOCABULARY, 3, 0.75)]
    return LEXICAL.keys(Query((), any_of=tuple(near))) if near else []


def popular(typed: str) -> list[str]:
    """Return documents with all of the words; always the same ones if there are none."""
    return LEXICAL.keys(Query(tuple(words(typed)) or ("?",))) or [*HELD][:SIZE]


def suggested(typed: str) -> list[str]:
    """Return documents with all of the words; random ones if there are none."""
    chance = Random().sample([*HELD], SIZE)
    return LEXICAL.keys(Query(tuple(words(typed)) or ("?",))) or chance


def suggested_for_words(typed: str) -> list[str]:
    """The same, but always the same documents for the same words."""
    chance = Random(typed).sample([*HELD], SIZE)
    return LEXICAL.keys(Query(tuple(words(typed)) or ("?",))) or chance


@pytest.mark.parametrize("kind", ["html", "json"])
@pytest.mark.parametrize("total", [None, SIZE, len(DOCUMENTS)])
def test_a_search_by_meaning_is_named(kind: str, total: int | None) -> None:
    """It is known for sure within ten searches, and nobody has to review the spec."""
    asked: list[str] = []
    find = by_meaning()

    def counted(typed: str) -> list[str]:
        asked.append(typed)
        return find(typed)

    discoverer = learnt(counted, kind, None if total is None else lambda typed: total)
    found = {each.name: each for each in discoverer.findings}
    assert discoverer.spec is not None
    assert discoverer.spec.ask.ranking == "meaning"
    assert found["ask.ranking"].sure == "sure"
    assert discoverer.spec.ask.limit == SIZE
    assert not discoverer.review
    assert any(" -" in typed for typed in asked[:10])  # the last query before it is named


@pytest.mark.slow
@pytest.mark.parametrize("find", [fuzzy, popular, suggested, suggested_for_words])
@pytest.mark.parametrize("kind", ["html", "json"])
def test_a_search_for_words_is_not_named_so(kind: str, find: Find) -> None:
    """Neither fuzzy matching nor a page of suggestions is taken for a search by meaning."""
    discoverer = learnt(find, kind)
    assert discoverer.spec is None or discoverer.spec.ask.ranking == ""
