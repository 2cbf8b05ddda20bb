"""What is wrong with a file that should be a store, in words."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from longline.errors import FolderError, StorageError
from longline.store._schema import LATER, OF_FILE

NOT_OURS = ("not a database", "no such table", "file is encrypted")
SIGNS = ("malformed", "not decode", "no such column", "datatype mismatch", "corrupt")
"""How SQLite says that a file is not as it was written."""


def check_tables(path: Path, connection: sa.Connection) -> bool:
    """Make sure that a file has the tables of a store, or none at all; say whether it has them.

    Raises:
        FolderError: Some are missing, or lack a column; what is missing is named.
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
    """Return what to raise of a file that something else has written."""
    return FolderError(f"{path} was not made by longline", advice="choose another folder")


def damage(path: Path, problem: object) -> FolderError:
    """Return what to raise of a store that cannot be read any more."""
    return FolderError(
        f"{path} is damaged: {problem}",
        advice="put back an earlier copy, or choose another folder; `longline export` "
        "to standard output writes the documents that come before the damage",
    )


def is_damage(problem: object) -> bool:
    """Say whether SQLite's words mean that the file is not as it was written."""
    return any(sign in str(problem) for sign in SIGNS)


def opening_error(
    path: Path, error: sa.exc.DatabaseError, read_only: bool
) -> FolderError | StorageError:
    """Return what to raise where a file cannot be opened."""
    if any(sign in str(error.orig) for sign in NOT_OURS):
        return not_ours(path)
    if is_damage(error.orig):
        return damage(path, error.orig)
    return StorageError(
        f"cannot open {path}: {error.orig}",
        advice=f"check that the folder can be {'read' if read_only else 'written'}",
    )


def writing_error(path: Path, error: sa.exc.DatabaseError) -> FolderError | StorageError:
    """Return what to raise where something cannot be recorded."""
    if is_damage(error.orig) or not isinstance(error, sa.exc.OperationalError):
        return damage(path, error.orig)
    return StorageError(
        f"cannot write {path}: {error.orig}",
        advice="free some space or check the permissions, then run it again; "
        "everything recorded so far is safe",
    )


def reading_error(path: Path, error: sa.exc.DatabaseError) -> FolderError | StorageError:
    """Return what to raise where something cannot be read."""
    if is_damage(error.orig) or any(sign in str(error.orig) for sign in NOT_OURS):
        return damage(path, error.orig)
    return StorageError(
        f"cannot read {path}: {error.orig}",
        advice="check the disk, and that no other program holds the file; then try again",
    )
