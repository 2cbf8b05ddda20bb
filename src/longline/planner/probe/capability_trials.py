"""Find out what a source can do, with about ten queries that also bring documents.

Single words come first: they show the page size, the totals, and the order of the hits. Then one
long query on the word with most documents, `a`: it requires a term `b` that some of these contain,
and excludes many terms that others contain. If its hits are as expected, AND and NOT work, and
queries may be that long. If not, or if it has too few hits, each feature is tried alone: `a b`,
`a NOT b`, and `a` without many terms, where the first excluded term that occurs in a hit shows
where the source stopped reading the query.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import msgspec
import numpy as np

from longline.events import DocumentReceived
from longline.model import Page, Search
from longline.planner.capabilities import Capabilities
from longline.planner.cells import UNKNOWN, Cell
from longline.planner.observed import POWER
from longline.planner.partition import MAX_TERMS, SourceModel
from longline.pool import STOP_WORDS
from longline.ports import Asking

SINGLE_WORDS = 3
"""The number of words with hits to begin with."""

PAIRS = 3
"""The most pairs of terms to try AND, or NOT, with, until the answer is clear."""

LEAST_SAMPLE = 8
"""The least number of documents of a word for trying AND and NOT with it."""

COMMON = (0.1, 0.6)
"""Least and greatest share of the word's documents that contain the other term."""

EXCLUDED = (0.06, 0.3)
"""Least and greatest share that contain an excluded term: enough to be missed, with others left."""

PLAIN = 5
"""Hardly any source ignores a term of this many letters as too short; one such pair is tried."""

ENOUGH_PLAIN = 8
"""With this many such terms, a long query uses no shorter ones."""

TOTALS_TRIED = 2
"""The number of pairs of terms that are compared by exact totals."""

LEAST_HITS = 5
"""With fewer hits than this, the long query shows nothing."""

IN_ORDER = 0.98
"""If this share of document pairs is in one order, the order is the same for all queries."""

LEAST_PAIRS = 30
"""The least number of document pairs that two answers share, to compare their order."""

Ranking = Literal["static", "dynamic", "meaning"]


Attempt = Callable[[Cell, str], Asking[bool | None]]
"""Try an operator on a word's cell with another term; return True, False, or None if unclear."""


@dataclass(frozen=True, kw_only=True)
class Findings:
    """The findings about a source.

    Attributes:
        abilities: What it can do; where the trials were unclear, as given.
        ranking: "static": one order for all queries; "dynamic": an order by the query; "meaning":
            the nearest of all documents are returned; None: too few answers to decide.
        queries: The number of queries sent.
        doubts: What does not work as given.
    """

    abilities: Capabilities
    ranking: Ranking | None
    queries: int
    doubts: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the findings as one line for people."""
        able = self.abilities
        parts = [
            *(name for name, has in (("AND", able.conjunction), ("NOT", able.negation)) if has),
            *([f"{able.max_terms} terms"] if able.max_terms else []),
            *([f"{able.limit} rows a query"] if able.limit else []),
            *([f"{able.page_size} a page"] if able.page_size else []),
            f"totals {able.counts}" if able.counts not in (None, "none") else "no totals",
            *([f"{self.ranking} ranking"] if self.ranking else []),
            *self.doubts,
        ]
        return ", ".join(parts)


class CapabilityTrials:
    """Find out what a source can do.

    Args:
        abilities: What the source is said to do.
        words: Words to begin with; afterwards the attribute `words` has those with results.
    """

    def __init__(self, abilities: Capabilities, words: Sequence[str]) -> None:
        self.known = SourceModel(abilities)
        self.words: list[str] = []
        self._abilities = abilities
        self._untried = list(words)
        self._singles: list[Cell] = []
        self._orders: list[list[str]] = []
        self._queries = 0
        self._doubts: list[str] = []
        self._adds_up = False

    def hold(self, came: DocumentReceived) -> None:
        """Store a document, and its hit on the result page."""
        # Without the query, terms count only if shown: the trials test which documents have them.
        self.known.hold(msgspec.structs.replace(came, query=None))

    def prefer(self, words: Sequence[str]) -> None:
        """Move some words before the others."""
        self._untried = list(dict.fromkeys([*words, *self._untried]))

    def plan(self) -> Asking[Findings]:
        """Send the queries, and return the findings."""
        yield from self.begin()
        takes_two = self.known.length > 1
        conjunction = takes_two and self._abilities.conjunction
        negation = takes_two and self._abilities.negation
        can_all = bool(self._singles) and conjunction and negation
        if can_all and (yield from self._try_all()):
            return self._findings(conjunction, negation)
        if can_all and (yield from self._try_totals()):
            yield from self._try_long()
            return self._findings(conjunction, negation)
        if self._singles and conjunction:
            conjunction = yield from self._try_each("AND", self._try_and)
        if self._singles and negation and conjunction:
            negation = yield from self._try_each("NOT", self._try_not)
            if negation:
                yield from self._try_long()
        return self._findings(conjunction, negation and conjunction)

    def _findings(self, conjunction: bool, negation: bool) -> Findings:
        known, told = self.known, self._abilities
        trust = known.trust
        is_shorter = trust.max_terms is not None and known.length < (told.max_terms or 10**6)
        if is_shorter:
            self._doubts.append(f"it reads only the first {known.length} words of a search")
        if trust.counts != told.counts and told.counts is not None:
            self._doubts.append(f"the totals that it reports are not {told.counts}")
        has_totals = any(cell.reported is not None for cell in self._singles)
        return Findings(
            abilities=replace(
                told,
                limit=known.bounds.limit,
                page_size=known.bounds.page_size,
                conjunction=conjunction,
                negation=negation,
                adds_up=self._adds_up,
                max_terms=known.length if is_shorter else told.max_terms,
                counts=trust.counts if has_totals or not self._singles else "none",
            ),
            ranking=self._ranking(),
            queries=self._queries,
            doubts=tuple(self._doubts),
        )

    # The queries.

    def begin(self) -> Asking[None]:
        """Send single words until enough of them bring documents."""
        while self._untried and len(self._singles) < SINGLE_WORDS:
            word = self._untried.pop(0)
            cell = Cell((word,), (), UNKNOWN)
            yield from self._read(cell)
            if cell.rows:
                self.words.append(word)
                self._singles.append(cell)

    def _try_all(self) -> Asking[bool]:
        """Return whether AND, NOT and long queries all work, as one answer shows."""
        known = self.known
        pairs = self._pairs()
        if not pairs or not self.known.texts_are_whole:
            return False
        word, term = pairs[0]
        about = known.held.matching((*word.required, term))
        shares = {
            other: float(known.held.has(about, other).mean())
            for other, _ in self._terms_in(word, *EXCLUDED)
            if other != term
        }
        excluded = tuple(shares)[: known.length - 2]
        page = yield from self._read(Cell((*word.required, term), excluded, UNKNOWN))
        if page is None or len(page.hits) < LEAST_HITS:
            return False
        if (self._share_with(page, (*word.required, term)) or 0.0) < 0.9:
            return False
        expected = sum(shares[other] for other in excluded)
        found = sum(self._share_with(page, (other,)) or 0.0 for other in excluded)
        is_cut = known.trust.max_terms is not None
        return is_cut or (expected * len(page.hits) >= POWER and found < 0.1 * expected)

    def _try_each(self, operator: str, attempt: Attempt) -> Asking[bool]:
        """Try an operator with several pairs of terms, until one shows whether it works."""
        against = 0
        for word, term in self._pairs():
            verdict = yield from attempt(word, term)
            if verdict:
                return True
            against += verdict is False
        if against:
            self._doubts.append(f"{operator} does not work")
        return not against

    def _pairs(self) -> list[tuple[Cell, str]]:
        """Return pairs of a word and a term that some of its documents contain, best first."""
        found = []
        for cell in self._singles:
            for term, share in self._terms_in(cell, *COMMON):
                found.append((cell.rows, -abs(share - 0.35), cell, term))
        found.sort(key=lambda each: (-each[0], -each[1]))
        chosen: dict[str, tuple[Cell, str]] = {}
        for _, _, cell, term in found:
            chosen.setdefault(term, (cell, term))
        pairs = list(chosen.values())
        plain = [pair for pair in pairs if len(pair[1]) >= PLAIN]
        is_mixed = not plain or plain[0] in pairs[:PAIRS]
        return pairs[:PAIRS] if is_mixed else [*pairs[: PAIRS - 1], plain[0]]

    def _terms_in(self, cell: Cell, least: float, most: float) -> list[tuple[str, float]]:
        """Return terms in a share of `least` to `most` of a word's documents, largest first."""
        held = self.known.held
        documents = cell.documents(held)
        if len(documents) < LEAST_SAMPLE:
            return []
        shares = held.counts(documents) / len(documents)
        numbers = np.flatnonzero((shares >= least) & (shares <= most))
        numbers = numbers[np.argsort(-shares[numbers], kind="stable")]
        terms = [(held.terms[number], float(shares[number])) for number in numbers.tolist()]
        return [(term, share) for term, share in terms if term not in STOP_WORDS]

    def _try_and(self, word: Cell, term: str) -> Asking[bool | None]:
        """Return whether AND works, or None if the answer does not show it."""
        cell = Cell((*word.required, term), (), UNKNOWN)
        page = yield from self._read(cell)
        if page is None:
            return None
        if not page.hits:
            return False  # some document contains both
        if self._has_totals(word, cell) and cell.reported != word.reported:
            return (cell.reported or 0) < (word.reported or 0)
        # A document known only in part counts as containing the words that found it.
        is_whole = self.known.texts_are_whole
        share = self._share_with(page, (*word.required, term)) if is_whole else None
        if share is not None and share > 0.8:
            return True
        if cell.reported is not None and word.reported is not None:
            if cell.reported < word.reported:
                return True
            # Totals with errors may be larger for a part than for the complete set.
            if self.known.trust.counts == "exact":
                return False
        if word.ended and not self.known.is_capped(word):
            return set(cell.keys) <= set(word.keys)
        return False if share is not None and share < 0.5 else None

    def _try_not(self, word: Cell, term: str) -> Asking[bool | None]:
        """Return whether NOT works, or None if the answer does not show it."""
        base = dict(self._terms_in(word, *COMMON))[term]
        cell = Cell(word.required, (term,), UNKNOWN)
        page = yield from self._read(cell)
        if page is None:
            return None
        if not page.hits:
            return False  # some document contains the word without the term
        share = self._share_with(page, (term,))
        if share is None:
            return None
        return True if share < 0.25 * base else False if share > 0.5 * base else None

    def _has_totals(self, *cells: Cell) -> bool:
        is_exact = self.known.trust.counts == "exact"
        return is_exact and all(cell.reported is not None and not cell.at_least for cell in cells)

    def _try_totals(self) -> Asking[bool]:
        """Return whether exact totals with and without a term add up to the word's total.

        Document pages have text that is not searched, such as a date, so texts may contradict.
        """
        for word, term in self._pairs()[:TOTALS_TRIED]:
            both = Cell((*word.required, term), (), UNKNOWN)
            without = Cell(word.required, (term,), UNKNOWN)
            if not self._has_totals(word):
                return False
            yield from self._read(both)
            yield from self._read(without)
            if not self._has_totals(both, without) or not both.reported or not without.reported:
                continue
            is_apart = not set(both.keys) & set(without.keys)
            if is_apart and both.reported + without.reported == word.reported:
                self._adds_up = True
                return True
        return False

    def _try_long(self) -> Asking[None]:
        """Exclude as many terms as a query may have, and find out where the source cuts it."""
        known = self.known
        word = max(self._singles, key=lambda cell: len(cell.documents(known.held)))
        terms = [term for term, _ in self._terms_in(word, *EXCLUDED)]
        plain = [term for term in terms if len(term) >= PLAIN]
        # Excluding a term that is ignored as too short has no effect, and shows nothing.
        terms = plain if len(plain) >= ENOUGH_PLAIN else terms
        length = known.length - 1
        while length >= 4 and len(terms) >= 4:
            cell = Cell(word.required, tuple(terms[:length]), UNKNOWN)
            page = yield from self._read(cell)
            if page is not None and (yield from self._is_as_long(cell)):
                return
            known.length = length // 2 + 1
            known.trust.max_terms = known.length
            length //= 2

    def _is_as_long(self, cell: Cell) -> Asking[bool]:
        """Check by an exact total whether the source reads queries as far as assumed now.

        If it read less, the terms after that point would not change the total. Texts that show a
        cut are only believed if totals do not contradict.
        """
        trust, told = self.known.trust, self._abilities.max_terms
        seen = trust.max_terms
        most = len(cell.excluded) // 2 if seen is None else seen - len(cell.required)
        short = Cell(cell.required, cell.excluded[: max(1, most)], UNKNOWN)
        if not (self._adds_up and self._has_totals(cell)) or short.excluded == cell.excluded:
            return True
        yield from self._read(short)
        if not self._has_totals(short):
            return True
        is_read = short.reported != cell.reported
        if is_read and seen is not None:
            trust.max_terms, self.known.length = None, told or MAX_TERMS
        return is_read or seen is not None

    def _read(self, cell: Cell) -> Asking[Page | None]:
        self._queries += 1
        page = yield Search(cell.query, cell.pages + 1)
        self.known.receive(cell, page)
        if page is not None and not cell.excluded:
            self._orders.append([hit.key for hit in page.hits])
        return page

    # What the answers show.

    def _share_with(self, page: Page, terms: tuple[str, ...]) -> float | None:
        """Return the share of a page's held hits whose texts contain all given terms, or None."""
        held = self.known.held
        numbers = held.numbers(page.keys)
        if not numbers:
            return None
        documents = np.array(sorted(numbers), dtype=np.int32)
        has = np.ones(len(documents), dtype=np.bool_)
        for term in terms:
            has &= held.has(documents, term)
        return float(has.mean())

    def _ranking(self) -> Ranking | None:
        """Return how the source orders hits, from the order of documents that answers share."""
        same = pairs = 0
        for first, second in combinations(self._orders, 2):
            place = {key: number for number, key in enumerate(second)}
            common = [place[key] for key in first if key in place]
            for one, other in combinations(common, 2):
                pairs += 1
                same += one < other
        if pairs < LEAST_PAIRS:
            return None
        return "static" if same >= IN_ORDER * pairs else "dynamic"
