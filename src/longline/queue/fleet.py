"""The sources of a fleet: submitted, paused, cancelled, and their state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from longline.errors import InputError
from longline.harvester import (
    Place,
    database_name,
    held,
    is_harvest,
    keep_place,
    move_journal,
    place_of,
    spec_of_folder,
)
from longline.queue.leases import Leases
from longline.queue.rows import (
    SOURCES,
    STATES,
    SUMS,
    TOTALS,
    Row,
    SourceState,
    ready,
    row_of,
    rows_after,
)
from longline.store import HOSTS, NOW, Lease
from longline.store.postgres import IDLE_SECONDS, LOCK, engine_of, opening, remember
from longline.text.numbers import counted

PAGE = 1_000
"""Maximum number of sources listed by one statement."""


class Counts(NamedTuple):
    """Number of sources in each state.

    Attributes:
        running: How many waiting sources have a lease of their host now.
    """

    waiting: int
    running: int
    paused: int
    cancelled: int
    ended: int
    documents: int
    requests: int

    def in_words(self) -> str:
        """Return a summary in one line.

        >>> Counts(12, 3, 0, 1, 40, documents=50, requests=6_100).in_words()
        '12 wait, 3 of them running; 40 ended, 0 paused, 1 cancelled; 50 documents, 6,100 requests'
        """
        return (
            f"{self.waiting:,} wait, {self.running:,} of them running; {self.ended:,} ended, "
            f"{self.paused:,} paused, {self.cancelled:,} cancelled; "
            f"{counted(self.documents, 'document')}, {counted(self.requests, 'request')}"
        )


class Fleet:
    """The sources in a database.

    Args:
        database: URL of a PostgreSQL database; missing tables are created.

    Attributes:
        name: The URL without its password.
        leases: The operations of workers.

    Raises:
        InputError: It is not such a URL.
        StorageError: It cannot be opened.
    """

    def __init__(self, database: str) -> None:
        remember(database)
        self.name = database_name(database)
        self.leases = Leases(self._transaction)
        self._engine = engine_of(database, idle_seconds=IDLE_SECONDS)
        with self._transaction() as connection:
            if sa.inspect(connection).has_table(SOURCES.name):
                return
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
            SOURCES.metadata.create_all(connection)

    @classmethod
    def there(cls, database: str) -> Fleet | None:
        """Return the fleet in a database, or None if there is none.

        Raises:
            InputError, StorageError: As above.
        """
        engine = engine_of(database)
        try:
            with opening(database_name(database)), engine.connect() as connection:
                has_one = sa.inspect(connection).has_table(SOURCES.name)
        finally:
            engine.dispose()
        return cls(database) if has_one else None

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()

    def __enter__(self) -> Fleet:
        """Return self; it is closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        with opening(self.name), self._engine.begin() as connection:
            yield connection

    def submit(
        self,
        sources: Iterable[Mapping[str, Any]],
        learnt: Mapping[str, Any] = MappingProxyType({}),
    ) -> int:
        """Add sources; existing ones stay unchanged.

        Args:
            sources: Each with a `url`, and options of `longline.harvest` by their names;
                `max_requests_per_day` is for the host, the smallest value of its sources counts.
            learnt: Columns of each that are already known.

        Returns:
            The number of new sources.

        Raises:
            InputError: One has no host in its URL, asks for files to be kept, or contains a secret.
        """
        found = [_row(each) for each in sources]
        rows, quotas = [row | dict(learnt) for row, _ in found], _least(found)
        new = 0
        with self._transaction() as connection:
            for start in range(0, len(rows), PAGE):
                some = rows[start : start + PAGE]
                hosts = sorted({row["host"] for row in some})
                connection.execute(_unless_there(HOSTS), [{"host": host} for host in hosts])
                made = _unless_there(SOURCES).values(some).returning(SOURCES.c.source)
                new += len(connection.execute(made).all())
                connection.execute(ready(HOSTS.c.host.in_(hosts)))
            if quotas:
                least = sa.func.least(HOSTS.c.quota, sa.bindparam("most"))
                of = sa.update(HOSTS).where(HOSTS.c.host == sa.bindparam("of")).values(quota=least)
                connection.execute(of, [{"of": host, "most": n} for host, n in quotas.items()])
        return new

    def due(self, most: int = PAGE) -> int:
        """Return how many hosts may be requested now; `most` at most are counted."""
        ready_now = sa.select(HOSTS.c.ready_at).where(HOSTS.c.ready_at <= NOW)
        ready_now = ready_now.order_by(HOSTS.c.ready_at).limit(most)
        count = sa.select(sa.func.count()).select_from(ready_now.subquery())
        with self._transaction() as connection:
            return int(connection.execute(count).scalar_one())

    def counts(self) -> Counts:
        """Return the number of sources in each state, with their documents and requests."""
        sums = (sa.func.sum(TOTALS.c[name]) for name in SUMS)
        by_state = sa.select(TOTALS.c.state, *sums).group_by(TOTALS.c.state)
        leased = sa.select(sa.func.count()).where(HOSTS.c.leased_until > NOW)
        with self._transaction() as connection:
            rows = {state: found for state, *found in connection.execute(by_state)}
            running = int(connection.execute(leased).scalar_one())
        number = {state: int(rows.get(state, (0, 0, 0))[0]) for state in STATES}
        documents, requests = (sum(int(row[place]) for row in rows.values()) for place in (1, 2))
        return Counts(**number, running=running, documents=documents, requests=requests)

    def incomplete(self) -> int:
        """Return how many of the ended sources are not complete."""
        which = (SOURCES.c.state == "ended") & (SOURCES.c.outcome != "complete")
        with self._transaction() as connection:
            found = connection.execute(sa.select(sa.func.count()).where(which))
            return int(found.scalar_one())

    def sources(self, state: SourceState | None = None) -> Iterator[Row]:
        """Yield the sources in the order of their submission, loading one page at a time."""
        last = 0
        while page := self.page(last, state):
            yield from page
            last = page[-1].source

    def page(
        self, last: int = 0, state: SourceState | None = None, host: str = "", most: int = PAGE
    ) -> list[Row]:
        """Return sources in the order of their submission, with their current state.

        Args:
            last: Number of the source before them; 0 for the first ones.
            state: Only those in this state; None for all.
            host: Only those on this host; "" for all.
            most: Maximum number.
        """
        with self._transaction() as connection:
            return [row_of(row) for row in connection.execute(rows_after(last, state, host, most))]

    def adopt(self, folder: Path, options: Mapping[str, Any] = MappingProxyType({})) -> int:
        """Add the source of a folder, with what was learnt; its journal moves into the database.

        Args:
            folder: Of a harvest, or of `longline plan`.
            options: As `submit` takes them.

        Returns:
            1; 0 if the fleet already harvests the source.

        Raises:
            FolderError: There is no spec in the folder, or its harvest is running.
        """
        url = spec_of_folder(folder).source.url
        there = sa.select(SOURCES.c.harvest).where(SOURCES.c.url == url)
        with self._transaction() as connection:
            if connection.execute(there).scalar() is not None:
                return 0
        place = None
        if is_harvest(folder):
            with held(folder):
                place = place_of(folder)
                if place is None or place.url != self.name:
                    move_journal(folder, self.name)
                    place = place_of(folder)
        spec = (folder / "source.toml").read_text(encoding="utf-8")
        learnt = {"spec": spec, "harvest": None if place is None else place.harvest}
        self.submit([{**options, "url": url}], learnt)
        with self._transaction() as connection:  # a source that could not be learnt continues, too
            mine = (SOURCES.c.url == url) & SOURCES.c.harvest.is_(None)
            goes_on: dict[str, Any] = learnt | {"state": "waiting", "attempts": 0}
            if options:
                goes_on["options"] = _with(options)
            connection.execute(sa.update(SOURCES).where(mine).values(goes_on))
            connection.execute(ready(HOSTS.c.host == (urlsplit(url).hostname or "")))
        return 1

    def change(
        self,
        to: SourceState,
        was: Iterable[SourceState],
        urls: Iterable[str] = (),
        options: Mapping[str, Any] = MappingProxyType({}),
    ) -> int:
        """Change the state of sources; return how many were changed.

        A source that is being harvested ends its slice within half the duration of a lease.
        Complete sources are not retried, and those that have spent their own budget need a greater
        one.

        Args:
            to: The new state.
            was: Only sources in these states.
            urls: Only these; empty means all.
            options: As `submit` takes them; they replace existing ones.

        Raises:
            InputError: There is no such source.
        """
        wanted: sa.ColumnElement[bool] = SOURCES.c.state.in_(list(was))
        if to == "waiting":
            wanted &= SOURCES.c.outcome != "complete"
            if not options:
                wanted &= (SOURCES.c.cause != "budget") | (SOURCES.c.state != "ended")
        named, changes = list(urls), dict(options)
        quota = changes.pop("max_requests_per_day", None)
        with self._transaction() as connection:
            if named:
                there = sa.select(SOURCES.c.url).where(SOURCES.c.url.in_(named))
                lacking = set(named) - set(connection.execute(there).scalars())
                if lacking:
                    raise InputError(
                        f"{min(lacking)} is no source of this fleet",
                        advice="`longline fleet status --sources` lists them",
                    )
                wanted &= SOURCES.c.url.in_(named)
            values: dict[str, Any] = {"state": to}
            if to == "waiting":
                values |= {"attempts": 0, "next_at": 0, "said": ""}
            if changes:
                values["options"] = _with(changes)
            changed = sa.update(SOURCES).where(wanted).values(values).returning(SOURCES.c.host)
            hosts = connection.execute(changed).scalars().all()
            if quota is not None:
                of_these = sa.update(HOSTS).where(HOSTS.c.host.in_(set(hosts)))
                connection.execute(of_these.values(quota=quota))
            connection.execute(ready(*([HOSTS.c.host.in_(set(hosts))] if named else [])))
        return len(hosts)

    def unpack(self, row: Row, folder: Path, lease: Lease | None = None) -> None:
        """Make the folder of a source's harvest, for use by all commands."""
        folder.mkdir(parents=True, exist_ok=True)
        if row.spec is not None:
            (folder / "source.toml").write_text(row.spec, encoding="utf-8")
        harvest = None if row.spec is None else row.harvest
        keep_place(folder, Place(self.name, harvest, lease))


def _with(options: Mapping[str, Any]) -> sa.ColumnElement[str]:
    """Return SQL for a source's options, updated by the given ones."""
    both = sa.cast(SOURCES.c.options, JSONB).op("||")(sa.cast(dict(options), JSONB))
    return sa.cast(both, sa.Text)


def _unless_there(table: sa.Table) -> Any:
    from sqlalchemy.dialects.postgresql import insert

    return insert(table).on_conflict_do_nothing()


def _row(given: Mapping[str, Any]) -> tuple[dict[str, Any], int | None]:
    """Return a source's row, and how many requests a day its host may get."""
    options = dict(given)
    url = str(options.pop("url"))
    host = urlsplit(url).hostname
    if not host:
        raise InputError(f"{url!r} has no host", advice="give a web address")
    for name in ("attachments", "warc"):
        if options.get(name):
            raise InputError(
                f"{url}: a fleet keeps no files, and {name} asks for them",
                advice="leave it out, or harvest this source by longline harvest",
            )
    password = urlsplit(options.get("proxy") or "").password
    if options.get("headers") or options.get("cookies") or password:
        raise InputError(
            f"{url}: a fleet saves its options in its database, and a secret would stand there",
            advice="write ${NAME} for it into a source spec, and submit the folder of that",
        )
    options.pop("folder", None)
    quota = options.pop("max_requests_per_day", None)
    row = {"url": url, "host": host, "options": msgspec.json.encode(options).decode()}
    return row, quota


def _least(found: Iterable[tuple[dict[str, Any], int | None]]) -> dict[str, int]:
    """Return the smallest number of requests a day among the sources of each host."""
    quotas: dict[str, int] = {}
    for row, quota in found:
        if quota is not None:
            quotas[row["host"]] = min(quota, quotas.get(row["host"], quota))
    return quotas
