"""The table of a fleet's sources, beside those of its harvests."""

from __future__ import annotations

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
    sa.Column("said", sa.Text, nullable=False, server_default=""),  # why it ended
)
sa.Index("sources_to_do", SOURCES.c.host, SOURCES.c.state, SOURCES.c.next_at)
sa.Index("sources_by_state", SOURCES.c.state, SOURCES.c.source)
