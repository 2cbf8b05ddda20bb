"""Fields of rows in JSON: all values that most rows have, under their own names."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from longline.discovery.fields.places import MOST, Places, Seen
from longline.discovery.reading import JOINED, last_name, named, pairs_in
from longline.source.spec import FieldPlace, Results

DEPTH = 4
"""How many names the path to a value may have."""

_FIRST = " | [0]"
"""Suffix of the path to a name's value in a list of names and values, if it has at most one."""

LONGEST_TEXT = 20_000
"""Maximum length of a value in characters; longer ones are texts of their own, or files."""


class Row(msgspec.Struct, frozen=True):
    """A row of a result page, or the JSON of a document.

    Attributes:
        key: Key of its document; "" if unknown.
        item: An object, or a list of cells.
    """

    key: str
    item: Any


def rows_of(keys: Sequence[str], items: Sequence[Any]) -> list[Row]:
    """Return rows with the keys of their documents, or without keys if the numbers differ."""
    if len(keys) != len(items):
        return [Row("", item) for item in items]
    return [Row(key, item) for key, item in zip(keys, items, strict=True)]


def kept_paths(results: Results, *, is_read: bool) -> set[str]:
    """Return the paths in a row of JSON that are already kept, such as the title.

    Args:
        results: The selectors of the spec.
        is_read: Whether texts are on pages of their own; if not, the row's snippet is the text.
    """
    text = results.text or ("" if is_read else results.snippet)
    kept = [results.key, results.title, text, results.language]
    kept += [] if results.link_template else [results.link]
    paths = [selector.removeprefix("jmes:") for selector in kept]
    # A path for all languages begins with that of the most frequent one.
    return {*paths, *(path.partition(" || ")[0] for path in paths)}


def data_fields(
    rows: Sequence[Row],
    *,
    taken: Collection[str] = (),
    labels: Sequence[str] = (),
    where: Literal["row", "page"] = "row",
) -> dict[str, FieldPlace]:
    """Return the fields of rows in JSON, by their own names: nested ones with dots.

    Args:
        rows: Rows; those of several queries show what depends on the query.
        taken: Paths that are already kept.
        labels: Names of the cells, if rows are lists.
        where: Whether they are rows of a result page or documents' pages.

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
    """Yield the places of an object with values: path, values, and whether they are a list."""
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
    """Yield the plain values of a list together, and the values of its objects by name."""
    plain = tuple(each for each in items if not isinstance(each, dict | list))
    if plain or not items:
        yield path, plain, True
        return
    if "[*]" in path:
        return
    for place, values in pairs_in(items).items():
        if not place.endswith(JOINED):
            yield f"{path}{place}", tuple(values), len(values) > 1
    for each in items:
        if isinstance(each, dict) and depth:
            for name, value in each.items():
                if not isinstance(value, dict | list):
                    yield f"{path}[*].{named(name)}", (value,), True
