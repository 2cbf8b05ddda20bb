"""Auto: finds out what a source can do, chooses accordingly, and survives lying sources."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from math import inf

import numpy as np
import pytest
from bench.faulty.lies import (
    ClampedTotals,
    EmptyPage,
    FaultySource,
    IgnoredNot,
    Lie,
    NotAsWord,
    OrForAnd,
    PageTotals,
    SamePageForEver,
    ScaledTotals,
    ShuffledPages,
    StopWords,
    TruncatedQuery,
)
from tests.planner.test_planners import word

from longline.engine import Engine, RunLimits
from longline.events import DocumentReceived, PageReceived
from longline.ledger import Ledger
from longline.model import Document, Query
from longline.planner import auto
from longline.planner.adaptive.planner import Adaptive
from longline.planner.auto import Auto
from longline.planner.capabilities import Capabilities
from longline.planner.partition.planner import Partition
from longline.planner.strategies import Options, make_planner
from longline.simulate import MemoryClient, Searcher, read_corpus
from longline.simulate.documents.words import reading, words
from longline.simulate.search.searcher import Box
from longline.store import MemoryStore
from longline.text.seed_words import SEED_WORDS

LIMIT, WIDTH = 40, 20
TRIALS = 20
"""Number of queries after which auto knows what a source can do."""
TOLD = Capabilities(limit=LIMIT, page_size=WIDTH, negation=True, counts="exact")


def corpus(documents: int = 750, terms: int = 300, length: int = 16) -> list[Document]:
    """Return documents of some terms each, drawn by Zipf's law."""
    rng = np.random.default_rng(1)
    shares = 1 / np.arange(3, terms + 3)
    shares /= shares.sum()
    texts = [
        " ".join(word(t) for t in rng.choice(terms, length, p=shares)) for _ in range(documents)
    ]
    return [Document(f"d{n}", text=text) for n, text in enumerate(texts)]


CORPUS = corpus()
WORDS = tuple(word(n) for n in range(40))


def box(**source: object) -> Searcher:
    """Return an honest source."""
    bounds = {"limit": LIMIT, "page_size": WIDTH, "ranking": "static", "snippets": False}
    return Searcher(CORPUS, **{**bounds, **source})  # type: ignore[arg-type]


class Done:
    """A harvest in memory, to its end or to a number of queries."""

    def __init__(
        self,
        source: Box,
        abilities: Capabilities = TOLD,
        seed: int = 0,
        *,
        listing_only: bool = False,
        words: Sequence[str] = WORDS,
        max_queries: int | None = None,
    ) -> None:
        self.planner = Auto(abilities, np.random.default_rng(seed), words)
        self.ledger, self.store = Ledger(size=len(CORPUS)), MemoryStore()
        engine = Engine(
            self.planner,
            MemoryClient(source),
            self.store,
            self.ledger,
            RunLimits(listing_only=listing_only, max_queries=max_queries),
        )
        self.stopped = asyncio.run(engine.run())
        asked = [e for e in self.store.events() if isinstance(e, PageReceived)]
        self.queries = list(dict.fromkeys(event.query for event in asked))
        self.pages = [(event.query, event.number) for event in asked]
        assert self.planner.findings is not None
        self.findings = self.planner.findings
        self.hit_rate = self.ledger.documents / len(CORPUS)


def test_an_able_source_is_partitioned() -> None:
    """If everything works as stated, about ten trials are enough and rows hardly repeat."""
    done = Done(box())
    assert done.findings.doubts == ()
    assert done.findings.abilities == Capabilities(
        limit=LIMIT, page_size=WIDTH, negation=True, counts="exact"
    )
    assert done.findings.queries <= 10
    assert done.stopped.reason.startswith("partition: ")
    assert done.hit_rate >= 0.99
    assert done.ledger.overlapping_rate < 1.5


@pytest.mark.parametrize(
    ("told", "found"),
    [
        (Capabilities(negation=True), {"page_size": WIDTH, "counts": "exact"}),
        (Capabilities(limit=7, page_size=5, negation=True), {"page_size": WIDTH, "limit": None}),
    ],
)
def test_page_size_limit_and_totals_are_found(told: Capabilities, found: dict[str, object]) -> None:
    """Facts that are missing or wrong in the spec are found from the answers."""
    able = Done(box(), told, max_queries=TRIALS).findings.abilities
    assert {name: getattr(able, name) for name in found} == found


@pytest.mark.parametrize(("ranking", "found"), [("static", "static"), ("bm25", "dynamic")])
def test_ranking_is_told_by_the_order_of_common_hits(ranking: str, found: str) -> None:
    """One order for all queries is static, any other dynamic; with few hits it stays unknown."""
    wide = {"limit": 100, "page_size": 50, "ranking": ranking}
    told = Capabilities(limit=100, page_size=50, negation=True)
    ended = [Done(box(**wide), told, seed=n, max_queries=TRIALS) for n in range(3)]
    said = {done.findings.ranking for done in ended}
    assert said - {None} == {found}


@pytest.mark.parametrize(
    ("lie", "doubt", "way"),
    [
        (IgnoredNot(), "NOT does not work", "adaptive"),
        (NotAsWord(), "NOT does not work", "adaptive"),
        (OrForAnd(), "AND does not work", "adaptive"),
        (TruncatedQuery(8), "it reads only the first 8 words", "partition"),
        (ScaledTotals(0.1), "", "partition"),
        (ScaledTotals(10), "", "partition"),
        (ClampedTotals(25), "", "partition"),
        (PageTotals(), "", "partition"),
        (ShuffledPages(), "", "partition"),
        (EmptyPage(2), "", "partition"),
        (SamePageForEver(), "", "partition"),
    ],
)
def test_a_lying_source_is_noticed_and_harvested_all_the_same(
    lie: Lie, doubt: str, way: str
) -> None:
    """Broken features are named, working ones are used, and most of the source is harvested."""
    done = Done(FaultySource(box(), lie))
    assert doubt in str(done.findings)
    assert done.stopped.reason.startswith(way)
    assert done.hit_rate >= (0.97 if way == "partition" else 0.85)
    assert len(done.pages) == len(set(done.pages)) < 30 * len(CORPUS) / WIDTH


def test_a_source_without_not_is_asked_by_terms() -> None:
    """If the source has no NOT, no query excludes anything."""
    done = Done(box(boolean=False), Capabilities(limit=LIMIT, page_size=WIDTH))
    assert not any(query.excluded for query in done.queries)
    assert done.stopped.reason.startswith("adaptive: ")
    assert done.hit_rate > 0.85


@pytest.mark.parametrize("counts", ["exact", "none"])
def test_snippets_do_not_speak_against_and(counts: str) -> None:
    """If only a document's snippet is known, a word that it lacks proves nothing."""
    texts = corpus(documents=500, length=80)
    source = Searcher(texts, limit=LIMIT, page_size=WIDTH, counts=counts, ranking="static")  # type: ignore[arg-type]
    done = Done(
        source, Capabilities(limit=LIMIT, page_size=WIDTH, negation=True), listing_only=True
    )
    assert done.findings.doubts == ()
    assert done.stopped.reason.startswith("partition: ")
    assert done.ledger.documents >= 0.97 * len(texts)


def test_hits_that_show_nothing_leave_the_words_to_begin_with() -> None:
    """If hits show no terms and no documents are read, this is reported and all words are sent."""
    done = Done(box(), Capabilities(limit=LIMIT, negation=True), listing_only=True)
    assert "what came shows no term to ask for" in done.stopped.reason
    assert {word for query in done.queries for word in query.required} == set(WORDS)


def test_queries_are_no_longer_than_the_source_reads() -> None:
    """After a trial has shown where queries are cut, none is longer."""
    done = Done(FaultySource(box(), TruncatedQuery(6)), max_queries=100)
    lengths = [len(query.required) + len(query.excluded) for query in done.queries]
    assert done.findings.abilities.max_terms == 6
    assert max(lengths[done.findings.queries :]) == 6


def notes(documents: int = 3000, terms: int = 1500) -> list[Document]:
    """Return records of four words each, none of them common, and a mark on most."""
    rng = np.random.default_rng(4)
    shares = 1 / (150 + np.arange(terms))
    names = [word(n % 600) + word(n // 600) for n in range(terms)]
    names[: len(WORDS)] = WORDS
    texts = [
        [*rng.choice(names, 4, p=shares / shares.sum()), *["note"][: int(rng.random() < 0.6)]]
        for _ in range(documents)
    ]
    return [Document(f"d{n}", text=" ".join(each)) for n, each in enumerate(texts)]


@pytest.mark.slow
def test_records_of_a_few_words_are_asked_for_by_single_terms_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If no word divides many records, single terms start before the partition is stuck."""

    def held_at_x1() -> float:
        """Return the share held after as many pages as could hold the source."""
        source = Searcher(notes(), limit=LIMIT, page_size=WIDTH, ranking="static", snippets=False)
        done = Done(source, max_queries=3000 // WIDTH)
        pages = [e.page for e in done.store.events() if isinstance(e, PageReceived)]
        return len({hit.key for page in pages[: 3000 // WIDTH] for hit in page.hits}) / 3000

    held = held_at_x1()
    monkeypatch.setattr(auto, "HOPELESS", inf)
    assert held > held_at_x1() + 0.03


def test_a_stuck_partition_and_single_terms_take_turns() -> None:
    """If queries must be short, both strategies take turns, and both are named at the end."""
    able = Capabilities(limit=10, page_size=10, negation=True, max_terms=4)
    done = Done(box(limit=10, page_size=10), able)
    assert "partition: " in done.stopped.reason
    assert "adaptive: " in done.stopped.reason
    assert done.hit_rate > 0.85
    assert max(len(query.required) + len(query.excluded) for query in done.queries) <= 4


def test_partition_that_is_stuck_for_a_while_ends_it() -> None:
    """If more turns find most of what cells hide, the harvest ends with the partition."""
    has = np.random.default_rng(2).random((1000, 150)) < 0.12
    texts = [" ".join([WORDS[0], *(f"x{word(t)}" for t in np.flatnonzero(row))]) for row in has]
    documents = [Document(f"a{n}", text=text) for n, text in enumerate(texts)]
    source = Searcher(documents, limit=20, page_size=10, ranking="static", snippets=False)
    done = Done(source, Capabilities(limit=20, page_size=10, negation=True, max_terms=16))
    assert done.stopped.reason.startswith("partition: every part was fetched")
    assert done.stopped.target_met
    assert done.ledger.documents >= 0.97 * len(documents)


def test_single_terms_take_over_all_that_a_partition_holds() -> None:
    """Single terms know the same terms as if they had received the documents themselves."""
    partition, told, handed = (
        make_planner(name, Options(abilities=TOLD), np.random.default_rng(0))
        for name in ("partition", "adaptive", "adaptive")
    )
    assert isinstance(partition, Partition)
    assert isinstance(told, Adaptive)
    assert isinstance(handed, Adaptive)
    texts = ["The deep web and THE sea", "", "café-web", "深層ウェブ"]
    for number, text in enumerate(texts):
        event = DocumentReceived(Document(f"d{number}", title="A title", text=text))
        partition.tell(event)
        told.tell(event)
    handed.take_all(partition.written())
    assert handed.next() == told.next()  # this counts everything
    assert list(handed._seen.terms) == list(told._seen.terms)
    for key in ("d0", "d1", "d2", "d3"):
        assert np.array_equal(handed._seen.terms_of(key), told._seen.terms_of(key))
    assert np.array_equal(handed._seen.df, told._seen.df)


def test_same_seed_asks_the_same_and_a_replay_goes_on() -> None:
    """The seed decides the order; a new planner that replays the journal sends nothing again."""
    first, second = Done(box(), seed=3), Done(box(), seed=3)
    assert first.pages == second.pages
    ledger = Ledger()
    for event in first.store.events():
        ledger.tell(event)
    client = MemoryClient(box())
    planner = Auto(TOLD, np.random.default_rng(3), WORDS)
    asyncio.run(Engine(planner, client, first.store, ledger).run())
    assert client.requests == 0


def test_a_source_that_has_none_of_the_words_ends_in_order() -> None:
    """All words without hits are tried, and then this is reported."""
    planner = Auto(TOLD, np.random.default_rng(0), ["unknown", "words"])
    search = planner.next()
    assert search.query in (Query(("unknown",)), Query(("words",)))  # type: ignore[union-attr]
    planner.next()
    assert str(planner.next()).startswith("Finish(reason='no word brought")


def test_registry_makes_it() -> None:
    """The strategy has this name, and is the default of a harvest."""
    planner = make_planner("auto", Options(abilities=TOLD), np.random.default_rng(0))
    assert isinstance(planner, Auto)


def test_a_query_of_one_term_is_never_made_longer() -> None:
    """If a source reads one term, the trials of AND and NOT are left out, too."""
    done = Done(box(limit=None), Capabilities(page_size=WIDTH, max_terms=1))
    assert all(len(query.required) + len(query.excluded) == 1 for query in done.queries)
    assert done.hit_rate >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2, 3])
@pytest.mark.parametrize("counts", ["exact", "none"])
def test_commonest_words_that_are_passed_over_end_nothing_where_words_are_stemmed(
    counts: str, seed: int
) -> None:
    """A common word without hits only shows that it was ignored; the next words are tried."""
    texts = read_corpus("docstrings")[::10]
    frequent = Counter(term for d in texts for term in set(words(f"{d.title} {d.text}")))
    lie = StopWords(frozenset(term for term, _ in frequent.most_common(60)))
    of_documents, of_queries = reading("english")
    source = Searcher(
        texts,
        limit=100,
        counts=counts,  # type: ignore[arg-type]
        snippets=False,
        analyzer=of_documents,
        query_analyzer=of_queries,
    )
    done = Done(FaultySource(source, lie), Capabilities(negation=True), seed, words=SEED_WORDS)
    assert done.ledger.documents >= 0.9 * len(texts)
