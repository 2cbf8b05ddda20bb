"""The sources of a fleet in a table: filtered, one page at a time."""

import asyncio
import time
from typing import Any

from nicegui import events, ui

from longline.dashboard.pages.layout import (
    NARROW,
    button,
    column,
    count,
    far,
    framed,
    text,
)
from longline.errors import LonglineError
from longline.queue import Fleet, Row, SourceState
from longline.text.safe import clean

SIZE = 50
"""Sources per page."""

UPDATE_SECONDS = 2.0

STATES = {
    "": "any state",
    "waiting": "waiting or running",
    "paused": "paused",
    "cancelled": "cancelled",
    "ended": "ended",
}

COLUMNS = (
    ("url", "source", False),
    ("state", "state", False),
    ("worker", "running where", False),
    ("waits", "waits until", False),
    ("attempts", "retries", True),
    ("slices", "slices", True),
    ("documents", "saved", True),
    ("requests", "requests", True),
    ("said", "last error", False),
)
"""Name, heading, and whether it is a number."""


def fleet_page(fleet: Fleet) -> None:
    """Build the page."""
    with framed("Fleet"):
        FleetTable(fleet)


class FleetTable:
    """The page in one browser; each of its pages is found by the source before it.

    Args:
        fleet: The fleet of the sources.
    """

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet
        self._state: SourceState | None = None
        self._host = ""
        self._before = [0]
        self._last = 0
        text("Fleet", tag="h1")
        text(fleet.name, "ll-soft ll-small")
        self._summary = text("", "ll-soft")
        with ui.element("div").classes("ll-row ll-bar"):
            ui.input("Host", on_change=self._filter).props("outlined dense clearable debounce=300")
            ui.select(STATES, value="", label="State", on_change=self._select).props(
                "outlined dense"
            )
            button("First page", self._first)
            button("Page before", self._back)
            button("Next page", self._next)
        self._table = ui.table(
            rows=[],
            columns=[column(each) for each in COLUMNS],
            row_key="source",
            pagination={"rowsPerPage": 0},
        )
        self._table.props(f'flat dense hide-bottom :grid="{NARROW}"').classes("w-full")
        ui.timer(UPDATE_SECONDS, self._update)

    async def _filter(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self._host = str(event.value or "").strip()
        await self._first()

    async def _select(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self._state = event.value or None
        await self._first()

    async def _first(self) -> None:
        self._before = [0]
        await self._update()

    async def _back(self) -> None:
        self._before = self._before[:-1] or [0]
        await self._update()

    async def _next(self) -> None:
        if len(self._table.rows) == SIZE:
            self._before.append(self._last)
            await self._update()

    async def _update(self) -> None:
        """Read the page that is shown."""
        wanted = self._before[-1], self._state, self._host, SIZE
        try:
            counts, page = await asyncio.to_thread(
                lambda: (self._fleet.counts(), self._fleet.page(*wanted))
            )
        except LonglineError as error:
            self._summary.text = clean(str(error))  # until the database is back
            return
        if wanted[:3] != (self._before[-1], self._state, self._host):
            return  # the user has chosen another page or filter
        self._last = page[-1].source if page else 0
        self._summary.text = counts.in_words()
        self._table.update_rows([cells(row) for row in page], clear_selection=False)


def cells(row: Row) -> dict[str, Any]:
    """Return a source as a row of the table."""
    ended = f"{row.outcome} ({row.cause})" if row.cause else row.outcome
    is_waiting = row.state == "waiting" and not row.worker and row.waits_until > time.time()
    return {
        "source": row.source,
        "url": clean(row.url),
        "state": ended if row.state == "ended" else "running" if row.worker else row.state,
        "worker": clean(row.worker),
        "waits": far(row.waits_until) if is_waiting else "",
        "attempts": count(row.attempts),
        "slices": count(row.slices),
        "documents": count(row.documents),
        "requests": count(row.requests),
        "said": "" if row.outcome == "complete" else clean(row.said[:300]),
    }
