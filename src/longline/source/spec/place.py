"""Say where in a TOML file something is wrong, and what is allowed there."""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

import msgspec

from longline.errors import in_plain


def line_of(text: str, key: str) -> int | None:
    """Find the line (from 1) where a key path stands, else its table's; None if nowhere."""
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


def explain(
    message: str, raw: Mapping[str, Any], tables: Mapping[str, type[msgspec.Struct]]
) -> tuple[str, str, str]:
    """Turn msgspec's message into (key path, problem, next step).

    Args:
        message: As "Object contains unknown field `hitt` - at `$.results`".
        raw: The tables as they were read.
        tables: The types they should have, by key path; "" is the whole file.
    """
    said, _, path = message.partition(" - at `$")
    said, path = said.replace("`", ""), re.sub(r"\[[^\]]*\]", "", path.rstrip("`").lstrip("."))
    if field := re.search(r"(unknown|missing required) field (\S+)", said):
        name = field[2]
        key = f"{path}.{name}" if path else name
        if field[1] == "unknown":
            known = [known.encode_name for known in msgspec.structs.fields(tables[path])]
            return key, f"unknown key {name!r}", allowed(name, known)
        return (
            key,
            f"the key {name!r} is missing",
            f"add it to {f'[{path}]' if path else 'the file'}",
        )
    value: Any = raw
    for part in path.split("."):
        value = value.get(part, value) if isinstance(value, dict) else value
    if "enum" in said:
        return path, f"{value!r} is not allowed", allowed(str(value), _literals(path, tables))
    plain = in_plain(said)
    return path, f"{value!r} does not fit: {plain[:1].lower()}{plain[1:]}", "correct the value"


def _literals(path: str, tables: Mapping[str, type[msgspec.Struct]]) -> list[str]:
    table, _, name = path.rpartition(".")
    types = {field.encode_name: field.type for field in msgspec.structs.fields(tables[table])}
    parts = [types[name], *get_args(types[name])]
    return [value for part in parts for value in get_args(part) if isinstance(value, str)]


def allowed(value: str, known: Sequence[str]) -> str:
    """Say which values are allowed, the likely one first.

    >>> allowed("htm", ["html", "json"])
    'did you mean html? take one of: html, json'
    """
    near = difflib.get_close_matches(value, known, n=1)
    return f"{f'did you mean {near[0]}? ' if near else ''}take one of: {', '.join(known)}"
