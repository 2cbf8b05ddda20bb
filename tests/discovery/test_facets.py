"""Facets of a form: which of its fields limit answers, learnt from a real site's form."""

import asyncio
from pathlib import Path

import numpy as np
import pytest
from lxml.html import fromstring
from tests.harvests import Harvest
from tests.webs import web_fetcher

from longline.discovery import Discoverer
from longline.discovery.dialect.facets import fields_in
from longline.engine import Engine
from longline.engine.site_client import PageClient
from longline.harvester.settings import Limits
from longline.ledger import Ledger
from longline.model import Facet
from longline.simulate import Searcher, read_corpus, running_site
from longline.source import read_spec
from longline.store import MemoryStore

CORPUS = read_corpus("docstrings")[:600]
KINDS = {d.key: ("module", "class", "function")[n % 3] for n, d in enumerate(CORPUS)}
DAYS = {d.key: f"20{n % 20:02}-0{1 + n % 9}-15" for n, d in enumerate(CORPUS)}
KIND = Facet("kind", values=("module", "class", "function"))
DAY = Facet("day", "date", low="2000-01-01", high="2019-12-31")


def learn(url: str) -> Discoverer:
    """Return what discovery learnt about a search interface."""
    discoverer = Discoverer(url, np.random.default_rng(0))
    client = PageClient(web_fetcher(retries=0))

    async def run() -> None:
        stopped = await Engine(discoverer, client, MemoryStore(), Ledger()).run()
        discoverer.conclude(stopped.reason)
        await client.close()

    asyncio.run(run())
    return discoverer


@pytest.fixture
def facets() -> dict[Facet, dict[str, str]]:
    return {KIND: KINDS, DAY: DAYS}


@pytest.mark.slow
def test_facets_are_learnt_and_harvested_by(
    facets: dict[Facet, dict[str, str]], tmp_path: Path
) -> None:
    """Lists and ranges that change the answer are kept; the harvest uses no words and gets all."""
    searcher = Searcher(CORPUS, limit=50, page_size=25, facets=facets, lists_all=True)
    with running_site(searcher) as url:
        learnt = learn(f"{url}/search")
        spec = read_spec(learnt.toml())
        assert set(spec.facets) == {"kind", "day"}
        assert spec.facets["kind"].values == ["module", "class", "function"]
        assert spec.facets["day"].parameter_to == "day_to"
        assert spec.ask.dialect.all == ""
        assert learnt.requests <= 40
        got = Harvest(tmp_path / "got", spec, {}, Limits(allow_private=True, estimate=False)).run()
    assert got.documents == len(CORPUS)
    assert got.overlapping_rate is not None
    assert got.overlapping_rate < 1.6


@pytest.mark.slow
def test_without_an_empty_search_facets_are_only_told(facets: dict[Facet, dict[str, str]]) -> None:
    """If a word is needed, facets cannot be used, and the finding says so."""
    with running_site(Searcher(CORPUS, limit=50, page_size=25, facets=facets)) as url:
        learnt = learn(f"{url}/search")
    assert learnt.spec is not None
    assert learnt.spec.facets == {}
    finding = next(finding for finding in learnt.findings if finding.name == "facets")
    assert "a search without words finds nothing" in finding.evidence


FORM = """<form><input name="q">
<select name="sort"><option value="">relevance</option><option>date</option><option>title</option>
</select>
<select name="per_page"><option value="">10</option><option>20</option><option>50</option></select>
<select name="section"><option value="all">All sections</option><option value="1">Maps</option>
<option value="2">Letters</option></select>
<select name="no_any"><option>one</option><option>two</option></select>
<label><input type="radio" name="medium" value="" checked>any</label>
<input type="radio" name="medium" value="book"><input type="radio" name="medium" value="film">
<input type="number" name="year_from"><input type="number" name="year_to" max="1999">
<input type="number" name="weight_min"><input type="number" name="weight_max">
<input type="date" name="day"></form>"""


def test_fields_that_limit_are_told_from_those_that_do_not() -> None:
    """Order, page size, lists without "any", single dates and open numbers are not facets."""
    found = fields_in(fromstring(FORM), "q")
    assert set(found) == {"section", "medium", "year_from"}
    assert found["section"].values == ["1", "2"]
    assert found["medium"].values == ["book", "film"]
    year = found["year_from"]
    assert (year.kind, year.low, year.high, year.parameter_to) == (
        "number",
        "1500",
        "1999",
        "year_to",
    )


@pytest.mark.parametrize("names", [("yearFrom", "yearTo"), ("MINYEAR", "MAXYEAR")])
def test_both_ends_of_a_range_may_be_words_within_a_name(names: tuple[str, str]) -> None:
    """Here, another pair of numbers stands beside them."""
    boxes = "".join(
        f"<input type=number name={name} min=1900 max=1999>" for name in (*names, "vonSeite")
    )
    found = fields_in(fromstring(f"<form><input name=q>{boxes}</form>"), "q")
    assert [(name, field.parameter_to) for name, field in found.items()] == [names]
