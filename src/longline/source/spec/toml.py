"""Write plain tables as TOML. The standard library reads TOML but does not write it."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def write_toml(tables: Mapping[str, Any], *, notes: Mapping[str, str]) -> str:
    """Write tables of strings, integers, booleans and lists of them.

    Args:
        tables: Nested mappings; a mapping becomes a [table].
        notes: Comments by key path, written above the key or the table.

    >>> print(write_toml({"ask": {"limit": 20, "form": {"field": "q"}}}, notes={"ask.limit": "!"}))
    [ask]
    # !
    limit = 20
    <BLANKLINE>
    [ask.form]
    field = "q"
    <BLANKLINE>
    """
    return "\n".join(_lines(tables, (), notes)).lstrip("\n") + "\n"


def _lines(
    table: Mapping[str, Any], path: tuple[str, ...], notes: Mapping[str, str]
) -> Iterator[str]:
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    if path and (plain or not table):
        yield ""
        yield from _note(path, notes)
        yield f"[{'.'.join(map(_key, path))}]"
    for key, value in plain.items():
        yield from _note((*path, key), notes)
        yield f"{_key(key)} = {_value(value)}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _lines(value, (*path, key), notes)


def _note(path: tuple[str, ...], notes: Mapping[str, str]) -> Iterator[str]:
    for line in notes.get(".".join(path), "").splitlines():
        # Control characters are not allowed in a comment.
        yield "# " + "".join(letter if letter.isprintable() else " " for letter in line)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def _value(value: str | int | bool | list[Any]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return _string(value)


def _string(text: str) -> str:
    # A regular expression is easier to read without escaped backslashes.
    if ("\\" in text or '"' in text) and "'" not in text and text.isprintable():
        return f"'{text}'"
    # JSON's escapes are TOML's, except for the one control character that JSON does not escape.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
