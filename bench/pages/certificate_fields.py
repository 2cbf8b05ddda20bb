"""Generate the reference of the certificate from its structs and their docstrings."""

from collections.abc import Iterator
from inspect import cleandoc
from typing import Any, get_args

import msgspec
from bench.pages.blocks import table
from bench.pages.docstring import attributes

from longline.ledger import Certificate, ChartRow

PAGE = "reference/certificate.md"


def pages() -> Iterator[tuple[str, str]]:
    """Yield the page's path below docs, and its generated part."""
    lines = ["# The certificate: every field", ""]
    lines += ["Good for: reading `certificate.json`, or a program that reads it.", ""]
    lines += ["JSON Schema: [certificate.schema.json](certificate.schema.json).", ""]
    lines += [table(("field", "type", "meaning"), list(rows(Certificate))), ""]
    parts = {part for field in msgspec.structs.fields(Certificate) for part in _parts(field.type)}
    for kind in [*sorted(parts, key=lambda each: each.__name__), ChartRow]:
        about = cleandoc(kind.__doc__ or "").partition("\n\n")[0]
        lines += [f"## {kind.__name__}", "", about, ""]
        lines += [table(("field", "type", "meaning"), list(rows(kind))), ""]
    yield PAGE, "\n".join(lines)


def rows(kind: type[msgspec.Struct]) -> Iterator[tuple[str, str, str]]:
    """Yield (field, type, meaning) of a struct.

    Raises:
        ValueError: Its docstring does not explain a field.
    """
    meanings = attributes(kind.__doc__ or "")
    for field in msgspec.structs.fields(kind):
        if field.name not in meanings:
            raise ValueError(f"the docstring of {kind.__name__} says nothing of {field.name}")
        yield f"`{field.name}`", in_json(field.type), meanings[field.name]


def in_json(kind: Any) -> str:
    """Return the name of a type in JSON.

    >>> in_json(int | None), in_json(tuple[str, ...]), in_json(dict[str, int])
    ('number or null', 'list of text', 'number by name')
    """
    if kind in NAMES:
        return NAMES[kind]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return f"[{kind.__name__}](#{kind.__name__.lower()})"
    origin, inner = str(getattr(kind, "__origin__", "")), get_args(kind)
    if "tuple" in origin:
        return f"list of {in_json(inner[0])}"
    if "dict" in origin:
        return f"{in_json(inner[1])} by name"
    if all(isinstance(each, str) for each in inner):
        return "text"
    return " or ".join(in_json(each) for each in inner)


NAMES = {
    int: "number",
    float: "number",
    str: "text",
    bool: "true or false",
    type(None): "null",
}


def _parts(kind: Any) -> Iterator[type[msgspec.Struct]]:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
    for part in get_args(kind):
        yield from _parts(part)
