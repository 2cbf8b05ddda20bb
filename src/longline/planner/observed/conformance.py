"""Check how far a source's answers can be trusted: AND, NOT, totals, lost rows.

The text of every hit is compared with the query that found it, the rows of every query with its
total, and the parts of a cell with the complete cell.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from math import log, sqrt
from typing import Literal

import numpy as np

from longline.events import Discrepancy
from longline.model import Query, Total
from longline.planner.observed.answer_progress import log_ratio, spread
from longline.planner.observed.documents import DocumentIndex, is_label
from longline.planner.observed.least_length import LeastLength
from longline.pool import DROPPED_WORDS, STOP_WORDS

Counts = Literal["exact", "about", "none"]
Kind = Literal["count", "parts", "rows repeated", "page lost", "term", "page failed", "hidden"]

PROVED = 2
"""After this many pages confirm that no row follows the last one by the total, it is trusted."""

DOUBTS = 3
"""This many contradicting answers, with none that agree, count as proof."""

POWER = 5.0
"""If a term is expected in this many hits, and found in none, the source did exclude it."""

SHORT_QUERY = 4
"""Every source is assumed to read this many terms."""

FIRST_NOISE = 0.5
"""Initial standard deviation of the log of totals that are announced as approximate."""

RECENT = 50_000
"""The number of latest documents that are counted to predict what a shorter query matches."""

WORTHLESS = 1.6
"""Above this noise, totals are less useful than counts over the documents already held."""


class Conformance:
    """Collect evidence about a source, and judge it.

    Args:
        counts: As given by the source's spec; None uses the kind of the first totals.

    Attributes:
        counts: How totals are read now.
        bias: Mean log of the factor by which totals are too large.
        discrepancies: All discrepancies so far, in order.
        barred: Terms that the source treats in a special way.
        dropped: Those of them that the source was seen to ignore.
        least_length: The least length of words that the source reads.
        max_terms: Set once the source turned out to read only this many terms.
    """

    def __init__(self, counts: Counts | None) -> None:
        self.counts: Counts = counts or "exact"
        self.is_told = counts is not None
        self.bias = 0.0
        self.discrepancies: list[Discrepancy] = []
        self.barred: set[str] = set()
        self.dropped: set[str] = set()
        self.least_length = LeastLength()
        self.max_terms: int | None = None
        self.lost_rows = 0
        self._ratios: deque[float] = deque(maxlen=40)
        self._negation = [0, 0]  # doubts, proofs
        self._by_totals = False
        self._violated: set[Query] = set()
        self._conjunction = [0, 0]
        self._within: Counter[str] = Counter()  # excluded terms found in hits: of queries
        self._beyond: Counter[str] = Counter()  # up to the proved length, and of longer ones
        self._first = 1_000_000
        self._cleanest = 0
        self._lacking = 0.0  # share of the last page's hits without some required term
        self._unsplit = 0
        self._longest = self._too_long = 0  # terms of answered queries; refused longer queries
        self._suspected: set[str] = set()  # perhaps ignored: they say nothing about NOT
        self._read: set[str] = set()  # terms seen to be read by the source
        self._empty = 0
        self._texts = [0, 0]  # hits that lack a required term, and all hits checked
        self._past = [0, 0]  # pages after the last one by the total: with rows, and without

    @property
    def noise(self) -> float:
        """Standard deviation of the log of a total, as seen so far."""
        if len(self._ratios) == 0:
            return FIRST_NOISE
        squares = sum((ratio - self.bias) ** 2 for ratio in self._ratios)
        return max(0.05, sqrt((squares + 2 * FIRST_NOISE**2) / (len(self._ratios) + 2)))

    def typical_ratio(self) -> tuple[float, float]:
        """Return the median log of total per received row, and its robust standard deviation.

        So answers that were cut at an unknown limit have no more weight than others.
        """
        return spread(self._ratios or [0.0])

    @property
    def texts_tell(self) -> bool:
        """Whether held texts show which queries match a document: not stemmed, not truncated."""
        return not (self._by_totals or self.hits_lack_words)

    @property
    def hits_lack_words(self) -> bool:
        """Whether hits do not show their required terms, or show excluded ones."""
        return self.lacking > 0.02 or bool(self._within or self._beyond)

    @property
    def lacking(self) -> float:
        """Share of hits that do not show all required terms."""
        lacking, looked = self._texts
        return lacking / max(1, looked)

    @property
    def looks_past(self) -> bool:
        """Whether to request an offered page that follows the last one by the total."""
        return self._past[1] < PROVED

    @property
    def problem(self) -> str | None:
        """The reason why the source cannot be partitioned, or None."""
        return self.negation_problem or self.conjunction_problem

    @property
    def negation_problem(self) -> str | None:
        """The evidence that NOT does not work, or None."""
        doubts, proofs = self._negation
        if doubts >= DOUBTS and not proofs:
            return (
                f"NOT does not work here: {doubts} queries with excluded terms brought hits that "
                "hold them, or nothing where something is known to match"
            )
        return None

    @property
    def conjunction_problem(self) -> str | None:
        """The evidence that AND does not work, or None."""
        doubts, proofs = self._conjunction
        if doubts >= DOUBTS and doubts > 2 * proofs:
            return (
                f"AND does not work here: {doubts} queries matched more with a term more, "
                "and hits lack required terms"
            )
        return None

    def note(self, query: Query, kind: Kind, reported: float, found: float) -> None:
        """Record a discrepancy."""
        self.discrepancies.append(Discrepancy(query, kind, reported, found))

    def see_hits(self, query: Query, documents: Sequence[int], held: DocumentIndex) -> None:
        """Compare the texts of a page's hits with the query that found them."""
        first, hits = len(query.required), len(documents)
        has = held.holds(np.array(documents, dtype=np.int32), (*query.required, *query.excluded))
        lacking = int((~has[:, :first].all(axis=1)).sum())
        self._lacking = lacking / max(1, hits)
        self._texts[0] += lacking
        self._texts[1] += hits
        if len(query.required) == 1 and not query.excluded and hits and not lacking:
            self.see_read(query.required[0])
        if query.excluded and hits and not self._by_totals:
            self._see_excluded(query, has[:, first:].sum(axis=0).tolist(), hits, held)

    def _see_excluded(
        self, query: Query, holding: list[int], hits: int, held: DocumentIndex
    ) -> None:
        first = len(query.required)
        violated = [
            (place, term)
            for place, (term, has) in enumerate(zip(query.excluded, holding, strict=True), first)
            if has >= max(2, 0.1 * hits) and term not in self._suspected
        ]
        labels = {term for _, term in violated if is_label(term, held)}
        # A term on every page of the site is not searched, and says nothing about NOT.
        self.barred |= labels
        violated = [(place, term) for place, term in violated if term not in labels]
        for place, _ in violated:
            self.note(query, "term", 0, holding[place - first])
        if len(query.required) + len(query.excluded) > self._cleanest + 1:
            self._see_clean(query, holding, hits, held)
        if violated and DROPPED_WORDS.issuperset(query.required):
            # If required words are ignored, only excluded terms are left: that says nothing of NOT.
            self._see_dropped()
        elif violated and not self._cleanest:
            # Further pages of the same answer are no new evidence.
            self._negation[0] += query not in self._violated
            self._violated.add(query)
        elif violated:
            self._explain(violated)

    def _see_clean(self, query: Query, holding: list[int], hits: int, held: DocumentIndex) -> None:
        """Find the last place in a query at which excluded terms were really excluded.

        If the source read no further than the terms before it, the terms after it would occur in as
        many hits as in documents that match the terms before it.
        """
        found = held.matching(query.required, since=max(0, len(held) - RECENT))
        lost = np.logical_or.accumulate(held.holds(found, query.excluded), axis=1)
        left = [len(found), *(~lost).sum(axis=0).tolist()]
        end = len(holding)  # of terms side by side that no hit holds
        for place in reversed(range(len(holding))):
            end = place if holding[place] else end
            if hits * (left[place] - left[end]) >= POWER * left[place] > 0:
                self._negation[1] += 1
                self._cleanest = max(self._cleanest, len(query.required) + place)
                return

    def _explain(self, violated: list[tuple[int, str]]) -> None:
        """Decide whether a query was cut, or the source treats a term in a special way."""
        for place, term in violated:
            # Many sources ignore such words in any place.
            is_beyond = place > self._cleanest and term not in DROPPED_WORDS
            (self._beyond if is_beyond else self._within)[term] += 1
            self._first = min(self._first, place) if is_beyond else self._first
        self.barred.update(term for term, times in self._within.items() if times >= DOUBTS)
        if len(self._beyond) >= DOUBTS:
            self.max_terms = max(self._cleanest + 1, self._first)

    def see_nothing(self, query: Query, matching: int) -> None:
        """Learn from an answer without hits, although `matching` held documents match.

        For one required word alone, texts are evidence even if words are stemmed: a document with
        the word also has its stem. A letter may be a part of a number, and says nothing of totals.
        """
        is_plain = len(query.required) == 1 and not query.excluded
        if matching < DOUBTS or not (self.texts_tell or is_plain):
            return
        if not (is_plain and _is_letter(query.required[0])):
            self.note(query, "term", matching, 0)
        if query.excluded:
            self._negation[0] += 1
        elif is_plain:
            self.barred.add(query.required[0])
            self._empty += query.required[0] in STOP_WORDS
            if self._empty >= 2:
                self.bar(STOP_WORDS)

    def prove_negation(self) -> None:
        """Record that exact totals prove NOT; texts are no longer used as evidence."""
        self._negation[1] += 1
        self._by_totals = True

    def see_total(self, total: Total | None) -> None:
        """Learn from a page's total; the first one shows whether totals are exact."""
        if total is not None and not self.is_told:
            self.is_told = True
            if total.relation != "exact":
                self.counts = "about"

    def see_read(self, term: str) -> None:
        """Record that the source reads a term, and so words of its length."""
        self._read.add(term)
        self.least_length.see_read(term)

    def was_read(self, term: str) -> bool:
        """Return whether the source is known to read a term."""
        return term in self._read

    def suspect(self, term: str) -> None:
        """Mark a term as perhaps ignored, because a query excludes it to find that out."""
        self._suspected.add(term)

    def see_unread(self, query: Query, term: str, against: int) -> None:
        """Record a term that the source ignores, as `against` documents show."""
        self.note(query, "term", 0, against)
        self.dropped.add(term)
        self._give_up(term)
        if term in STOP_WORDS:
            self._see_dropped()

    def bar(self, words: Iterable[str]) -> None:
        """Stop using words that are probably ignored, except those known to be read."""
        self.barred.update(word for word in words if word not in self._read)

    def see_unsplit(self, query: Query, term: str, against: int) -> None:
        """Learn from a term that does not split a cell: the source may not have read it.

        Args:
            query: The query for the side that was requested.
            term: The term that should have split the cell.
            against: Documents that should not match, but do.
        """
        terms = query.required if term in query.required else (*query.required, *query.excluded)
        if against < DOUBTS or len(terms) > max(self._cleanest, SHORT_QUERY):
            return  # a term after the length known to be read shows where the query is cut
        self.see_unread(query, term, against)

    def see_refused(self, query: Query, term: str) -> None:
        """Learn from a query without an answer, and from the term that was added to it.

        The cause may be the term, or the length, if no longer query was answered.
        """
        terms = len(query.required) + len(query.excluded)
        if terms <= max(self._longest, SHORT_QUERY):
            self._give_up(term)
            return
        self._too_long += 1
        if self._too_long >= DOUBTS:
            self.max_terms = max(self._longest, SHORT_QUERY)

    def see_answered(self, query: Query) -> None:
        """Record a query that was answered."""
        terms = len(query.required) + len(query.excluded)
        if terms > self._longest:
            self._longest, self._too_long = terms, 0

    def _give_up(self, term: str) -> None:
        """Stop using a term; a term that is no stop word may show a least length."""
        self.barred.add(term)
        if term not in STOP_WORDS:
            self.least_length.see_passed_over(term)

    def _see_dropped(self) -> None:
        self._unsplit += 1
        if self._unsplit >= 2:
            self.bar(DROPPED_WORDS)

    def see_part(self, whole: float, part: float, query: Query, *, required: bool) -> None:
        """Compare a part's count with the complete cell's: a further term never matches more.

        Args:
            whole: Documents of the cell that was split.
            part: Documents of one side, as reported.
            query: The query for that side.
            required: Whether that side contains the term.
        """
        if required:
            self._conjunction[1] += part < 0.9 * whole
            self._conjunction[0] += part > whole and self._lacking > 0.5
        if part > whole and self.counts == "exact":
            self.note(query, "parts", whole, part)
            self._compare(log(part / max(whole, 0.5)))

    def see_end(
        self, query: Query, reported: int | None, rows: int, different: int, *, cut: bool
    ) -> None:
        """Learn from a query that ended below the limit: its rows should equal its total.

        Args:
            query: The query.
            reported: Its total, if it has one.
            rows: Rows received.
            different: Different documents among them.
            cut: Its last page was empty, or repeated earlier ones.
        """
        if different < rows:
            self.lost_rows += 1
            self.note(query, "rows repeated", rows, different)
        if reported is None:
            return
        if cut and rows < reported:
            self.lost_rows += 1
            self.note(query, "page lost", reported, rows)
        elif reported != rows:
            self.note(query, "count", reported, rows)
            self._compare(log_ratio(reported, rows))
        elif rows:  # a total of 0 with no rows shows nothing about the error
            self._compare(0.0)

    def see_more(self, query: Query, reported: int, rows: int) -> None:
        """Learn from a query that brought more rows than its total announces."""
        self.note(query, "count", reported, rows)
        self._compare(log_ratio(reported, rows))

    def see_past(self, rows: int) -> None:
        """Learn from a page after the last one by the total; one with rows disproves the total."""
        self._past[not rows] += 1
        if self._past[0] >= DOUBTS and not self._past[1]:
            self.counts = "none"

    def _compare(self, ratio: float) -> None:
        """Record a total per row; then read totals as exact, as approximate or not at all."""
        self._ratios.append(ratio)
        ratios = np.array(self._ratios)
        mean = float(ratios.sum() / (len(ratios) + 0.5))
        self.bias = mean if abs(mean) > ratios.std() else 0.0
        wrong = np.abs(ratios) > 0.02
        if self.counts == "exact" and wrong[-10:].sum() >= DOUBTS:
            self.counts = "about"
        if self.counts == "about" and len(ratios) >= 10 and self.noise > WORTHLESS:
            self.counts = "none"


def _is_letter(word: str) -> bool:
    """Return whether a word is one Latin letter; in other scripts one character is a word."""
    return len(word) == 1 and word.isascii()
