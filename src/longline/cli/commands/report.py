"""longline report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from longline.cli._options import Folders
from longline.cli._said import note


def report(
    folders: Folders,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="Write the report to this file."),
    ] = Path("report.html"),
    earlier: Annotated[
        Path | None,
        typer.Option(
            "--earlier",
            metavar="DIR",
            help="Compare the first harvest with this earlier one of the same source.",
        ),
    ] = None,
) -> None:
    """Write a report to hand over: one HTML file, which needs no network.

    What is saved of how much, what is missing and why, how the harvest went, and what to do next.
    Of several harvests: side by side. They may be running.
    """
    from longline.api import report as write

    there = write(folders, output, earlier=earlier)
    note(f"report written to {there} ({there.stat().st_size / 1000:,.0f} kB)")
