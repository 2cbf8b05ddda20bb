"""Read cells page by page, and record which queries were sent."""

from collections.abc import Callable

from longline.model import Page, Query, Search
from longline.planner.cells import Cell
from longline.planner.partition.origins import Origins
from longline.planner.partition.source_model import SourceModel
from longline.ports import Asking
from longline.text.hashes import Hashes


class Reader:
    """Requests the pages of cells, and passes answers to the model of the source.

    Attributes:
        origins: Which roots' cells brought which documents.
    """

    def __init__(self, known: SourceModel) -> None:
        self.origins = Origins()
        self._known = known
        self._asked = Hashes()  # queries, with their terms in any order

    def was_asked(self, query: Query) -> bool:
        """Return whether a query was sent, in any order of its terms."""
        return _canonical(query) in self._asked

    def read(self, cell: Cell) -> Asking[None]:
        """Read a cell's next page, and one more if a doubtful total says it was the last."""
        yield from self._read_page(cell)
        if self._known.trust.looks_past and self._known.seems_to_end(cell):
            yield from self._read_page(cell)

    def _read_page(self, cell: Cell) -> Asking[None]:
        self._asked.number(_canonical(cell.query))
        page = yield Search(cell.query, cell.pages + 1)
        self._known.receive(cell, page)
        if page is not None:
            self.origins.see(cell, page.keys)

    def read_if(self, cell: Cell, fits: Callable[[Page], bool]) -> Asking[bool]:
        """Read a cell's first page, and pass it on only if it fits; return whether it does."""
        self._asked.number(_canonical(cell.query))
        page = yield Search(cell.query)
        if page is None or not fits(page):
            return False
        self._known.receive(cell, page)
        return True

    def read_all(self, cell: Cell) -> Asking[None]:
        """Read all pages of a cell, up to the return limit."""
        while not cell.ended and not self._known.is_capped(cell):
            yield from self.read(cell)


def _canonical(query: Query) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(query.required), frozenset(query.excluded)
