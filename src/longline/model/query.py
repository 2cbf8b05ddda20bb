"""What is asked: queries, the facets that limit them, and what a policy wants next."""

from datetime import date
from typing import Literal

import msgspec


class Filter(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """Only documents whose value of a facet lies between two, both included.

    Attributes:
        facet: Its name in the source spec.
        low: The value, or the least one; of a "prefix" facet, how values begin.
        high: The greatest value; "" where `low` is the only one.
    """

    facet: str
    low: str
    high: str = ""

    def __str__(self) -> str:
        return f"{self.facet}={self.low}" + (f"..{self.high}" if self.high else "")


class Facet(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field of a source's search that limits an answer, beside the words.

    Attributes:
        kind: "list": one of `values`; "number", "date": a range, whole numbers or ISO dates;
            "prefix": how a value begins, from letters in `values`.
        values: All that a list has, or the letters.
        low, high: Where a range begins and ends, both included.
        required: Nothing comes without a filter on it.

    Raises:
        ValueError: A list or prefix without values; a range that is none.
    """

    name: str
    kind: Literal["list", "number", "date", "prefix"] = "list"
    values: tuple[str, ...] = ()
    low: str = ""
    high: str = ""
    required: bool = False

    def __post_init__(self) -> None:
        if self.kind in ("list", "prefix"):
            if not self.values:
                raise ValueError(f"the facet {self.name!r} has no values")
        elif self.place(self.low) > self.place(self.high):
            raise ValueError(f"the facet {self.name!r} ends before it begins")

    def place(self, value: str) -> int:
        """Return where a range's value stands: the number, or the day since 1 January 1.

        >>> Facet("year", "number", low="1900", high="2000").place("1950")
        1950
        """
        return date.fromisoformat(value).toordinal() if self.kind == "date" else int(value)

    def value(self, place: int) -> str:
        """Return the value that stands at a place of a range; undoes `place`."""
        return date.fromordinal(place).isoformat() if self.kind == "date" else str(place)


class Query(msgspec.Struct, frozen=True, order=True, omit_defaults=True, repr_omit_defaults=True):
    """Ask for documents that hold all required terms, an alternative, and no excluded term.

    How the words AND, OR and NOT are written is the source's affair (its dialect).

    Attributes:
        required: Terms that a document must hold, every one of them.
        excluded: Terms that it must not hold, not one of them.
        any_of: Alternatives: terms of which it must hold at least one; () asks for none.
        filters: On facets, at most one each. With filters alone, or nothing, all is asked for.

    >>> str(Query(("deep", "web"), excluded=("surface",)))
    'deep web NOT surface'
    >>> str(Query(("deep",), any_of=("web", "sea"))), str(Query((), any_of=("web", "sea")))
    ('deep (web OR sea)', 'web OR sea')
    >>> str(Query((), filters=(Filter("year", "1990", "1994"),)))
    '* year=1990..1994'
    """

    required: tuple[str, ...]
    excluded: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()

    def __str__(self) -> str:
        either = " OR ".join(self.any_of)
        if len(self.any_of) > 1 and (self.required or self.excluded):
            either = f"({either})"
        parts = [*self.required, *([either] if either else [])]
        words = [*parts, *(f"NOT {term}" for term in self.excluded)]
        return " ".join([*(words or ["*"]), *map(str, self.filters)])

    @property
    def wanted(self) -> tuple[str, ...]:
        """Terms that a document may be found by: required ones, and alternatives."""
        return self.required + self.any_of


Asked = tuple[Query, int]
"""A result page: its query, and its number from 1."""


class Search(msgspec.Struct, frozen=True):
    """A policy wants result page `number` (from 1) of a query."""

    query: Query
    number: int = 1


class Probe(Search, frozen=True):
    """The same, to measure the source and not to harvest it.

    Every document of the page is told, held or not, and what comes is counted apart.

    Attributes:
        reads: False where no document is worth a request of its own: the page says enough.
    """

    reads: bool = True


class Finish(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """A policy is done.

    Attributes:
        reason: One clause for people, e.g. "every selected query was sent".
        target_met: False where the source did not let the policy do what it set out to do.
    """

    reason: str
    target_met: bool = True
