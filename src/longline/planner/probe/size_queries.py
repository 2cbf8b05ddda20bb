"""Estimate a source's size with about a dozen queries, by the best method that works.

listing The exact total of a query without terms that lists everything, if the source has one.
roots   The most common term; the most common NOT with it; the most common with neither; and so on.
        Their totals count disjoint sets, so their sum is a lower bound; the number outside them is
        extrapolated from how fast the totals fall. Needs AND, NOT and totals; without NOT, AND
        and exact totals, which give three such sets from the overlaps of their terms.
shares  The total of a term / the share of documents from other queries that contain it. Those
        documents are no random sample, so the interval is wide. Needs totals.
seen    Only that this many different documents were seen.
"""

from collections.abc import Callable, Sequence, Set
from itertools import chain, combinations, islice

import numpy as np

from longline.model import Page, Query, Search
from longline.planner.capabilities import Capabilities
from longline.planner.cells import UNKNOWN, Cell
from longline.planner.observed import DocumentIndex
from longline.planner.partition import SourceModel, likely_outside
from longline.planner.probe.size_estimates import (
    SizeRange,
    by_listing,
    by_roots,
    by_rough_roots,
    by_shares,
)
from longline.planner.probe.term_shares import Answers, Pages, most_shown, vocabulary
from longline.pool import DROPPED_WORDS, STOP_WORDS
from longline.ports import Asking

ROOTS = 14
"""The most roots. If stop words are indexed, five contain nearly all of a source."""

SOME_ROOTS = 6
AFTER_ROOTS = (5, 9)
"""Queries to keep for the steps after the roots: with few roots, and from `SOME_ROOTS` on."""

ENOUGH_BESIDE = 200
"""The number of documents of other words that suffices to estimate how many lack every root."""

MORE_BESIDE = 3
"""The number of further words to count if the first ones have too few documents."""

SMALL_ROOTS = 3
"""Once this many roots add at most a page, and little compared with the rest, the search ends."""

SMALL = 0.01
"""What "little" is, as a share of the sum of all roots: a page of fifty may be much of a source."""

EMPTY_ROOTS = 3
"""This many roots may match nothing, as stop words do if they are not indexed."""

OVERLAPPING = 3
"""The number of roots without NOT: seven queries; a fourth root would take eight more."""

OTHER_HEADS = 3
"""The number of further terms for estimating the largest set, if totals have errors."""

SHARE_TERMS = 4
"""The number of common terms whose totals and shares are compared."""

LIKENESS = 1.0
"""A document that may contain one root more has its weight for the next root divided by e."""


class Sounder:
    """Estimate by queries how many documents a source holds.

    Args:
        known: The model of the source; it is updated with every answer.
        words: The first words, which brought documents.
        answers: All answers, including later ones.
        left: Returns how many queries are left.
    """

    def __init__(
        self,
        known: SourceModel,
        words: Sequence[str],
        answers: Answers,
        left: Callable[[], float],
    ) -> None:
        self._known = known
        self._words = words
        self._answers = answers
        self._left = left

    def sound(self, able: Capabilities) -> Asking[SizeRange | None]:
        """Try the methods that the source supports, the best first; return None if none works."""
        sounding = None
        has_totals = able.counts not in (None, "none")
        if able.lists_all and able.counts == "exact":
            sounding = yield from self._sound_listing()
        if sounding is None and has_totals and able.negation:
            sounding = yield from self._sound_roots(negation=True)
        elif sounding is None and able.conjunction and able.counts == "exact":
            sounding = yield from self._sound_roots(negation=False)
        if sounding is None and has_totals:
            sounding = yield from self._sound_shares(able.conjunction)
        return sounding

    def _sound_listing(self) -> Asking[SizeRange | None]:
        cell = Cell((), (), UNKNOWN)
        page = yield from self._read(cell)
        if page is None or not cell.reported or cell.at_least:
            return None
        return by_listing(cell.reported, self._answers.seen)

    # Roots: need AND and totals.

    def _sound_roots(self, *, negation: bool) -> Asking[SizeRange | None]:
        known = self._known
        most = min(ROOTS, known.length - 1) if negation else OVERLAPPING
        roots: list[str] = []
        totals: list[float] = []
        counted: list[Cell] = []
        empty: frozenset[str] = frozenset()
        for _ in range(most + EMPTY_ROOTS):
            if len(roots) == most or self._left() < AFTER_ROOTS[len(roots) >= SOME_ROOTS]:
                break
            found = self._likely_outside(roots, empty)
            if found is None:
                break
            term = found[0]
            cells = yield from self._count_outside(roots, term, negation=negation)
            if cells is None:
                is_doubtful = term in DROPPED_WORDS and empty.isdisjoint(DROPPED_WORDS)
                if negation and roots and is_doubtful:
                    # Either all its documents contain the other roots, or the source ignores it.
                    yield from self._read(Cell((term,), (), UNKNOWN))
                empty = _with_kin(empty | {term})
                continue
            roots.append(term)
            counted += cells
            totals.append(float(max(0, sum(map(_signed, cells)))))
            if self._small(totals) == SMALL_ROOTS:
                break
        if negation and len(roots) > 1 and known.trust.counts == "exact":
            # Some documents match only the second: if both have one total, both are too small.
            second = Cell((roots[1],), (), UNKNOWN)
            yield from self._read(second)
            if second.reported == counted[0].reported:
                known.ceiling.see_more(counted[0])
        if not roots or any(each.at_least or known.ceiling.hides(each) for each in counted):
            return None
        if known.trust.counts == "exact":
            shown = self._beside_shown(roots)
            beside = (yield from self._beside(roots)) if negation else shown
            words = vocabulary(known, self._answers.pages)
            return by_roots(
                totals,
                self._answers.seen,
                beside,
                without=words.without(len(roots)),
                diverse=bool(words.passed_over),
            )
        others = yield from self._other_heads(roots, empty)
        unbiased = [total / self._bias for total in totals]
        return by_rough_roots(unbiased, others, known.trust.noise, self._answers.seen)

    def _count_outside(
        self, roots: Sequence[str], term: str, *, negation: bool
    ) -> Asking[list[Cell] | None]:
        """Return cells that together count documents with a term and no root; None if none matches.

        Without NOT, they are the overlaps of the term with the roots: see `_signed`.
        """
        sets: list[tuple[tuple[str, ...], tuple[str, ...]]] = [((term,), tuple(roots))]
        if not negation:
            some = (combinations(roots, size) for size in range(len(roots) + 1))
            sets = [((term, *others), ()) for others in chain.from_iterable(some)]
        cells = [Cell(required, excluded, UNKNOWN) for required, excluded in sets]
        for place, cell in enumerate(cells):
            page = yield from self._read(cell)
            if page is None or cell.reported is None or not (page.hits or place):
                return None
        return cells

    def _small(self, totals: Sequence[float]) -> int:
        """Return how many roots match few documents."""
        most = min(self._known.bounds.page_size, SMALL * sum(totals))
        return sum(total <= most for total in totals)

    def _likely_outside(self, roots: Sequence[str], empty: Set[str]) -> tuple[str, float] | None:
        """Return the next root, except the first words, which occur in every snippet."""
        known = self._known
        barred = known.barred | empty | {*roots, *self._words}
        return next_root(known.held, self._answers.pages, roots, barred)

    def _beside(self, roots: Sequence[str]) -> Asking[tuple[int, int]]:
        """Return the number of documents with words that are no roots, and how many have no root.

        These are the first words; if they have few documents, the most common others too.
        """
        known, totals = self._known, dict(self._answers.totals)
        excluded = tuple(roots[: known.length - 1])
        barred = known.barred | {*roots, *self._words}
        commonest = (term for term in most_shown(known.held) if term not in barred)
        others = islice(commonest, MORE_BESIDE)
        words = [word for word in totals if word in self._words]
        all_of, outside = 0, 0
        while words or all_of < ENOUGH_BESIDE:
            word = words.pop() if words else next(others, None)
            if word is None or self._left() < 2:
                break
            if word not in totals:
                alone = Cell((word,), (), UNKNOWN)
                yield from self._read(alone)
                totals[word] = alone.reported or 0
            cell = Cell((word,), excluded, UNKNOWN)
            page = yield from self._read(cell)
            if page is not None and cell.reported is not None and cell.reported <= totals[word]:
                all_of, outside = all_of + totals[word], outside + cell.reported
        return all_of, outside

    def _other_heads(self, roots: Sequence[str], empty: Set[str]) -> Asking[list[float]]:
        """Estimate the size of the first two sets again, from other terms and the first root."""
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
            if parts[0].rows and all(part.reported is not None for part in parts):
                sums.append(sum(part.reported or 0 for part in parts) / self._bias)
        return sums

    @property
    def _bias(self) -> float:
        """By which factor totals are too large, on average."""
        return float(np.exp(self._known.trust.bias))

    def _beside_shown(self, roots: Sequence[str]) -> tuple[int, int]:
        """Return how many documents the first words brought, and how many of them show no root."""
        held = self._known.held
        first = [Query((word,)) for word in self._words]
        keys = {key for query, came in self._answers.pages if query in first for key in came}
        numbers = np.array(held.numbers(keys), dtype=np.int64)
        return len(numbers), int((held.times(roots)[numbers] == 0).sum())

    # Shares: need only totals.

    def _sound_shares(self, conjunction: bool) -> Asking[SizeRange | None]:
        known = self._known
        held = known.held
        ratios: list[float] = []
        largest, tried = 0, 0
        counts = held.frequencies()
        for number in np.argsort(-counts, kind="stable").tolist():
            term = held.terms[number]
            if tried >= SHARE_TERMS + EMPTY_ROOTS or len(ratios) == SHARE_TERMS:
                break
            tried += 1
            share = float(counts[number] / len(held))
            cell = Cell((term,), (), UNKNOWN)
            yield from self._read(cell)
            if not cell.rows or cell.reported is None:
                continue
            largest = max(largest, cell.reported)
            if cell.at_least:
                continue
            if conjunction:
                share = (yield from self._share_by_totals(term)) or share
            ratios.append(cell.reported / share / self._bias)
        exact = known.trust.counts == "exact"
        at_least = max(self._answers.seen, largest if exact else 0)
        noise, is_clamped = 0.0 if exact else known.trust.noise, known.ceiling.total is not None
        return by_shares(ratios, noise, at_least, is_clamped=is_clamped)

    def _share_by_totals(self, term: str) -> Asking[float | None]:
        """Return a term's share among the first word's documents, from totals."""
        word = self._words[0] if self._words else None
        alone = self._answers.totals.get(word or "", 0)
        if word is None or word == term or not alone:
            return None
        cell = Cell((word, term), (), UNKNOWN)
        yield from self._read(cell)
        return None if not cell.reported else min(1.0, cell.reported / alone)

    def _read(self, cell: Cell) -> Asking[Page | None]:
        page = yield Search(cell.query, 1)
        self._known.receive(cell, page)
        return page


def _signed(cell: Cell) -> int:
    """Return a cell's total with its sign in inclusion and exclusion."""
    reported = cell.reported or 0
    return reported if len(cell.required) % 2 else -reported


def _with_kin(empty: frozenset[str]) -> frozenset[str]:
    """Add all stop words if two of them match nothing: then stop words are not indexed."""
    return empty | STOP_WORDS if len(empty & STOP_WORDS) >= 2 else empty


def next_root(
    held: DocumentIndex, pages: Pages, roots: Sequence[str], barred: Set[str]
) -> tuple[str, float] | None:
    """Return the most frequent term of documents without any root, and its share among them.

    A snippet does not show which roots a document lacks; that a query excluding them found it does.
    So these documents are used, and others only if there are none.

    Args:
        held: All held documents.
        pages: Queries, and the keys that each brought.
        roots: The roots so far.
        barred: Terms that must not be returned.

    >>> from longline.model import Query
    >>> held = DocumentIndex()
    >>> for number in range(9):
    ...     _ = held.add(str(number), ["deep", "web"] if number < 8 else ["sea", "salt"])
    >>> likely_outside(held, ["the"], {"the", "sea"})[0]
    'deep'
    >>> next_root(held, [(Query(("sea",), ("the",)), {"8"})], ["the", "sea"], {"the", "sea"})[0]
    'salt'
    """
    lacks = np.zeros(len(held))
    for query, keys in pages:
        came = held.numbers(keys)
        lacks[came] = np.maximum(lacks[came], len({*query.excluded}.intersection(roots)))
    known = np.flatnonzero(lacks).astype(np.int32)
    weights = np.exp(-LIKENESS * (len(roots) - lacks[known]))
    scores = held.counts(known, weights)
    forbidden = held.term_numbers(list(barred))
    scores[forbidden[forbidden >= 0]] = 0
    if not scores.any():
        return likely_outside(held, roots, barred)
    best = int(np.argmax(scores))
    return held.terms[best], float(min(1.0, scores[best] / weights.sum()))
