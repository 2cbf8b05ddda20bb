"""Partition a source by its facets: ranges, lists of values, prefixes of values.

A search without words finds everything; filters split that into disjoint parts, without AND or NOT.
A piece of a range is chosen to fill an answer without exceeding the return limit k; if it exceeds
the limit, it is split again. A list is queried value by value, a prefix letter by letter. A part
that no facet can split is left to a partition by terms, or to single terms, within that part's
filters; if the source takes no words, it stays cut. Required facets are part of every request; if
no search finds everything, their parts are left to terms from the start.

The parts must sum to the complete set. If they do not, documents lack a value or have several,
which is recorded as a discrepancy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any

import msgspec

from longline.events import AnyEvent, Discrepancy, DocumentReceived
from longline.model import Facet, Filter, Finish, Page, Query, Search, Total
from longline.planner.capabilities import Capabilities
from longline.planner.cells import RangePieces, narrowed, value_pieces
from longline.planner.observed import (
    DOUBTS,
    PROVED,
    AnswerProgress,
    Arrival,
    Kind,
    ReturnLimit,
)
from longline.planner.reports import Reports
from longline.ports import Asking, GeneratorPolicy, Policy
from longline.text.numbers import counted

FULL = 0.8
"""The share of the return limit that a piece should fill: documents are not spread evenly."""

BOUND = 100
"""A total that is a multiple of this may be only as far as the source counts."""

INCOMPLETE = 0.02
"""The share of the source that facets may miss before the partition counts as incomplete."""


@dataclass(eq=False)
class _Part(AnswerProgress):
    """The documents that pass some filters.

    Attributes:
        filters: At most one filter per facet.
        total: The newest page's total; None if there is none.
        first: Keys on its first page, in order.
        documents: The documents received while it was read.
    """

    filters: tuple[Filter, ...] = ()
    total: Total | None = None
    first: tuple[str, ...] = ()
    documents: list[DocumentReceived] = field(default_factory=list)

    @property
    def query(self) -> Query:
        """The query for this part."""
        return Query((), filters=self.filters)

    def receive(self, page: Page | None) -> None:
        """Add the next page; None if it could not be loaded."""
        super().receive(page)
        if page is not None:
            self.first = page.keys if self.pages == 1 else self.first
            self.total = page.total or self.total

    def is_like(self, other: _Part) -> bool:
        """Return whether two parts have the same answer, as when a filter is ignored."""
        return bool(self.first) and (self.first, self.reported) == (other.first, other.reported)

    def with_filter(self, limits: Filter) -> _Part:
        """Return this part with a further filter, which replaces one on the same facet."""
        others = tuple(each for each in self.filters if each.facet != limits.facet)
        return _Part((*others, limits))


class FacetPartition(GeneratorPolicy[Search, Page], Reports):
    """Fetch a source part by part, by its facets.

    Args:
        abilities: What the source can do, with `lists_all` or required facets; ranges are used
            before other facets.
        make_inner: Makes a policy for a part that no facet can split; to it, the part looks like
            the source. None if the source takes no words.

    Attributes:
        dead: Names of facets that turned out to have no effect.

    >>> facets = (Facet("year", "number", low="1990", high="1999"),)
    >>> able = Capabilities(limit=10, page_size=10, lists_all=True, facets=facets)
    >>> planner = FacetPartition(able, make_inner=lambda: None)
    >>> str(planner.next().query)
    '*'
    """

    def __init__(self, abilities: Capabilities, make_inner: Callable[[], Policy] | None) -> None:
        super().__init__(self._planned())
        self._lists_all = abilities.lists_all
        self._exact = abilities.counts in (None, "exact")
        self._facets = sorted(abilities.facets, key=lambda facet: facet.kind in ("list", "prefix"))
        self._bounds = ReturnLimit(abilities.limit, abilities.page_size)
        self._make_inner = make_inner
        self._inner: Policy | None = None
        self._scope: set[str] = set()
        self._received: list[DocumentReceived] = []
        self._seen: set[str] = set()
        self._whole = _Part()
        self._wholes: list[_Part] = []  # the parts before anything is split
        self._parts = 0
        self._used_terms = False
        self._split: list[Query] = []
        self._uncut = 0  # parts that nothing could split
        self._wrong_totals = 0
        self._empty_rests = 0  # empty parts, after all documents of the total were found
        self._discrepancies: list[Discrepancy] = []
        self.dead: list[str] = []

    def tell(self, event: AnyEvent) -> None:
        """Process an event, and pass it to the inner policy."""
        page = getattr(event, "page", None)
        if page is not None:
            self.came = page
            keys = {hit.key for hit in page.hits}
            self._scope |= keys
            self._seen |= keys
        if isinstance(event, DocumentReceived) and self._inner is None:
            self._received.append(event)
        elif self._inner is not None:
            self._inner.tell(_unfiltered(event))

    def take(self, arrival: Arrival) -> None:
        """Count a document that others found, so that it does not count as missed."""
        self._seen.add(arrival.key)

    @property
    def is_complete(self) -> bool:
        """Whether, as far as totals show, hardly any document was missed."""
        told = self._told_of_all()
        if told is None:
            return not (self._uncut or any(part.failed for part in self._wholes))
        return len(self._seen) >= (1 - INCOMPLETE) * told

    @property
    def is_proved(self) -> bool:
        """Whether other evidence supports the list: parts, terms, or a total that is no bound.

        A total that could be the number of rows on the page is no evidence.
        """
        told = self._told_of_all() or 0
        is_total = told % BOUND > 0 and self._whole.pages > 1
        return bool(self._parts) or self._used_terms or is_total

    def discrepancies(self) -> tuple[Discrepancy, ...]:
        """Return all discrepancies found so far."""
        return tuple(self._discrepancies)

    def at_least(self) -> int:
        """Return the exact total of a search for everything, or 0 if there is none."""
        return self._told_of_all() or 0

    def _told_of_all(self) -> int | None:
        """Return the number of documents by exact totals, or None."""
        told = [self._told(part) for part in self._wholes]
        return None if None in told or not told else sum(filter(None, told))

    def split(self) -> tuple[Query, ...]:
        """Return the overflowing queries that were replaced by queries for their parts."""
        return tuple(self._split)

    # The plan.

    def _planned(self) -> Asking[Finish]:
        yield from self._fetch_whole(self._whole, [f for f in self._facets if f.required])
        return self.result()

    def result(self) -> Finish:
        """Return how it ended, with what others have found since."""
        used = [facet.name for facet in self._facets if facet.name not in self.dead]
        by = f"{counted(self._parts, 'part')} by {', '.join(used)}" if self._parts else "one search"
        told = self._told_of_all() or 0
        said = [f"everything was asked for in {by}"]
        said += [f"the filter {name!r} has no effect" for name in self.dead]
        if told > len(self._seen):
            found = f"{len(self._seen):,} of {counted(told, 'document')}"
            said.append(f"{found} that the site counts were found")
        if self._uncut:
            first = counted(self._uncut, "part shows only its", "parts show only their")
            said.append(f"{first} first documents")
        return Finish("; ".join(said), target_met=self.is_complete)

    def _fetch_whole(self, part: _Part, required: list[Facet]) -> Asking[int]:
        """Fetch all documents, with a filter on each required facet."""
        if not required:
            self._wholes.append(part)
            if not self._lists_all:
                return (yield from self._by_terms(part))
            yield from self._read(part)
            facets = [f for f in self._facets if not f.required or f.kind not in ("list", "prefix")]
            yield from self._look_behind(part, facets)
            return (yield from self._fetch(part, facets))
        facet, *others = required
        if facet.low:
            limits = Filter(facet.name, facet.low, facet.high)
            return (yield from self._fetch_whole(part.with_filter(limits), others))
        found = 0
        for limits in value_pieces(part.filters, facet):
            self._parts += 1
            found += yield from self._fetch_whole(part.with_filter(limits), others)
        return found

    def _look_behind(self, part: _Part, facets: list[Facet]) -> Asking[None]:
        """Query pieces of a list without a total: documents missing there show a cut.

        The last piece is enough unless it begins the list, as where the newest come first.
        """
        if self._make_inner is not None or not facets or self._told(part) is not None:
            return
        while not part.ended and not self._overflows(part):
            yield from self._read(part)
        facet = facets[0]
        for last in (True, False):
            piece = part.with_filter(facet.end(last=last))
            yield from self._read(piece)
            self._split.append(piece.query)  # its other documents are in the whole, or other parts
            if piece.first and not set(piece.first) <= set(part.keys):
                self._bounds.see_cut(part.rows)
            if self._bounds.limit is not None or not set(part.first[:1]) & set(piece.first):
                return

    def _fetch(self, part: _Part, facets: list[Facet]) -> Asking[int]:
        """Fetch a part whose first page was read; return its number of documents, or of hits."""
        while not part.ended and not self._overflows(part):
            yield from self._read(part)
        is_cut = part.ended and 0 < part.rows < (self._told(part) or 0)
        if is_cut and self._bounds.limit is None and self._make_inner is None and facets:
            self._bounds.see_cut(part.rows)  # no words can bring the missing rows
        if not self._overflows(part):
            told = self._told(part)
            if told is not None and told != len(part.keys):
                self._note(part, "count", told, len(part.keys))
                self._wrong_totals += 1
                self._exact = self._wrong_totals < DOUBTS
            return len(part.keys)
        for place, facet in enumerate(facets):
            if facet.name not in self.dead:
                found = yield from self._cut(part, facet, facets[place + 1 :])
                if found is not None:
                    told = self._told(part)
                    return found if told is None else told
        return (yield from self._by_terms(part))

    def _cut(self, part: _Part, facet: Facet, others: list[Facet]) -> Asking[int | None]:
        """Split a part by a facet; return its number of documents, or None if it does not split."""
        pieces = (
            RangePieces(facet, part.reported, self._room)
            if facet.low
            else value_pieces(part.filters, facet)
        )
        found, suspect = 0, None
        for limits in pieces:
            is_rest = suspect is None and 0 < (self._told(part) or 0) <= found
            if is_rest and self._empty_rests >= PROVED:
                break  # the rest is empty
            piece = part.with_filter(limits)
            yield from self._read(piece)
            if is_rest:
                self._see_rest(part, piece, found)
            if piece.is_like(part) and self._overflows(piece):
                if suspect is not None:
                    self.dead.append(facet.name)
                    return None
                suspect = piece
                continue
            size = yield from self._fetch_piece(piece, facet, others)
            found += size
            if isinstance(pieces, RangePieces):
                pieces.learn(limits, size)
        if suspect is not None:
            found += yield from self._fetch_piece(suspect, facet, others)
        if found == 0:
            return None
        self._split.append(part.query)
        told = self._told(part)
        if told is not None and found != told:
            self._note(part, "parts", told, found)
        return found

    def _see_rest(self, part: _Part, piece: _Part, found: int) -> None:
        """Check a piece that should be empty; if it is not, the part's total is wrong."""
        self._empty_rests += not piece.rows
        if piece.rows:
            self._note(part, "parts", part.reported or 0, found + piece.rows)
            part.reported = None

    def _fetch_piece(self, piece: _Part, facet: Facet, others: list[Facet]) -> Asking[int]:
        """Fetch a piece; if it overflows, split it by the same facet if possible."""
        self._parts += 1
        limits = next(each for each in piece.filters if each.facet == facet.name)
        finer = narrowed(facet, limits)
        return (yield from self._fetch(piece, ([finer] if finer else []) + others))

    def _by_terms(self, part: _Part) -> Asking[int]:
        """Let a policy harvest a part as if it were the source."""
        if self._make_inner is None:
            return (yield from self._give_up(part))
        inner, self._used_terms = self._make_inner(), True
        for came in part.documents:
            inner.tell(_unfiltered(came))
        self._inner, self._scope = inner, set(part.keys)
        while isinstance(action := inner.next(), Search):
            query = msgspec.structs.replace(action.query, filters=part.filters)
            yield Search(query, action.number)
        self._inner = None
        while not part.ended and len(self._scope) < (self._told(part) or 0):
            yield from self._read(part)
        return self._hidden(part, len(self._scope))

    def _give_up(self, part: _Part) -> Asking[int]:
        """Read all available pages of a part that nothing can split."""
        while not part.ended:
            yield from self._read(part)
        found, told = len(part.keys), self._told(part)
        self._uncut += told is None or found < told
        return self._hidden(part, found)

    def _hidden(self, part: _Part, found: int) -> int:
        """Note that documents of a part were not found, if its total says so; return `found`."""
        told = self._told(part)
        if told is not None and found < told:
            self._note(part, "hidden", told, found)
        return found

    def _read(self, part: _Part) -> Asking[None]:
        """Read a part's next page."""
        self._received = []
        page = yield Search(part.query, part.pages + 1)
        part.receive(page)
        if page is not None and not page.is_lost:
            part.documents += self._received
            self._bounds.see_page(len(page.hits), more=not part.ended)
            self._bounds.see_rows(part.rows)
            if part.ended:
                self._bounds.see_end(part.rows, self._told(part))

    def _overflows(self, part: _Part) -> bool:
        """Return whether a part has more documents than an answer shows."""
        limit = self._bounds.limit
        if limit is None:
            return False
        told = self._told(part)
        if told is not None and told != limit:
            return told > limit
        # Some sources report exactly this total for all larger result sets.
        return part.rows >= limit

    def _told(self, part: _Part) -> int | None:
        """Return a part's exact total, or None."""
        is_counted = part.total is not None and part.total.relation == "exact"
        return part.reported if self._exact and is_counted else None

    def _room(self) -> float:
        limit = self._bounds.limit
        return inf if limit is None else FULL * limit

    def _note(self, part: _Part, kind: Kind, reported: float, found: float) -> None:
        self._discrepancies.append(Discrepancy(part.query, kind, reported, found))


def _unfiltered(event: AnyEvent) -> AnyEvent:
    """Return an event as if its query had no filters."""
    query = getattr(event, "query", None)
    if not isinstance(query, Query):
        return event
    changed: Any = msgspec.structs.replace(query, filters=())
    return msgspec.structs.replace(event, query=changed)
