"""Generate the reference of the source spec from its structs.

The meaning of a key is the comment beside it in the docstring of `longline.source.spec.spec`.
"""

import re
from collections.abc import Iterator
from inspect import cleandoc
from typing import Any, get_args

import msgspec
from bench.pages.blocks import table

from longline.source import Spec
from longline.source.spec import spec as module

PAGE = "reference/source-spec.md"


def pages() -> Iterator[tuple[str, str]]:
    """Yield the page's path below docs, and its generated part."""
    meanings = dict(comments(module.__doc__ or ""))
    lines = ["# Source specs: every key", "", "Good for: looking up a key of a `source.toml`.", ""]
    for name, kind in tables(Spec, ""):
        rows = [_row(name, field, meanings) for field in msgspec.structs.fields(kind)]
        heading = f"[{name}]"
        lines += [f"## `{heading}`", "", *_about(kind)]
        lines += [table(("key", "meaning", "default", "for example"), [row for row in rows if row])]
        lines += [""]
    yield PAGE, "\n".join(lines)


def tables(kind: type[Any], name: str) -> Iterator[tuple[str, type[Any]]]:
    """Yield (name, struct) of each table in a struct, its own first unless it is the file."""
    if name:
        yield name, kind
    for field in msgspec.structs.fields(kind):
        inner = _table_in(field.type)
        if inner is not None:
            below = f"{name}.{field.encode_name}" if name else field.encode_name
            many = "dict" in str(field.type)
            yield from tables(inner, f"{below}.NAME" if many else below)


def _table_in(kind: Any) -> type[Any] | None:
    """Return the struct that a field's type is or contains; None if there is none."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind
    return next((found for part in get_args(kind) if (found := _table_in(part))), None)


def _about(kind: type[Any]) -> list[str]:
    paragraphs = cleandoc(kind.__doc__ or "").split("\n\n")
    return [text for part in paragraphs for text in (" ".join(part.split()), "")]


def _row(name: str, field: Any, meanings: dict[str, tuple[str, str]]) -> tuple[str, ...] | None:
    key = field.encode_name
    if _table_in(field.type):
        return None
    if key in HEADED:
        return f"`{key}`", HEADED[key], "", ""
    example, meaning = meanings.get(f"{name}.{key}", ("", ""))
    if not meaning:
        raise ValueError(f"the docstring of {module.__name__} says nothing of {name}.{key}")
    return f"`{key}`", meaning, _default(field), f"`{example}`" if example else ""


HEADED = {
    "headers": "a table of headers to send, `[ask.headers]`",
    "newest": "a table of fields that put the newest documents first, `[ask.newest]`; empty where "
    "these always come first",
    "fields": "a table of other fields of the form, with fixed values, `[ask.form.fields]`",
}
"""Keys that are tables with free names."""


def _default(field: Any) -> str:
    if field.required:
        return "needed"
    default = field.default
    if default in (None, "", msgspec.NODEFAULT):
        return ""
    if isinstance(default, str):
        return f"`'{default}'`" if '"' in default else f'`"{default}"`'
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def comments(text: str) -> Iterator[tuple[str, tuple[str, str]]]:
    r"""Yield (table.key, (example, comment)) of the TOML in a docstring.

    >>> list(comments("[ask]\nlimit = 5   # the most\n            # it shows"))
    [('ask.limit', ('5', 'the most it shows'))]
    """
    table_name, last = "", ""
    found: dict[str, tuple[str, str]] = {}
    for line in text.splitlines():
        if header := re.match(r"\[([a-z_.]+)\]", line):
            table_name, last = re.sub(r"^(facets|fields)\.\w+", r"\1.NAME", header[1]), ""
        elif pair := re.match(r"([a-z_]+) = ('.*?'|\".*?\"|\[.*?\]|\S+)\s*(?:# (.*))?$", line):
            last = f"{table_name}.{pair[1]}"
            if pair[3] or last not in found:
                found[last] = pair[2], pair[3] or ""
        elif last and (more := re.match(r"\s+# (.*)$", line)):
            found[last] = found[last][0], f"{found[last][1]} {more[1]}".strip()
        else:
            last = ""
    yield from found.items()
