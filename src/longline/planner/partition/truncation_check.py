"""Check whether answers are complete, if no limit is known and no total confirms them.

A limit shows by queries that end at the same number of rows. If one word is in every document, only
its answer is long: it may be cut, and every query without the word finds nothing, as if nothing
were left. So parts of the longest answer are queried: if it was complete, they bring nothing new.
If it was complete, so were all shorter ones, unless answers contain rows that are not shown, as
then answers are cut at different numbers of rows. So several are tested if not even two ended at
the same number, those first whose total is highest compared with their rows.
"""

import numpy as np

from longline.planner.cells import Cell
from longline.planner.observed import LEAST_LIMIT
from longline.planner.partition.reader import Reader
from longline.planner.partition.source_model import SourceModel
from longline.ports import Asking

PARTS = 2
"""The number of parts of an answer to query."""

LOOKS = 3
"""The number of answers to test, unless several ended at one limit."""

NEW = 2
NEW_SHARE = 0.05
"""This many new documents in an answer's parts, and this share of the parts' rows, show that it was
cut. A few among many rows are lost between pages."""


class TruncationCheck:
    """Compare the longest answers with parts of them."""

    def __init__(self, known: SourceModel, reader: Reader) -> None:
        self._known = known
        self._reader = reader
        self._whole: list[Cell] = []  # answers whose parts bring nothing new

    def look_behind(self) -> Asking[bool]:
        """Return whether the longest answer was cut, and record the limit that cut it.

        Nothing is queried if totals confirm all answers, or if the longest ones were tested before.
        """
        while cell := self._longest():
            if (yield from self._is_cut(cell)):
                alike = sum(each.rows == cell.rows for each in self._known.doubtful)
                self._known.bounds.see_cut(cell.rows, alike=alike)
                return True
            self._whole.append(cell)
        return False

    def _is_cut(self, cell: Cell) -> Asking[bool]:
        """Return whether held documents or parts of a cell show that its answer was cut."""
        known = self._known
        before, rows = self._count(cell), 0
        if self._texts_tell and before >= cell.different + _telling(cell.different):
            return True
        for term in _terms(cell, known)[:PARTS]:
            part = cell.side(term, holds=True, held=known.held)
            cell.disown()
            if self._reader.was_asked(part.query):
                continue
            while not (part.ended or part.failed) and part.rows < cell.rows:
                yield from self._reader.read(part)
                if self._count(cell) - before >= _telling(rows + part.rows):
                    return True
            rows += part.rows
        return False

    def _count(self, cell: Cell) -> int:
        """Return how many held documents match a cell, or all held if texts are no evidence."""
        return cell.count(self._known.held) if self._texts_tell else len(self._known.held)

    @property
    def _texts_tell(self) -> bool:
        return self._known.trust.texts_tell and self._known.texts_are_whole

    def _longest(self) -> Cell | None:
        """Return the cell whose answer is most likely to be cut, or None."""
        known = self._known
        cells = [
            cell
            for cell in known.doubtful
            if cell.rows >= known.bounds.least
            and cell.length < known.length
            and not cell.failed
            and cell not in self._whole
        ]
        lacking = known.lacking(cells)
        if max(lacking, default=0) > 0:
            return cells[lacking.index(max(lacking))]
        looks = 1 if known.bounds.is_seen else LOOKS
        rows = sorted(cell.rows for cell in self._whole)
        least = rows[-looks] if len(rows) >= looks else LEAST_LIMIT
        longest = max(cells, key=lambda cell: cell.rows, default=None)
        return longest if longest is not None and longest.rows >= least else None


def _telling(rows: int) -> float:
    """Return how many new documents among this many rows show that an answer was cut."""
    return max(NEW, NEW_SHARE * rows)


def _terms(cell: Cell, known: SourceModel) -> list[str]:
    """Return terms that split a cell, those in about half a page of its documents first.

    For a part of that size, the first page shows more than came with the cell itself.
    """
    held, barred = known.held, known.barred
    counts = held.counts(cell.documents(held))
    aim = max(known.bounds.page_size / 2, 1.0)
    counts = np.where(counts < cell.count(held), counts, 0)
    order = np.argsort(np.abs(np.log(np.maximum(counts, 1e-9) / aim)), kind="stable")
    fitting = (held.terms[number] for number in order[: 10 * PARTS + len(barred)] if counts[number])
    own = {*cell.required, *cell.excluded}
    return [term for term in fitting if term not in barred and term not in own]
