"""Fields: a document's data besides its title and text, as typed values with names.

A value is a text, a number, a date or a URL; or several of one of these. Dates are stored in ISO
8601, URLs as texts. The intended type is in the source spec; the actual type of a harvest's values
is in its columns, which all exports use.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Literal, get_args

import msgspec

FieldType = Literal["text", "number", "date", "url"]
TYPES: tuple[FieldType, ...] = get_args(FieldType)

DateOrder = Literal["", "day", "month"]
"""What numeric dates such as 03/04/2024 begin with; "" if that is not known."""

Scalar = str | int | float
Value = Scalar | tuple[Scalar, ...]
Fields = dict[str, Value]

OWN = ("key", "url", "title", "text", "language", "attachments", "fields")
"""Names that every document uses; no field may have one of them."""

MOST_LETTERS = 40
"""Maximum length of a date or a number; a longer value is a text."""

_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
_ISO = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?(?:\d\d)?)?)?"
)
_WRITTEN = ("%d %B %Y", "%B %d, %Y", "%d %b %Y", "%b %d, %Y", "%Y/%m/%d", "%d.%m.%Y", "%Y%m%d")
_NUMERIC = re.compile(
    r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:,? (\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([ap])\.?m\.?)?)?",
    re.IGNORECASE,
)
"""Matches a date with the year at its end, and perhaps a time of day."""

_URL = re.compile(r"https?://[^\s/?#]+\S*", re.IGNORECASE)
_LARGEST = 2**63


class Field(msgspec.Struct, frozen=True):
    """A field as declared in a source spec.

    Attributes:
        many: A document may have several values.
    """

    type: FieldType = "text"
    many: bool = False


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """A field over all documents of a harvest.

    Attributes:
        type: Of every value. It is "text" if some values do not fit the spec's type (`unfit`), so
            that no value is lost.
        many: Some documents have several values.
        is_whole: For numbers: all are integers. For dates: none has a time of day.
        filled: Documents that have it.
        of: All documents.
        unfit: Values that do not fit the spec's type.
    """

    type: FieldType
    many: bool = False
    is_whole: bool = True
    filled: int = 0
    of: int = 0
    unfit: int = 0


def both(one: Column, other: Column) -> Column:
    """Return the column of two harvests' values; of different types, these are texts.

    >>> both(Column(type="number", filled=1, of=2), Column(type="date", of=3)).type
    'text'
    """
    return Column(
        type=one.type if one.type == other.type else "text",
        many=one.many or other.many,
        is_whole=one.is_whole and other.is_whole,
        filled=one.filled + other.filled,
        of=one.of + other.of,
        unfit=one.unfit + other.unfit,
    )


def read_value(found: object, kind: FieldType, order: DateOrder = "") -> Scalar | None:
    """Return a value as it is stored, or None if there is none.

    A value that does not fit its type is stored as text. So is a numeric date whose order is not
    known.

    >>> [read_value(each, "number") for each in ("1,234", "7.5", 3, "about 9", " ", None)]
    [1234, 7.5, 3, 'about 9', None, None]
    >>> [read_value(each, "date") for each in ("5 March 2024", "2024-03-05T10:00Z", "03/05/2024")]
    ['2024-03-05', '2024-03-05T10:00:00Z', '03/05/2024']
    >>> read_value("03/05/2024", "date", "day"), read_value("03/05/2024", "date", "month")
    ('2024-05-03', '2024-03-05')
    """
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, int | float):
        if not isfinite(found):
            return None
        return found if kind == "number" else str(found)
    text = " ".join(str(found).split()) if found is not None else ""
    if kind == "number":
        number = _number(text)
        return number if number is not None else text or None
    if kind == "date":
        return _date(_in_order(text, order)) or text or None
    return text or None


def _in_order(text: str, order: DateOrder) -> str:
    """Return a numeric date in ISO 8601, by the order of its numbers; other texts as they are.

    >>> _in_order("11/19/2010 00:00:00", "month"), _in_order("9.3.2024, 3:05 pm", "day")
    ('2010-11-19', '2024-03-09T15:05:00')
    """
    found = _NUMERIC.fullmatch(text) if order else None
    if found is None:
        return text
    first, _, second, year, hours, minutes, seconds, half = found.groups()
    day, month = (first, second) if order == "day" else (second, first)
    written = f"{year}-{month:0>2}-{day:0>2}"
    hour = int(hours or 0) if half is None else int(hours) % 12 + 12 * (half in "pP")
    time = f"{hour:02}:{minutes or '00'}:{seconds or '00'}"
    return written if time == "00:00:00" else f"{written}T{time}"


def order_of_dates(values: Iterable[object]) -> DateOrder:
    """Return what numeric dates begin with, if one of them shows it; "" if they are no such dates.

    >>> order_of_dates(["11/19/2010", "03/04/2011"]), order_of_dates(["19/11/2010"])
    ('month', 'day')
    >>> order_of_dates(["03/04/2011"]), order_of_dates(["11/19/2010", "soon"])
    ('', '')
    """
    found = [_NUMERIC.fullmatch(str(each).strip()) for each in values]
    if not all(found):
        return ""
    fitting: list[DateOrder] = ["day", "month"]
    for order in ("day", "month"):
        if any(each and moment(_in_order(each[0], order)) is None for each in found):
            fitting.remove(order)
    return fitting[0] if len(fitting) == 1 else ""


def as_fields(given: Mapping[str, object]) -> Fields:
    """Return a program's values as fields.

    Raises:
        ValueError: A name is reserved for every document.

    >>> as_fields({"on": date(2024, 3, 5), "by": ["Ada", "Max"], "pages": 7, "note": None})
    {'on': '2024-03-05', 'by': ('Ada', 'Max'), 'pages': 7}
    """
    found: Fields = {}
    for name, value in given.items():
        if name in OWN:
            raise ValueError(f"no field may be named {name!r}")
        is_many = isinstance(value, list | tuple | set | frozenset)
        each_of = list(value) if is_many else [value]  # type: ignore[call-overload]
        kept = tuple(each for one in each_of if (each := _given(one)) is not None)
        if kept:
            found[str(name)] = kept if is_many else kept[0]
    return found


def _given(value: object) -> Scalar | None:
    if isinstance(value, date):
        return _iso(_in_utc(value) if isinstance(value, datetime) else value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return read_value(value, "number" if is_number else "text")


def guess_type(values: Iterable[object]) -> FieldType:
    """Return the type that all values have; text if they differ or it is unclear.

    A string of digits that starts with a zero is a name, not a number.

    >>> guess_type([1, "2.5"]), guess_type(["2024-03-05", "5 March 2024"]), guess_type(["007"])
    ('number', 'date', 'text')
    >>> guess_type(["https://x.example/1"]), guess_type([True]), guess_type([])
    ('url', 'text', 'text')
    """
    given = [each for each in values if each is not None and each != ""]
    for kind in ("number", "date", "url"):
        if given and all(_seems(each, kind) for each in given):
            return kind
    return "text"


def _seems(found: object, kind: FieldType) -> bool:
    value = read_value(found, kind)
    if isinstance(found, bool) or value is None or not fits(value, kind):
        return False
    is_digits = isinstance(found, str) and found.strip().isdigit()
    is_name = is_digits and (len(str(found).strip()) > 1 and str(found).strip()[0] == "0")
    return not is_name and not (kind == "date" and is_digits)


def fits(value: Scalar, kind: FieldType) -> bool:
    """Return whether a stored value fits a type.

    >>> fits(7, "number"), fits("7", "number"), fits("2024-03-05", "date"), fits("x", "url")
    (True, False, True, False)
    """
    if kind == "number":
        return not isinstance(value, str) and -_LARGEST <= value < _LARGEST
    if kind == "date":
        return isinstance(value, str) and moment(value) is not None
    if kind == "url":
        return isinstance(value, str) and _URL.fullmatch(value) is not None
    return isinstance(value, str)


def moment(value: str) -> date | datetime | None:
    """Return a date as a Python object, with a time in UTC, or None if it is not a date.

    A time without a zone counts as UTC.

    >>> moment("2024-03-05"), moment("2024-03-05T12:00:00+02:00"), moment("soon")
    (datetime.date(2024, 3, 5), datetime.datetime(2024, 3, 5, 10, 0, \
tzinfo=datetime.timezone.utc), None)
    """
    if not _ISO.fullmatch(value):
        return None
    try:
        if len(value) == len("2024-03-05"):
            return date.fromisoformat(value)
        return _in_utc(datetime.fromisoformat(value.replace(",", ".")))
    except (ValueError, OverflowError):
        return None


def _in_utc(found: datetime) -> datetime:
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)


def _number(text: str) -> int | float | None:
    if len(text) > MOST_LETTERS or not _NUMBER.fullmatch(text):
        return None
    plain = text.replace(",", "")
    if plain.lstrip("+-").isdigit():
        return int(plain)
    return float(plain) if isfinite(float(plain)) else None


def _date(text: str) -> str | None:
    """Return a date in ISO 8601, or None if it is not a date or ambiguous."""
    if not 8 <= len(text) <= MOST_LETTERS:
        return None
    found = moment(text)
    if found is not None:
        return _iso(found)
    with suppress(ValueError, TypeError, OverflowError, IndexError):
        if "," in text and ":" in text:  # as in a header: Tue, 05 Mar 2024 10:00:00 GMT
            return _iso(parsedate_to_datetime(text).astimezone(UTC))
    for form in _WRITTEN:
        with suppress(ValueError):
            return datetime.strptime(text, form).date().isoformat()
    return None


def _iso(found: date | datetime) -> str:
    if not isinstance(found, datetime):
        return found.isoformat()
    return found.replace(tzinfo=None).isoformat() + "Z"


def scalars(value: Value | None) -> tuple[Scalar, ...]:
    """Return each value of a field: none, one or several.

    >>> scalars(7), scalars(("a", "b")), scalars(None)
    ((7,), ('a', 'b'), ())
    """
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def flat(value: Value | None, between: str = "; ") -> str:
    """Return a field as one text, as in a cell of a table; "" if it is None.

    >>> flat(("a", "b")), flat(7), flat(None)
    ('a; b', '7', '')
    """
    return between.join(map(str, scalars(value)))


class _Tally:
    """Counts the types of the values of one field."""

    def __init__(self, declared: Field | None) -> None:
        self.declared = declared
        self.filled = self.values = 0
        self.many = False
        self.fitting = dict.fromkeys(TYPES, 0)
        self.whole = dict.fromkeys(TYPES, 0)

    def add(self, value: Value) -> None:
        each_of = scalars(value)
        self.filled += bool(each_of)
        self.many |= isinstance(value, tuple)
        for each in each_of:
            self.values += 1
            for kind in TYPES if self.declared is None else (self.declared.type,):
                if fits(each, kind):
                    self.fitting[kind] += 1
                    self.whole[kind] += isinstance(each, int) or (
                        kind == "date" and len(str(each)) == len("2024-03-05")
                    )

    def column(self, of: int) -> Column:
        kind, unfit = self._type()
        return Column(
            type=kind,
            many=self.many or (self.declared is not None and self.declared.many),
            is_whole=self.whole[kind] == self.values or kind not in ("number", "date"),
            filled=self.filled,
            of=of,
            unfit=unfit,
        )

    def _type(self) -> tuple[FieldType, int]:
        if self.declared is not None:
            unfit = self.values - self.fitting[self.declared.type]
            return ("text" if unfit else self.declared.type), unfit
        for kind in ("number", "date", "url"):
            if self.values and self.fitting[kind] == self.values:
                return kind, 0
        return "text", 0


def columns_of(
    declared: Mapping[str, Field], documents: Iterable[Mapping[str, Value]]
) -> dict[str, Column]:
    """Return the fields of a harvest with their types: those of the spec first.

    Args:
        declared: The spec's fields, by name, in its order.
        documents: The fields of every document.

    >>> found = columns_of({"year": Field("number")}, [{"year": 1990}, {"by": ("Ada", "Max")}])
    >>> [(name, each.type, each.many, each.filled, each.of) for name, each in found.items()]
    [('year', 'number', False, 1, 2), ('by', 'text', True, 1, 2)]
    """
    tallies = {name: _Tally(field) for name, field in declared.items()}
    of = 0
    for of, fields in enumerate(documents, start=1):  # noqa: B007  # counts them
        for name, value in fields.items():
            if name not in tallies:
                tallies[name] = _Tally(None)
            tallies[name].add(value)
    return {name: tally.column(of) for name, tally in tallies.items()}
