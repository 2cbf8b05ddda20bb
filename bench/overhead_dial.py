"""The cost df + a as a dial: choose on a sample, send to the whole source, HR against OR.

Chosen on 3,000 documents, every term of them, by TS-IDS, the Lagrangian greedy and the best
search, for overheads a from 0 to 300; beside them the papers' pools of relative size 20 at
cost df. HR, OR and queries are those of the whole collection at the end of the selection,
means and standard deviations over samples (--runs).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from bench._chart import Panel, Series
from bench._frame import Cell, Collection, collections, parser_of, report_of, run
from bench._pools import RELATIVE_SIZE, SAMPLE, draw_pool
from bench._runs import NAMES, PUBLISHED
from bench.weighted_greedy_figure_5 import map_to

from longline.cover import cover

OVERHEADS = (0, 3, 10, 20, 30, 50, 100, 200, 300)
METHODS = ("ts-ids", "lagrangian", "best")
ITERATIONS = 300
COLUMNS = ("method", "cost", "HR", "SD", "OR", "SD", "queries", "SD")


@dataclass(frozen=True)
class Choice:
    """One way to choose on the sample."""

    method: str
    overhead: int | None

    @property
    def label(self) -> str:
        """The method's name, and whether it chose from the papers' pool."""
        name = NAMES.get(self.method, self.method)
        return name if self.overhead is not None else f"{name}, pool of {RELATIVE_SIZE:g}"

    @property
    def cost(self) -> str:
        """As `cover` takes it."""
        return f"df+{self.overhead}" if self.overhead else "df"


def choices() -> list[Choice]:
    """The papers' pools, then the dial for each method."""
    pools = [Choice(method, None) for method in PUBLISHED]
    return pools + [Choice(method, a) for method in METHODS for a in OVERHEADS]


def reached(collection: Collection, choice: Choice, seed: int) -> tuple[float, float, int]:
    """HR, OR and queries in the whole collection of what is chosen on one sample."""
    if choice.overhead is None:
        sample = draw_pool(collection, SAMPLE, RELATIVE_SIZE, seed).terms
    else:
        sample = collection.sample(SAMPLE, seed)
    limits = {} if choice.method in PUBLISHED else {"iterations": ITERATIONS}
    chosen = cover(
        sample.matrix, choice.method, cost=choice.cost, allow_uncovered=True, rng=seed, **limits
    )
    found = map_to(collection.whole, [sample.terms[column] for column in chosen.queries])
    return float(found.hit_rates[-1]), float(found.rates[-1]), len(chosen.queries)


def row_of(choice: Choice, ends: Sequence[tuple[float, float, int]]) -> list[Cell]:
    """Means and standard deviations over the samples."""
    figures = np.array(ends, dtype=float)
    (hr, rate, queries), (hr_sd, rate_sd, queries_sd) = figures.mean(axis=0), figures.std(axis=0)
    return [
        *(choice.label, choice.cost, float(hr), float(hr_sd), float(rate), float(rate_sd)),
        *(round(queries), round(queries_sd)),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser_of(__doc__, runs=5).parse_args(arguments)
    report = report_of("overhead_dial", options)
    panels = []
    for collection in collections(options):
        report.say(f"{collection.name}: {collection.note}")
        seeds = range(options.seed, options.seed + options.runs)
        rows = [
            row_of(choice, [reached(collection, choice, seed) for seed in seeds])
            for choice in choices()
        ]
        report.table(
            f"The overhead dial: {collection.name}, chosen on {SAMPLE:,} documents, sent to "
            f"{len(collection.texts):,}; {options.runs} samples",
            COLUMNS,
            rows,
        )
        lines = [
            Series(
                label,
                [row[4] for row in rows if row[0] == label],
                [row[2] for row in rows if row[0] == label],
            )
            for label in dict.fromkeys(row[0] for row in rows)
        ]
        panels.append(Panel(collection.name, "OR", "HR", lines))
    report.figure("overhead_dial", "HR against OR as the overhead a grows", panels)
    report.save()


if __name__ == "__main__":
    run(main)
