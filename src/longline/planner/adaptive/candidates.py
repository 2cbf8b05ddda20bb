"""Which term or pair of terms to send next: the one that promises most new documents for its cost.

All terms are valued now and then, the best of them anew for each query. Where single terms are
mostly cut at the return limit, pairs are drawn as well, and compete with terms at a discount:
as far as pairs have kept what they promised.
"""

from __future__ import annotations

from collections import deque
from copy import deepcopy
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from longline.model import Query
from longline.planner.adaptive import gain_kernels as _gains
from longline.planner.adaptive.term_pairs import Pairs, draw_pairs
from longline.planner.adaptive.yield_model import Forecast, Yields, means
from longline.planner.capabilities import Capabilities
from longline.planner.observed import Forms, ReturnLimit, TermStatistics

ROW_COST = 0.03
"""Cost of a row where a page costs 1: among pages alike, one without old documents."""

SHORTLIST = 512
"""Terms that are valued anew for each query; all are now and then."""

TERMS_PER_QUERY = 5000
"""Terms may be valued in full for each query, on average: some milliseconds."""

LONGEST_WAIT = 64
"""Queries between two full valuations, at most."""

FIRST_TRUST = 0.8
"""Pairs count so much of what they promise until it is known how they keep it."""

CELLS_PER_LISTING = 2_000_000
"""Drawing pairs goes through all terms of all documents: more seldom where there are more."""


class Candidate(NamedTuple):
    """A term or a pair that could be sent.

    Attributes:
        counts: Where it is counted: `TermStatistics` have terms, `Pairs` pairs.
        place: Its number there.
    """

    counts: TermStatistics | Pairs
    place: int


class Promise(NamedTuple):
    """A query, and what it promises.

    Attributes:
        query: To be sent.
        yields: That foresaw what it brings, and are to learn what it brought.
        forecast: What they foresaw; None where nothing is known of it.
        rate: New documents per cost.
    """

    query: Query
    yields: Yields
    forecast: Forecast | None
    rate: float


class Candidates:
    """The terms and pairs of the documents seen, and which of them is worth most.

    Args:
        abilities: Say whether the source takes pairs.
        seen: The documents whose terms they are; it grows, and is looked at anew each time.
        yields: What is learned of single terms; pairs learn on from a copy.
        bounds: The source's k and p.
        forms: Say in which form a term is sent.
        rng: Draws pairs.
        sent: Every query that was sent; filled by the planner.

    Attributes:
        rate: New documents per cost that the best candidate promised when it was looked for last.

    >>> seen = TermStatistics()
    >>> seen.add("reef", ["sea", "coral"])
    >>> seen.add("tide", ["sea", "moon"])
    >>> candidates = Candidates(
    ...     Capabilities(), seen, Yields(), ReturnLimit(), Forms(),
    ...     np.random.default_rng(0), sent=set(),
    ... )
    >>> candidates.take(candidates.best()).query
    Query(required=('sea',))
    >>> candidates.take(candidates.best()).query
    Query(required=('coral',))
    """

    def __init__(
        self,
        abilities: Capabilities,
        seen: TermStatistics,
        yields: Yields,
        bounds: ReturnLimit,
        forms: Forms,
        rng: np.random.Generator,
        sent: set[Query],
    ) -> None:
        self.rate = 0.0
        self._takes_pairs = abilities.conjunction and (abilities.max_terms or 2) >= 2
        self._seen = seen
        self._bounds = bounds
        self._forms = forms
        self._rng = rng
        self._sent = sent
        self._is_sent = np.zeros(0, dtype=np.bool_)
        self._shortlist = np.empty(0, dtype=np.int64)
        self._wait = 0
        self._pairs: Pairs | None = None
        self._listings = 0
        self._has_counts = False
        self._cut: deque[bool] = deque(maxlen=20)
        self._kept = {1: np.array([3.0, 3.0]), 2: np.array([FIRST_TRUST * 3.0, 3.0])}
        self._yields = self._pair_yields = yields

    def best(self) -> Candidate | None:
        """Return the unsent term or pair of most value, and note it as the rate; None without any.

        The rate stays what it was where none is left.
        """
        term = self._best_term()
        return self._best_pair() or term

    def take(self, candidate: Candidate) -> Promise:
        """Return the query for a candidate, which is sent now, and what it promises."""
        counts, place = candidate
        if isinstance(counts, Pairs):
            if self._pair_yields is self._yields:
                self._pair_yields = deepcopy(self._yields)
            query, yields = self._pair_query(counts, place), self._pair_yields
        else:
            term = self._forms.spoken(*self._seen.forms(place))
            self._note_sent(term)
            query, yields = Query((term,)), self._yields
        forecast = yields.foresee(counts, place, means(self._seen))
        return Promise(query, yields, forecast, self.rate)

    def take_word(self, word: str) -> Promise:
        """Return the query for a word of which nothing is known, which is sent now."""
        self._note_sent(word)
        return Promise(Query((word,)), self._yields, None, self.rate)

    # What was sent, and how it was answered.

    def _note_sent(self, term: str) -> None:
        number = self._room_for(term)
        self._is_sent[number] = True

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

    def answered(
        self, query: Query, new: int, promised: float, *, is_cut: bool, has_count: bool
    ) -> None:
        """Note how a query was answered, and compare what it brought with what it promised.

        Args:
            query: That was sent.
            new: New documents.
            promised: New documents.
            is_cut: Whether the answer did not come whole.
            has_count: Whether it came with a count to be taken at its word.
        """
        self._has_counts = has_count
        self._cut.append(is_cut)
        kind = self._kept[min(len(query.required), 2)]
        kind[:] = kind * 0.97 + np.array([new, promised]) / self._yields.typical

    def believe(self, yields: Yields) -> None:
        """Value by other yields from now on, pairs as well as terms."""
        self._yields = self._pair_yields = yields

    def regroup(self) -> None:
        """Begin the lists anew: other terms are counted together as forms of one word."""
        self._is_sent = np.zeros(len(self._seen.terms), dtype=np.bool_)
        for query in self._sent:
            if len(query.required) == 1 and query == Query(query.required):
                self.look_whether_sent(query.required[0])
        self._pairs, self._wait = None, 0

    # Terms.

    def _best_term(self) -> Candidate | None:
        """Return the unsent term of most value, and note it as the rate."""
        self._wait -= 1
        self._shortlist = self._shortlist[~self._sent_among(self._shortlist)]
        if self._wait <= 0 or not len(self._shortlist):
            self._list_terms()
        if not len(self._shortlist):
            return None
        values = self._term_values(self._shortlist)
        best = int(np.argmax(values))
        self.rate = float(values[best])
        return Candidate(self._seen, int(self._shortlist[best]))

    def _list_terms(self) -> None:
        df = self._seen.df[: len(self._seen.terms)]
        terms = np.flatnonzero(df > 0)
        if len(terms) > 2 * TERMS_PER_QUERY:  # most terms are rare, and bring next to nothing
            frequent = np.flatnonzero(df > 1)
            terms = frequent if len(frequent) > SHORTLIST else terms
        terms = terms[~self._sent_among(terms)]
        self._wait = min(LONGEST_WAIT, 1 + len(terms) // TERMS_PER_QUERY)
        if len(terms) > SHORTLIST:
            best = np.argpartition(-self._term_values(terms), SHORTLIST)[:SHORTLIST]
            terms = np.sort(terms[best])
        self._shortlist = terms
        self._list_pairs()

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
        return _gains.values(terms, counted, means(seen), self._bid(self._yields))

    # Pairs.

    def _best_pair(self) -> Candidate | None:
        """Return the unsent pair that is worth more than the best term, if any; note the rate."""
        pairs = self._pairs
        if pairs is None or not len(pairs.df):
            return None
        values = self._pair_values(pairs)
        for place in np.argsort(-values, kind="stable").tolist():
            if values[place] <= self.rate:
                return None
            if self._pair_query(pairs, place) not in self._sent:
                self.rate = float(values[place])
                return Candidate(pairs, place)
        return None

    def _list_pairs(self) -> None:
        """Draw pairs, where single terms are cut as a rule, and keep the best of them.

        None where only snippets are known: how many seen documents hold both terms of a pair is
        known much worse than how many hold either.
        """
        self._pairs = None
        self._listings += 1
        is_due = self._listings % (1 + self._seen.cell_count // CELLS_PER_LISTING) == 0
        takes_pairs = self._takes_pairs and not self._yields.reveal.is_partial
        if takes_pairs and is_due and sum(self._cut) > len(self._cut) / 2:
            pairs = draw_pairs(self._seen, self._rng)
            order = np.argsort(-self._pair_values(pairs), kind="stable")
            self._pairs = pairs.pick(order[: 4 * self._wait])

    def _pair_query(self, pairs: Pairs, place: int) -> Query:
        numbers = pairs.first[place], pairs.second[place]
        return Query(tuple(sorted(self._seen.terms[number] for number in numbers)))

    def _pair_values(self, pairs: Pairs) -> _gains.Floats:
        places = np.arange(len(pairs.df))
        bid = self._bid(self._pair_yields)
        values = _gains.values(places, _gains.Counted(*pairs[2:]), means(self._seen), bid)
        return self._trust_in_pairs() * values

    def _trust_in_pairs(self) -> float:
        """How well pairs keep what they promise, where terms do at 1; at most 1."""
        terms, pairs = (came / said for came, said in (self._kept[1], self._kept[2]))
        return float(min(1.0, pairs / terms))

    def _bid(self, yields: Yields) -> _gains.Bid:
        return yields.bid(
            limit=self._bounds.most_rows,
            page_size=self._bounds.full_page,
            page_cost=1.0,
            row_cost=ROW_COST,
            rate=self.rate,
            skips=self._has_counts,
        )
