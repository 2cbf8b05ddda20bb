"""Find where a TOML file is wrong, and which values are allowed there."""

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec.inspect import is_struct_type

from longline.text.safe import in_plain


def line_of(text: str, key: str) -> int | None:
    """Return the line (from 1) of a key path, or else of its table; None if there is neither."""
    if not key:
        return None
    table, _, name = key.rpartition(".")
    current, fallback = "", None
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line):
            current = header[1].replace('"', "").replace(" ", "")
            if current == key:
                return number
            fallback = number if current == table else fallback
        elif (current == table or current.startswith(f"{table}.")) and re.match(
            rf'\s*"?{re.escape(name)}"?\s*[=.]', line
        ):
            return number
    return fallback


def misfits(raw: Any, kind: Any, key: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield (key path, problem, next step) for all that does not fit a type, in the file's order.

    Args:
        raw: The parsed value.
        kind: The expected type, including the types inside tables.
        key: Its key path; "" is the entire file.

    >>> class Shop(msgspec.Struct):
    ...     url: str
    ...     limit: int = 0
    >>> for misfit in misfits({"ulr": 1, "limit": "x"}, Shop):
    ...     print(*misfit, sep="; ")
    ulr; unknown key 'ulr'; did you mean url? take one of: url, limit
    limit; 'x' does not fit: expected a whole number, got a text; correct the value
    """
    if is_struct_type(kind) and isinstance(raw, dict):
        yield from _of_table(raw, kind, key)
    elif get_origin(kind) is dict and isinstance(raw, dict):
        for name, each in raw.items():
            yield from misfits(each, get_args(kind)[1], _path(key, name))
    elif table := next(filter(is_struct_type, get_args(kind)), None):
        yield from misfits(raw, table, key)
    else:
        try:
            msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            said = in_plain(str(error).partition(" - at `$")[0].replace("`", ""))
            if "enum" in said:
                values = [each for each in _values(kind) if each]
                yield key, f"{raw!r} is not allowed", allowed(str(raw), values)
            else:
                problem = f"{raw!r} does not fit: {said[:1].lower()}{said[1:]}"
                yield key, problem, "correct the value"


def _of_table(
    raw: dict[str, Any], kind: type[msgspec.Struct], key: str
) -> Iterator[tuple[str, str, str]]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    meant = set()
    for name, value in raw.items():
        if name in fields:
            yield from misfits(value, fields[name].type, _path(key, name))
        else:
            meant |= set(difflib.get_close_matches(name, fields, n=1))
            yield _path(key, name), f"unknown key {name!r}", allowed(name, list(fields))
    for name, field in fields.items():
        if field.required and name not in raw and name not in meant:
            add = f"add it to {f'[{key}]' if key else 'the file'}"
            yield _path(key, name), f"the key {name!r} is missing", add


def _path(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _values(kind: Any) -> list[str]:
    """Return the texts that a type allows."""
    if get_origin(kind) is Literal:
        return [each for each in get_args(kind) if isinstance(each, str)]
    return [value for part in get_args(kind) for value in _values(part)]


def allowed(value: str, known: Sequence[str]) -> str:
    """Return a message with the allowed values, the closest one first.

    >>> allowed("htm", ["html", "json"])
    'did you mean html? take one of: html, json'
    """
    near = difflib.get_close_matches(value, known, n=1)
    return f"{f'did you mean {near[0]}? ' if near else ''}take one of: {', '.join(known)}"
