"""JSON lines and CSV."""

import csv
import io
from typing import Any, BinaryIO

import msgspec

from longline.exports.columns import ATTACHMENTS, Table
from longline.model.fields import flat
from longline.text.safe import cell


def write_jsonl(documents: Table, stream: BinaryIO) -> int:
    """Write one flat JSON object per line, with every column; return the number."""
    written = 0
    for row in documents.rows():
        stream.write(msgspec.json.encode(row) + b"\n")
        written += 1
    return written


def write_csv(documents: Table, stream: BinaryIO) -> int:
    """Write a header and one row per document; no cell is read as a formula by spreadsheets.

    Several values of a field are in one cell, separated by semicolons; files by their names.
    """
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    # All in quotes, so that no comma or semicolon starts a new cell.
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
        return value  # -5 is a number in a spreadsheet, too, not a formula
    return cell(flat(tuple(value) if isinstance(value, list) else value))
