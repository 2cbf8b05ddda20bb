"""A store in one SQLite file, safe against being killed at any moment.

Write-ahead logging with `synchronous=NORMAL`: a transaction that returned survives the death
of the process. A power cut may lose the last few, never more; those pages are asked again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, get_args
from urllib.parse import quote

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from longline.errors import FolderError, LonglineError, StorageError
from longline.events import AnyEvent, DocumentReceived, PageReceived, ResponseReceived
from longline.model import Document, Query, Request
from longline.store._schema import documents, journal, metadata, settings

SCHEMA = "1"

_Event = TypeVar("_Event", PageReceived, ResponseReceived)


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
            raise FolderError(f"no harvest at {path}", advice="name a folder made by a harvest")
        self._path = path
        self._engine = _engine(path, _mode(path) if read_only else "mode=rwc")
        try:
            self._open(read_only)
        except sa.exc.DatabaseError as error:
            self.close()
            raise _opening_error(path, error, read_only) from None
        except LonglineError:
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
        except sa.exc.DatabaseError as error:
            if _is_damage(error.orig):
                raise _damage(self._path, error.orig) from None
            if not isinstance(error, sa.exc.OperationalError):
                raise
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
        return self._newest(PageReceived, query, journal.c.number == number)

    def response(self, request: Request) -> ResponseReceived | None:
        """Return what the journal holds in answer to a request, the newest, or None."""
        return self._newest(ResponseReceived, request)

    def _newest(
        self, kind: type[_Event], asked: Query | Request, *where: sa.ColumnElement[bool]
    ) -> _Event | None:
        statement = (
            sa.select(journal.c.payload)
            .where(journal.c.query == _json(asked), journal.c.event == kind.__name__, *where)
            .order_by(journal.c.entry.desc())
            .limit(1)
        )
        with self._reading() as connection:
            row = connection.execute(statement).first()
            return None if row is None else msgspec.json.decode(row[0], type=kind)

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
        with self._reading() as connection:
            for event, payload, *kept in connection.execute(statement):
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
        with self._reading() as connection:
            yield from connection.execute(statement)

    def _first(self, statement: sa.Select[Any]) -> Any:
        with self._reading() as connection:
            return connection.execute(statement).first()

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except sa.exc.DatabaseError as error:
            if not _is_damage(error.orig):
                raise
            raise _damage(self._path, error.orig) from None
        except msgspec.DecodeError as error:
            raise _damage(self._path, error) from None


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


def _engine(path: Path, mode: str) -> sa.Engine:
    # In a URI, and once more in SQLAlchemy's, "?", "#" and "%" would end or change the name.
    address = quote(quote(str(path.absolute())))
    engine = sa.create_engine(f"sqlite+pysqlite:///file:{address}?{mode}&uri=true")
    sa.event.listen(engine, "connect", _set_pragmas if mode == "mode=rwc" else _be_patient)
    return engine


def _mode(path: Path) -> str:
    """Return how to open a file that is only read.

    SQLite wants to write beside a file even to read it, unless it knows that nobody else writes.
    Where the folder cannot be written that is so, unless a log beside the file tells otherwise.
    """
    log = path.with_name(f"{path.name}-wal")
    can_write = os.access(path.parent, os.W_OK)
    return "mode=ro" if can_write or log.exists() else "mode=ro&immutable=1"


def _set_pragmas(connection: Any, _record: Any) -> None:
    _be_patient(connection, _record)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")


def _be_patient(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA busy_timeout=10000")


def _is_damage(problem: object) -> bool:
    return any(sign in str(problem) for sign in ("malformed", "not decode"))


def _damage(path: Path, problem: object) -> FolderError:
    return FolderError(
        f"{path} is damaged: {problem}",
        advice="put back a copy from before, or harvest into another folder; `longline export` "
        "writes the documents that come before the damage",
    )


def _opening_error(
    path: Path, error: sa.exc.DatabaseError, read_only: bool
) -> FolderError | StorageError:
    if "not a database" in str(error.orig) or "no such table" in str(error.orig):
        return FolderError(f"{path} is no longline harvest", advice="harvest into another folder")
    if _is_damage(error.orig):
        return _damage(path, error.orig)
    return StorageError(
        f"cannot open {path}: {error.orig}",
        advice=f"check that the folder can be {'read' if read_only else 'written'}",
    )
