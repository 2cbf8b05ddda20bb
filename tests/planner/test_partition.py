"""Partition, fed with events: disjoint cells, complete coverage, few pages, no loops."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from statistics import NormalDist

import msgspec
import numpy as np
import pytest
from bench.faulty.lies import (
    Ask,
    ClampedTotals,
    EmptyPage,
    FaultySource,
    GrowingTotals,
    IgnoredNot,
    Lie,
    NotAsWord,
    OrForAnd,
    PageTotals,
    RoundedTotals,
    SamePageForEver,
    ScaledTotals,
    ShortWords,
    ShuffledPages,
    TruncatedQuery,
    WithheldDocuments,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.planner.test_planners import LETTERS, word

from longline.engine import Engine, RunLimits
from longline.events import DocumentReceived, PageFailed, PageReceived
from longline.ledger import Ledger
from longline.model import Document, Finish, Hit, Page, Query, Request, Search, Total
from longline.planner.capabilities import Capabilities
from longline.planner.cells.cell import Cell
from longline.planner.cells.page_cost import _PEELS, _SHARES, LOST_PAGES, PageCosts, share_deviation
from longline.planner.cells.size import Size
from longline.planner.observed.conformance import PROVED, Conformance
from longline.planner.observed.documents import DocumentIndex
from longline.planner.observed.return_limit import ReturnLimit
from longline.planner.partition.planner import MOST_IDLE, Partition
from longline.planner.partition.rescue_queries import rescues
from longline.planner.partition.roots import EMPTY_ROOTS, READ
from longline.planner.partition.source_model import SourceModel
from longline.planner.partition.summary import discrepancies
from longline.planner.partition.truncation_check import LOOKS, PARTS
from longline.planner.strategies import Options, make_planner
from longline.simulate import MemoryClient, Searcher, read_corpus
from longline.simulate.search.searcher import Box
from longline.store import MemoryStore

LIMIT, WIDTH = 20, 10
ABLE = Capabilities(limit=LIMIT, page_size=WIDTH, negation=True, counts="exact")


def corpus(documents: int, terms: int = 300, length: int = 12, seed: int = 1) -> list[Document]:
    """Return documents of some terms each, drawn by Zipf's law."""
    rng = np.random.default_rng(seed)
    shares = 1 / np.arange(1, terms + 1)
    shares /= shares.sum()
    texts = [
        " ".join(word(t) for t in rng.choice(terms, length, p=shares)) for _ in range(documents)
    ]
    return [Document(f"d{n}", text=text) for n, text in enumerate(texts)]


CORPUS = corpus(600)


def box(documents: list[Document] = CORPUS, **source: object) -> Searcher:
    """Return an honest source."""
    bounds = {"limit": LIMIT, "page_size": WIDTH, "ranking": "static", "snippets": False}
    return Searcher(documents, **{**bounds, **source})  # type: ignore[arg-type]


def make(abilities: Capabilities = ABLE, seed: int = 0) -> Partition:
    """Return a planner that knows some words to start with."""
    return Partition(abilities, np.random.default_rng(seed), tuple(word(n) for n in range(9)))


class Harvest:
    """The requests of a planner, the results, and the reason for its end."""

    def __init__(self, planner: Partition, source: Box, *, listing_only: bool = False) -> None:
        self.planner = planner
        self.store = MemoryStore()
        self.ledger = Ledger()
        engine = Engine(
            planner,
            MemoryClient(source),
            self.store,
            self.ledger,
            RunLimits(listing_only=listing_only),
        )
        self.reason = asyncio.run(engine.run()).reason
        pages = [event for event in self.store.events() if isinstance(event, PageReceived)]
        self.asked = [(page.query, page.number) for page in pages]
        self.queries = list(dict.fromkeys(query for query, _ in self.asked))
        self.documents = self.ledger.documents
        self.pages = len(pages)
        self.new: list[int] = []
        seen: set[str] = set()
        for page in pages:
            keys = {hit.key for hit in page.page.hits}
            self.new.append(len(keys - seen))
            seen |= keys

    @property
    def pages_each(self) -> float:
        """Pages divided by the number of full pages without repeats."""
        return self.pages / (self.documents / WIDTH)


def harvest(source: Box | None = None, abilities: Capabilities = ABLE, seed: int = 0) -> Harvest:
    """Harvest a source in memory with a planner."""
    return Harvest(make(abilities, seed), source or box())


# The table V.


def slow_prices(
    limit: int, width: int, length: int, sampled: float, most: int
) -> list[list[float]]:
    """Return V by its recursion, cell by cell, without broadcasting or interpolation."""
    deviates = [NormalDist().inv_cdf((i + 0.5) / 9) for i in range(9)]
    table: list[list[float]] = []
    for left in range(length + 1):
        row: list[float] = []
        for n in range(most + 1):
            if n <= limit:
                row.append(ceil(n / width))
                continue
            best = ceil(limit / width) + (n - limit) * LOST_PAGES / width
            peels = [min(peel * limit / n, 1) for peel in _PEELS[0].tolist()]
            for g in [*peels, *_SHARES.tolist()] if left else []:
                deviation = float(share_deviation(g, sampled, n))
                total = 0.0
                for z in deviates:
                    x = round(n * min(max(g + deviation * z, 0), 1))
                    there = max(1, ceil(x / width)) if x <= limit else 1 + table[left - 1][x]
                    total += there + table[left - 1][n - x]
                best = min(best, total / 9)
            row.append(max(best, row[-1], ceil(n / width)))
        table.append(row)
    return table


@pytest.mark.parametrize(("limit", "width", "sampled"), [(6, 3, 40), (10, 10, 40), (12, 4, 5)])
def test_prices_are_those_of_the_recursion(limit: int, width: int, sampled: int) -> None:
    """If every size is tabulated, V equals the slow recursion."""
    prices, most = PageCosts(limit, width, 4, sampled), 4 * limit
    slow = slow_prices(limit, width, 4, sampled, most)
    for left in range(5):
        fast = prices.of(np.arange(most + 1), left)
        assert fast == pytest.approx(slow[left], abs=1e-9)


@settings(max_examples=15)
@given(st.integers(1, 60), st.integers(1, 6), st.integers(0, 8), st.integers(0, 500))
def test_larger_cells_never_cost_less(width: int, pages: int, length: int, sampled: int) -> None:
    """V does not fall with the size, and is never below the pages that n rows fill."""
    prices = PageCosts(width * pages, width, length, sampled)
    sizes = np.unique(np.geomspace(1, 50_000, 400).astype(int))
    price = prices.of(sizes, length)
    assert (np.diff(price) >= -1e-9).all()
    assert (price >= np.ceil(sizes / width)).all()


def test_more_room_and_more_knowledge_never_cost_more() -> None:
    """Longer queries and better known shares never make cells more expensive."""
    rough, sure = PageCosts(100, 50, 12, 30), PageCosts(100, 50, 12, 1000)
    assert (np.diff(rough.table, axis=0) <= 1e-9).all()
    assert rough.of(3000, 12) > sure.of(3000, 12) > 60


# Held documents, sizes, bounds.

TEXTS = st.lists(st.sets(st.sampled_from("abcdef")), min_size=1, max_size=30)


@pytest.mark.slow
@given(TEXTS, st.sets(st.sampled_from("abcdefg"), max_size=2), st.sets(st.sampled_from("abcdefg")))
def test_matching_is_what_each_document_says(
    texts: list[set[str]], required: set[str], excluded: set[str]
) -> None:
    """Matches, counts and frequencies agree with a check of every document."""
    held = DocumentIndex()
    for number, text in enumerate(texts):
        assert held.add(str(number), sorted(text)) == number
    wanted = [n for n, t in enumerate(texts) if required <= t and not excluded & t]
    assert held.matching(sorted(required), sorted(excluded)).tolist() == wanted
    since = len(texts) // 2
    later = held.matching(sorted(required), sorted(excluded), since)
    assert later.tolist() == [n for n in wanted if n >= since]
    counts = held.counts(np.array(wanted, dtype=np.int32))
    for number, term in enumerate(held.terms):
        assert counts[number] == sum(term in texts[n] for n in wanted)


@given(st.floats(1, 1e6), st.floats(0.1, 3), st.floats(1, 1e6))
def test_every_observation_makes_a_size_surer(documents: float, spread: float, told: float) -> None:
    """A count moves a size towards it, a lower bound raises it; neither adds uncertainty."""
    size = Size(documents, spread)
    after = size.told(told, 0.5)
    assert min(documents, told) * 0.999 <= after.documents <= max(documents, told) * 1.001
    assert after.spread < spread
    lifted = size.above(told)
    assert lifted.documents >= max(told, documents * 0.999)
    assert Size(documents).told(told, 0.5) == Size(documents)


def test_limit_is_learnt_from_queries_that_end_alike() -> None:
    """Without totals, two queries that end at the maximum rows show the limit; one does not."""
    bounds = ReturnLimit()
    bounds.see_page(10, more=True)
    bounds.see_end(20, None)
    assert bounds.limit is None
    bounds.see_end(13, None)
    bounds.see_end(20, None)
    assert (bounds.limit, bounds.page_size) == (20, 10)


def test_full_single_pages_are_no_limit() -> None:
    """If some query has a second page, queries that fill exactly one page set no limit."""
    bounds = ReturnLimit(20, 10)
    bounds.see_page(10, more=True)
    for _ in range(9):
        bounds.see_end(10, None)
    assert bounds.limit == 20


def test_next_pages_that_bring_nothing_tell_of_a_limit_of_one_page() -> None:
    """If offered next pages are never there, one page is the limit; one case is not enough."""
    bounds = ReturnLimit()
    for rows in (10, 7, 10):
        bounds.see_page(rows, more=True)
        bounds.see_nothing_more(rows)
    assert bounds.limit is None
    bounds.see_nothing_more(10)
    assert bounds.limit == 10
    bounds.see_rows(11)
    assert bounds.limit is None


def test_one_answer_that_lacks_what_is_held_tells_of_it_too() -> None:
    """One answer is enough if more held documents match than its single page shows."""
    bounds = ReturnLimit()
    bounds.see_page(10, more=True)
    bounds.see_nothing_more(10, is_short=True)
    assert bounds.limit == 10


def test_limit_is_dropped_when_a_query_gives_more() -> None:
    """A limit that a query exceeds is dropped; a wrong one from the spec after four ends."""
    bounds = ReturnLimit(20, 10)
    bounds.see_rows(30)
    assert bounds.limit is None
    lower = ReturnLimit(1000, 50)
    for _ in range(4):
        assert lower.limit == 1000
        lower.see_end(400, 5000)
    assert lower.limit == 400


# The complete planner.


def test_bounds_follow_places_that_show_nothing() -> None:
    """With pages of 10 places and 7 to 9 rows, five pages end at 40 rows, or at 37."""
    bounds = ReturnLimit()
    for rows in (10, 7, 8, 9, 8):
        bounds.see_page(rows, more=True)
        bounds.see_inner(rows)
    assert bounds.is_soft
    bounds.see_end(37, None, pages=5)
    assert bounds.limit is None
    bounds.see_end(40, None, pages=5)
    assert bounds.limit is not None
    assert 30 <= bounds.limit <= 37
    bounds = ReturnLimit(100, 100)
    bounds.see_cut(93)
    assert (bounds.limit, bounds.is_soft) == (86, True)
    bounds.see_rows(97)
    bounds.see_cut(81)
    assert (bounds.limit, bounds.least) == (62, 23)
    bounds.see_rows(300)
    assert (bounds.limit, bounds.is_soft) == (None, False)


def test_all_of_a_small_source_is_fetched_with_hardly_a_repeat() -> None:
    """With exact totals all documents are fetched, with few pages and repeats."""
    done = harvest()
    assert done.documents == len(CORPUS)
    assert done.pages_each < 2.0
    assert done.ledger.overlapping_rate < 1.3
    assert done.planner.discrepancies() == ()
    assert done.planner.problem is None
    assert done.reason.startswith("every part was fetched")


@pytest.mark.slow
@pytest.mark.parametrize("ranking", ["static", "bm25"])
@pytest.mark.parametrize(("limit", "width"), [(10, 10), (40, 10), (25, 10)])
def test_every_shape_of_pages_is_fetched_whole(ranking: str, limit: int, width: int) -> None:
    """All documents are fetched for any return limit, page size and order."""
    able = Capabilities(limit, width, negation=True, counts="exact", max_terms=24)
    done = harvest(box(ranking=ranking, limit=limit, page_size=width), able)
    assert done.documents >= 0.995 * len(CORPUS)


SMALL = st.lists(
    st.sets(st.sampled_from([word(n) for n in range(12)]), min_size=1, max_size=6),
    min_size=5,
    max_size=60,
)


@pytest.mark.slow
@settings(max_examples=40)
@given(SMALL, st.integers(0, 3))
def test_cells_are_disjoint_and_hold_all(texts: list[set[str]], seed: int) -> None:
    """No document is in two complete cells; each with a root is in one, or reported hidden."""
    documents = [Document(f"d{n}", text=" ".join(sorted(t))) for n, t in enumerate(texts)]
    able = Capabilities(limit=4, page_size=2, negation=True, counts="exact")
    planner = Partition(able, np.random.default_rng(seed), tuple(word(n) for n in range(12)))
    done = Harvest(planner, box(documents, limit=4, page_size=2))
    roots = planner._roots.terms
    parts = Counter(
        key
        for query in _leaves(planner)
        for key in box(documents, limit=None).keys(query, shown=False)
    )
    hidden = sum(d.reported - d.found for d in planner.discrepancies() if d.kind == "hidden")
    for number, text in enumerate(texts):
        if text & set(roots[: planner._known.length - 1]):
            assert parts[f"d{number}"] == 1
    held = sum(bool(text & set(roots)) for text in texts) - hidden
    assert done.documents >= held


def _leaves(planner: Partition) -> list[Query]:
    """Return the cells that were not split: roots and sides.

    Wider cells, in which hidden documents are sought, overlap with others.
    """
    records = [
        record
        for record in planner._known.records
        if planner._stuck._times_widened(record.whole) == 0
    ]
    split = {record.whole.query for record in records}
    sides = [side.query for record in records for side in (record.asked, record.rest)]
    roots = planner._roots.terms
    first = [Query((root,), tuple(roots[:place])) for place, root in enumerate(roots)]
    return [query for query in (*first, *sides) if query not in split]


def test_no_query_is_longer_than_allowed_and_no_page_comes_twice() -> None:
    """Queries are no longer than the source reads, and no page is requested twice."""
    able = Capabilities(LIMIT, WIDTH, negation=True, counts="exact", max_terms=6)
    done = harvest(abilities=able)
    assert max(len(q.required) + len(q.excluded) for q in done.queries) <= 6
    assert len(done.asked) == len(set(done.asked))
    sets = [(frozenset(q.required), frozenset(q.excluded)) for q in done.queries]
    assert len(sets) == len(set(sets))
    assert done.documents > 0.9 * len(CORPUS)


@pytest.mark.slow
def test_same_seed_asks_the_same() -> None:
    """The same seed gives the same queries, and another seed gives others."""
    first, second, other = (harvest(seed=seed).asked for seed in (4, 4, 5))
    assert first == second != other


@pytest.mark.slow
def test_replay_after_a_break_goes_on_where_it_stopped() -> None:
    """A new planner that replays a broken harvest's journal sends the rest as without the break."""
    whole = harvest()
    planner, store, source = make(), MemoryStore(), box()
    engine = Engine(planner, MemoryClient(source), store, Ledger(), RunLimits(max_documents=200))
    asyncio.run(engine.run())
    client = MemoryClient(source)
    ledger = Ledger()
    for event in store.events():
        ledger.tell(event)
    asyncio.run(Engine(make(), client, store, ledger).run())
    pages = [e for e in store.events() if isinstance(e, PageReceived)]
    assert [(page.query, page.number) for page in pages] == whole.asked
    assert 0 < client.requests < whole.pages + whole.ledger.document_pages


def test_second_pages_that_bring_little_come_last() -> None:
    """The last tenth of the pages returns less new than any tenth of the first half."""
    done = harvest()
    new = done.new
    tenth = len(new) // 10
    assert sum(new[-tenth:]) < min(sum(new[n * tenth :][:tenth]) for n in range(5))


def test_limit_and_page_size_are_learnt() -> None:
    """If limit and page size are unknown, the source is still fetched, for little more."""
    done = harvest(abilities=Capabilities(negation=True))
    assert done.documents == len(CORPUS)
    assert done.pages_each < 2.4
    bounds = done.planner._known.bounds
    assert (bounds.limit, bounds.page_size) == (LIMIT, WIDTH)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "ranking"),
    [
        (10, "static"),
        (140, "static"),
        (35, "bm25"),
        (35, "static"),
        (60, "static"),
        (10, "bm25"),
        (60, "bm25"),
        (140, "bm25"),
    ],
)
def test_limit_that_cuts_one_answer_alone_is_noticed(limit: int, ranking: str) -> None:
    """A word in all documents has the only long answer, and no total shows that it was cut."""
    documents = [Document(d.key, text=f"sea {d.text}") for d in CORPUS]
    source = box(documents, limit=limit, counts="none", ranking=ranking)
    done = harvest(source, Capabilities(negation=True))
    assert Query(("sea",)) in done.queries
    assert done.documents >= 0.99 * len(documents)
    assert done.planner._known.bounds.limit == limit


@pytest.mark.parametrize("lie", [None, EmptyPage(2)])
def test_total_above_the_only_long_answer_tells_of_a_limit(lie: Lie | None) -> None:
    """If a word's total exceeds its single page of 20 rows, the rest is requested."""
    documents = [Document(d.key, text=f"sea {d.text}") for d in CORPUS]
    honest = box(documents, limit=20 if lie is None else 60, page_size=20)
    done = harvest(
        honest if lie is None else FaultySource(honest, lie), Capabilities(negation=True)
    )
    assert done.documents == len(documents)
    assert done.planner._known.bounds.limit == 20


@pytest.mark.slow
def test_limit_that_was_told_does_not_hide_a_lower_one() -> None:
    """Given a limit of 60 rows, it finds out from one long answer that second pages are empty."""
    documents = [Document(d.key, text=f"sea {d.text}") for d in CORPUS]
    source = FaultySource(box(documents, limit=60, page_size=20, counts="none"), EmptyPage(2))
    done = harvest(source, Capabilities(limit=60, negation=True))
    assert done.documents >= 0.99 * len(documents)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("share", "width", "limit", "counts"),
    [
        (0.05, 10, None, "none"),
        (0.05, 10, 40, "exact"),
        (0.05, 40, None, "exact"),
        (0.3, 10, None, "exact"),
        (0.3, 10, 40, "none"),
        (0.3, 40, 40, "none"),
        (0.05, 10, None, "exact"),
        (0.05, 10, 40, "none"),
        (0.05, 40, None, "none"),
        (0.05, 40, 40, "exact"),
        (0.05, 40, 40, "none"),
        (0.3, 10, None, "none"),
        (0.3, 10, 40, "exact"),
        (0.3, 40, None, "exact"),
        (0.3, 40, 40, "exact"),
        (0.3, 40, None, "none"),
    ],
)
def test_places_that_show_nothing_hide_no_limit(
    share: float, width: int, limit: int | None, counts: str
) -> None:
    """Answers that end short of the limit, each at a different row, are recognised as cut."""
    lie = WithheldDocuments(share)
    shown = [document for document in CORPUS if not lie.withholds(document.key)]
    source = FaultySource(box(limit=40, page_size=width, counts=counts), lie)
    done = harvest(source, Capabilities(limit=limit, negation=True))
    assert done.documents >= 0.97 * len(shown)
    assert done.pages < (16 * share + 5) * len(CORPUS) / width
    assert share < 0.1 or "are not full" in done.reason


@pytest.mark.slow
def test_pages_that_repeat_for_ever_cost_one_more_each() -> None:
    """After a page that is not full, the offered next page is checked, and nothing is split."""
    source = FaultySource(box(limit=100, page_size=10, counts="none"), SamePageForEver())
    done = harvest(source, Capabilities(limit=100, negation=True))
    assert done.documents >= 0.99 * len(CORPUS)
    assert done.pages_each < 6


@pytest.mark.slow
def test_answer_that_was_whole_costs_few_queries_to_believe() -> None:
    """If no limit cuts the longest answer, its parts return nothing new, and all is read."""
    documents = [Document(d.key, text=f"sea {d.text}") for d in CORPUS]
    done = harvest(box(documents, limit=None, counts="none"), Capabilities(negation=True))
    assert done.documents == len(documents)
    assert done.planner._known.bounds.limit is None
    of_two = [query for query in done.queries if query.required[0] == "sea" and query.required[1:]]
    assert len(of_two) <= PARTS * LOOKS


@pytest.mark.slow
def test_source_without_limit_is_read_to_the_end() -> None:
    """Without a return limit nothing is split: the roots are read page by page."""
    done = harvest(box(limit=None), Capabilities(negation=True))
    assert done.documents == len(CORPUS)
    assert done.pages_each < 1.35
    assert not done.planner._known.records


@pytest.mark.slow
@pytest.mark.parametrize(("counts", "most"), [("approximate", 2.6), ("none", 2.9)])
def test_totals_that_are_rough_or_missing_cost_more_but_lose_nothing(
    counts: str, most: float
) -> None:
    """Without exact totals all documents are fetched, too."""
    told = "about" if counts == "approximate" else "none"
    able = Capabilities(LIMIT, WIDTH, negation=True, counts=told)
    done = harvest(box(counts=counts), able)
    assert done.documents >= 0.99 * len(CORPUS)
    assert done.pages_each < most


@pytest.mark.slow
def test_very_rough_totals_lose_nothing() -> None:
    """Totals wrong by a factor of e either way, and not known to be, still lose nothing."""
    rough = box(counts="approximate", count_sigma=1.0)
    done = harvest(rough, Capabilities(LIMIT, WIDTH, negation=True))
    assert done.documents >= 0.99 * len(CORPUS)
    assert done.pages_each < 3
    assert done.planner._known.trust.noise > 0.5


@pytest.mark.slow
def test_listings_alone_lose_little() -> None:
    """If only snippets are kept, cells are estimated from those, and all is found."""
    long = corpus(400, terms=300, length=60)
    source = box(long, snippets=True)
    done = Harvest(make(), source, listing_only=True)
    assert done.documents >= 0.99 * len(long)
    assert done.pages_each < 3.5


@pytest.mark.slow
def test_planner_keeps_no_text() -> None:
    """Held documents are numbers: the planner holds no text."""
    done = harvest()
    held = done.planner._known.held
    assert len(held) == len(CORPUS)
    assert not any(" " in term for term in held.terms)
    assert not any(cell.keys for record in done.planner._known.records for cell in (record.rest,))


@pytest.mark.slow
def test_documents_that_no_term_tells_apart_are_named_hidden() -> None:
    """Copies beyond the limit cannot be reached; the planner ends and reports how many."""
    copies = [Document(f"c{n}", text=f"{word(0)} {word(1)} {word(2)}") for n in range(50)]
    done = harvest(box([*CORPUS, *copies]))
    hidden = [d for d in done.planner.discrepancies() if d.kind == "hidden"]
    assert sum(d.reported - d.found for d in hidden) == len(CORPUS) + 50 - done.documents > 0
    assert "hides" in done.reason


@pytest.mark.slow
def test_documents_outside_the_roots_are_looked_for() -> None:
    """If a query can exclude only three roots, documents with none of them are found, too."""
    odd = [Document(f"o{n}", text=f"{word(10)} x{LETTERS[n]}") for n in range(15)]
    able = Capabilities(100, 50, negation=True, counts="exact", max_terms=4)
    done = harvest(box([*CORPUS, *odd], limit=100, page_size=50), able)
    assert len(done.planner._roots.terms) > 3
    assert all(done.store.document(document.key) is not None for document in odd)


APART = [Document(f"a{n}", text=f"apart{LETTERS[n]} alone{LETTERS[n]}") for n in range(12)]
"""Documents that share no word with others."""


@pytest.mark.parametrize("lie", [None, NotAsWord, IgnoredNot])
def test_everything_outside_the_roots_is_asked_for(lie: type[Lie] | None) -> None:
    """What shares no word with others comes if a source takes excluded words alone for that."""
    honest = box([*CORPUS, *APART], lists_all=True)
    source = honest if lie is None else FaultySource(honest, lie())
    done = harvest(source, replace(ABLE, excludes_alone=True))
    outside = [query for query in done.queries if not query.required]
    assert outside, "the rest is asked for"
    if lie is None:
        assert done.documents == len(CORPUS) + len(APART)
        assert done.pages <= harvest(box()).pages + 4, "no other words are tried outside"
        assert done.reason == "every part was fetched; also what has none of the most common words"


def test_word_in_every_document_is_the_only_root_to_begin_with() -> None:
    """If every document holds a word, few queries search for documents without it."""
    common = [Document(each.key, text=f"{each.text} record file") for each in CORPUS]
    done = harvest(box(common), seed=1)
    rows = [
        len(event.page.hits) for event in done.store.events() if isinstance(event, PageReceived)
    ]
    split = next(n for n, query in enumerate(done.queries) if len(query.required) > 1)
    assert rows[: split + 1].count(0) <= EMPTY_ROOTS + READ  # and tests of words
    assert done.documents == len(CORPUS)


@pytest.mark.slow
def test_part_of_an_empty_answer_is_never_asked_for() -> None:
    """If no document of a cell holds a term, no part of the cell is queried for it."""
    done = harvest(box(corpus(1000, terms=800, length=5)))
    empty: list[tuple[set[str], set[str]]] = []
    for event in done.store.events():
        if isinstance(event, PageReceived):
            required, excluded = set(event.query.required), set(event.query.excluded)
            assert not any(least <= required and most <= excluded for least, most in empty)
            if event.number == 1 and not event.page.hits:
                empty.append((required, excluded))
    assert empty


def test_hidden_documents_are_asked_for_by_terms_that_cover_them() -> None:
    """Two terms that split the hidden documents come before one that all held documents have."""
    held = DocumentIndex()
    for number in range(100):
        held.add(f"d{number}", ["deep", "web", "sea" if number % 2 else "ice"])
    cell = Cell(("deep",), (), Size(180.0))
    queries = list(rescues(cell, 80, held, length=2, limit=100))
    assert {query.required for query in queries[:2]} == {("deep", "sea"), ("deep", "ice")}
    assert queries[2].required == ("deep", "web")


def test_empty_or_unable_source_ends_at_once() -> None:
    """Without documents, or without NOT, the planner ends and gives the reason."""
    planner = make(Capabilities(limit=LIMIT, page_size=WIDTH))
    finish = planner.next()
    assert isinstance(finish, Finish)
    assert "NOT" in finish.reason
    assert planner.next() == finish
    nothing = Partition(ABLE, np.random.default_rng(0), ("whale", "submarine"))
    for _ in range(2):
        search = nothing.next()
        assert isinstance(search, Search)
        nothing.tell(PageReceived(search.query, 1, Page()))
    assert nothing.next() == Finish("no word brought a document")


def test_a_source_that_shows_nothing_new_ends_the_partition() -> None:
    """The totals of its parts may promise documents for ever."""
    planner = make()
    search = planner.next()
    assert isinstance(search, Search)
    page = Page(tuple(Hit(d.key) for d in CORPUS[:5]), Total(500))
    planner.tell(PageReceived(search.query, 1, page))
    for each in CORPUS[:5]:
        planner.tell(DocumentReceived(each))
    for number in range(MOST_IDLE):
        assert planner.problem is None
        planner.tell(PageReceived(search.query, number + 2, page))
    while isinstance(action := planner.next(), Search):
        planner.tell(PageReceived(action.query, action.number, page))
    assert action.reason.endswith("pages brought no new document")
    assert not action.target_met


def failing(
    planner: Partition, source: Box, fails: Callable[[Search, int], bool]
) -> tuple[list[Search], int, int, str]:
    """Harvest a source in which some pages always fail.

    Args:
        planner: A new planner.
        source: Returns the other pages.
        fails: Takes a search and its number in order; returns whether its page fails.

    Returns:
        The searches, how many of them failed, the documents held, and the reason for the end.
    """
    asked: list[Search] = []
    told: set[str] = set()
    failed = 0
    while isinstance(search := planner.next(), Search):
        asked.append(search)
        assert len(asked) < 2000
        if fails(search, len(asked)):
            failed += 1
            planner.tell(PageFailed(search.query, search.number, "status 500"))
            continue
        page = source.search(search.query, search.number)
        planner.tell(PageReceived(search.query, search.number, page))
        for hit in page.hits:
            document = source.document(hit.key)
            if hit.key not in told and document is not None:
                told.add(hit.key)
                planner.tell(DocumentReceived(document))
    return asked, failed, len(told), search.reason


def test_failed_page_costs_its_cell_at_most() -> None:
    """A failed page is recorded and not requested again; everything else is fetched."""
    planner = make()
    asked, failed, documents, reason = failing(planner, box(), lambda _, place: place % 25 == 0)
    assert len(asked) == len(set(asked)) < 300
    assert documents > 0.8 * len(CORPUS)
    assert sum(d.kind == "page failed" for d in planner.discrepancies()) == failed
    assert "pages failed" in reason


@pytest.mark.slow
def test_what_stands_after_a_page_that_never_comes_is_got_by_parts() -> None:
    """If no answer goes beyond page 3, split queries still fetch nearly everything."""
    planner = make(Capabilities(page_size=WIDTH, negation=True))
    documents = failing(planner, box(limit=None), lambda search, _: search.number > 3)[2]
    assert documents >= 0.97 * len(CORPUS)


@pytest.mark.slow
def test_words_that_the_source_refuses_cost_a_few_queries() -> None:
    """A term whose query fails is left out; after three short ones no short term is sent."""
    texts = short_and_long(600)

    def has_short(search: Search, _: int) -> bool:
        return any(len(term) < 3 for term in (*search.query.required, *search.query.excluded))

    _, failed, documents, _ = failing(make(), box(texts), has_short)
    assert documents >= 0.97 * sum(any(map(is_long, each.text.split())) for each in texts)
    assert failed < 8


@pytest.mark.slow
def test_queries_that_are_too_long_for_the_source_are_refused_a_few_times() -> None:
    """After three refused queries, none as long is sent again."""
    planner = make()

    def is_too_long(search: Search, _: int) -> bool:
        return len(search.query.required) + len(search.query.excluded) > 7

    _, failed, documents, _ = failing(planner, box(), is_too_long)
    assert planner._known.length == 7
    assert failed < 8
    assert documents > 0.8 * len(CORPUS)


# Hostile sources.


@pytest.mark.parametrize(
    ("lie", "word_in_reason"),
    [(IgnoredNot(), "NOT does not work"), (NotAsWord(), "NOT"), (OrForAnd(), "AND does not")],
)
def test_operators_that_do_not_work_end_it_soon(lie: Lie, word_in_reason: str) -> None:
    """If NOT or AND does not work, the planner notices within a few pages."""
    done = harvest(FaultySource(box(), lie))
    assert word_in_reason in done.reason
    assert done.planner.problem == done.reason
    assert done.pages < 40


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("lie", [ScaledTotals(10), ScaledTotals(0.1), RoundedTotals(10)])
def test_wrong_totals_are_noticed(lie: Lie, seed: int) -> None:
    """Totals that are wrong by ten, or rounded, are treated as rough, and nothing is lost."""
    done = harvest(FaultySource(box(), lie), seed=seed)
    assert "totals are wrong" in done.reason
    assert any(d.kind == "count" for d in done.planner.discrepancies())
    assert done.documents == len(CORPUS)
    assert done.pages_each < 3


@pytest.mark.slow
@pytest.mark.parametrize("width", [WIDTH, LIMIT])
@pytest.mark.parametrize("most", [LIMIT, 25, 40, 100, 200])
def test_totals_that_go_no_higher_hide_nothing(most: int, width: int) -> None:
    """If totals are capped, a total at the cap means "at least"."""
    done = harvest(FaultySource(box(page_size=width), ClampedTotals(most)))
    assert f"never reports more than {most} results" in done.reason
    assert done.documents == len(CORPUS)
    assert done.pages_each < 3


@pytest.mark.slow
@pytest.mark.parametrize("lie", [PageTotals(), GrowingTotals(0), GrowingTotals(1)])
def test_totals_of_what_is_shown_hide_nothing(lie: Lie) -> None:
    """If totals count only the rows of the page, or so far, the missing rest is requested."""
    done = harvest(FaultySource(box(), lie))
    assert "totals are wrong" in done.reason or "never reports more" in done.reason
    assert done.documents == len(CORPUS)
    assert done.pages_each < 3.5


@pytest.mark.slow
@pytest.mark.parametrize("documents", [0, 1, 600])
def test_one_total_for_all_queries_hides_nothing(documents: int) -> None:
    """A total that is the same for all queries is ignored."""

    class SameTotal:
        def tell(self, query: Query, number: int, ask: Ask) -> Page:
            return msgspec.structs.replace(ask(query, number), total=Total(documents))

    done = harvest(FaultySource(box(), SameTotal()))
    assert "totals are wrong" in done.reason or "never reports more" in done.reason
    assert done.documents == len(CORPUS)


@pytest.mark.slow
def test_page_after_the_last_is_looked_at_twice_at_most() -> None:
    """If an empty next page is always offered, totals are soon trusted."""

    class AlwaysNext:
        def tell(self, query: Query, number: int, ask: Ask) -> Page:
            return msgspec.structs.replace(ask(query, number), next=Request("/more"))

    done, honest = harvest(FaultySource(box(), AlwaysNext())), harvest()
    past = [page for page in done.asked if page not in honest.asked]
    assert done.documents == honest.documents == len(CORPUS)
    assert 0 < len(past) <= PROVED
    assert not list(done.planner.discrepancies())


def test_more_held_than_there_should_be_is_asked_for() -> None:
    """The rest of a total is not complete if more of it is held than it can have."""
    known = SourceModel(ABLE)
    for number in range(9):
        terms = dict.fromkeys([word(0), word(1)] if number < 3 else [word(0)])
        known.universe.place(known.held.add(str(number), terms), terms)
    whole = Cell((word(0),), (), Size(5), pages=1, reported=5)
    rest = known.universe.adopt(whole, known.held).side(word(1), holds=False, held=known.held)
    rest.size = Size(4)
    assert not known.belie(rest)
    rest.size = Size(2)
    assert known.belie(rest)
    assert not rest.size.is_exact
    assert rest.size.documents > 6
    assert [(d.kind, d.reported, d.found) for d in discrepancies(known)] == [("parts", 2, 6)]


@pytest.mark.slow
def test_truncated_queries_are_noticed() -> None:
    """If a source drops the terms after the fifth, queries become no longer than that."""
    done = harvest(FaultySource(box(corpus(1500)), TruncatedQuery(5)))
    assert "reads only" in done.reason
    assert 5 <= done.planner._known.length <= 7
    last = done.queries[-30:]
    assert max(len(q.required) + len(q.excluded) for q in last) <= done.planner._known.length
    assert done.documents > 0.6 * 1500


@pytest.mark.parametrize("lie", [ShuffledPages(), EmptyPage(), SamePageForEver()])
def test_rows_lost_between_pages_are_got_by_first_pages(lie: Lie) -> None:
    """If later pages lose rows, cells are split until they fit on one page."""
    done = harvest(FaultySource(box(), lie))
    assert "only first pages" in done.reason
    assert done.documents >= 0.98 * len(CORPUS)
    assert done.pages_each < 5


@pytest.mark.slow
@pytest.mark.parametrize("lie", [EmptyPage(), SamePageForEver()])
def test_second_pages_that_never_come_lose_nothing_without_totals(lie: Lie) -> None:
    """Without totals, held documents show the loss, and cells of one page are made."""
    told = Capabilities(page_size=WIDTH, negation=True)
    done = harvest(FaultySource(box(counts="none", limit=None), lie), abilities=told)
    assert done.documents >= 0.98 * len(CORPUS)
    assert done.pages_each < 6


@pytest.mark.slow
def test_long_answer_in_another_order_on_each_page_is_not_taken_for_whole() -> None:
    """One answer that repeats pages of rows is as much evidence as three that repeat some."""
    documents = [Document(d.key, text=f"all {d.text}") for d in CORPUS]
    told = Capabilities(page_size=WIDTH, negation=True, counts="exact")
    done = harvest(FaultySource(box(documents, limit=None), ShuffledPages()), abilities=told)
    assert "only first pages" in done.reason
    assert done.documents >= 0.98 * len(CORPUS)


def test_total_that_goes_no_higher_still_tells_of_a_limit() -> None:
    """A total above the rows returned shows that the answer was cut, even if it is too low."""
    told = Capabilities(page_size=WIDTH, negation=True, counts="exact")
    done = harvest(FaultySource(box(), ClampedTotals(30)), abilities=told)
    assert done.documents == len(CORPUS)


def test_next_past_the_end_is_no_loss() -> None:
    """If all rows were returned, a page that repeats them only ends its query."""

    class PastTheEnd:
        def tell(self, query: Query, number: int, ask: Ask) -> Page:
            page = ask(query, number)
            if page.hits or number == 1:
                return Page(page.hits, page.total, Request("memory:again"))
            return self.tell(query, number - 1, ask)

    done = harvest(FaultySource(box(), PastTheEnd()))
    assert done.documents == len(CORPUS)
    assert not [d for d in done.planner.discrepancies() if d.kind != "hidden"]


def stem(text: str) -> list[str]:
    """Merge every two words whose last letters are neighbours."""
    return [w[:2] + LETTERS[LETTERS.index(w[2]) // 2] for w in text.lower().split()]


@pytest.mark.slow
def test_stemming_is_survived_and_said() -> None:
    """A source that matches more than the query's word is still fetched."""
    done = harvest(box(corpus(600, terms=600), analyzer=stem))
    assert done.documents >= 0.9 * 600
    assert "lack the words" in done.reason


@pytest.mark.parametrize(("asked", "is_doubted"), [("it", False), ("from", False), ("deep", True)])
def test_only_words_that_no_source_drops_tell_of_not(asked: str, is_doubted: bool) -> None:
    """If `it NOT the` returns documents with "the", stop words are given up rather than NOT."""
    held, trust = DocumentIndex(), Conformance(None)
    for number in range(20):
        held.add(f"d{number}", [asked, "the", f"w{number}"])
    for number in range(3):
        trust.see_hits(Query((asked,), ("the", f"x{number}")), range(20), held)
    assert (trust.negation_problem is not None) == is_doubted
    assert ("this" in trust.barred) != is_doubted


def test_word_of_every_page_tells_nothing_of_not() -> None:
    """A label on every document's page is not part of the searched text."""
    held, trust = DocumentIndex(), Conformance(None)
    for number in range(20):
        held.add(f"d{number}", ["deep", "previous", f"w{number}"])
    for _ in range(3):
        trust.see_hits(Query(("deep",), ("previous",)), range(20), held)
    assert trust.negation_problem is None
    assert "previous" in trust.barred


def hidden_and_rare(number: int) -> tuple[DocumentIndex, Query, list[int]]:
    """Return documents, a query that excludes many rare terms, and hits that hold none of these.

    The first hits hold a term in the middle of the query that the source drops.
    """
    held = DocumentIndex()
    rare = [word(place) for place in range(20)]
    hits = []
    for place in range(200):
        terms = ["deep", *([f"which{number}"] if place % 3 == 0 else [])]
        clean = place >= 140
        held.add(f"d{place}", [*terms, *([] if clean else [rare[place % 20]])])
        hits += [place] if clean else []
    return held, Query(("deep",), (*rare[:4], f"which{number}", *rare[4:])), hits


def test_word_that_is_dropped_is_told_from_a_query_that_is_cut() -> None:
    """If rare terms after a dropped word are all excluded, the query was not cut at that word."""
    trust = Conformance(None)
    for number in range(4):
        held, query, hits = hidden_and_rare(number)
        trust.see_hits(query, hits[:10], held)
    assert trust.max_terms is None
    assert trust.negation_problem is None


def test_stop_words_that_find_nothing_are_given_up() -> None:
    """Common words that the source does not index cost a few queries, not the harvest."""
    texts = [Document(d.key, text=f"the of and to {d.text}") for d in CORPUS]

    def without(text: str) -> list[str]:
        return [w for w in text.lower().split() if w not in {"the", "of", "and", "to"}]

    done = harvest(box(texts, analyzer=without))
    assert done.documents == len(CORPUS)
    asked = [q for q in done.queries if {"the", "of", "and", "to"} & {*q.required, *q.excluded}]
    assert len(asked) <= 4


@dataclass(frozen=True)
class NeverExcluded:
    """A word is ignored where a query excludes it, and found where a query requires it."""

    word: str

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Remove it from the excluded words."""
        kept = tuple(term for term in query.excluded if term != self.word)
        return ask(Query(query.required, kept), number)


@pytest.mark.parametrize("listing_only", [True, False])
@pytest.mark.parametrize("ignored", range(3))
def test_roots_that_overlap_do_not_add_up(ignored: int, *, listing_only: bool) -> None:
    """If a root's word is not excluded after it, their totals do not say that any is missing."""
    source = FaultySource(box(limit=600, snippets=True), NeverExcluded(word(ignored)))
    planner = make(replace(ABLE, limit=600))
    done = Harvest(planner, source, listing_only=listing_only)
    assert done.documents == len(CORPUS)
    assert 0 < planner.at_least() <= len(CORPUS)


@pytest.mark.parametrize("counts", ["exact", "none"])
def test_label_that_hardly_a_document_has_is_no_root(counts: str) -> None:
    """If every page shows a word that few texts have, no cell excludes it."""
    texts = [
        Document(d.key, text=f"{'Edited' if n % 80 == 0 else ''} {d.text} edited")
        for n, d in enumerate(CORPUS)
    ]

    def searched(text: str) -> list[str]:
        return [w.lower() for w in text.split() if w != "edited"]

    done = harvest(box(texts, analyzer=searched, query_analyzer=str.split, counts=counts))
    assert done.documents == len(CORPUS)
    assert not [query for query in done.queries if "edited" in query.excluded]


def short_and_long(documents: int = 600) -> list[Document]:
    """Return documents with two-letter words: two of three words, also the most common."""

    def cut(term: str) -> str:
        return term[1:] if int(term[1:], 36) % 3 else term

    texts = [" ".join(map(cut, each.text.split())) for each in corpus(documents, length=24)]
    return [Document(f"d{n}", text=text) for n, text in enumerate(texts)]


def is_long(term: str) -> bool:
    """Return whether a word is not one of the short ones."""
    return len(term) > 2


@pytest.mark.slow
@pytest.mark.parametrize(("counts", "most"), [("exact", 1.25), ("none", 1.5)])
def test_words_that_are_too_short_for_the_source_cost_little(counts: str, most: float) -> None:
    """After three short words that did not split a cell, none is sent, at little cost."""
    texts = short_and_long()
    long = [Document(d.key, text=" ".join(filter(is_long, d.text.split()))) for d in texts]
    done = harvest(FaultySource(box(texts, counts=counts), ShortWords(3)))
    without = harvest(box(long, counts=counts))
    assert "shorter than 3 letters" in done.reason
    assert done.documents >= 0.99 * without.documents
    assert done.pages <= most * without.pages


def test_word_that_the_source_reads_is_not_given_up_with_others() -> None:
    """Words are dropped by a list or by length; a word that returned its hits is kept."""
    held, trust = DocumentIndex(), Conformance(None)
    for number in range(9):
        held.add(f"d{number}", ["the", "of", f"w{number}"])
    trust.see_hits(Query(("the",)), range(9), held)
    for term in ("of", "it"):
        trust.see_unsplit(Query((term, "web")), term, against=5)
    assert {"of", "it", "with"} <= trust.barred
    assert "the" not in trust.barred


@pytest.mark.parametrize(
    ("refused", "read", "least"),
    [
        (("ab", "abc", "de"), "", 4),
        (("ab", "abc", "de"), "xyz", 1),
        (("ab", "cd", "abc", "de"), "xyz", 3),
        (("the", "and", "of"), "", 1),
        (("ships", "harbour", "pilots"), "", 1),
    ],
)
def test_three_short_words_tell_of_a_length(
    refused: tuple[str, ...], read: str, least: int
) -> None:
    """Short words are given up unless one was read; stop and long words may be on a list."""
    trust = Conformance(None)
    if read:
        trust.see_read(read)
    for term in refused:
        trust.see_refused(Query((term, "web")), term)
    assert trust.least_length.letters == least
    assert set(refused) <= trust.barred


def test_discrepancies_name_the_parts_that_do_not_sum() -> None:
    """If totals of parts exceed or miss the whole, the split is reported with both numbers."""

    class Uneven:
        def tell(self, query: Query, number: int, ask: Ask) -> Page:
            page = ask(query, number)
            assert page.total is not None
            claims = page.total.documents
            if len(query.required) == 2 and claims > LIMIT:
                claims += 5
            return Page(page.hits, Total(claims), page.next)

    done = harvest(FaultySource(box(), Uneven()))
    parts = [d for d in done.planner.discrepancies() if d.kind == "parts"]
    assert parts
    assert "do not add up" in done.reason or "totals are wrong" in done.reason
    assert all(d.reported != d.found for d in parts)


def test_registry_makes_it() -> None:
    """The strategy is found under its name."""
    planner = make_planner("partition", Options(abilities=ABLE), np.random.default_rng(0))
    assert isinstance(planner.next(), Search)


def test_document_that_cannot_be_read_does_not_stop_it() -> None:
    """If some document pages fail, the rest is fetched."""

    class Torn(Searcher):
        def document(self, key: str) -> Document | None:
            return None if key.endswith("7") else super().document(key)

    torn = Torn(CORPUS, limit=LIMIT, page_size=WIDTH, ranking="static", snippets=False)
    planner, store, ledger = make(), MemoryStore(), Ledger()
    asyncio.run(
        Engine(planner, MemoryClient(torn), store, ledger, RunLimits(patience=10_000)).run()
    )
    assert ledger.documents == sum(not d.key.endswith("7") for d in CORPUS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["reuters", "newsgroups"])
def test_figures_of_the_decision_hold(shared: Path, name: str) -> None:
    """On 3,000 real documents, 98 % cost less than 1.75 pages for each full one."""
    documents = read_corpus(shared / "corpora" / f"{name}.jsonl.gz")
    chosen = [documents[n] for n in np.random.default_rng(0).permutation(len(documents))[:3000]]
    able = Capabilities(100, 50, negation=True, counts="exact")
    source = box(chosen, limit=100, page_size=50)
    done = Harvest(Partition(able, np.random.default_rng(0)), source)
    new = np.cumsum(done.new)
    pages = int(np.argmax(new >= 0.98 * 3000)) + 1
    assert new[-1] >= 0.99 * 3000
    assert pages / (new[pages - 1] / 50) < 1.75
    assert done.ledger.overlapping_rate < 1.35


@pytest.mark.parametrize(("word", "noted"), [("b", 0), ("水", 1), ("sea", 1)])
def test_a_letter_that_finds_nothing_says_nothing_of_totals(word: str, noted: int) -> None:
    """It may be a part of a number in the held texts; a character of other scripts is a word."""
    conformance = Conformance(None)
    conformance.see_nothing(Query((word,)), matching=20)
    assert len(conformance.discrepancies) == noted
