"""JSON lines and CSV."""

import csv
import io
from typing import Any, BinaryIO

import msgspec

from longline.exports.columns import ATTACHMENTS, Table
from longline.model.fields import flat
from longline.text.safe import cell


def write_jsonl(documents: Table, stream: BinaryIO) -> int:
    """Write a flat object a line, with every column; return how many."""
    written = 0
    for row in documents.rows():
        stream.write(msgspec.json.encode(row) + b"\n")
        written += 1
    return written


def write_csv(documents: Table, stream: BinaryIO) -> int:
    """Write a row for each after a head, no cell of which a spreadsheet takes for a formula.

    Several values of a field stand in one cell, with semicolons between; of files their names.
    """
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    # All in quotes: no comma or semicolon inside begins a cell of its own.
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow(map(cell, documents.names))
    written = 0
    for row in documents.rows():
        writer.writerow([_cell(name, value) for name, value in row.items()])
        written += 1
    text.detach()
    return written


def _cell(name: str, value: Any) -> str | int | float:
    if isinstance(value, str):
        return cell(value)
    if name == ATTACHMENTS:
        value = [each["name"] for each in value]
    if isinstance(value, int | float):
        return value  # -5 is a number to a spreadsheet, too, and no formula
    return cell(flat(tuple(value) if isinstance(value, list) else value))
