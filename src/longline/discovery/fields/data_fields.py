"""Fields of rows in JSON: every value that stands in most of them, under its own name."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from longline.discovery.fields.places import MOST, Places, Seen
from longline.discovery.reading import last_name, named, pairs_in
from longline.source.spec import FieldPlace, Results

DEPTH = 4
"""Names on the way to a value, at most."""

_FIRST = " | [0]"
"""Behind the path to a name's values in a list of names and values, where it has one at most."""

LONGEST_TEXT = 20_000
"""Characters of a value; what is longer is a text of its own, or a file."""


class Row(msgspec.Struct, frozen=True):
    """A row of a listing, or the JSON of a document.

    Attributes:
        key: Of its document; "" where that is not known.
        item: An object, or a list of cells.
    """

    key: str
    item: Any


def rows_of(keys: Sequence[str], items: Sequence[Any]) -> list[Row]:
    """Return rows with the keys of their documents, where each has one."""
    if len(keys) != len(items):
        return [Row("", item) for item in items]
    return [Row(key, item) for key, item in zip(keys, items, strict=True)]


def kept_paths(results: Results, *, is_read: bool) -> set[str]:
    """Return the paths in a row of JSON that are kept already, as title, say.

    Args:
        results: Where they are.
        is_read: Texts are on pages of their own; else what a row has of them is kept as the text.
    """
    text = results.text or ("" if is_read else results.snippet)
    kept = [results.key, results.title, text, results.language]
    kept += [] if results.link_template else [results.link]
    return {selector.removeprefix("jmes:") for selector in kept}


def data_fields(
    rows: Sequence[Row],
    *,
    taken: Collection[str] = (),
    labels: Sequence[str] = (),
    where: Literal["row", "page"] = "row",
) -> dict[str, FieldPlace]:
    """Return the fields of rows in JSON, by their own names: nested ones with dots.

    Args:
        rows: Those of several searches tell what depends on the search.
        taken: Paths that are kept as something else.
        labels: Names of the cells, where rows are lists.
        where: What the rows are.

    >>> rows = [Row("a", {"year": 1990, "by": [{"name": "Ada"}], "tags": ["sea"], "note": None})]
    >>> found = data_fields(rows)
    >>> [(name, each.row, each.type, each.many) for name, each in found.items()]
    [('year', 'jmes:year', 'number', None), ('by.name', 'jmes:by[*].name', 'text', True), \
('tags', 'jmes:tags', 'text', True)]
    >>> cells = [{"Key": "Year", "Value": "1990"}, {"Key": "By", "Value": "Ada"}]
    >>> [(name, each.row) for name, each in data_fields([Row("a", {"cells": cells})]).items()]
    [('Year', "jmes:cells[?Key=='Year'].Value | [0]"), ('By', "jmes:cells[?Key=='By'].Value | [0]")]
    """
    seen: dict[str, Seen] = {}
    for number, row in enumerate(rows):
        for path, values, many in _leaves(row.item, "", DEPTH):
            if path in taken or path + _FIRST in taken:
                continue
            place = seen.setdefault(path, Seen(f"jmes:{path}", {}))
            kept = tuple(value for value in values if value not in (None, ""))
            place.values[number] = place.values.get(number, ()) + kept
            place.many |= many
    paired = {path for path in seen if "[?" in path and len(seen[path].values) >= MOST * len(rows)}
    for path in paired:
        seen[path].selector += "" if seen[path].many else _FIRST
    holders = {path.partition("[?")[0] for path in paired}
    seen = {path: seen[path] for path in seen if path.partition("[*]")[0] not in holders}
    places = Places(where, "json")
    keys = [row.key for row in rows] if all(row.key for row in rows) else []
    places.take(_by_name(seen, labels), len(rows), keys)
    return places.found


def _by_name(seen: Mapping[str, Seen], labels: Sequence[str]) -> dict[str, Seen]:
    found: dict[str, Seen] = {}
    for path, place in seen.items():
        name = last_name(path) if "[?" in path else path.replace("[*]", "").replace('"', "")
        if name.startswith("["):
            number, _, rest = name[1:].partition("]")
            label = (
                labels[int(number)] if int(number) < len(labels) else f"column {int(number) + 1}"
            )
            name = label + rest
        found.setdefault(name, place)
    return found


def _leaves(item: Any, path: str, depth: int) -> Iterator[tuple[str, tuple[Any, ...], bool]]:
    """Yield each place of an object that holds values: its path, these, whether it is a list."""
    if isinstance(item, dict):
        for name, value in item.items() if depth else ():
            inner = f"{path}.{named(name)}" if path else named(name)
            yield from _leaves(value, inner, depth - 1)
    elif isinstance(item, list) and not path:
        for number, cell in enumerate(item):
            yield from _leaves(cell, f"[{number}]", depth - 1)
    elif isinstance(item, list):
        yield from _members(item, path, depth)
    elif path and not (isinstance(item, str) and len(item) > LONGEST_TEXT):
        yield path, (item,), False


def _members(
    items: list[Any], path: str, depth: int
) -> Iterator[tuple[str, tuple[Any, ...], bool]]:
    """Yield the plain values of a list together, and those of its objects by their names."""
    plain = tuple(each for each in items if not isinstance(each, dict | list))
    if plain or not items:
        yield path, plain, True
        return
    if "[*]" in path:
        return
    for place, values in pairs_in(items).items():
        yield f"{path}{place}", tuple(values), len(values) > 1
    for each in items:
        if isinstance(each, dict) and depth:
            for name, value in each.items():
                if not isinstance(value, dict | list):
                    yield f"{path}[*].{named(name)}", (value,), True
