"""Documents as sets of word numbers, for counting."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from longline.text.term_ids import TermIds

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

AT_ONCE = 256
"""The number of documents whose words are numbered together."""

SAMPLE = 1 << 16
"""The most documents whose words are kept: a share estimated from them has an error of .2 %."""

BLOCK = 4096
"""The number of documents processed at once."""


class WordSets:
    """A set of word numbers for each document, in the order of `add`.

    >>> documents = WordSets()
    >>> documents.add({0, 1}), documents.add({1})
    (None, None)
    >>> documents.df(3).tolist(), documents.counts(np.array([True, False, True])).tolist()
    ([1, 2, 0], [1, 0])
    """

    def __init__(self) -> None:
        self._words = array("i")
        self._starts = array("q", [0])

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self._starts) - 1

    def add(self, words: Iterable[int]) -> None:
        """Add a document with its different words."""
        self._words.extend(words)
        self._starts.append(len(self._words))

    def df(self, words: int) -> Ints:
        """Return in how many documents each word occurs; (words,)."""
        return np.bincount(self._numbers(), minlength=words)

    def _numbers(self) -> npt.NDArray[np.int32]:
        """Return a view of all words, document by document; delete it before calling `add`."""
        return np.frombuffer(self._words, dtype=np.int32)

    def counts(self, wanted: Mask) -> Ints:
        """Return how many of the words marked in `wanted` each document has; (documents,)."""
        return self.sums(wanted.astype(np.float64)).round().astype(np.int64)

    def only(self, chosen: Ints, words: int) -> WordSets:
        """Return the documents with only the chosen words, numbered by place in `chosen`."""
        place = np.full(words, -1, dtype=np.int32)
        place[chosen] = np.arange(len(chosen), dtype=np.int32)
        places = place[self._numbers()]
        up_to = np.concatenate([[0], np.cumsum(places >= 0, dtype=np.int64)])
        found = WordSets()
        found._words = array("i", places[places >= 0].tobytes())
        found._starts = array("q", up_to[np.array(self._starts)].tobytes())
        return found

    def at(self, documents: Ints) -> WordSets:
        """Return the given documents, in this order."""
        found = WordSets()
        for document in documents.tolist():
            found.add(self._words[self._starts[document] : self._starts[document + 1]])
        return found

    def pairs(self, words: int) -> Floats:
        """Return in how many documents two words co-occur; (words, words), df on the diagonal."""
        numbers, starts = self._numbers(), np.array(self._starts)
        together = np.zeros((words, words))
        for first in range(0, len(self), BLOCK):
            ends = starts[first : first + BLOCK + 1]
            has = np.zeros((len(ends) - 1, words), dtype=np.float32)
            has[np.repeat(np.arange(len(has)), np.diff(ends)), numbers[ends[0] : ends[-1]]] = 1
            together += has.T @ has
        return together

    def sums(self, values: Floats) -> Floats:
        """Return the sum of the values of each document's words; (documents,)."""
        numbers, starts = self._numbers(), np.array(self._starts)
        found = np.empty(len(self))
        # In blocks: a million documents at once would take gigabytes.
        for first in range(0, len(self), BLOCK):
            ends = starts[first : first + BLOCK + 1]
            up_to = np.concatenate([[0.0], np.cumsum(values[numbers[ends[0] : ends[-1]]])])
            found[first : first + BLOCK] = np.diff(up_to[ends - ends[0]])
        return found


class HeldWords:
    """The df of each word in all documents, and the word sets of a sample of them.

    The sample is evenly spaced: up to `SAMPLE` documents all, of twice as many every second one. So
    the time and memory for an estimate stop growing.

    Args:
        numbering: Numbers all words.

    Attributes:
        documents: The number of documents.

    >>> held = HeldWords(TermIds())
    >>> held.add(["deep", "web", "deep"]), held.add(["web"])
    (None, None)
    >>> held.df(2).tolist(), len(held.sample), held.scale
    ([1, 2], 2, 1.0)
    """

    def __init__(self, numbering: TermIds) -> None:
        self.documents = 0
        self._numbering = numbering
        self._waiting: list[str] = []
        self._lengths: list[int] = []
        self._df = np.zeros(0, dtype=np.int64)
        self._sample, self._every = WordSets(), 1

    def add(self, words: Iterable[str]) -> None:
        """Add a document."""
        before = len(self._waiting)
        self._waiting += dict.fromkeys(words)
        self._lengths.append(len(self._waiting) - before)
        self.documents += 1
        if len(self._lengths) == AT_ONCE:
            self.settle()

    def settle(self) -> None:
        """Number the words of the documents added last."""
        if not self._lengths:
            return
        numbers = self._numbering.numbers(self._waiting)
        if len(self._numbering) > len(self._df):
            self._df = np.pad(self._df, (0, 2 * len(self._numbering) - len(self._df)))
        np.add.at(self._df, numbers, 1)
        ends = np.cumsum(self._lengths)
        first = self.documents - len(ends)
        for place in range(-first % self._every, len(ends), self._every):
            self._sample.add(numbers[ends[place] - self._lengths[place] : ends[place]].tolist())
        self._waiting.clear()
        self._lengths.clear()
        if len(self._sample) > SAMPLE:
            self._sample = self._sample.at(np.arange(0, len(self._sample), 2))
            self._every *= 2

    def df(self, words: int) -> Ints:
        """Return in how many documents each of the first `words` words occurs; (words,)."""
        self.settle()
        return np.pad(self._df[:words], (0, max(0, words - len(self._df))))

    @property
    def sample(self) -> WordSets:
        """Word sets of evenly spaced documents."""
        self.settle()
        return self._sample

    @property
    def scale(self) -> float:
        """How many documents each one in the sample represents."""
        return self.documents / max(1, len(self.sample))
