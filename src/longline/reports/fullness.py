"""Count how many documents have each field, and their dates."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import msgspec

from longline.model import Document

OWN = ("key", "url", "title", "text", "language")
"""Fields of every document; dates in them are ignored."""

DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-\d\d")

MOST_MONTHS = 48
"""Maximum number of months to count dates by; longer periods are counted by year."""


class FieldCount(msgspec.Struct, frozen=True, kw_only=True):
    """How many of the documents have a value in a field."""

    name: str
    filled: int
    documents: int


class DateCount(msgspec.Struct, frozen=True, kw_only=True):
    """How many documents are of one period, by a field with dates.

    Attributes:
        period: A year, or a month if all dates are within few years, in ISO 8601.
    """

    field: str
    period: str
    documents: int


class Fullness:
    """Counts which fields have values, document by document.

    >>> fullness = Fullness()
    >>> fullness.add(Document("a", title="one"))
    >>> [(each.name, each.filled) for each in fullness.counts() if each.filled]
    [('title', 1)]
    """

    def __init__(self) -> None:
        self._documents = 0
        self._filled: Counter[str] = Counter()
        self._months: dict[str, Counter[str]] = defaultdict(Counter)

    def add(self, document: Document) -> None:
        """Count a document."""
        self._documents += 1
        for name, value in _fields(document):
            self._filled[name] += bool(value or value == 0)
            if isinstance(value, str) and name not in OWN and DATE.fullmatch(value[:10]):
                self._months[name][value[:7]] += 1

    def counts(self) -> tuple[FieldCount, ...]:
        """Return how many documents have each field: common fields first, then the source's."""
        if not self._documents:
            return ()
        own = [name for name in Document.__struct_fields__ if name not in ("key", "fields")]
        names = dict.fromkeys([*own, *sorted(self._filled)])
        return tuple(
            FieldCount(name=name, filled=self._filled[name], documents=self._documents)
            for name in names
        )

    def dates(self) -> tuple[DateCount, ...]:
        """Return the number of documents per month, or per year if there are many months."""
        return tuple(each for name in self._months for each in self._dates(name))

    def _dates(self, field: str) -> Iterator[DateCount]:
        months = self._months[field]
        numbers = sorted(12 * int(month[:4]) + int(month[5:]) - 1 for month in months)
        by_year = numbers[-1] - numbers[0] >= MOST_MONTHS
        periods: Counter[str] = Counter()
        for month, documents in months.items():
            periods[month[:4] if by_year else month] += documents
        first, last = (number // 12 if by_year else number for number in (numbers[0], numbers[-1]))
        for number in range(first, last + 1):
            period = f"{number:04}" if by_year else f"{number // 12:04}-{number % 12 + 1:02}"
            yield DateCount(field=field, period=period, documents=periods[period])


def _fields(document: Document) -> Iterator[tuple[str, object]]:
    for name in document.__struct_fields__:
        value = getattr(document, name)
        if isinstance(value, dict):
            yield from value.items()
        elif name != "key":
            yield name, value
