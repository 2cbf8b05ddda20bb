"""The one schema: a journal, the documents, a few settings.

A document's text is stored once, in `documents`; its journal entry refers to it by key. Every other
event is stored completely in `payload`, as JSON. Answers of failed or cut pages are stored as
received.

A file contains one harvest. A database contains many: there each table starts with the number of
the harvest, and values that SQLite's functions read from the JSON have their own columns.
"""

from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

Conditions = tuple[sa.ColumnElement[bool], ...]
"""Conditions that must all hold."""


class _AnyText(sa.types.TypeDecorator[str]):
    """Text with zero bytes, which PostgreSQL cannot store: they are escaped with two characters."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: object) -> Any:
        """Escape zero bytes and the escape character itself."""
        if isinstance(value, str) and ("\0" in value or "\x1a" in value):
            return value.replace("\x1a", "\x1a1").replace("\0", "\x1a0")
        return value

    def process_result_value(self, value: Any, dialect: object) -> Any:
        """Undo the escapes."""
        if isinstance(value, str) and "\x1a" in value:
            return value.replace("\x1a0", "\0").replace("\x1a1", "\x1a")
        return value


TEXT = sa.Text().with_variant(_AnyText(), "postgresql")


class Tables(NamedTuple):
    """The tables of a file, or of a database of many harvests."""

    metadata: sa.MetaData
    journal: sa.Table
    documents: sa.Table
    settings: sa.Table
    answers: sa.Table


def _make(*, many: bool) -> Tables:
    metadata = sa.MetaData()
    whole = sa.BigInteger if many else sa.Integer

    def owner() -> list[sa.Column[Any]]:
        return [sa.Column("harvest", sa.BigInteger, primary_key=True)] if many else []

    def numbered(name: str) -> list[sa.Column[Any]]:
        identity = [sa.Identity()] if many else []
        return [*owner(), sa.Column(name, whole, *identity, primary_key=True)]

    read_out: list[Any] = [sa.Column("document", TEXT), sa.Column("requests", sa.Integer)]
    journal = sa.Table(
        "journal",
        metadata,
        *numbered("entry"),
        sa.Column("recorded_at", sa.Float, nullable=False),  # seconds since 1970, UTC
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("query", TEXT),  # or request: JSON, if the event has one
        sa.Column("number", sa.Integer),
        sa.Column("payload", TEXT, nullable=False),
        *(read_out if many else []),
    )
    documents = sa.Table(
        "documents",
        metadata,
        *numbered("arrival"),
        sa.Column("key", TEXT, nullable=False, unique=not many),
        sa.Column("url", TEXT, nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("text", TEXT, nullable=False),
        sa.Column("language", TEXT, nullable=False, server_default=""),
        sa.Column("fields", TEXT, nullable=False, server_default="{}"),  # JSON
        sa.Column("attachments", TEXT, nullable=False, server_default="[]"),  # JSON
    )
    settings = sa.Table(
        "settings",
        metadata,
        *owner(),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", TEXT, nullable=False),
    )
    answers = sa.Table(
        "answers",
        metadata,
        *numbered("answer"),
        sa.Column("query", TEXT, nullable=False),  # JSON
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("url", TEXT, nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("content_type", TEXT, nullable=False),
        sa.Column("body_bytes", whole, nullable=False),  # before it was cut off
        sa.Column("body", sa.LargeBinary, nullable=False),  # its first bytes, compressed
    )
    _index(journal, answers, documents, many=many)
    return Tables(metadata, journal, documents, settings, answers)


def _index(journal: sa.Table, answers: sa.Table, documents: sa.Table, *, many: bool) -> None:
    """Add indexes for lookups; databases index texts by hash, as index entries are small."""
    for table in (journal, answers):
        asked = [table.c.query, table.c.number]
        if many:
            asked = [table.c.harvest, sa.func.md5(table.c.query), table.c.number]  # type: ignore[list-item]
        sa.Index(f"{table.name}_by_page", *asked)
    if many:
        sa.Index("documents_by_key", documents.c.harvest, sa.func.md5(documents.c.key), unique=True)
        sa.Index("journal_by_time", journal.c.harvest, journal.c.recorded_at)


OF_FILE = _make(many=False)
OF_DATABASE = _make(many=True)
HARVESTS = sa.Table(
    "harvests",
    OF_DATABASE.metadata,
    sa.Column("harvest", sa.BigInteger, sa.Identity(), primary_key=True),
    sa.Column("folder", TEXT, nullable=False),
    sa.Column("made_at", sa.Float, nullable=False),  # seconds since 1970, UTC
)
"""The harvests in a database."""

LATER = {"language": "''", "fields": "'{}'", "attachments": "'[]'"}
"""Columns of documents that older files lack, with their defaults.

A file that is opened to write gets them.
"""


class Scope:
    """Selects the rows of one harvest.

    Args:
        harvest: Its number in a database; None if the file contains only one.
    """

    def __init__(self, harvest: int | None = None) -> None:
        self.tables = OF_FILE if harvest is None else OF_DATABASE
        self.own: dict[str, Any] = {} if harvest is None else {"harvest": harvest}

    def of(self, table: sa.Table) -> Conditions:
        """Return the conditions for rows of the harvest."""
        return tuple(table.c[name] == value for name, value in self.own.items())

    def same(self, column: sa.Column[Any], value: str) -> Conditions:
        """Return the conditions that a text equals a value, in a form that uses the index."""
        if not self.own:
            return (column == value,)
        return (sa.func.md5(column) == sa.func.md5(sa.literal(value, column.type)), column == value)

    def among(self, column: sa.Column[Any], name: str) -> Conditions:
        """Return the conditions that a text is one of a parameter's, so that the index is used."""
        if not self.own:
            return (column.in_(sa.bindparam(name, expanding=True)),)
        values = sa.bindparam(name, type_=postgresql.ARRAY(column.type))
        hashes = sa.select(sa.func.md5(sa.func.unnest(values)))
        return (sa.func.md5(column).in_(hashes), column == sa.any_(values))

    @property
    def key(self) -> sa.ColumnElement[Any]:
        """Key of the document of a journal entry."""
        journal = self.tables.journal.c
        if self.own:
            return journal.document
        return sa.func.json_extract(journal.payload, "$.key")

    @property
    def requests(self) -> sa.ColumnElement[Any]:
        """Requests that a journal entry cost; NULL if not given."""
        journal = self.tables.journal.c
        return journal.requests if self.own else sa.func.json_extract(journal.payload, "$.requests")
