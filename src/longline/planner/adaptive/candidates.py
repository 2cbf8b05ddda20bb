"""Choose the next term: the one that promises the most new documents for its cost.

All terms are valued from time to time, the best of them again for each query.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from longline.model import Query
from longline.planner.adaptive import gains
from longline.planner.adaptive.yield_model import Forecast, Yields
from longline.planner.observed import Forms, LeastLength, ReturnLimit, TermStatistics
from longline.pool import STOP_WORDS

ROW_COST = 0.03
"""Cost of a row, if a page costs 1: among equal pages, it prefers one without old documents."""

SHORTLIST = 512
"""The number of terms that are valued again for each query; the others only from time to time."""

TERMS_PER_QUERY = 5000
"""The average number of terms valued per query in full valuations: some milliseconds."""

LONGEST_WAIT = 64
"""The most queries between two full valuations."""


OFTEN = 4
"""A stop word in more than one of this many documents is not sent: it shows what others show. In
titles few words are so common, and they lead to titles that share no other word."""


class Promise(NamedTuple):
    """A query, and its expected result.

    Attributes:
        query: The query to send.
        yields: The model that made the forecast, and that will learn from the answer.
        forecast: The forecast; None if nothing is known of the term.
    """

    query: Query
    yields: Yields
    forecast: Forecast | None


class Candidates:
    """The terms of the seen documents, and which of them has the highest value.

    Args:
        seen: The documents that the terms come from; it grows, and is read again each time.
        yields: The model of what terms bring.
        bounds: The source's k and p.
        forms: Decides in which form a term is sent.
        sent: Every query that was sent; filled by the planner.

    Attributes:
        least_length: The least length of words that the source searches; shorter ones are not sent.
        rate: New documents per cost of the best candidate, when it was last computed.
        has_counts: Whether the last answer had a total that is exact enough to trust.

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
        """Return the most valuable unsent term and set `rate` to its value; None if none is left.

        If none is left, the rate does not change.
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
        """Mark a term as sent; return its query and what it promises."""
        term = self._spoken(number)
        self._note_sent(term)
        forecast = self._yields.foresee(self._seen, number)
        return Promise(Query((term,)), self._yields, forecast)

    def _spoken(self, number: int) -> str:
        return self._forms.spoken(*self._seen.forms(number))

    def take_word(self, word: str) -> Promise:
        """Mark an unknown word as sent; return its query."""
        self._note_sent(word)
        return Promise(Query((word,)), self._yields, None)

    # Sent terms.

    def _note_sent(self, term: str) -> None:
        number = self._room_for(term)
        self._is_sent[number] = True

    def leave_out(self, words: Iterable[str]) -> None:
        """Mark words as sent, so that they are never queried."""
        for word in words:
            self._note_sent(word)

    def look_whether_sent(self, term: str) -> None:
        """Mark a term as sent if one of its forms was; forms that find nothing do not count."""
        number, is_dead = self._room_for(term), self._forms.is_dead
        forms, _ = self._seen.forms(number)
        live = [form for form in forms if not is_dead(form)]
        self._is_sent[number] = not live or any(Query((form,)) in self._sent for form in live)

    def _room_for(self, term: str) -> int:
        """Return a term's number, and make room for it in the array of sent terms."""
        number = self._seen.number(term)
        if number >= len(self._is_sent):
            self._is_sent = np.concatenate(
                [self._is_sent, np.zeros(number + 1, dtype=np.bool_)]
            )  # at least doubled
        return number

    def believe(self, yields: Yields) -> None:
        """Use another model to value terms from now on."""
        self._yields = yields

    def regroup(self) -> None:
        """Start the lists again, because other terms now count together as forms of one word."""
        self._is_sent = np.zeros(len(self._seen.terms), dtype=np.bool_)
        for query in self._sent:
            if len(query.required) == 1 and query == Query(query.required):
                self.look_whether_sent(query.required[0])
        self._wait = 0

    # Terms.

    def _list_terms(self) -> None:
        df = self._seen.df[: len(self._seen.terms)]
        terms = np.flatnonzero(df > 0)
        if len(terms) > 2 * TERMS_PER_QUERY:  # most terms are rare, and bring almost nothing
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

    def _sent_among(self, terms: gains.Ints) -> npt.NDArray[np.bool_]:
        sent = np.zeros(len(terms), dtype=np.bool_)
        old = terms < len(self._is_sent)
        sent[old] = self._is_sent[terms[old]]
        return sent

    def _term_values(self, terms: gains.Ints) -> gains.Floats:
        bid = self._yields.bid(self._bounds, ROW_COST, self.rate, skips=self.has_counts)
        return gains.values(terms, self._seen, bid)
