"""Number values by their hashes, in a fifth of the memory of a dict of them."""

from array import array
from collections.abc import Iterator

from longline.text.term_ids import Words

FIRST_ROOM = 1 << 6
"""The initial number of slots, a power of 2; at most two in three of them are ever used."""


class Hashes:
    """Numbers for values, from 0, in the order of their first appearance; no value is kept.

    They take 14 to 20 bytes each. Two different values with the same 64-bit hash would be merged:
    among ten million values the probability of any such pair is 3 in a million.

    >>> numbers = Hashes()
    >>> numbers.number("deep"), numbers.number("web"), numbers.number("deep"), len(numbers)
    (0, 1, 0, 2)
    >>> numbers.find("web"), numbers.find("sea"), "sea" in numbers
    (1, -1, False)
    """

    def __init__(self) -> None:
        self._numbers = array("i", bytes(4 * FIRST_ROOM))  # by slot, plus 1; 0 in an empty one
        self._hashes = array("q")  # by number

    def __len__(self) -> int:
        """Return the number of different values."""
        return len(self._hashes)

    def __contains__(self, value: object) -> bool:
        """Return whether a value has a number."""
        return self.find(value) >= 0

    def find(self, value: object) -> int:
        """Return a value's number; -1 if it has none."""
        return self._numbers[self._slot(hash(value))] - 1

    def number(self, value: object) -> int:
        """Return a value's number; a new value gets a new number."""
        hashed = hash(value)
        slot = self._slot(hashed)
        number = self._numbers[slot] - 1
        if number < 0:
            number = len(self._hashes)
            self._hashes.append(hashed)
            self._numbers[slot] = number + 1
            if 3 * number > 2 * len(self._numbers):
                self._grow()
        return number

    def _slot(self, hashed: int) -> int:
        """Return the slot of a hash, or the empty one where it belongs."""
        numbers, hashes = self._numbers, self._hashes
        mask = len(numbers) - 1
        slot = hashed & mask
        while (number := numbers[slot]) and hashes[number - 1] != hashed:
            slot = (slot + 1) & mask
        return slot

    def _grow(self) -> None:
        self._numbers = array("i", bytes(2 * 4 * len(self._numbers)))
        for number, hashed in enumerate(self._hashes, 1):
            self._numbers[self._slot(hashed)] = number


class Keys(Hashes):
    """Numbers for strings, which are kept as in `Words`.

    >>> keys = Keys()
    >>> keys.number("a"), keys.number("b"), keys.number("a"), list(keys)
    (0, 1, 0, ['a', 'b'])
    """

    def __init__(self) -> None:
        super().__init__()
        self._strings = Words()

    def __iter__(self) -> Iterator[str]:
        """Yield all strings, by number."""
        return iter(self._strings)

    def number(self, value: object) -> int:
        """Return a string's number; a new one gets a new number."""
        number = super().number(value)
        if number == len(self._strings):
            self._strings.extend([str(value)])
        return number
