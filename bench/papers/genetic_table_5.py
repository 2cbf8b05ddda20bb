"""Genetic algorithm, Table 5: its overlapping rate (OR) compared with greedy's.

A SampleDB of 500 documents and a pool with the thesis's number of queries, of df 2 or more; 12 runs
each, greedy with random ties, redundant queries kept; 500 generations, mutation rate 0.03. Also
TS-IDS, further pools, every further method of longline, and the lower bound.
"""

from collections.abc import Sequence

import numpy as np
from bench.frame import Cell, Collection, collections, parser_of, percent_less, report_of, run
from bench.papers.genetic import GENERATIONS, MUTATION, course_of, first_covers, pool_of
from bench.runs import beyond, repeat

PAPER: dict[str, tuple[list[Cell], list[Cell]]] = {
    "reuters": ([2.24, 2.18, 2.21, 0.015], [1.83, 1.69, 1.75, 0.04]),
    "newsgroups": ([2.53, 2.36, 2.47, 0.045], [1.94, 1.73, 1.84, 0.08]),
    "Wikipedia": ([2.65, 2.59, 2.60, 0.017], [2.18, 1.95, 2.02, 0.065]),
    "Gov": ([3.24, 3.12, 3.20, 0.031], [2.3, 2.19, 2.26, 0.037]),
}
MEASURES = ("max OR", "min OR", "avg OR", "SD")
PAPER_COLUMNS = ("G, paper", "GA, paper", "GA less, paper")
COLUMNS = ("", *PAPER_COLUMNS, "G, here", "GA, here", "GA less, here", "TS-IDS, here", "less")


def measures(rates: np.ndarray) -> list[float]:
    """Return the table's four rows."""
    return [float(each) for each in (rates.max(), rates.min(), rates.mean(), rates.std())]


def rows_of(name: str, here: Sequence[list[float]]) -> list[list[Cell]]:
    """Return rows of the paper's and our measurements (greedy, genetic, TS-IDS)."""
    paper: tuple[list[Cell], list[Cell]] = PAPER.get(name, ([None] * 4, [None] * 4))
    rows: list[list[Cell]] = []
    for place, measure in enumerate(MEASURES):
        said = [each[place] for each in paper]
        greedy, genetic, ts_ids = (each[place] for each in here)
        is_rate = measure != "SD"
        rows.append(
            [
                measure,
                *said,
                percent_less(said[1], said[0]) if is_rate else None,
                greedy,
                genetic,
                percent_less(genetic, greedy) if is_rate else None,
                ts_ids,
                percent_less(ts_ids, greedy) if is_rate else None,
            ]
        )
    return rows


def pool_row(collection: Collection, seed: int, generations: int) -> list[Cell]:
    """Return a row: each method run once on another sample and pool."""
    pool = pool_of(collection, seed).terms
    greedy, ts_ids = (float(repeat(pool, each, 1, seed).rates[0]) for each in ("greedy", "ts-ids"))
    genetic = float(course_of(pool, generations, MUTATION, [seed, 0]).rates[-1])
    return [
        f"seed {seed}",
        first_covers(pool),
        greedy,
        genetic,
        percent_less(genetic, greedy),
        ts_ids,
        percent_less(ts_ids, greedy),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of(__doc__, runs=12, seconds=5.0)
    parser.add_argument("--pools", type=int, default=5, help="to try beside the first (5)")
    parser.add_argument("--generations", type=int, default=GENERATIONS)
    options = parser.parse_args(arguments)
    report = report_of("genetic_table_5", options)
    for collection in collections(options):
        name = collection.name
        report.say(f"{name}: {collection.note}")
        pool = pool_of(collection, options.seed)
        greedy, ts_ids = (
            repeat(pool.terms, method, options.runs, options.seed)
            for method in ("greedy", "ts-ids")
        )
        courses = [
            course_of(pool.terms, options.generations, MUTATION, [options.seed, number])
            for number in range(options.runs)
        ]
        genetic = np.array([course.rates[-1] for course in courses])
        seconds = np.mean([course.seconds for course in courses])
        report.say(
            f"{first_covers(pool.terms)} covers a generation, {options.generations} generations, "
            f"{seconds:.1f} s a run"
        )
        report.table(
            f"Genetic algorithm, Table 5: {name}, {pool.title}; {options.runs} runs",
            COLUMNS,
            rows_of(name, [measures(each) for each in (greedy.rates, genetic, ts_ids.rates)]),
        )
        seeds = range(options.seed, options.seed + options.pools)
        report.table(
            f"{name}: over {options.pools} samples and pools, a run each",
            ("sample and pool", "covers", "G", "GA", "GA less", "TS-IDS", "less"),
            [pool_row(collection, seed, options.generations) for seed in seeds],
        )
        beyond(report, name, pool.terms, options.time, options.seed)
    rows = [
        [f"{name}: {measure}", greedy, genetic]
        for name in ("Wikipedia", "Gov")
        for measure, greedy, genetic in zip(MEASURES, *PAPER[name], strict=True)
    ]
    report.table("collections that are not here, paper", ("", *PAPER_COLUMNS[:2]), rows)
    report.save()


if __name__ == "__main__":
    run(main)
