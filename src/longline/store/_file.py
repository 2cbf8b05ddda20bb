"""The file that a store is in: how it is opened, and what tells it from any other."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa


def files_of(path: Path) -> dict[Path, tuple[int, int]]:
    """Return which files a store is in, itself and the log beside it, by where they are."""
    log = path.resolve().with_name(f"{path.resolve().name}-wal")
    found = {each: identity_of(each) for each in (path, log)}
    return {each: file for each, file in found.items() if file is not None}


def identity_of(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from any other that takes its name; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def engine_of(path: Path, mode: str) -> sa.Engine:
    """Return what opens a store's file in a mode of SQLite's URIs."""
    # In a URI, and once more in SQLAlchemy's, "?", "#" and "%" would end or change the name.
    address = quote(quote(str(path.absolute())))
    engine = sa.create_engine(f"sqlite+pysqlite:///file:{address}?{mode}&uri=true")
    sa.event.listen(engine, "connect", _set_pragmas if mode == "mode=rwc" else _be_patient)
    return engine


def mode_of(path: Path) -> str:
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
