"""TS-IDS, Table 1: number of terms, and sizes of documents and terms.

10,000 documents drawn at random; a document's size is its number of terms, a term's size its df.
"""

from collections.abc import Sequence

import numpy as np
from bench.frame import Cell, Collection, collections, parser_of, report_of, run

from longline.pool import TermMatrix

DOCUMENTS = 10_000
COLUMNS = (
    *("collection", "documents", "terms n"),
    *("document max", "min", "avg", "term max", "min", "avg"),
)
PAPER: dict[str, list[Cell]] = {
    "reuters": [10_000, 56_187, 833, 8, 106.7, 3722, 1, 19.0],
    "newsgroups": [10_000, 193_653, 3836, 1, 245.6, 3532, 1, 12.7],
    "Wikipedia": [10_000, 224_725, 2670, 15, 222.2, 3041, 1, 9.89],
    "Gov": [10_000, 164_889, 3797, 1, 327.9, 3028, 1, 19.8],
}


def sizes(sample: TermMatrix) -> list[Cell]:
    """Return the table's columns for a sample."""
    of_documents = np.bincount(sample.matrix.rows, minlength=sample.documents)
    row: list[Cell] = [sample.documents, len(sample.terms)]
    for size in (of_documents, sample.df):
        row += [int(size.max()), int(size.min()), float(size.mean())]
    return row


def rows_of(collection: Collection, seed: int, runs: int) -> list[list[Cell]]:
    """Return the paper's row, and one for each sample."""
    known = PAPER.get(collection.name)
    rows: list[list[Cell]] = [[f"{collection.name}, paper", *known]] if known else []
    for number in range(seed, seed + runs):
        sample = collection.sample(DOCUMENTS, number)
        rows.append([f"{collection.name}, here, seed {number}", *sizes(sample)])
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser_of(__doc__, runs=1).parse_args(arguments)
    report = report_of("ts_ids_table_1", options)
    rows: list[list[Cell]] = []
    for collection in collections(options):
        report.say(f"{collection.name}: {collection.note}")
        rows += rows_of(collection, options.seed, options.runs)
    for name in ("Wikipedia", "Gov"):
        rows.append([f"{name}, paper", *PAPER[name]])
    report.table("TS-IDS, Table 1: sizes of documents and terms", COLUMNS, rows)
    report.save()


if __name__ == "__main__":
    run(main)
