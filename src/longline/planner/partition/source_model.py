"""A partition's model of its source: limits, trust in answers, documents, cells."""

from collections import Counter
from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass
from math import log

import numpy as np

from longline.events import DocumentReceived
from longline.model import Page, Query
from longline.planner.capabilities import Capabilities
from longline.planner.cells import UNKNOWN, Cell, Size, Split, Splitter
from longline.planner.observed import (
    DEVIATIONS,
    Arrival,
    Conformance,
    DocumentIndex,
    Forms,
    ReturnLimit,
    arrival,
)
from longline.planner.partition.total_ceiling import UNLIKE, TotalCeiling

MAX_TERMS = 20
"""The most terms in a query if the source's limit is not known. At a return limit of 100 and 19,000
documents, 12 suffice, 8 do not, and 30 help no more; 20 leave room for larger sources, in URLs of
some 200 characters, which every server takes. Wrong hits show that a source reads fewer."""

UNBOUNDED = 1.0
"""Standard deviation of the log of a size whose total is "at least"."""

FAILURES = 10
"""After this many terms that did not split a cell, its documents cannot be separated."""

LOSSES = 3
"""After this many queries with rows lost between pages, only first pages are used."""

UNREAD = 0.7
"""A term was not read if at least this share of the hits it should remove are still there."""

REPEATED_PAGES = 2
"""More pages of repeated rows in one answer than this are no accident."""

NEARLY_WHOLE = 0.3
"""Standard deviation of the log of a size, after a part-filled page with a next one offered."""


@dataclass(frozen=True)
class Record:
    """A split, to check later whether the parts sum to the complete cell.

    Attributes:
        documents: The exact number in the complete cell; None if not known exactly.
    """

    whole: Cell
    documents: float | None
    asked: Cell
    rest: Cell


REFUSALS = 3
"""After this many queries whose next page failed after the same number of rows, that is a limit."""


class SourceModel:
    """Process answers, and update the cells and what is known about the source.

    Attributes:
        length: The most terms that a query may have.
        forms: Which word forms the source merges.
        universe: The cell of all documents; held documents are passed on to its parts.
        failed: Pages that could not be loaded.
        failed_at: How often a page failed after this many rows of its query.
        short: Cells that lost rows between their pages.
        records: All splits.
        doubtful: Cells not cut by a limit known so far, but perhaps by another one.
    """

    def __init__(self, abilities: Capabilities, forms: Forms | None = None) -> None:
        self.length = abilities.max_terms or MAX_TERMS
        self.bounds = ReturnLimit(abilities.limit, abilities.page_size)
        self.trust = Conformance(abilities.counts)
        self._adds_up = abilities.adds_up
        if self._adds_up:
            self.trust.prove_negation()
        self.ceiling = TotalCeiling()
        self.held = DocumentIndex()
        self.universe = Cell((), (), UNKNOWN, is_told=True)
        self.failed = 0
        self.failed_at = Counter[int]()
        self.short: list[Cell] = []
        self.records: list[Record] = []
        self.forms = forms or Forms(abilities.forms)
        self._rule = ""  # the rule by which the terms of `held` are merged
        self._written: DocumentIndex | None = None  # the same with terms as written, if merged
        self.doubtful: list[Cell] = []
        self._held_against: int | None = None  # the limit that these were compared with
        self._splitter: Splitter | None = None
        self._changes = -1
        self._texts = [0, 0]  # documents known only by a snippet, and all
        self._measured = 1, self.held, 0  # least length, index, and number of words checked by it
        self._unplaced: list[tuple[int, Collection[str]]] = []

    @property
    def texts_are_whole(self) -> bool:
        """Whether documents are known by more than their titles and snippets."""
        snippets, documents = self._texts
        return snippets <= 0.1 * documents

    @property
    def barred(self) -> Set[str]:
        """Terms that the source treats in a special way, including those that are too short."""
        least, words = self.trust.least_length.letters, self.held.terms
        if least > 1:
            known_least, known_held, measured = self._measured
            is_new = least != known_least or self.held is not known_held
            new = words[0 if is_new else measured :]
            self.trust.bar(word for word in new if len(word) < least)
            self._measured = least, self.held, len(words)
        return self.trust.barred

    def hold(self, came: DocumentReceived) -> None:
        """Add a document that is not held yet; see `arrival`.

        If totals show that NOT works, an excluded word on its page is not in the searched text.
        """
        is_judged = self._adds_up and came.query is not None
        self.take(arrival(came).without(came.query.excluded if is_judged and came.query else ()))

    def take(self, came: Arrival) -> None:
        """Add a document's terms, and how it was received."""
        terms, snippet = came.terms, came.snippet
        self._texts[0] += snippet is not None
        self._texts[1] += 1
        self.forms.hold(came.key, terms)
        if self._written is not None:
            self._written.add(came.key, terms, snippet)
        number = self.held.add(came.key, terms, snippet)
        if self.texts_are_whole:
            self.universe.place(number, set(self.held.labels(terms)) if self._rule else terms)
        else:
            self._unplaced.append((number, (*terms, *snippet.asked) if snippet else terms))

    def written(self) -> DocumentIndex:
        """Return all held documents with their terms as written."""
        return self.held if self._written is None else self._written

    def _place(self, query: Query, found: Collection[int]) -> None:
        """Place received documents in cells; those found by a query match all its terms."""
        for number in found if not self.texts_are_whole else ():
            self.held.imply(number, query.required)
            if self._written is not None:
                self._written.imply(number, query.required)
        for number, terms in self._unplaced:
            implied = query.required if number in found else ()
            self.universe.place(number, set(self.held.labels((*terms, *implied))))
        self._unplaced.clear()

    def regroup(self) -> None:
        """Merge terms by the rule that the source now turned out to use."""
        rule = self.forms.name
        if rule == self._rule:
            return
        written, self._rule = self.written(), rule
        self.held = written.labelled(self.forms.labels()) if rule else written
        self._written = written if rule else None
        self._place(Query(()), ())
        self.universe.renew(self.held)

    def receive(self, cell: Cell, page: Page | None) -> None:
        """Process a cell's next page; None if neither it nor one after it could be loaded."""
        is_past, reported, rows = self.seems_to_end(cell), cell.reported, cell.rows
        last = cell.last
        cell.receive(page)
        if page is None or page.is_lost:
            self.failed += 1
            self.failed_at[cell.rows] += page is None
            if cell.rows and self.failed_at[cell.rows] >= REFUSALS:
                self.bounds.see_end(cell.rows, cell.reported)
            self.bounds.changes += 1
            self.trust.note(cell.query, "page failed", cell.pages, 0)
            return
        self.trust.see_answered(cell.query)
        cell.ended |= self.bounds.has_one_page and cell.rows < self.bounds.page_size
        if is_past:
            self.trust.see_past(cell.rows - rows)
            if cell.rows == rows:  # nothing more, as announced: no rows were lost
                cell.reported, cell.cut = reported, False
        self.trust.see_total(page.total)
        self.bounds.see_page(len(page.hits), more=not cell.ended)
        if last and cell.rows > rows:
            self.bounds.see_inner(last)
        self.bounds.see_rows(cell.rows)
        self._check_hits(cell, page)
        self._check_ceiling(cell)
        self._check_total(cell, page.keys)
        self.doubt(cell)
        self._draw_conclusions()

    def doubt(self, cell: Cell) -> None:
        """Remember a cell that may have been cut by a limit not known yet."""
        is_settled = self.is_capped(cell) or self._is_borne_out(cell)
        if cell.ended and cell.parent is not None and not is_settled:
            self.doubtful.append(cell)

    def _is_borne_out(self, cell: Cell) -> bool:
        """Return whether an exact total confirms that all of a cell's rows were received."""
        is_told = self.trust.counts == "exact" and not cell.at_least
        return is_told and cell.reported is not None and cell.reported <= cell.rows

    def lacking(self, cells: Sequence[Cell]) -> list[float]:
        """Return how far cells' totals exceed their rows beyond chance.

        These are logarithms; 0 if the total is no evidence.
        """
        typical, deviation = self.trust.typical_ratio()
        least = typical + DEVIATIONS * deviation
        return [
            max(0.0, log(cell.reported / cell.rows) - least)
            if cell.reported and cell.rows and self.trust.counts != "none"
            else 0.0
            for cell in cells
        ]

    def _check_hits(self, cell: Cell, page: Page) -> None:
        known = self.held.numbers(hit.key for hit in page.hits)
        self.trust.see_hits(cell.query, known, self.held)
        self._place(cell.query, set(known))
        if cell.pages == 1 and not page.hits:
            self.trust.see_nothing(cell.query, cell.count(self.held))

    def _check_ceiling(self, cell: Cell) -> None:
        if self.trust.counts != "exact":
            return
        # A total confirmed by the rows is no sign of a ceiling.
        is_whole = cell.ended and not self.is_capped(cell) and cell.rows < self.bounds.page_size
        if cell.pages == 1 and cell.reported and not cell.at_least and not is_whole:
            self.ceiling.see(cell, self.held, texts_tell=self.trust.texts_tell)
        cell.at_least = cell.at_least or self.ceiling.hides(cell)

    def _check_total(self, cell: Cell, last: Sequence[str]) -> None:
        reported = None if cell.at_least else cell.reported
        if not cell.ended:
            if reported is not None and reported < cell.rows:
                self.trust.see_more(cell.query, reported, cell.rows)
            return
        # A lower bound above the number of received rows is evidence as well.
        told = cell.reported if reported is None and (cell.reported or 0) > cell.rows else reported
        if not cell.cut:
            told = told if self.trust.counts == "exact" else None
            self.bounds.see_end(cell.rows, told, cell.pages, last)
        elif reported is None:
            is_short = self.trust.texts_tell and cell.count(self.held) >= cell.different + UNLIKE
            self.bounds.see_nothing_more(cell.rows, is_short=is_short)
        if cell.rows - cell.different > REPEATED_PAGES * self.bounds.page_size:
            self.trust.lost_rows += LOSSES  # one long answer counts like several short ones
        if cell.cut or cell.different < cell.rows or not self.is_capped(cell):
            self.trust.see_end(cell.query, reported, cell.rows, cell.different, cut=cell.cut)
        elif reported is not None and reported < cell.rows:
            self.trust.see_more(cell.query, reported, cell.rows)

    def _draw_conclusions(self) -> None:
        if self.trust.max_terms is not None and self.trust.max_terms < self.length:
            self.length = max(2, self.trust.max_terms)
            self.bounds.changes += 1
        if self.trust.lost_rows >= LOSSES and not self.bounds.losing:
            self.bounds.distrust_paging()

    def refuse(self, cell: Cell, term: str) -> None:
        """Record that the source refuses a query, perhaps because of its newest term."""
        self.trust.see_refused(cell.query, term)
        self._draw_conclusions()

    def against(self, asked: Cell, split: Split) -> int:
        """Return how many hits of a split's queried side show that its term was not read."""
        if not self.texts_are_whole:
            return 0
        numbers = self.held.numbers(asked.keys)
        has = self.held.has(np.array(sorted(numbers), dtype=np.int32), split.term)
        wrong = int((has != split.holds).sum())
        return wrong if wrong >= UNREAD * (1 - split.share) * len(numbers) > 0 else 0

    def reopened(self) -> list[Cell]:
        """Return cells that seemed to be complete and are not; each is returned once."""
        limit = self.bounds.limit
        cells: list[Cell] = []
        if self.bounds.losing:
            cells, self.short = self.short, []
        if limit is not None and limit != self._held_against:
            doubtful, self.doubtful, self._held_against = self.doubtful, [], limit
            for cell in doubtful:
                if cell.rows >= limit:
                    cell.size = self._size_of_cut(cell)
                    cells.append(cell)
                else:
                    self.doubtful.append(cell)
        for cell in cells:
            cell.reconsider()
        return cells

    def _size_of_cut(self, cell: Cell) -> Size:
        """Return the size of a cell that seemed to be complete, but was cut."""
        size = cell.size
        if size.documents > max(self.bounds.limit or 0, cell.different):
            return size
        size = Size(cell.different, 2.0)
        if cell.reported is not None and self.trust.counts != "none" and not cell.at_least:
            size = size.told(cell.reported / np.exp(self.trust.bias), self.trust.noise)
        return size.above(cell.different)

    def unbounded(self, cell: Cell) -> Size:
        """Return a cell's size, once the total that it is based on is known to be a lower bound."""
        above = _counted_from(cell)
        if not (cell.size.is_exact and self.ceiling.hides(above)):
            return cell.size
        cell.at_least = above is cell
        least = cell.reported or cell.different
        return Size(max(cell.size.documents, least), UNBOUNDED).above(least)

    def belie(self, cell: Cell) -> bool:
        """Return whether more documents of an unread cell are held than its size allows.

        Its size came from a total that was too low; that total is then no longer trusted.
        """
        if not cell.size.is_exact or cell.pages or not self.trust.texts_tell:
            return False
        held = cell.count(self.held)
        if held < cell.size.documents + UNLIKE:
            return False
        self.trust.note(cell.query, "parts", cell.size.documents, held)
        self.ceiling.see_more(_counted_from(cell))
        cell.size = Size(held, UNBOUNDED).above(held)
        return True

    def distrusted(self, cell: Cell) -> Size:
        """Return a cell's size, now that totals no longer count as exact."""
        is_whole = cell.ended and not self.is_capped(cell) and cell.size.documents == cell.different
        if is_whole or not cell.size.is_exact:
            return cell.size
        documents = cell.size.documents / np.exp(self.trust.bias)
        return Size(documents, max(self.trust.noise, 0.3)).above(cell.different)

    def splitter(self) -> Splitter:
        """Return the splitter for the currently known limits."""
        if self._splitter is None or self._changes != self.bounds.changes:
            self._changes = self.bounds.changes
            # The least number of rows that can be loaded works like a limit.
            reach = min(filter(None, self.failed_at), default=1)
            bounds = (self.bounds.limit or reach, self.bounds.page_size, self.length)
            old = self._splitter
            self._splitter = old.resized(*bounds) if old else Splitter(*bounds)
        return self._splitter

    def can_split(self, cell: Cell) -> bool:
        """Return whether a cell's query has room for a term that may split it."""
        return cell.length < self.length and len(cell.tried) < FAILURES

    def is_capped(self, cell: Cell) -> bool:
        """Return whether all rows up to the return limit were received."""
        limit = self.bounds.limit
        if limit is None or cell.rows < limit:
            return False
        return not (self.bounds.is_soft and self._is_borne_out(cell))

    def seems_to_end(self, cell: Cell) -> bool:
        """Return whether all rows of the total were received, but another page is offered."""
        if cell.reported is None or cell.at_least or cell.ended or self.trust.counts != "exact":
            return False
        return 0 < cell.reported <= cell.rows and not self.is_capped(cell)

    def size_of(self, cell: Cell, expected: Size) -> Size:
        """Return a cell's size after reading a page of it; `expected` is the size before."""
        trust = self.trust
        claims = cell.reported if trust.counts != "none" else None
        is_exact = trust.counts == "exact" and not cell.at_least
        if claims is not None and is_exact and claims >= cell.rows:
            return Size(max(claims, cell.different))
        if cell.failed:
            return expected
        if cell.ended and not self.is_capped(cell):
            return Size(cell.different)
        is_last = cell.last < self.bounds.page_size and not self.bounds.is_soft
        if claims is None and is_last and not cell.ended:
            # A page offered after a part-filled one hardly has more rows.
            return Size(cell.different, NEARLY_WHOLE)
        size = Size(expected.documents, 1.0) if expected.is_exact else expected
        if claims is not None and cell.at_least:
            size = size.above(claims)
        elif claims is not None and cell.pages == 1:
            size = size.told(claims / np.exp(trust.bias), trust.noise)
        return size.above(cell.different)


def _counted_from(cell: Cell) -> Cell:
    """Return the cell whose total a cell's size comes from: itself, or one that it is part of."""
    while cell.reported is None and cell.parent is not None:
        cell = cell.parent
    return cell
