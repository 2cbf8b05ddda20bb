"""How far something is, on standard error: a bar on a terminal, else a plain line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from longline.cli._said import note, warn
from longline.errors import minute
from longline.logs import is_quiet
from longline.secrets import masked
from longline.text.safe import clean

if TYPE_CHECKING:
    from longline.api import Wait

PLAIN_SECONDS = 10.0
"""Between two lines where there is no terminal."""

WIDE = 100
"""Columns of a terminal that has room for a bar beside the words."""


class Tell(Protocol):
    """Told how things are in words; what is done, and of how much, where that is known."""

    def __call__(self, words: str, done: float = 0.0, of: float | None = None) -> object:
        """Be told."""


@contextmanager
def showing(begins: str, *, lines: bool = True) -> Iterator[Tell]:
    """Show how far something is until it is over; on a terminal nothing of it stays.

    Where only errors are wanted, nothing is shown.

    Args:
        begins: How things are at first, in words.
        lines: Without a terminal print plain lines; else nothing, for what is soon over.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    console = Console(stderr=True)
    if is_quiet():
        yield _say_nothing
        return
    if not console.is_terminal:
        yield _plain_lines() if lines else _say_nothing
        return
    # What a site writes is no markup of ours.
    columns: list[ProgressColumn] = [
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
    ]
    if console.width >= WIDE:
        columns.insert(1, BarColumn(bar_width=20))
    with Progress(
        *columns,
        console=console,
        refresh_per_second=5,
        transient=True,
        # What goes to a file or a program must not be printed beside the bar.
        redirect_stdout=sys.stdout.isatty(),
    ) as bar:
        task = bar.add_task(clean(masked(begins)), total=None)

        def tell(words: str, done: float = 0.0, of: float | None = None) -> None:
            bar.update(task, description=clean(masked(words)), completed=done, total=of)

        yield tell


def _say_nothing(words: str, done: float = 0.0, of: float | None = None) -> None:
    """Show nothing."""


def _plain_lines() -> Tell:
    last = time.monotonic()

    def tell(words: str, done: float = 0.0, of: float | None = None) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= PLAIN_SECONDS:
            last = now
            warn(words)

    return tell


def waiting() -> Callable[[Wait], None]:
    """Return what says on standard error that a site is waited for, the same once a minute."""
    said = ""

    def say(wait: Wait) -> None:
        nonlocal said
        today = datetime.now(UTC).date()
        until = minute(wait.until, today)
        asked = f"waiting until {until}: {wait.host} asked for it"
        what = asked if wait.is_asked else f"{until}: asking {wait.host} again"
        if wait.gives_up is not None:
            last = minute(wait.gives_up, today)
            what = f"waiting for {wait.host}, which does not answer any more, until {last} at most"
        line = f"{what} ({wait.reason})"
        if line != said:
            # By its present name: while a bar is shown, it is the bar's, which makes room.
            note(line)
        said = line

    return say
