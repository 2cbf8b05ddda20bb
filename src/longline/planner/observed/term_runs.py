"""The terms that documents show, stored as runs of numbers, and lists of documents per term.

Lists of documents are built in blocks, at the first request for one. A document's number within its
block takes 2 bytes. The newest documents are in no block yet, and are scanned.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from longline.text.term_ids import Numbers, TermIds

BLOCK = 1 << 12
"""The number of documents in a block."""


@dataclass(frozen=True, eq=False)
class _Block:
    """The documents from number `begin` to before `end`, by their terms.

    Attributes:
        terms: (terms,). The terms of these documents, ascending.
        begins: (terms + 1,). Where each term's documents begin, then where the last one's end.
        documents: Document numbers less `begin`; ascending for each term.
    """

    begin: int
    end: int
    terms: Numbers
    begins: Numbers
    documents: npt.NDArray[np.uint16]

    def holding(self, term: np.int32) -> Numbers:
        place = int(self.terms.searchsorted(term))
        if place == len(self.terms) or self.terms[place] != term:
            return np.empty(0, dtype=np.int32)
        found = self.documents[self.begins[place] : self.begins[place + 1]]
        return found.astype(np.int32) + np.int32(self.begin)


Bools = npt.NDArray[np.bool_]


class TermRuns:
    """Documents as runs of numbered terms, one after the other: 4 bytes per term of a document.

    Lists of documents per term take 2 bytes more, once they are needed.

    Attributes:
        term_ids: Numbers of the terms; those of the last documents may be missing.
    """

    def __init__(self) -> None:
        self.term_ids = TermIds()
        self._waiting: list[str] = []  # terms of the last documents, numbered when needed
        self._flat = array("i")
        self._starts = array("q", [0])
        self._blocks: list[_Block] = []
        self._titles = array("i")  # number of each document's first terms that are in its title
        # Documents that show each term: anywhere; in the title.
        self._shown = np.zeros((2, 0), dtype=np.int32)
        self._shown_until = 0

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self._starts) - 1

    @property
    def terms(self) -> Sequence[str]:
        """All terms of the documents, by number."""
        self._settle()
        return self.term_ids.words

    def _settle(self) -> None:
        if self._waiting:
            self._flat.frombytes(self.term_ids.numbers(self._waiting).tobytes())
            self._waiting.clear()

    def showing(self, number: int, since: int = 0) -> Numbers:
        """Return the documents from `since` on that show a term, ascending; none for -1."""
        self._settle()
        wanted = np.int32(number)
        for begin in range(len(self._blocks) * BLOCK, len(self) - BLOCK + 1, BLOCK):
            self._blocks.append(self._block(begin, begin + BLOCK))
        found = [block.holding(wanted) for block in self._blocks if block.end > since]
        if found:
            found[0] = found[0][found[0].searchsorted(since) :]
        begin = max(since, len(self._blocks) * BLOCK)
        flat = np.frombuffer(self._flat, dtype=np.int32)[self._starts[begin] :]
        places = np.flatnonzero(flat == wanted)
        if len(places):
            ends = np.array(self._starts[begin + 1 :]) - self._starts[begin]
            newest = np.searchsorted(ends, places, side="right").astype(np.int32)
            found.append(newest + np.int32(begin))
        return np.concatenate(found) if found else np.empty(0, dtype=np.int32)

    def _block(self, begin: int, end: int) -> _Block:
        documents, terms = self.cells(begin, end)
        order = np.argsort(terms, kind="stable")
        terms, within = terms[order], (documents[order] - begin).astype(np.uint16)
        begins = np.flatnonzero(np.diff(terms, prepend=-1)).astype(np.int32)
        return _Block(begin, end, terms[begins], np.append(begins, np.int32(len(terms))), within)

    def text(self, document: int) -> list[str]:
        """Return the terms that a document shows."""
        words = self.terms
        return [words[term] for term in self.term_numbers_of(document).tolist()]

    def term_numbers_of(self, document: int) -> Numbers:
        """Return the numbers of the terms that a document shows."""
        self._settle()
        begin, end = self._starts[document : document + 2]
        return np.array(self._flat[begin:end], dtype=np.int32)

    def cells(
        self, begin: int = 0, end: int | None = None
    ) -> tuple[npt.NDArray[np.int64], Numbers]:
        """Return pairs of a document and a term that it shows, as two columns.

        They are for documents from `begin` to before `end`; None takes all that follow.
        """
        self._settle()
        starts = self._starts_of(begin, end)
        documents = np.repeat(np.arange(begin, begin + len(starts) - 1), np.diff(starts))
        return documents, np.array(self._flat[starts[0] : starts[-1]], dtype=np.int32)

    def _starts_of(self, begin: int, end: int | None) -> npt.NDArray[np.int64]:
        return np.array(self._starts[begin : None if end is None else end + 1], dtype=np.int64)

    def _cells(self, documents: Numbers) -> tuple[Numbers, npt.NDArray[np.int64]]:
        """Return the terms of some documents in one run, and the number of terms of each."""
        starts = np.frombuffer(self._starts, dtype=np.int64)
        begin, length = starts[documents], starts[np.asarray(documents) + 1]
        length -= begin
        begin -= np.cumsum(length) - length
        places = np.repeat(begin, length)
        places += np.arange(len(places))
        # The views end with this call: the arrays cannot grow while a view exists.
        return np.frombuffer(self._flat, dtype=np.int32)[places], length

    def in_title(self, begin: int, end: int | None = None) -> Bools:
        """Return for each term from `cells` whether it is in its document's title."""
        starts = self._starts_of(begin, end)
        lengths = np.diff(starts)
        places = np.arange(starts[0], starts[-1]) - np.repeat(starts[:-1], lengths)
        return np.asarray(places < np.repeat(np.array(self._titles[begin:end]), lengths))

    def shown(self, terms: Numbers) -> npt.NDArray[np.float64]:
        """Return how many documents show each of the terms, and how many in their titles."""
        return np.asarray(self._frequencies()[:, terms], dtype=np.float64)

    def frequencies(self) -> npt.NDArray[np.float64]:
        """Return how many documents show each term."""
        return np.asarray(self._frequencies()[0], dtype=np.float64)

    def _frequencies(self) -> npt.NDArray[np.int32]:
        terms = len(self.terms)
        since, self._shown_until = self._shown_until, len(self)
        if terms > self._shown.shape[1]:
            grown = np.zeros((2, 2 * terms), dtype=np.int32)
            grown[:, : self._shown.shape[1]] = self._shown
            self._shown = grown
        if since < len(self):
            flat = np.frombuffer(self._flat, dtype=np.int32)[self._starts[since] :]
            for row, numbers in zip(self._shown, (flat, flat[self.in_title(since)]), strict=True):
                shown, times = np.unique(numbers, return_counts=True)
                row[shown] += times
        return self._shown[:, :terms]

    def tally(self, documents: Numbers) -> tuple[Numbers, npt.NDArray[np.float64]]:
        """Return the terms of some documents, ascending, and in how many each occurs."""
        self._settle()
        if not (len(documents) and self._flat):
            return np.empty(0, dtype=np.int32), np.empty(0)
        cells = np.sort(self._cells(documents)[0])
        ends = np.flatnonzero(np.diff(cells, append=-1))
        return cells[ends], np.diff(ends, prepend=-1).astype(np.float64)

    def counts(
        self, documents: Numbers, weights: npt.NDArray[np.float64] | None = None
    ) -> npt.NDArray[np.float64]:
        """Return for each term in how many of the documents it occurs, or their summed weights."""
        self._settle()
        if not self._flat:
            return np.zeros(0)
        flat, length = self._cells(documents)
        each = None if weights is None else np.repeat(weights, length)
        return np.bincount(flat, each, minlength=len(self.terms)).astype(np.float64)
