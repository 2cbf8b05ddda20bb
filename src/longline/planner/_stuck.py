"""Cells that cannot be split: what the return limit hides of them, and how to get it."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

from longline.events import Discrepancy
from longline.planner._asking import Asking
from longline.planner._cells import Cell
from longline.planner._known import Known
from longline.planner._reader import Reader
from longline.planner._residue import rescues, wider
from longline.planner._sizes import UNKNOWN, Size

WORTHWHILE = 3
"""New documents of a query that are more than next to nothing."""

POOR_RESCUES = 3
"""So many queries that bring next to nothing may be asked for what one cell hides."""

UNSURE = 0.3
"""Deviation of the logarithm of how many documents match a wider query."""

MUCH = 0.02
"""Share of the held documents that hidden ones may come to before they count as much."""


class StuckCells:
    """Cells with more documents than the limit lets be seen, whose queries cannot be longer.

    Attributes:
        hides_much: Much is hidden. What is asked now brings much again; or, once all is asked,
            there was no more to ask for.
    """

    def __init__(self, known: Known, reader: Reader) -> None:
        self._known, self._reader = known, reader
        self._waiting: list[Cell] = []
        self._given_up: list[Cell] = []
        self._wide: list[Cell] = []
        self.hides_much = False

    def add(self, cell: Cell) -> None:
        """Let a cell wait until there is nothing better to ask for."""
        if cell not in self._waiting:
            self._waiting.append(cell)

    def widened(self) -> Iterator[Cell]:
        """Yield wider cells, to be split by other terms, while there are any that are worth it.

        What cannot be split of those either is not widened once more.
        """
        known = self._known
        self._look()
        for cell in [cell for cell in self._waiting if not self._is_of_a_wide_one(cell)]:
            if not self._of(cell) or known.trust.problem is not None:
                continue
            prices = known.splitter().prices(round(cell.likely(known.held)))
            found = wider(cell, known.held, lambda n, left, p=prices: float(p.of(n, left)))
            if found is None or self._reader.was_asked(found[0]):
                continue
            query, documents = found
            wide = Cell(query.required, query.excluded, Size(documents, UNSURE))
            self._wide.append(known.universe.adopt(wide, known.held))
            yield wide

    def _is_of_a_wide_one(self, cell: Cell) -> bool:
        above: Cell | None = cell
        while above is not None:
            if above in self._wide:
                return True
            above = above.parent
        return False

    def rescue(self) -> Asking[None]:
        """Ask for what is hidden, with fewer excluded terms."""
        self._look()
        while self._waiting and self._known.trust.problem is None:
            cell = self._waiting.pop(0)
            if self._of(cell):
                yield from self._reader.read_all(cell)
                yield from self._ask_around(cell)
            if self._of(cell):
                self._given_up.append(cell)
            else:
                cell.close()
        self._look()

    def discrepancies(self) -> Iterator[Discrepancy]:
        """Yield the cells of which documents are still hidden."""
        for cell in self._given_up:
            held, hidden = round(cell.likely(self._known.held)), self._of(cell)
            if hidden:
                yield Discrepancy(cell.query, "hidden", held + hidden, held)

    def _ask_around(self, cell: Cell) -> Asking[None]:
        """Ask for a cell's hidden documents, until none is left or they do not come."""
        known, poor = self._known, 0
        limit = known.bounds.limit or 1
        for query in rescues(cell, self._of(cell), known.held, known.length, limit):
            if not self._of(cell) or poor == POOR_RESCUES or known.trust.problem is not None:
                return
            if not self._reader.was_asked(query):
                before = len(known.held)
                yield from self._reader.read_all(Cell(query.required, query.excluded, UNKNOWN))
                poor = poor + 1 if len(known.held) - before < WORTHWHILE else 0

    def _look(self) -> None:
        hidden = sum(map(self._of, (*self._waiting, *self._given_up)))
        self.hides_much = hidden > MUCH * len(self._known.held)

    def _of(self, cell: Cell) -> int:
        """Return how many documents of a cell are not held; rather too many where not known."""
        held = round(cell.likely(self._known.held))
        most = round(cell.size.documents * exp(cell.size.spread))
        return max(0 if cell.size.is_exact else 1, most - held)
