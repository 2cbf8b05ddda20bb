"""A set of 64-bit hashes, in a fifth of the memory of a set of ints."""

from array import array

FIRST_ROOM = 1 << 10
"""The initial number of slots, a power of 2; at most two in three of them are ever used."""


class Hashes:
    """A set of 64-bit hashes: 12 to 24 bytes each.

    Two different values with the same hash would be merged: among ten million the probability of
    any such pair is 3 in a million.

    >>> seen = Hashes()
    >>> seen.add(hash("deep")), seen.add(hash("web")), seen.add(hash("deep"))
    (True, True, False)
    """

    def __init__(self) -> None:
        self._slots = array("q", bytes(8 * FIRST_ROOM))  # 0 is an empty slot
        self._count = 0

    def add(self, value: int) -> bool:
        """Add a hash; return whether it is new."""
        if 3 * self._count >= 2 * len(self._slots):
            old = self._slots
            self._slots, self._count = array("q", bytes(16 * len(old))), 0
            for each in filter(None, old):
                self.add(each)
        slots, value = self._slots, value or 1
        mask = len(slots) - 1
        slot = value & mask
        while slots[slot] and slots[slot] != value:
            slot = (slot + 1) & mask
        is_new = not slots[slot]
        slots[slot] = value
        self._count += is_new
        return is_new
