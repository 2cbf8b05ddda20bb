"""Export to SQLite: a table of documents, and a full-text index over it."""

import errno
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import chain, count
from pathlib import Path
from typing import Any

import msgspec

from longline.exports.columns import Table
from longline.exports.material import Material
from longline.model.fields import Column

_FACTS = (
    "source",
    "begun_at",
    "ended_at",
    "outcome",
    "cause",
    "stopped",
    "documents",
    "size",
    "size_low",
    "size_high",
)
"""Values of the certificate that have rows of their own."""


def write_sqlite(material: Material, path: Path) -> int:
    """Write a database with the tables `documents`, `documents_fts` and `harvest`.

    The full-text index has title and text, with accents folded; it reads them from `documents`.

    Returns:
        The number of documents.

    Raises:
        OSError: It cannot be written.
    """
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            # It is deleted if anything fails, so a journal is not needed.
            connection.execute("PRAGMA journal_mode=OFF")
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute("BEGIN")
            number, *names = _apart(material.table.names)
            written = _documents(connection, material.table, number, names)
            _index(connection, number)
            _harvest(connection, material)
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        is_full = code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
        raise OSError(errno.ENOSPC if is_full else None, str(error)) from error
    return written


def _apart(names: Sequence[str]) -> list[str]:
    """Return a name for the row number's column, and unique names for these columns.

    SQL treats "Title" and "title" as the same, so the later one gets a number.

    >>> _apart(["title", "Title", "year"]), _apart(["title", "id"])
    (['id', 'title', 'Title_2', 'year'], ['id_2', 'title', 'id'])
    """
    taken, found = set[str](), list[str]()
    for name in (*names, "id"):
        others = (f"{name}_{number}" for number in count(2))
        found.append(next(each for each in chain([name], others) if each.lower() not in taken))
        taken.add(found[-1].lower())
    return [found[-1], *found[:-1]]


def _documents(
    connection: sqlite3.Connection, table: Table, number: str, names: Sequence[str]
) -> int:
    """Write the table; several values of a field, and files, are JSON in one cell."""
    types = (_type(table.columns.get(name)) for name in table.names)
    defined = ", ".join(f"{_quoted(name)} {kind}" for name, kind in zip(names, types, strict=True))
    connection.execute(
        f"CREATE TABLE documents ({_quoted(number)} INTEGER PRIMARY KEY, {defined}, UNIQUE (key))"
    )
    places = ", ".join("?" * len(table.names))
    written = 0

    def rows() -> Iterator[list[Any]]:
        nonlocal written
        for row in table.rows():
            yield [_cell(value) for value in row.values()]
            written += 1

    connection.executemany(f"INSERT INTO documents VALUES (NULL, {places})", rows())
    return written


def _type(column: Column | None) -> str:
    if column is None or column.type != "number" or column.many:
        return "TEXT"
    return "INTEGER" if column.is_whole else "REAL"


def _cell(value: Any) -> Any:
    return msgspec.json.encode(value).decode() if isinstance(value, list) else value


def _index(connection: sqlite3.Connection, number: str) -> None:
    connection.execute(
        'CREATE VIRTUAL TABLE documents_fts USING fts5(title, text, content="documents", '
        f'content_rowid="{number}", tokenize="unicode61 remove_diacritics 2")'
    )
    connection.execute("INSERT INTO documents_fts (documents_fts) VALUES ('rebuild')")


def _harvest(connection: sqlite3.Connection, material: Material) -> None:
    connection.execute("CREATE TABLE harvest (name TEXT PRIMARY KEY, value)")
    found = material.known
    if found is None:
        return
    facts = {name: getattr(found, name) for name in _FACTS}
    facts["certificate"] = material.certificate_json.decode()
    connection.executemany("INSERT INTO harvest VALUES (?, ?)", facts.items())


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
