"""Read, check and write source spec files."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import NODEFAULT

from longline.errors import SpecError
from longline.source.check import contradictions
from longline.source.spec import (
    Spec,
    Table,
    line_of,
    misfits,
    write_toml,
)


class SpecFileError(SpecError):
    """An error in a spec, with its position.

    Args:
        where: The file's name.
        key: The key path, or "" for the entire file.
        line: From 1; None if no line belongs to the key.
    """

    def __init__(
        self, problem: str, *, advice: str, where: str, key: str = "", line: int | None = None
    ) -> None:
        self.where = where
        self.key = key
        self.line = line
        super().__init__(f"{where}{_place(line, key)}: {problem}", advice=advice)


def read_spec(text: str, *, where: str = "source.toml") -> Spec:
    """Read and check a source spec.

    Args:
        text: The TOML.
        where: The file's name, for messages.

    Raises:
        SpecFileError: It is not TOML, a key is unknown, missing or of the wrong type, a selector
            does not compile, or it contradicts itself. It names every wrong key; contradictions
            only if all keys are right.

    >>> read_spec('''
    ... [source]
    ... name = "shop"
    ... url = "https://shop.example/"
    ... [ask]
    ... url = "https://shop.example/search?q={query}"
    ... [results]
    ... hit = "css:li"
    ... link = "a"
    ... ''').results.hit
    'css:li'
    """
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        line = re.search(r"at line (\d+)", str(error))
        is_list = text.lstrip().startswith(("http://", "https://"))
        raise SpecFileError(
            f"this is not TOML: {error}",
            advice="put web addresses into a .csv file whose first line is url"
            if is_list
            else "correct it there",
            where=where,
            line=int(line[1]) if line else len(text.splitlines()) or None,
        ) from None
    _check(where, text, misfits(tables, Spec))
    spec = msgspec.convert(tables, Spec)
    _check(where, text, contradictions(spec))
    return spec


def write_spec(spec: Spec, *, notes: Mapping[str, str] | None = None) -> str:
    """Write a spec as TOML that `read_spec` reads back as the same spec.

    Args:
        spec: Only values that differ from their defaults are written.
        notes: Comments by key path, e.g. {"results.hit": "seen on 9 of 9 pages"}.
    """
    return write_toml(_differences(spec), notes=notes or {})


def _differences(table: Table) -> dict[str, Any]:
    """Return the values that differ from their defaults, under their TOML names."""
    plain: dict[str, Any] = {}
    for field in msgspec.structs.fields(table):
        value = getattr(table, field.name)
        default = field.default if field.default_factory is NODEFAULT else field.default_factory()
        if value != default:
            plain[field.encode_name] = _plain(value)
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, Table):
        return _differences(value)
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value


def _check(where: str, text: str, mistakes: Iterable[tuple[str, str, str]]) -> None:
    """Raise an error for a spec with mistakes: the first in detail, then all others."""
    told = [(key, line_of(text, key), problem, advice) for key, problem, advice in mistakes]
    if not told:
        return
    key, line, problem, advice = told[0]
    others = [f"; also {_place(line, key)[2:]}: {said}; {do}" for key, line, said, do in told[1:]]
    advice += "".join(others)
    raise SpecFileError(problem, advice=advice, where=where, key=key, line=line)


def _place(line: int | None, key: str) -> str:
    """Return the position of a mistake, to follow the file's name.

    >>> _place(7, "ask.limit"), _place(None, "ask")
    (', line 7, key ask.limit', ', key ask')
    """
    return (f", line {line}" if line else "") + (f", key {key}" if key else "")


def keys_of(spec: Spec) -> set[str]:
    """Return the key paths that a written spec has a line for, such as "results.hit"."""

    def paths(table: Mapping[str, object], above: str) -> Iterator[str]:
        for name, value in table.items():
            yield f"{above}{name}"
            if isinstance(value, dict):
                yield from paths(value, f"{above}{name}.")

    return {*paths(tomllib.loads(write_spec(spec)), "")}
