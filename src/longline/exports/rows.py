"""JSON lines and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

import msgspec

from longline.exports.columns import BASE, Column, reader
from longline.model import Document
from longline.text.safe import cell


def write_jsonl(
    documents: Iterable[Document], stream: BinaryIO, columns: Sequence[Column] = BASE
) -> int:
    """Write an object a line, with every column; return how many."""
    names = [column.name for column in columns]
    read, encoder = reader(columns), msgspec.json.Encoder()
    written = 0
    for document in documents:
        stream.write(encoder.encode(dict(zip(names, read(document), strict=True))) + b"\n")
        written += 1
    return written


def write_csv(
    documents: Iterable[Document], stream: BinaryIO, columns: Sequence[Column] = BASE
) -> int:
    """Write a row for each after a head, no cell of which a spreadsheet takes for a formula."""
    read = reader(columns)
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    # All in quotes: no comma or semicolon inside begins a cell of its own.
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow([cell(column.name) for column in columns])
    written = 0
    for document in documents:
        writer.writerow(map(_cell, read(document)))
        written += 1
    text.detach()
    return written


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return cell(value)
    return "" if value is None else f"{value:.17g}"
