"""Narrow searches whose answers were cut by further words, on sources with AND but without NOT.

An answer that was cut hides its total less what is held of it. Adding a word of held documents
shows others of these if it leaves few enough. Source: ours; figures in
docs/research/decisions/0066-narrowing.md.
"""

from heapq import heappop, heappush
from math import inf

import numpy as np

from longline.events import AnyEvent, DocumentReceived
from longline.model import Finish, Page, Query, Search
from longline.planner.capabilities import Capabilities
from longline.planner.observed import Arrival, DocumentIndex, RecentPages, arrival
from longline.planner.sequential import SequentialPlanner
from longline.pool import STOP_WORDS

WORTHWHILE = 0.5
"""A narrower search must be expected to match this many of the hidden documents."""

KNOWN = 0.8
"""If this share of a first page of an answer that will be cut is held, its other pages are not
read: they are mostly held, too."""

TESTED, DIFFERING = 10, 0.05
"""Texts show what matches if so many answers that were read whole matched as many held documents as
their total says, and at most this share of them another number."""


class Narrowing(SequentialPlanner):
    """Add words to searches that were cut, where most documents are hidden.

    Args:
        abilities: What the source can do; its return limit is known.
        totals: How many documents match searches of words, by the source's exact totals.
        held: The documents that came; those that come are added.

    >>> planner = Narrowing(Capabilities(limit=10), {}, DocumentIndex())
    >>> planner.next()
    Finish(reason='no search that was cut can be narrowed')
    """

    def __init__(
        self, abilities: Capabilities, totals: dict[Query, int], held: DocumentIndex
    ) -> None:
        super().__init__()
        self._limit = abilities.limit or 0
        self._page_size = abilities.page_size or self._limit or 1
        self._most_terms = abilities.max_terms or 10**6
        self._held = held
        self._recent = RecentPages()
        self._listed: set[str] = set()  # documents on pages of this planner, held or not yet
        self._first: tuple[int, int] = 0, 0  # of the first page of the current search: rows, known
        self._totals: dict[Query, int] = {}
        self._rows = 0  # of the current search
        self._whole: list[Query] = []  # answers that were read whole
        # A heap of searches that were cut, by less the rate of the best narrower one.
        self._cells: list[tuple[float, Query]] = []
        self.sent.update(totals)
        for query, total in totals.items():
            self._note(query, total)

    def choose(self) -> Search | Finish:
        """Return the most promising narrower search."""
        if (finish := self._recent.ending()) is not None:
            return finish
        while self._cells:
            _, query = heappop(self._cells)
            rate, narrower = self._narrower(query)
            if narrower is None:
                continue
            heappush(self._cells, (-rate, query))
            if -rate <= self._cells[0][0]:  # it was not less before
                return Search(narrower)
        return Finish("no search that was cut can be narrowed")

    def split(self) -> tuple[Query, ...]:
        """Return searches of which all that match came by others, if texts show what matches."""
        differing = sum(self._hidden(query) != 0 for query in self._whole)
        if len(self._whole) < TESTED or differing > DIFFERING * len(self._whole):
            return ()
        return tuple(query for query in self._totals if self._hidden(query) <= 0)

    def _hidden(self, query: Query) -> int:
        """Return how many documents match a search and are not held."""
        return self._totals[query] - len(self._held.matching(query.required))

    def _narrower(self, query: Query) -> tuple[float, Query | None]:
        """Return the query with the word more that promises most new documents per page."""
        matching, total = self._held.matching(query.required), self._totals[query]
        hidden = total - len(matching)
        if not len(matching) or hidden < WORTHWHILE or len(query.required) >= self._most_terms:
            return 0.0, None
        shares = self._held.counts(matching) / len(matching)
        expected = np.maximum(total * shares, 1e-9)
        # What an answer that is cut shows is likelier to be held than what it hides.
        new = hidden * shares * np.minimum(1.0, self._limit / expected) ** 2
        pages = np.ceil(np.clip(expected, 1, self._limit) / self._page_size)
        rates = np.where(hidden * shares >= WORTHWHILE, new / pages, 0.0)
        for number in np.argsort(-rates, kind="stable").tolist():
            if rates[number] <= 0:
                break
            term = self._held.terms[number]
            narrower = Query(tuple(sorted({*query.required, term})))
            is_more = term not in STOP_WORDS and len(narrower.required) > len(query.required)
            if is_more and narrower not in self.sent:
                return float(rates[number]), narrower
        return 0.0, None

    def _note(self, query: Query, total: int) -> None:
        """Note the total of a search; one that is cut can be narrowed."""
        self._totals[query] = total
        if total > self._limit > 0:
            heappush(self._cells, (-inf, query))

    def wants_page(self, query: Query, number: int) -> bool:
        """Return False if all that match are held, or an answer will be cut and is mostly held."""
        rows, known = self._first
        total = self._totals.get(query)
        is_cut = total is not None and total > self._limit
        return not (is_cut and known >= KNOWN * rows) and (total is None or self._hidden(query) > 0)

    def see(self, query: Query, number: int, page: Page) -> None:
        """Count new documents, and note a total."""
        keys = set(page.keys)
        new = sum(key not in self._held.keys for key in keys - self._listed)
        self._rows = len(keys) + (self._rows if number > 1 else 0)
        if number == 1:
            self._first = len(keys), len(keys) - new
            if page.exact_total is not None:
                self._note(query, page.exact_total)
        if page.next is None and self._rows == self._totals.get(query):
            self._whole.append(query)
        self._recent.note(new)
        self._listed |= keys

    def tell(self, event: AnyEvent) -> None:
        """Process a result page or a document."""
        if isinstance(event, DocumentReceived):
            self.take(arrival(event))
        else:
            super().tell(event)

    def take(self, arrival: Arrival) -> None:
        """Hold a document."""
        self._held.add(arrival.key, arrival.terms, arrival.snippet)
