"""Events and documents as rows: fields and attachments of a document as JSON."""

from collections.abc import Collection, Sequence
from typing import Annotated, Any, NamedTuple, get_args

import msgspec
import sqlalchemy as sa

from longline.events import AnyEvent, DocumentReceived, DocumentWithdrawn, SameDocument
from longline.model import Attachment, Document, Query, Request
from longline.model.fields import Fields
from longline.store._schema import LATER, OF_FILE, Scope

Moment = Annotated[float, msgspec.Meta(ge=0, lt=253402300800)]
"""Seconds since 1970, up to the year 9999."""


class Entry(NamedTuple):
    """One line of a journal.

    Attributes:
        number: Its position; later ones have greater numbers.
        recorded_at: Seconds since 1970, UTC.
        event: The event.
    """

    number: int
    recorded_at: float
    event: AnyEvent


class Stub(msgspec.Struct, frozen=True):
    """A journal's entry for a received document; the rest is in `documents`."""

    key: str
    requests: int = 1
    body_bytes: int = 0
    links: tuple[str, ...] = ()
    is_linked: bool = False
    other_layout: bool = False


COSTS_ONE = {
    kind.__name__: 1
    for kind in get_args(AnyEvent)
    for field in msgspec.structs.fields(kind)
    if (field.name, field.default) == ("requests", 1)
}
"""Events whose `requests` are not written if they are 1."""


def withdraw(connection: sa.Connection, event: DocumentWithdrawn, scope: Scope) -> None:
    """Delete a document."""
    documents = scope.tables.documents
    held = *scope.of(documents), *scope.same(documents.c.key, event.key)
    connection.execute(sa.delete(documents).where(*held))


def join(connection: sa.Connection, event: SameDocument, scope: Scope) -> None:
    """Merge the documents of two keys under the kept key."""
    documents = scope.tables.documents
    kept, gone = (
        (*scope.of(documents), *scope.same(documents.c.key, key)) for key in (event.kept, event.key)
    )
    is_held = connection.execute(sa.select(documents.c.arrival).where(*kept)).first()
    if is_held is None:
        connection.execute(sa.update(documents).where(*gone).values(key=event.kept))
    else:
        connection.execute(sa.delete(documents).where(*gone))


def json_of(asked: Query | Request) -> str:
    """Return a query or a request as JSON for a row."""
    return msgspec.json.encode(asked).decode()


def event_of(name: str, payload: str, kept: Sequence[object]) -> AnyEvent:
    """Return the event of an entry; a document's event uses its stored row.

    Raises:
        msgspec.DecodeError: It is damaged.
    """
    if name != DocumentReceived.__name__:
        event: AnyEvent = msgspec.json.decode(payload, type=AnyEvent)
        return event
    stub = msgspec.json.decode(payload, type=Stub)
    is_kept = kept[0] is not None  # a withdrawn one has no text any more
    document = document_of(msgspec.convert(tuple(kept), Row)) if is_kept else Document(stub.key)
    return DocumentReceived(
        document,
        stub.requests,
        links=stub.links,
        is_linked=stub.is_linked,
        other_layout=stub.other_layout,
        body_bytes=stub.body_bytes,
    )


def entry_of(event: AnyEvent, now: float, scope: Scope) -> dict[str, Any]:
    """Return the row for an event recorded now."""
    asked = getattr(event, "query", getattr(event, "request", None))
    if isinstance(event, DocumentReceived):
        stub: dict[str, Any] = {"key": event.document.key, "requests": event.requests}
        names = "body_bytes", "links", "is_linked", "other_layout"
        told = {name: getattr(event, name) for name in names}
        stub |= {name: value for name, value in told.items() if value}
        payload = msgspec.json.encode(stub)
    else:
        payload = msgspec.json.encode(event)
    row = {
        "recorded_at": now,
        "event": type(event).__name__,
        "query": None if asked is None else json_of(asked),
        "number": getattr(event, "number", None),
        "payload": payload.decode(),
    }
    if not scope.own:
        return row
    requests = getattr(event, "requests", None)
    key = event.document.key if isinstance(event, DocumentReceived) else None
    return {**row, **scope.own, "document": key, "requests": requests}


class _ReadOut(msgspec.Struct):
    """Values that have their own columns in a database of many harvests."""

    key: str | None = None
    requests: int | None = None


def taken_over(table: str, row: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """Return a row of another store as a row for a table here, without its old number."""
    beside = ("harvest", "entry", "arrival", "answer", "document", "requests")
    row = {name: value for name, value in row.items() if name not in beside}
    if table == "journal" and scope.own:
        found = msgspec.json.decode(row["payload"], type=_ReadOut)
        is_document = row["event"] == DocumentReceived.__name__
        requests = COSTS_ONE.get(row["event"]) if found.requests is None else found.requests
        row |= {"document": found.key if is_document else None, "requests": requests}
    return row | scope.own


Row = tuple[str, str, str, str, str, str, str]
"""The columns of a document, in the order of `Document`."""

FIELDS = msgspec.json.Decoder(Fields)
ATTACHMENTS = msgspec.json.Decoder(tuple[Attachment, ...])


def row_of(document: Document) -> dict[str, str]:
    """Return a document as a row.

    >>> row_of(Document("a", fields={"year": 1990}))["fields"]
    '{"year":1990}'
    """
    return {
        **{name: getattr(document, name) for name in Document.__struct_fields__},
        "fields": msgspec.json.encode(document.fields).decode(),
        "attachments": msgspec.json.encode(document.attachments).decode(),
    }


def document_of(row: Row) -> Document:
    """Return the document of a row; the inverse of `row_of`.

    Raises:
        msgspec.DecodeError: Its fields or attachments are damaged.
    """
    return Document(*row[:5], FIELDS.decode(row[5]), ATTACHMENTS.decode(row[6]))


def columns(documents: sa.Table, lacking: Collection[str] = ()) -> dict[str, sa.ColumnElement[Any]]:
    """Return the columns of `Row` by name, with defaults for those that a file lacks."""
    return {
        name: sa.literal_column(LATER[name]).label(name) if name in lacking else documents.c[name]
        for name in Document.__struct_fields__
    }


def complete(connection: sa.Connection) -> None:
    """Add the columns that an older file lacks."""
    for name in lacking_columns(connection):
        column = f"{name} TEXT NOT NULL DEFAULT {LATER[name]}"
        connection.execute(sa.text(f"ALTER TABLE {OF_FILE.documents.name} ADD COLUMN {column}"))


def lacking_columns(connection: sa.Connection) -> list[str]:
    """Return which columns of documents an older file lacks."""
    documents = OF_FILE.documents
    there = {column["name"] for column in sa.inspect(connection).get_columns(documents.name)}
    return [name for name in LATER if name not in there]
