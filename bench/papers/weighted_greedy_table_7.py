"""Weighted greedy, Table 7: cost of greedy and weighted greedy (IDS) on a SampleDB.

A SampleDB of 3,000 documents and a pool of relative size 20; 100 runs each, ties broken at random,
redundant queries kept. Also TS-IDS, further pools (a pool is drawn at random, and the saving
depends on the draw), every further method of longline, and the lower bound.
"""

from collections.abc import Sequence

import numpy as np
from bench.frame import Cell, collections, parser_of, percent_less, report_of, run
from bench.pools import RELATIVE_SIZE, SAMPLE, Pool, draw_pool
from bench.runs import PUBLISHED, Runs, beyond, repeat

PAPER: dict[str, tuple[list[Cell], list[Cell]]] = {
    "reuters": ([14677, 13613, 14151, 255.6], [11421, 11421, 11421, 0]),
    "newsgroups": ([13016, 11955, 12567, 213], [11067, 11063, 11065, 2]),
    "Wikipedia": ([11939, 10514, 11252, 262.5], [9468, 9466, 9467, 0.98]),
    "Gov": ([18284, 15945, 16992, 428.5], [13853, 13853, 13853, 0]),
}
MEASURES = ("max cost", "min cost", "average cost", "SD")
PAPER_COLUMNS = ("G, paper", "WG, paper", "WG less, paper")
COLUMNS = ("", *PAPER_COLUMNS, "G, here", "WG, here", "WG less, here", "TS-IDS, here", "less")


def measures(runs: Runs) -> list[float]:
    """Return the table's four rows."""
    costs = runs.costs
    return [float(each) for each in (costs.max(), costs.min(), costs.mean(), costs.std())]


def rows_of(name: str, found: dict[str, Runs]) -> list[list[Cell]]:
    """Return rows of the paper's and our figures."""
    paper: tuple[list[Cell], list[Cell]] = PAPER.get(name, ([None] * 4, [None] * 4))
    here = {method: measures(runs) for method, runs in found.items()}
    rows: list[list[Cell]] = []
    for place, measure in enumerate(MEASURES):
        said = [each[place] for each in paper]
        greedy, ids, ts_ids = (here[method][place] for method in PUBLISHED)
        is_cost = measure != "SD"
        rows.append(
            [
                measure,
                *said,
                percent_less(said[1], said[0]) if is_cost else None,
                greedy,
                ids,
                percent_less(ids, greedy) if is_cost else None,
                ts_ids,
                percent_less(ts_ids, greedy) if is_cost else None,
            ]
        )
    return rows


def over_pools(pools: Sequence[Pool], runs: int, seed: int) -> list[list[Cell]]:
    """Return averages over pools, each with its mean over runs."""
    means = np.array(
        [
            [repeat(pool.terms, each, runs, seed).costs.mean() for each in PUBLISHED]
            for pool in pools
        ]
    )
    rows: list[list[Cell]] = []
    for place, method in enumerate(("weighted greedy (IDS)", "TS-IDS"), 1):
        saved = 1 - means[:, place] / means[:, 0]
        rows.append(
            [
                f"{method} less than greedy",
                *(f"{value:.1%}" for value in (saved.mean(), saved.min(), saved.max())),
            ]
        )
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of(__doc__, runs=100, seconds=5.0)
    parser.add_argument("--pools", type=int, default=10, help="to average over (10)")
    options = parser.parse_args(arguments)
    report = report_of("weighted_greedy_table_7", options)
    for collection in collections(options):
        name = collection.name
        report.say(f"{name}: {collection.note}")
        seeds = range(options.seed, options.seed + options.pools)
        pools = [draw_pool(collection, SAMPLE, RELATIVE_SIZE, seed) for seed in seeds]
        first = pools[0]
        found = {each: repeat(first.terms, each, options.runs, options.seed) for each in PUBLISHED}
        report.table(
            f"Weighted greedy, Table 7: {name}, {first.title}; {options.runs} runs",
            COLUMNS,
            rows_of(name, found),
        )
        few = min(5, options.runs)
        report.table(
            f"{name}: over {len(pools)} samples and pools, {few} runs each",
            ("", "mean", "least", "most"),
            over_pools(pools, few, options.seed),
        )
        beyond(report, name, first.terms, options.time, options.seed)
    rows = [
        [f"{name}: {measure}", greedy, weighted]
        for name in ("Wikipedia", "Gov")
        for measure, greedy, weighted in zip(MEASURES, *PAPER[name], strict=True)
    ]
    report.table("collections that are not here, paper", ("", *PAPER_COLUMNS[:2]), rows)
    report.save()


if __name__ == "__main__":
    run(main)
