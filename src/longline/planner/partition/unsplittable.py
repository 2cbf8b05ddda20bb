"""Cells that cannot be split: what the return limit hides of them, and how to get it."""

from collections.abc import Iterator
from math import exp

from longline.events import Discrepancy
from longline.planner.cells import UNKNOWN, Cell, Size
from longline.planner.partition.reader import Reader
from longline.planner.partition.rescue_queries import rescues, wider
from longline.planner.partition.source_model import SourceModel
from longline.ports import Asking

WORTHWHILE = 3
"""New documents of a query that are more than next to nothing."""

POOR_RESCUES = 3
"""So many queries that bring next to nothing may be asked for what one cell hides."""

UNSURE = 0.3
"""Deviation of the logarithm of how many documents match a wider query."""

POOR_WIDE_CELLS = 10
"""So many wide cells in a row that bring next to nothing are the last."""

MOST_WIDENED = 3
"""So many times a part of a cell may be sought in a wider one."""

MUCH = 0.02
"""Share of the held documents that hidden ones may come to before they count as much."""


class UnsplittableCells:
    """Cells with more documents than the limit lets be seen, whose queries cannot be longer.

    Attributes:
        hides_much: Much is hidden. What is asked now brings much again; or, once all is asked,
            there was no more to ask for.
    """

    def __init__(self, known: SourceModel, reader: Reader) -> None:
        self._known, self._reader = known, reader
        self._waiting: list[Cell] = []
        self._given_up: list[Cell] = []
        self._widened: dict[Cell, int] = {}  # wide cells: how often, themselves included
        self.hides_much = False

    def add(self, cell: Cell) -> None:
        """Let a cell wait until there is nothing better to ask for."""
        if cell not in self._waiting:
            self._waiting.append(cell)

    def cells(self) -> Iterator[Cell]:
        """Yield the cells that wait."""
        return iter(self._waiting)

    def widened(self) -> Iterator[Cell]:
        """Yield wider cells, to be split by other terms, while there are any that are worth it.

        Cells of those that cannot be split either are widened again, but not for ever.
        """
        self._look()
        seen, poor = set[Cell](), 0
        while self._known.trust.problem is None and poor < POOR_WIDE_CELLS:
            left = (cell for cell in self._waiting if cell not in seen and self._of(cell))
            cell = next(left, None)
            if cell is None:
                return
            seen.add(cell)
            times = self._times_widened(cell)
            if times < MOST_WIDENED and (wide := self._wider(cell)) is not None:
                self._widened[wide] = times + 1
                before = len(self._known.held)
                yield wide
                poor = poor + 1 if len(self._known.held) - before < WORTHWHILE else 0

    def _times_widened(self, cell: Cell) -> int:
        above: Cell | None = cell
        while above is not None and above not in self._widened:
            above = above.parent
        return 0 if above is None else self._widened[above]

    def _is_disjoint(self, cell: Cell) -> bool:
        """Say whether a cell's documents are in no other cell but wider ones."""
        return self._times_widened(cell) == 0

    def _wider(self, cell: Cell) -> Cell | None:
        known = self._known
        prices = known.splitter().prices(cell.count(known.held))
        found = wider(cell, self._of(cell), known.held, prices)
        if found is None or self._reader.was_asked(found[0]):
            return None
        query, documents = found
        wide = Cell(query.required, query.excluded, Size(documents, UNSURE))
        return known.universe.adopt(wide, known.held)

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
        """Yield the cells of which documents are still hidden, which no other cell has."""
        for cell in filter(self._is_disjoint, self._given_up):
            held, hidden = cell.count(self._known.held), self._of(cell)
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
        cells = filter(self._is_disjoint, (*self._waiting, *self._given_up))
        hidden = sum(map(self._of, cells))
        self.hides_much = hidden > MUCH * len(self._known.held)

    def _of(self, cell: Cell) -> int:
        """Return how many documents of a cell are not held; rather too many where not known."""
        held = cell.count(self._known.held)
        most = round(cell.size.documents * exp(cell.size.spread))
        return max(0 if cell.size.is_exact else 1, most - held)
