"""Outlooks: a harvest costs about what was predicted."""

import asyncio
from contextlib import suppress
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.engine import Callbacks, Engine
from longline.events import AnyEvent, PageReceived
from longline.ledger import Ledger
from longline.model import Document, Query
from longline.planner.capabilities import Capabilities
from longline.planner.observed.documents import DocumentIndex
from longline.planner.probe.page_forecast import COVERAGES, adaptive_outlook, partition_outlook
from longline.planner.probe.term_shares import Vocabulary, commonest
from longline.planner.strategies import Options, make_planner
from longline.pool import Analyzer
from longline.simulate import MemoryClient, Searcher, read_corpus
from longline.store import MemoryStore

pytestmark = pytest.mark.slow

CORPUS = list(read_corpus("docstrings"))
SIZE = len(CORPUS)


def able(counts: str = "exact", limit: int = 100, page_size: int = 50) -> Capabilities:
    """Return the abilities of a source with AND and NOT."""
    return Capabilities(
        limit=limit,
        page_size=page_size,
        negation=True,
        counts=counts,  # type: ignore[arg-type]
    )


class Enough(Exception):
    """The requested share of a source is held."""


@cache
def pages_to(
    strategy: str, abilities: Capabilities, ranking: str, most: float, words: int | None = None
) -> dict[float, int]:
    """Harvest the docstrings, complete or cut to some words, up to a coverage.

    Returns:
        Result pages by coverage (`COVERAGES`), as far as reached.
    """
    documents = CORPUS if words is None else cut_to(words)[0]
    counts = {"exact": "exact", "about": "approximate", "none": "none", None: "none"}
    source = Searcher(
        documents,
        ranking=ranking,  # type: ignore[arg-type]
        limit=abilities.limit,
        page_size=abilities.page_size or 10,
        counts=counts[abilities.counts],  # type: ignore[arg-type]
        snippets=False,
        seed=8,
    )
    seen: set[str] = set()
    pages: dict[float, int] = {}
    asked = 0

    def watch(event: AnyEvent) -> None:
        nonlocal asked
        if isinstance(event, PageReceived):
            asked += 1
            seen.update(hit.key for hit in event.page.hits)
            for coverage in COVERAGES:
                if len(seen) >= coverage * len(documents):
                    pages.setdefault(coverage, asked)
            if most in pages:
                raise Enough

    policy = make_planner(strategy, Options(abilities=abilities), np.random.default_rng(8))
    engine = Engine(
        policy, MemoryClient(source), MemoryStore(), Ledger(), callbacks=Callbacks(observe=watch)
    )
    with suppress(Enough):
        asyncio.run(engine.run())
    return pages


@pytest.mark.parametrize(
    ("counts", "limit", "page_size", "within"),
    [
        ("exact", 100, 50, 0.15),
        ("exact", 200, 20, 0.15),
        ("none", 100, 50, 0.3),
        ("about", 100, 50, 0.3),
    ],
)
def test_partition_costs_what_was_predicted(
    counts: str, limit: int, page_size: int, within: float
) -> None:
    """Pages at 90 % are as predicted, on a corpus that the tables were not fitted to."""
    abilities = able(counts, limit, page_size)
    predicted = partition_outlook(SIZE, abilities).pages[0.9]
    actual = pages_to("partition", abilities, "static", 0.9)[0.9]
    assert predicted == pytest.approx(actual, rel=within)


@pytest.mark.parametrize(("ranking", "told"), [("static", "static"), ("bm25", "dynamic")])
def test_adaptive_costs_what_was_predicted(ranking: str, told: str) -> None:
    """Pages at 80 % are within a fifth of the prediction for the ranking."""
    abilities = able()
    predicted = adaptive_outlook(SIZE, abilities, told).pages[0.8]  # type: ignore[arg-type]
    actual = pages_to("adaptive", abilities, ranking, 0.8)[0.8]
    assert predicted == pytest.approx(actual, rel=0.2)


@cache
def cut_to(words: int) -> tuple[list[Document], Vocabulary]:
    """Return the docstrings cut to some words, and how common their words are."""
    documents = [Document(each.key, text=" ".join(each.text.split()[:words])) for each in CORPUS]
    documents = [each for each in documents if each.text]
    analyzer = Analyzer(stop_words=frozenset())
    held = DocumentIndex()
    for each in documents:
        held.add(each.key, analyzer.terms(each.text))
    answers = [(Query(("deep",)), frozenset(each.key for each in documents))]
    return documents, Vocabulary(commonest(held, answers, frozenset()))


@pytest.mark.parametrize(("words", "coverage"), [(5, 0.5), (5, 0.8), (8, 0.8), (8, 0.9), (15, 0.9)])
def test_short_records_cost_what_was_predicted(words: int, coverage: float) -> None:
    """If hardly any word divides records, cells cost more; the words predict how much."""
    documents, vocabulary = cut_to(words)
    predicted = partition_outlook(len(documents), able(), vocabulary).pages[coverage]
    actual = pages_to("auto", able(), "static", 0.8 if words == 5 else 0.9, words)[coverage]
    assert predicted == pytest.approx(actual, rel=0.45)


def test_short_records_are_not_taken_for_long_ones() -> None:
    """Without the words, the prediction is far too low, and nothing warns of it."""
    documents, vocabulary = cut_to(5)
    actual = pages_to("auto", able(), "static", 0.8, words=5)[0.8]
    assert (partition_outlook(len(documents), able()).pages[0.8] or 0) < 0.67 * actual
    short = partition_outlook(len(documents), able(), vocabulary)
    assert short.strain > partition_outlook(len(documents), able()).strain == 1
    assert short.error > 0.2
    assert adaptive_outlook(SIZE, able(), None, vocabulary).reach < 0.95


GRID = 0.01


@settings(max_examples=8, deadline=None)
@given(
    st.lists(st.floats(0.01, 0.9), min_size=1, max_size=30), st.sampled_from([500, 5000, 50_000])
)
def test_rarer_words_never_cost_less(shares: list[float], documents: int) -> None:
    """Words half as common divide no better, and long texts divide best.

    Costs are computed on a grid of sizes, whose error is well below one percent.
    """
    common = tuple(sorted(shares, reverse=True))
    rarer = tuple(share / 2 for share in common)
    long, short, shorter = (
        partition_outlook(documents, able(), Vocabulary(each)) for each in ((), common, rarer)
    )
    assert long.strain <= short.strain * (1 + GRID)
    assert short.strain <= shorter.strain * (1 + GRID)
    assert long.reach >= short.reach - GRID >= shorter.reach - 2 * GRID
    known = [pages for pages in short.pages.values() if pages is not None]
    assert known == sorted(known)


def test_words_that_are_passed_over_cost_more() -> None:
    """Ignored words would be the best to split by, and each costs a failed split."""
    plain = partition_outlook(5000, able())
    without = partition_outlook(5000, able(), Vocabulary(passed_over=("the",)))
    assert 1.2 * (plain.pages[0.9] or 0) < (without.pages[0.9] or 0)
    assert without.error > plain.error


@settings(max_examples=40)
@given(
    st.integers(1, 10**6),
    st.sampled_from([(10, 10), (100, 50), (1000, 50), (None, 20), (5, 10)]),
    st.sampled_from(["exact", "about", "none", None]),
)
def test_more_coverage_costs_more(
    documents: int, bounds: tuple[int | None, int], counts: str | None
) -> None:
    """Pages grow with coverage, and are never fewer than the documents need."""
    limit, page_size = bounds
    abilities = able(counts, limit, page_size)  # type: ignore[arg-type]
    for outlook in (
        partition_outlook(documents, abilities),
        adaptive_outlook(documents, abilities, None),
    ):
        known = [(c, outlook.pages[c]) for c in COVERAGES if outlook.pages[c] is not None]
        assert all(pages >= c * documents / page_size for c, pages in known if pages is not None)
        assert [pages for _, pages in known] == sorted(pages for _, pages in known)  # type: ignore[type-var]
        assert 0 <= outlook.reach <= 1


def test_short_queries_do_not_reach_all() -> None:
    """With five terms, a part of a large source stays hidden, and nothing beyond is predicted."""
    abilities = Capabilities(limit=100, page_size=50, negation=True, max_terms=5, counts="exact")
    outlook = partition_outlook(19_000, abilities)
    assert outlook.reach < 0.3
    assert outlook.pages[0.5] is None
    assert partition_outlook(500, abilities).reach > 0.9


def test_a_relevance_ranking_is_cheaper_for_single_terms() -> None:
    """A relevance ranking shows different documents to each query: fewer pages are needed."""
    static, dynamic = (adaptive_outlook(20_000, able(), each) for each in ("static", "dynamic"))
    assert (dynamic.pages[0.9] or 0) < 0.75 * (static.pages[0.9] or 0)
