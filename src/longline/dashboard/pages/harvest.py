"""One harvest: its current state, its limits, its results and failures."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

from nicegui import ui

from longline.dashboard.desk import Desk, has_to_be_updated
from longline.dashboard.detail import Detail, Part, Wanted
from longline.dashboard.downloads import FORMS
from longline.dashboard.harvests import Row
from longline.dashboard.pages.documents import documents_table
from longline.dashboard.pages.layout import (
    UPDATE_SECONDS,
    PartTable,
    RowAction,
    button,
    complain,
    framed,
    moment,
    opened,
    search_field,
    text,
)
from longline.dashboard.pages.now import doing_of, facts_of
from longline.errors import LonglineError
from longline.harvester import Budgets
from longline.text.safe import clean

BUDGETS = {
    "max_requests": "requests",
    "max_documents": "documents",
    "max_queries": "searches",
    "max_time": "seconds of a run",
    "max_requests_per_day": "requests a day",
}
"""Limits that can be changed here, with their labels."""

CHART = (
    ("query", "search", False),
    ("reported", "reported", True),
    ("received", "received", True),
    ("new", "new", True),
    ("repeats", "repeated", True),
    ("total_unique", "new so far", True),
    ("overlapping_rate", "repeats per new", True),
    ("hit_rate", "coverage", True),
    ("result_pages", "pages", True),
    ("cuts", "cut", False),
)

HAS_ANSWER = "'kind' in props.row || props.row.cut || props.row.cuts"
"""Condition for rows of searches whose answer may be stored."""


def harvest_page(desk: Desk, key: str) -> None:
    """Build the page of a harvest."""
    try:
        row = desk.row(key)
    except LonglineError as error:
        with framed("No such harvest"):
            text(str(error))
        return
    with framed(row.name):
        HarvestPage(desk, row)


class HarvestPage:
    """The page in one browser.

    Args:
        desk: Has the harvest.
        row: Of the harvest.
    """

    def __init__(self, desk: Desk, row: Row) -> None:
        self._desk = desk
        self._key = row.key
        self._seen = -1
        self._busy = False
        self._limits = dict(row.standing.limits)
        self._head(row)
        with ui.element("div").classes("ll-facts"):
            self._facts = {name: _fact(name) for name in facts_of(row.standing)}
        self._drawings()
        with ui.element("div").classes("ll-forms"):
            self._budget_form(row)
            self._schedule_form(row)
        self._tables: dict[str, PartTable] = {}
        self._lists = ui.element("div")
        with self._lists:
            self._tabs()
        self._update_head()
        ui.timer(UPDATE_SECONDS, self._update, immediate=True)

    def _head(self, row: Row) -> None:
        text(row.name, tag="h1")
        self._source = text(row.standing.source, "ll-soft")
        with ui.element("div").classes("ll-row ll-bar"):
            self._state = text("", "ll-badge", tag="span")
            self._pause = button("Pause", lambda: self._act("pause"))
            self._resume = button("Resume", lambda: self._act("continue"), is_main=True)
            self._stop = button("Stop", lambda: self._act("stop"))
            self._retry = button("Retry what failed", lambda: self._act("retry"))
            ui.link("Report", f"/harvest/{self._key}/report", new_tab=True)
            ui.link("Certificate", f"/harvest/{self._key}/certificate", new_tab=True)
            for form, called in FORMS.items():
                ui.link(f"Documents as {called}", f"/harvest/{self._key}/documents.{form}")
        self._now = text("", "ll-now")
        self._now.props('role="status"')

    def _drawings(self) -> None:
        with ui.element("div").classes("ll-charts"):
            # longline itself draws these from numbers, with all text escaped.
            self._curve = ui.html("", sanitize=False)
            self._rates = ui.html("", sanitize=False)

    def _budget_form(self, row: Row) -> None:
        with ui.element("section").classes("ll-panel"):
            text("Budget", tag="h2")
            with ui.element("div").classes("ll-row"):
                self._budget = {
                    name: _budget_field(label, row.standing.limits.get(name))
                    for name, label in BUDGETS.items()
                }
                button("Change", self._change_budget)
            text(
                "An empty field is no limit. A change applies at once, and to later runs.",
                "ll-soft ll-small",
            )

    def _schedule_form(self, row: Row) -> None:
        with ui.element("section").classes("ll-panel"):
            text("Run again by itself", tag="h2")
            with ui.element("div").classes("ll-row"):
                self._every = ui.input("every", placeholder="7 d").props("outlined dense clearable")
                schedule = self._desk.schedule(row)
                self._every.value = schedule.every if schedule else ""
                button("Set", self._set_schedule)
                self._runs = text("", "ll-soft")

    def _tabs(self) -> None:
        names = {
            "chart": "Searches",
            "documents": "Documents",
            "cuts": "Cut",
            "missed": "Not saved",
            "odd": "Does not add up",
            "log": "Log",
            "words": "In words",
        }
        with ui.tabs().props("align=left no-caps dense outside-arrows mobile-arrows") as tabs:
            for name, label in names.items():
                ui.tab(name, label)
        self._panels = ui.tab_panels(tabs, value="chart", animated=False)
        self._panels.on_value_change(self._show_panel)
        with self._panels.classes("w-full"):
            with ui.tab_panel("chart"):
                self._chart()
            with ui.tab_panel("documents"):
                self._tables["documents"] = documents_table(lambda: self._desk.detail(self._key))
            with ui.tab_panel("cuts"):
                self._cuts()
            with ui.tab_panel("missed"):
                self._missed()
            with ui.tab_panel("odd"):
                columns = (
                    ("query", "search", False),
                    ("kind", "what", False),
                    ("reported", "should be", True),
                    ("found", "is", True),
                    ("action", "stored answer", False),
                )
                self._add("odd", columns, Detail.discrepancies)
            with ui.tab_panel("log"):
                self._log = text("", "ll-pre ll-log")
            with ui.tab_panel("words"):
                self._words = text("", "ll-pre")

    def _chart(self) -> None:
        columns = (*CHART, ("action", "stored answer", False))
        sortable = [name for name, *_ in CHART if name not in ("overlapping_rate", "hit_rate")]
        words = search_field("Search")
        words.on_value_change(self._add("chart", columns, Detail.chart, sortable).search)

    def _cuts(self) -> None:
        columns = (
            ("query", "search", False),
            ("cut", "how", False),
            ("reported", "reported", True),
            ("received", "received", True),
            ("page", "page", True),
            ("action", "stored answer", False),
        )
        self._add("cuts", columns, Detail.cuts)

    def _missed(self) -> None:
        columns = (("what", "what", False), ("kind", "kind", False), ("reason", "why", False))
        self._add("missed", columns, Detail.missed)
        button("Retry what failed", lambda: self._act("retry"))

    def _add(
        self,
        name: str,
        columns: tuple[tuple[str, str, bool], ...],
        read: Callable[[Detail, Wanted], Part],
        sortable: list[str] | None = None,
    ) -> PartTable:
        def part(wanted: Wanted) -> Part | None:
            detail = self._desk.detail(self._key)
            return None if detail is None else read(detail, wanted)

        made = PartTable(columns, part, sortable=sortable or (), is_newest_first=name == "chart")
        self._tables[name] = made
        if columns[-1][0] == "action":
            act = RowAction("answer", "query", "'stored answer of ' + props.row.query", HAS_ANSWER)
            made.add_action(act, self._show_answer)
        return made

    async def _update(self) -> None:
        """Read new entries, and send the visible changes."""
        if self._busy:  # the previous update is still reading
            return
        self._busy = True
        try:
            self._update_head()
            detail = self._desk.detail(self._key)
            if detail is None:
                return
            await asyncio.to_thread(detail.catch_up)
            self._lists.visible = True
            if detail.version != self._seen:
                self._seen = detail.version
                curve, rates = await asyncio.to_thread(detail.curves)
                _place(self._curve, curve)
                _place(self._rates, rates)
                await self._show_panel()
        except LonglineError as error:
            self._lists.visible = False  # empty lists would say that nothing was cut
            _say(self._now, str(error))
        finally:
            self._busy = False

    async def _show_panel(self, event: object = None) -> None:
        """Update the visible panel; the others are updated when they are opened."""
        name = str(self._panels.value)
        if name == "documents" and event is None and self._tables[name].wanted.words:
            return  # all texts would be searched again at each new entry
        if name in self._tables:
            await self._tables[name].update()
            return
        detail = self._desk.detail(self._key)
        if detail is not None and name == "log":
            lines = await asyncio.to_thread(detail.log)
            self._log.text = clean(
                "\n".join(
                    f"{datetime.fromtimestamp(line.recorded_at, UTC):%H:%M:%S}  {line.words}"
                    for line in lines
                )
            )
        elif detail is not None and name == "words":
            self._words.text = clean(await asyncio.to_thread(detail.in_words))

    def _update_head(self) -> None:
        row = self._desk.row(self._key)
        now, words = row.standing, self._desk.words(row)
        _say(self._source, now.source)
        _say(self._state, words)
        kind = now.outcome or now.state
        self._state.classes(replace=f"ll-badge {kind}")
        is_paused = now.state in ("paused", "pausing")
        self._pause.set_enabled(now.is_going and not is_paused)
        self._resume.set_enabled(is_paused or not now.is_going)
        is_done = has_to_be_updated(now) and now.state == "ended"
        self._resume.text = (
            "Resume" if is_paused else "Look for what is new" if is_done else "Run again"
        )
        self._stop.set_enabled(now.is_going)
        self._retry.set_enabled(not now.is_going)
        _say(self._now, doing_of(row))
        for name, (value, note) in facts_of(now).items():
            _say(self._facts[name][0], value)
            _say(self._facts[name][1], note)
        self._show_limits(now.limits)
        schedule = self._desk.schedule(row)
        last = f"last run {moment(schedule.last)}, " if schedule and schedule.last else ""
        _say(self._runs, f"{last}next run {moment(schedule.next)}" if schedule else "never")

    def _show_limits(self, limits: dict[str, float]) -> None:
        """Show the current limits, except in fields that a person is editing."""
        if limits == self._limits:
            return
        for name, field in self._budget.items():
            if field.value == self._limits.get(name):
                field.value = limits.get(name)
        self._limits = dict(limits)

    def _act(self, what: str) -> None:
        for line in self._desk.act(what, [self._key]):
            complain(line)
        self._update_head()

    def _change_budget(self) -> None:
        changes: Budgets = {
            name: None if field.value is None else float(field.value)
            for name, field in self._budget.items()
            if field.value != self._limits.get(name)
        }
        if not changes:
            ui.notify("nothing was changed", position="top")
            return
        self._desk.change_budget(self._key, changes)
        ui.notify("the budget is changed", position="top")

    def _set_schedule(self) -> None:
        self._desk.run_every(self._key, str(self._every.value or ""))
        self._update_head()

    async def _show_answer(self, query: str) -> None:
        """Show the stored answers of a search as text."""
        detail = self._desk.detail(self._key)
        try:
            answers = await asyncio.to_thread(detail.answers, query) if detail else []
        except LonglineError as error:
            complain(str(error))
            return
        with opened(query):
            if not answers:
                text("No answer of it is kept: only those that fell short or were not read are.")
            for kept in reversed(answers):
                about = (
                    f"page {kept.number}: status {kept.status}, {kept.content_type or 'no type'}"
                )
                text(
                    f"{about}, {len(kept.body):,} of {kept.body_bytes:,} bytes, {kept.url}",
                    "ll-soft",
                )
                text(kept.body.decode("utf-8", "replace"), "ll-pre", tag="pre")


def _fact(name: str) -> tuple[ui.label, ui.label]:
    with ui.element("div"):
        text(name, "name")
        return text("", "value"), text("", "note")


def _budget_field(label: str, value: float | None) -> ui.number:
    made = ui.number(label, value=value, min=1).props("outlined dense clearable")
    return made.style("width:10.5rem")


def _say(label: ui.label, words: str) -> None:
    """Change a label's text, if it differs."""
    words = clean(words)
    if label.text != words:
        label.text = words


def _place(drawing: ui.html, svg: str) -> None:
    if drawing.content != svg:
        drawing.content = svg
