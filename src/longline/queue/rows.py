"""A source of a fleet in the database: in a table beside those of hosts and of harvests.

The database itself maintains the totals, so that nobody has to count all sources. Each total is
spread over several rows, so that concurrent changes seldom wait for each other.
"""

from typing import Any, Literal, get_args

import msgspec
import sqlalchemy as sa

from longline.store import HOSTS, NOW

SUMS = ("sources", "documents", "requests")

_COUNTING = """
CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO totals
        SELECT state, mod(source, 16), sum(n), sum(n * documents), sum(n * requests)
        FROM ({rows}) AS changed GROUP BY 1, 2
        HAVING sum(n) <> 0 OR sum(n * documents) <> 0 OR sum(n * requests) <> 0 ORDER BY 1, 2
        ON CONFLICT (state, part) DO UPDATE SET sources = totals.sources + excluded.sources,
        documents = totals.documents + excluded.documents,
        requests = totals.requests + excluded.requests;
    RETURN NULL;
END $$
"""
_TRIGGER = """
CREATE TRIGGER {name} AFTER {event} ON sources REFERENCING {tables}
FOR EACH STATEMENT EXECUTE FUNCTION {name}()
"""
_NEWER, _OLDER = "SELECT 1 AS n, * FROM newer", "SELECT -1 AS n, * FROM older"


def _counting(event: str, tables: str, rows: str) -> list[sa.DDL]:
    """Return the DDL that maintains the totals when sources are inserted or updated."""
    given = {"name": f"count_{event.lower()}", "event": event, "tables": tables, "rows": rows}
    return [sa.DDL(each.format(**given)) for each in (_COUNTING, _TRIGGER)]  # type: ignore[no-untyped-call]


SOURCES = sa.Table(
    "sources",
    HOSTS.metadata,
    sa.Column("source", sa.BigInteger, sa.Identity(), primary_key=True),
    sa.Column("url", sa.Text, nullable=False, unique=True),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("options", sa.Text, nullable=False),  # JSON
    sa.Column("state", sa.Text, nullable=False, server_default="waiting"),
    sa.Column("next_at", sa.Float, nullable=False, server_default="0"),
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),  # unfinished in a row
    sa.Column("slices", sa.Integer, nullable=False, server_default="0"),
    sa.Column("spec", sa.Text),  # source.toml, once it is learnt
    sa.Column("harvest", sa.BigInteger),  # once it has started
    sa.Column("outcome", sa.Text, nullable=False, server_default=""),
    sa.Column("cause", sa.Text, nullable=False, server_default=""),
    sa.Column("documents", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("requests", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("said", sa.Text, nullable=False, server_default=""),  # why it ended, or waits
    sa.Column("began_after", sa.Float, nullable=False, server_default="0"),  # seconds of a slice
)
sa.Index("sources_to_do", SOURCES.c.host, SOURCES.c.state, SOURCES.c.next_at)
sa.Index("sources_by_state", SOURCES.c.state, SOURCES.c.source)
sa.Index("sources_by_host", SOURCES.c.host, SOURCES.c.source)

TOTALS = sa.Table(
    "totals",
    HOSTS.metadata,
    sa.Column("state", sa.Text, primary_key=True),
    sa.Column("part", sa.Integer, primary_key=True),
    *(sa.Column(name, sa.BigInteger, nullable=False) for name in SUMS),
)

for made in (
    *_counting("INSERT", "NEW TABLE AS newer", _NEWER),
    *_counting("UPDATE", "OLD TABLE AS older NEW TABLE AS newer", f"{_NEWER} UNION ALL {_OLDER}"),
):
    sa.event.listen(TOTALS, "after_create", made)


def ready(*which: sa.ColumnElement[bool]) -> sa.Update:
    """Set when hosts may be taken: no lease, no wait, and a source that is due.

    Args:
        which: Conditions for the hosts; none means all.
    """
    first: Any = sa.func.min(SOURCES.c.next_at)
    at = sa.func.greatest(HOSTS.c.leased_until, HOSTS.c.next_at, first)
    waiting = (SOURCES.c.host == HOSTS.c.host) & (SOURCES.c.state == "waiting")
    found = sa.select(sa.case((first.is_not(None), at))).where(waiting).correlate(HOSTS)
    return sa.update(HOSTS).where(*which).values(ready_at=found.scalar_subquery())


SourceState = Literal["waiting", "paused", "cancelled", "ended"]
"""States of a source; one that is being harvested is waiting, and its host is leased."""

STATES: tuple[SourceState, ...] = get_args(SourceState)


class Row(msgspec.Struct, frozen=True):
    """A source; the names are those of the columns.

    Attributes:
        attempts: Consecutive slices that did not end because their workers died.
        began_after: Seconds in its last slice before its first request.
        worker: Who harvests it now; "" for nobody, or if it was not queried.
        waits_until: Time before which it is not harvested, in seconds since 1970.
    """

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
    began_after: float
    worker: str = ""
    waits_until: float = 0.0

    @property
    def given(self) -> dict[str, Any]:
        """Its options, as `longline.harvest` takes them."""
        found: dict[str, Any] = msgspec.json.decode(self.options)
        return found


COLUMNS = [SOURCES.c[name] for name in Row.__struct_fields__ if name in SOURCES.c]
"""The columns needed to harvest a source."""

_IS_LEASED = (HOSTS.c.source == SOURCES.c.source) & (HOSTS.c.leased_until > NOW)
_NOW = [
    sa.case((_IS_LEASED, HOSTS.c.worker), else_="").label("worker"),
    sa.func.greatest(SOURCES.c.next_at, HOSTS.c.next_at).label("waits_until"),
]


def row_of(found: Any) -> Row:
    """Convert a row of the database."""
    return msgspec.convert(dict(zip(Row.__struct_fields__, found, strict=False)), Row)


def rows_after(last: int, state: SourceState | None, host: str, most: int) -> sa.Select[Any]:
    """Select sources in the order of their submission, with their current state.

    Args:
        last: Number of the source before them; 0 for the first ones.
        state: Only those in this state; None for all.
        host: Only those on this host; "" for all.
        most: Maximum number.
    """
    wanted = sa.select(*COLUMNS, *_NOW).join(HOSTS, HOSTS.c.host == SOURCES.c.host)
    wanted = wanted.where(SOURCES.c.source > last)
    if state is not None:
        wanted = wanted.where(SOURCES.c.state == state)
    if host:
        wanted = wanted.where(SOURCES.c.host == host)
    return wanted.order_by(SOURCES.c.source).limit(most)
