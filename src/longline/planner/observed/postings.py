"""Which documents hold a term: lists that are made in blocks, when somebody asks for one.

A document's number within its block takes 2 bytes. Blocks of the newest documents are small, and
become one when there are several, so that each document is sorted three times in all; those that
are in no block yet are looked through.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from longline.text.term_ids import Numbers

BLOCKS = (1 << 15, 1 << 12, 1 << 9)
"""Documents of a block."""


@dataclass(frozen=True, eq=False)
class _Block:
    """Documents from number `begin` to before `end`, by their terms.

    Attributes:
        terms: (terms,). Of these documents, ascending.
        begins: (terms + 1,). Where each one's documents begin, and where the last one's end.
        documents: Less `begin`; ascending for each term.
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


class Postings:
    """Lists of documents for the terms of runs of documents' terms.

    Args:
        flat: Numbers of the documents' terms, one document after the other.
        starts: Where each one's begin there, and where the last one's end. Both grow.

    >>> flat, starts = array("i", [0, 1, 1, 2]), array("q", [0, 2, 4])
    >>> Postings(flat, starts).holding(1).tolist()
    [0, 1]
    """

    def __init__(self, flat: array[int], starts: array[int]) -> None:
        self._flat = flat
        self._starts = starts
        self._blocks: list[_Block] = []
        self._sizes: list[int] = []

    def holding(self, term: int, since: int = 0) -> Numbers:
        """Return the documents from number `since` on that show a term, ascending."""
        listed = self._list()
        wanted = np.int32(term)
        found = [block.holding(wanted) for block in self._blocks if block.end > since]
        if found:
            found[0] = found[0][found[0].searchsorted(since) :]
        begin = max(since, listed)
        flat = np.frombuffer(self._flat, dtype=np.int32)[self._starts[begin] :]
        places = np.flatnonzero(flat == wanted)
        if len(places):
            ends = np.array(self._starts[begin + 1 :]) - self._starts[begin]
            newest = np.searchsorted(ends, places, side="right").astype(np.int32)
            found.append(newest + np.int32(begin))
        return np.concatenate(found) if found else np.empty(0, dtype=np.int32)

    def _list(self) -> int:
        """Put documents into blocks, as far as they fill some; return how many are in any."""
        documents, end = len(self._starts) - 1, sum(self._sizes)
        while documents - end >= BLOCKS[-1]:
            size = next(each for each in BLOCKS if each <= documents - end)
            end += size
            for larger in reversed(BLOCKS):
                same = larger // size - 1
                if same > 0 and self._sizes[-same:] == [size] * same:
                    del self._sizes[-same:], self._blocks[-same:]
                    size = larger
            self._sizes.append(size)
            self._blocks.append(self._block(end - size, end))
        return end

    def _block(self, begin: int, end: int) -> _Block:
        starts = np.array(self._starts[begin : end + 1])
        flat = np.frombuffer(self._flat, dtype=np.int32)[starts[0] : starts[-1]]
        numbers = np.repeat(np.arange(end - begin), np.diff(starts))
        pairs = flat.astype(np.int64) << 16 | numbers
        pairs.sort()
        terms = (pairs >> 16).astype(np.int32)
        begins = np.flatnonzero(np.diff(terms, prepend=-1)).astype(np.int32)
        documents = (pairs & 0xFFFF).astype(np.uint16)
        begins_and_end = np.append(begins, np.int32(len(flat)))
        return _Block(begin, end, terms[begins], begins_and_end, documents)
