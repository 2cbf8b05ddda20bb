"""Roots: terms whose cells, one without the other, hold the source between them.

The commonest term, the commonest among documents without that one, and so on: each root's cell
excludes the roots before it, so no document is in two.
"""

from __future__ import annotations

from math import inf

from longline.planner._agenda import Agenda
from longline.planner._asking import Asking
from longline.planner._cells import Cell
from longline.planner._known import FAILURES, Known
from longline.planner._reader import Reader
from longline.planner._residue import likely_outside
from longline.planner._sizes import UNKNOWN

GROWTH = 2.0
"""Another root is looked for when so many times the documents are held."""

LARGE_ROOT = 0.5
"""New documents of a root, as a share of a page, that were worth to look for it."""

EMPTY_ROOTS = 2
"""Roots without hits, when every held document holds an earlier one: the rest can wait."""


class Roots:
    """Ask for roots, and put their cells on the agenda.

    Attributes:
        terms: The roots so far, in the order asked.
        first: Cells of single terms that were asked before there was a root.
    """

    def __init__(self, known: Known, reader: Reader, agenda: Agenda) -> None:
        self._known = known
        self._reader = reader
        self._agenda = agenda
        self.terms: list[str] = []
        self.first: dict[str, Cell] = {}
        self._refused: set[str] = set()  # that would have been roots
        self._cells: list[Cell] = []
        self._growth = GROWTH
        self._held_at_look = 0

    def ask_all(self) -> Asking[None]:
        """Ask for the commonest terms, until one brings a page at most.

        One that brings nothing may be a word that the source does not index, and others follow,
        unless there is no held document outside of the roots: then hardly any has none.
        """
        known, empty = self._known, 0
        while len(self.terms) < known.length - 1 and known.trust.problem is None:
            cell = yield from self.ask()
            if cell is None or (cell.rows and cell.size.documents <= known.bounds.page_size):
                break
            is_outside_empty = not cell.rows and known.held.times(self.terms).all()
            empty = empty + 1 if is_outside_empty else 0
            if empty == EMPTY_ROOTS:
                self._growth = inf
                break
        self._held_at_look = len(known.held)

    def is_time_to_look(self) -> bool:
        """Say whether so much more is held that another root may be found."""
        known = self._known
        if known.bounds.limit is None or not known.texts_are_whole:
            return False
        return len(known.held) > self._growth * self._held_at_look

    def look(self) -> Asking[None]:
        """Ask for another root, and for more while they have many documents.

        The first ones were chosen by some dozens of documents; more that are held tell better what
        the others have in common. Where none came of it that was worth it, it is tried less often.
        """
        known, before = self._known, len(self._known.held)
        while len(self.terms) < known.length - 1 and known.trust.problem is None:
            cell = yield from self.ask()
            if cell is None or cell.size.documents <= known.bounds.page_size:
                break
        is_worth = len(known.held) - before >= LARGE_ROOT * known.bounds.page_size
        self._growth = GROWTH if is_worth else self._growth**2
        self._held_at_look = len(known.held)

    def ask(self) -> Asking[Cell | None]:
        """Ask for a likely term without the roots; None where no term is left, or all fail."""
        known = self._known
        known.regroup()
        for _ in range(FAILURES):
            barred = known.barred
            roots = [root for root in self.terms if root not in barred]
            found = likely_outside(known.held, roots, barred | self._refused.union(self.terms))
            if found is None:
                return None
            term, share = found
            cell = Cell((term,), tuple(roots[: known.length - 1]), UNKNOWN)
            if self._reader.was_asked(cell.query):
                cell = self.first[term]
            else:
                yield from self._reader.read(cell)
            if not cell.is_refused:
                self.terms.append(term)
                return self._rooted(cell, share)
            self._refused.add(term)
            known.refuse(cell, term)
        return None

    def _rooted(self, cell: Cell, share: float) -> Cell:
        """Make an answer the cell of a new root, with so much of the source as its share."""
        known, universe = self._known, self._known.universe
        universe.adopt(cell, known.held)
        self._cells.append(cell)
        known.doubt(cell)
        expected = universe.size.part(share, share / 2)
        cell.size = known.size_of(cell, expected)
        universe.size = universe.size.updated_by(expected, cell.size)
        self._agenda.push(cell)
        return cell

    def claimed(self) -> int:
        """Return how many documents the roots' queries have between them, by their totals."""
        found, roots = 0, set[str]()
        for cell in self._cells:
            if roots <= set(cell.excluded) and not cell.failed and cell.claimed is not None:
                found += max(cell.claimed, cell.different)
                roots.update(cell.required)
        return found
