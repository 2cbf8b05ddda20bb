"""The cells that wait to be read or split, by expected new documents."""

import heapq
from collections.abc import Callable, Iterator, Sequence
from math import inf

from longline.planner.cells import Cell, Size
from longline.planner.partition.source_model import SourceModel

LEAST_UNSEEN = 0.05
"""The least share of a cell's next page that counts as new, even if it seems to be held."""


class CellQueue:
    """A priority queue of cells: first the one with the most expected new documents on a page.

    Args:
        known: The model of the source; it gives expectations, and changes of what was assumed.
    """

    def __init__(self, known: SourceModel) -> None:
        self._known = known
        self._counts = known.trust.counts
        self._ceiling: int | None = None
        self._waiting: list[tuple[float, int, Cell]] = []
        self._serial = 0

    def __len__(self) -> int:
        """Return the number of waiting cells."""
        return len(self._waiting)

    @property
    def best(self) -> float:
        """Expected new documents on the first cell's next page; -inf if no cell waits."""
        return -self._waiting[0][0] if self._waiting else -inf

    def cells(self) -> Iterator[Cell]:
        """Yield the waiting cells, in no order."""
        return (cell for _, _, cell in self._waiting)

    def push(self, cell: Cell) -> None:
        """Add a cell with its current expectation; equal cells keep their order."""
        self._serial += 1
        heapq.heappush(self._waiting, (-gain(self._known, cell), self._serial, cell))

    def pop(self) -> tuple[float, Cell]:
        """Remove the first cell; return its current expectation, perhaps lower, and the cell."""
        _, _, cell = heapq.heappop(self._waiting)
        return gain(self._known, cell), cell

    def reconsider(self) -> None:
        """Update waiting cells, and add closed ones, if the source turned out to be different."""
        self._known.regroup()
        if reopened := self._known.reopened():
            self._take_out(reopened)
            for cell in reopened:
                self.push(cell)
        was, self._counts = self._counts, self._known.trust.counts
        if was == "exact" != self._counts:
            self._revise(self._known.distrusted)
        was_highest, self._ceiling = self._ceiling, self._known.ceiling.total
        if self._ceiling is not None and was_highest != self._ceiling:
            self._revise(self._known.unbounded)

    def _take_out(self, cells: Sequence[Cell]) -> None:
        """Remove the given cells from the queue."""
        numbers = set(map(id, cells))
        self._waiting = [each for each in self._waiting if id(each[2]) not in numbers]
        heapq.heapify(self._waiting)

    def _revise(self, size_of: Callable[[Cell], Size]) -> None:
        cells = list(self.cells())
        self._waiting.clear()
        for cell in cells:
            cell.size = size_of(cell)
            self.push(cell)


def gain(known: SourceModel, cell: Cell) -> float:
    """Return how many new documents a cell's next page may bring; 0 ends it."""
    size, got = cell.size.documents, cell.different
    least = 0.0 if cell.size.is_exact else LEAST_UNSEEN
    held: float = cell.count(known.held) if known.trust.texts_tell else got
    if not known.texts_are_whole:
        held, least = max(got, cell.count(known.held)), LEAST_UNSEEN
    limit, width = known.bounds.limit, known.bounds.page_size
    if limit is None or size <= limit:
        if cell.ended and not (cell.failed and known.can_split(cell)):
            return 0.0
        unseen = 1 - max(0, held - got) / max(1.0, size - got)
        left = max(size - got, 0 if cell.size.is_exact else 1)
        return float(min(width, left) * max(unseen, least))
    if cell.size.is_exact and not known.can_split(cell) and (cell.ended or known.is_capped(cell)):
        return 1e-6 if held < size else 0.0  # once more, so that it is recorded
    return float(width * max(least, 1 - held / size))
