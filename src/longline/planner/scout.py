"""Find out in some twenty queries what a source can do and how many documents it holds.

First the trials of `auto`: page size, totals, order, AND, NOT, the longest query. Then the
size, by the best way that is open:

listing The exact total of the query that asks for nothing and lists everything, where there is one.
roots   The commonest term; the commonest NOT with it; the commonest with neither; and so on.
        Their totals count disjoint sets, so their sum is a lower bound; what is outside them is
        extrapolated from how fast the totals fall. Needs AND, NOT and totals.
union   The same sets for two or three terms by inclusion and exclusion, where there is no NOT.
        Needs AND and exact totals.
shares  The total of a term / the share of documents from other queries that hold the term. Those
        documents are no random draws, so the interval is wide. Needs totals.
drill   A term, with another that a third of its documents hold, and so on, until a page holds
        all that is left: what is on that page / the shares on the way. Needs AND, whole texts,
        and one order for all queries, so that first pages are fair samples.
seen    No more than that so many different documents were seen.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import combinations

import numpy as np

from longline.events import AnyEvent, DocumentReceived, PageReceived
from longline.model import Finish, Hit, Page, Query, Search
from longline.planned import Planned
from longline.planner._asking import Asking
from longline.planner._cells import Cell
from longline.planner._numbering import Numbers
from longline.planner._residue import likely_outside
from longline.planner._sizes import UNKNOWN
from longline.planner._soundings import (
    Sounding,
    by_drill,
    by_listing,
    by_roots,
    by_rough_roots,
    by_seen,
    by_shares,
    by_union,
)
from longline.planner._trials import Findings, Ranking, Trials
from longline.planner.abilities import Abilities
from longline.planner.seed_words import SEED_WORDS, shuffled
from longline.pool import STOP_WORDS, Analyzer

ROOTS = 14
"""Roots at most. Where stop words are indexed, five hold nearly all of a source."""

SMALL_ROOTS = 3
"""When so many roots bring a page at most, the rest is small."""

EMPTY_ROOTS = 3
"""So many roots may match nothing, as stop words do where they are not indexed."""

UNION = 3
"""Terms of a union: seven queries; a fourth term would take eight more."""

OTHER_HEADS = 3
"""More terms that the largest set is counted by, where totals have errors."""

SHARE_TERMS = 4
"""Common terms whose totals and shares are compared."""

DEPTH = 14
"""Queries of a drill at most; each keeps about a third of the documents."""

KEPT = 0.35
"""Share of a drill's documents to keep from query to query."""

LEAST_HELD = 20
"""Fewer documents of a set say nothing of a term's share in it."""


class Scout(Planned[Search, Page]):
    """Probe a source: what it can do, and how many documents it holds.

    Args:
        abilities: What the source is said to do; believed as far as it proves true.
        rng: Orders the first words.
        words: To begin with, until some bring documents.
        analyzer: Cuts texts into terms.
        whole_texts: The documents told are whole, not titles and snippets.

    Attributes:
        findings: What the source can do; None until that is found out.
        sounding: How many documents it holds; None until that is found out.
        queries: Sent so far.

    >>> scout = Scout(Abilities(negation=True), np.random.default_rng(0), ["deep"])
    >>> str(scout.next().query)
    'deep'
    >>> scout.next()
    Finish(reason='no word brought a document', target_met=False)
    """

    def __init__(
        self,
        abilities: Abilities,
        rng: np.random.Generator,
        words: Sequence[str] = SEED_WORDS,
        analyzer: Analyzer | None = None,
        *,
        whole_texts: bool = True,
    ) -> None:
        super().__init__(self._planned())
        self._trials = Trials(
            abilities, shuffled(words, rng), analyzer or Analyzer(stop_words=frozenset())
        )
        self._known = self._trials.known
        self._whole_texts = whole_texts
        self.findings: Findings | None = None
        self.sounding: Sounding | None = None
        self.queries = 0
        self._answers: list[tuple[Query, frozenset[str], int | None, bool]] = []
        self._hits: dict[str, Hit] = {}

    def next(self) -> Search | Finish:
        """Say what is wanted next."""
        action = super().next()
        self.queries += isinstance(action, Search)
        return action

    def tell(self, event: AnyEvent) -> None:
        """Be told what came."""
        match event:
            case PageReceived(query, 1, page):
                self.came = page
                self._hits = {hit.key: hit for hit in page.hits}
                total = page.total
                claimed = None if total is None else total.documents
                keys = frozenset(hit.key for hit in page.hits)
                self._answers.append((query, keys, claimed, page.next is None))
            case DocumentReceived(document):
                self._trials.hold(document, self._hits.get(document.key))

    @property
    def seen(self) -> int:
        """Different documents on the pages that came."""
        return len(frozenset().union(*(keys for _, keys, _, _ in self._answers)))

    @property
    def widest(self) -> str:
        """The single word that most documents hold, by its total; "" where there is none."""
        return max(self._single_words(), default=(0, ""))[1]

    def _single_words(self) -> list[tuple[int, str]]:
        """Return the totals of single words that were asked for, and the words; none of nothing."""
        return [
            (claimed, query.required[0])
            for query, _, claimed, _ in self._answers
            if claimed and len(query.required) == 1 and not query.excluded
        ]

    def so_far(self) -> Sounding:
        """Return the sounding, or what the answers say that came before the probe was stopped."""
        if self.sounding is not None:
            return self.sounding
        claims = [claimed for _, _, claimed, _ in self._answers if claimed is not None]
        reliable = bool(claims) and self._known.trust.counts == "exact"
        return by_seen(self.seen, max(claims) if reliable else 0)

    # The plan.

    def _planned(self) -> Asking[Finish]:
        findings = yield from self._trials.plan()
        if not len(self._known.held):
            return Finish("no word brought a document", target_met=False)
        self.findings = findings
        able = findings.abilities
        self.sounding = (yield from self._sound(able, findings.ranking)) or self.so_far()
        return Finish(f"the size was sounded: {self.sounding.method}")

    def _sound(self, able: Abilities, ranking: Ranking | None) -> Asking[Sounding | None]:
        """Try the ways that are open, the best first, until one tells."""
        sounding = None
        has_totals = able.counts not in (None, "none")
        if able.lists_all and able.counts == "exact":
            sounding = yield from self._sound_listing()
        if sounding is None and able.negation and has_totals:
            sounding = yield from self._sound_roots()
        if sounding is None and able.conjunction and able.counts == "exact":
            sounding = yield from self._sound_union()
        if sounding is None and has_totals:
            sounding = yield from self._sound_shares(able.conjunction)
        if not has_totals and able.conjunction and self._whole_texts and ranking == "static":
            sounding = yield from self._sound_drill()
        return sounding

    def _sound_listing(self) -> Asking[Sounding | None]:
        cell = Cell((), (), UNKNOWN)
        page = yield from self._read(cell)
        if page is None or not cell.claimed or cell.at_least:
            return None
        return by_listing(cell.claimed, self.seen)

    # Roots: AND, NOT and totals.

    def _sound_roots(self) -> Asking[Sounding | None]:
        known = self._known
        roots: list[str] = []
        cells: list[Cell] = []
        empty: frozenset[str] = frozenset()
        tries = 0
        while len(roots) < min(ROOTS, known.length - 1) and tries < ROOTS + EMPTY_ROOTS:
            tries += 1
            found = self._likely_outside(roots, empty)
            if found is None:
                break
            cell = Cell((found[0],), tuple(roots), UNKNOWN)
            page = yield from self._read(cell)
            if page is None or not page.hits or cell.claimed is None:
                empty = _with_kin(empty | {found[0]})
                continue
            roots.append(found[0])
            cells.append(cell)
            small = [each for each in cells if (each.claimed or 0) <= known.bounds.page_size]
            if len(small) == SMALL_ROOTS:
                break
        if len(cells) > 1 and known.trust.counts == "exact":
            # Some match the second and not the first: with one total both are said to be smaller.
            second = Cell((roots[1],), (), UNKNOWN)
            yield from self._read(second)
            if second.claimed == cells[0].claimed:
                known.ceiling.see_more(cells[0])
        if not cells or any(each.at_least or known.ceiling.hides(each) for each in cells):
            return None
        totals = [float(each.claimed or 0) for each in cells]
        if known.trust.counts == "exact":
            beside = yield from self._beside(roots)
            return by_roots(totals, self.seen, beside)
        others = yield from self._other_heads(roots, empty)
        unbiased = [total / self._bias for total in totals]
        return by_rough_roots(unbiased, others, known.trust.noise, self.seen)

    def _likely_outside(self, roots: Sequence[str], empty: Set[str]) -> tuple[str, float] | None:
        """Return the next root: none of the first words, which every snippet shows."""
        known = self._known
        return likely_outside(
            known.held, roots, known.barred | empty | {*roots, *self._trials.words}
        )

    def _beside(self, roots: Sequence[str]) -> Asking[tuple[int, int]]:
        """Count the documents of the first words, which are no roots, and those without a root."""
        known = self._known
        excluded = tuple(roots[: known.length - 1])
        all_of, outside = 0, 0
        for claimed, word in self._single_words():
            if word in self._trials.words:
                cell = Cell((word,), excluded, UNKNOWN)
                page = yield from self._read(cell)
                if page is not None and cell.claimed is not None and cell.claimed <= claimed:
                    all_of, outside = all_of + claimed, outside + cell.claimed
        return all_of, outside

    def _other_heads(self, roots: Sequence[str], empty: Set[str]) -> Asking[list[float]]:
        """Count what the first root or another term holds, as the term and the root without it."""
        known = self._known
        sums: list[float] = []
        barred = known.barred | empty | {roots[0]}
        for _ in range(OTHER_HEADS):
            found = likely_outside(known.held, [], barred)
            if found is None:
                break
            barred = barred | {found[0]}
            parts = [Cell((found[0],), (), UNKNOWN), Cell((roots[0],), (found[0],), UNKNOWN)]
            for part in parts:
                yield from self._read(part)
            if parts[0].rows and all(part.claimed is not None for part in parts):
                sums.append(sum(part.claimed or 0 for part in parts) / self._bias)
        return sums

    @property
    def _bias(self) -> float:
        """How many times too large totals are."""
        return float(np.exp(self._known.trust.bias))

    # Union: AND and exact totals.

    def _sound_union(self) -> Asking[Sounding | None]:
        terms: list[str] = []
        totals: dict[frozenset[str], int] = {}
        empty: frozenset[str] = frozenset()
        tries = 0
        while len(terms) < UNION and tries < UNION + EMPTY_ROOTS:
            tries += 1
            found = self._likely_outside(terms, empty)
            if found is None:
                break
            term = found[0]
            sets = [
                (*others, term)
                for size in range(len(terms) + 1)
                for others in combinations(terms, size)
            ]
            for each in sets:
                cell = Cell(each, (), UNKNOWN)
                page = yield from self._read(cell)
                if page is None or cell.claimed is None or cell.at_least:
                    return None
                totals[frozenset(each)] = cell.claimed
                if len(each) == 1 and not cell.claimed:
                    empty = _with_kin(empty | {term})
                    break
            else:
                terms.append(term)
        return by_union(terms, totals, self.seen) if terms else None

    # Shares: totals alone.

    def _sound_shares(self, conjunction: bool) -> Asking[Sounding | None]:
        known = self._known
        held = known.held
        ratios: list[float] = []
        largest, tried = 0, 0
        counts = held.counts(np.arange(len(held), dtype=np.int32))
        for number in np.argsort(-counts, kind="stable").tolist():
            term = held.terms[number]
            if tried >= SHARE_TERMS + EMPTY_ROOTS or len(ratios) == SHARE_TERMS:
                break
            tried += 1
            share = float(counts[number] / len(held))
            cell = Cell((term,), (), UNKNOWN)
            yield from self._read(cell)
            if not cell.rows or cell.claimed is None:
                continue
            largest = max(largest, cell.claimed)
            if cell.at_least:
                continue
            if conjunction:
                share = (yield from self._share_by_totals(term)) or share
            ratios.append(cell.claimed / share / self._bias)
        exact = known.trust.counts == "exact"
        at_least = max(self.seen, largest if exact else 0)
        return by_shares(ratios, 0.0 if exact else known.trust.noise, at_least)

    def _share_by_totals(self, term: str) -> Asking[float | None]:
        """Return a term's share among the first words' documents, by totals."""
        word = self._trials.words[0] if self._trials.words else None
        alone = next(
            (claimed for q, _, claimed, _ in self._answers if q == Query((word or "",))), 0
        )
        if word is None or word == term or not alone:
            return None
        cell = Cell((word, term), (), UNKNOWN)
        yield from self._read(cell)
        return None if not cell.claimed else min(1.0, cell.claimed / alone)

    # Drill: AND and texts.

    def _sound_drill(self) -> Asking[Sounding | None]:
        """Keep a third of the documents at a time, until a page shows all that are left."""
        known = self._known
        limit = known.bounds.limit
        numbers = np.arange(len(known.held), dtype=np.int32)
        required: tuple[str, ...] = ()
        barred = set(known.barred)
        shares: list[tuple[float, int]] = []
        for _ in range(DEPTH):
            chosen = self._third(numbers, barred)
            if chosen is None:
                return None
            term, share, sampled = chosen
            barred.add(term)
            cell = Cell((*required, term), (), UNKNOWN)
            page = yield from self._read(cell)
            if page is None:
                return None
            if not page.hits:
                continue
            shares.append((share, sampled))
            if page.next is None and (limit is None or len(page.hits) < limit):
                return by_drill(shares, len(page.hits), self.seen)
            required = cell.required
            found = {known.held.number.get(hit.key) for hit in page.hits}
            numbers = np.array(sorted(n for n in found if n is not None), dtype=np.int32)
        return None

    def _third(self, numbers: Numbers, barred: Set[str]) -> tuple[str, float, int] | None:
        """Return a term that some third of the documents holds, its share, and their number.

        It is chosen by every other document: chosen and counted in the same, terms that are
        frequent there by chance would win.
        """
        if len(numbers) < LEAST_HELD:
            return None
        held = self._known.held
        counts = held.counts(numbers[::2]) / len(numbers[::2])
        shares = (held.counts(numbers) + KEPT) / (len(numbers) + 1)
        for place in np.argsort(np.abs(counts - KEPT), kind="stable").tolist():
            if held.terms[place] not in barred:
                return held.terms[place], float(shares[place]), len(numbers)
        return None

    def _read(self, cell: Cell) -> Asking[Page | None]:
        page = yield Search(cell.query, 1)
        self._known.receive(cell, page)
        return page


def _with_kin(empty: frozenset[str]) -> frozenset[str]:
    """Add the other stop words where two of them match nothing: they are not indexed."""
    return empty | STOP_WORDS if len(empty & STOP_WORDS) >= 2 else empty
