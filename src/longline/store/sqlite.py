"""A store in one SQLite file, safe against being killed at any moment.

Write-ahead logging with `synchronous=NORMAL`: a transaction that returned survives the death
of the process. A power cut may lose the last few, never more; those pages are asked again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from longline.errors import FolderError, LonglineError, StorageError
from longline.events import (
    AnyEvent,
    DocumentReceived,
    DocumentWithdrawn,
    FormReceived,
    PageDisbelieved,
    PageReceived,
    ResponseReceived,
    SameDocument,
)
from longline.model import Attachment, Document, Query, Request, Response
from longline.model.fields import Fields
from longline.secrets import Secrets
from longline.store import _answers, _secrets
from longline.store._answers import Answer, Seen
from longline.store._damage import (
    check_tables,
    damage,
    opening_error,
    reading_error,
    writing_error,
)
from longline.store._documents import (
    Row,
    attachments_of,
    columns,
    complete,
    document_of,
    fields_of,
    row_of,
)
from longline.store._file import engine_of, files_of, identity_of, mode_of
from longline.store._rows import COSTS_ONE, Stub, entry_of, join, json_of, text_of
from longline.store._schema import documents, journal, metadata, settings

SCHEMA = "1"

_Moment = Annotated[float, msgspec.Meta(ge=0, lt=253402300800)]
"""Seconds since 1970; the year is one of four digits."""


class Entry(NamedTuple):
    """One line of a journal.

    Attributes:
        number: Its place; later ones have greater numbers.
        recorded_at: Seconds since 1970, UTC.
        event: What happened.
    """

    number: int
    recorded_at: float
    event: AnyEvent


class SqliteStore:
    """Keep a harvest in the SQLite file at `path`, which is made where it is absent.

    Args:
        read_only: Look, but never write; the file must exist. Safe beside a running harvest,
            and enough for a harvest on a medium that cannot be written.

    Raises:
        FolderError: The file is no longline harvest, or of another version, or damaged; each
            method that reads says that of a damage, too.
        StorageError: The file cannot be made.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        if read_only and not path.is_file():
            raise FolderError(
                f"there is no harvest at {path}", advice="name the folder of a harvest"
            )
        self._path = path
        self._files: dict[Path, tuple[int, int]] = {}
        self._seen: Seen | None = None
        self._engine = engine_of(path, mode_of(path) if read_only else "mode=rwc")
        try:
            self._open(read_only)
        except sa.exc.DatabaseError as error:
            self.close()
            raise opening_error(path, error, read_only) from None
        except LonglineError:
            self.close()
            raise

    def _open(self, read_only: bool) -> None:
        with self._engine.connect() as connection:
            is_there = check_tables(self._path, connection)
        if not read_only:
            with self._transaction() as connection:
                metadata.create_all(connection)
                complete(connection)
                if not is_there:
                    connection.execute(insert(settings).values(name="schema", value=SCHEMA))
            self._files = files_of(self._path)
        schema = self.settings().get("schema")
        if schema != SCHEMA:
            raise FolderError(
                f"{self._path} has schema {schema}, this longline reads {SCHEMA}",
                advice="choose another folder, or use the version of longline that made it",
            )
        with self._engine.connect() as connection:
            self._columns = columns(connection)

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        if any(identity_of(path) != file for path, file in self._files.items()):
            raise StorageError(
                f"{self._path} was removed, moved or replaced while the harvest ran",
                advice="put it back and run it again; or choose another folder",
            )
        try:
            with self._engine.begin() as connection:
                yield connection
        except sa.exc.DatabaseError as error:
            raise writing_error(self._path, error) from None

    def record(self, *events: AnyEvent) -> None:
        """Append events to the journal in one transaction; documents are kept by key."""
        now = time.time()
        with self._transaction() as connection:
            connection.execute(sa.insert(journal), [entry_of(event, now) for event in events])
            for event in events:
                if isinstance(event, DocumentReceived):
                    values = row_of(event.document)
                    statement = insert(documents).values(values)
                    connection.execute(
                        statement.on_conflict_do_update(index_elements=["key"], set_=values)
                    )
                elif isinstance(event, DocumentWithdrawn):
                    held = sa.delete(documents).where(documents.c.key == event.key)
                    connection.execute(held)
                elif isinstance(event, SameDocument):
                    join(connection, event)
            if _answers.keep(connection, self._seen, events):
                self._seen = None

    def see(self, query: Query, number: int, response: Response) -> None:
        """Be shown the answer that a result page is about to be read from.

        It is kept where the next that is recorded of the page is a failure or a cut.
        """
        self._seen = Seen(query, number, response)

    def answers(self, query: Query, number: int) -> list[Answer]:
        """Return the answers that are kept of a result page, the newest last."""
        with self._reading() as connection:
            return _answers.read(connection, query, number)

    def page(self, query: Query, number: int) -> PageReceived | None:
        """Return what the journal holds for a result page, the newest, or None.

        None too where it was disbelieved since.
        """
        kinds = (PageReceived, PageDisbelieved)
        found = self._newest(kinds, query, journal.c.number == number)
        return found if isinstance(found, PageReceived) else None

    def response(self, request: Request) -> ResponseReceived | None:
        """Return what the journal holds in answer to a request, the newest, or None."""
        found = self._newest((ResponseReceived,), request)
        return found if isinstance(found, ResponseReceived) else None

    def _newest(
        self,
        kinds: tuple[type[AnyEvent], ...],
        asked: Query | Request,
        *where: sa.ColumnElement[bool],
    ) -> AnyEvent | None:
        names = [kind.__name__ for kind in kinds]
        statement = (
            sa.select(journal.c.payload)
            .where(journal.c.query == json_of(asked), journal.c.event.in_(names), *where)
            .order_by(journal.c.entry.desc())
            .limit(1)
        )
        with self._reading() as connection:
            row = connection.execute(statement).first()
            return None if row is None else msgspec.json.decode(text_of(row[0]), type=AnyEvent)

    def document(self, key: str) -> Document | None:
        """Return a held document, or None."""
        held = self._held().where(documents.c.key == key).limit(1)
        return next(self._rows(held, Row, document_of), None)

    def documents(self) -> Iterator[Document]:
        """Every held document, in the order of arrival."""
        held = self._held().order_by(documents.c.arrival)
        yield from self._rows(held, Row, document_of)

    def keys(self) -> Iterator[str]:
        """The key of every held document, in the order of arrival."""
        held = self._held("key").order_by(documents.c.arrival)
        yield from self._rows(held, tuple[str], lambda row: row[0])

    def fields(self) -> Iterator[Fields]:
        """The fields of every held document, in the order of arrival."""
        held = self._held("fields").order_by(documents.c.arrival)
        yield from self._rows(held, tuple[str], lambda row: fields_of(*row))

    def attachments(self) -> Iterator[Attachment]:
        """Every file of the held documents, in the order of arrival."""
        column = self._columns["attachments"]
        held = self._held("attachments").where(column != "[]").order_by(documents.c.arrival)
        for of_document in self._rows(held, tuple[str], lambda row: attachments_of(*row)):
            yield from of_document

    def count(self) -> int:
        """Return how many documents are held."""
        statement = sa.select(sa.func.count()).select_from(documents)
        (held,) = [row[0] for row in self._rows(statement, tuple[int])]
        return int(held)

    def dated_documents(self) -> Iterator[tuple[Document, float]]:
        """Yield the same, each with when it came, in seconds since 1970."""
        columns = journal.c
        came = sa.select(sa.func.json_extract(columns.payload, "$.key"), columns.recorded_at)
        came = came.where(columns.event == DocumentReceived.__name__).order_by(columns.entry)
        moments = self._rows(came, tuple[str, _Moment])
        skipped: dict[str, float] = {}
        last = 0.0
        # Both are in the order of arrival, but for documents that were withdrawn or joined.
        for document in self.documents():
            while document.key not in skipped:
                key, last = next(moments, (document.key, last))
                skipped[key] = last
            yield document, skipped.pop(document.key)

    def dated_responses(self) -> Iterator[tuple[Response, float]]:
        """Yield the answers that the journal has whole, each with when it came, as above."""
        columns = journal.c
        statement = sa.select(columns.payload, columns.recorded_at).order_by(columns.entry)
        kinds = [kind.__name__ for kind in (FormReceived, ResponseReceived)]
        for payload, seconds in self._rows(
            statement.where(columns.event.in_(kinds)), tuple[str, _Moment]
        ):
            event = msgspec.json.decode(payload, type=FormReceived | ResponseReceived)
            yield event.response, seconds

    def events(self) -> Iterator[AnyEvent]:
        """The whole journal, in order."""
        return (entry.event for entry in self.entries())

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """The journal in order, with when each event was recorded.

        Args:
            after: Only entries of a greater number than this.
        """
        held = documents.c
        statement = (
            sa.select(
                journal.c.entry,
                journal.c.recorded_at,
                journal.c.event,
                journal.c.payload,
                *self._columns.values(),
            )
            .outerjoin(documents, held.key == sa.func.json_extract(journal.c.payload, "$.key"))
            .where(journal.c.entry > after)
            .order_by(journal.c.entry)
        )
        with self._reading() as connection:
            for number, moment, name, payload, *kept in connection.execute(statement):
                event: AnyEvent
                if name == DocumentReceived.__name__:
                    stub = msgspec.json.decode(text_of(payload), type=Stub)
                    # One that was withdrawn has no text any more.
                    document = Document(stub.key)
                    if kept[0] is not None:
                        document = document_of(msgspec.convert(tuple(kept), Row))
                    event = DocumentReceived(document, stub.requests, body_bytes=stub.body_bytes)
                else:
                    event = msgspec.json.decode(text_of(payload), type=AnyEvent)
                yield Entry(number, msgspec.convert(moment, _Moment), event)

    def requests_since(self, seconds: float) -> int:
        """Return how many requests entries of this moment and later cost.

        Args:
            seconds: Since 1970, UTC.
        """
        requests = sa.func.json_extract(journal.c.payload, "$.requests")
        recorded = sa.select(journal.c.event, requests).where(journal.c.recorded_at >= seconds)
        return sum(
            COSTS_ONE.get(event, 0) if cost is None else cost
            for event, cost in self._rows(recorded, tuple[str, int | None])
        )

    def span(self) -> tuple[float, float]:
        """Return when the first and the last entry were recorded, in seconds since 1970.

        Of an empty journal: now.
        """
        recorded = journal.c.recorded_at
        ends = sa.select(sa.func.min(recorded), sa.func.max(recorded))
        row = self._first(ends, tuple[_Moment | None, _Moment | None])
        first, last = row or (None, None)
        return (time.time(),) * 2 if first is None or last is None else (first, last)

    def settings(self) -> dict[str, str]:
        """What `set_setting` kept, and the schema's version."""
        return dict(self._rows(sa.select(settings.c.name, settings.c.value), tuple[str, str]))

    def set_setting(self, name: str, value: str) -> None:
        """Keep a small fact about the harvest, e.g. its strategy."""
        statement = insert(settings).values(name=name, value=value)
        with self._transaction() as connection:
            connection.execute(
                statement.on_conflict_do_update(index_elements=["name"], set_={"value": value})
            )

    def veil(self, secrets: Secrets) -> None:
        """Take secrets out of what was recorded before they were left out; done once."""
        if not secrets or "veiled" in self.settings():
            return
        with self._transaction() as connection:
            _secrets.veil(connection, secrets)
        self.set_setting("veiled", "yes")
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(sa.text("VACUUM"))  # what was there before stands in free pages

    def settle(self) -> None:
        """Write what the log beside the file holds into the file, and empty the log."""
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(sa.text("PRAGMA wal_checkpoint(TRUNCATE)"))

    def close(self) -> None:
        """Flush and let go."""
        self._engine.dispose()

    def _held(self, *names: str) -> sa.Select[Any]:
        """Select columns of documents, or all."""
        chosen: list[Any] = [self._columns[name] for name in names or self._columns]
        return sa.select(*chosen).select_from(documents)

    def _rows(
        self, statement: sa.Select[Any], kind: Any, read: Callable[[Any], Any] = lambda row: row
    ) -> Iterator[Any]:
        with self._reading() as connection:
            for row in connection.execute(statement):
                yield read(msgspec.convert(tuple(row), kind))

    def _first(self, statement: sa.Select[Any], kind: Any) -> Any:
        with self._reading() as connection:
            row = connection.execute(statement).first()
            return None if row is None else msgspec.convert(tuple(row), kind)

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except sa.exc.DatabaseError as error:
            raise reading_error(self._path, error) from None
        except msgspec.DecodeError as error:
            raise damage(self._path, error) from None
