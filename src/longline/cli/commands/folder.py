"""longline status and longline export: look into a harvest's folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longline.cli._options import Folder, Json, Output
from longline.cli._said import note, say, say_exactly
from longline.errors import InputError
from longline.text.safe import clean

if TYPE_CHECKING:
    from longline.api import ChartRow

CHART_ROWS = 20
WIDTH_OF_CHART = 100

CHART_COLUMNS = (
    "search",
    "reported",
    "received",
    "new",
    "repeated",
    "received so far",
    "new so far",
    "repeats per new",
    "coverage",
    "cut",
)


def status(
    folder: Folder,
    chart: Annotated[
        int, typer.Option(metavar="N", min=0, help="Show the newest N searches.")
    ] = CHART_ROWS,
    json: Json = False,
) -> None:
    """Show what a harvest has saved so far; it may be running.

    One row per search: reported, received, new, repeated, totals so far, repeats per new,
    coverage. With --json: the certificate, and all rows.
    """
    import msgspec

    from longline.api import chart_dicts, harvests_in, is_of_many
    from longline.api import open as open_harvest

    if is_of_many(folder):
        from longline.cli.many import show_all

        show_all(harvests_in(folder), json=json)
        return
    harvest = open_harvest(folder)
    certificate, rows = harvest.certificate, harvest.queries
    if json:
        report = {"certificate": msgspec.structs.asdict(certificate), "chart": chart_dicts(rows)}
        say_exactly(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
        return
    if chart and rows:
        _print_chart(rows, chart)
    say(str(harvest))


def _print_chart(rows: list[ChartRow], newest: int) -> None:
    from rich.console import Console
    from rich.table import Table

    from longline.api import short

    table = Table(box=None, header_style="bold", pad_edge=False)
    for place, name in enumerate(CHART_COLUMNS):
        table.add_column(
            name, justify="right" if 0 < place < len(CHART_COLUMNS) - 1 else "left", overflow="fold"
        )
    for row in rows[-newest:]:
        table.add_row(
            clean(short(row.query)),
            _count(row.claimed),
            _count(row.received),
            _count(row.new),
            _count(row.duplicates),
            _count(row.total_received),
            _count(row.total_unique),
            _repeats(row.overlapping_rate),
            "?" if row.hit_rate is None else f"{row.hit_rate:.1%}",
            " ".join(row.cuts),
        )
    if len(rows) > newest:
        say(f"the newest {newest} of {len(rows):,} searches; --chart N shows more")
    # Figures that are cut off are worse than lines that wrap.
    Console(width=max(Console().width, WIDTH_OF_CHART), markup=False).print(table)
    say("")


def _count(value: int | None) -> str:
    return "?" if value is None else f"{value:,}"


def _repeats(overlapping_rate: float | None) -> str:
    return "?" if overlapping_rate is None else f"{overlapping_rate - 1:.2f}"


def export(
    folder: Folder,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="The same as --output.", show_default=False),
    ] = None,
    to: Annotated[
        str, typer.Option(metavar="FORMAT", help="Format of the documents: jsonl or csv.")
    ] = "jsonl",
    output: Output = None,
) -> None:
    """Write the documents of a harvest as JSON lines or CSV.

    Key, url, title, text and language of each, in the order in which they came. The file appears
    only when all of it is written; - is standard output.
    """
    from longline.api import export as write

    if file is not None and output is not None:
        raise InputError(f"two files, {file} and {output}", advice="name one of them")
    output = output or file
    if output is None or str(output) == "-":
        written = write(folder, to, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        note(f"{written:,} documents written to standard output")
        return
    written = write(folder, to, output)
    note(f"{written:,} documents written to {output}")
