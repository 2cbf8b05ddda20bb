"""What the documents that came say about terms: counts kept up to date, no texts kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]

Number = TypeVar("Number", np.int32, np.int64, np.float32)

_FIRST_ROOM = 1 << 12


class SeenDocuments:
    """The terms of every document seen, and per term what an estimate of its df needs.

    Terms and documents are numbered in the order in which they come. Memory is 4 bytes per
    different term of each document, and 32 bytes and the string per term.

    Attributes:
        terms: Every term seen, by number.
        df: (room,). Seen documents that hold the term.
        once: (room,). Those among them that came exactly once, each weighted length^-0.5. They
            are most like what was never seen, and the short ones among them most of all.
        pages: (room,). Pages that brought a new document with the term.
        densest: (room,). The most new documents with the term that one page brought.
        lengths: (room,). Sum of log(length) of the seen documents that hold the term.
    """

    def __init__(self) -> None:
        self.terms: list[str] = []
        self._number: dict[str, int] = {}
        self._held: dict[str, int] = {}
        self._cells = np.empty(_FIRST_ROOM, dtype=np.int32)
        self._starts = np.zeros(_FIRST_ROOM, dtype=np.int64)
        self._times = np.zeros(_FIRST_ROOM, dtype=np.int32)
        self._more: dict[int, Ints] = {}
        self._page: list[Ints] = []
        self._page_of = np.zeros(_FIRST_ROOM, dtype=np.int32)
        self._pages = 0
        self.df = np.zeros(_FIRST_ROOM, dtype=np.int32)
        self.once = np.zeros(_FIRST_ROOM, dtype=np.float32)
        self.pages = np.zeros(_FIRST_ROOM, dtype=np.int32)
        self.densest = np.zeros(_FIRST_ROOM, dtype=np.int32)
        self.lengths = np.zeros(_FIRST_ROOM, dtype=np.float32)
        self.cell_count = 0
        self.once_sum = 0.0
        self.length_sum = 0.0

    def __len__(self) -> int:
        """Return how many documents were seen."""
        return len(self._held)

    def __contains__(self, key: str) -> bool:
        """Say whether a document was seen."""
        return key in self._held

    # What a pass over all documents needs; none of these is a copy.

    @property
    def starts(self) -> npt.NDArray[np.int64]:
        """(documents + 1,). Where each document's terms begin in `cells`."""
        return self._starts[: len(self) + 1]

    @property
    def cells(self) -> Ints:
        """The terms of the first document, then those of the second, and so on."""
        return self._cells[: self._starts[len(self)]]

    @property
    def times(self) -> Ints:
        """(documents,). How often each document came."""
        return self._times[: len(self)]

    @property
    def page_of(self) -> Ints:
        """(documents,). The page that brought each document first, ascending."""
        return self._page_of[: len(self)]

    def number(self, term: str) -> int:
        """Return a term's number, a new one where it was never seen."""
        number = self._number.get(term)
        if number is None:
            number = self._number[term] = len(self.terms)
            self.terms.append(term)
            if number == len(self.df):
                for name in ("df", "once", "pages", "densest", "lengths"):
                    setattr(self, name, _grown(getattr(self, name), 2 * number))
        return number

    def _numbers(self, terms: Iterable[str]) -> Ints:
        return np.array([self.number(term) for term in terms], dtype=np.int32)

    def add(self, key: str, terms: list[str]) -> None:
        """Take in a document that was not seen before; its terms are all different."""
        document = len(self._held)
        self._held[key] = document
        numbers = self._numbers(terms)
        begin, end = int(self._starts[document]), int(self._starts[document]) + len(numbers)
        if end > len(self._cells):
            self._cells = _grown(self._cells, max(end, 2 * len(self._cells)))
        if document + 1 == len(self._starts):
            self._starts = _grown(self._starts, 2 * len(self._starts))
            self._times = _grown(self._times, 2 * len(self._times))
            self._page_of = _grown(self._page_of, 2 * len(self._page_of))
        self._cells[begin:end] = numbers
        self._starts[document + 1] = end
        self._times[document] = 1
        self._page_of[document] = self._pages
        self._count(numbers, len(numbers))
        self._page.append(numbers)

    def _count(self, numbers: Ints, length: int) -> None:
        weight, log_length = max(1, length) ** -0.5, float(np.log(max(1, length)))
        self.df[numbers] += 1
        self.once[numbers] += weight
        self.lengths[numbers] += log_length
        self.cell_count += len(numbers)
        self.once_sum += weight * len(numbers)
        self.length_sum += log_length * len(numbers)

    def again(self, key: str) -> None:
        """Note that a document came once more."""
        document = self._held[key]
        if self._times[document] == 1:
            numbers = self.terms_of(key)
            weight = max(1, self._length(document)) ** -0.5
            self.once[numbers] -= weight
            self.once_sum -= weight * len(numbers)
        self._times[document] += 1

    def _length(self, document: int) -> int:
        return int(self._starts[document + 1] - self._starts[document])

    def terms_of(self, key: str) -> Ints:
        """Return the numbers of a seen document's terms."""
        document = self._held[key]
        own = self._cells[self._starts[document] : self._starts[document + 1]]
        return np.concatenate([own, self._more[document]]) if document in self._more else own

    def widen(self, key: str, terms: Iterable[str]) -> None:
        """Take in what else a document says: another snippet of it came."""
        document = self._held[key]
        numbers = np.setdiff1d(self._numbers(terms), self.terms_of(key)).astype(np.int32)
        more = self._more.get(document)
        self._more[document] = numbers if more is None else np.concatenate([more, numbers])
        self._count(numbers, self._length(document))
        if self._times[document] > 1:
            weight = max(1, self._length(document)) ** -0.5
            self.once[numbers] -= weight
            self.once_sum -= weight * len(numbers)
        self._page.append(numbers)

    def turn_page(self) -> None:
        """Note that the documents added so far came on one page, those to come on another."""
        if self._page:
            numbers, counts = np.unique(np.concatenate(self._page), return_counts=True)
            self.pages[numbers] += 1
            self.densest[numbers] = np.maximum(self.densest[numbers], counts)
            self._page.clear()
            self._pages += 1


def _grown(values: npt.NDArray[Number], room: int) -> npt.NDArray[Number]:
    grown = np.zeros(room, dtype=values.dtype)
    grown[: len(values)] = values
    return grown
