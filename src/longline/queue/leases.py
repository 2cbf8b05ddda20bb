"""Operations of workers on hosts and sources of a fleet, each in one transaction."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from longline.events import RobotsRead
from longline.queue.rows import COLUMNS, SOURCES, Row, ready, row_of
from longline.store import HOSTS, NOW, Lease, LeaseLostError

MOST_ATTEMPTS = 10
"""After this many unfinished slices in a row a source is given up, even if other sources of the
same worker caused its death."""

DAY_SECONDS = 86_400


class Taken(NamedTuple):
    """A source to harvest, and the lease of its host."""

    row: Row
    lease: Lease


class Leases:
    """Leases of hosts, each with a number that grows with every lease.

    Args:
        transaction: Opens a transaction.
    """

    def __init__(self, transaction: Callable[[], AbstractContextManager[sa.Connection]]) -> None:
        self._transaction = transaction

    def take(self, worker: str, seconds: float) -> Taken | None:
        """Lease a host that may be requested now, for its source that has waited longest.

        Args:
            worker: Name of the worker, for people.
            seconds: How long the lease is valid, unless it is renewed.

        Returns:
            None if there is nothing to do now.
        """
        free = sa.select(HOSTS.c.host).where(HOSTS.c.ready_at <= NOW)
        free = free.order_by(HOSTS.c.ready_at).limit(1).with_for_update(skip_locked=True)
        with self._transaction() as connection:
            host = connection.execute(free).scalar()
            if host is None:
                return None
            is_due = (SOURCES.c.state == "waiting") & (SOURCES.c.next_at <= NOW)
            due = sa.select(*COLUMNS).where(SOURCES.c.host == host, is_due)
            first = due.order_by(SOURCES.c.next_at, SOURCES.c.source).limit(1)
            found = connection.execute(first.with_for_update()).first()
            if found is None:
                connection.execute(ready(HOSTS.c.host == host))
                return None
            row = row_of(found)
            mine = SOURCES.c.source == row.source
            if row.attempts >= MOST_ATTEMPTS:
                given_up = f"given up: {row.attempts} slices in a row did not end"
                ended = {"state": "ended", "outcome": "failed", "said": given_up}
                connection.execute(sa.update(SOURCES).where(mine).values(ended))
                connection.execute(ready(HOSTS.c.host == host))
                return None
            lease = self._lease(connection, host, worker, seconds, row.source)
            tried = {"attempts": SOURCES.c.attempts + 1}
            connection.execute(sa.update(SOURCES).where(mine).values(tried))
        return Taken(row, lease)

    def enter(self, host: str, worker: str, seconds: float) -> Lease | None:
        """Lease one more host, such as that of a source's documents.

        Returns:
            None if another worker has it, or if it must not be requested yet.
        """
        from sqlalchemy.dialects.postgresql import insert

        is_free = (HOSTS.c.leased_until <= NOW) & (HOSTS.c.next_at <= NOW)
        free = sa.select(HOSTS.c.host).where(HOSTS.c.host == host, is_free).with_for_update()
        with self._transaction() as connection:
            connection.execute(insert(HOSTS).values(host=host).on_conflict_do_nothing())
            if connection.execute(free).first() is None:
                return None
            return self._lease(connection, host, worker, seconds)

    @staticmethod
    def _lease(
        connection: sa.Connection, host: str, worker: str, seconds: float, source: int | None = None
    ) -> Lease:
        leased = (
            sa.update(HOSTS)
            .where(HOSTS.c.host == host)
            .values(
                fence=HOSTS.c.fence + 1,
                worker=worker,
                source=source,
                leased_until=NOW + seconds,
                ready_at=sa.func.greatest(HOSTS.c.next_at, NOW + seconds),
            )
            .returning(HOSTS.c.fence)
        )
        return Lease(host, int(connection.execute(leased).scalar_one()))

    def renew(self, lease: Lease, seconds: float) -> bool:
        """Extend a lease to this many seconds from now.

        Returns:
            Whether the lease's source is still to be harvested.

        Raises:
            LeaseLostError: Another worker has the host.
        """
        ready_at = sa.func.greatest(HOSTS.c.next_at, NOW + seconds)
        mine = sa.select(SOURCES.c.state).join(HOSTS, HOSTS.c.source == SOURCES.c.source)
        self._under(lease, {"leased_until": NOW + seconds, "ready_at": ready_at})
        with self._transaction() as connection:
            state = connection.execute(mine.where(HOSTS.c.host == lease.host)).scalar()
        return state in (None, "waiting")

    def hold_back(self, lease: Lease, seconds: float) -> None:
        """Keep all workers from requesting the host for this time, as it demanded.

        Raises:
            LeaseLostError: Another worker has the host.
        """
        later = {
            name: sa.func.greatest(HOSTS.c[name], NOW + seconds) for name in ("next_at", "ready_at")
        }
        self._under(lease, later)

    def _under(self, lease: Lease, values: Mapping[str, Any]) -> None:
        mine = (HOSTS.c.host == lease.host) & (HOSTS.c.fence == lease.fence)
        with self._transaction() as connection:
            if not connection.execute(sa.update(HOSTS).where(mine).values(values)).rowcount:
                raise LeaseLostError(lease.host)

    def set_apart(self, lease: Lease, most: int) -> tuple[int | None, float]:
        """Reserve requests of the host's day; if the worker dies, they count as spent.

        Args:
            lease: Of the host.
            most: Maximum number to reserve.

        Returns:
            How many, None if the host has no quota; and the seconds until the next day, UTC.

        Raises:
            LeaseLostError: Another worker has the host.
        """
        with self._transaction() as connection:
            self._check(connection, lease)
            host = HOSTS.c.host == lease.host
            asked = sa.select(HOSTS.c.quota, HOSTS.c.day, HOSTS.c.sent, NOW).where(host)
            quota, day, sent, now = connection.execute(asked).one()
            today = int(now) // DAY_SECONDS
            left = (today + 1) * DAY_SECONDS - float(now)
            if quota is None:
                return None, left
            before = sent if day == today else 0
            given = max(min(most, quota - before), 0)
            spent = sa.update(HOSTS).where(host).values(day=today, sent=before + given)
            connection.execute(spent)
        return given, left

    def robots(self, lease: Lease) -> list[RobotsRead]:
        """Return the stored robots.txt of a host."""
        asked = sa.select(HOSTS.c.robots).where(HOSTS.c.host == lease.host)
        with self._transaction() as connection:
            kept = connection.execute(asked).scalar_one()
        return msgspec.json.decode(kept, type=list[RobotsRead])

    def keep_robots(self, lease: Lease, read: list[RobotsRead]) -> None:
        """Store the robots.txt read from a host.

        Raises:
            LeaseLostError: Another worker has the host.
        """
        self._under(lease, {"robots": msgspec.json.encode(read).decode()})

    def keep(self, lease: Lease, source: int, **facts: Any) -> None:
        """Store facts of a source, such as its spec.

        Raises:
            LeaseLostError: Another worker has the host.
        """
        with self._transaction() as connection:
            self._check(connection, lease)
            connection.execute(sa.update(SOURCES).where(SOURCES.c.source == source).values(facts))

    def end_slice(self, lease: Lease, source: int, *, wait: float = 0.0, **facts: Any) -> None:
        """Store a source's state at the end of a slice.

        Args:
            lease: The lease it was harvested under.
            source: Its number.
            wait: Seconds until the source may be requested again.
            **facts: Columns of the source; a state other than "waiting" is only set if nobody has
                changed it meanwhile.

        Raises:
            LeaseLostError: Another worker has the host.
        """
        state = facts.pop("state", "waiting")
        facts["state"] = sa.case((SOURCES.c.state == "waiting", state), else_=SOURCES.c.state)
        facts |= {"slices": SOURCES.c.slices + 1, "attempts": 0, "next_at": NOW + wait}
        with self._transaction() as connection:
            self._check(connection, lease)
            connection.execute(sa.update(SOURCES).where(SOURCES.c.source == source).values(facts))

    def give_back(self, lease: Lease, *, pause: float, unspent: int = 0) -> None:
        """Release a host for other workers.

        Args:
            lease: Of the host.
            pause: Seconds until the host may be requested again.
            unspent: Requests that were reserved, and not sent.

        Raises:
            LeaseLostError: Another worker has the host.
        """
        host = HOSTS.c.host == lease.host
        free = {
            "leased_until": 0,
            "next_at": sa.func.greatest(HOSTS.c.next_at, NOW + pause),
            "worker": "",
            "source": None,
            "sent": HOSTS.c.sent - unspent,
        }
        with self._transaction() as connection:
            self._check(connection, lease)
            connection.execute(sa.update(HOSTS).where(host).values(free))
            connection.execute(ready(host))

    @staticmethod
    def _check(connection: sa.Connection, lease: Lease) -> None:
        held = sa.select(HOSTS.c.fence).where(HOSTS.c.host == lease.host).with_for_update()
        if connection.execute(held).scalar() != lease.fence:
            raise LeaseLostError(lease.host)
