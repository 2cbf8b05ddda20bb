"""A source of a fleet, as the database has it."""

from __future__ import annotations

from typing import Any, Literal, get_args

import msgspec
import sqlalchemy as sa

from longline.queue._tables import SOURCES
from longline.store import HOSTS, NOW

SourceState = Literal["waiting", "paused", "cancelled", "ended"]
"""Of a source; one that is being harvested is waiting, and its host is leased."""

STATES: tuple[SourceState, ...] = get_args(SourceState)


class Row(msgspec.Struct, frozen=True):
    """A source; the names are those of the columns.

    Attributes:
        attempts: Slices in a row that did not end: their workers died.
        began_after: Seconds that its last slice took until it sent its first request.
        worker: Who harvests it now; "" for nobody, or where that was not asked for.
        waits_until: Before that it is not harvested, in seconds since 1970.
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
"""What those need who harvest it."""

_IS_LEASED = (HOSTS.c.source == SOURCES.c.source) & (HOSTS.c.leased_until > NOW)
_NOW = [
    sa.case((_IS_LEASED, HOSTS.c.worker), else_="").label("worker"),
    sa.func.greatest(SOURCES.c.next_at, HOSTS.c.next_at).label("waits_until"),
]


def row_of(found: Any) -> Row:
    """Read a row of the database."""
    return msgspec.convert(dict(zip(Row.__struct_fields__, found, strict=False)), Row)


def rows_after(last: int, state: SourceState | None, host: str, most: int) -> sa.Select[Any]:
    """Select sources in the order in which they were submitted, with how they stand now.

    Args:
        last: Number of the source before them; 0 for the first ones.
        state: Those in this one; None for all.
        host: Those that live there; "" for all.
        most: So many at most.
    """
    wanted = sa.select(*COLUMNS, *_NOW).join(HOSTS, HOSTS.c.host == SOURCES.c.host)
    wanted = wanted.where(SOURCES.c.source > last)
    if state is not None:
        wanted = wanted.where(SOURCES.c.state == state)
    if host:
        wanted = wanted.where(SOURCES.c.host == host)
    return wanted.order_by(SOURCES.c.source).limit(most)
