"""longline export: write the documents of a harvest."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from longline.cli._options import Folder, Output
from longline.cli._said import note


def export(
    folder: Folder,
    to: Annotated[
        str, typer.Option(metavar="FORMAT", help="Format of the documents: jsonl or csv.")
    ] = "jsonl",
    output: Output = None,
) -> None:
    """Write the documents of a harvest as JSON lines or CSV.

    Key, url, title, text and language of each, in the order in which they came. The file appears
    only when all of it is written; -o - is standard output.
    """
    from longline.api import export as write

    if output is None or str(output) == "-":
        written = write(folder, to, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        note(f"{written:,} documents written to standard output")
        return
    written = write(folder, to, output)
    note(f"{written:,} documents written to {output}")
