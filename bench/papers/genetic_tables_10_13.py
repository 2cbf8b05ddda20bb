"""Genetic algorithm, Tables 10 to 13: OR by the mutation rate.

A SampleDB of 500 documents, a pool with the thesis's number of queries, 500 generations; 10 runs
for each mutation rate K.
"""

from collections.abc import Sequence

import numpy as np
from bench.frame import Cell, collections, parser_of, report_of, run
from bench.papers.genetic import GENERATIONS, course_of, pool_of
from bench.runs import repeat

RATES = (0.01, 0.02, 0.03, 0.04, 0.05, 0.1)
MEASURES = ("max OR", "min OR", "avg OR")
PAPER: dict[str, tuple[str, list[list[float]]]] = {
    "Gov": (
        "Table 10",
        [
            [3.2367, 2.5429, 2.2796, 2.3286, 2.2939, 2.3224, 2.4204],
            [3.1224, 2.4612, 2.26, 2.1878, 2.2429, 2.2653, 2.3612],
            [3.2025, 2.4998, 2.2702, 2.2588, 2.2712, 2.2925, 2.388],
        ],
    ),
    "Wikipedia": (
        "Table 11",
        [
            [2.6479, 2.5151, 2.0765, 2.1771, 2.1268, 2.1469, 2.3058],
            [2.5855, 2.1549, 1.99, 1.9537, 2.0463, 2.085, 2.1972],
            [2.603, 2.3447, 2.0408, 2.0236, 2.0888, 2.1083, 2.2682],
        ],
    ),
    "reuters": (
        "Table 12",
        [
            [2.243, 2.3988, 1.8457, 1.8297, 1.8176, 1.8277, 2.016],
            [2.176, 1.8497, 1.6954, 1.6874, 1.6834, 1.7154, 1.8297],
            [2.207, 2.1867, 1.7686, 1.7505, 1.775, 1.7867, 1.9293],
        ],
    ),
    "newsgroups": (
        "Table 13",
        [
            [2.526, 4.364, 1.992, 1.942, 1.99, 1.882, 2.924],
            [2.358, 2.448, 1.752, 1.726, 1.758, 1.794, 1.892],
            [2.474, 3.1082, 1.804, 1.836, 1.845, 1.83, 2.032],
        ],
    ),
}


def rows_of(columns: Sequence[np.ndarray], paper: list[list[float]]) -> list[list[Cell]]:
    """Return each measure in the paper, followed by ours."""
    rows: list[list[Cell]] = []
    for place, measure in enumerate(MEASURES):
        if paper:
            rows.append([f"{measure}, paper", *paper[place]])
        reduced = [(each.max(), each.min(), each.mean())[place] for each in columns]
        rows.append([f"{measure}, here", *map(float, reduced)])
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of(__doc__, runs=10)
    parser.add_argument("--generations", type=int, default=GENERATIONS)
    options = parser.parse_args(arguments)
    report = report_of("genetic_tables_10_13", options)
    for collection in collections(options):
        name = collection.name
        report.say(f"{name}: {collection.note}")
        pool = pool_of(collection, options.seed)
        columns = [repeat(pool.terms, "greedy", options.runs, options.seed).rates]
        for rate in RATES:
            courses = [
                course_of(pool.terms, options.generations, rate, [options.seed, number])
                for number in range(options.runs)
            ]
            columns.append(np.array([course.rates[-1] for course in courses]))
        label, paper = PAPER.get(name, ("", []))
        report.table(
            f"Genetic algorithm, {label}: {name}, {pool.title}; {options.generations} generations",
            ("", "greedy", *(f"GA, K={rate:g}" for rate in RATES)),
            rows_of(columns, paper),
        )
    report.save()


if __name__ == "__main__":
    run(main)
