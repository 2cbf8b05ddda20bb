"""Reading cells page by page, and knowing which queries were asked."""

from longline.model import Query, Search
from longline.planner.cells import Cell
from longline.planner.partition.source_model import SourceModel
from longline.ports import Asking


class Reader:
    """Asks for the pages of cells, and tells what is known of what came."""

    def __init__(self, known: SourceModel) -> None:
        self._known = known
        self._asked: set[tuple[frozenset[str], frozenset[str]]] = set()

    def was_asked(self, query: Query) -> bool:
        """Say whether a query was asked, in whatever order of its terms."""
        return _canonical(query) in self._asked

    def read(self, cell: Cell) -> Asking[None]:
        """Ask for a cell's next page, and the one after it where a total is not to be believed."""
        yield from self._read_page(cell)
        if self._known.trust.looks_past and self._known.seems_to_end(cell):
            yield from self._read_page(cell)

    def _read_page(self, cell: Cell) -> Asking[None]:
        self._asked.add(_canonical(cell.query))
        page = yield Search(cell.query, cell.pages + 1)
        self._known.receive(cell, page)

    def read_all(self, cell: Cell) -> Asking[None]:
        """Ask for all pages of a cell that can be had."""
        while not cell.ended and not self._known.is_capped(cell):
            yield from self.read(cell)


def _canonical(query: Query) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(query.required), frozenset(query.excluded)
