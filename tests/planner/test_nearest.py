"""The planner for search by meaning: what it sends, what it learns, when it ends."""

import asyncio
from functools import cache

import numpy as np
import pytest

from longline.engine import Engine
from longline.events import DocumentReceived, PageReceived
from longline.ledger import Ledger, overlapping_rate
from longline.model import Document, Finish, Hit, Page, Query, Search, Total
from longline.planner.capabilities import Capabilities
from longline.planner.nearest import Nearest
from longline.planner.nearest.planner import LONGEST, WORTHWHILE
from longline.planner.strategies import Options, make_planner
from longline.simulate import MemoryClient, Searcher, read_corpus
from longline.store import MemoryStore

pytestmark = pytest.mark.slow

ABLE = Capabilities(limit=20, page_size=20, by_meaning=True)
DOCUMENTS = read_corpus("docstrings")[::6]


@cache
def box() -> Searcher:
    return Searcher(
        DOCUMENTS, ranking="meaning", limit=20, page_size=20, counts="none", snippets=False
    )


@cache
def harvest(name: str) -> Ledger:
    """Harvest with a strategy to its end."""
    ledger = Ledger(by_meaning=True)
    policy = make_planner(name, Options(abilities=ABLE), np.random.default_rng(0))
    asyncio.run(Engine(policy, MemoryClient(box()), MemoryStore(), ledger).run())
    return ledger


def answer(planner: Nearest, search: Search, keys: list[str], total: Total | None = None) -> None:
    """Pass a page to a planner, with documents of their key and the words of the query."""
    page = Page(tuple(Hit(key) for key in keys), total)
    planner.tell(PageReceived(query=search.query, number=search.number, page=page))
    for key in keys:
        text = f"{key} {' '.join(search.query.required)}"
        planner.tell(DocumentReceived(document=Document(key, text=text)))


def test_nearly_all_documents_come() -> None:
    """It ends with nearly all documents, for less than half of the rows of single words."""
    ours = harvest("nearest")
    assert ours.documents >= 0.98 * len(DOCUMENTS)
    assert ours.overlapping_rate < 7
    words = harvest("random-dictionary")
    assert ours.rows_received < 0.5 * words.rows_received


def test_auto_takes_it() -> None:
    """Auto uses this planner if the spec says that the source searches by meaning."""
    assert isinstance(
        make_planner("auto", Options(abilities=ABLE), np.random.default_rng(0)), Nearest
    )


def test_a_total_of_all_ends_it() -> None:
    """Totals that are the same for every query are the size; with that many held it ends."""
    planner = Nearest(ABLE, np.random.default_rng(0), ["deep", "web", "sea", "ship"])
    for start in range(3):
        search = planner.next()
        assert isinstance(search, Search)
        answer(planner, search, [f"{letter}{start}" for letter in "abcde"], Total(15))
    found = planner.size()
    assert found is not None
    assert (found.documents, found.low, found.high, found.method) == (15, 15, 15, "totals")
    assert planner.next() == Finish("all 15 documents were shown")


@pytest.mark.parametrize("totals", [(5, 5, 5), (15, 16, 17)])
def test_other_totals_tell_no_size(totals: tuple[int, int, int]) -> None:
    """Totals of the shown rows, or that differ between queries, are no size."""
    planner = Nearest(ABLE, np.random.default_rng(0), ["deep", "web", "sea", "ship"])
    for start, total in enumerate(totals):
        search = planner.next()
        assert isinstance(search, Search)
        answer(planner, search, [f"{letter}{start}" for letter in "abcde"], Total(total))
    assert planner.size() is None


def test_it_asks_by_what_documents_say_and_never_twice() -> None:
    """Queries use words of held documents, are no longer than allowed, and all differ."""
    able = Capabilities(limit=5, page_size=5, max_terms=4, by_meaning=True)
    planner = Nearest(able, np.random.default_rng(0), ["deep"])
    rng, said, asked = np.random.default_rng(1), {"deep"}, set[Query]()
    for _ in range(40):
        search = planner.next()
        if isinstance(search, Finish):
            break
        assert search.query not in asked
        assert len(search.query.required) <= 4 <= LONGEST
        assert {*search.query.required} <= said
        asked.add(search.query)
        keys = [f"k{''.join(chr(97 + int(d)) for d in str(n))}" for n in rng.integers(60, size=5)]
        answer(planner, search, list(dict.fromkeys(keys)))
        said.update(keys)
    assert len(asked) > 10


def test_it_ends_where_nothing_new_comes() -> None:
    """A source with five documents is not queried for ever."""
    planner = Nearest(ABLE, np.random.default_rng(0), ["deep", "web", "sea"])
    for _ in range(200):
        search = planner.next()
        if isinstance(search, Finish):
            break
        answer(planner, search, ["reef", "tide", "wave", "salt", "foam"])
    assert isinstance(search, Finish)
    assert search.target_met


def test_nothing_comes() -> None:
    """A source that shows nothing is left after its words."""
    planner = Nearest(ABLE, np.random.default_rng(0), ["deep"])
    search = planner.next()
    assert isinstance(search, Search)
    answer(planner, search, [])
    assert planner.next() == Finish("no word brought a document", target_met=False)


def test_the_end_is_where_the_last_pages_brought_little() -> None:
    """The harvest ends when its last pages return too few new documents."""
    ledger = harvest("nearest")
    chart = ledger.chart()
    window = max(20, len(chart) // 2)
    assert sum(row.new for row in chart[-min(window, 100) :]) < WORTHWHILE * min(window, 100)
    assert overlapping_rate(ledger.rows_received, ledger.documents) > 1
