"""All harvests in a table: filter, sort, select and control them."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from nicegui import events, ui

from longline.dashboard.desk import Desk
from longline.dashboard.harvests import SORTS, Row, chosen, ordered
from longline.dashboard.pages.layout import (
    HEAD_CELL,
    NARROW,
    NO_ROWS,
    UPDATE_SECONDS,
    button,
    column,
    complain,
    count,
    far,
    framed,
    text,
)
from longline.harvester import Standing
from longline.text.numbers import counted, percent
from longline.text.safe import clean

STATES = {
    "": "any state",
    "going": "running or paused",
    "paused": "paused",
    "interrupted": "interrupted",
    "complete": "complete",
    "partial": "partial",
    "blocked": "blocked",
    "failed": "failed",
    "unreachable": "unreachable",
    "changed": "changed",
    "empty": "empty",
}

MOST_NAMED = 10
"""How many sources without a harvest are named."""

COLUMNS = (
    ("name", "harvest", False),
    ("state", "state, last error", False),
    ("saved", "saved", True),
    ("of", "total", True),
    ("coverage", "coverage", True),
    ("requests", "requests", True),
    ("rate", "requests a second", True),
    ("left", "requests left", True),
    ("ends", "ends or ended", False),
)
"""Name, heading, and whether it is a number."""

# Text from a source is inserted as plain text: the browser reads no tags in it.
NAME_CELL = """
<q-td :props="props"><a :href="'/harvest/' + props.row.key">{{ props.row.name }}</a>
<div class="ll-soft ll-small">{{ props.row.source }}</div></q-td>
"""
STATE_CELL = """
<q-td :props="props"><span :class="'ll-badge ' + props.row.kind">{{ props.row.state }}</span>
<div class="ll-small">{{ props.row.stopped }}</div></q-td>
"""
OF_CELL = """
<q-td :props="props">{{ props.row.of }}<div class="ll-soft ll-small">{{ props.row.between }}</div>
</q-td>
"""
SELECT_ALL = '<q-checkbox v-model="props.selected" aria-label="select all that are shown" />'
SELECT_ONE = """
<q-checkbox v-model="props.selected" :aria-label="'select ' + props.row.name" />
"""
CARD = """
<div class="q-pa-xs col-12"><q-card flat bordered class="q-pa-md q-table__grid-item-card">
<div class="ll-row"><q-checkbox v-model="props.selected" dense
:aria-label="'select ' + props.row.name" />
<a :href="'/harvest/' + props.row.key">{{ props.row.name }}</a>
<span :class="'ll-badge ' + props.row.kind">{{ props.row.state }}</span></div>
<div class="ll-soft ll-small">{{ props.row.source }}</div>
<div>saved {{ props.row.saved }}, total {{ props.row.of }}, coverage {{ props.row.coverage }},
requests {{ props.row.requests }}</div>
<div class="ll-small">{{ props.row.stopped }}</div></q-card></div>
"""


def overview_page(desk: Desk) -> None:
    """Build the page."""
    with framed("Harvests"):
        Overview(desk)


def unharvested(found: Sequence[Row]) -> str:
    """Return in words which sources of a list have no harvest, and why; "" if each has one.

    >>> from pathlib import Path
    >>> standing = Standing(state="ended", stopped="it needs a login")
    >>> unharvested([Row(key="", folder=Path("x"), name="x", standing=standing)])
    '1 source of the list has no harvest: x (it needs a login)'
    """
    if not found:
        return ""
    named = [f"{clean(each.name)} ({clean(each.standing.stopped)})" for each in found[:MOST_NAMED]]
    if len(found) > MOST_NAMED:
        named.append(f"and {len(found) - MOST_NAMED:,} more, which longline status names")
    have = counted(len(found), "source of the list has", "sources of the list have")
    return f"{have} no harvest: {'; '.join(named)}"


class Overview:
    """The page in one browser, with its filter, order and position.

    Args:
        desk: Has the harvests.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._words, self._state = "", ""
        self._by, self._descending = "updated", False
        self._first, self._size = 0, 25
        self._sent: list[dict[str, Any]] = []
        text("Harvests", tag="h1")
        for place, fleet in enumerate(desk.fleets):
            ui.link(f"The fleet in {fleet.name}", f"/fleet/{place}")
        self._summary = text("", "ll-soft")
        self._unharvested = text("", "ll-small")
        with ui.element("div").classes("ll-row ll-bar"):
            ui.input("Filter", on_change=self._filter).props(
                "outlined dense clearable debounce=200"
            )
            ui.select(STATES, value="", label="State", on_change=self._select).props(
                "outlined dense"
            )
            for words, what in (
                ("Pause", "pause"),
                ("Resume", "continue"),
                ("Stop", "stop"),
                ("Retry", "retry"),
            ):
                button(words, partial(self._act, what))
        self._table = self._made()
        self._update()
        ui.timer(UPDATE_SECONDS, self._update)

    def _made(self) -> ui.table:
        table = ui.table(
            rows=[],
            columns=[column(each, SORTS) for each in COLUMNS],
            row_key="key",
            selection="multiple",
            pagination={"rowsPerPage": self._size, "rowsNumber": 0, "page": 1},
        )
        table.props(f'flat :grid="{NARROW}" binary-state-sort no-data-label="no harvest yet"')
        table.props(':rows-per-page-options="[10, 25, 50, 100]"').classes("w-full")
        table.add_slot("header-cell", HEAD_CELL)
        table.add_slot("body-cell-name", NAME_CELL)
        table.add_slot("body-cell-state", STATE_CELL)
        table.add_slot("body-cell-of", OF_CELL)
        table.add_slot("header-selection", SELECT_ALL)
        table.add_slot("body-selection", SELECT_ONE)
        table.add_slot("item", CARD)
        table.add_slot("no-data", NO_ROWS)
        table.on("request", self._request)
        return table

    def _filter(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self._words = str(event.value or "")
        self._begin()

    def _select(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self._state = str(event.value or "")
        self._begin()

    def _begin(self) -> None:
        self._first = 0
        self._table.pagination["page"] = 1
        self._update()

    def _request(self, event: events.GenericEventArguments) -> None:
        page = event.args["pagination"]
        self._size = min(100, max(1, int(page["rowsPerPage"] or 25)))
        self._first = self._size * (max(1, int(page["page"])) - 1)
        self._by, self._descending = str(page.get("sortBy") or "updated"), bool(page["descending"])
        self._table.pagination = dict(page) | {"rowsPerPage": self._size}
        self._sent = []
        self._update()

    def _update(self) -> None:
        """Send the visible rows if they changed."""
        rows = self._desk.rows()
        found = ordered(
            chosen(rows, self._words, self._state), self._by, descending=self._descending
        )
        shown = [self._cells(row) for row in found[self._first : self._first + self._size]]
        going = sum(row.standing.is_going for row in rows)
        saved = counted(sum(row.standing.saved for row in rows), "document")
        summary = f"{counted(len(rows), 'harvest')}, {going:,} running or paused, {saved} saved"
        if summary != self._summary.text:
            self._summary.text = summary
        without = unharvested(self._desk.harvests.unharvested)
        if without != self._unharvested.text:
            self._unharvested.text = without
        if shown != self._sent or self._table.pagination.get("rowsNumber") != len(found):
            self._sent = shown
            self._table.pagination["rowsNumber"] = len(found)
            none = "no harvest fits the filter and the state" if rows else "no harvest yet"
            self._table.props["no-data-label"] = none
            self._table.update_rows(shown, clear_selection=False)

    def _cells(self, row: Row) -> dict[str, Any]:
        now = row.standing
        of, between = total(now)
        return {
            "key": row.key,
            "name": clean(row.name),
            "source": clean(now.source),
            "state": clean(self._desk.words(row)),
            "kind": now.outcome or now.state,
            "saved": count(now.saved),
            "of": of,
            "between": between,
            "coverage": percent(now.hit_rate),
            "requests": count(now.requests),
            "rate": f"{now.rate:.1f}" if now.is_going else "",
            "left": count(now.requests_left, ""),
            "ends": ends(row),
            "stopped": clean(now.stopped[:300]),
        }

    def _act(self, what: str) -> None:
        keys = [str(row["key"]) for row in self._table.selected]
        if not keys:
            ui.notify("select harvests first", position="top")
            return
        wrong = self._desk.act(what, keys)
        for line in wrong[:3]:
            complain(line)
        if len(wrong) > 3:
            complain(f"and {len(wrong) - 3} more")
        done = len(keys) - len(wrong)
        if done:
            ui.notify(f"asked {done:,} of {counted(len(keys), 'harvest')}", position="top")


def total(now: Standing) -> tuple[str, str]:
    """Return the number of documents, and its interval or kind."""
    low, high = now.size_low or 0, now.size_high
    if now.size is None:
        return ("?", "not known") if not low else (f"{low:,} or more", "the most is not known")
    if low == high == now.size:
        return f"{now.size:,}", "as given"
    return f"about {now.size:,}", f"at least {low:,}" if high is None else f"{low:,} to {high:,}"


def ends(row: Row) -> str:
    """Say when a harvest ends, or ended."""
    now = row.standing
    if now.state == "paused":
        return "paused"
    at = now.ends_at if now.is_going else now.updated_at
    return far(at) if at else "?"
