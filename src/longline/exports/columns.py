"""What an export has of each document: columns, each with a name and a type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from longline.model import Document

Kind = Literal["text", "number", "date", "url"]


class Column(msgspec.Struct, frozen=True):
    """A column of an export.

    Attributes:
        name: No two columns have the same.
        kind: A number is a float, a date is ISO 8601 text, anything else is text.
        field: Of the document's own fields, which one it holds; "" for what every document has.
    """

    name: str
    kind: Kind = "text"
    field: str = ""


BASE = (
    Column("key"),
    Column("url", "url"),
    Column("title"),
    Column("text"),
    Column("language"),
)
"""What every document has."""


def reader(columns: Sequence[Column]) -> Callable[[Document], tuple[Any, ...]]:
    """Return what makes a document a row of these columns; a field it does not have is None.

    >>> reader(BASE)(Document("k", title="Deep Web"))
    ('k', '', 'Deep Web', '', '')
    """
    own = [column.field for column in columns if column.field]
    if columns[: len(BASE)] != BASE or len(own) != len(columns) - len(BASE):
        raise ValueError("columns begin with those that every document has")

    def row(document: Document) -> tuple[Any, ...]:
        return (document.key, document.url, document.title, document.text, document.language)

    if not own:
        return row

    def row_with_fields(document: Document) -> tuple[Any, ...]:
        fields = document.fields
        return (*row(document), *(fields.get(name) for name in own))

    return row_with_fields
