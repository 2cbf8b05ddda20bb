"""Decide which places of values are fields."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from longline.discovery.answer import compiles
from longline.model.fields import OWN, guess_type, order_of_dates
from longline.source.select import Kind, fold
from longline.source.spec import FieldPlace

MOST = 0.5
"""A field must be in at least this share of the rows..."""

SOME, LONG = 0.05, 200
"""... or in this share, if its values have this many letters on average: the texts of some."""

MOST_FIELDS = 80
"""How many fields a source has at most; further ones are left out."""

LONGEST_NAME = 60

_OF_QUERY = re.compile(r"^_?(?:score|rank(?:ing)?|relevan\w*|highlight\w*|\w*position)$", re.I)
_MARKED = re.compile(r"</?(?:em|mark|strong|b|span|hl)\b", re.I)


class Seen(msgspec.Struct):
    """The values of one place, row by row.

    Attributes:
        selector: Selects the place.
        values: The values by row; () if the place exists but is empty.
        many: Whether some row has several values.
        constant: Whether it may be the same in every row; labels and buttons may not.
    """

    selector: str
    values: dict[int, tuple[object, ...]]
    many: bool = False
    constant: bool = True


def see(
    seen: dict[str, Seen], number: int, name: str, selector: str, said: tuple[str, ...]
) -> None:
    """Note the values of a name in a row; of several places with this name, the first counts."""
    place = seen.setdefault(name, Seen(selector, {}, constant=not selector.startswith("css:")))
    if place.selector == selector and number not in place.values:
        place.values[number] = said
        place.many |= len(said) > 1


class Places:
    """The fields of a source found so far.

    Args:
        where: Whether the places are in rows or pages.
        kind: Format that the selectors are for.

    Attributes:
        found: The fields by name.
    """

    def __init__(self, where: Literal["row", "page"], kind: Kind) -> None:
        self._where: Literal["row", "page"] = where
        self._kind = kind
        self.found: dict[str, FieldPlace] = {}

    def take(self, seen: Mapping[str, Seen], rows: int, keys: Sequence[str] = ()) -> None:
        """Add the places that are in most rows and do not depend on the query.

        Args:
            seen: Places by name.
            rows: Number of rows.
            keys: Key of each row's document; () if unknown.
        """
        for name, place in seen.items():
            values = [value for each in place.values.values() for value in each]
            is_long = len("".join(map(str, values))) >= LONG * max(1, len(values))
            least = max(1, (SOME if is_long else MOST) * rows)
            if len(self.found) >= MOST_FIELDS or len(place.values) < least:
                continue
            if not values or self._depends_on_query(name, place, keys):
                continue
            if not place.constant and len(place.values) > 2 and len(set(map(str, values))) == 1:
                continue
            free = _free_name(name, self._where, self.found)
            if not free or not compiles(place.selector, self._kind):
                continue
            row, page = (place.selector, "") if self._where == "row" else ("", place.selector)
            order = order_of_dates(values)
            kind = "date" if order else guess_type(values)
            self.found[free] = FieldPlace(row, page, kind, place.many or None, order)

    def _depends_on_query(self, name: str, place: Seen, keys: Sequence[str]) -> bool:
        """Return whether a value depends on the query rather than on the document.

        If a document is found by two queries, its own values are the same both times.
        """
        by_key: dict[str, set[str]] = {}
        again = 0
        for number, values in place.values.items():
            if number < len(keys):
                known = by_key.setdefault(keys[number], set())
                again += bool(known)
                known.add(str(values))
        if any(len(known) > 1 for known in by_key.values()):
            return True
        every = [value for values in place.values.values() for value in values]
        is_marked = any(isinstance(value, str) and _MARKED.search(value) for value in every)
        is_named = bool(_OF_QUERY.search(name.rpartition(".")[2]))
        return (is_named or is_marked) and not again


def _free_name(name: str, where: str, taken: Mapping[str, FieldPlace]) -> str:
    """Return a name for a field, or "" if it has none or the name is used."""
    name = fold(name).strip(" :.*")[:LONGEST_NAME].strip()
    if name.casefold() in OWN:
        name = f"{where}.{name}"
    known = {each.casefold() for each in taken}
    return "" if not re.search(r"\w", name) or name.casefold() in known else name
