"""The sources of a fleet: submitted, leased out a slice at a time, and how each stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args
from urllib.parse import urlsplit

import msgspec
import sqlalchemy as sa

from longline.errors import InputError
from longline.fleet._tables import SOURCES
from longline.harvester import (
    Place,
    database_name,
    held,
    keep_place,
    move_journal,
    place_of,
    spec_of_folder,
)
from longline.store import HOSTS, NOW, Lease, LeaseLostError
from longline.store.postgres import IDLE_SECONDS, LOCK, engine_of, opening, remember

SourceState = Literal["waiting", "paused", "cancelled", "ended"]
"""Of a source; one that is being harvested is waiting, and its host is leased."""

STATES: tuple[SourceState, ...] = get_args(SourceState)

MOST_ATTEMPTS = 5
"""Slices in a row whose worker died, or could not write, before a source is given up."""

PAGE = 1_000
"""Sources that are listed by one statement."""


class Counts(NamedTuple):
    """How many sources are in which state.

    Attributes:
        running: Of those that wait: whose host is leased for them now.
    """

    waiting: int
    running: int
    paused: int
    cancelled: int
    ended: int
    documents: int
    requests: int


class Row(msgspec.Struct, frozen=True):
    """A source as the database has it; the names are those of the columns."""

    source: int
    url: str
    host: str
    options: str
    state: SourceState
    attempts: int
    slices: int
    spec: str | None
    harvest: int | None
    outcome: str
    cause: str
    documents: int
    requests: int
    said: str

    @property
    def given(self) -> dict[str, Any]:
        """Its options, as `longline.harvest` takes them."""
        found: dict[str, Any] = msgspec.json.decode(self.options)
        return found


COLUMNS = [SOURCES.c[name] for name in Row.__struct_fields__]


class Fleet:
    """The sources in a database.

    Args:
        database: URL of a PostgreSQL database; the tables are made where there are none.

    Raises:
        InputError: It is no such URL.
        StorageError: It cannot be opened.
    """

    def __init__(self, database: str) -> None:
        remember(database)
        self.name = database_name(database)
        self._engine = engine_of(database, idle_seconds=IDLE_SECONDS)
        with self._transaction() as connection:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
            SOURCES.metadata.create_all(connection)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def __enter__(self) -> Fleet:
        """Let it be closed at the end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        with opening(self.name), self._engine.begin() as connection:
            yield connection

    # What people do.

    def submit(self, sources: Iterable[Mapping[str, Any]]) -> int:
        """Add sources; those that are there already stay as they are.

        Args:
            sources: Each with a `url`, and options of `longline.harvest` by their names.

        Returns:
            How many are new.

        Raises:
            InputError: One has no host in its URL.
        """
        rows = [_row(each) for each in sources]
        new = 0
        with self._transaction() as connection:
            for start in range(0, len(rows), PAGE):
                some = rows[start : start + PAGE]
                hosts = [{"host": host} for host in sorted({row["host"] for row in some})]
                connection.execute(_unless_there(HOSTS), hosts)
                made = _unless_there(SOURCES).values(some).returning(SOURCES.c.source)
                new += len(connection.execute(made).all())
        return new

    def counts(self) -> Counts:
        """Return how many sources are in which state, and what they brought."""
        by_state = sa.select(
            SOURCES.c.state,
            sa.func.count(),
            sa.func.coalesce(sa.func.sum(SOURCES.c.documents), 0),
            sa.func.coalesce(sa.func.sum(SOURCES.c.requests), 0),
        ).group_by(SOURCES.c.state)
        leased = sa.select(sa.func.count()).where(HOSTS.c.leased_until > NOW)
        with self._transaction() as connection:
            rows = {state: found for state, *found in connection.execute(by_state)}
            running = int(connection.execute(leased).scalar_one())
        number = {state: int(rows.get(state, (0, 0, 0))[0]) for state in STATES}
        documents, requests = (sum(int(row[place]) for row in rows.values()) for place in (1, 2))
        return Counts(**number, running=running, documents=documents, requests=requests)

    def sources(self, state: SourceState | None = None) -> Iterator[Row]:
        """Yield the sources in the order in which they were submitted, a page at a time."""
        last = 0
        while True:
            wanted = sa.select(*COLUMNS).where(SOURCES.c.source > last)
            if state is not None:
                wanted = wanted.where(SOURCES.c.state == state)
            with self._transaction() as connection:
                page = connection.execute(wanted.order_by(SOURCES.c.source).limit(PAGE)).all()
            for row in page:
                yield msgspec.convert(tuple_dict(row), Row)
            if len(page) < PAGE:
                return
            last = page[-1].source

    def adopt(self, folder: Path) -> int:
        """Add the source of a harvest's folder, whose journal moves into the database.

        Returns:
            1; 0 where the fleet has the source already.

        Raises:
            FolderError: There is no harvest in the folder, or it runs.
        """
        spec = spec_of_folder(folder)
        there = sa.select(SOURCES.c.source).where(SOURCES.c.url == spec.source.url)
        with self._transaction() as connection:
            if connection.execute(there).first() is not None:
                return 0
        with held(folder):
            place = place_of(folder)
            if place is None or place.url != self.name:
                move_journal(folder, self.name)
                place = place_of(folder)
        self.submit([{"url": spec.source.url}])
        facts = {
            "spec": (folder / "source.toml").read_text(encoding="utf-8"),
            "harvest": None if place is None else place.harvest,
        }
        with self._transaction() as connection:
            mine = SOURCES.c.url == spec.source.url
            connection.execute(sa.update(SOURCES).where(mine).values(facts))
        return 1

    def change(self, to: SourceState, was: Iterable[SourceState], urls: Iterable[str] = ()) -> int:
        """Put sources of some states into another one; return how many.

        A source that is being harvested changes when its slice has ended.

        Args:
            to: The new state.
            was: Those that are changed.
            urls: Only these; none stands for all.

        Raises:
            InputError: There is no such source.
        """
        wanted: sa.ColumnElement[bool] = SOURCES.c.state.in_(list(was))
        if to == "waiting":  # what is complete has nothing to try again
            wanted &= SOURCES.c.outcome != "complete"
        named = list(urls)
        with self._transaction() as connection:
            if named:
                there = sa.select(SOURCES.c.url).where(SOURCES.c.url.in_(named))
                lacking = set(named) - set(connection.execute(there).scalars())
                if lacking:
                    raise InputError(
                        f"{min(lacking)} is no source of this fleet",
                        advice="`longline fleet status` lists them",
                    )
                wanted &= SOURCES.c.url.in_(named)
            values: dict[str, Any] = {"state": to}
            if to == "waiting":
                values |= {"attempts": 0, "next_at": 0}
            done = connection.execute(sa.update(SOURCES).where(wanted).values(values))
        return int(done.rowcount)

    # What workers do.

    def take(self, worker: str, seconds: float) -> tuple[Row, Lease] | None:
        """Lease a host that may be asked now, for the source there that waited longest.

        Args:
            worker: Who asks, for people.
            seconds: How long the lease holds, unless it is renewed.

        Returns:
            The source and the lease; None where there is nothing to do at this moment.
        """
        is_due = (SOURCES.c.state == "waiting") & (SOURCES.c.next_at <= NOW)
        has_work = sa.exists().where(SOURCES.c.host == HOSTS.c.host, is_due)
        free = sa.select(HOSTS.c.host).where(
            HOSTS.c.next_at <= NOW, HOSTS.c.leased_until <= NOW, has_work
        )
        free = free.order_by(HOSTS.c.next_at).limit(1).with_for_update(skip_locked=True)
        with self._transaction() as connection:
            host = connection.execute(free).scalar()
            if host is None:
                return None
            due = sa.select(*COLUMNS).where(SOURCES.c.host == host, is_due)
            first = due.order_by(SOURCES.c.next_at, SOURCES.c.source).limit(1)
            found = connection.execute(first.with_for_update()).first()
            if found is None:
                return None
            row = msgspec.convert(tuple_dict(found), Row)
            leased = (
                sa.update(HOSTS)
                .where(HOSTS.c.host == host)
                .values(
                    fence=HOSTS.c.fence + 1,
                    worker=worker,
                    source=row.source,
                    leased_until=NOW + seconds,
                )
                .returning(HOSTS.c.fence)
            )
            fence = int(connection.execute(leased).scalar_one())
            mine = SOURCES.c.source == row.source
            if row.attempts >= MOST_ATTEMPTS:
                given_up = f"given up: {row.attempts} workers in a row died with it"
                ended = {"state": "ended", "outcome": "failed", "said": given_up}
                connection.execute(sa.update(SOURCES).where(mine).values(ended))
                connection.execute(
                    sa.update(HOSTS).where(HOSTS.c.host == host).values(leased_until=0)
                )
                return None
            tried = {"attempts": SOURCES.c.attempts + 1}
            connection.execute(sa.update(SOURCES).where(mine).values(tried))
        return row, Lease(host, fence)

    def renew(self, lease: Lease, seconds: float) -> None:
        """Hold a host for so long from now on.

        Raises:
            LeaseLostError: Somebody else has taken it.
        """
        self._under(lease, {"leased_until": NOW + seconds})

    def hold_back(self, lease: Lease, seconds: float) -> None:
        """Let nobody ask the host for so long, since it asked for that."""
        later = sa.func.greatest(HOSTS.c.next_at, NOW + seconds)
        self._under(lease, {"next_at": later})

    def keep(self, lease: Lease, source: int, **facts: Any) -> None:
        """Keep facts of a source, such as its spec.

        Raises:
            LeaseLostError: Somebody else has taken the host.
        """
        with self._transaction() as connection:
            self._check(connection, lease)
            connection.execute(sa.update(SOURCES).where(SOURCES.c.source == source).values(facts))

    def give_back(
        self, lease: Lease, source: int, *, pause: float, wait: float = 0.0, **facts: Any
    ) -> None:
        """End a slice: keep how the source stands, and let others have the host.

        Args:
            lease: Under which it was harvested.
            source: Its number.
            pause: Seconds until the host may be asked again.
            wait: Seconds until the source may be.
            **facts: Columns of the source; a state other than "waiting" only where nobody has
                changed it meanwhile.

        Raises:
            LeaseLostError: Somebody else has taken the host.
        """
        state = facts.pop("state", "waiting")
        with self._transaction() as connection:
            self._check(connection, lease)
            mine = SOURCES.c.source == source
            slices = {"slices": SOURCES.c.slices + 1, "attempts": 0, "next_at": NOW + wait}
            connection.execute(sa.update(SOURCES).where(mine).values(facts | slices))
            if state != "waiting":
                is_free = mine & (SOURCES.c.state == "waiting")
                connection.execute(sa.update(SOURCES).where(is_free).values(state=state))
            next_at = sa.func.greatest(HOSTS.c.next_at, NOW + pause)
            free = {"leased_until": 0, "next_at": next_at, "worker": ""}
            connection.execute(sa.update(HOSTS).where(HOSTS.c.host == lease.host).values(free))

    def _under(self, lease: Lease, values: Mapping[str, Any]) -> None:
        mine = (HOSTS.c.host == lease.host) & (HOSTS.c.fence == lease.fence)
        with self._transaction() as connection:
            if not connection.execute(sa.update(HOSTS).where(mine).values(values)).rowcount:
                raise LeaseLostError(lease.host)

    @staticmethod
    def _check(connection: sa.Connection, lease: Lease) -> None:
        held = sa.select(HOSTS.c.fence).where(HOSTS.c.host == lease.host).with_for_update()
        if connection.execute(held).scalar() != lease.fence:
            raise LeaseLostError(lease.host)

    def unpack(self, row: Row, folder: Path, lease: Lease | None = None) -> None:
        """Make the folder of a source's harvest, which every command takes."""
        folder.mkdir(parents=True, exist_ok=True)
        if row.spec is not None:
            (folder / "source.toml").write_text(row.spec, encoding="utf-8")
        harvest = None if row.spec is None else row.harvest
        keep_place(folder, Place(self.name, harvest, lease))


def tuple_dict(row: Any) -> dict[str, Any]:
    """Return a row of the database by the names of its columns."""
    return {str(name): value for name, value in row._mapping.items()}


def _unless_there(table: sa.Table) -> Any:
    from sqlalchemy.dialects.postgresql import insert

    return insert(table).on_conflict_do_nothing()


def _row(given: Mapping[str, Any]) -> dict[str, Any]:
    options = dict(given)
    url = str(options.pop("url"))
    host = urlsplit(url).netloc.rpartition("@")[2].lower()
    if not host:
        raise InputError(f"{url!r} has no host", advice="give a web address")
    options.pop("folder", None)
    return {"url": url, "host": host, "options": msgspec.json.encode(options).decode()}
