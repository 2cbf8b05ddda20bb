"""How a search for a cheap choice of queries is going, on standard error."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

if TYPE_CHECKING:
    from longline.cover import Progress

PLAIN_SECONDS = 10.0
"""Between two lines where there is no terminal."""


@contextmanager
def searching() -> Iterator[Callable[[Progress], None]]:
    """Show a search: a bar that goes when it is done, or a plain line now and then."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _plain_lines()
        return
    columns = (BarColumn(bar_width=24), TextColumn("{task.description}"), TimeElapsedColumn())
    with Bar(*columns, console=console, refresh_per_second=5, transient=True) as bar:
        task = bar.add_task("choosing", total=1.0)
        yield lambda state: bar.update(task, completed=state.share, description=_line(state))


def _plain_lines() -> Callable[[Progress], None]:
    last = time.monotonic()

    def observe(state: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= PLAIN_SECONDS:
            last = now
            typer.echo(f"{state.share:.0%} {_line(state)}", err=True)

    return observe


def _line(state: Progress) -> str:
    return f"{state.method}: cost {state.cost:,.10g}"
