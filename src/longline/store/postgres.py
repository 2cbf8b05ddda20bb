"""A store in a PostgreSQL database, which contains many harvests.

A committed transaction is on the server's disk, depending on its `synchronous_commit`.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import sqlalchemy as sa

from longline.errors import FolderError, InputError, LonglineError, StorageError
from longline.plugins import needed
from longline.store._leases import Lease, check_lease
from longline.store._schema import HARVESTS, OF_DATABASE, Scope
from longline.store.tables import SCHEMA, TableStore

LOCK = 0x6C6F6E67
"""Lock held while tables are created, so that two programs do not create them at once."""

IDLE_SECONDS = 5
"""Maximum idle seconds within a transaction, for writers with a lease."""

FIRST_SECONDS = 10
"""Seconds to wait for a connection; after that the server counts as down."""


class PostgresStore(TableStore):
    """Store a harvest in a database.

    Args:
        url: URL of the database, as `postgresql://USER@HOST/NAME`; a password may be in it, in the
            variable PGPASSWORD or in the user's password file.
        harvest: Its number there, from `create`.
        lease: Lease of the host; nothing is written any more if another process has it.

    Raises:
        InputError: The URL is not one of a PostgreSQL database, or psycopg is not installed.
        FolderError: The database has no such harvest, or one of another version.
        StorageError: The server cannot be reached, or refuses.
    """

    def __init__(self, url: str, harvest: int, lease: Lease | None = None) -> None:
        self._name = shown(url)
        self._lease = lease
        idle = IDLE_SECONDS if lease else 0
        super().__init__(engine_of(url, idle_seconds=idle), Scope(harvest))
        try:
            self._look(harvest)
        except BaseException:
            self.close()
            raise

    def _enter(self, connection: sa.Connection) -> None:
        if self._lease is not None:
            check_lease(connection, self._lease)

    def _look(self, harvest: int) -> None:
        with opening(self._name), self._engine.connect() as connection:
            has_tables = sa.inspect(connection).has_table(self._tables.settings.name)
        schema = self.settings().get("schema") if has_tables else None
        if schema is None:
            raise FolderError(
                f"{self._name} holds no harvest {harvest}",
                advice="put back the database as it was, or choose another folder",
            )
        if schema != SCHEMA:
            raise FolderError(
                f"{self._name} has schema {schema}, this longline reads {SCHEMA}",
                advice="choose another folder, or use the version of longline that made it",
            )

    @classmethod
    def create(cls, url: str, folder: str) -> int:
        """Register a new harvest, create missing tables, and return its number.

        Args:
            url: As above.
            folder: Folder with the harvest's other files, such as its spec.

        Raises:
            InputError, StorageError: As above.
        """
        engine = engine_of(url)
        settings = OF_DATABASE.settings
        try:
            with opening(shown(url)), engine.begin() as connection:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
                OF_DATABASE.metadata.create_all(connection)
                row = {"folder": folder, "made_at": time.time()}
                made = sa.insert(HARVESTS).values(row).returning(HARVESTS.c.harvest)
                number = int(connection.execute(made).scalar_one())
                schema = {"harvest": number, "name": "schema", "value": SCHEMA}
                connection.execute(sa.insert(settings).values(schema))
                return number
        finally:
            engine.dispose()

    def _upsert(self, table: sa.Table, column: str) -> sa.Insert:
        from sqlalchemy.dialects.postgresql import insert

        found: Any = table.c[column]
        unique = found if found.primary_key else sa.func.md5(found)
        statement = insert(table)
        changed = {each.name: each for each in statement.excluded if not each.primary_key}
        return statement.on_conflict_do_update(
            index_elements=[table.c.harvest, unique], set_=changed
        )

    def _writing_error(self, error: sa.exc.DatabaseError) -> LonglineError:
        return StorageError(
            f"cannot write to {self._name}: {_said(error)}",
            advice="check that the server runs and has room, then run it again; "
            "everything recorded so far is safe",
        )

    def _reading_error(self, error: Exception) -> LonglineError:
        if isinstance(error, msgspec.DecodeError):
            return FolderError(
                f"the harvest in {self._name} is damaged: {error}",
                advice="put back an earlier copy of the database, or choose another folder",
            )
        return StorageError(
            f"cannot read {self._name}: {_said(error)}",
            advice="check that the server runs; then try again",
        )


def folders_in(url: str) -> list[str]:
    """Return the folders of the harvests in a database, in the order in which they were started.

    Raises:
        InputError, StorageError: As `PostgresStore`.
    """
    engine = engine_of(url)
    try:
        with opening(shown(url)), engine.connect() as connection:
            if not sa.inspect(connection).has_table(HARVESTS.name):
                return []
            found = sa.select(HARVESTS.c.folder).order_by(HARVESTS.c.harvest)
            return list(dict.fromkeys(connection.execute(found).scalars()))
    finally:
        engine.dispose()


_given: dict[str, sa.URL] = {}


def remember(url: str) -> None:
    """Use a URL's password for the same database without one, until the process ends.

    Raises:
        InputError: It is not the URL of a PostgreSQL database.
    """
    _given[shown(url)] = _parsed(url)


def _with_password(url: sa.URL) -> sa.URL:
    """Return a URL with the password given for it: by `remember`, or in LONGLINE_DATABASE."""
    if url.password is not None:
        return url
    beside = os.environ.get("LONGLINE_DATABASE", "")
    if beside.startswith("postgres"):
        _given.setdefault(shown(beside), _parsed(beside))
    return _given.get(url.render_as_string(), url)


def engine_of(url: str, *, idle_seconds: float = 0) -> sa.Engine:
    """Return the SQLAlchemy engine for a database.

    Args:
        url: Of the database.
        idle_seconds: Idle time within a transaction after which the server ends it, so that locks
            of a stopped process are released. 0 means no limit, as slow readers need.

    Raises:
        InputError: The URL is not one of a PostgreSQL database, or psycopg is not installed.
    """
    parsed = _with_password(_parsed(url)).set(drivername="postgresql+psycopg")
    needed("psycopg", "postgres", "a harvest in PostgreSQL")
    return sa.create_engine(
        parsed,
        connect_args={
            "connect_timeout": FIRST_SECONDS,
            "options": f"-c idle_in_transaction_session_timeout={idle_seconds * 1000:.0f}",
        },
        pool_pre_ping=True,
    )


def shown(url: str) -> str:
    """Return a database's URL without its password.

    >>> shown("postgresql://ada:secret@localhost/harvests")
    'postgresql://ada@localhost/harvests'
    """
    return _parsed(url)._replace(password=None).render_as_string()


def _parsed(url: str) -> sa.URL:
    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        parsed = None
    if parsed is None or parsed.drivername != "postgresql":
        kind = url.partition("://")[0] if "://" in url else url
        raise InputError(
            f"{kind!r} does not begin the URL of a PostgreSQL database",
            advice="give one like postgresql://USER@HOST/NAME",
        )
    return parsed


@contextmanager
def opening(name: str) -> Iterator[None]:
    """Convert errors of opening a database into readable ones."""
    try:
        yield
    except sa.exc.DatabaseError as error:
        raise StorageError(
            f"cannot open {name}: {_said(error)}",
            advice="check that the server runs, the user, and the password (PGPASSWORD)",
        ) from None


def _said(error: Exception) -> str:
    """Return the first line of the server's or the driver's message."""
    lines = str(getattr(error, "orig", error)).strip().splitlines()
    return lines[0] if lines else type(error).__name__
