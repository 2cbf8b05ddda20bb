"""The one schema: a journal, the documents, a few settings.

A document's text stands once, in `documents`; its journal entry names it by key. Every other
event is kept whole in `payload`, as JSON that SQLite's own functions can read. The answers of
pages that fell short, or could not be read, are kept as they came.
"""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

journal = sa.Table(
    "journal",
    metadata,
    sa.Column("entry", sa.Integer, primary_key=True),
    sa.Column("recorded_at", sa.Float, nullable=False),  # seconds since 1970, UTC
    sa.Column("event", sa.Text, nullable=False),
    sa.Column("query", sa.Text),  # or request: JSON, where the event is about one
    sa.Column("number", sa.Integer),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Index("journal_by_page", "query", "number"),
)

documents = sa.Table(
    "documents",
    metadata,
    sa.Column("arrival", sa.Integer, primary_key=True),
    sa.Column("key", sa.Text, nullable=False, unique=True),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("language", sa.Text, nullable=False, server_default=""),
    sa.Column("fields", sa.Text, nullable=False, server_default="{}"),  # JSON
    sa.Column("attachments", sa.Text, nullable=False, server_default="[]"),  # JSON
)

settings = sa.Table(
    "settings",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

answers = sa.Table(
    "answers",
    metadata,
    sa.Column("answer", sa.Integer, primary_key=True),
    sa.Column("query", sa.Text, nullable=False),  # JSON
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("status", sa.Integer, nullable=False),
    sa.Column("content_type", sa.Text, nullable=False),
    sa.Column("body_bytes", sa.Integer, nullable=False),  # before it was cut off
    sa.Column("body", sa.LargeBinary, nullable=False),  # the beginning, compressed
    sa.Index("answers_by_page", "query", "number"),
)

LATER = {"language": "''", "fields": "'{}'", "attachments": "'[]'"}
"""Columns of documents that older stores lack, with what stands there.

A store that is opened to write gets them.
"""
