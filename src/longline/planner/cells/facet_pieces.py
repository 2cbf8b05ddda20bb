"""The pieces into which a facet splits a source: ranges, values, prefixes of values."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from longline.model import Facet, Filter

LONGEST_PREFIX = 8
"""The most letters of a prefix; values that share more than that are not separated."""


class RangePieces:
    """Split a range into consecutive pieces, each expected to fill an answer.

    Args:
        facet: A facet of kind "number" or "date".
        reported: Documents in the range by the source's total; None if unknown.
        room: Returns the number of documents that a piece should have.
    """

    def __init__(self, facet: Facet, reported: int | None, room: Callable[[], float]) -> None:
        self._facet = facet
        self._low, self._high = facet.place(facet.low), facet.place(facet.high)
        self._room = room
        known = reported if reported is not None else 2 * room()
        self._density = max(known, 1) / (self._high - self._low + 1)

    def __iter__(self) -> Iterator[Filter]:
        """Yield the pieces; call `learn` with each one's documents before taking the next."""
        low = self._low
        while low <= self._high:
            width = self._room() / max(self._density, 1e-12)
            most = max(1, -(-(self._high - self._low + 1) // 2))  # never all of it again
            high = min(self._high, low + int(min(max(width, 1), most)) - 1)
            yield Filter(self._facet.name, self._facet.value(low), self._facet.value(high))
            low = high + 1

    def learn(self, limits: Filter, documents: int) -> None:
        """Learn how many documents a piece has."""
        width = self._facet.place(limits.high) - self._facet.place(limits.low) + 1
        self._density = (self._density + 3 * (documents + 0.5) / width) / 4


def value_pieces(limits: Iterable[Filter], facet: Facet) -> Iterator[Filter]:
    """Yield a filter for each value of a list, or for each next letter of a prefix.

    >>> letters = Facet("name", "prefix", values=("a", "b"))
    >>> [each.low for each in value_pieces([Filter("name", "x")], letters)]
    ['xa', 'xb']
    """
    same = (each.low for each in limits if each.facet == facet.name)
    start = next(same, "") if facet.kind == "prefix" else ""
    return (Filter(facet.name, start + value) for value in facet.values)


def narrowed(facet: Facet, limits: Filter) -> Facet | None:
    """Return a facet that splits a filter on it further, or None if none can."""
    if facet.kind == "prefix":
        return facet if len(limits.low) < LONGEST_PREFIX else None
    if facet.kind == "list" or limits.low == limits.high:
        return None
    return msgspec.structs.replace(facet, low=limits.low, high=limits.high)
