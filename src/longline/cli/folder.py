"""longline status and longline export: look into a harvest's folder."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from longline.cli._options import ExportFormat, Folder, Json
from longline.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from longline.account import ChartRow
    from longline.model import Document

CHART_ROWS = 20
NOTS_SHOWN = 2
"""Excluded terms of a query that the chart shows, where there are many."""

WIDTH_OF_CHART = 80

CHART_COLUMNS = ("query", "est mi", "mi", "ui", "di", "Mi", "Ni", "or", "OR", "HR", "cut")


def status(
    folder: Folder,
    chart: Annotated[
        int, typer.Option(metavar="N", min=0, help="Newest queries of the record chart to show.")
    ] = CHART_ROWS,
    json: Json = False,
) -> None:
    """Show what a harvest has got so far; it may be running.

    The record chart has a row a query: est mi matches claimed, mi rows received, ui new, di
    duplicates, Mi and Ni rows and documents so far, or and OR the overlapping rates of the query
    and so far, HR the hit rate so far. With --json: the certificate, and the whole chart.
    """
    import msgspec

    from longline.account import chart_dicts
    from longline.cli.show import summary
    from longline.folder import read_books

    account, certificate = read_books(folder)
    rows = account.chart()
    if json:
        report = {"certificate": msgspec.structs.asdict(certificate), "chart": chart_dicts(rows)}
        typer.echo(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
        return
    if chart and rows:
        _print_chart(rows, chart)
    typer.echo(summary(certificate))


def _print_chart(rows: list[ChartRow], newest: int) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for place, name in enumerate(CHART_COLUMNS):
        table.add_column(name, justify="right" if 0 < place < 10 else "left", overflow="fold")
    for row in rows[-newest:]:
        table.add_row(
            short(row.query),
            _count(row.claimed),
            _count(row.received),
            _count(row.new),
            _count(row.duplicates),
            _count(row.total_received),
            _count(row.total_unique),
            _rate(row.query_overlapping_rate),
            _rate(row.overlapping_rate),
            _rate(row.hit_rate),
            " ".join(row.cuts),
        )
    if len(rows) > newest:
        typer.echo(f"the newest {newest} of {len(rows):,} queries; --chart shows more")
    # Figures that are cut off are worse than lines that wrap.
    Console(width=max(Console().width, WIDTH_OF_CHART)).print(table)
    typer.echo()


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


def _rate(value: float | None) -> str:
    return "?" if value is None else f"{value:.3f}"


def export(
    folder: Folder,
    to: Annotated[ExportFormat, typer.Option(help="Format of the documents.")] = ExportFormat.jsonl,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Default: standard output."),
    ] = None,
) -> None:
    """Write the documents of a harvest as JSON lines or CSV.

    In order of arrival: key, url, title, text and language of each.
    """
    from longline.folder import check_harvest, read_documents

    check_harvest(folder)
    written = 0

    def counted() -> Iterator[Document]:
        nonlocal written
        for document in read_documents(folder):
            yield document
            written += 1

    try:
        with _opened(output) as stream:
            _WRITERS[to](counted(), stream)
    finally:
        typer.echo(f"{written:,} documents written to {output or 'standard output'}", err=True)


@contextmanager
def _opened(path: Path | None) -> Iterator[TextIO]:
    if path is None:
        yield sys.stdout
        return
    try:
        with path.open("w", encoding="utf-8", newline="") as stream:
            yield stream
    except OSError as error:
        raise InputError(
            f"cannot write {path}: {error.strerror}", advice="choose a file you may write"
        ) from None


def _write_jsonl(documents: Iterable[Document], stream: TextIO) -> None:
    import msgspec

    for document in documents:
        fields = msgspec.structs.asdict(document)
        stream.write(msgspec.json.encode(fields).decode() + "\n")


def _write_csv(documents: Iterable[Document], stream: TextIO) -> None:
    from longline.model import Document

    writer = csv.DictWriter(stream, Document.__struct_fields__)
    writer.writeheader()
    for document in documents:
        writer.writerow({name: getattr(document, name) for name in Document.__struct_fields__})


_WRITERS = {ExportFormat.jsonl: _write_jsonl, ExportFormat.csv: _write_csv}
