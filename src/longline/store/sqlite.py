"""A store in one SQLite file, safe if the process is killed at any moment.

It uses write-ahead logging with `synchronous=NORMAL`: a committed transaction survives the death of
the process. A power cut may lose only the last few; those pages are requested again.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from longline.errors import FolderError, LonglineError, StorageError
from longline.store._rows import columns, complete, lacking_columns
from longline.store._schema import LATER, OF_FILE, Scope
from longline.store.tables import SCHEMA, TableStore


class SqliteStore(TableStore):
    """Store a harvest in the SQLite file at `path`, which is created if it does not exist.

    Args:
        read_only: Never write; the file must exist. Safe while a harvest is running, and works for
            a harvest on a read-only medium.

    Raises:
        FolderError: The file is no longline harvest, or of another version, or damaged; each
            reading method raises it for damage, too.
        StorageError: The file cannot be created.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        if read_only and not path.is_file():
            raise FolderError(
                f"there is no harvest at {path}", advice="name the folder of a harvest"
            )
        super().__init__(_engine_of(path, _mode_of(path) if read_only else "mode=rwc"), Scope())
        self._path = path
        self._writer: sa.Connection | None = None
        self._files: dict[Path, tuple[int, int]] = {}
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
                self._tables.metadata.create_all(connection)
                complete(connection)
                if not is_there:
                    version = insert(self._tables.settings).values(name="schema", value=SCHEMA)
                    connection.execute(version)
            self._files = _files_of(self._path)
        schema = self.settings().get("schema")
        if schema != SCHEMA:
            raise FolderError(
                f"{self._path} has schema {schema}, this longline reads {SCHEMA}",
                advice="choose another folder, or use the version of longline that made it",
            )
        with self._engine.connect() as connection:
            self._columns = columns(self._tables.documents, lacking_columns(connection))

    def _upsert(self, table: sa.Table, column: str) -> sa.Insert:
        statement = insert(table)
        changed = {each.name: each for each in statement.excluded if not each.primary_key}
        return statement.on_conflict_do_update(index_elements=[column], set_=changed)

    @contextmanager
    def _begin(self) -> Iterator[sa.Connection]:
        # One connection for all writing: taking one from the pool takes as long again.
        self._writer = self._writer or self._engine.connect()
        with self._writer.begin():
            yield self._writer

    def close(self) -> None:
        """Flush and close."""
        if self._writer is not None:
            self._writer.close()
        super().close()

    def _enter(self, connection: sa.Connection) -> None:
        if any(_identity_of(path) != file for path, file in self._files.items()):
            raise StorageError(
                f"{self._path} was removed, moved or replaced while the harvest ran",
                advice="put it back and run it again; or choose another folder",
            )

    def _writing_error(self, error: sa.exc.DatabaseError) -> LonglineError:
        if is_damage(error.orig) or not isinstance(error, sa.exc.OperationalError):
            return damage(self._path, error.orig)
        return StorageError(
            f"cannot write {self._path}: {error.orig}",
            advice="free some space or check the permissions, then run it again; "
            "everything recorded so far is safe",
        )

    def _reading_error(self, error: Exception) -> LonglineError:
        if not isinstance(error, sa.exc.DatabaseError):
            return damage(self._path, error)
        if is_damage(error.orig) or any(sign in str(error.orig) for sign in NOT_OURS):
            return damage(self._path, error.orig)
        return StorageError(
            f"cannot read {self._path}: {error.orig}",
            advice="check the disk, and that no other program holds the file; then try again",
        )

    def settle(self) -> None:
        """Write the contents of the log beside the file into the file, and empty the log."""
        self._outside("PRAGMA wal_checkpoint(TRUNCATE)")

    def forget(self) -> None:
        """Remove overwritten data from the file's free pages."""
        self._outside("VACUUM")

    def _outside(self, statement: str) -> None:
        """Run a statement that cannot run in a transaction."""
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(sa.text(statement))


def _files_of(path: Path) -> dict[Path, tuple[int, int]]:
    """Return the identities of a store's files: the file itself and the log beside it."""
    log = path.resolve().with_name(f"{path.resolve().name}-wal")
    found = {each: _identity_of(each) for each in (path, log)}
    return {each: file for each, file in found.items() if file is not None}


def _identity_of(path: Path) -> tuple[int, int] | None:
    """Return a file's identity, which changes if it is replaced, or None if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _engine_of(path: Path, mode: str) -> sa.Engine:
    """Return the engine for a store's file in a mode of SQLite's URIs."""
    # In a URI, and again in SQLAlchemy's, "?", "#" and "%" would end or change the name.
    address = quote(quote(str(path.absolute())))
    engine = sa.create_engine(f"sqlite+pysqlite:///file:{address}?{mode}&uri=true")
    sa.event.listen(engine, "connect", _set_pragmas if mode == "mode=rwc" else _be_patient)
    return engine


def _mode_of(path: Path) -> str:
    """Return the mode to open a file read-only.

    SQLite writes beside a file even to read it, unless it knows that nobody else writes. If the
    folder is not writable, this is so, unless there is a log beside the file.
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


NOT_OURS = ("not a database", "no such table", "file is encrypted")
SIGNS = ("malformed", "not decode", "no such column", "datatype mismatch", "corrupt")
"""Parts of SQLite's messages about damaged files."""


def check_tables(path: Path, connection: sa.Connection) -> bool:
    """Check that a file has all tables of a store, or none; return whether it has them.

    Raises:
        FolderError: Some are missing, or lack a column; the message names the missing part.
    """
    inspector = sa.inspect(connection)
    there = set(inspector.get_table_names())
    if not there:
        return False
    if OF_FILE.settings.name not in there:
        raise not_ours(path)
    for table in (OF_FILE.journal, OF_FILE.documents, OF_FILE.settings):
        if table.name not in there:
            raise damage(path, f"its table {table.name} is missing")
        names = {column["name"] for column in inspector.get_columns(table.name)}
        lacking = [c.name for c in table.columns if c.name not in names and c.name not in LATER]
        if lacking:
            raise damage(path, f"the column {lacking[0]} of its table {table.name} is missing")
    return True


def not_ours(path: Path) -> FolderError:
    """Return the error for a file that another program has written."""
    return FolderError(
        f"{path} was not made by longline, or is damaged",
        advice="choose another folder, or put a copy of the file back",
    )


def damage(path: Path, problem: object) -> FolderError:
    """Return the error for a store that cannot be read any more."""
    return FolderError(
        f"{path} is damaged: {problem}",
        advice="put back an earlier copy, or choose another folder; `longline export` "
        "to standard output writes the documents that come before the damage",
    )


def is_damage(problem: object) -> bool:
    """Return whether SQLite's message means a damaged file."""
    return any(sign in str(problem) for sign in SIGNS)


def opening_error(
    path: Path, error: sa.exc.DatabaseError, read_only: bool
) -> FolderError | StorageError:
    """Return the error for a file that cannot be opened.

    SQLite writes a small file even to read, so a full disk may be the cause of either.

    >>> full = sa.exc.OperationalError("", None, Exception("disk I/O error"))
    >>> opening_error(Path("harvest.db"), full, read_only=True).advice
    'free some space, or check that the folder can be read'
    """
    if any(sign in str(error.orig) for sign in NOT_OURS):
        return not_ours(path)
    if is_damage(error.orig):
        return damage(path, error.orig)
    able = "read" if read_only else "written"
    return StorageError(
        f"cannot open {path}: {error.orig}",
        advice=f"free some space, or check that the folder can be {able}",
    )
