"""longline export: write the documents of a harvest."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from longline.cli._options import Folder, Output
from longline.cli._said import note
from longline.errors import InputError


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
