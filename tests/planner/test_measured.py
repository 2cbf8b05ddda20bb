"""Probes between a planner's queries: their cost, their results, and when they end a harvest."""

import asyncio
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pytest
from bench.faulty.lies import FaultySource, ScaledTotals, ShardDown

from longline.engine import Callbacks, Engine, RunLimits
from longline.errors import RefusedError
from longline.events import AnyEvent, Concluded, DocumentReceived, PageReceived
from longline.ledger import Certificate, Ledger, certificate_of, verdict
from longline.model import Document, Facet, Finish, Hit, Page, Probe, Query, Request, Search
from longline.planner.capabilities import Capabilities
from longline.planner.measure.measured import (
    PROBE_SHARE,
    PROBE_SHARE_AT_THE_END,
    WINDOW,
    Aims,
    Measured,
)
from longline.planner.measure.size_probes import Probing
from longline.planner.observed import ReturnLimit
from longline.planner.strategies import Options, make_planner
from longline.ports import Policy
from longline.simulate import MemoryClient, Searcher, read_corpus
from longline.simulate.search.searcher import Box
from longline.store import MemoryStore
from longline.text.hashes import Hashes
from longline.text.seed_words import english

pytestmark = pytest.mark.slow

DOCUMENTS = read_corpus("docstrings")[::4]
FEW = DOCUMENTS[::2]
LIMIT, WIDTH = 60, 20


@cache
def box(few: bool = False, **settings: object) -> Searcher:
    """Return a simulated source with a quarter of the embedded corpus, or an eighth."""
    settings = {"limit": LIMIT, "page_size": WIDTH, **settings}
    return Searcher(FEW if few else DOCUMENTS, **settings)  # type: ignore[arg-type]


class Listener:
    """A planner that records its events, and otherwise acts as another one."""

    def __init__(self, planner: Policy) -> None:
        self.planner = planner
        self.told: list[AnyEvent] = []

    def next(self) -> Search | Request | Finish:
        return self.planner.next()

    def tell(self, event: AnyEvent) -> None:
        self.told.append(event)
        self.planner.tell(event)


class Words:
    """A planner that requests the first page of each of some words."""

    def __init__(self, words: list[str]) -> None:
        self.words = words

    def next(self) -> Search | Finish:
        return Search(Query((self.words.pop(0),))) if self.words else Finish("no word is left")

    def tell(self, event: AnyEvent) -> None: ...


class PulledPlug(BaseException):
    """The process was killed."""


class Counting(MemoryClient):
    """Records requests, and fails like a killed process after a number of them."""

    def __init__(self, source: Box, most: float = np.inf) -> None:
        super().__init__(source)
        self.asked: list[str] = []
        self.most = most

    def _count(self, what: str) -> None:
        if len(self.asked) >= self.most:
            raise PulledPlug
        self.asked.append(what)

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        self._count(f"{query} {number}")
        return await super().search(query, number, request)

    async def read(self, hit: Hit) -> tuple[Document, int]:
        self._count(hit.key)
        return await super().read(hit)


def planner_of(strategy: str, seed: int = 0) -> Policy:
    """Return a planner that knows the source."""
    able = Capabilities(limit=LIMIT, page_size=WIDTH, negation=True, counts="exact")
    return make_planner(strategy, Options(abilities=able, sample=100), np.random.default_rng(seed))


def harvest(
    planner: Policy,
    aims: Aims | None = None,
    *,
    client: Counting | None = None,
    store: MemoryStore | None = None,
    max_queries: int | None = None,
    dictionary: Callable[[], Sequence[str]] = english,
) -> tuple[Ledger, list[Concluded]]:
    """Continue a harvest; return its ledger and the recorded conclusions."""
    store, client = store or MemoryStore(), client or Counting(box())
    ledger = Ledger(limit=LIMIT, page_size=WIDTH, size=aims.size if aims else None)
    for event in store.events():
        ledger.tell(event)
    aims = aims or Aims(limit=LIMIT, page_size=WIDTH)
    policy = Measured(planner, aims, np.random.default_rng(7), dictionary=dictionary)
    found: list[Concluded] = []

    def observe(event: AnyEvent) -> None:
        if isinstance(event, Concluded):
            found.append(event)

    engine = Engine(
        policy,
        client,
        store,
        ledger,
        RunLimits(concurrency=1, max_queries=max_queries),
        callbacks=Callbacks(
            judge=lambda finish: verdict(finish, ledger, aims and aims.target_coverage),
            conclude=policy.conclude,
            observe=observe,
        ),
    )
    asyncio.run(engine.run())
    return ledger, found


@pytest.mark.parametrize("strategy", ["adaptive", "partition"])
def test_totals_ten_times_too_large_leave_an_estimate(strategy: str) -> None:
    """Probes reveal wrong totals, and the answers are counted instead."""
    client = Counting(FaultySource(box(few=True), ScaledTotals(10)))
    _, found = harvest(planner_of(strategy), client=client)
    last = found[-1].size
    assert last is not None
    assert last.low <= len(FEW) <= (last.high or np.inf)
    assert last.high is not None
    assert last.high < 1.5 * len(FEW)


@pytest.mark.parametrize("factor", [0.6, 1.3, 1.6])
def test_totals_that_are_right_of_small_answers_alone_are_not_believed(factor: float) -> None:
    """Totals that are right only for small answers leave an estimate, and no lower bound."""
    client = Counting(FaultySource(box(few=True), ScaledTotals(factor)))
    ledger, _ = harvest(planner_of("partition"), client=client)
    done = certificate_of(ledger)
    assert done.size_low is not None
    assert done.size_high is not None
    assert done.size_low <= len(FEW) <= done.size_high < 1.4 * len(FEW)


class Refusing(Counting):
    """A source in which every eighteenth document answers 404."""

    refused = frozenset(document.key for document in FEW[::18])

    async def read(self, hit: Hit) -> tuple[Document, int]:
        if hit.key in self.refused:
            raise RefusedError(f"{hit.url} answered 404")
        return await super().read(hit)


@pytest.mark.parametrize("strategy", ["partition", "adaptive"])
def test_documents_that_cannot_be_read_are_no_sign_of_others(strategy: str) -> None:
    """The size counts unreadable documents once each, and the rest is held."""
    ledger, _ = harvest(planner_of(strategy), client=Refusing(box(few=True)))
    done = certificate_of(ledger)
    assert done.size_low is not None
    assert done.size_high is not None
    assert done.documents_failed > 0.9 * len(Refusing.refused)
    assert done.size == pytest.approx(len(FEW), rel=0.03)
    assert done.size_low <= len(FEW) <= done.size_high < 1.15 * len(FEW)


@pytest.mark.parametrize("strategy", ["ts-ids", "partition"])
def test_interval_holds_the_truth(strategy: str) -> None:
    """The 95 % interval contains the truth at all checkpoints except one, and at the end."""
    ledger, found = harvest(planner_of(strategy))
    sizes = [each.size for each in found if each.size is not None]
    truth = len(DOCUMENTS)
    right = [each.low <= truth <= (each.high or np.inf) for each in sizes]
    assert len(right) >= 4
    assert sum(right) >= len(right) - 1
    done = certificate_of(ledger)
    assert done.size_low is not None
    assert done.size_high is not None
    assert done.size is not None
    assert done.size_low <= truth <= done.size_high
    assert done.size == pytest.approx(truth, rel=0.05)
    assert done.hit_rate == done.documents / done.size


def test_probes_stay_within_their_share() -> None:
    """Pages of probes are at most a tenth of the requests on the way, a fifth at the end."""
    shares = []
    store, client = MemoryStore(), Counting(box())
    ledger, _ = harvest(planner_of("ts-ids"), client=client, store=store)
    ledger = Ledger()
    for event in store.events():
        ledger.tell(event)
        if isinstance(event, Concluded):
            own = ledger.result_pages + ledger.documents
            shares.append(ledger.probe_pages / own)
    assert max(shares[:-1]) <= PROBE_SHARE * 1.05
    assert 0 < shares[-1] <= PROBE_SHARE_AT_THE_END
    done = certificate_of(ledger)
    assert done.probe_pages == ledger.probe_pages > 50
    assert done.requests == len(client.asked)
    assert done.requests == done.result_pages + done.probe_pages + done.document_pages


def test_planner_is_told_of_its_own_alone() -> None:
    """A planner receives the same events, in the same order, with and without probes."""
    told = []
    for estimate in (True, False):
        listener = Listener(planner_of("ts-ids"))
        aims = Aims(estimate=estimate, limit=LIMIT, page_size=WIDTH)
        ledger, _ = harvest(listener, aims)
        assert (ledger.probes > 0) is estimate
        told.append([_what(event) for event in listener.told])
    assert told[0] == told[1]


def _what(event: AnyEvent) -> object:
    if isinstance(event, PageReceived):
        return event.query, event.number
    return event.document.key if isinstance(event, DocumentReceived) else type(event)


def test_own_ledger_is_that_of_a_harvest_without_probes() -> None:
    """Chart, OR and cuts are the same with probes; documents also include those of probes."""
    with_probes, _ = harvest(planner_of("adaptive"))
    without, _ = harvest(planner_of("adaptive"), Aims(estimate=False))
    ours, theirs = certificate_of(with_probes), certificate_of(without)
    for name in ("queries", "rows_received", "overlapping_rate", "truncations", "cuts"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert ours.documents - ours.probe_documents == theirs.documents
    assert theirs.probes == theirs.probe_pages == theirs.probe_documents == 0
    assert theirs.size is None


@pytest.mark.parametrize(
    ("strategy", "share"),
    [
        ("ts-ids", 0.05),
        ("auto", 0.97),
        ("ts-ids", 0.6),
        ("ts-ids", 0.97),
        ("auto", 0.6),
        ("auto", 0.05),
    ],
)
def test_broken_off_anywhere_it_ends_the_same(strategy: str, share: float) -> None:
    """After a kill within queries or probes, the harvest continues and repeats no request."""
    whole = _undisturbed(strategy)
    cut_after = int(share * len(whole[0]))
    store, broken = MemoryStore(), Counting(box(few=True), cut_after)
    with pytest.raises(PulledPlug):
        harvest(planner_of(strategy), client=broken, store=store)
    rest = Counting(box(few=True))
    ledger, _ = harvest(planner_of(strategy), client=rest, store=store)
    assert tuple(broken.asked + rest.asked) == whole[0]
    assert certificate_of(ledger) == whole[1]
    assert tuple(store.documents()) == whole[2]
    again = Counting(box(few=True), 0)
    ledger, found = harvest(planner_of(strategy), client=again, store=store)
    assert certificate_of(ledger) == whole[1]
    assert not found


@cache
def _undisturbed(strategy: str) -> tuple[tuple[str, ...], Certificate, tuple[Document, ...]]:
    store, client = MemoryStore(), Counting(box(few=True))
    ledger, _ = harvest(planner_of(strategy), client=client, store=store)
    return tuple(client.asked), certificate_of(ledger), tuple(store.documents())


def shards_down() -> Counting:
    """Return a source that leaves out a different third of its documents for each query."""
    boxes = tuple(
        Searcher(
            [document for place, document in enumerate(FEW) if place % 3 != shard],
            limit=LIMIT,
            page_size=WIDTH,
        )
        for shard in range(3)
    )
    return Counting(FaultySource(box(few=True), ShardDown(boxes)))


def test_what_probes_show_to_be_left_behind_is_asked_for_by_single_terms() -> None:
    """A partition of a source with partial answers ends early; single terms find the rest."""
    client = shards_down()
    ledger, _ = harvest(planner_of("auto"), client=client)
    assert "; then adaptive" in ledger.stopped.reason
    assert ledger.documents >= 0.93 * len(FEW)
    assert (ledger.believed().low or 0) <= len(FEW)

    store, broken = MemoryStore(), shards_down()
    broken.most = int(0.9 * len(client.asked))
    with pytest.raises(PulledPlug):
        harvest(planner_of("auto"), client=broken, store=store)
    rest = shards_down()
    again, _ = harvest(planner_of("auto"), client=rest, store=store)
    assert broken.asked + rest.asked == client.asked
    assert certificate_of(again) == certificate_of(ledger)


def two_languages() -> list[Document]:
    """Return notices in one language, and fewer in another, with no word in common."""
    rng = np.random.default_rng(1)
    notices = ("notice of the council about", 300), ("kennisgeving van het college over", 60)
    return [
        Document(f"{words[:3]}{number}", text=f"{words} {' '.join(rng.choice(ALL_WORDS[side], 5))}")
        for side, (words, documents) in enumerate(notices)
        for number in range(documents)
    ]


ALL_WORDS = (
    [f"anna{one}{two}" for one in "bcdfghjk" for two in "lmnpqrstvwxyz"],
    [f"bert{one}{two}" for one in "bcdfg" for two in "lmnpqrst"],
)


@pytest.mark.parametrize("strategy", ["auto", "adaptive"])
def test_what_only_probes_brought_is_gone_on_by(strategy: str) -> None:
    """Documents that share no word with the others are found through those of probes."""
    documents = two_languages()

    def planned() -> Policy:
        options = Options(abilities=Capabilities(page_size=WIDTH), words=["notice"])
        return make_planner(strategy, options, np.random.default_rng(0))

    def client(most: float = np.inf) -> Counting:
        return Counting(Searcher(documents, limit=None, page_size=WIDTH, boolean=False), most)

    def words() -> Sequence[str]:
        return [*ALL_WORDS[0], *ALL_WORDS[1]]

    aims, whole = Aims(page_size=WIDTH), client()
    ledger, _ = harvest(planned(), aims, client=whole, dictionary=words)
    assert ledger.documents == len(documents)
    size = ledger.believed()
    assert (size.low or 0) <= len(documents) <= (size.high or np.inf)

    store, broken, rest = MemoryStore(), client(len(whole.asked) - 30), client()
    with pytest.raises(PulledPlug):
        harvest(planned(), aims, client=broken, store=store, dictionary=words)
    again, _ = harvest(planned(), aims, client=rest, store=store, dictionary=words)
    assert broken.asked + rest.asked == whole.asked
    assert certificate_of(again) == certificate_of(ledger)


def test_stop_in_between_leaves_no_trace() -> None:
    """A run that stopped at a budget and continued with a larger one ends like a single run."""
    store, client = MemoryStore(), Counting(box(few=True))
    stopped, _ = harvest(planner_of("ts-ids"), client=client, store=store, max_queries=60)
    assert "all 60 searches" in stopped.stopped.reason
    assert stopped.queries_and_probes == 60
    ledger, _ = harvest(planner_of("ts-ids"), client=client, store=store)
    whole = _undisturbed("ts-ids")
    assert certificate_of(ledger) == whole[1]
    assert tuple(client.asked) == whole[0]


def test_target_stops_at_the_share_aimed_at() -> None:
    """With a target of .7, a harvest that could hold everything stops close to it, and says so."""
    aims = Aims(target_coverage=0.7, limit=LIMIT, page_size=WIDTH)
    ledger, found = harvest(planner_of("partition"), aims)
    assert ledger.stopped.target_met
    assert "as aimed at" in ledger.stopped.reason
    assert 0.7 <= ledger.documents / len(DOCUMENTS) <= 0.9
    assert (ledger.believed().high or 0) * 0.7 <= ledger.documents
    size = found[-1].size
    assert size is not None
    assert size.hits >= 95  # of 100; words that have become frequent no longer count


def test_target_by_a_size_that_is_given_needs_no_probes() -> None:
    """With the size known, the harvest stops at the first query beyond the share."""
    aims = Aims(target_coverage=0.5, size=len(DOCUMENTS), estimate=False)
    ledger, _ = harvest(planner_of("partition"), aims)
    assert ledger.probes == 0
    assert 0 <= ledger.documents - 0.5 * len(DOCUMENTS) <= WIDTH
    assert ledger.stopped.target_met


def test_planner_that_ends_before_the_target_stops_short() -> None:
    """If the queries end first, the target is not met, and the reason names the share."""
    words = ["return", "string", "object", "file", "class", "module"]
    aims = Aims(target_coverage=0.9, limit=LIMIT, page_size=WIDTH)
    ledger, _ = harvest(Words(words), aims)
    assert not ledger.stopped.target_met
    assert "the target is 90.0%; no word is left" in ledger.stopped.reason


def test_poor_return_stops_short() -> None:
    """If the last 100 requests returned too few new documents, the harvest ends."""
    aims = Aims(min_return=0.5, estimate=False)
    ledger, _ = harvest(planner_of("random-dictionary"), aims)
    assert not ledger.stopped.target_met
    assert "fewer than 0.5 new documents" in ledger.stopped.reason
    assert ledger.documents < 0.9 * len(DOCUMENTS)
    free, _ = harvest(planner_of("random-dictionary"), Aims(min_return=1e-9, estimate=False))
    assert free.requests > ledger.requests + WINDOW


def test_other_languages_are_probed_with_their_own_words() -> None:
    """If the dictionary does not fit the language, probes are words of held documents."""
    coded = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
    documents = [Document(d.key, d.url, "", d.text.lower().translate(coded)) for d in DOCUMENTS]
    source = Searcher(documents, limit=LIMIT, page_size=WIDTH)
    client = Counting(source)
    able = Capabilities(limit=LIMIT, page_size=WIDTH, negation=True, counts="exact")
    words = [word.translate(coded) for word in ("return", "string", "value", "list")]
    options = Options(abilities=able, words=words)
    planner = make_planner("partition", options, np.random.default_rng(0))
    ledger, found = harvest(planner, client=client)
    done = certificate_of(ledger)
    assert found[-1].size is not None
    assert found[-1].size.hits >= 0.7 * done.probes
    assert done.size_low is not None
    assert done.size_high is not None
    assert done.size_low <= len(DOCUMENTS) <= done.size_high


def test_exact_totals_of_disjoint_queries_bound_the_size() -> None:
    """The totals of a partition's roots give a lower bound that is close to the truth."""
    ledger, found = harvest(planner_of("partition"))
    assert 0.9 * len(DOCUMENTS) <= found[-1].at_least <= len(DOCUMENTS)
    done = certificate_of(ledger)
    names = [each.name for each in done.estimates]
    assert names[:2] == ["probes", "cells"]
    assert done.size_low is not None
    assert done.size_low >= found[-1].at_least
    rough = Counting(box(counts="approximate"))
    ledger, found = harvest(planner_of("partition"), client=rough)
    assert found[-1].at_least == 0
    assert found[-1].discrepancies


def test_probe_that_never_ends_is_cut() -> None:
    """A word that matches a complete source without a return limit is not read to its end."""
    documents = [
        Document(str(n), text=f"the same word{n % 7} {'abcdefgh'[n % 8]}") for n in range(900)
    ]
    source = Counting(Searcher(documents, limit=None, page_size=10))
    planner = Words(["same", *(f"word{n}" for n in range(7))])
    policy = Measured(
        planner,
        Aims(page_size=10),
        np.random.default_rng(0),
        dictionary=lambda: ["same", "a", "word"],
    )
    ledger = Ledger()
    engine = Engine(
        policy, source, MemoryStore(), ledger, callbacks=Callbacks(conclude=policy.conclude)
    )
    asyncio.run(engine.run())
    assert all(int(each.split()[1]) <= 10 for each in source.asked if " " in each)


def test_query_without_a_word_is_no_word() -> None:
    """A query for everything, or for alternatives only, is harvested like any other."""
    whole, either = Query(()), Query((), any_of=("return", "value"))

    class All(Words):
        def next(self) -> Search | Finish:
            return Search(asked.pop(0)) if asked else Finish("no query is left")

    asked = [either, Query(("return",))]
    ledger, _ = harvest(All([]), Aims(estimate=True, limit=LIMIT, page_size=WIDTH))
    assert ledger.queries == 2
    policy = Measured(All([]), Aims(), np.random.default_rng(0))
    policy.tell(PageReceived(whole, 1, Page((Hit("a"),))))
    assert not policy._probing._answers


class Noting:
    """A policy that records the actions of another."""

    def __init__(self, policy: Measured) -> None:
        self.policy = policy
        self.wanted: list[Search | Request | Finish] = []

    def next(self) -> Search | Request | Finish:
        self.wanted.append(self.policy.next())
        return self.wanted[-1]

    def tell(self, event: AnyEvent) -> None:
        self.policy.tell(event)


@pytest.mark.parametrize(("counts", "fewest"), [("exact", 4), ("none", 0)])
def test_frequent_words_are_counted_where_counts_are_exact(counts: str, fewest: int) -> None:
    """Up to ten words are requested for their totals, without reading their documents."""
    words = ["socket", "email", "parser", "thread", "codec", "locale"]
    policy = Measured(Words(words), Aims(limit=LIMIT, page_size=WIDTH), np.random.default_rng(7))
    noting, client, store = Noting(policy), Counting(box(few=True, counts=counts)), MemoryStore()
    engine = Engine(noting, client, store, Ledger(limit=LIMIT, page_size=WIDTH))
    asyncio.run(engine.run())
    counted = [each for each in noting.wanted if isinstance(each, Probe) and not each.reads]
    assert fewest <= len(counted) <= (10 if fewest else 0)
    assert {each.number for each in counted} <= {1}
    first = client.asked.index(f"{counted[0].query} 1") if counted else 0
    assert client.asked[first : first + len(counted)] == [f"{each.query} 1" for each in counted]


@pytest.mark.parametrize("values", [("maps", "letters"), ("maps", "letters", "films", "books")])
def test_probes_ask_with_the_values_of_a_list_that_every_search_needs(
    values: tuple[str, ...],
) -> None:
    """Otherwise only the documents of its first value would be estimated; of many one is drawn."""
    needed = Facet("section", "list", values, required=True)
    probing = Probing(ReturnLimit(), np.random.default_rng(0), english, (needed,), Hashes())
    for number in range(30):
        probing.hold(Document(f"d{number}", text="the water of the river and the house"))
    asked: dict[tuple[str, ...], list[str]] = {}
    for _ in range(40):
        probe = probing.next(100, may_begin=lambda: True)
        assert probe is not None
        asked.setdefault(probe.query.required, []).extend(e.low for e in probe.query.filters)
        probing.tell(PageReceived(probe.query, 1, Page(), probe=True))
    assert {value for each in asked.values() for value in each} == set(values)
    assert all(len(each) == (2 if len(values) == 2 else 1) for each in [*asked.values()][:-1])
