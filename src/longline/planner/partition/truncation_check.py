"""Whether answers came whole, where no limit is known and no total bears them out.

A limit shows by queries that end alike. Where one word is in every document, its answer is the
only long one: it may have been cut, and all that is asked without the word finds nothing, as if
nothing were left. A part of the longest answer tells: of an answer that was whole it holds
nothing new. If that one was whole, so were all shorter ones: unless some of what takes a place in
answers is not shown, as then answers are cut at many numbers of rows. So several are tried where
not even two ended at one number, those first whose total is the most beside their rows.
"""

import numpy as np

from longline.planner.cells import Cell
from longline.planner.observed import LEAST_LIMIT
from longline.planner.partition.reader import Reader
from longline.planner.partition.source_model import SourceModel
from longline.ports import Asking

PARTS = 2
"""Parts of an answer that are asked for."""

LOOKS = 3
"""Answers that are held against parts of them, unless several ended at one limit."""

NEW = 2
NEW_SHARE = 0.05
"""So many documents of its parts, and of their rows, that did not come with an answer show that it
was cut. A few beside many rows are lost between pages."""


class TruncationCheck:
    """Holds the longest answers against parts of them."""

    def __init__(self, known: SourceModel, reader: Reader) -> None:
        self._known = known
        self._reader = reader
        self._whole: list[Cell] = []  # answers whose parts hold nothing new

    def look_behind(self) -> Asking[bool]:
        """Say whether the longest answer was cut, and take note of the limit that cut it.

        Asks nothing where totals bear all answers out, or where those that seemed the longest
        were found to be whole before.
        """
        while cell := self._longest():
            if (yield from self._is_cut(cell)):
                alike = sum(each.rows == cell.rows for each in self._known.doubtful)
                self._known.bounds.see_cut(cell.rows, alike=alike)
                return True
            self._whole.append(cell)
        return False

    def _is_cut(self, cell: Cell) -> Asking[bool]:
        """Say whether more is held of a cell than came, or parts of it bring what did not."""
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
        """Return how many held documents match a cell, or are held, where texts do not tell."""
        return cell.count(self._known.held) if self._texts_tell else len(self._known.held)

    @property
    def _texts_tell(self) -> bool:
        return self._known.trust.texts_tell and self._known.texts_are_whole

    def _longest(self) -> Cell | None:
        """Return the cell of the answer that is the most likely to be cut; None without any."""
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
    """Return how many new documents among so many rows show that they are not all."""
    return max(NEW, NEW_SHARE * rows)


def _terms(cell: Cell, known: SourceModel) -> list[str]:
    """Return terms that split a cell: those in about half a page of its documents come first.

    Of a part that large the first page shows more than what came with the whole.
    """
    held, barred = known.held, known.barred
    counts = held.counts(cell.documents(held))
    aim = max(known.bounds.page_size / 2, 1.0)
    counts = np.where(counts < cell.count(held), counts, 0)
    order = np.argsort(np.abs(np.log(np.maximum(counts, 1e-9) / aim)), kind="stable")
    fitting = (held.terms[number] for number in order[: 10 * PARTS + len(barred)] if counts[number])
    own = {*cell.required, *cell.excluded}
    return [term for term in fitting if term not in barred and term not in own]
