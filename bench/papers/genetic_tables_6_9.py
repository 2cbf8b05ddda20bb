"""Genetic algorithm, Tables 6 to 9 and Figure 14: OR by the number of generations.

A SampleDB of 500 documents, a pool with the thesis's number of queries, mutation rate 0.03; 10
runs. The thesis started again for each number of generations; here one run is read at each of them.
"""

from collections.abc import Sequence

import numpy as np
from bench.chart import Panel, Series
from bench.frame import Cell, collections, parser_of, report_of, run
from bench.papers.genetic import MUTATION, course_of, pool_of

READ_AT = (50, 100, 200, 300, 400, 500, 600, 700, 800)
PAPER: dict[str, tuple[str, list[float]]] = {
    "Gov": ("Table 6", [3.08, 2.64, 2.3, 2.3, 2.29, 2.27, 2.25, 2.24, 2.24]),
    "Wikipedia": ("Table 7", [3.05, 2.6, 2.26, 2.15, 2.11, 2.02, 2.02, 2.01, 2.0]),
    "reuters": ("Table 8", [2.88, 2.45, 1.99, 1.85, 1.76, 1.72, 1.71, 1.72, 1.71]),
    "newsgroups": ("Table 9", [2.7, 1.96, 1.86, 1.84, 1.84, 1.84, 1.82, 1.79, 1.78]),
}
"""Averages over 10 runs."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of(__doc__, runs=10)
    parser.add_argument("--generations", type=int, default=READ_AT[-1], help="at most (800)")
    options = parser.parse_args(arguments)
    report = report_of("genetic_tables_6_9", options)
    read_at = [each for each in READ_AT if each <= options.generations] or [options.generations]
    panels = []
    for collection in collections(options):
        name = collection.name
        report.say(f"{name}: {collection.note}")
        pool = pool_of(collection, options.seed)
        courses = [
            course_of(pool.terms, options.generations, MUTATION, [options.seed, number])
            for number in range(options.runs)
        ]
        rates = np.array([[course.rates[each - 1] for course in courses] for each in read_at])
        label, paper = PAPER.get(name, ("", []))
        rows: list[list[Cell]] = []
        for place, generation in enumerate(read_at):
            said = paper[READ_AT.index(generation)] if paper and generation in READ_AT else None
            row = rates[place]
            mean = float(row.mean())
            rows.append([generation, *row.tolist(), mean, said, *_of_first(place, rates, paper)])
        numbers = map(str, range(1, options.runs + 1))
        report.table(
            f"Genetic algorithm, {label}: {name}, {pool.title}",
            ("generations", *numbers, "avg", "paper", "of the first, here", "paper"),
            rows,
        )
        lines = [Series("genetic", read_at, rates.mean(axis=1).tolist())]
        if paper:
            lines.append(Series("paper", list(READ_AT), paper))
        panels.append(Panel(name, "generations", "average OR", lines))
    report.figure("genetic_figure_14", "Genetic algorithm, Figure 14", panels)
    report.save()


def _of_first(place: int, rates: np.ndarray, paper: list[float]) -> list[Cell]:
    """Return average OR relative to that after the smallest number of generations."""
    here = float(rates[place].mean() / rates[0].mean())
    return [here, paper[place] / paper[0] if paper and len(rates) > 1 else None]


if __name__ == "__main__":
    run(main)
