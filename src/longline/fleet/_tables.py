"""The table of a fleet's sources, beside those of hosts and of harvests."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from longline.store import HOSTS

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
)
sa.Index("sources_to_do", SOURCES.c.host, SOURCES.c.state, SOURCES.c.next_at)
sa.Index("sources_by_state", SOURCES.c.state, SOURCES.c.source)


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
