"""Documents as sets of numbered words, for counting."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


class Numbering:
    """Words in the order in which they were first met.

    Args:
        words: The first ones.

    >>> numbering = Numbering(["sea", "deep"])
    >>> numbering.of("deep"), numbering.of("web"), numbering.of("deep"), len(numbering)
    (1, 2, 1, 3)
    """

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.words = list(dict.fromkeys(words))
        self._number = dict(zip(self.words, count(), strict=False))

    def __len__(self) -> int:
        """Return how many different words there are."""
        return len(self.words)

    def of(self, word: str) -> int:
        """Return a word's number, a new one where it is new."""
        number = self._number.setdefault(word, len(self.words))
        if number == len(self.words):
            self.words.append(word)
        return number

    def set_of(self, words: Iterable[str]) -> set[int]:
        """Return the numbers of some words."""
        known = self._number
        return {known[word] if word in known else self.of(word) for word in words}


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

    def add(self, words: Iterable[int]) -> None:
        """Add a document; its words are all different."""
        self._words.extend(words)
        self._starts.append(len(self._words))

    def df(self, words: int) -> Ints:
        """(words,). In how many documents each word is."""
        return np.bincount(np.array(self._words, dtype=np.int64), minlength=words)

    def counts(self, wanted: Mask) -> Ints:
        """(documents,). How many of the words that `wanted` marks each document has."""
        return self.sums(wanted.astype(np.float64)).round().astype(np.int64)

    def matrix(self, chosen: Ints, words: int) -> csr_matrix:
        """(documents, chosen) of 0 and 1. Which document has which of some of all words."""
        from scipy.sparse import csr_matrix

        column = np.full(words, -1, dtype=np.int64)
        column[chosen] = np.arange(len(chosen))
        columns = column[np.array(self._words, dtype=np.int64)]
        up_to = np.concatenate([[0], np.cumsum(columns >= 0)])
        columns = columns[columns >= 0]
        shape = (len(self._starts) - 1, len(chosen))
        ones = np.ones(len(columns), dtype=np.int32)
        return csr_matrix((ones, columns, up_to[np.array(self._starts)]), shape=shape)

    def sums(self, values: Floats) -> Floats:
        """(documents,). The sum of the values of each document's words."""
        found = values[np.array(self._words, dtype=np.int64)]
        up_to: Floats = np.concatenate([[0.0], np.cumsum(found)])
        starts = np.array(self._starts)
        found_in: Floats = up_to[starts[1:]] - up_to[starts[:-1]]
        return found_in
