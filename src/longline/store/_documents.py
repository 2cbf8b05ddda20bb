"""Documents as rows of a table: their fields and attachments stand there as JSON."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
import sqlalchemy as sa

from longline.model import Attachment, Document
from longline.model.fields import Fields
from longline.store._schema import LATER, OF_FILE

Row = tuple[str, str, str, str, str, str, str]
"""The columns of a document, in the order of `Document`."""

_FIELDS = msgspec.json.Decoder(Fields)
_ATTACHMENTS = msgspec.json.Decoder(tuple[Attachment, ...])


def row_of(document: Document) -> dict[str, str]:
    """Return a document as its row holds it.

    >>> row_of(Document("a", fields={"year": 1990}))["fields"]
    '{"year":1990}'
    """
    return {
        **{name: getattr(document, name) for name in Document.__struct_fields__},
        "fields": msgspec.json.encode(document.fields).decode(),
        "attachments": msgspec.json.encode(document.attachments).decode(),
    }


def document_of(row: Row) -> Document:
    """Return the document of a row; undoes `row_of`.

    Raises:
        msgspec.DecodeError: Its fields or attachments are not as they were written.
    """
    return Document(*row[:5], fields_of(row[5]), attachments_of(row[6]))


def fields_of(text: str) -> Fields:
    """Return fields from their JSON; raises as `document_of`."""
    return _FIELDS.decode(text)


def attachments_of(text: str) -> tuple[Attachment, ...]:
    """Return attachments from their JSON; raises as `document_of`."""
    return _ATTACHMENTS.decode(text)


def columns(documents: sa.Table, lacking: Collection[str] = ()) -> dict[str, sa.ColumnElement[Any]]:
    """Return the columns of `Row` by name, with what stands for those that a file lacks."""
    return {
        name: sa.literal_column(LATER[name]).label(name) if name in lacking else documents.c[name]
        for name in Document.__struct_fields__
    }


def complete(connection: sa.Connection) -> None:
    """Give a file of before the columns that it lacks."""
    for name in lacking_columns(connection):
        column = f"{name} TEXT NOT NULL DEFAULT {LATER[name]}"
        connection.execute(sa.text(f"ALTER TABLE {OF_FILE.documents.name} ADD COLUMN {column}"))


def lacking_columns(connection: sa.Connection) -> list[str]:
    """Return which columns of documents a file of before lacks."""
    documents = OF_FILE.documents
    there = {column["name"] for column in sa.inspect(connection).get_columns(documents.name)}
    return [name for name in LATER if name not in there]
