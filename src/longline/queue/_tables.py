"""The table of a fleet's sources, beside those of hosts and of harvests; and their totals.

The totals are kept by the database itself, so that nobody has to count all sources. Each is spread
over some rows: those who change sources at the same time seldom wait for each other.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from longline.store import HOSTS

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
    """Return what keeps the totals when sources are inserted or updated."""
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
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),  # without an end
    sa.Column("slices", sa.Integer, nullable=False, server_default="0"),
    sa.Column("spec", sa.Text),  # source.toml, when it is learnt
    sa.Column("harvest", sa.BigInteger),  # when it has begun
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
        which: Hosts that are meant; none stands for all.
    """
    first: Any = sa.func.min(SOURCES.c.next_at)
    at = sa.func.greatest(HOSTS.c.leased_until, HOSTS.c.next_at, first)
    waiting = (SOURCES.c.host == HOSTS.c.host) & (SOURCES.c.state == "waiting")
    found = sa.select(sa.case((first.is_not(None), at))).where(waiting).correlate(HOSTS)
    return sa.update(HOSTS).where(*which).values(ready_at=found.scalar_subquery())
