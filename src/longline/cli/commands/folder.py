"""longline status and longline export: look into a harvest's folder."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from longline.cli._options import ExportFormat, Folder, Json, Output
from longline.cli._said import cell, clean, note, say, say_exactly
from longline.errors import FolderError, InputError
from longline.files import is_of_harvest, replacing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from longline.account import ChartRow
    from longline.model import Document

    Writer = Callable[[Iterable[Document], TextIO], int]

CHART_ROWS = 20
NOTS_SHOWN = 2
"""Excluded terms of a query that the chart shows, where there are many."""

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

    from longline.account import chart_dicts
    from longline.cli.show import summary
    from longline.harvester import read_books

    account, certificate = read_books(folder)
    rows = account.chart()
    if json:
        report = {"certificate": msgspec.structs.asdict(certificate), "chart": chart_dicts(rows)}
        say_exactly(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
        return
    if chart and rows:
        _print_chart(rows, chart)
    say(summary(certificate))


def _print_chart(rows: list[ChartRow], newest: int) -> None:
    from rich.console import Console
    from rich.table import Table

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


def short(query: str) -> str:
    """Shorten a query that excludes many terms, for a line of a table; --json has it whole.

    >>> short("deep web NOT a NOT the NOT of NOT to"), short("deep NOT web")
    ('deep web NOT a NOT the and 2 more', 'deep NOT web')
    """
    wanted, *excluded = query.split(" NOT ")
    if len(excluded) <= NOTS_SHOWN + 1:
        return query
    shown = " NOT ".join([wanted, *excluded[:NOTS_SHOWN]])
    return f"{shown} and {len(excluded) - NOTS_SHOWN} more"


def _count(value: int | None) -> str:
    return "?" if value is None else f"{value:,}"


def _repeats(overlapping_rate: float | None) -> str:
    return "?" if overlapping_rate is None else f"{overlapping_rate - 1:.2f}"


def export(
    folder: Folder,
    to: Annotated[ExportFormat, typer.Option(help="Format of the documents.")] = ExportFormat.jsonl,
    output: Output = None,
) -> None:
    """Write the documents of a harvest as JSON lines or CSV.

    Key, url, title, text and language of each, in the order in which they came. The file appears
    only when all of it is written.
    """
    from longline.harvester import check_harvest, read_documents

    check_harvest(folder)
    if output is None:
        _to_standard_output(folder, _WRITERS[to])
        return
    if is_of_harvest(output, folder):
        raise InputError(f"{output} is a file of a harvest", advice="choose another file")
    try:
        with replacing(output) as stream:
            text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
            written = _WRITERS[to](read_documents(folder), text)
            text.flush()
            text.detach()
    except OSError as error:
        raise InputError(
            f"cannot write {output}: {error.strerror}", advice="choose a file you may write"
        ) from None
    note(f"{written:,} documents written to {output}")


def _to_standard_output(folder: Path, write: Writer) -> None:
    """Write what can be read, also of a harvest that is damaged further on."""
    from longline.harvester import read_documents

    written = 0

    def counted() -> Iterator[Document]:
        nonlocal written
        for document in read_documents(folder):
            yield document
            written += 1

    try:
        write(counted(), sys.stdout)
    except FolderError:
        sys.stdout.flush()
        if written:
            note(f"only {written:,} documents could be read and written")
        raise
    sys.stdout.flush()
    note(f"{written:,} documents written to standard output")


def _write_jsonl(documents: Iterable[Document], stream: TextIO) -> int:
    import msgspec

    written = 0
    for document in documents:
        fields = msgspec.structs.asdict(document)
        stream.write(msgspec.json.encode(fields).decode() + "\n")
        written += 1
    return written


def _write_csv(documents: Iterable[Document], stream: TextIO) -> int:
    from longline.model import Document

    names = Document.__struct_fields__
    # All in quotes: no comma or semicolon inside begins a cell of its own.
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
    writer.writerow(names)
    written = 0
    for document in documents:
        writer.writerow([cell(getattr(document, name)) for name in names])
        written += 1
    return written


_WRITERS = {ExportFormat.jsonl: _write_jsonl, ExportFormat.csv: _write_csv}
