"""The published strategies DF-Weighted, genetic and HDF5 to HDF15: queries, and their order."""

import asyncio

import numpy as np
import pytest

from longline.engine import Engine, RunLimits
from longline.errors import UnknownNameError
from longline.estimate import DF_ESTIMATORS
from longline.events import DocumentReceived, PageReceived
from longline.ledger import Ledger, certificate_of
from longline.model import Document, Finish, Hit, Page, Query, Request, Search, Total
from longline.planner.capabilities import Capabilities
from longline.planner.published.df_weighted import (
    IDLE_QUERIES,
    DfWeighted,
    below_limit,
)
from longline.planner.published.sample_and_cover import df_in_source
from longline.planner.published.term_value import HighestDfOr
from longline.planner.strategies import Options, make_planner
from longline.pool import document_term_matrix
from longline.ports import Policy
from longline.simulate import MemoryClient, Searcher, read_corpus
from longline.store import MemoryStore

EXAMPLE = {
    "d1": "qc qe qf",
    "d2": "qe qf",
    "d3": "qf",
    "d4": "qe qf",
    "d5": "qb qe",
    "d6": "qc qd",
    "d7": "qa qb qd",
    "d8": "qd",
    "d9": "qa qb qd qe",
}
"""Fu 2011, Table 2 (its Table 1 leaves out d9 from q4): d1 to d9, with qa to qf for q1 to q6."""

MORE = Request("http://x.org/?page=2")
DOCUMENTS = read_corpus("docstrings")[::4]
ABLE = Capabilities(limit=50, page_size=10, disjunction=True)


def rng(seed: int = 0) -> np.random.Generator:
    """Return a generator."""
    return np.random.default_rng(seed)


def tell(policy: Policy, search: Search | Finish, *, documents: bool = True) -> None:
    """Answer a search with the complete example, or with its documents that hold the term."""
    assert isinstance(search, Search)
    keys = [
        key for key, text in EXAMPLE.items() if {"start", *text.split()} & {*search.query.wanted}
    ]
    page = Page(tuple(Hit(key) for key in keys), Total(len(keys)))
    policy.tell(PageReceived(search.query, search.number, page))
    for key in keys if documents else ():
        policy.tell(DocumentReceived(Document(key, text=EXAMPLE[key])))


def selected(limit: int | None, size: int | None) -> list[str]:
    """Sample the complete example by one word; return the terms selected then."""
    policy = DfWeighted(9, rng(), ["start"], limit=limit, size=size)
    tell(policy, policy.next())
    chosen = []
    while isinstance(search := policy.next(), Search):
        chosen.append(search.query.required[0])
        tell(policy, search, documents=False)
    return chosen


def most_reached(limit: int, least_df: float, size: int) -> float:
    """Return how many documents queries reach on average if each matches `least_df` or more.

    Under a static ranking: M <= k / df x N. Fu 2011, section 4.3, equation 5, after Lu.
    """
    return size * min(1.0, limit / least_df)


@pytest.mark.parametrize("method", sorted(DF_ESTIMATORS))
def test_every_df_estimator_selects(method: str) -> None:
    """DF-Weighted and set covering accept each estimator; one that lacks totals falls back."""
    for name in ("df-weighted", "ids"):
        options = Options(
            sample=60, words=("the", "a", "to"), abilities=ABLE, df_estimator=method, size=1000
        )
        policy = make_planner(name, options, rng(2))
        searcher = Searcher(DOCUMENTS, limit=50, page_size=10)
        ledger = Ledger(size=len(DOCUMENTS))
        asyncio.run(
            Engine(
                policy, MemoryClient(searcher), MemoryStore(), ledger, RunLimits(max_queries=60)
            ).run()
        )
        assert ledger.documents > 60


def test_df_estimators_are_refused_and_told_apart() -> None:
    """An unknown estimator is an error; known totals are used unchanged."""
    with pytest.raises(UnknownNameError, match="good-turing"):
        make_planner("ids", Options(df_estimator="ney"), rng())
    sample = document_term_matrix(["deep web", "deep sea", "deep web"])
    found = df_in_source(sample, 30, "good-turing", {"web": 4})
    assert dict(zip(sample.terms, found.tolist(), strict=True))["web"] == 4
    assert df_in_source(sample, 30, "zipf-mandelbrot").tolist() == [30, 10, 20]


def test_nothing_reaches_further_than_equation_5() -> None:
    """Under a static ranking queries of df >= 200 show at most half of a source at k = 100."""
    texts = [
        Document(str(n), text=" ".join(f"t{n % m}x{m}" for m in (2, 3, 4, 5))) for n in range(1000)
    ]
    box = Searcher(texts, limit=100, page_size=100, ranking="static")
    dfs = box.document_frequencies()
    shown = {key for term, df in dfs.items() if df >= 200 for key in box.keys(Query((term,)))}
    assert 0 < len(shown) <= 1.1 * most_reached(100, 200, 1000)


def test_without_a_limit_it_is_the_thesis_weighted_greedy() -> None:
    """On the thesis's example all terms are candidates, and the cover costs 11 or less."""
    chosen = selected(limit=None, size=9)
    df = {term: sum(term in text.split() for text in EXAMPLE.values()) for term in chosen}
    covered = {key for key, text in EXAMPLE.items() if set(text.split()) & set(chosen)}
    assert covered == set(EXAMPLE)
    assert sum(df.values()) == 11
    assert sorted(chosen) == ["qb", "qd", "qf"]


@pytest.mark.parametrize(
    ("limit", "size", "candidates"),
    [
        (6, 9, ["qa", "qb", "qc", "qd", "qe", "qf"]),
        (5, 9, ["qa", "qb", "qc", "qd", "qf"]),  # qe has a df of 5, which is not below 5
        (10, 18, ["qa", "qb", "qc", "qd", "qf"]),  # by equation 6 twice that
        (8, 18, ["qa", "qb", "qc"]),
        (8, 17, ["qa", "qb", "qc", "qd", "qf"]),  # 4 * 17 / 9 is below 8
    ],
)
def test_candidates_are_below_the_limit(limit: int, size: int, candidates: list[str]) -> None:
    """A term is a candidate if df * N / n is below k (equations 5 and 6)."""
    found = below_limit(document_term_matrix(EXAMPLE.values()), limit, size)
    assert found.terms == candidates
    assert set(selected(limit, size)) <= set(candidates)


def test_nothing_below_the_limit_is_said() -> None:
    """If every estimate reaches the limit, nothing is sent, and the reason has the figures."""
    policy = DfWeighted(9, rng(), ["start"], limit=2, size=9)
    tell(policy, policy.next())
    finish = policy.next()
    assert isinstance(finish, Finish)
    assert not finish.target_met
    assert "9 documents" in finish.reason


def test_sample_is_made_of_whole_answers_of_dictionary_words() -> None:
    """Every page of random dictionary words is requested, until the sample is complete."""
    policy = DfWeighted(30, rng(), ["one", "two", "three", "one"], limit=100, size=100)
    asked = []
    for first in range(0, 30, 5):
        search = policy.next()
        assert isinstance(search, Search)
        asked.append((search.query.required[0], search.number))
        some = [Document(str(n), text=f"w{'x' * n}") for n in range(first, first + 5)]
        more = MORE if search.number == 1 else None
        hits = tuple(Hit(each.key) for each in some)
        policy.tell(PageReceived(search.query, search.number, Page(hits, next=more)))
        for each in some:
            policy.tell(DocumentReceived(each))
    words = [word for word, number in asked if number == 1]
    assert sorted(words) == ["one", "three", "two"]
    assert asked == [(word, number) for word in words for number in (1, 2)]
    search = policy.next()
    assert isinstance(search, Search)
    assert search.query.required[0].startswith("w")


def test_sample_ends_where_the_dictionary_brings_nothing() -> None:
    """After many words without a new document, the sample counts as complete."""
    words = [f"w{'x' * n}" for n in range(3 * IDLE_QUERIES)]
    policy = DfWeighted(100, rng(), words, limit=100, size=100)
    asked = 0
    while isinstance(search := policy.next(), Search) and asked <= 3 * IDLE_QUERIES:
        asked += 1
        policy.tell(PageReceived(search.query, 1, Page()))
    assert asked == IDLE_QUERIES


def test_unknown_size_is_estimated_from_repeats() -> None:
    """The more the sample's answers repeat each other, the smaller is the estimate."""
    sizes = []
    for repeats in (0, 1, 100):
        policy = DfWeighted(9, rng(), ["start"], limit=7)
        tell(policy, policy.next())
        for _ in range(repeats):
            policy.see(Query(("start",)), 1, Page(tuple(Hit(key) for key in EXAMPLE)))
        chosen = set()
        while isinstance(search := policy.next(), Search):
            chosen.add(search.query.required[0])
        sizes.append(len(chosen))
    assert sizes == [0, 2, 3]


def harvest(
    policy: Policy, max_queries: int | None = None, **source: object
) -> tuple[Ledger, list[Query]]:
    """Harvest a simulated source with a planner; return the ledger and the queries in order."""
    settings = {"limit": 50, "page_size": 10, "ranking": "static", **source}
    box = Searcher(DOCUMENTS, **settings)  # type: ignore[arg-type]
    ledger, store = Ledger(size=len(DOCUMENTS), limit=50, page_size=10), MemoryStore()
    engine = Engine(policy, MemoryClient(box), store, ledger, RunLimits(max_queries=max_queries))
    asyncio.run(engine.run())
    asked = [event.query for event in store.events() if isinstance(event, PageReceived)]
    return ledger, list(dict.fromkeys(asked))


def test_df_weighted_is_less_often_cut_than_weighted_greedy() -> None:
    """On a source cut at k its queries are capped far less often than those of IDS."""
    shares = []
    words = tuple(sorted({word for each in DOCUMENTS for word in each.text.lower().split()}))
    for name in ("df-weighted", "ids"):
        options = Options(
            sample=150, cost="df", pool_relative_size=20, rounds=1, size=len(DOCUMENTS),
            abilities=Capabilities(limit=10, page_size=10), words=words,
        )  # fmt: skip
        ledger, queries = harvest(make_planner(name, options, rng(1)), limit=10)
        capped = certificate_of(ledger).cuts.get("capped", 0)
        shares.append(capped / len(queries))
    assert shares[0] < 0.5 * shares[1]


def test_genetic_covers_its_sample() -> None:
    """Its selection has a query for each document of the sample that its pool matches."""
    options = Options(sample=100, rounds=1, cost="df", abilities=ABLE)
    ledger, queries = harvest(make_planner("genetic", options, rng(2)))
    assert ledger.documents > 100
    assert len(queries) == ledger.queries > 10


@pytest.mark.slow
@pytest.mark.parametrize("terms", [5, *(terms for terms in (10, 15))])
def test_hdf_asks_for_any_of_so_many_terms_once(terms: int) -> None:
    """Queries are single words at first, then alternatives; no term is used twice."""
    options = Options(abilities=ABLE)
    ledger, queries = harvest(make_planner(f"hdf{terms}", options, rng(3)))
    either = [query for query in queries if query.any_of]
    assert len(either) > 10
    assert not any(query.any_of and query.required for query in queries)
    sizes = [len(query.any_of) for query in either]  # fewer only once all others are used up
    assert max(sizes) == terms == np.median(sizes)
    used = [term for query in either for term in query.any_of]
    assert len(set(used)) == len(used)
    assert ledger.documents


def test_hdf_draws_terms_of_high_df() -> None:
    """Its first terms are in far more documents than an average term."""
    _, queries = harvest(make_planner("hdf5", Options(abilities=ABLE), rng(4)), 40)
    df = Searcher(DOCUMENTS).document_frequencies()
    first = [df[term] for query in queries[:12] for term in query.any_of]
    assert np.median(first) > 10 * np.mean(list(df.values()))


def test_more_alternatives_reach_less_under_static_ranking() -> None:
    """The thesis's observation: the higher the df of the queries, the worse (Figure 19)."""
    reached = []
    for name in ("highest-df", "hdf5", "hdf15"):
        ledger, _ = harvest(make_planner(name, Options(abilities=ABLE), rng(5)), 100, limit=20)
        received = next(row for row in ledger.chart() if row.total_received >= 600)
        reached.append(received.total_unique)
    assert reached[0] > 1.5 * reached[1] > 1.5 * reached[2]


@pytest.mark.parametrize(
    ("abilities", "says"),
    [
        (Capabilities(), "no OR"),
        (Capabilities(disjunction=True, max_terms=8), "reads 8 terms"),
    ],
)
def test_hdf_needs_a_source_that_takes_it(abilities: Capabilities, says: str) -> None:
    """Without OR, or with too short queries, it ends at once and gives the reason."""
    finish = HighestDfOr(abilities, rng(), terms=10).next()
    assert isinstance(finish, Finish)
    assert says in finish.reason
    assert not finish.target_met
