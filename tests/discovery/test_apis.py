"""Complete discoveries of JSON interfaces from a given URL."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from tests.discovery.apis import MAKES, Api, Make
from tests.discovery.grade import discover, pages_by
from tests.harvests import Harvest

from longline.discovery import Discoverer
from longline.fetch import Manners
from longline.harvester.settings import Limits, Settings
from longline.learn import find_spec
from longline.model import Page
from longline.simulate import running_site
from longline.source import read_spec

FIELDS = ("key", "title", "text", "total", "pages", "size", "limit", "operator", "not")


def frequent(api: Api, place: int = 60) -> str:
    """Return one of the corpus's more frequent words."""
    by_df = sorted(api.engine.index, key=lambda word: (-len(api.engine.index[word]), word))
    return by_df[place]


def grades_of(api: Api, discoverer: Discoverer) -> dict[str, bool]:
    """Compare what was learnt about an interface with its behaviour, field by field."""
    words = [frequent(api, place) for place in (40, 90, 700)]
    found = pages_by(discoverer, [(word,) for word in words], 3)
    facts = {finding.name: finding.value for finding in discoverer.findings}
    size = int(facts.get("ask.page_size") or api.make.page_size)
    spec = discoverer.spec
    assert spec is not None
    checks: dict[str, list[bool]] = {
        name: [] for name in ("key", "title", "text", "total", "pages")
    }
    for word, pages in zip(words, found, strict=True):
        truth = api.found(word)
        page = pages[0] if pages else Page()
        rows = truth[:size]
        pairs = list(zip(page.hits, rows, strict=False))
        checks["key"].append(
            len(page.hits) == len(rows) and all(hit.key.endswith(row.key) for hit, row in pairs)
        )
        checks["title"].append(all(hit.title.split() == row.title.split() for hit, row in pairs))
        held = [" ".join((hit.text or hit.snippet).split()) for hit, _ in pairs]
        whole = [" ".join(row.body.split()) for _, row in pairs]
        checks["text"].append(
            # Some of these texts are about HTML, and tags are removed from a text.
            sum(t == w for t, w in zip(held, whole, strict=True)) >= 0.9 * len(held)
            if api.make.whole
            else all(t[:100] == w[:100] for t, w in zip(held, whole, strict=True))
        )
        reported = len(api.engine.search(word)) if api.make.total else None
        checks["total"].append((page.total.documents if page.total else None) == reported)
        got = [hit.key for page in pages for hit in page.hits]
        checks["pages"].append(len(set(got)) == len(got) == len(truth[: 3 * size]))
    grades = {name: all(results) for name, results in checks.items()}
    if api.make.size_name:
        grades["size"] = "{size}" in spec.ask.url + spec.ask.body and size == api.make.clamp
    else:
        grades["size"] = "{size}" not in spec.ask.url
    grades["limit"] = spec.ask.limit == api.make.limit
    grades["operator"] = facts["dialect.default"] == api.make.rules.default
    grades["not"] = spec.ask.dialect.not_ == "-{term}"
    return grades


def makes() -> list[Any]:
    quick = ("plain", "elastic")
    return [
        pytest.param(make, id=make.name, marks=[] if make.name in quick else [pytest.mark.slow])
        for make in MAKES
    ]


@pytest.mark.parametrize("make", makes())
def test_interface_is_learnt(make: Make) -> None:
    """Every field is right, within 40 requests, from the URL of an answer."""
    api = Api(make)
    with running_site(api.app) as url:
        discoverer = discover(f"{url}{make.path}?{make.query}={frequent(api)}")
        assert discoverer.spec is not None, discoverer.problem
        grades = grades_of(api, discoverer)
    assert all(grades.values()), (grades, discoverer.toml())
    assert not discoverer.review
    assert discoverer.requests <= 40
    assert read_spec(discoverer.toml()) == discoverer.spec


@pytest.mark.slow
def test_harvest_from_the_address_of_an_answer(tmp_path: Path) -> None:
    """A harvest with the learnt spec holds 97 of 100 documents, with their full texts."""
    api = Api(Make("plain", documents=400, page_size=20))
    with running_site(api.app) as url:
        found = asyncio.run(
            find_spec(f"{url}/api/search?q={frequent(api, 20)}", Manners(allow_private=True))
        )
        limits = Limits(allow_private=True)
        harvest = Harvest(tmp_path / "h", found.spec, Settings(), limits)
        certificate = harvest.run()
    assert certificate.documents >= 0.97 * 400


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ({"results": [{"id": 1, "title": "One"}, {"id": 2, "title": "Two"}]}, "made-up words"),
        ({"version": "1.0"}, "made-up words"),
        ([], "made-up words"),
        ("text", "made-up words"),
    ],
)
def test_what_is_no_search_is_not_learnt(answer: Any, problem: str) -> None:
    """JSON that does not depend on the words is not a search, and the problem says so."""

    async def same(request: Any) -> JSONResponse:
        return JSONResponse(answer)

    with running_site(Starlette(routes=[Route("/api", same)])) as url:
        discoverer = discover(f"{url}/api?q=deep")
    assert discoverer.spec is None
    assert problem in discoverer.problem
    assert discoverer.requests <= 40


@pytest.mark.slow
def test_an_address_without_words_is_asked_by_usual_names() -> None:
    """If a URL has no parameters, usual names are tried."""
    api = Api(Make("query", query="query", is_strict=False))
    with running_site(api.app) as url:
        discoverer = discover(f"{url}/api/search")
        spec = discoverer.spec
    assert spec is not None
    assert spec.ask.url.startswith(f"{url}/api/search?query={{query}}")
