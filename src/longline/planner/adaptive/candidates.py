"""Which term to send next: the one that promises most new documents for its cost.

All terms are valued now and then, the best of them anew for each query.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from longline.model import Query
from longline.planner.adaptive import gain_kernels as _gains
from longline.planner.adaptive.yield_model import Forecast, Yields, means
from longline.planner.observed import Forms, LeastLength, ReturnLimit, TermStatistics
from longline.pool import STOP_WORDS

ROW_COST = 0.03
"""Cost of a row where a page costs 1: among pages alike, one without old documents."""

SHORTLIST = 512
"""Terms that are valued anew for each query; all are now and then."""

TERMS_PER_QUERY = 5000
"""Terms may be valued in full for each query, on average: some milliseconds."""

LONGEST_WAIT = 64
"""Queries between two full valuations, at most."""


OFTEN = 4
"""A stop word that more than one of so many documents holds shows what others show. In titles few
are so common, and lead to titles that share no other word."""


class Promise(NamedTuple):
    """A query, and what it promises.

    Attributes:
        query: To be sent.
        yields: That foresaw what it brings, and are to learn what it brought.
        forecast: What they foresaw; None where nothing is known of it.
    """

    query: Query
    yields: Yields
    forecast: Forecast | None


class Candidates:
    """The terms of the documents seen, and which of them is worth most.

    Args:
        seen: The documents whose terms they are; it grows, and is looked at anew each time.
        yields: What is learned of terms.
        bounds: The source's k and p.
        forms: Say in which form a term is sent.
        sent: Every query that was sent; filled by the planner.

    Attributes:
        least_length: Of the words that the source looks for; shorter ones are not sent.
        rate: New documents per cost that the best candidate promised when it was looked for last.
        has_counts: The last answer came with a count to be taken at its word.

    >>> seen = TermStatistics()
    >>> seen.add("reef", ["sea", "coral"])
    >>> seen.add("tide", ["sea", "moon"])
    >>> candidates = Candidates(seen, Yields(), ReturnLimit(), Forms(), sent=set())
    >>> candidates.take(candidates.best() or 0).query
    Query(required=('sea',))
    >>> candidates.take(candidates.best() or 0).query
    Query(required=('coral',))
    """

    def __init__(
        self,
        seen: TermStatistics,
        yields: Yields,
        bounds: ReturnLimit,
        forms: Forms,
        sent: set[Query],
    ) -> None:
        self.rate = 0.0
        self.least_length = LeastLength()
        self._seen = seen
        self._bounds = bounds
        self._forms = forms
        self._sent = sent
        self._is_sent = np.zeros(0, dtype=np.bool_)
        self._shortlist = np.empty(0, dtype=np.int64)
        self._wait = 0
        self.has_counts = False
        self._yields = yields

    def best(self) -> int | None:
        """Return the unsent term of most value, and note that as the rate; None without any.

        The rate stays what it was where none is left.
        """
        self._wait -= 1
        self._shortlist = self._shortlist[~self._sent_among(self._shortlist)]
        if self._wait <= 0 or not len(self._shortlist):
            self._list_terms()
        if not len(self._shortlist):
            return None
        values = self._term_values(self._shortlist)
        for place in np.argsort(-values, kind="stable").tolist():
            number = int(self._shortlist[place])
            if len(self._spoken(number)) >= self.least_length.letters:
                self.rate = float(values[place])
                return number
            self._note_sent(self._seen.terms[number])
        return self.best()

    def take(self, number: int) -> Promise:
        """Return the query for a term, which is sent now, and what it promises."""
        term = self._spoken(number)
        self._note_sent(term)
        forecast = self._yields.foresee(self._seen, number, means(self._seen))
        return Promise(Query((term,)), self._yields, forecast)

    def _spoken(self, number: int) -> str:
        return self._forms.spoken(*self._seen.forms(number))

    def take_word(self, word: str) -> Promise:
        """Return the query for a word of which nothing is known, which is sent now."""
        self._note_sent(word)
        return Promise(Query((word,)), self._yields, None)

    # What was sent, and how it was answered.

    def _note_sent(self, term: str) -> None:
        number = self._room_for(term)
        self._is_sent[number] = True

    def leave_out(self, words: Iterable[str]) -> None:
        """Let none of some words be asked for."""
        for word in words:
            self._note_sent(word)

    def look_whether_sent(self, term: str) -> None:
        """Let no form of a term be asked for again, unless those that were are dead."""
        number, is_dead = self._room_for(term), self._forms.is_dead
        forms, _ = self._seen.forms(number)
        live = [form for form in forms if not is_dead(form)]
        self._is_sent[number] = not live or any(Query((form,)) in self._sent for form in live)

    def _room_for(self, term: str) -> int:
        """Return a term's number, for which there is a place among those that were sent."""
        number = self._seen.number(term)
        if number >= len(self._is_sent):
            self._is_sent = np.concatenate(
                [self._is_sent, np.zeros(number + 1, dtype=np.bool_)]
            )  # at least doubled
        return number

    def believe(self, yields: Yields) -> None:
        """Value by other yields from now on."""
        self._yields = yields

    def regroup(self) -> None:
        """Begin the lists anew: other terms are counted together as forms of one word."""
        self._is_sent = np.zeros(len(self._seen.terms), dtype=np.bool_)
        for query in self._sent:
            if len(query.required) == 1 and query == Query(query.required):
                self.look_whether_sent(query.required[0])
        self._wait = 0

    # Terms.

    def _list_terms(self) -> None:
        df = self._seen.df[: len(self._seen.terms)]
        terms = np.flatnonzero(df > 0)
        if len(terms) > 2 * TERMS_PER_QUERY:  # most terms are rare, and bring next to nothing
            frequent = np.flatnonzero(df > 1)
            terms = frequent if len(frequent) > SHORTLIST else terms
        terms = terms[~self._sent_among(terms)]
        often = terms[df[terms] * OFTEN > len(self._seen)].tolist()
        common = [number for number in often if self._seen.terms[number] in STOP_WORDS]
        terms = np.setdiff1d(terms, common)
        self._wait = min(LONGEST_WAIT, 1 + len(terms) // TERMS_PER_QUERY)
        if len(terms) > SHORTLIST:
            best = np.argpartition(-self._term_values(terms), SHORTLIST)[:SHORTLIST]
            terms = np.sort(terms[best])
        self._shortlist = terms

    def _sent_among(self, terms: _gains.Ints) -> npt.NDArray[np.bool_]:
        sent = np.zeros(len(terms), dtype=np.bool_)
        old = terms < len(self._is_sent)
        sent[old] = self._is_sent[terms[old]]
        return sent

    def _term_values(self, terms: _gains.Ints) -> _gains.Floats:
        seen = self._seen
        counted = _gains.Counted(
            seen.df, seen.once, seen.pages, seen.densest, seen.lengths, seen.titled
        )
        bid = self._yields.bid(self._bounds, ROW_COST, self.rate, skips=self.has_counts)
        return _gains.values(terms, counted, means(seen), bid)
