"""Roots: terms whose cells together contain nearly all documents.

The roots are the most common term, the most common among documents without it, and so on. Each
root's cell excludes the roots before it, so no document is in two cells.
"""

from collections.abc import Set

import numpy as np

from longline.model import Page, Query
from longline.planner.cells import UNKNOWN, Cell
from longline.planner.observed import LABELLED, DocumentIndex, is_label
from longline.planner.partition.queue import CellQueue
from longline.planner.partition.reader import Reader
from longline.planner.partition.rescue_queries import likely_outside
from longline.planner.partition.source_model import FAILURES, SourceModel
from longline.ports import Asking

READ = 2
"""After this many words without hits turned out to be read, further ones are not tested."""

TELLING = 2
"""This many hits with an excluded word show that the source ignores that word."""

EMPTY_ROOTS = 2
"""This many roots without hits end the search, if every held document contains an earlier root."""


OUTSIDE = 0.1
"""At most this share of the hits outside all roots shows one: sites may search more than texts."""

PASSED_OVER = 0.25
"""A label's answer lacks at least this share of the held documents that show the term."""


class Roots:
    """Query roots, and put their cells into the queue.

    Attributes:
        terms: The roots so far, in query order.
        first: Cells of single terms that were queried before the first root.
    """

    def __init__(self, known: SourceModel, reader: Reader, agenda: CellQueue) -> None:
        self._known = known
        self._reader = reader
        self._agenda = agenda
        self.terms: list[str] = []
        self.first: dict[str, Cell] = {}
        self._refused: set[str] = set()  # terms that cannot be roots
        self._cells: list[Cell] = []
        self._read_after_all = 0  # words without hits that turned out to be read

    def ask_all(self) -> Asking[None]:
        """Query the most common terms, until one brings at most one page.

        A term without hits may be a word that the source does not index, so others follow, unless
        every held document contains a root.
        """
        known, empty = self._known, 0
        while len(self.terms) < known.length - 1 and known.trust.problem is None:
            cell = yield from self.ask()
            if cell is None or (cell.rows and cell.size.documents <= known.bounds.page_size):
                break
            is_outside_empty = not cell.rows and known.held.times(self._read()).all()
            empty = empty + 1 if is_outside_empty else 0
            if empty == EMPTY_ROOTS:
                break

    def ask(self) -> Asking[Cell | None]:
        """Query the likeliest term of documents without a root; return None if no term works."""
        known = self._known
        known.regroup()
        for _ in range(FAILURES):
            barred, roots = known.barred, self._read()
            found = likely_outside(known.held, roots, barred | self._refused.union(self.terms))
            if found is None:
                return None
            term, share = found
            cell = Cell((term,), tuple(roots[: known.length - 1]), UNKNOWN)
            if not self._reader.was_asked(cell.query):
                yield from self._reader.read(cell)
            elif term in self.first:
                cell = self.first[term]
            else:  # it was queried for another reason, or before a root turned out to be ignored
                self._refused.add(term)
                continue
            if cell.is_refused:
                known.refuse(cell, term)
            elif _is_label(known, cell):
                known.trust.barred.add(term)
            else:
                yield from self._look_into(cell)
                self.terms.append(term)
                return self._rooted(cell, share)
            self._refused.add(term)
        return None

    def ask_rest(self) -> Asking[bool]:
        """Query everything without any root; return whether the answer is as wanted.

        Many sources show nothing for excluded words alone, or everything.
        """
        known, roots = self._known, tuple(self._read()[: self._known.length - 1])
        rest, before = Cell((), roots, UNKNOWN), len(known.held)
        if not roots or self._reader.was_asked(rest.query):
            return False

        def is_outside(page: Page) -> bool:
            numbers = np.array(sorted(known.held.numbers(page.keys)), dtype=np.int32)
            if not len(numbers) or known.held.holds(numbers, roots).any(axis=1).mean() > OUTSIDE:
                return False
            # Parts of texts hardly show roots: then only what is new tells the rest from all.
            return known.texts_are_whole or bool((numbers >= before).mean() > OUTSIDE)

        is_answered = yield from self._reader.read_if(rest, is_outside)
        if is_answered:
            self._rooted(rest, 0.0)
        return is_answered

    def _look_into(self, cell: Cell) -> Asking[None]:
        """Test whether the source reads a word at all that has no hits outside the roots.

        The word is excluded from a query whose held matches all contain it; few new documents come.
        """
        known, term = self._known, cell.required[0]
        is_open = self._read_after_all < READ and known.texts_are_whole
        if cell.rows or not cell.excluded or not is_open or known.trust.was_read(term):
            return
        other = _always_with(term, known.held, known.barred)
        if other is None or self._reader.was_asked(Query((other,), (term,))):
            return
        known.trust.suspect(term)
        test = Cell((other,), (term,), UNKNOWN)
        yield from self._reader.read(test)
        numbers = known.held.numbers(test.keys)
        against = int(known.held.has(np.array(sorted(numbers), dtype=np.int32), term).sum())
        if against >= TELLING:
            known.trust.see_unread(test.query, term, against)
        else:
            self._read_after_all += 1

    def _read(self) -> list[str]:
        """Return the roots that the source is not known to ignore."""
        barred = self._known.barred
        return [root for root in self.terms if root not in barred]

    def _rooted(self, cell: Cell, share: float) -> Cell:
        """Make a cell a new root, whose expected share of the source is `share`."""
        known, universe = self._known, self._known.universe
        universe.adopt(cell, known.held)
        self._reader.origins.follow(cell)
        self._cells.append(cell)
        known.doubt(cell)
        expected = universe.size.part(share, share / 2)
        cell.size = known.size_of(cell, expected)
        universe.size = universe.size.updated_by(expected, cell.size)
        self._agenda.push(cell)
        return cell

    def reported(self) -> int:
        """Return how many documents the roots' disjoint queries match together, by their totals.

        A root counts with the share of its documents that no earlier root brought: a source may
        ignore an excluded word.
        """
        found, roots = 0, set[str]()
        for cell in self._cells:
            if roots <= set(cell.excluded) and not cell.failed and cell.reported is not None:
                share = self._reader.origins.own_share(cell)
                found += int(share * max(cell.reported, cell.different))
                roots.update(cell.required)
        return found


def _always_with(term: str, held: DocumentIndex, barred: Set[str]) -> str | None:
    """Return a rare word that occurs only in documents with a term, and in two or more."""
    counts, everywhere = held.counts(held.matching([term])), held.frequencies()
    fits = (counts >= TELLING) & (counts == everywhere)
    numbers = held.term_numbers([term, *barred])
    fits[numbers[numbers >= 0]] = False
    if not fits.any():
        return None
    return held.terms[int(np.argmin(np.where(fits, counts, np.inf)))]


def _is_label(known: SourceModel, cell: Cell) -> bool:
    """Return whether a term is on nearly every page of the site, and is hardly searched.

    Its answer, by rows or total, lacks many held documents that show the term.
    """
    counts = known.trust.counts == "exact" and not cell.at_least
    has = cell.reported if counts else None
    if has is None and cell.ended and not cell.failed and not known.is_capped(cell):
        has = cell.different
    if has is None or not is_label(cell.required[0], known.held):
        return False
    shown = cell.count(known.held)
    return shown - has >= max(LABELLED, PASSED_OVER * shown)
