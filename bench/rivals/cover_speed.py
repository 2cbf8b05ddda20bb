"""How fast greedy, IDS and TS-IDS choose: compared with one pass over the matrix and naive numpy.

Timed is the complete call of `longline.cover` on a CSC matrix, with checks and elimination: the
best of several runs, in seconds of one processor, after a first run that loads the compiled code.
The yardstick is the best of as many passes that gather one number per entry of the same matrix,
between the runs; naive numpy keeps every column's value up to date and takes the largest each time.
The peak is the maximum memory of the process so far, including the making of the matrix.

    python -m bench.rivals.cover_speed  10,000 Reuters documents; 100,000 made-up ones
    python -m bench.rivals.cover_speed --large  1,000,000 made-up documents, with peak memory
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numba
import numpy as np
from bench.frame import Cell, Report, collections, parser_of, report_of, run, sparse_of
from bench.papers.synthetic import zipf_matrix
from bench.runs import NAMES, PUBLISHED
from bench.weights import ids, ts_ids, uniform
from scipy import sparse

from longline.covering import Cover, cover
from longline.errors import CorpusError

WEIGHTS = {"greedy": uniform, "ids": ids, "ts-ids": ts_ids}
SYNTHETIC = (100_000, 515_000, 10_700_000)
LARGE = (1_000_000, 2_400_000, 108_000_000)
COLUMNS = (
    *("method", "seconds", "gather passes", "naive numpy, s", "times faster"),
    *("queries", "cost", "OR", "peak GB"),
)


@numba.njit(cache=True)
def gather(starts: np.ndarray, rows: np.ndarray, table: np.ndarray, sums: np.ndarray) -> None:
    """Make one pass over the entries: sum a single-precision number per document, by column."""
    for column in range(len(sums)):
        total = np.float32(0)
        for place in range(starts[column], starts[column + 1]):
            total += table[rows[place]]
        sums[column] = total


def naive(matrix: sparse.csc_array, by_row: sparse.csr_array, weight: np.ndarray) -> list[int]:
    """Choose greedily in plain numpy: all values in one vector, the largest by argmax."""
    cost = np.maximum(np.diff(matrix.indptr), 1)
    left = weight.copy()
    worth = matrix.T @ left
    value = worth / cost
    chosen = []
    while left.any():
        column = int(np.argmax(value))
        chosen.append(column)
        rows = matrix.indices[matrix.indptr[column] : matrix.indptr[column + 1]]
        rows = rows[left[rows] > 0]
        touched = by_row[rows]
        np.subtract.at(worth, touched.indices, np.repeat(left[rows], np.diff(touched.indptr)))
        value[touched.indices] = worth[touched.indices] / cost[touched.indices]
        left[rows] = 0
        value[column] = 0
    return chosen


def seconds_of(call: Callable[[], object]) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started


def measure(matrix: sparse.csc_array, method: str, runs: int) -> tuple[float, float, Cover]:
    """Time a method and the yardstick in turn; return the best of each."""
    starts = matrix.indptr.astype(np.int64)
    table = np.random.default_rng(0).random(matrix.shape[0], dtype=np.float32)
    sums = np.empty(matrix.shape[1], np.float32)
    gather(starts, matrix.indices, table, sums)
    found = cover(matrix, method, allow_uncovered=True)
    passes, calls = [], []
    for _ in range(runs):
        passes.append(seconds_of(lambda: gather(starts, matrix.indices, table, sums)))
        calls.append(seconds_of(lambda: cover(matrix, method, allow_uncovered=True)))
    return min(calls), min(passes), found


def compare(
    report: Report, name: str, matrix: sparse.csc_array, runs: int, rivals: Sequence[str] = ()
) -> None:
    """Print a table for a matrix; naive numpy runs too for the methods in `rivals`."""
    by_row = matrix.astype(np.float64).tocsr() if rivals else None
    rows: list[list[Cell]] = []
    passes = []
    for method in ("ts-ids", "greedy", "ids"):  # the smallest first, because of the peak
        seconds, one_pass, found = measure(matrix, method, runs)
        passes.append(one_pass)
        slow = None
        if method in rivals:
            weight = WEIGHTS[method](matrix)
            slow = seconds_of(lambda weight=weight: naive(matrix, by_row, weight))
        rows.append(
            [
                NAMES[method],
                f"{seconds:.4f}",
                seconds / one_pass,
                slow,
                slow / seconds if slow else None,
                *(len(found.queries), int(found.cost), found.overlapping_rate),
                peak_gigabytes(),
            ]
        )
    documents, terms = matrix.shape
    size = f"{documents:,} documents, {terms:,} terms, {matrix.nnz:,} entries"
    report.table(f"{name}: {size}; a gather pass {min(passes):.4f} s", COLUMNS, rows)


def peak_gigabytes() -> float | None:
    """Return the peak memory of this process in GB; None if the system does not report it."""
    try:
        import resource
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = parser_of(__doc__, runs=5)
    parser.add_argument("--documents", type=int, default=10_000, help="of the corpus (10,000)")
    parser.add_argument("--large", action="store_true", help="1,000,000 made-up documents alone")
    options = parser.parse_args(arguments)
    options.corpus = options.corpus or ["reuters"]
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    options = options_of(arguments)
    report = report_of(Path(__file__).stem, options)
    if options.large:
        matrix = zipf_matrix(*LARGE, options.seed)
        compare(report, "made up", matrix, options.runs)
    else:
        try:
            for collection in collections(options):
                sample = collection.sample(options.documents, options.seed)
                compare(report, collection.name, sparse_of(sample.matrix), options.runs, PUBLISHED)
        except CorpusError as error:
            report.say(f"skipped: {error}")
        # Naive numpy takes half a minute here: one run is enough.
        compare(report, "made up", zipf_matrix(*SYNTHETIC, options.seed), options.runs, ["ts-ids"])
    report.save()


if __name__ == "__main__":
    run(main)
