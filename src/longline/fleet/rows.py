"""A source of a fleet, as the database has it."""

from __future__ import annotations

from typing import Any, Literal, get_args

import msgspec

from longline.fleet._tables import SOURCES

SourceState = Literal["waiting", "paused", "cancelled", "ended"]
"""Of a source; one that is being harvested is waiting, and its host is leased."""

STATES: tuple[SourceState, ...] = get_args(SourceState)


class Row(msgspec.Struct, frozen=True):
    """A source; the names are those of the columns."""

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


def row_of(found: Any) -> Row:
    """Read a row of the database."""
    return msgspec.convert(dict(zip(Row.__struct_fields__, found, strict=True)), Row)
