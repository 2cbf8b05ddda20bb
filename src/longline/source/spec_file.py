"""A source spec as a file: read, checked and written."""

import re
import tomllib
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import NODEFAULT

from longline.errors import SpecError
from longline.source.check import contradictions
from longline.source.spec import (
    Ask,
    Dialect,
    DocumentPage,
    FacetField,
    FieldPlace,
    Form,
    Home,
    Results,
    Spec,
    Table,
    explain,
    line_of,
    write_toml,
)

_TABLES: dict[str, type[Table]] = {
    "": Spec,
    "source": Home,
    "ask": Ask,
    "ask.form": Form,
    "ask.dialect": Dialect,
    "results": Results,
    "document": DocumentPage,
    "facets": FacetField,
    "fields": FieldPlace,
}


class SpecFileError(SpecError):
    """A spec that is wrong at a place that can be named.

    Args:
        where: The file's name.
        key: The key path, "" where the whole file is meant.
        line: From 1; None where no line stands for the key.
    """

    def __init__(
        self, problem: str, *, advice: str, where: str, key: str = "", line: int | None = None
    ) -> None:
        self.where = where
        self.key = key
        self.line = line
        place = where + (f", line {line}" if line else "") + (f", key {key}" if key else "")
        super().__init__(f"{place}: {problem}", advice=advice)


def read_spec(text: str, *, where: str = "source.toml") -> Spec:
    """Read and check a source spec.

    Args:
        text: The TOML.
        where: The file's name, for messages.

    Raises:
        SpecFileError: It is no TOML, a key is unknown, missing or of the wrong type, a selector
            does not compile, or it contradicts itself.

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
        raise SpecFileError(
            f"this is not TOML: {error}",
            advice="correct it there",
            where=where,
            line=int(line[1]) if line else len(text.splitlines()) or None,
        ) from None
    try:
        spec = msgspec.convert(tables, Spec)
    except msgspec.ValidationError as error:
        raise _at(where, text, *explain(str(error), tables, _TABLES)) from None
    for key, problem, advice in contradictions(spec):
        raise _at(where, text, key, problem, advice)
    return spec


def write_spec(spec: Spec, *, notes: Mapping[str, str] | None = None) -> str:
    """Write a spec as TOML that `read_spec` reads back as the same spec.

    Args:
        spec: Only what differs from its default is written.
        notes: Comments by key path, e.g. {"results.hit": "seen on 9 of 9 pages"}.
    """
    return write_toml(_differences(spec), notes=notes or {})


def _differences(table: Table) -> dict[str, Any]:
    """Return what differs from its default, as plain values under their TOML names."""
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


def _at(where: str, text: str, key: str, problem: str, advice: str) -> SpecFileError:
    line = line_of(text, key)
    return SpecFileError(problem, advice=advice, where=where, key=key, line=line)
