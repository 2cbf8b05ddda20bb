"""A store in one SQLite file, safe against being killed at any moment.

Write-ahead logging with `synchronous=NORMAL`: a transaction that returned survives the death
of the process. A power cut may lose the last few, never more; those pages are asked again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from longline.errors import FolderError, StorageError
from longline.events import AnyEvent, DocumentReceived, PageReceived, ResponseReceived
from longline.model import Document, Query, Request
from longline.store._schema import documents, journal, metadata, settings

SCHEMA = "1"


class SqliteStore:
    """Keep a harvest in the SQLite file at `path`, which is made where it is absent.

    Args:
        read_only: Look, but never write; the file must exist. Safe beside a running harvest.

    Raises:
        FolderError: The file is no longline harvest, or of another version.
        StorageError: The file cannot be made.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        if read_only and not path.is_file():
            raise FolderError(f"no harvest at {path}", advice="name a folder made by a harvest")
        self._path = path
        mode = "ro" if read_only else "rwc"
        self._engine = sa.create_engine(
            f"sqlite+pysqlite:///file:{path}?mode={mode}&uri=true",
        )
        sa.event.listen(self._engine, "connect", _set_pragmas)
        try:
            self._open(read_only)
        except sa.exc.DatabaseError as error:
            self._engine.dispose()
            raise _opening_error(path, error) from None
        except FolderError:
            self.close()
            raise

    def _open(self, read_only: bool) -> None:
        if not read_only:
            with self._transaction() as connection:
                metadata.create_all(connection)
                if not _has_language(connection):
                    connection.execute(_ADD_LANGUAGE)
                statement = insert(settings).values(name="schema", value=SCHEMA)
                connection.execute(statement.on_conflict_do_nothing())
        schema = self.settings().get("schema")
        if schema != SCHEMA:
            raise FolderError(
                f"{self._path} has schema {schema}, this longline reads {SCHEMA}",
                advice="harvest into a new folder",
            )
        with self._engine.connect() as connection:
            self._language = _LANGUAGE if _has_language(connection) else sa.literal("")

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except sa.exc.OperationalError as error:
            raise StorageError(
                f"cannot write {self._path}: {error.orig}",
                advice="make room or check permissions, then run the same command again; "
                "everything recorded so far is safe",
            ) from None

    def record(self, *events: AnyEvent) -> None:
        """Append events to the journal in one transaction; documents are kept by key."""
        now = time.time()
        with self._transaction() as connection:
            connection.execute(sa.insert(journal), [_entry(event, now) for event in events])
            for event in events:
                if isinstance(event, DocumentReceived):
                    values = msgspec.structs.asdict(event.document)
                    statement = insert(documents).values(values)
                    connection.execute(
                        statement.on_conflict_do_update(index_elements=["key"], set_=values)
                    )

    def page(self, query: Query, number: int) -> PageReceived | None:
        """Return what the journal holds for a result page, the newest, or None."""
        payload = self._newest(PageReceived, query, journal.c.number == number)
        return None if payload is None else msgspec.json.decode(payload, type=PageReceived)

    def response(self, request: Request) -> ResponseReceived | None:
        """Return what the journal holds in answer to a request, the newest, or None."""
        payload = self._newest(ResponseReceived, request)
        return None if payload is None else msgspec.json.decode(payload, type=ResponseReceived)

    def _newest(
        self, kind: type[AnyEvent], asked: Query | Request, *where: sa.ColumnElement[bool]
    ) -> str | None:
        statement = (
            sa.select(journal.c.payload)
            .where(journal.c.query == _json(asked), journal.c.event == kind.__name__, *where)
            .order_by(journal.c.entry.desc())
            .limit(1)
        )
        row = self._first(statement)
        return None if row is None else row[0]

    def document(self, key: str) -> Document | None:
        """Return a held document, or None."""
        row = self._first(self._documents().where(documents.c.key == key))
        return None if row is None else Document(*row)

    def documents(self) -> Iterator[Document]:
        """Every held document, in the order of arrival."""
        for row in self._rows(self._documents().order_by(documents.c.arrival)):
            yield Document(*row)

    def events(self) -> Iterator[AnyEvent]:
        """The whole journal, in order."""
        held = documents.c
        statement = (
            sa.select(
                journal.c.event,
                journal.c.payload,
                held.url,
                held.title,
                held.text,
                self._language,
            )
            .outerjoin(documents, held.key == sa.func.json_extract(journal.c.payload, "$.key"))
            .order_by(journal.c.entry)
        )
        for event, payload, *kept in self._rows(statement):
            if event == DocumentReceived.__name__:
                stub = msgspec.json.decode(payload)
                document = Document(stub.pop("key"), *kept)
                yield DocumentReceived(document, **stub)
            else:
                yield msgspec.json.decode(payload, type=AnyEvent)

    def requests_since(self, seconds: float) -> int:
        """Return how many requests entries of this moment and later cost.

        Args:
            seconds: Since 1970, UTC.
        """
        requests = sa.func.json_extract(journal.c.payload, "$.requests")
        recorded = sa.select(journal.c.event, requests).where(journal.c.recorded_at >= seconds)
        return sum(
            _COSTS_ONE.get(event, 0) if cost is None else cost
            for event, cost in self._rows(recorded)
        )

    def span(self) -> tuple[float, float]:
        """Return when the first and the last entry were recorded, in seconds since 1970.

        Of an empty journal: now.
        """
        recorded = journal.c.recorded_at
        row = self._first(sa.select(sa.func.min(recorded), sa.func.max(recorded)))
        return (time.time(),) * 2 if row is None or row[0] is None else (row[0], row[1])

    def settings(self) -> dict[str, str]:
        """What `set_setting` kept, and the schema's version."""
        statement = sa.select(settings.c.name, settings.c.value)
        return {row[0]: row[1] for row in self._rows(statement)}

    def set_setting(self, name: str, value: str) -> None:
        """Keep a small fact about the harvest, e.g. its strategy."""
        statement = insert(settings).values(name=name, value=value)
        with self._transaction() as connection:
            connection.execute(
                statement.on_conflict_do_update(index_elements=["name"], set_={"value": value})
            )

    def close(self) -> None:
        """Flush and let go."""
        self._engine.dispose()

    def _documents(self) -> sa.Select[Any]:
        held = documents.c
        return sa.select(held.key, held.url, held.title, held.text, self._language)

    def _rows(self, statement: sa.Select[Any]) -> Iterator[Any]:
        with self._engine.connect() as connection:
            yield from connection.execute(statement)

    def _first(self, statement: sa.Select[Any]) -> Any:
        with self._engine.connect() as connection:
            return connection.execute(statement).first()


_COSTS_ONE = {
    kind.__name__: 1
    for kind in get_args(AnyEvent)
    for field in msgspec.structs.fields(kind)
    if (field.name, field.default) == ("requests", 1)
}
"""Events whose `requests` are not written where they are one."""

_LANGUAGE = documents.c.language
_ADD_LANGUAGE = sa.text("ALTER TABLE documents ADD COLUMN language TEXT NOT NULL DEFAULT ''")


def _has_language(connection: sa.Connection) -> bool:
    columns = sa.inspect(connection).get_columns(documents.name)
    return any(column["name"] == _LANGUAGE.name for column in columns)


def _json(asked: Query | Request) -> str:
    return msgspec.json.encode(asked).decode()


def _entry(event: AnyEvent, now: float) -> dict[str, Any]:
    asked = getattr(event, "query", getattr(event, "request", None))
    if isinstance(event, DocumentReceived):
        stub = {"key": event.document.key, "requests": event.requests}
        if event.body_bytes:
            stub["body_bytes"] = event.body_bytes
        payload = msgspec.json.encode(stub)
    else:
        payload = msgspec.json.encode(event)
    return {
        "recorded_at": now,
        "event": type(event).__name__,
        "query": None if asked is None else _json(asked),
        "number": getattr(event, "number", None),
        "payload": payload.decode(),
    }


def _set_pragmas(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA busy_timeout=10000")


def _opening_error(path: Path, error: sa.exc.DatabaseError) -> FolderError | StorageError:
    if "not a database" in str(error.orig) or "no such table" in str(error.orig):
        return FolderError(f"{path} is no longline harvest", advice="harvest into another folder")
    return StorageError(
        f"cannot open {path}: {error.orig}", advice="check that the folder can be written"
    )
