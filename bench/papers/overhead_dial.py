"""Two settings for a sample: an overhead in the cost, or distrust of rarely matched queries.

Queries are chosen on 3,000 documents, from every term, and sent to the complete source. The first
setting is the cost df + a, for TS-IDS, the Lagrangian greedy and the best search; the second is the
price of an uncovered document, for `cover_unseen`; the papers' pools of relative size 20 at cost df
are shown for comparison. HR, OR and queries are those of the complete collection at the end of the
selection, means and standard deviations over samples (--runs). A second table reads each setting at
equal HR (--levels), interpolated between the means of two values.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from bench.chart import Panel, Series
from bench.frame import Cell, Collection, collections, parser_of, report_of, run
from bench.papers.weighted_greedy_figure_5 import map_to
from bench.pools import RELATIVE_SIZE, SAMPLE, draw_pool
from bench.runs import NAMES, PUBLISHED

from longline.covering import cover, cover_unseen

OVERHEADS = (0, 3, 10, 20, 30, 50, 100, 200, 300)
METHODS = ("ts-ids", "lagrangian", "best")
UNSEEN = "unseen"
PRICES = (5, 7, 9, 11, 13, 16, 20)
LEVELS = (0.85, 0.901, 0.947, 0.96)
ITERATIONS = 300
READ = ("OR", "queries")
COLUMNS = ("method", "dial", "HR", "SD", "OR", "SD", "queries", "SD")


@dataclass(frozen=True)
class Choice:
    """One way to choose on the sample: from the papers' pool, or any term with one setting."""

    method: str
    overhead: int | None = None
    price: int | None = None

    @property
    def label(self) -> str:
        """The method's name, and whether it chose from the papers' pool."""
        name = NAMES.get(self.method, self.method)
        return f"{name}, pool of {RELATIVE_SIZE:g}" if self.setting == "df" else name

    @property
    def setting(self) -> str:
        """The value of the setting, as text."""
        if self.price is not None:
            return f"price {self.price}"
        return "df" if self.overhead is None else f"df+{self.overhead}"


def choices(methods: Sequence[str]) -> list[Choice]:
    """Return the choices from the papers' pools, then those with each setting."""
    pools = [Choice(method) for method in PUBLISHED if method in methods]
    overheads = [Choice(method, a) for method in METHODS for a in OVERHEADS if method in methods]
    return pools + overheads + [Choice(UNSEEN, price=x) for x in PRICES if UNSEEN in methods]


def reached(collection: Collection, choice: Choice, seed: int) -> tuple[float, float, int]:
    """Return HR, OR and queries in the complete collection, when chosen on one sample."""
    if choice.setting == "df":
        sample = draw_pool(collection, SAMPLE, RELATIVE_SIZE, seed).terms
    else:
        sample = collection.sample(SAMPLE, seed)
    if choice.price is not None:
        queries = cover_unseen(sample.matrix, choice.price, rng=seed).queries
    else:
        limits = {} if choice.method in PUBLISHED else {"iterations": ITERATIONS}
        queries = cover(
            sample.matrix,
            choice.method,
            cost=choice.setting,
            allow_uncovered=True,
            rng=seed,
            **limits,
        ).queries
    found = map_to(collection.whole, [sample.terms[column] for column in queries])
    return float(found.hit_rates[-1]), float(found.rates[-1]), len(queries)


def at_level(level: float, rows: Sequence[Sequence[Cell]]) -> list[Cell]:
    """Return OR and queries at a hit rate, interpolated; None for both if it is not reached.

    >>> at_level(0.85, [["best", "df+1", 0.8, 0, 1.0, 0, 30], ["best", "df+2", 0.9, 0, 2.0, 0, 20]])
    [1.5, 25]
    """
    ends = sorted((row[2], row[4], row[6]) for row in rows)
    hit_rates, rates, queries = zip(*ends, strict=True)
    if not hit_rates[0] <= level <= hit_rates[-1]:
        return [None, None]
    return [
        round(float(np.interp(level, hit_rates, rates)), 3),
        round(float(np.interp(level, hit_rates, queries))),
    ]


def row_of(choice: Choice, ends: Sequence[tuple[float, float, int]]) -> list[Cell]:
    """Return a row of means and standard deviations over the samples."""
    figures = np.array(ends, dtype=float)
    (hr, rate, queries), (hr_sd, rate_sd, queries_sd) = figures.mean(axis=0), figures.std(axis=0)
    return [
        *(choice.label, choice.setting, float(hr), float(hr_sd), float(rate), float(rate_sd)),
        *(round(queries), round(queries_sd)),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of(__doc__, runs=5)
    known = tuple(dict.fromkeys((*PUBLISHED, *METHODS, UNSEEN)))
    parser.add_argument("--methods", nargs="+", choices=known, default=known)
    parser.add_argument("--levels", nargs="+", type=float, default=LEVELS, metavar="HR")
    options = parser.parse_args(arguments)
    report = report_of("overhead_dial", options)
    panels = []
    for collection in collections(options):
        report.say(f"{collection.name}: {collection.note}")
        seeds = range(options.seed, options.seed + options.runs)
        rows = [
            row_of(choice, [reached(collection, choice, seed) for seed in seeds])
            for choice in choices(options.methods)
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
        report.table(
            f"Each dial at equal HR: {collection.name}",
            ("method", *(f"{what} at {level:g}" for level in options.levels for what in READ)),
            [
                [label, *(cell for level in options.levels for cell in at_level(level, dial))]
                for label in dict.fromkeys(row[0] for row in rows)
                if len(dial := [row for row in rows if row[0] == label]) > 1
            ],
        )
        panels.append(Panel(collection.name, "OR", "HR", lines))
    report.figure("overhead_dial", "HR against OR as a dial is turned", panels)
    report.save()


if __name__ == "__main__":
    run(main)
