"""Surveys: estimate the number of documents of a source with about twenty queries."""

import asyncio
from itertools import combinations
from math import inf
from pathlib import Path

import numpy as np
import pytest
from bench.faulty.by_title import ByTitle
from bench.faulty.lies import ClampedTotals, FaultySource, IgnoredNot, OrForAnd, ShortWords
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.engine import Engine, RunLimits
from longline.errors import PageError
from longline.ledger import Ledger
from longline.model import Document
from longline.planner.capabilities import Capabilities
from longline.planner.cells import UNKNOWN, Cell
from longline.planner.probe.searched_field import FieldAware, SearchedField
from longline.planner.probe.size_estimates import by_roots, by_rough_roots, outside
from longline.planner.probe.size_queries import _signed
from longline.planner.probe.survey import SourceSurvey
from longline.pool import STOP_WORDS, Analyzer
from longline.simulate import MemoryClient, Searcher, read_corpus
from longline.simulate.search.searcher import Box
from longline.store import MemoryStore

LIMIT, WIDTH = 100, 50
CORPUS = [each for number, each in enumerate(read_corpus("docstrings")) if number % 2]
SIZE = len(CORPUS)


def told(counts: str = "exact", *, negation: bool = True, lists_all: bool = False) -> Capabilities:
    """Return the abilities that a source's spec states."""
    return Capabilities(
        limit=LIMIT,
        page_size=WIDTH,
        negation=negation,
        counts=counts,  # type: ignore[arg-type]
        lists_all=lists_all,
    )


def box(**source: object) -> Searcher:
    """Return a source of the docstrings."""
    bounds = {"limit": LIMIT, "page_size": WIDTH, "ranking": "static", "seed": 5}
    return Searcher(CORPUS, **{**bounds, **source})  # type: ignore[arg-type]


def scouted(
    source: Box,
    abilities: Capabilities,
    *,
    seed: int = 0,
    most: float = inf,
) -> tuple[SourceSurvey, Ledger]:
    """Run a scout; by default it sees only titles and snippets, as `longline plan` does."""
    ledger, scope = Ledger(), SearchedField(abilities.limit)

    def make() -> SourceSurvey:
        return SourceSurvey(
            abilities,
            np.random.default_rng(seed),
            scope=scope,
            left=lambda: most - ledger.result_pages,
        )

    scoped, client = FieldAware(make, scope), MemoryClient(source)
    asyncio.run(Engine(scoped, client, MemoryStore(), ledger, RunLimits(listing_only=True)).run())
    return scoped.policy, ledger


TITLED = [
    Document(each.key, title=" ".join(each.text.split()[:7]), text=each.text)
    for each in CORPUS
    if len(each.text.split()) > 20
]
"""Their titles are the first seven words, enough for a search by titles."""


def titled(**source: object) -> ByTitle:
    """Return a source that searches only titles."""
    bounds = {"limit": LIMIT, "page_size": WIDTH, "ranking": "static", "seed": 5}
    return ByTitle(TITLED, **{**bounds, **source})


@pytest.mark.parametrize("counts", ["exact", "none"])
@pytest.mark.parametrize("seed", range(3))
def test_a_search_of_titles_alone_is_noticed(counts: str, seed: int) -> None:
    """A search of titles is reported, NOT is kept, and the size is estimated from titles."""
    scout, ledger = scouted(titled(counts=counts), told(counts), seed=seed, most=25)
    found = scout.so_far()
    assert scout.findings is not None
    assert "it searches only titles" in scout.findings.doubts
    assert scout.findings.abilities.negation
    assert found.at_least <= len(TITLED) <= (found.high or len(TITLED))
    assert ledger.result_pages <= 27


def test_a_search_of_texts_is_asked_nothing_for_it() -> None:
    """If texts are searched, as the first page shows, no further query tests it."""
    scout, ledger = scouted(box(), told())
    alone = SourceSurvey(told(), np.random.default_rng(0))
    other = Ledger()
    asyncio.run(
        Engine(alone, MemoryClient(box()), MemoryStore(), other, RunLimits(listing_only=True)).run()
    )
    assert [row.query for row in ledger.chart()] == [row.query for row in other.chart()]
    assert scout.findings == alone.findings
    assert scout.findings is not None
    assert not scout.findings.doubts


@pytest.mark.parametrize("counts", ["exact", "none"])
@pytest.mark.parametrize("habit", ["stop words", "short words", "none"])
def test_words_that_are_passed_over_are_named(habit: str, counts: str) -> None:
    """A word that documents show, but that finds none of them, is named as ignored."""
    analyzer = Analyzer()
    dropping = {"analyzer": lambda text: list(analyzer.terms(text))}
    source: Box = box(counts=counts, **(dropping if habit == "stop words" else {}))
    source = FaultySource(source, ShortWords(4)) if habit == "short words" else source
    scout, _ = scouted(source, told(counts))
    named = scout.vocabulary.passed_over
    assert scout.findings is not None
    assert bool(named) == (habit != "none")
    assert all(word in STOP_WORDS or len(word) < 4 for word in named)
    assert any("it ignores words" in doubt for doubt in scout.findings.doubts) == bool(named)


@pytest.mark.parametrize("seed", range(4))
def test_a_few_queries_are_made_do_with(seed: int) -> None:
    """If records have only a few words, there are many roots, and the size is still estimated."""
    records = [Document(each.key, text=each.title) for each in TITLED]
    source = Searcher(records, limit=LIMIT, page_size=WIDTH, ranking="static", seed=5)
    scout, ledger = scouted(source, told(), seed=seed, most=22)
    found = scout.so_far()
    assert ledger.result_pages <= 23
    assert found.method == "roots"
    assert found.low <= len(records) <= (found.high or 0)


@pytest.mark.parametrize("snippets", [True, False])
def test_lengths_are_known_by_what_was_searched(snippets: bool) -> None:
    """Titles say nothing about the length of searched texts; snippets show that these are long."""
    words = scouted(box(snippets=snippets), told())[0].vocabulary
    assert words.is_known == snippets
    assert words.common == ()


def test_how_common_words_are_is_seen_in_a_few_hundred_documents() -> None:
    """Shares of the most common words are close to those in the complete source."""
    records = [Document(each.key, title=each.title) for each in TITLED]
    source = Searcher(records, limit=LIMIT, page_size=WIDTH, ranking="static", seed=5)
    common = scouted(source, told(), most=25)[0].vocabulary.common
    frequencies = sorted(source.document_frequencies().values(), reverse=True)
    true = [each / len(records) for each in frequencies[:20]]
    assert sum(common[:20]) == pytest.approx(sum(true), rel=0.35)
    assert common[19] == pytest.approx(true[19], rel=0.4)


@pytest.mark.parametrize("seed", range(4))
def test_three_words_that_hardly_meet_leave_much_outside(seed: int) -> None:
    """Without NOT, short records are recognised by how few of them share words."""
    records = [Document(each.key, text=" ".join(each.title.split()[:5])) for each in TITLED]
    source = Searcher(records, limit=LIMIT, page_size=WIDTH, boolean=False, seed=5)
    found = scouted(source, told(negation=False), seed=seed)[0].so_far()
    assert found.method == "roots"
    assert found.at_least < 0.8 * len(records)
    assert found.low <= len(records) <= (found.high or inf)
    assert 0.5 * len(records) < (found.documents or 0) < 3 * len(records)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ranking", ["static", "bm25"])
def test_roots_find_the_size(ranking: str, seed: int) -> None:
    """With AND, NOT and exact totals the size is known to 5 %, and never counted too high."""
    scout, ledger = scouted(box(ranking=ranking), told(), seed=seed, most=26)
    found = scout.so_far()
    assert found.method == "roots"
    assert found.documents == pytest.approx(SIZE, rel=0.05)
    assert 0.95 * SIZE <= found.at_least <= SIZE
    assert found.high is not None
    assert found.low <= SIZE <= found.high * 1.001
    assert ledger.result_pages <= scout.queries <= 26


@pytest.mark.parametrize("seed", [6, 10, 21, 37])
def test_a_part_without_the_common_words_is_counted(seed: int, shared: Path) -> None:
    """One story in twelve is a row of figures, without articles and verbs."""
    stories = read_corpus(shared / "corpora/reuters.jsonl.gz")
    places = np.random.default_rng([seed, 7]).choice(len(stories), 1500, replace=False)
    drawn = [stories[place] for place in sorted(places.tolist())]
    source = Searcher(drawn, limit=LIMIT, page_size=WIDTH, ranking="static", seed=seed)
    found = scouted(source, told(), seed=seed, most=26)[0].so_far()
    assert found.method == "roots"
    assert found.low <= 1500 <= (found.high or 0) < 1.1 * 1500


@pytest.mark.parametrize("seed", range(4))
def test_roots_that_leave_much_outside_are_no_size(seed: int) -> None:
    """If records of a few words hardly share any, other words show how many are outside."""
    records = [
        Document(each.key, text=" ".join(each.text.split()[:6])) for each in CORPUS if each.text
    ]
    source = Searcher(records, limit=LIMIT, page_size=WIDTH, ranking="static", seed=5)
    found = scouted(source, told(), seed=seed)[0].so_far()
    assert found.method == "roots"
    assert found.at_least < 0.9 * len(records)
    assert found.low <= len(records) <= (found.high or 0)


def test_without_not_roots_are_counted_by_their_overlaps() -> None:
    """With AND but no NOT, three terms are counted by inclusion and exclusion."""
    scout, _ = scouted(box(boolean=False), told(negation=False))
    found = scout.so_far()
    assert found.method == "roots"
    assert found.at_least <= SIZE <= (found.high or 0)
    assert found.documents == pytest.approx(SIZE, rel=0.12)


@pytest.mark.parametrize("negation", [True, False])
def test_wrong_totals_widen_the_interval(negation: bool) -> None:
    """If totals are wrong, often by e and more, the interval is wide and contains the size."""
    source = box(counts="approximate", count_sigma=1.0, boolean=negation)
    scout, _ = scouted(source, told("about", negation=negation))
    found = scout.so_far()
    assert found.method == ("roots" if negation else "shares")
    assert found.high is not None
    assert found.low <= SIZE <= found.high
    assert found.high > 2 * found.low
    assert found.at_least == scout.seen


@pytest.mark.parametrize("seed", range(6))
def test_rough_totals_prove_nothing_against_and(seed: int) -> None:
    """If totals are rough, a larger one for an additional term does not disprove AND."""
    source = box(counts="approximate", count_sigma=1.0, seed=seed)
    scout, _ = scouted(source, told("about"), seed=seed)
    assert scout.findings is not None
    assert scout.findings.abilities.conjunction
    assert scout.findings.abilities.negation


@pytest.mark.parametrize("negation", [True, False])
@pytest.mark.parametrize("most", [100, 200, 400])
def test_totals_that_go_no_higher_are_no_size(most: int, negation: bool) -> None:
    """If totals are capped, no interval ends below the size."""
    source = FaultySource(box(boolean=negation), ClampedTotals(most))
    scout, _ = scouted(source, told(negation=negation))
    found = scout.so_far()
    assert found.low <= SIZE <= (found.high or SIZE)
    assert found.at_least <= SIZE


def test_a_listing_says_it_all() -> None:
    """If a query without words lists everything, its total is the size."""
    scout, _ = scouted(box(lists_all=True), told(lists_all=True))
    found = scout.so_far()
    assert (found.method, found.documents, found.at_least) == ("listing", SIZE, SIZE)


def test_without_totals_snippets_tell_nothing() -> None:
    """Without totals and full texts there is no estimate, only the number of seen documents."""
    scout, ledger = scouted(box(counts="none"), told("none"))
    found = scout.so_far()
    assert (found.method, found.documents, found.high) == ("seen", None, None)
    assert found.at_least == scout.seen == ledger.documents_seen > 50


def test_not_that_is_ignored_is_not_counted_on() -> None:
    """If NOT is accepted but ignored, no estimate uses it."""
    scout, _ = scouted(FaultySource(box(), IgnoredNot()), told())
    assert scout.findings is not None
    assert not scout.findings.abilities.negation
    assert scout.so_far().method == "roots"
    assert scout.so_far().at_least <= SIZE


@pytest.mark.parametrize("ranking", ["static", "bm25"])
def test_and_that_is_or_is_not_counted_on(ranking: str) -> None:
    """Snippets need not show the query's words; totals show that more match two words."""
    scout, _ = scouted(FaultySource(box(ranking=ranking), OrForAnd()), told())
    assert scout.findings is not None
    assert not scout.findings.abilities.conjunction
    assert "AND does not work" in scout.findings.doubts


def test_stop_words_that_match_nothing_are_passed_over() -> None:
    """If a source does not index its most common words, others are used."""
    analyzer = Analyzer()
    source = box(analyzer=lambda text: list(analyzer.terms(text)))
    scout, _ = scouted(source, told())
    found = scout.so_far()
    assert found.method == "roots"
    assert 0.6 * SIZE <= found.at_least <= SIZE <= (found.high or 0)


def test_a_source_without_any_hit_is_an_error() -> None:
    """If no word returns a document, the engine raises an error."""
    with pytest.raises(PageError):
        scouted(Searcher([Document("a", text="zzz")]), told())


def test_same_seed_same_queries() -> None:
    """The same seed gives the same queries."""
    first, second = (scouted(box(), told(), seed=4) for _ in range(2))
    assert [row.query for row in first[1].chart()] == [row.query for row in second[1].chart()]


def test_a_probe_that_was_stopped_says_what_it_saw() -> None:
    """Before its end a scout knows the seen documents and the largest exact total."""
    scout = SourceSurvey(told(), np.random.default_rng(0))
    assert scout.so_far().at_least == 0
    assert scout.so_far().documents is None


@settings(max_examples=50)
@given(st.lists(st.sets(st.integers(0, 30), min_size=1), min_size=1, max_size=3))
def test_overlaps_count_a_union(sets: list[set[int]]) -> None:
    """Inclusion and exclusion count the union of the sets."""
    terms = "abc"[: len(sets)]
    cells = [
        Cell(
            each, (), UNKNOWN, reported=len(set.intersection(*(sets["abc".index(t)] for t in each)))
        )
        for size in range(1, len(terms) + 1)
        for each in combinations(terms, size)
    ]
    assert sum(map(_signed, cells)) == len(set.union(*sets))


@settings(max_examples=50)
@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=10), st.floats(0, 2))
def test_roots_are_ordered(totals: list[int], noise: float) -> None:
    """Minimum, estimate and maximum are in this order, whatever the totals."""
    for found in (by_roots(totals, 1), by_rough_roots(totals, [sum(totals)], noise, 1)):
        assert found.documents is not None
        assert found.high is not None
        assert found.at_least <= found.low <= found.documents <= found.high
    assert outside(totals) >= 0
