"""Harvest many sources at once: show the progress, and a table of how each ended."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from longline.cli._progress import showing, waiting
from longline.cli._said import in_lines, note, say, say_json, say_table
from longline.errors import InputError
from longline.outcomes import STOPPED_SHORT
from longline.text.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.table import Table

    from longline.api import Ended, Ledger, Wait
    from longline.events import AnyEvent

WIDTH_OF_TABLE = 120


def harvest_all(sources: Path, folder: Path | None, options: dict[str, Any], *, json: bool) -> None:
    """Harvest the sources of a CSV file, and print how each ended.

    Raises:
        InputError: No folder is given, or as for `harvest_many`.
    """
    from longline.api import ManyListeners, harvest_many, harvests_in, read_sources

    if folder is None:
        raise InputError(f"no folder for the sources of {sources}", advice="give one with -o")
    if options.get("headers"):
        raise InputError(
            "a header would be sent to every source of the file",
            advice="give the source that it is for a cell in a column header",
        )
    rows = read_sources(sources)
    totals: dict[int, tuple[int, int]] = {}
    done: set[int] = set()

    with showing(f"harvesting {counted(len(rows), 'source')}") as tell:

        def show() -> None:
            documents, requests = (sum(each) for each in zip(*totals.values(), strict=True))
            words = f"{len(done):,} of {counted(len(rows), 'source')} done, "
            words += f"{counted(documents, 'document')}, {counted(requests, 'request')}"
            left = [row["url"] for place, row in enumerate(rows) if place not in done]
            if len(left) == 1 < len(rows):
                words += f", left: {left[0]}"
            tell(words, len(done), len(rows))

        def observe(place: int, event: AnyEvent, ledger: Ledger) -> None:
            totals[place] = ledger.documents, ledger.requests
            show()

        def end(place: int, ended: Ended) -> None:
            totals[place] = ended.documents, ended.requests
            done.add(place)
            show()

        waits: dict[int, Callable[[Wait], None]] = defaultdict(waiting)
        listeners = ManyListeners(
            on_event=observe, on_end=end, on_wait=lambda place, wait: waits[place](wait)
        )
        try:
            harvest_many(rows, folder, listeners=listeners, **options)
        except KeyboardInterrupt:
            note("stopped; run it again to continue")
    ends = harvests_in(folder)
    print_all(ends, json=json)
    if not all(each.is_whole for each in ends):
        raise typer.Exit(STOPPED_SHORT)


def print_all(ends: Sequence[Ended], *, json: bool) -> None:
    """Print a row for each source, why some stopped, and how many ended in which way."""
    if json:
        say_json(ends)
        return
    # Truncated figures are worse than lines that wrap.
    say_table(table_of(ends), WIDTH_OF_TABLE)
    for each in ends:
        if each.stopped:
            say(in_lines(f"{each.folder}: {each.stopped}", WIDTH_OF_TABLE))
    say(say_all(ends))


def table_of(ends: Sequence[Ended]) -> Table:
    """Return a table with a row for each source."""
    from rich.table import Table

    from longline.text.safe import clean

    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("folder", overflow="fold")
    table.add_column("source", overflow="fold")
    table.add_column("outcome")
    for name in ("saved", "of", "requests"):
        table.add_column(name, justify="right")
    is_update = any(each.update for each in ends)
    if is_update:
        table.add_column("update")
    for each in ends:
        row = [
            clean(each.folder),
            clean(each.source),
            _outcome(each),
            f"{each.documents:,}",
            _size(each),
            f"{each.requests:,}",
        ]
        table.add_row(*row, *([_update(each)] if is_update else []))
    return table


def say_all(ends: Sequence[Ended]) -> str:
    """Return a line: how many sources ended in which way, and how many documents are saved."""
    counts = Counter(_outcome(each).partition(" (")[0] for each in ends)
    said = ", ".join(f"{count:,} {outcome}" for outcome, count in counts.most_common())
    documents = counted(sum(each.documents for each in ends), "document")
    return f"{counted(len(ends), 'source')}: {said}; {documents}"


def _outcome(ended: Ended) -> str:
    if ended.is_running:
        return "running"
    if not ended.outcome:
        return "not learnt yet" if ended.requests else "not begun"
    return f"{ended.outcome} ({ended.cause})" if ended.cause else ended.outcome


def _update(ended: Ended) -> str:
    counts = ended.update
    if counts is None:
        return ""
    said = f"{counts.new:,} new, {counts.changed:,} changed, {counts.gone:,} gone"
    return f"{said}, {counts.unchecked:,} not checked" if counts.unchecked else said


def _size(ended: Ended) -> str:
    if ended.size is None:
        return "?" if ended.size_low is None else f"{ended.size_low:,} or more"
    exact = ended.size_low == ended.size_high == ended.size
    return f"{ended.size:,}" if exact else f"about {ended.size:,}"
