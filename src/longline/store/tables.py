"""The common part of all stores that keep a harvest in database tables."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from itertools import islice
from typing import Any

import msgspec
import sqlalchemy as sa

from longline.errors import LonglineError
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
from longline.store._prepared import Prepared
from longline.store._rows import (
    ATTACHMENTS,
    COSTS_ONE,
    FIELDS,
    Entry,
    Moment,
    Row,
    columns,
    document_of,
    entry_of,
    event_of,
    join,
    json_of,
    row_of,
    taken_over,
    withdraw,
)
from longline.store._schema import Scope

SCHEMA = "1"
"""Version of the tables; a store of another version is refused."""

BATCH = 1_000
"""Rows that are copied at once."""


class TableStore(ABC):
    """Store a harvest in the tables of a database.

    Args:
        engine: Opens connections to it; closed with the store.
        scope: Selects the rows of this harvest.

    Attributes:
        most_answers: Maximum number of stored answers of failed or cut pages.
    """

    def __init__(self, engine: sa.Engine, scope: Scope) -> None:
        self._engine = engine
        self._scope = scope
        self._tables = scope.tables
        self._seen: Seen | None = None
        self.most_answers = _answers.MOST_ANSWERS
        self._columns = columns(self._tables.documents)

    @abstractmethod
    def _upsert(self, table: sa.Table, column: str) -> sa.Insert:
        """Return a statement that inserts a row, or updates the one with the same column value."""

    @abstractmethod
    def _writing_error(self, error: sa.exc.DatabaseError) -> LonglineError:
        """Return the error for a failed write."""

    @abstractmethod
    def _reading_error(self, error: Exception) -> LonglineError:
        """Return the error for a failed read."""

    def _enter(self, connection: sa.Connection) -> None:  # noqa: B027
        """Check inside a transaction, before something is written, that this store may write."""

    def settle(self) -> None:  # noqa: B027
        """Write the store's data to its main file, so that a copy of the file is complete."""

    def forget(self) -> None:  # noqa: B027
        """Make overwritten data unreadable."""

    def _begin(self) -> AbstractContextManager[sa.Connection]:
        """Start a transaction."""
        return self._engine.begin()

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        try:
            with self._begin() as connection:
                self._enter(connection)
                yield connection
        except sa.exc.DatabaseError as error:
            raise self._writing_error(error) from None

    def record(self, *events: AnyEvent) -> None:
        """Append events to the journal in one transaction; documents are stored by key."""
        if not events:
            return
        now = time.time()
        rows = [entry_of(event, now, self._scope) for event in events]
        with self._transaction() as connection:
            self._add_entry.run(connection, *rows)
            for event in events:
                if isinstance(event, DocumentReceived):
                    self._put_document.run(connection, self._scope.own | row_of(event.document))
                elif isinstance(event, DocumentWithdrawn):
                    withdraw(connection, event, self._scope)
                elif isinstance(event, SameDocument):
                    join(connection, event, self._scope)
            seen, most = self._seen, self.most_answers
            if seen and _answers.keep(connection, seen, events, self._scope, most):
                self._seen = None

    @cached_property
    def _add_entry(self) -> Prepared:
        return Prepared(sa.insert(self._tables.journal), self._engine.dialect)

    @cached_property
    def _put_document(self) -> Prepared:
        return Prepared(self._upsert(self._tables.documents, "key"), self._engine.dialect)

    @property
    def harvest(self) -> int | None:
        """Number of the harvest in a database of many; None in a file."""
        number: int | None = self._scope.own.get("harvest")
        return number

    def take(self, other: TableStore) -> int:
        """Copy all data of another store into this new one, in one transaction.

        Returns:
            The number of journal entries.
        """
        mine, theirs = self._scope, other._scope
        taken = 0
        with self._transaction() as connection:
            for name in ("journal", "documents", "answers", "settings"):
                source, target = getattr(theirs.tables, name), getattr(mine.tables, name)
                for rows in other._batches(source):
                    values = [taken_over(name, row, mine) for row in rows]
                    values = [row for row in values if row.get("name") != "schema"]
                    if values:
                        connection.execute(sa.insert(target), values)
                    taken += len(rows) if name == "journal" else 0
        return taken

    def _batches(self, table: sa.Table) -> Iterator[list[dict[str, Any]]]:
        """Yield the rows of a table in order, in batches."""
        own = self._scope.of(table)
        order = [column for column in table.primary_key if column.name != "harvest"]
        with self._streaming(sa.select(table).where(*own).order_by(*order)) as rows:
            found = iter(rows)
            while batch := [row._asdict() for row in islice(found, BATCH)]:
                yield batch

    def see(self, query: Query, number: int, response: Response) -> None:
        """Receive the answer that a result page is read from next.

        It is stored if the next event recorded for the page is a failure or a cut.
        """
        self._seen = Seen(query, number, response) if self.most_answers else None

    def answers(self, query: Query, number: int) -> list[Answer]:
        """Return the stored answers of a result page, the newest last."""
        with self._reading() as connection:
            return _answers.read(connection, query, number, self._scope)

    def page(self, query: Query, number: int) -> PageReceived | None:
        """Return the newest event of a result page, or None if none, or if it is distrusted."""
        kinds = (PageReceived, PageDisbelieved)
        found = self._newest(kinds, query, self._tables.journal.c.number == number)
        return found if isinstance(found, PageReceived) else None

    def response(self, request: Request) -> ResponseReceived | None:
        """Return the newest answer to a request in the journal, or None."""
        found = self._newest((ResponseReceived,), request)
        return found if isinstance(found, ResponseReceived) else None

    def _newest(
        self,
        kinds: tuple[type[AnyEvent], ...],
        asked: Query | Request,
        *where: sa.ColumnElement[bool],
    ) -> AnyEvent | None:
        names = [kind.__name__ for kind in kinds]
        journal = self._tables.journal
        mine = *self._scope.of(journal), *self._scope.same(journal.c.query, json_of(asked))
        statement = (
            sa.select(journal.c.payload)
            .where(*mine, journal.c.event.in_(names), *where)
            .order_by(journal.c.entry.desc())
            .limit(1)
        )
        with self._reading() as connection:
            row = connection.execute(statement).first()
            if row is None:
                return None
            event: AnyEvent = msgspec.json.decode(msgspec.convert(row[0], str), type=AnyEvent)
            return event

    def document(self, key: str) -> Document | None:
        """Return a held document, or None."""
        return self.held([key]).get(key)

    def held(self, keys: Iterable[str]) -> dict[str, Document]:
        """Return which of some documents are held, by key."""
        found, left = dict[str, Document](), iter(keys)
        while some := list(islice(left, BATCH // 2)):
            rows = self._rows(self._held_of_keys.params(keys=some), Row, document_of)
            found.update((document.key, document) for document in rows)
        return found

    @cached_property  # building it takes longer than running it
    def _held_of_keys(self) -> sa.Select[Any]:
        return self._held().where(*self._scope.among(self._tables.documents.c.key, "keys"))

    def documents(self) -> Iterator[Document]:
        """Yield every held document, in the order of arrival."""
        yield from self._rows(self._held(), Row, document_of)

    def keys(self) -> Iterator[str]:
        """Yield the key of every held document, in the order of arrival."""
        yield from self._rows(self._held("key"), tuple[str], lambda row: row[0])

    def fields(self) -> Iterator[Fields]:
        """Yield the fields of every held document, in the order of arrival."""
        yield from self._rows(self._held("fields"), tuple[str], lambda row: FIELDS.decode(row[0]))

    def attachments(self) -> Iterator[Attachment]:
        """Yield every attachment of the held documents, in the order of arrival."""
        held = self._held("attachments").where(self._columns["attachments"] != "[]")
        for of_document in self._rows(held, tuple[str], lambda row: ATTACHMENTS.decode(row[0])):
            yield from of_document

    def count(self) -> int:
        """Return the number of held documents."""
        documents = self._tables.documents
        held = sa.select(sa.func.count()).select_from(documents).where(*self._scope.of(documents))
        [(found,)] = self._rows(held, tuple[int])
        return int(found)

    def dated_documents(self) -> Iterator[tuple[Document, float]]:
        """Yield every held document with its arrival time, in seconds since 1970."""
        moments = self._dated(self._scope.key, DocumentReceived)
        skipped: dict[str, float] = {}
        last = 0.0
        # Both are in the order of arrival, except for withdrawn or merged documents.
        for document in self.documents():
            while document.key not in skipped:
                key, last = next(moments, (document.key, last))
                skipped[key] = last
            yield document, skipped.pop(document.key)

    def dated_responses(self) -> Iterator[tuple[Response, float]]:
        """Yield the answers stored in the journal, each with its arrival time, as above."""
        payloads = self._tables.journal.c.payload
        for payload, seconds in self._dated(payloads, FormReceived, ResponseReceived):
            event = msgspec.json.decode(payload, type=FormReceived | ResponseReceived)
            yield event.response, seconds

    def _dated(self, column: sa.ColumnElement[str], *kinds: type[AnyEvent]) -> Iterator[Any]:
        """Yield a column's values for entries of some kinds, each with its time."""
        journal, names = self._tables.journal, [kind.__name__ for kind in kinds]
        of_them = *self._scope.of(journal), journal.c.event.in_(names)
        dated = sa.select(column, journal.c.recorded_at).where(*of_them).order_by(journal.c.entry)
        return self._rows(dated, tuple[str, Moment])

    def events(self) -> Iterator[AnyEvent]:
        """Return the complete journal, in order."""
        return (entry.event for entry in self.entries())

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """Yield the journal in order, with the time of each event.

        Args:
            after: Only entries with a greater number than this.
        """
        journal, documents = self._tables.journal, self._tables.documents
        is_of = *self._scope.of(documents), documents.c.key == self._scope.key
        statement = (
            sa.select(
                journal.c.entry,
                journal.c.recorded_at,
                journal.c.event,
                journal.c.payload,
                *self._columns.values(),
            )
            .outerjoin(documents, sa.and_(*is_of))
            .where(*self._scope.of(journal), journal.c.entry > after)
            .order_by(journal.c.entry)
        )
        with self._streaming(statement) as rows:
            for number, moment, name, payload, *kept in rows:
                event = event_of(name, msgspec.convert(payload, str), kept)
                yield Entry(number, msgspec.convert(moment, Moment), event)

    def requests_since(self, seconds: float) -> int:
        """Return how many requests the entries from this time on cost.

        Args:
            seconds: Since 1970, UTC.
        """
        journal = self._tables.journal
        is_later = *self._scope.of(journal), journal.c.recorded_at >= seconds
        recorded = sa.select(journal.c.event, self._scope.requests).where(*is_later)
        return sum(
            COSTS_ONE.get(event, 0) if cost is None else cost
            for event, cost in self._rows(recorded, tuple[str, int | None])
        )

    def span(self) -> tuple[float, float]:
        """Return the times of the first and the last entry, in seconds since 1970.

        For an empty journal: now.
        """
        journal = self._tables.journal
        recorded = journal.c.recorded_at
        ends = sa.select(sa.func.min(recorded), sa.func.max(recorded))
        ends = ends.where(*self._scope.of(journal))
        [(first, last)] = self._rows(ends, tuple[Moment | None, Moment | None])
        return (time.time(),) * 2 if first is None or last is None else (first, last)

    def settings(self) -> dict[str, str]:
        """Return the settings that `set_setting` stored, and the schema's version."""
        settings = self._tables.settings
        statement = sa.select(settings.c.name, settings.c.value).where(*self._scope.of(settings))
        return dict(self._rows(statement, tuple[str, str]))

    def set_setting(self, name: str, value: str) -> None:
        """Store a small fact about the harvest, e.g. its strategy."""
        values = {**self._scope.own, "name": name, "value": value}
        with self._transaction() as connection:
            connection.execute(self._upsert(self._tables.settings, "name"), values)

    def veil(self, secrets: Secrets) -> None:
        """Remove secrets that older versions recorded; done once."""
        if not secrets or "veiled" in self.settings():
            return
        with self._transaction() as connection:
            _secrets.veil(connection, secrets, self._scope)
        self.set_setting("veiled", "yes")
        self.forget()

    def close(self) -> None:
        """Flush and close."""
        self._engine.dispose()

    def _held(self, *names: str) -> sa.Select[Any]:
        """Select columns of documents, or all, in the order of arrival."""
        chosen: list[Any] = [self._columns[name] for name in names or self._columns]
        documents = self._tables.documents
        held = sa.select(*chosen).select_from(documents).where(*self._scope.of(documents))
        return held.order_by(documents.c.arrival)

    def _rows(
        self, statement: sa.Select[Any], kind: Any, read: Callable[[Any], Any] = lambda row: row
    ) -> Iterator[Any]:
        with self._streaming(statement) as rows:
            for row in rows:
                yield read(msgspec.convert(tuple(row), kind))

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except (sa.exc.DatabaseError, msgspec.DecodeError) as error:
            raise self._reading_error(error) from None

    @contextmanager
    def _streaming(self, statement: sa.Select[Any]) -> Iterator[Iterable[Any]]:
        """Read rows in batches, even if a database would send them all at once."""
        with self._reading() as connection:
            streaming = connection.execution_options(stream_results=True)
            with streaming.execute(statement) as rows:
                yield rows
