"""Display the state of harvests: the record chart as a table, and a live view."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from longline.cli._progress import PLAIN_SECONDS
from longline.cli._said import say
from longline.text.numbers import percent
from longline.text.safe import clean

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from longline.api import ChartRow, Look

WIDTH_OF_CHART = 100

LINES_BESIDE = 24
"""Lines of a terminal that the text beside the chart needs."""


def chart_of(rows: list[ChartRow], newest: int) -> Table:
    """Return the newest rows of the record chart as a table."""
    from rich.table import Table

    from longline.api import CHART_COLUMNS, short

    table = Table(box=None, header_style="bold", pad_edge=False)
    for place, name in enumerate(CHART_COLUMNS):
        is_number = 0 < place < len(CHART_COLUMNS) - 1
        # The searches get the room: words of headings stand below each other.
        table.add_column(
            name.replace(" ", "\n", 1),
            justify="right" if is_number else "left",
            overflow="fold",
            no_wrap=is_number,
        )
    for row in rows[-newest:] if newest else ():
        table.add_row(
            clean(short(row.query)),
            _count(row.reported),
            _count(row.received),
            _count(row.new),
            _count(row.repeats),
            _count(row.total_received),
            _count(row.total_unique),
            _repeats(row.overlapping_rate),
            percent(row.hit_rate),
            " ".join(row.cuts),
        )
    return table


def _count(value: int | None) -> str:
    return "?" if value is None else f"{value:,}"


def _repeats(overlapping_rate: float | None) -> str:
    return "?" if overlapping_rate is None else f"{overlapping_rate - 1:.2f}"


def watched(look: Look, chart: int) -> RenderableType:
    """Return the live view of a running harvest: its newest queries, and its state."""
    from rich.console import Console, Group
    from rich.text import Text

    from longline.api import in_words

    rows = min(chart, max(0, Console().height - LINES_BESIDE))
    now = "" if look.newest is None else f"now        {look.newest.words}"
    words = clean(f"{in_words(look.certificate)}\n{now}")
    told = Text(words, no_wrap=True, overflow="ellipsis")
    if not (rows and look.queries):
        return told
    return Group(chart_of(look.queries, rows), Text(""), told)


class Show(Protocol):
    """A function that shows the current state in place of the previous one."""

    def __call__(self, whole: RenderableType, line: str) -> object:
        """Show the complete view in a terminal; elsewhere only the line."""


@contextmanager
def watching() -> Iterator[Show]:
    """Show the state in place in a terminal, cleared at the end; else print a line now and then.

    Ctrl-C only ends the display.
    """
    from rich.console import Console
    from rich.live import Live

    console = Console()
    try:
        if not console.is_terminal:
            yield _lines()
            return
        with Live(console=console, transient=True, auto_refresh=False) as live:
            yield lambda whole, line: live.update(whole, refresh=True)
    except KeyboardInterrupt:
        return


def _lines() -> Show:
    last = time.monotonic() - PLAIN_SECONDS

    def show(whole: RenderableType, line: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= PLAIN_SECONDS:
            last = now
            say(line)
            sys.stdout.flush()

    return show
