"""What a source's answers are worth: do AND and NOT work, do counts add up, are rows lost.

Nothing is taken for granted. The text of every hit is held against the query that found it,
the rows of every query against its total, and the parts of a cell against the whole.
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
"""So often nothing comes after the last row that a total claims before that is believed."""

DOUBTS = 3
"""So many bad answers in the same way, and none to the contrary, are believed."""

POWER = 5.0
"""A term expected in so many hits, and found in none, was excluded indeed."""

SHORT_QUERY = 4
"""Terms that every source is thought to read."""

FIRST_NOISE = 0.5
"""Deviation of the logarithm of totals that are said to be approximate, to begin with."""

RECENT = 50_000
"""Held documents, the last ones, in which it is counted what a shorter query would match."""

WORTHLESS = 1.6
"""Totals with more noise than this tell less than the held documents do."""


class Conformance:
    """Collect evidence about a source, and judge it.

    Args:
        counts: As the source's spec has it; None takes what the first totals say.

    Attributes:
        counts: How totals are read now.
        bias: Mean logarithm of what totals claim too much.
        discrepancies: All so far, in order.
        barred: Terms that the source treats in a way of its own.
        dropped: Those of them that queries were seen to be answered without.
        least_length: Of the words that are not all dropped.
        max_terms: Set once the source turned out to read only so many terms.
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
        self._within: Counter[str] = Counter()  # excluded terms that hits hold: in queries
        self._beyond: Counter[str] = Counter()  # of a proven length, and in longer ones
        self._first = 1_000_000
        self._cleanest = 0
        self._lacking = 0.0  # share of the last page's hits without some required term
        self._unsplit = 0
        self._longest = self._too_long = 0  # terms of answered queries; refusals beyond these
        self._suspected: set[str] = set()  # of being passed over: they say nothing of NOT
        self._read: set[str] = set()  # terms that tell documents apart, as was seen
        self._empty = 0
        self._texts = [0, 0]  # hits that lack a required term, and all looked at
        self._past = [0, 0]  # pages after the last that a total claims: with rows, and without

    @property
    def noise(self) -> float:
        """Deviation of the logarithm of a total, as seen so far."""
        if len(self._ratios) == 0:
            return FIRST_NOISE
        squares = sum((ratio - self.bias) ** 2 for ratio in self._ratios)
        return max(0.05, sqrt((squares + 2 * FIRST_NOISE**2) / (len(self._ratios) + 2)))

    def typical_ratio(self) -> tuple[float, float]:
        """Return the median logarithm of totals per row that came, and its robust deviation.

        What was cut without a known limit weighs no more than its number.
        """
        return spread(self._ratios or [0.0])

    @property
    def texts_tell(self) -> bool:
        """Whether held texts show which queries match a document: not stemmed, not cut."""
        return not (self._by_totals or self.hits_lack_words)

    @property
    def hits_lack_words(self) -> bool:
        """Whether hits do not show what was asked for, or show what was excluded."""
        return self.lacking > 0.02 or bool(self._within or self._beyond)

    @property
    def lacking(self) -> float:
        """Share of hits that do not show all terms that were asked for."""
        lacking, looked = self._texts
        return lacking / max(1, looked)

    @property
    def looks_past(self) -> bool:
        """Whether a page that is offered after the last one by a total should be looked at."""
        return self._past[1] < PROVED

    @property
    def problem(self) -> str | None:
        """Why the source cannot be partitioned, if it cannot."""
        return self.negation_problem or self.conjunction_problem

    @property
    def negation_problem(self) -> str | None:
        """What shows that NOT does not work, if anything does."""
        doubts, proofs = self._negation
        if doubts >= DOUBTS and not proofs:
            return (
                f"NOT does not work here: {doubts} queries with excluded terms brought hits that "
                "hold them, or nothing where something is known to match"
            )
        return None

    @property
    def conjunction_problem(self) -> str | None:
        """What shows that AND does not work, if anything does."""
        doubts, proofs = self._conjunction
        if doubts >= DOUBTS and doubts > 2 * proofs:
            return (
                f"AND does not work here: {doubts} queries matched more with a term more, "
                "and hits lack required terms"
            )
        return None

    def note(self, query: Query, kind: Kind, reported: float, found: float) -> None:
        """Keep a discrepancy."""
        self.discrepancies.append(Discrepancy(query, kind, reported, found))

    def see_hits(self, query: Query, documents: Sequence[int], held: DocumentIndex) -> None:
        """Hold the texts of a page's hits against the query that found them."""
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
        # What every page of the site says is no part of what is searched, and tells nothing of NOT.
        self.barred |= labels
        violated = [(place, term) for place, term in violated if term not in labels]
        for place, _ in violated:
            self.note(query, "term", 0, holding[place - first])
        if len(query.required) + len(query.excluded) > self._cleanest + 1:
            self._see_clean(query, holding, hits, held)
        if violated and DROPPED_WORDS.issuperset(query.required):
            # Where such words are dropped, excluded terms stand alone: that says nothing of NOT.
            self._see_dropped()
        elif violated and not self._cleanest:
            # Further pages of an answer say it again.
            self._negation[0] += query not in self._violated
            self._violated.add(query)
        elif violated:
            self._explain(violated)

    def _see_clean(self, query: Query, holding: list[int], hits: int, held: DocumentIndex) -> None:
        """Find the last place in a query from which on some terms were excluded indeed.

        Had the source read no further than the terms before it, then about as many hits
        would hold one of those as documents do that match the terms before it.
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
        """Tell a query that was cut from a term that the source treats in a way of its own."""
        for place, term in violated:
            # Many sources drop such words wherever they stand.
            is_beyond = place > self._cleanest and term not in DROPPED_WORDS
            (self._beyond if is_beyond else self._within)[term] += 1
            self._first = min(self._first, place) if is_beyond else self._first
        self.barred.update(term for term, times in self._within.items() if times >= DOUBTS)
        if len(self._beyond) >= DOUBTS:
            self.max_terms = max(self._cleanest + 1, self._first)

    def see_nothing(self, query: Query, matching: int) -> None:
        """Take note of an answer without hits, although so many held documents match.

        Where words are stemmed, what holds a word itself has its stem: of one required word alone
        texts tell as well.
        """
        is_plain = len(query.required) == 1 and not query.excluded
        if matching < DOUBTS or not (self.texts_tell or is_plain):
            return
        self.note(query, "term", matching, 0)
        if query.excluded:
            self._negation[0] += 1
        elif is_plain:
            self.barred.add(query.required[0])
            self._empty += query.required[0] in STOP_WORDS
            if self._empty >= 2:
                self.bar(STOP_WORDS)

    def prove_negation(self) -> None:
        """Take note that NOT works, as exact totals show: texts say no more of what is read."""
        self._negation[1] += 1
        self._by_totals = True

    def see_total(self, total: Total | None) -> None:
        """Take note of how a page reports its total; the first tells what kind they are of."""
        if total is not None and not self.is_told:
            self.is_told = True
            if total.relation != "exact":
                self.counts = "about"

    def see_read(self, term: str) -> None:
        """Take note of a term that the source reads, and so words as short as this one."""
        self._read.add(term)
        self.least_length.see_read(term)

    def was_read(self, term: str) -> bool:
        """Say whether a term is known to be read by the source."""
        return term in self._read

    def suspect(self, term: str) -> None:
        """Take note of a term that may be passed over, and is excluded to find that out."""
        self._suspected.add(term)

    def see_unread(self, query: Query, term: str, against: int) -> None:
        """Take note of a term that is passed over, as so many documents say."""
        self.note(query, "term", 0, against)
        self.dropped.add(term)
        self._give_up(term)
        if term in STOP_WORDS:
            self._see_dropped()

    def bar(self, words: Iterable[str]) -> None:
        """Give up words that seem to be dropped as others are, but for those that were read."""
        self.barred.update(word for word in words if word not in self._read)

    def see_unsplit(self, query: Query, term: str, against: int) -> None:
        """Take note of a term that leaves a cell as it was: the source may not have read it.

        Args:
            query: Of the side that was asked.
            term: That the cell was to be split by.
            against: Documents known to match that should not.
        """
        terms = query.required if term in query.required else (*query.required, *query.excluded)
        if against < DOUBTS or len(terms) > max(self._cleanest, SHORT_QUERY):
            return  # what stands behind all that is known to be read tells of the query's length
        self.see_unread(query, term, against)

    def see_refused(self, query: Query, term: str) -> None:
        """Take note of a query whose answer never came, and of the term that makes it a new one.

        It may be the term, or, where it is longer than all that were answered, its length.
        """
        terms = len(query.required) + len(query.excluded)
        if terms <= max(self._longest, SHORT_QUERY):
            self._give_up(term)
            return
        self._too_long += 1
        if self._too_long >= DOUBTS:
            self.max_terms = max(self._longest, SHORT_QUERY)

    def see_answered(self, query: Query) -> None:
        """Take note of a query that was answered at all."""
        terms = len(query.required) + len(query.excluded)
        if terms > self._longest:
            self._longest, self._too_long = terms, 0

    def _give_up(self, term: str) -> None:
        """Bar a term, and, where all words as short seem to be treated alike, those too."""
        self.barred.add(term)
        if term not in STOP_WORDS:
            self.least_length.see_passed_over(term)

    def _see_dropped(self) -> None:
        self._unsplit += 1
        if self._unsplit >= 2:
            self.bar(DROPPED_WORDS)

    def see_part(self, whole: float, part: float, query: Query, *, required: bool) -> None:
        """Take note of a part's count beside the whole's: a term more never matches more.

        Args:
            whole: Documents of the cell that was split.
            part: Documents of one side, as reported.
            query: Of that side.
            required: The side is that of the documents that hold the term.
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
        """Take note of a query that ended below the limit: its rows should be its total.

        Args:
            query: That ended.
            reported: Its total, if it has one.
            rows: That came.
            different: Documents among them.
            cut: Its last page was empty, or repeated another.
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
        elif rows:  # none of nothing is right whatever the error
            self._compare(0.0)

    def see_more(self, query: Query, reported: int, rows: int) -> None:
        """Take note of a query that brought more rows than its total claims."""
        self.note(query, "count", reported, rows)
        self._compare(log_ratio(reported, rows))

    def see_past(self, rows: int) -> None:
        """Take note of a page that should have none: a total of each page's rows is no total."""
        self._past[not rows] += 1
        if self._past[0] >= DOUBTS and not self._past[1]:
            self.counts = "none"

    def _compare(self, ratio: float) -> None:
        """Take note of a total per row; read totals as exact, as approximate or not at all."""
        self._ratios.append(ratio)
        ratios = np.array(self._ratios)
        mean = float(ratios.sum() / (len(ratios) + 0.5))
        self.bias = mean if abs(mean) > ratios.std() else 0.0
        wrong = np.abs(ratios) > 0.02
        if self.counts == "exact" and wrong[-10:].sum() >= DOUBTS:
            self.counts = "about"
        if self.counts == "about" and len(ratios) >= 10 and self.noise > WORTHLESS:
            self.counts = "none"
