"""Detect the greatest total a source gives: larger result sets are reported with that number."""

from longline.planner.cells import Cell
from longline.planner.observed import DocumentIndex

UNLIKE = 3
"""This many held documents that match only one of two queries show that their results differ.

One or two held texts may differ from what the source searches."""

ALIKE = 3
"""This many queries with one total, and different first pages, show the same."""


class TotalCeiling:
    """Detect that queries with different results have the same total, and none has a greater one.

    Attributes:
        total: The greatest total given; None while no ceiling is known.

    >>> from longline.planner.cells.size import UNKNOWN
    >>> held, ceiling = DocumentIndex(), TotalCeiling()
    >>> for number in range(6):
    ...     _ = held.add(str(number), ["deep"] if number < 3 else ["sea"])
    >>> for term in ("deep", "sea"):
    ...     cell = Cell((term,), (), UNKNOWN, pages=1, reported=1000)
    ...     ceiling.see(cell, held, texts_tell=True)
    >>> ceiling.total
    1000
    """

    def __init__(self) -> None:
        self.total: int | None = None
        self._most = 0
        self._cells: list[Cell] = []

    def see(self, cell: Cell, held: DocumentIndex, *, texts_tell: bool) -> None:
        """Learn from the total on a cell's first page.

        Args:
            cell: The cell, with its total.
            held: All held documents.
            texts_tell: Whether their texts show which queries match them.
        """
        reported = cell.reported or 0
        if reported > self._most:
            self._most, self._cells, self.total = reported, [], None
        if reported < self._most or self.total is not None or not reported:
            return
        if texts_tell:
            is_unlike = any(_differ(cell, other, held) for other in self._cells)
        else:
            pages = {frozenset(each.keys) for each in (cell, *self._cells)}
            is_unlike = len(pages) >= ALIKE
        self._cells = [*self._cells[-ALIKE:], cell]
        self.total = reported if is_unlike else None

    def see_more(self, cell: Cell) -> None:
        """Learn that more documents match a cell than its total announces."""
        if cell.reported == self._most:
            self.total = self._most

    def hides(self, cell: Cell) -> bool:
        """Return whether a cell's total may be lower than its number of matches."""
        return self.total is not None and cell.reported is not None and cell.reported >= self.total


def _differ(one: Cell, other: Cell, held: DocumentIndex) -> bool:
    """Return whether two cells differ by more than words the source ignores."""
    few, many = sorted((frozenset(one.keys), frozenset(other.keys)), key=len)
    if few and few <= many:
        return False
    here, there = set(one.documents(held).tolist()), set(other.documents(held).tolist())
    return max(len(here - there), len(there - here)) >= UNLIKE
