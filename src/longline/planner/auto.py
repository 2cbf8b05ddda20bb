"""Find out what a source can do, choose the strategy that fits, and change it if it fails.

A source that lists everything without words is split by its facets, ranges and lists, as far
as these go. If no total proves that the list is complete, queries for rare terms of its documents
must show nothing else. A source that completes typed text is asked with beginnings of names.
A source with AND and NOT is partitioned; any other gets single terms, the most promising first.
If a partition turns out to be impossible, single terms replace it. A partition can get stuck, if
queries cannot be long enough to separate documents, or can be expected to, if documents have only
a few words. Then both strategies take turns: the one with more new documents per page goes first.
Without NOT, searches that were cut are narrowed by further words when single terms are spent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice
from math import inf

import numpy as np

from longline.events import AnyEvent, Discrepancy, DocumentReceived, PageReceived
from longline.model import Finish, Page, Query, Search
from longline.planner.adaptive import Adaptive
from longline.planner.capabilities import Capabilities
from longline.planner.narrowing import Narrowing
from longline.planner.observed import DocumentIndex, Forms, Successor, arrival
from longline.planner.partition import (
    FacetPartition,
    Partition,
    PrefixPartition,
    SourceModel,
    discrepancies,
)
from longline.planner.probe import CapabilityTrials, Findings
from longline.planner.reports import Reports
from longline.ports import Asking, GeneratorPolicy, Policy
from longline.text.seed_words import SEED_WORDS, shuffled

LEAST_TERMS = 4
"""If queries may have fewer terms, they cannot separate documents, and no partition begins."""

TURN = 15
"""Pages in one turn, when two strategies are compared by what they bring."""

HOPELESS = 1.6
"""Above this strain (`Partition.strain`), a partition alone is taken to be hopeless."""

MUCH = 0.6
"""A partition with this many new documents per page, as a share of a full page, continues."""

RARE_TERMS = 10
"""Number of rare terms that test whether a list has every document."""

HELD = 1, 5
"""The least number of listed documents that contain a test term, for either half of the terms. A
term of only one document may show just that document, even if the list is incomplete."""

COMMON = 10
"""The number of common terms to begin with, if a list is not complete."""

SHORTEST = 3
"""The least length of a test term in letters; shorter words are often not searched."""

UNLISTED = 0.02
"""A list counts as complete if at most this share of the hits for test terms is not on it."""


class _CutAnswers:
    """Totals of searches for words, and the return limit that they show.

    Attributes:
        totals: By search, if more documents match than its first page shows.
        limit: The most results of an answer that was read to its end and lacks some; 0 if none.
    """

    def __init__(self) -> None:
        self.totals: dict[Query, int] = {}
        self.limit = 0
        self._rows = 0

    def see(self, event: PageReceived) -> None:
        """Note a page's total."""
        page, query = event.page, event.query
        self._rows = len(page.hits) + (self._rows if event.number > 1 else 0)
        total = page.exact_total or 0
        if not query.required or query != Query(query.required) or total <= self._rows:
            return
        self.totals[query] = total
        if page.next is None:
            self.limit = max(self.limit, self._rows)


class _Way:
    """A running strategy, with its new documents per page in the last turn."""

    def __init__(self, name: str, policy: Successor) -> None:
        self.name = name
        self.policy = policy
        self.rate = inf
        self.finish: Finish | None = None


class Auto(GeneratorPolicy[Search, Page], Reports):
    """Probe a source with queries that are useful anyway, choose a strategy, and change it in time.

    Args:
        abilities: What the source is said to do; trusted until answers contradict it.
        rng: Orders the first words, and is passed to the strategies.
        words: Words to begin with, until some bring documents.
        forms: What is known of the word forms that the source merges.
        is_inner: A list of everything was read before, and was cut.

    Attributes:
        findings: What the source can do; None until the probes have ended.

    >>> planner = Auto(Capabilities(), np.random.default_rng(0), ["deep"])
    >>> str(planner.next().query)
    'deep'
    >>> planner.next()
    Finish(reason='no word brought a document')
    """

    def __init__(
        self,
        abilities: Capabilities,
        rng: np.random.Generator,
        words: Sequence[str] = SEED_WORDS,
        forms: Forms | None = None,
        *,
        is_inner: bool = False,
    ) -> None:
        super().__init__(self._planned())
        self._abilities, self._is_inner = abilities, is_inner
        self._forms = forms or Forms(abilities.forms)
        self._rng = rng
        self._words = shuffled(words, rng)
        self._trials = CapabilityTrials(abilities, self._words)
        self.findings: Findings | None = None
        self._early: DocumentIndex | None = DocumentIndex()  # until a strategy holds them
        self._ways: list[_Way] = []
        self._current: _Way | None = None
        self._new = 0
        self._partition: Partition | None = None
        self._facets: FacetPartition | None = None
        self._prefixes: PrefixPartition | None = None
        self._adaptive: Adaptive | None = None
        self._narrowing: Narrowing | None = None
        self._inner: Auto | None = None
        self._able = abilities
        self._goes_on = False
        self._cut = _CutAnswers()

    @property
    def words(self) -> list[str]:
        """The words that bring documents, as far as the trials sent any."""
        return self._trials.words

    def tell(self, event: AnyEvent) -> None:
        """Process a result page or a document."""
        if isinstance(event, DocumentReceived):
            self._hold(event)
            return
        if isinstance(event, PageReceived):
            self.came = event.page
            self._cut.see(event)
        if self._current is not None:
            self._current.policy.tell(event)
        elif isinstance(event, PageReceived):
            self._forms.see(event.query, event.number, event.page)

    def _hold(self, event: DocumentReceived) -> None:
        self._new += 1
        if self.findings is None:
            self._trials.hold(event)
        if self._early is not None:
            came = arrival(event)
            self._forms.hold(came.key, came.terms)
            self._early.add(came.key, came.terms, came.snippet)
        for way in self._ways:  # a later strategy starts from what the first ones hold
            if way is self._current:
                way.policy.tell(event)
            elif self._listens(way):
                way.policy.take(arrival(event))

    def _listens(self, way: _Way) -> bool:
        """Return whether a strategy needs documents; an ended partition counts what it missed."""
        return way.finish is None or (way.policy is self._partition and way.finish.target_met)

    def discrepancies(self) -> tuple[Discrepancy, ...]:
        """Return all discrepancies found so far: totals, parts of cells, rows, hits."""
        known = self._partition or self._trials.known
        facets = () if self._facets is None else self._facets.discrepancies()
        own = discrepancies(known) if isinstance(known, SourceModel) else known.discrepancies()
        return (*facets, *own)

    def at_least(self) -> int:
        """Return how many documents disjoint queries match together, by exact totals."""
        known = [way for way in (self._partition, self._facets) if way is not None]
        return max((way.at_least() for way in known), default=0)

    def split(self) -> tuple[Query, ...]:
        """Return the overflowing queries that were replaced by queries for their parts."""
        known = self._facets, self._prefixes, self._narrowing
        ways = [way for way in known if way is not None]
        return tuple(query for way in ways for query in way.split())

    def believed_forms(self) -> str:
        """Return the rule by which the source merges word forms, or "" if it merges none."""
        return self._forms.name

    def go_on(self, found: Sequence[DocumentReceived]) -> bool:
        """Send single terms too, or those of the found documents; return False if neither helps."""
        if self._abilities.matches != "words" or not self._ways:
            return False
        self._goes_on = True
        for way in self._ways:
            if way.policy is self._adaptive:
                if not self._adaptive.go_on(found):
                    return False
                way.finish = None
                self.begin(self._in_turns())
                return True
        for event in found:
            self._hold(event)
        self.begin(self._by_terms(self._able))
        return True

    def _planned(self) -> Asking[Finish]:
        if self._abilities.matches == "prefix":
            self._prefixes = PrefixPartition(self._abilities)
            way = self._open("prefixes", self._prefixes)
            return self._summed_up((yield from self._to_its_end(way)))
        if not self._is_inner and (self._abilities.lists_all or self._abilities.needs_both):
            finish = yield from self._by_facets()
            if self._abilities.matches == "nothing" or not self._abilities.lists_all:
                return self._summed_up(finish)
            if finish.target_met and (yield from self._lists_all()):
                return self._summed_up(finish)
            self._trials.prefer(self._common())
        self.findings = yield from self._trials.plan()
        if not self._early:
            return Finish("no word brought a document")
        self._able = able = self.findings.abilities
        if not able.negation or (able.max_terms or LEAST_TERMS) < LEAST_TERMS:
            return (yield from self._by_terms(able))
        self._partition = Partition(able, self._rng, self._trials.words, self._forms)
        for each in self._early.arrivals():
            self._partition.take(each)
        way = self._open("partition", self._partition)
        self._early = None  # the partition holds all documents
        yield from self._try_alone(way, self._partition)
        if way.finish is None and self._partition.is_stuck:
            # One turn may be enough for the remaining documents.
            yield from self._take_turn(way, pages=TURN)
        return self._completed() or (yield from self._by_terms(able))

    def _try_alone(self, way: _Way, partition: Partition) -> Asking[None]:
        """Run a partition until it ends, gets stuck, or turns out to be hopeless."""
        pages = new = 0
        while way.finish is None and not partition.is_stuck:
            yield from self._take_turn(way, pages=1)
            pages, new = pages + 1, new + self._new
            if pages % TURN == 0:
                way.rate = new / pages
                is_much = way.rate >= MUCH * partition.page_size
                if not is_much and partition.strain() > HOPELESS:
                    return

    def _completed(self) -> Finish | None:
        """Return the partition's result if it left almost nothing, else None."""
        if self._goes_on:
            return None
        for way in self._ways:
            if way.policy is self._partition and way.finish and way.finish.target_met:
                return None if self._partition.is_stuck else self._summed_up(way.finish)
        return None

    def _by_facets(self) -> Asking[Finish]:
        """Split the source by its facets, and search the remaining parts by terms."""
        has_words = self._abilities.matches == "words"
        self._facets = FacetPartition(self._abilities, self._make_inner if has_words else None)
        return (yield from self._to_its_end(self._open("facets", self._facets)))

    def _to_its_end(self, way: _Way) -> Asking[Finish]:
        while way.finish is None:
            yield from self._take_turn(way, pages=1)
        return way.finish

    def _lists_all(self) -> Asking[bool]:
        """Return whether the list is complete: its total or queries for rare terms prove it."""
        assert self._facets is not None
        held = self._early
        if self._facets.is_proved:
            return True
        if not held:
            return False
        counts = held.frequencies()
        order = np.lexsort((self._rng.random(len(counts)), counts))
        longer = [number for number in order.tolist() if len(held.terms[number]) >= SHORTEST]
        halves = ((number for number in longer if counts[number] >= least) for least in HELD)
        numbers = chain.from_iterable(islice(half, RARE_TERMS // len(HELD)) for half in halves)
        known, shown, unlisted = set(held.keys), 0, 0
        for term in dict.fromkeys(held.terms[number] for number in numbers):
            page = yield Search(Query((term,)), 1)
            keys = [] if page is None else [hit.key for hit in page.hits]
            shown += len(keys)
            unlisted += len(set(keys) - known)
            known.update(keys)
        return shown > 0 and unlisted <= UNLISTED * shown

    def _common(self) -> list[str]:
        """Return the most frequent terms of the held documents, without those of more than half."""
        held = self._early
        if not held:
            return []
        counts = held.frequencies()
        order = np.argsort(-counts, kind="stable").tolist()
        return [held.terms[number] for number in order if counts[number] <= len(held) / 2][:COMMON]

    def _make_inner(self) -> Policy:
        """Return a planner for a part that facets cannot split; the first one runs the probes."""
        able = replace(self._abilities, facets=())
        if self._inner is None or self._inner.findings is None:
            self._inner = Auto(able, self._rng, self._words, self._forms, is_inner=True)
            return self._inner
        able = self._inner.findings.abilities
        if able.negation and (able.max_terms or LEAST_TERMS) >= LEAST_TERMS:
            return Partition(able, self._rng, self._inner.words, self._forms)
        return Adaptive(able, self._rng, self._words, forms=self._forms)

    def _by_terms(self, able: Capabilities) -> Asking[Finish]:
        """Send single terms, in turns with a stuck partition; the more productive goes first."""
        if self._partition is not None and self._partition.problem:
            able = replace(able, negation=False, conjunction=self._partition.conjunction_works)
        held = self._early if self._partition is None else self._partition.written()
        self._adaptive = Adaptive(able, self._rng, self._words, forms=self._forms)
        if held is not None:
            self._adaptive.take_all(held)
        self._open("adaptive", self._adaptive)
        self._early = None
        finish = yield from self._in_turns()
        limit = self._cut.limit
        if not (able.conjunction and limit and not able.negation):
            return finish
        able, held = replace(able, limit=limit), self._adaptive.held
        self._narrowing = Narrowing(able, self._cut.totals, held)
        way = self._open("narrowing", self._narrowing)
        yield from self._to_its_end(way)
        return self._summed_up(finish)

    def _in_turns(self) -> Asking[Finish]:
        """Run the open strategies in turns, the one with more new documents per page first."""
        last = self._ways[-1]
        while open_ways := [way for way in self._ways if way.finish is None]:
            last = max(open_ways, key=lambda way: way.rate)
            yield from self._take_turn(last, pages=TURN if len(open_ways) > 1 else 1)
            if (completed := self._completed()) is not None:
                return completed
        assert last.finish is not None
        return self._summed_up(last.finish)

    def _open(self, name: str, policy: Successor) -> _Way:
        way = _Way(name, policy)
        self._ways.append(way)
        return way

    def _take_turn(self, way: _Way, pages: int) -> Asking[None]:
        """Let a strategy request some pages; note how many new documents per page they brought."""
        self._current, self._new = way, 0
        for _ in range(pages):
            action = way.policy.next()
            if not isinstance(action, Search):
                assert isinstance(action, Finish)
                way.finish, self._current = action, None
                return
            yield action
        way.rate = self._new / pages

    def _summed_up(self, finish: Finish) -> Finish:
        """Return a result that names the strategies used, and why each ended."""
        ways = [f"{way.name}: {self._reason(way)}" for way in self._ways if way.finish is not None]
        return Finish("; then ".join(ways), finish.target_met)

    def _reason(self, way: _Way) -> str:
        """Return why a strategy ended; what others found since does not count as missing."""
        policy = way.policy
        finish = policy.result() if isinstance(policy, FacetPartition) else way.finish
        return "" if finish is None else finish.reason
