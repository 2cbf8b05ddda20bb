"""Cells that cannot be split: what the return limit hides in them, and how to get it."""

from collections.abc import Iterator
from math import exp

from longline.events import Discrepancy
from longline.planner.cells import UNKNOWN, Cell, Size
from longline.planner.partition.reader import Reader
from longline.planner.partition.rescue_queries import rescues, wider
from longline.planner.partition.source_model import SourceModel
from longline.ports import Asking

WORTHWHILE = 3
"""A query with fewer new documents than this counts as poor."""

POOR_RESCUES = 3
"""After this many poor queries, no more are sent for one cell."""

UNSURE = 0.3
"""Standard deviation of the log of how many documents match a wider query."""

POOR_WIDE_CELLS = 10
"""After this many poor wide cells in a row, no more are tried."""

MOST_WIDENED = 3
"""The most times that a part of a cell may be replaced by a wider one."""

MUCH = 0.02
"""Hidden documents count as many above this share of the held documents."""


class UnsplittableCells:
    """Cells with more documents than the limit shows, whose queries cannot be longer.

    Attributes:
        hides_much: Many documents are hidden: other strategies may bring more now, or, at the
            end, nothing was left to try.
    """

    def __init__(self, known: SourceModel, reader: Reader) -> None:
        self._known, self._reader = known, reader
        self._waiting: list[Cell] = []
        self._given_up: list[Cell] = []
        self._widened: dict[Cell, int] = {}  # wide cells, by how often they were widened
        self.hides_much = False

    def add(self, cell: Cell) -> None:
        """Add a cell; it is handled when nothing better is left to request."""
        if cell not in self._waiting:
            self._waiting.append(cell)

    def cells(self) -> Iterator[Cell]:
        """Yield the waiting cells."""
        return iter(self._waiting)

    def widened(self) -> Iterator[Cell]:
        """Yield wider cells, to be split by other terms, as long as they are worth it.

        Parts of them that cannot be split are widened again, but only a few times.
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
        """Return whether a cell's documents are in no other cells except those it is part of."""
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
        """Query hidden documents, with fewer excluded terms."""
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
        """Yield the cells with hidden documents that are in no other cell."""
        for cell in filter(self._is_disjoint, self._given_up):
            held, hidden = cell.count(self._known.held), self._of(cell)
            if hidden:
                yield Discrepancy(cell.query, "hidden", held + hidden, held)

    def _ask_around(self, cell: Cell) -> Asking[None]:
        """Query a cell's hidden documents, until none is left or queries bring little."""
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
        """Return how many documents of a cell are not held; an upper estimate if unknown."""
        held = cell.count(self._known.held)
        most = round(cell.size.documents * exp(cell.size.spread))
        return max(0 if cell.size.is_exact else 1, most - held)
