"""Shared parts of all pages: their frame, formatting of values, tables that are read in parts."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from html import escape
from importlib.resources import files
from typing import Any, NamedTuple

from nicegui import events, ui

from longline.dashboard.detail import Part, Wanted
from longline.errors import LonglineError
from longline.reports.svg import STYLE
from longline.text.numbers import span
from longline.text.safe import clean

NARROW = "Quasar.Screen.lt.md"
"""Condition for small screens: rows of tables are shown as cards there."""

UPDATE_SECONDS = 1.0

WIDE = "width:min(60rem,95vw);max-width:none"
"""Style of a window over the page."""

FIRST = """
<div id="ll-first"><div class="ll-top"><span class="brand">longline</span></div>
<div class="ll-main"><div class="ll-title">{}</div></div></div>
"""
"""Shown until the scripts have built the page."""

ITEM = """
<div class="col-12 ll-item">
<span v-for="col in props.cols.filter(c => c.name !== 'action' && c.value !== '')"
:key="col.name"><span class="ll-soft">{{ col.label }}</span> {{ col.value }}</span>
<!-- action --></div>
"""
"""A row of a table on a small screen."""

ACTION = """
<q-btn v-if="%(condition)s" flat dense no-caps label="%(words)s" :aria-label="%(label)s"
@click="() => $parent.$emit('action', props.row.%(field)s)" />
"""
"""A button in each row of a table."""

HEAD_CELL = """
<q-th :props="props" :tabindex="props.col.sortable ? 0 : undefined"
:aria-sort="!props.col.__thClass.includes('sorted') ? undefined
: props.col.__thClass.includes('desc') ? 'descending' : 'ascending'"
@keydown.enter="props.col.sortable && props.sort(props.col)">{{ props.col.label }}</q-th>
"""
"""A heading of a table: those that sort it can be reached and pressed by the keyboard."""

NO_ROWS = "<span>{{ props.message }}</span>"
"""Replaces a table's rows if there are none; without an icon, as screen readers read it out."""


@contextmanager
def framed(title: str) -> Iterator[None]:
    """Build a page inside the common frame."""
    ui.page_title(f"{title} · longline")
    ui.add_body_html(FIRST.format(escape(title)))
    ui.colors(primary="#0072b2", negative="#b84a06", positive="#00775a")
    with ui.element("div").classes("ll-top"):
        ui.link("longline", "/").classes("brand")
        with ui.element("nav").props('aria-label="Main"'):
            ui.link("Harvests", "/")
            ui.link("New harvest", "/new")
    with ui.element("div").classes("ll-main"):
        yield


def style() -> str:
    """Return the style of all pages."""
    own = (files("longline.dashboard") / "pages" / "dashboard.css").read_text(encoding="utf-8")
    return own + STYLE


def text(words: str, kind: str = "", tag: str = "div") -> ui.label:
    """Show words that may come from a source, always as plain text."""
    label = ui.label(clean(words))
    label.tag = tag
    return label.classes(kind) if kind else label


def count(value: float | None, unknown: str = "?") -> str:
    """Format a number.

    >>> count(12000), count(None)
    ('12,000', '?')
    """
    return unknown if value is None else f"{value:,.10g}"


def moment(seconds: float | None) -> str:
    """Format a time, with its distance from now.

    >>> moment(None)
    '?'
    """
    return f"{far(seconds)} ({clock(seconds)})" if seconds else "?"


def clock(seconds: float) -> str:
    """Format a time, UTC."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


def far(seconds: float) -> str:
    """Format the distance of a time from now."""
    left = seconds - time.time()
    return f"in {span(left)}" if left > 0 else f"{span(-left)} ago"


def button(words: str, act: Callable[[], Any], *, is_main: bool = False) -> ui.button:
    """Make a button that reports errors of its action."""

    async def clicked() -> None:
        try:
            found = act()
            if asyncio.iscoroutine(found):
                await found
        except LonglineError as error:
            complain(str(error))

    made = ui.button(words, on_click=clicked, color=None).props("unelevated no-caps")
    return made.classes("ll-main-action" if is_main else "ll-plain")


def complain(words: str) -> None:
    """Show an error."""
    ui.notify(clean(words), type="negative", position="top", multi_line=True, timeout=8000)


@contextmanager
def opened(title: str) -> Iterator[None]:
    """Build a window that lies over the page until it is closed."""
    with ui.dialog(value=True) as dialog, ui.card().style(WIDE):
        text(title, tag="h2")
        yield
        button("Close", dialog.close)
    dialog.on("hide", dialog.delete)


def search_field(words: str) -> ui.input:
    """Make a field for the words that rows must contain."""
    return ui.input(words).props("outlined dense clearable debounce=300")


class RowAction(NamedTuple):
    """A button in each row of a table.

    Attributes:
        words: On the button.
        field: Of the row; its value is passed to the action.
        label: For screen readers, as an expression of the page's script.
        condition: Expression that is true for rows that have the button.
    """

    words: str
    field: str
    label: str
    condition: str = "true"


class PartTable:
    """A table that shows, and reads, only one part of a list at a time.

    Args:
        columns: Name, heading, and whether it is a number, of each.
        read: Returns a part; called in a thread.
        sortable: Columns by which the list can be sorted.
        is_newest_first: Show the newest rows first by default.
    """

    def __init__(
        self,
        columns: Sequence[tuple[str, str, bool]],
        read: Callable[[Wanted], Part | None],
        *,
        sortable: Sequence[str] = (),
        is_newest_first: bool = False,
    ) -> None:
        self._read = read
        self._is_newest_first = is_newest_first
        self.wanted = Wanted(descending=is_newest_first)
        self._shown: Part | None = None
        self.table = ui.table(
            rows=[],
            columns=[column(each, sortable) for each in columns],
            row_key="key",
            pagination={"rowsPerPage": 25, "rowsNumber": 0, "page": 1},
        )
        self.table.props(
            f'flat :grid="{NARROW}" binary-state-sort dense no-data-label="nothing here"'
        )
        self.table.props(':rows-per-page-options="[10, 25, 50, 100]"').classes("w-full")
        self.table.add_slot("header-cell", HEAD_CELL)
        self.table.add_slot("item", ITEM)
        self.table.add_slot("no-data", NO_ROWS)
        self.table.on("request", self._request)
        self.table.on_pagination_change(self._keep_total)

    async def _request(self, event: events.GenericEventArguments) -> None:
        page = event.args["pagination"]
        size = min(100, max(1, int(page["rowsPerPage"] or 25)))
        first = size * (max(1, int(page["page"])) - 1)
        by = str(page.get("sortBy") or "")
        descending = bool(page.get("descending")) if by else self._is_newest_first
        self.wanted = self.wanted._replace(first=first, size=size, by=by, descending=descending)
        self.table.pagination = dict(page) | {"rowsPerPage": size}
        await self.update(force=True)

    def _keep_total(self) -> None:
        """Correct the number of rows, if the browser repeats the one that it began with."""
        total = self._shown.total if self._shown else 0
        if self.table.pagination.get("rowsNumber") != total:
            self.table.pagination["rowsNumber"] = total
            self.table.update()

    def add_action(self, action: RowAction, act: Callable[[str], Awaitable[None]]) -> None:
        """Put a button into the column "action" of each row."""
        made = ACTION % action._asdict()
        self.table.add_slot("body-cell-action", f'<q-td :props="props">{made}</q-td>')
        self.table.add_slot("item", ITEM.replace("<!-- action -->", made))
        self.table.on("action", lambda event: act(str(event.args)))

    async def search(self, event: events.ValueChangeEventArguments[Any]) -> None:
        """Show only rows that contain the text of a field."""
        self.wanted = self.wanted._replace(words=str(event.value or ""), first=0)
        self.table.pagination["page"] = 1
        await self.update(force=True)

    async def update(self, *, force: bool = False) -> None:
        """Read the visible part, and send it if it changed."""
        part = await asyncio.to_thread(self._read, self.wanted)
        if part is None or (part == self._shown and not force):
            return
        self._shown = part
        self.table.pagination["rowsNumber"] = part.total
        rows = [{name: _cell(value) for name, value in row.items()} for row in part.rows]
        self.table.update_rows(rows, clear_selection=False)


def column(told: tuple[str, str, bool], sortable: Collection[str] = ()) -> dict[str, Any]:
    """Return a column of a table.

    Args:
        told: Its name, its heading, and whether it is a number.
        sortable: Names of columns that the table can be sorted by.
    """
    name, label, is_number = told
    return {
        "name": name,
        "label": label,
        "field": name,
        "align": "right" if is_number else "left",
        "sortable": name in sortable,
        "classes": "" if is_number else "ll-wrap",
    }


def _cell(value: Any) -> Any:
    """Return a value as it is shown."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bool) or value is None:
        return "?" if value is None else value
    return f"{value:,.10g}" if isinstance(value, int | float) else str(value)
