"""The documents of a harvest as rows: common columns, then one column per field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any

import msgspec

from longline.model import Attachment, Document
from longline.model.fields import Column, FieldType, Scalar, moment, scalars
from longline.secrets import without_placeholders

if TYPE_CHECKING:
    import pyarrow

TEXTS = ("key", "url", "title", "text", "language")
"""Text columns that every document has."""

LEAST_LETTERS = 500
"""Characters added to the length of each document's text, for its other columns."""

ATTACHMENTS = "attachments"
"""The column of files; it is missing if no document has any."""


class Table(Iterable[Document]):
    """The documents of a harvest, and their columns; it can be read repeatedly.

    Args:
        documents: In order; they are not stored.
        columns: Of their fields, by name.
        has_attachments: Some have files.
    """

    def __init__(
        self,
        documents: Iterable[Document],
        columns: Mapping[str, Column] = {},  # is never changed
        *,
        has_attachments: bool = False,
    ) -> None:
        self._documents = documents
        self.columns = columns
        self.has_attachments = has_attachments

    def __iter__(self) -> Iterator[Document]:
        return iter(self._documents)

    @property
    def names(self) -> list[str]:
        """Names of all columns, in order."""
        return [*TEXTS, *self.columns, *([ATTACHMENTS] if self.has_attachments else [])]

    @property
    def types(self) -> dict[str, FieldType]:
        """Types of all columns, by name; for several values, that of each."""
        types: dict[str, FieldType] = dict.fromkeys(self.names, "text")
        types |= {name: column.type for name, column in self.columns.items()}
        return types | {"url": "url"}

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield each document as a flat object, with every name of `names`.

        A missing field is None, or [] if the column has several values.

        >>> table = Table([Document("a", fields={"year": 1990})], {"year": Column(type="number")})
        >>> [(row["key"], row["year"]) for row in table.rows()]
        [('a', 1990)]
        """
        return map(self.row, self)

    def row(self, document: Document) -> dict[str, Any]:
        """Return one document as a row of `rows`."""
        row: dict[str, Any] = {
            "key": document.key,
            "url": without_placeholders(document.url),
            "title": document.title,
            "text": document.text,
            "language": document.language,
        }
        fields = document.fields
        for name, column in self.columns.items():
            value = fields.get(name)
            if column.many or isinstance(value, tuple):
                row[name] = [_as(each, column) for each in scalars(value)]
            else:
                row[name] = None if value is None else _as(value, column)
        if self.has_attachments:
            row[ATTACHMENTS] = [msgspec.structs.asdict(each) for each in document.attachments]
        return row

    def arrow_batches(self, arrow: Any, letters: int = 2_000_000) -> Iterator[pyarrow.RecordBatch]:
        """Yield the same as Arrow batches.

        Args:
            arrow: The module pyarrow, which is an extra.
            letters: Characters of text per batch; one more document may exceed it.
        """
        schema, batch, size = self.arrow_schema(arrow), [], 0
        for row in self._arrow_rows():
            batch.append(row)
            size += len(row["text"]) + LEAST_LETTERS
            if size > letters:
                yield arrow.RecordBatch.from_pylist(batch, schema)
                batch, size = [], 0
        if batch:
            yield arrow.RecordBatch.from_pylist(batch, schema)

    def _arrow_rows(self) -> Iterator[dict[str, Any]]:
        """Yield rows with dates as Python objects, for `arrow_schema`."""
        dates = {name: each for name, each in self.columns.items() if each.type == "date"}
        for row in self.rows():
            for name, column in dates.items():
                row[name] = _moments(row[name], column)
            yield row

    def arrow_schema(self, arrow: Any) -> pyarrow.Schema:
        """Return the types of `arrow_batches`.

        Numbers are int64 if all are integers, otherwise double; dates are date32 if none has a
        time, otherwise timestamps in UTC; URLs and texts are strings. Several values are a list.

        Args:
            arrow: The module pyarrow, which is an extra.
        """
        named = [(name, arrow.string()) for name in TEXTS]
        named += [(name, _arrow_type(column, arrow)) for name, column in self.columns.items()]
        if self.has_attachments:
            kinds = {name: arrow.string() for name in Attachment.__struct_fields__}
            file = arrow.struct(list((kinds | {"size": arrow.int64()}).items()))
            named.append((ATTACHMENTS, arrow.list_(file)))
        return arrow.schema(named)


def _as(value: Scalar, column: Column) -> Scalar:
    """Return a value in its column's type: in a text column, a number becomes a text."""
    return value if isinstance(value, str) or column.type == "number" else str(value)


def _arrow_type(column: Column, arrow: Any) -> Any:
    whole, broken = {
        "number": (arrow.int64(), arrow.float64()),
        "date": (arrow.date32(), arrow.timestamp("us", tz="UTC")),
    }.get(column.type, (arrow.string(), arrow.string()))
    found = whole if column.is_whole else broken
    return arrow.list_(found) if column.many else found


def _moments(value: Any, column: Column) -> Any:
    if isinstance(value, list):
        return [_moments(each, column) for each in value]
    found = None if value is None else moment(value)
    if found is None or isinstance(found, datetime) or column.is_whole:
        return found
    return datetime.combine(found, time(), UTC)
