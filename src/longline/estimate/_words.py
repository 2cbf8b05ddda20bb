"""Documents as sets of numbered words, for counting."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

BLOCK = 4096
"""Documents whose words are looked at together."""


class WordSets:
    """One set of word numbers a document, in the order of `add`.

    >>> documents = WordSets()
    >>> documents.add({0, 1}), documents.add({1})
    (None, None)
    >>> documents.df(3).tolist(), documents.counts(np.array([True, False, True])).tolist()
    ([1, 2, 0], [1, 0])
    """

    def __init__(self) -> None:
        self._words = array("i")
        self._starts = array("q", [0])
        self._df, self._counted = np.zeros(0, dtype=np.int64), 0  # of so many of the first words

    def __len__(self) -> int:
        """Return how many documents there are."""
        return len(self._starts) - 1

    def add(self, words: Iterable[int]) -> None:
        """Add a document; its words are all different."""
        self._words.extend(words)
        self._starts.append(len(self._words))

    def add_all(self, words: npt.NDArray[np.int32], lengths: array[int]) -> None:
        """Add some documents, one after the other, of so many words each."""
        self._words.frombytes(words.tobytes())
        self._starts.frombytes((np.cumsum(lengths) + self._starts[-1]).tobytes())

    def df(self, words: int) -> Ints:
        """(words,). In how many documents each word is."""
        words = max(words, len(self._df))
        found = np.bincount(self._numbers()[self._counted :], minlength=words)
        found[: len(self._df)] += self._df
        self._df, self._counted = found, len(self._words)
        return found.copy()

    def _numbers(self) -> npt.NDArray[np.int32]:
        """All words, document by document; to be let go of before `add`."""
        return np.frombuffer(self._words, dtype=np.int32)

    def counts(self, wanted: Mask) -> Ints:
        """(documents,). How many of the words that `wanted` marks each document has."""
        return self.sums(wanted.astype(np.float64)).round().astype(np.int64)

    def only(self, chosen: Ints, words: int) -> WordSets:
        """Return the same documents with some of all words, numbered by their place in `chosen`."""
        place = np.full(words, -1, dtype=np.int32)
        place[chosen] = np.arange(len(chosen), dtype=np.int32)
        places = place[self._numbers()]
        up_to = np.concatenate([[0], np.cumsum(places >= 0, dtype=np.int64)])
        found = WordSets()
        found._words = array("i", places[places >= 0].tobytes())
        found._starts = array("q", up_to[np.array(self._starts)].tobytes())
        return found

    def at(self, documents: Ints) -> WordSets:
        """Return some of the documents, in this order."""
        found = WordSets()
        for document in documents.tolist():
            found.add(self._words[self._starts[document] : self._starts[document + 1]])
        return found

    def pairs(self, words: int) -> Floats:
        """(words, words). In how many documents two words are together; the diagonal is df."""
        numbers, starts = self._numbers(), np.array(self._starts)
        together = np.zeros((words, words))
        for first in range(0, len(self), BLOCK):
            ends = starts[first : first + BLOCK + 1]
            has = np.zeros((len(ends) - 1, words), dtype=np.float32)
            has[np.repeat(np.arange(len(has)), np.diff(ends)), numbers[ends[0] : ends[-1]]] = 1
            together += has.T @ has
        return together

    def sums(self, values: Floats) -> Floats:
        """(documents,). The sum of the values of each document's words."""
        numbers, starts = self._numbers(), np.array(self._starts)
        found = np.empty(len(self))
        # In blocks: of a million documents all at once would take gigabytes.
        for first in range(0, len(self), BLOCK):
            ends = starts[first : first + BLOCK + 1]
            up_to = np.concatenate([[0.0], np.cumsum(values[numbers[ends[0] : ends[-1]]])])
            found[first : first + BLOCK] = np.diff(up_to[ends - ends[0]])
        return found
