"""Walk through JSON: its lists of objects, and what objects hold, by JMESPath."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

DEPTH = 5
_PLAIN = re.compile(r"[A-Za-z_]\w*")

Leaf = str | int | float | bool | None


def named(name: str) -> str:
    """Return a name as JMESPath writes it.

    >>> named("title"), named("@id")
    ('title', '"@id"')
    """
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return name if _PLAIN.fullmatch(name) else f'"{escaped}"'


def lists_in(data: Any, path: str = "", depth: int = DEPTH) -> Iterator[tuple[str, list[Any]]]:
    """Yield every list of objects, with the path that selects its items.

    Lists inside such a list's items are parts of them, and are not yielded.

    >>> list(lists_in({"data": {"hits": [{"id": 1}], "took": 3}}))
    [('data.hits[*]', [{'id': 1}])]
    """
    if isinstance(data, list):
        objects = [item for item in data if isinstance(item, dict)]
        if objects and len(objects) == len(data):
            yield f"{path}[*]", data
        # An answer to several searches at once has a list of one answer.
        if len(data) == 1 and depth and isinstance(data[0], dict):
            yield from lists_in(data[0], f"{path}[0]", depth - 1)
        return
    if not isinstance(data, dict) or not depth:
        return
    values = list(data.values())
    is_list = path and len(values) >= 2 and all(key.isdigit() for key in data)
    if is_list and all(isinstance(value, dict) for value in values):
        yield f"{path}.*", values
        return
    for name, value in data.items():
        yield from lists_in(value, f"{path}.{named(name)}" if path else named(name), depth - 1)


def longest_list(data: Any) -> list[Any]:
    """Return the longest list of objects there is; [] where there is none."""
    return max((items for _, items in lists_in(data)), key=len, default=[])


def leaves_of(item: Any, path: str = "", depth: int = 3) -> Iterator[tuple[str, Leaf]]:
    """Yield what an object holds, by path; lists of plain values as one text.

    >>> dict(leaves_of({"id": 7, "_source": {"title": "A", "by": ["B", "C"]}}))
    {'id': 7, '_source.title': 'A', '_source.by': 'B C'}
    """
    if isinstance(item, dict):
        for name, value in item.items() if depth else ():
            inner = f"{path}.{named(name)}" if path else named(name)
            yield from leaves_of(value, inner, depth - 1)
    elif isinstance(item, list):
        if path and item and all(isinstance(value, (str, int, float)) for value in item):
            yield path, " ".join(map(str, item))
    elif path:
        yield path, item


def last_name(path: str) -> str:
    """Return the last name of a path.

    >>> last_name('a.b."@id"')
    '@id'
    """
    return path.rpartition(".")[2].strip('"').replace("[*]", "").replace("[0]", "")
