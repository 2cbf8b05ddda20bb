"""Parquet: typed columns, in row groups of a size that fits into memory."""

from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from longline.exports.material import Material

GROUP_BYTES = 32_000_000
"""Maximum bytes of a row group in memory, uncompressed; one batch may exceed it."""

BATCH_BYTES = 2_000_000
"""Maximum characters of text converted at once; one document may exceed it."""


def write_parquet(material: Material, stream: BinaryIO) -> int:
    """Write a table with a typed column for each field; return the number of rows."""
    table = material.table
    schema = table.arrow_schema(pa)
    written = 0
    with pq.ParquetWriter(pa.PythonFile(stream, mode="w"), schema, compression="zstd") as writer:
        group: list[pa.RecordBatch] = []
        for batch in table.arrow_batches(pa, letters=BATCH_BYTES):
            if group and sum(each.nbytes for each in (*group, batch)) > GROUP_BYTES:
                writer.write_table(pa.Table.from_batches(group, schema))
                group.clear()
            group.append(batch)
            written += batch.num_rows
        writer.write_table(pa.Table.from_batches(group, schema))
    return written
