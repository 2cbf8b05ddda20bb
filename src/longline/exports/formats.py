"""JSON lines and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import BinaryIO

import msgspec

from longline.model import Document
from longline.text.safe import cell


def write_jsonl(documents: Iterable[Document], stream: BinaryIO) -> int:
    """Write an object a line, with every field; return how many."""
    written = 0
    for document in documents:
        stream.write(msgspec.json.encode(msgspec.structs.asdict(document)) + b"\n")
        written += 1
    return written


def write_csv(documents: Iterable[Document], stream: BinaryIO) -> int:
    """Write a row for each after a head, no cell of which a spreadsheet takes for a formula."""
    names = Document.__struct_fields__
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    # All in quotes: no comma or semicolon inside begins a cell of its own.
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow(names)
    written = 0
    for document in documents:
        writer.writerow([cell(getattr(document, name)) for name in names])
        written += 1
    text.detach()
    return written
