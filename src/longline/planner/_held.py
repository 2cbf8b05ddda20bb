"""The documents held so far, as numbers: which hold which terms. Their texts are not kept."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int32]


class HeldDocuments:
    """Documents as sets of numbered terms, and terms as ascending lists of documents.

    >>> held = HeldDocuments()
    >>> held.add("a", ["deep", "web"]), held.add("b", ["surface", "web"])
    (0, 1)
    >>> held.matching(["web"], ["deep"]).tolist()
    [1]
    """

    def __init__(self) -> None:
        self.number: dict[str, int] = {}
        self.terms: list[str] = []
        self._term: dict[str, int] = {}
        self._postings: list[array[int]] = []
        self._flat: Numbers = np.empty(1024, dtype=np.int32)
        self._starts = array("q", [0])

    def __len__(self) -> int:
        """Return how many documents are held."""
        return len(self._starts) - 1

    def add(self, key: str, terms: Iterable[str]) -> int:
        """Hold a document; return its number. The terms are all different."""
        document = len(self)
        self.number[key] = document
        numbers = [self._numbered(term) for term in terms]
        for number in numbers:
            self._postings[number].append(document)
        start = self._starts[-1]
        end = start + len(numbers)
        if end > len(self._flat):
            self._flat = np.resize(self._flat, 2 * end)
        self._flat[start:end] = numbers
        self._starts.append(end)
        return document

    def _numbered(self, term: str) -> int:
        number = self._term.setdefault(term, len(self.terms))
        if number == len(self.terms):
            self.terms.append(term)
            self._postings.append(array("i"))
        return number

    def term_number(self, term: str) -> int | None:
        """Return a term's number, None where no held document has it."""
        return self._term.get(term)

    def posting(self, term: str, since: int = 0) -> Numbers:
        """Return the documents from number `since` on that hold a term, ascending."""
        number = self._term.get(term)
        if number is None:
            return np.empty(0, dtype=np.int32)
        posting = self._postings[number]
        start = bisect_left(posting, since) if since else 0
        return np.array(posting[start:], dtype=np.int32)

    def matching(
        self, required: Sequence[str], excluded: Sequence[str] = (), since: int = 0
    ) -> Numbers:
        """Return the documents from number `since` on that match, ascending.

        Args:
            required: Terms that they hold; with none, every document is a match to begin with.
            excluded: Terms that they do not hold.
            since: Look only at documents with this number or a higher one.
        """
        if required:
            rarest, *others = sorted(required, key=self.frequency)
            found = self.posting(rarest, since)
        else:
            found, others = np.arange(since, len(self), dtype=np.int32), []
        for term in others:
            found = found[self.has(found, term)]
        for term in excluded:
            if not len(found):
                break
            found = found[~self.has(found, term)]
        return found

    def has(self, documents: Numbers, term: str) -> npt.NDArray[np.bool_]:
        """Say for each of some documents, in ascending order, whether it holds a term."""
        if not len(documents):
            return np.zeros(0, dtype=np.bool_)
        first, last = int(documents[0]), int(documents[-1])
        posting = self.posting(term, first)
        if not len(posting):
            return np.zeros(len(documents), dtype=np.bool_)
        if last - first > 32 * len(documents):
            places = np.minimum(np.searchsorted(posting, documents), len(posting) - 1)
            return np.asarray(posting[places] == documents)
        mask = np.zeros(last - first + 1, dtype=np.bool_)
        mask[posting[: np.searchsorted(posting, last, side="right")] - first] = True
        return np.asarray(mask[documents - first])

    def counts(
        self, documents: Numbers, weights: npt.NDArray[np.float64] | None = None
    ) -> npt.NDArray[np.float64]:
        """Return for each term in how many of some documents it occurs, or their weight."""
        starts = np.frombuffer(self._starts, dtype=np.int64)
        begin, length = starts[documents], starts[documents + 1] - starts[documents]
        del starts  # a view of it would forbid the array to grow
        total = int(length.sum())
        offsets = np.repeat(begin - np.concatenate([[0], np.cumsum(length)[:-1]]), length)
        flat = self._flat[offsets + np.arange(total)]
        each = None if weights is None else np.repeat(weights, length)
        return np.bincount(flat, each, minlength=len(self.terms)).astype(np.float64)

    def frequency(self, term: str) -> int:
        """Return how many held documents have a term."""
        number = self._term.get(term)
        return 0 if number is None else len(self._postings[number])

    def term_numbers(self, document: int) -> set[int]:
        """Return the numbers of a document's terms."""
        start, end = self._starts[document], self._starts[document + 1]
        return set(self._flat[start:end].tolist())
