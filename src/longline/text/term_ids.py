"""Number words in the order of their first appearance, many at a time.

A dict of half a million words costs several cache misses per look-up, with some 80 look-ups per
document: more than all other work on it. So words are looked up by their 64-bit hashes, those of a
page at once, in a table of numpy arrays with linear probing. Two different words with the same hash
would be merged: among ten million words the probability of any such pair is 3 in a million.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int32]
Hashes = npt.NDArray[np.int64]

FIRST_ROOM = 1 << 12
"""The initial number of slots, a power of 2; at most half of them are ever used."""


class Words(Sequence[str]):
    """Words, one after the other in UTF-8: about 12 bytes each, compared with 70 in a list of str.

    >>> words = Words()
    >>> words.extend(["deep", "wéb", "sea"])
    >>> words[1], words[-1], words[:2], len(words)
    ('wéb', 'sea', ['deep', 'wéb'], 3)
    """

    def __init__(self) -> None:
        self._letters = bytearray()
        self._ends = array("q")

    def __len__(self) -> int:
        """Return the number of words."""
        return len(self._ends)

    def extend(self, words: Iterable[str]) -> None:
        """Add words at the end."""
        for word in words:
            # A user's pattern for words may match half of a surrogate pair.
            self._letters += word.encode("utf-8", "surrogatepass")
            self._ends.append(len(self._letters))

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        """Return a word by its number, or several for a slice."""
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        end = self._ends[place]
        place %= len(self)
        begin = self._ends[place - 1] if place else 0
        return self._letters[begin:end].decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        """Yield all words."""
        begin = 0
        for end in self._ends:
            yield self._letters[begin:end].decode("utf-8", "surrogatepass")
            begin = end


class TermIds:
    """Numbers for words, from 0.

    Attributes:
        words: The words, by number.

    >>> numbering = TermIds()
    >>> numbering.numbers(["deep", "web", "deep"]).tolist(), numbering.numbers(["sea"]).tolist()
    ([0, 1, 0], [2])
    >>> numbering.look_up(["web", "moon"]).tolist()
    [1, -1]
    """

    def __init__(self) -> None:
        self.words = Words()
        self._taken: Numbers = np.full(FIRST_ROOM, -1, dtype=np.int32)  # by slot
        self._hashes: Hashes = np.zeros(FIRST_ROOM // 2, dtype=np.int64)  # by number

    def __len__(self) -> int:
        """Return the number of different words."""
        return len(self.words)

    def look_up(self, words: Sequence[str]) -> Numbers:
        """Return the numbers of words, -1 for unknown ones."""
        return self._search(_hashes(words))[0]

    def numbers(self, words: Sequence[str]) -> Numbers:
        """Return the numbers of words, in their order; new words get new numbers."""
        hashes = _hashes(words)
        found, slots = self._search(hashes)
        missing = np.flatnonzero(found < 0)
        if len(missing):
            _, firsts, which = np.unique(hashes[missing], return_index=True, return_inverse=True)
            order = np.argsort(firsts)
            rank = np.empty(len(order), dtype=np.int32)
            rank[order] = np.arange(len(self), len(self) + len(order), dtype=np.int32)
            found[missing] = rank[which]
            places = missing[firsts[order]]
            self.words.extend(words[place] for place in places.tolist())
            self._enter(hashes[places], slots[places], found[places])
        return found

    def _search(self, hashes: Hashes) -> tuple[Numbers, npt.NDArray[np.int64]]:
        """Return each hash's number, or -1, and the slot where the search ended."""
        mask = len(self._taken) - 1
        slots = hashes & mask
        found = self._taken[slots]
        on = np.flatnonzero((found >= 0) & (self._hashes[found] != hashes))
        while len(on):
            slots[on] = (slots[on] + 1) & mask
            found[on] = self._taken[slots[on]]
            on = on[(found[on] >= 0) & (self._hashes[found[on]] != hashes[on])]
        return found, slots

    def _enter(self, hashes: Hashes, slots: npt.NDArray[np.int64], numbers: Numbers) -> None:
        """Put new, different hashes into slots; if two want the same slot, one is moved."""
        if 2 * len(self) > len(self._taken):
            self._grow(before=len(self) - len(numbers))
            slots = self._search(hashes)[1]
        self._hashes[numbers] = hashes
        while len(hashes):
            self._taken[slots] = numbers
            lost = self._taken[slots] != numbers
            hashes, numbers = hashes[lost], numbers[lost]
            slots = self._search(hashes)[1]

    def _grow(self, before: int) -> None:
        """Make room for all words; `before` of them were entered."""
        hashes, room = self._hashes[:before], len(self._taken)
        while room < 2 * len(self):
            room *= 2
        self._hashes = np.zeros(room // 2, dtype=np.int64)
        self._taken = np.full(room, -1, dtype=np.int32)
        self._enter(hashes, self._search(hashes)[1], np.arange(before, dtype=np.int32))


def _hashes(words: Sequence[str]) -> Hashes:
    return np.fromiter(map(hash, words), np.int64, len(words))
