"""Facets: ranges, lists and prefixes split a source into parts that are requested once each."""

import asyncio
from datetime import date, timedelta
from pathlib import Path

import httpx2
import msgspec
import numpy as np
import pytest
from bench.faulty.lies import Ask, ClampedTotals, FaultySource
from tests.harvests import Harvest

from longline.engine import Engine
from longline.events import PageReceived
from longline.harvester import Limits, Settings
from longline.ledger import Ledger
from longline.model import Document, Facet, Filter, Page, Query, Total
from longline.planner.auto import RARE_TERMS
from longline.planner.capabilities import Capabilities
from longline.planner.partition.by_facets import FacetPartition
from longline.planner.strategies import Options, make_planner
from longline.simulate import MemoryClient, Searcher, running_site
from longline.simulate.search.searcher import Box
from longline.source import read_spec
from longline.store import MemoryStore

LETTERS = "abcdefghijklmnopqrstuvwxyz"
IN_LETTERS = str.maketrans("0123456789", LETTERS[:10])
LIMIT, WIDTH, SIZE, FEW = 40, 20, 1000, 450
RNG = np.random.default_rng(5)
CORPUS = [
    Document(
        f"d{n}",
        title=f"Log of day {n}",
        text=" ".join("w" + LETTERS[t // 26] + LETTERS[t % 26] for t in RNG.zipf(1.3, 12) % 600),
    )
    for n in range(SIZE)
]
KEYS = [document.key for document in CORPUS]
# Most are from recent years, as in most archives.
YEARS = dict(zip(KEYS, (str(2020 - int(y)) for y in RNG.exponential(12, SIZE) // 1), strict=True))
KINDS = dict(zip(KEYS, RNG.choice(["book", "map", "letter"], SIZE, p=[0.7, 0.2, 0.1]), strict=True))
NAMES = {key: "".join(RNG.choice(list("abcde"), 4)) for key in KEYS}
DAYS = {key: (date(2000, 1, 1) + timedelta(int(n) // 2)).isoformat() for n, key in enumerate(KEYS)}
YEAR = Facet("year", "number", low="1800", high="2020")
DAY = Facet("day", "date", low="1999-12-01", high="2001-12-31")
KIND = Facet("kind", "list", ("book", "map", "letter"))
NAME = Facet("name", "prefix", tuple("abcde"))
VALUES = {YEAR: YEARS, KIND: KINDS, NAME: NAMES, DAY: DAYS}


def box(*facets: Facet, size: int = SIZE, **source: object) -> Searcher:
    """Return an honest source with some facets that lists everything without words."""
    bounds = {"limit": LIMIT, "page_size": WIDTH, "ranking": "static", "snippets": False}
    values = {facet: VALUES[facet] for facet in facets}
    source = {**bounds, "facets": values, "lists_all": True, **source}
    return Searcher(CORPUS[:size], **source)  # type: ignore[arg-type]


class Done:
    """A harvest in memory, from beginning to end."""

    def __init__(
        self, source: Box, name: str = "partition", size: int = SIZE, **able: object
    ) -> None:
        told = {"limit": LIMIT, "page_size": WIDTH, "negation": source.boolean}
        told |= {"facets": source.facets, "lists_all": True, "counts": "exact", **able}
        options = Options(abilities=Capabilities(**told))  # type: ignore[arg-type]
        self.planner = make_planner(name, options, np.random.default_rng(0))
        self.ledger, store = Ledger(size=size), MemoryStore()
        engine = Engine(self.planner, MemoryClient(source), store, self.ledger)
        self.stopped = asyncio.run(engine.run())
        asked = [event for event in store.events() if isinstance(event, PageReceived)]
        self.queries = list(dict.fromkeys(event.query for event in asked))
        self.pages = len(asked)
        self.documents = self.ledger.documents


@pytest.mark.parametrize("facets", [(DAY,), (NAME,), (DAY, KIND)])
@pytest.mark.parametrize("name", ["partition", "auto"])
def test_facets_alone_fetch_everything_with_hardly_a_repeat(
    facets: tuple[Facet, ...], name: str
) -> None:
    """If ranges or prefixes are fine enough, no words are sent, and documents hardly repeat."""
    done = Done(box(*facets, boolean=False), name)
    assert done.documents == SIZE
    assert not any(query.wanted for query in done.queries)
    assert done.stopped.target_met
    assert done.ledger.overlapping_rate < 1.6
    assert done.pages < 3.2 * SIZE / WIDTH


def test_even_dates_cost_little_more_than_full_pages() -> None:
    """Pieces of a range fill their answers: few more pages than could hold the source."""
    done = Done(box(DAY, boolean=False))
    assert done.pages < 1.6 * SIZE / WIDTH
    assert done.ledger.overlapping_rate < 1.15


@pytest.mark.parametrize("most", [LIMIT, 100, 600])
@pytest.mark.parametrize("facets", [(DAY,), (NAME,), (KIND, DAY)])
def test_totals_that_go_no_higher_hide_no_part(facets: tuple[Facet, ...], most: int) -> None:
    """If totals are capped, the parts beyond the cap are requested too."""
    done = Done(FaultySource(box(*facets), ClampedTotals(most)))
    assert done.documents == SIZE
    assert done.ledger.overlapping_rate < 1.8


class AtLeast:
    """Totals count to 301 only, and are then "at least" that number."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        page = ask(query, number)
        if page.total is None or page.total.documents <= 301:
            return page
        return msgspec.structs.replace(page, total=Total(301, "at least"))


@pytest.mark.slow
def test_a_list_of_at_least_so_many_is_not_all() -> None:
    """A total that is a lower bound does not prove a list complete, and is no discrepancy."""
    done = Done(
        FaultySource(box(limit=500, boolean=False), AtLeast()), "auto", limit=None, counts=None
    )
    assert done.documents > 0.95 * SIZE
    assert not [each for each in done.planner.discrepancies() if each.kind == "count"]


@pytest.mark.parametrize("facet", [KIND, YEAR])
def test_what_facets_cannot_cut_is_cut_by_terms(facet: Facet) -> None:
    """Parts that single values leave too large are partitioned by terms within their filter."""
    done = Done(box(facet, size=FEW, limit=WIDTH), size=FEW, limit=WIDTH)
    assert done.documents >= 0.98 * FEW
    inside = [query for query in done.queries if query.required]
    assert inside
    assert all(query.filters for query in inside)


def test_a_part_that_words_do_not_reach_is_read_to_its_end() -> None:
    """Each document has words of its own, so that the words of one find no other."""
    lonely = [
        msgspec.structs.replace(each, title="", text=" ".join([f"w{n}".translate(IN_LETTERS)] * 3))
        for n, each in enumerate(CORPUS[:120])
    ]
    source = Searcher(
        lonely,
        limit=LIMIT,
        page_size=WIDTH,
        ranking="static",
        snippets=False,
        boolean=False,
        facets={KIND: KINDS},
        lists_all=True,
    )
    done = Done(source, "auto", size=len(lonely), negation=False)
    most = sum(min(LIMIT, sum(KINDS[each.key] == kind for each in lonely)) for kind in KIND.values)
    assert done.documents == most < len(lonely)


def test_without_not_terms_are_asked_within_the_filters() -> None:
    """Without NOT, auto sends single terms within the parts that a list leaves."""
    done = Done(box(KIND, size=FEW, boolean=False), "auto", FEW)
    assert done.documents > 0.85 * FEW
    assert not any(query.excluded for query in done.queries)


@pytest.mark.parametrize("counts", ["none", "approximate"])
def test_totals_are_not_needed(counts: str) -> None:
    """Without exact totals, a part overflows if its rows reach the limit; all is fetched."""
    kind = {"none": "none", "approximate": "about"}[counts]
    done = Done(box(DAY, counts=counts, boolean=False), counts=kind)
    assert done.documents == SIZE
    assert done.pages < 5 * SIZE / WIDTH


def test_source_without_limit_is_listed() -> None:
    """If a search for everything shows all, and a total proves it, no other query is sent."""
    source = Searcher(CORPUS[: SIZE - 1], limit=None, page_size=WIDTH, lists_all=True)
    done = Done(source, "auto", limit=None)
    assert done.queries == [Query(())]
    assert done.documents == SIZE - 1
    assert done.ledger.overlapping_rate == 1


@pytest.mark.parametrize("counts", ["exact", "none"])
def test_a_list_that_nothing_proves_is_tried_by_rare_terms(counts: str) -> None:
    """Totals may be missing, or only as high as the source counts: ten rare terms decide."""
    done = Done(box(limit=None, counts=counts), "auto", limit=None, counts=None)
    assert done.queries[0] == Query(())
    assert len(done.queries) == 1 + RARE_TERMS
    assert done.documents == SIZE
    assert done.stopped.target_met


def test_a_list_that_ends_early_without_saying_so_is_gone_beyond() -> None:
    """Documents that rare terms return in addition show that the list was cut."""
    source = box(size=FEW, limit=120, counts="none")
    done = Done(source, "auto", FEW, limit=None, counts=None)
    assert done.documents > 120
    assert len(done.queries) > 1 + RARE_TERMS


def test_a_list_of_documents_with_words_of_their_own_is_gone_beyond() -> None:
    """The rarest words return only their own document; other words show that the list was cut."""
    numbers = [f"{n // 100}{n % 100:02}".translate(IN_LETTERS) for n in range(SIZE)]
    shared = ["".join(pair) for pair in zip(LETTERS * 2, LETTERS[3:] * 2, strict=False)]
    documents = [
        Document(f"d{n}", text=f"own{number} {2 * shared[n % 17]} {2 * shared[n % 19]}")
        for n, number in enumerate(numbers)
    ]
    source = Searcher(documents, limit=120, page_size=WIDTH, lists_all=True, counts="none")
    done = Done(source, "auto", limit=None, counts=None)
    assert done.documents > 120
    assert len(done.queries) > 1 + RARE_TERMS


def test_parts_that_do_not_sum_are_named() -> None:
    """Documents without a value are in no part: the discrepancy keeps the total and the sum."""
    some = {key: value for key, value in DAYS.items() if int(key[1:]) % 10}
    source = box(DAY, facets={DAY: some}, boolean=False)
    done = Done(source)
    assert isinstance(done.planner, FacetPartition)
    whole = done.planner.discrepancies()[-1]
    assert (whole.kind, whole.query, whole.reported) == ("parts", Query(()), SIZE)
    assert whole.found == len(some)
    assert not done.stopped.target_met
    assert "that the site counts were found" in done.stopped.reason
    assert Done(source, "auto").documents > len(some)


class Unread:
    """A facet that the source shows, but ignores."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        return ask(Query(query.required, query.excluded), number)


@pytest.mark.parametrize("facets", [(YEAR,), (KIND,), (NAME,)])
def test_facet_without_effect_is_given_up(facets: tuple[Facet, ...]) -> None:
    """Filters without effect are tried twice; terms do the rest."""
    done = Done(FaultySource(box(*facets, size=FEW), Unread()), "auto", FEW)
    assert done.documents >= 0.98 * FEW
    assert len({query.filters for query in done.queries}) <= 3
    assert "has no effect" in done.stopped.reason


def test_same_events_ask_the_same() -> None:
    """Nothing is random: the same events give the same queries."""
    first, second = (Done(box(YEAR, KIND, size=FEW), size=FEW) for _ in range(2))
    assert first.queries == second.queries


@pytest.mark.slow
@pytest.mark.parametrize("path", ["source.toml", "api/source.toml"])
def test_facets_work_through_the_web(path: str, tmp_path: Path) -> None:
    """A spec's facets fill form fields and API parameters; everything is harvested."""
    with running_site(box(DAY, KIND, size=FEW, boolean=False)) as url:
        spec = read_spec(httpx2.get(f"{url}/{path}").text)
        assert set(spec.facets) == {"day", "kind"}
        certificate = Harvest(
            tmp_path / "harvest",
            spec,
            Settings(strategy="auto"),
            Limits(allow_private=True, size=FEW),
        ).run()
    assert certificate.documents == FEW
    assert certificate.overlapping_rate is not None
    assert certificate.overlapping_rate < 1.3


def test_filters_are_seen_in_the_form() -> None:
    """The result page shows the chosen filter, and its next link keeps it."""
    with running_site(box(DAY, KIND)) as url:
        page = httpx2.get(f"{url}/search?q=&kind=map&day=2000-01-01&day_to=2000-12-31").text
    assert "<option selected>map</option>" in page
    assert 'name="day_to" value="2000-12-31"' in page
    assert "kind=map" in page[page.index('rel="next"') :]


def test_filters_count_as_typed() -> None:
    """Both ends of a range are included; a document without a value matches no filter."""
    searcher = box(YEAR)
    year = Query((), filters=(Filter("year", "2010", "2012"),))
    expected = sum("2010" <= YEARS[key] <= "2012" for key in KEYS)
    assert searcher.matches(year) == expected > 0
    lacking = box(YEAR, facets={YEAR: {}})
    assert lacking.matches(year) == 0
