"""Parquet: typed columns, in row groups of a size that fits into memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from itertools import islice
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from longline.exports.columns import Column, reader
from longline.exports.material import Material
from longline.model import Document

GROUP_BYTES = 32_000_000
"""Of text in a row group, before it is compressed; one more document may come on top."""

BATCH = 500
"""Documents that are made columns of at once."""


def write_parquet(material: Material, stream: BinaryIO) -> int:
    """Write a table with a column for each of the material's; return how many rows."""
    columns = material.columns
    schema = pa.schema([(column.name, arrow_type(column)) for column in columns])
    written = 0
    with pq.ParquetWriter(pa.PythonFile(stream), schema, compression="zstd") as writer:
        group: list[pa.RecordBatch] = []
        for batch in _batches(material.documents(), columns, schema):
            if group and sum(each.nbytes for each in (*group, batch)) > GROUP_BYTES:
                writer.write_table(pa.Table.from_batches(group, schema))
                group.clear()
            group.append(batch)
            written += batch.num_rows
        writer.write_table(pa.Table.from_batches(group, schema))
    return written


def arrow_type(column: Column) -> pa.DataType:
    """Return how Arrow has a column: numbers as doubles, dates as moments in UTC."""
    if column.kind == "number":
        return pa.float64()
    return pa.timestamp("us", tz="UTC") if column.kind == "date" else pa.string()


def _batches(
    documents: Iterable[Document], columns: Sequence[Column], schema: pa.Schema
) -> Iterable[pa.RecordBatch]:
    read = reader(columns)
    dates = [place for place, column in enumerate(columns) if column.kind == "date"]
    rows = map(read, documents)
    while batch := _some(rows):
        arrays = list(zip(*batch, strict=True))
        for place in dates:
            arrays[place] = tuple(map(moment, arrays[place]))
        yield pa.record_batch(
            [pa.array(each, kind) for each, kind in zip(arrays, schema.types, strict=True)],
            schema=schema,
        )


def _some(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the next rows, so many that their text stays well below a row group."""
    found: list[tuple[Any, ...]] = []
    letters = 0
    for row in islice(rows, BATCH):
        found.append(row)
        letters += len(row[3])
        if letters > GROUP_BYTES // 16:
            break
    return found


def moment(value: str | None) -> datetime | date | None:
    """Return what a date in ISO 8601 says; None where it is none."""
    if not value:
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None
