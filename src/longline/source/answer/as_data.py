"""Read answers in XML, CSV and JSON lines as the data that JSON would hold."""

import csv
import io
import re
from typing import Any

from lxml import etree  # type: ignore[import-untyped]

from longline.files import LONGEST_CELL, delimiter_of

LINES = (
    *("application/x-ndjson", "application/ndjson", "application/jsonl"),
    *("application/x-jsonlines", "application/jsonlines", "application/x-jsonl"),
)
"""Media types with one JSON value per line."""

TABLES = ("text/csv", "text/tab-separated-values")
"""Media types of tables whose first row names the columns."""

_NAMED = re.compile(r"\w[\w .:/()%-]{0,60}")


def from_xml(root: Any) -> Any:
    """Return an XML element as data: attributes and children by name, repeated ones as a list.

    An element with only text becomes that text; one with marked-up text becomes plain text. If an
    attribute and a child element have the same name and value, it is kept once.

    >>> from_xml(etree.fromstring('<r n="2"><hit id="7"><t>A</t></hit><hit id="8"/></r>'))
    {'n': '2', 'hit': [{'id': '7', 't': 'A'}, {'id': '8'}]}
    >>> from_xml(etree.fromstring('<hit id="7"><id>7</id><t>A</t></hit>'))
    {'id': '7', 't': 'A'}
    """
    inner = [child for child in root if isinstance(child.tag, str)]
    held: dict[str, Any] = {_plain(name): value for name, value in root.attrib.items()}
    said = (root.text or "").strip()
    if inner and (said or any((child.tail or "").strip() for child in inner)):
        said, inner = " ".join("".join(root.itertext()).split()), []
    for child in inner:
        name, value = _plain(child.tag), from_xml(child)
        if name not in held or (name in root.attrib and held[name] == value):
            held[name] = value
        elif isinstance(held[name], list):
            held[name].append(value)
        else:
            held[name] = [held[name], value]
    if not held:
        return said
    return held | ({_plain(root.tag): said} if said else {})


def _plain(name: str) -> str:
    return str(etree.QName(name).localname)


def from_csv(text: str) -> list[dict[str, str]] | None:
    r"""Return the rows of a table as dicts by column name, or None if the first row has no names.

    A cell may be as long as the text.

    >>> from_csv("id;title\n7;Deep web\n")
    [{'id': '7', 'title': 'Deep web'}]
    >>> from_csv("[source]\\nname = 'x'") is None
    True
    """
    csv.field_size_limit(LONGEST_CELL)
    delimiter = delimiter_of(text.partition("\n")[0])
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    names = next(rows, [])
    is_table = len(names) > 1 and len(set(names)) == len(names)
    if not is_table or not all(_NAMED.fullmatch(name.strip()) for name in names):
        return None
    return [dict(zip(map(str.strip, names), row, strict=False)) for row in rows if row]
