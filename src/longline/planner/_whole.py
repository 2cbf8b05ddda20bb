"""Whether answers came whole, where no limit is known and no total bears them out.

A limit shows by queries that end alike. Where one word is in every document, its answer is the
only long one: it may have been cut, and all that is asked without the word finds nothing, as if
nothing were left. A part of the longest answer tells: of an answer that was whole it holds
nothing new. If that one was whole, so were all shorter ones.
"""

from __future__ import annotations

from math import inf

import numpy as np

from longline.planner._asking import Asking
from longline.planner._bounds import LEAST_LIMIT
from longline.planner._cells import Cell
from longline.planner._known import Known
from longline.planner._reader import Reader

PARTS = 2
"""Parts of an answer that are asked for."""

NEW = 2
"""So many documents of its parts that did not come with an answer show that it was cut."""


class LongestAnswer:
    """Holds the longest answer against parts of it."""

    def __init__(self, known: Known, reader: Reader) -> None:
        self._known = known
        self._reader = reader
        self._rows = LEAST_LIMIT - 1  # of the longest answer that was looked behind

    def look_behind(self) -> Asking[bool]:
        """Say whether the longest answer was cut, and take note of the limit that cut it.

        Asks nothing where a total bears the answer out, where a limit is known and no empty page
        ended it before that, or where this one, or a longer one, was looked at before.
        """
        known, cell = self._known, self._longest()
        if cell is None or cell.rows <= self._rows or cell.length >= known.length:
            return False
        self._rows, before = cell.rows, len(known.held)
        for term in _terms(cell, known)[:PARTS]:
            part = cell.side(term, holds=True, held=known.held)
            cell.disown()
            if self._reader.was_asked(part.query):
                continue
            while not (part.ended or part.failed) and part.rows < cell.rows:
                yield from self._reader.read(part)
                if len(known.held) - before >= NEW:
                    known.bounds.see_cut(cell.rows)
                    return True
        return False

    def _longest(self) -> Cell | None:
        """Return the cell of the longest answer that no total bears out; None without any."""
        is_told, limit = self._known.trust.counts == "exact", self._known.bounds.limit
        cells = [
            cell
            for cell in self._known.doubtful
            if not (cell.failed or (is_told and (cell.claimed or inf) <= cell.rows))
            and (limit is None or (cell.rows < limit and cell.cut and cell.claimed is None))
        ]
        return max(cells, key=lambda cell: cell.rows, default=None)


def _terms(cell: Cell, known: Known) -> list[str]:
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
