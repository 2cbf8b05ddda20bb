"""Queries, the facets that limit them, and what a policy wants next."""

from datetime import date
from typing import Literal

import msgspec


class Filter(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """Limits documents to those whose value of a facet is between two values, both included.

    Attributes:
        facet: Its name in the source spec.
        low: The value, or the smallest one; for a "prefix" facet, how values begin.
        high: The greatest value; "" if `low` is the only one.
    """

    facet: str
    low: str
    high: str = ""

    def __str__(self) -> str:
        return f"{self.facet}={self.low}" + (f"..{self.high}" if self.high else "")


class Facet(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field of a source's search that limits an answer, in addition to words.

    Attributes:
        kind: "list": one of `values`; "number", "date": a range of integers or ISO dates; "prefix":
            the start of a value, of letters in `values`.
        values: All values of a list, or the letters.
        low, high: Start and end of a range, both included.
        required: There are no results without a filter on it.

    Raises:
        ValueError: A list or prefix without values; a range that ends before it starts.
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
        """Return the position of a range's value: the number, or the day since 1 January 1.

        >>> Facet("year", "number", low="1900", high="2000").place("1950")
        1950
        """
        return date.fromisoformat(value).toordinal() if self.kind == "date" else int(value)

    def value(self, place: int) -> str:
        """Return the value at a position of a range; the inverse of `place`."""
        return date.fromordinal(place).isoformat() if self.kind == "date" else str(place)

    def end(self, *, last: bool) -> Filter:
        """Return the filter for the first or last value, or for that half of a range.

        >>> Facet("year", "number", low="1900", high="2000").end(last=True)
        Filter(facet='year', low='1951', high='2000')
        """
        if self.values:
            return Filter(self.name, self.values[-1 if last else 0])
        middle = (self.place(self.low) + self.place(self.high)) // 2
        if last:
            return Filter(self.name, self.value(middle + 1), self.high)
        return Filter(self.name, self.low, self.value(middle))


class Query(msgspec.Struct, frozen=True, order=True, omit_defaults=True, repr_omit_defaults=True):
    """Match documents with all required terms, an alternative, and no excluded term.

    How AND, OR and NOT are written depends on the source (its dialect).

    Attributes:
        required: Terms that a document must all contain.
        excluded: Terms that it must not contain.
        any_of: Alternatives: it must contain at least one of these terms; () for no alternatives.
        filters: On facets, at most one each. Without words, a query matches everything within its
            filters.

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
        """Terms that may match a document: required ones and alternatives."""
        return self.required + self.any_of

    @property
    def only_excludes(self) -> bool:
        """Whether it asks for everything without some terms, which many sources refuse."""
        return bool(self.excluded) and not self.wanted


Asked = tuple[Query, int]
"""A result page: its query, and its number from 1."""


class Search(msgspec.Struct, frozen=True):
    """Result page `number` (from 1) of a query, wanted by a policy."""

    query: Query
    number: int = 1


class Probe(Search, frozen=True):
    """The same, to measure the source and not to harvest it.

    Every document of the page is reported, held or not, and results are counted separately.

    Attributes:
        reads: False if document pages need not be requested: the result page is enough.
    """

    reads: bool = True


class Finish(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """A policy is done.

    Attributes:
        reason: One clause for people, e.g. "every selected query was sent".
        target_met: False if the source did not let the policy reach its goal.
        is_selection: True if only a person's own queries were sent, so that their end says nothing
            about other documents.
    """

    reason: str
    target_met: bool = True
    is_selection: bool = False
