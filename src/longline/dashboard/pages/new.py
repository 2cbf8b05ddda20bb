"""A new harvest: first a plan with the costs of each way to the documents, then the start."""

from typing import Any

import msgspec
from nicegui import ui

from longline.dashboard.children import run_json
from longline.dashboard.desk import Desk, NewHarvest, name_for
from longline.dashboard.pages.layout import button, count, framed, text
from longline.forecast import Plan, Route
from longline.planner.strategies import STRATEGIES
from longline.text.numbers import counted, percent
from longline.text.safe import clean

COVERAGES = ("0.5", "0.8", "0.9", "0.95", "0.98")


def new_page(desk: Desk) -> None:
    """Build the page."""
    with framed("New harvest"):
        New(desk)


class New:
    """The page in one browser.

    Args:
        desk: Starts the harvest.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._planned = ""
        text("New harvest", tag="h1")
        text(
            "First see what the ways to the documents would cost: that takes twenty to thirty "
            "requests. Then start.",
            "ll-soft",
        )
        with ui.element("div").classes("ll-row ll-bar"):
            self._url = ui.input("Address of the source").props("outlined dense type=url")
            self._url.style("width:min(34rem,100%)")
            self._name = ui.input("Folder", placeholder="the site's name")
            self._name.props("outlined dense")
        with ui.element("div").classes("ll-row"):
            self._strategy = (
                ui.select(list(STRATEGIES), value="auto", label="Strategy")
                .props("outlined dense")
                .style("width:13rem")
            )
            self._most = _number("Requests at most")
            self._rate = _number("Requests a second")
            self._private = ui.checkbox("localhost and local networks")
            self._listing = ui.checkbox("titles and snippets only")
        with ui.element("div").classes("ll-row ll-bar"):
            self._plan = button("Plan", self._make_plan, is_main=True)
            self._start = button("Start", self._begin)
            self._start.disable()
            self._spinner = ui.spinner(size="1.6rem")
            self._spinner.visible = False
            self._said = text("", "ll-soft")
        self._found = ui.element("div")

    def _new(self) -> NewHarvest:
        url = str(self._url.value or "").strip()
        new = NewHarvest(
            url=url,
            name=str(self._name.value or "").strip() or name_for(url),
            strategy=str(self._strategy.value),
            max_requests=None if self._most.value is None else int(self._most.value),
            rate=None if self._rate.value is None else float(self._rate.value),
            allow_private=bool(self._private.value),
            listing_only=bool(self._listing.value),
        )
        new.check()
        return new

    async def _make_plan(self) -> None:
        new = self._new()
        self._found.clear()
        self._said.text = "asking the source"
        self._plan.disable()
        self._spinner.visible = True
        try:
            out = await run_json("plan", new.url, "--json", "-q", *new.asking())
            plan = msgspec.json.decode(out, type=Plan)
        finally:
            self._plan.enable()
            self._spinner.visible = False
            self._said.text = ""
        self._planned = new.url
        self._start.enable()
        with self._found:
            _show(plan)

    def _begin(self) -> None:
        new = self._new()
        if new.url != self._planned:
            self._start.disable()
            ui.notify("plan first: the address is another one", position="top")
            return
        ui.navigate.to(f"/harvest/{self._desk.begin(new)}")


def _number(label: str) -> ui.number:
    made = ui.number(label, min=0)
    made.props("outlined dense clearable")
    return made.style("width:11rem")


def _show(plan: Plan) -> None:
    """Show the routes and their costs."""
    size = plan.size
    known = "total unknown"
    if size.documents is not None:
        known = f"about {counted(size.documents, 'document')}"
    between = "" if size.high is None else f", between {size.low:,} and {size.high:,}"
    text("What it would cost", tag="h2")
    cost = counted(plan.requests, "request")
    text(f"{known}{between} (from {size.told_by}); this plan took {cost}")
    is_known = size.documents is not None
    what = "Requests by coverage" if is_known else "Requests for each thousand documents"
    text(f"{what}, at {counted(plan.rate, 'request')} a second", "ll-soft ll-small")
    names = [("way", "way"), *((each, f"{float(each):.0%}") for each in COVERAGES)]
    names += [("between", "95 %, from-to"), ("time", "time"), ("reach", "at most")]
    table = ui.table(
        rows=[_cells(route, plan) for route in plan.routes],
        columns=[
            {
                "name": name,
                "label": label,
                "field": name,
                "align": "left" if name == "way" else "right",
            }
            for name, label in names
        ],
        row_key="way",
    )
    table.props("flat dense").classes("w-full")
    for route in plan.routes:
        text(f"{route.route}: {route.how}. {route.note}", "ll-soft ll-small")
    here = plan.recommended_here
    text(f"Recommended: {here}." if here else "No way to the documents was found.")


def _cells(route: Route, plan: Plan) -> dict[str, Any]:
    figures = route.per_thousand or route.requests
    least, most = route.least.get("0.95"), route.most.get("0.95")
    seconds = route.seconds.get("0.95")
    mark = " *" if route.route == plan.recommended_here else ""
    return {
        "way": clean(route.route + mark),
        **{each: count(figures.get(each), "-") for each in COVERAGES},
        "between": "-" if least is None else f"{least:,} to {count(most)}",
        "time": "-" if seconds is None else f"{seconds / 60:,.0f} min",
        "reach": percent(route.reach),
    }
