"""Show progress on standard error: a bar in a terminal, or else a plain line now and then."""

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
"""Seconds between two lines if standard error is not a terminal."""

WIDE = 100
"""Columns of a terminal that is wide enough for a bar beside the text."""


class Tell(Protocol):
    """A function that shows progress: a text, the amount done, and the total if known."""

    def __call__(self, words: str, done: float = 0.0, of: float | None = None) -> object:
        """Show the progress."""


def has_bar() -> bool:
    """Return whether standard error is a terminal that can show a bar."""
    from rich.console import Console

    console = Console(stderr=True)
    return console.is_terminal and not console.is_dumb_terminal


@contextmanager
def showing(begins: str, *, lines: bool = True) -> Iterator[Tell]:
    """Show progress until the work is done; a terminal is cleared afterwards.

    With --quiet, nothing is shown.

    Args:
        begins: The first text.
        lines: Whether to print plain lines without a terminal; False for short work.
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
    if not has_bar():
        yield _plain_lines() if lines else _say_nothing
        return
    # Text from a site must not be read as markup.
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
        # Output to a file or a program must not be printed beside the bar.
        redirect_stdout=sys.stdout.isatty(),
    ) as bar:
        task = bar.add_task(clean(masked(begins)), total=None)

        def tell(words: str, done: float = 0.0, of: float | None = None) -> None:
            bar.update(task, description=clean(masked(words)), completed=done, total=of)

        yield tell


def _say_nothing(words: str, done: float = 0.0, of: float | None = None) -> None:
    """Do nothing."""


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
    """Return a function that reports waiting for a site on standard error, once per change."""
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
            what += "; --max-wait SECONDS sets how long, Ctrl-C ends it"
        line = f"{what} ({wait.reason})"
        if line != said:
            # While a bar is shown, it replaces sys.stderr to make room for this line.
            note(line)
        said = line

    return say
