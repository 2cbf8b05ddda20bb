"""TS-IDS, Figure 7: overlap and size of the queries in the order of the selection.

10,000 documents drawn at random, ties broken at random, redundant queries kept. A query's overlap
is its df divided by the number of documents that it is the first to return (df / mu); both curves
are moving averages over 100 queries.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from bench.chart import Panel, Series
from bench.frame import Cell, collections, parser_of, report_of, run
from bench.runs import NAMES, PUBLISHED, Steps, smoothed, steps_of

from longline.covering import cover
from longline.pool import TermMatrix

DOCUMENTS = 10_000
WINDOW = 100
PLACES = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)
PAPER: dict[str, dict[str, list[Cell]]] = {
    "reuters": {
        "greedy": [7256, 5785, "3.2", "above 30"],
        "ids": [6738, None, None, None],
        "ts-ids": [4051, None, None, None],
    }
}
COLUMNS = (
    *("method", "queries, paper", "here"),
    *("all before have no overlap, paper", "here", "share here"),
    *("first 100: mean df, paper", "here", "last 100: mean overlap, paper", "here"),
)


@dataclass(frozen=True, eq=False)
class Course:
    """One selection, smoothed."""

    steps: Steps
    overlap: np.ndarray
    size: np.ndarray
    first_redundant: int
    """Number of queries before the first that returns a document again."""


def course_of(sample: TermMatrix, method: str, seed: int) -> Course:
    """Choose as published, and follow the selection."""
    rng = np.random.default_rng([seed, 1])
    found = cover(
        sample.matrix, method, ties="random", eliminate=False, allow_uncovered=True, rng=rng
    )
    steps = steps_of(sample, found.queries)
    redundant = steps.df > steps.new
    return Course(
        steps,
        smoothed(steps.df / steps.new, WINDOW),
        smoothed(steps.df.astype(float), WINDOW),
        int(redundant.argmax()) if redundant.any() else len(redundant),
    )


def row_of(method: str, course: Course, paper: dict[str, list[Cell]]) -> list[Cell]:
    """Return a row with a selection's key figures and the paper's."""
    queries, first, size, overlap = paper.get(method, [None] * 4)
    count = len(course.steps.df)
    return [
        NAMES[method],
        queries,
        count,
        first,
        course.first_redundant,
        f"{course.first_redundant / count:.0%}",
        size,
        float(course.size[0]),
        overlap,
        float(course.overlap[-1]),
    ]


def curve_rows(courses: dict[str, Course]) -> list[list[Cell]]:
    """Return the values of the curves at every tenth of the selection."""
    rows: list[list[Cell]] = []
    for what in ("overlap", "size"):
        for method, course in courses.items():
            curve = getattr(course, what)
            values = [float(curve[round(place * (len(curve) - 1))]) for place in PLACES]
            rows.append([f"{what}, {NAMES[method]}", *values])
    return rows


def panels_of(courses: dict[str, Course]) -> list[Panel]:
    """Return panels with the paper's layout."""
    panels = []
    for what, label in (("overlap", "df / mu"), ("size", "df")):
        for method, course in courses.items():
            curve = getattr(course, what)
            line = Series(method, np.arange(len(curve)).tolist(), curve.tolist())
            panels.append(Panel(NAMES[method], "queries", label, [line], log_y=True))
    return panels


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser_of(__doc__, runs=1).parse_args(arguments)
    report = report_of("ts_ids_figure_7", options)
    for collection in collections(options):
        name = collection.name
        sample = collection.sample(DOCUMENTS, options.seed)
        report.say(f"{name}: {collection.note}")
        courses = {method: course_of(sample, method, options.seed) for method in PUBLISHED}
        rows = [row_of(method, each, PAPER.get(name, {})) for method, each in courses.items()]
        report.table(f"TS-IDS, Figure 7: {name}, {sample.documents:,} documents", COLUMNS, rows)
        report.table(
            f"{name}: the curves, by the share of the queries that are chosen",
            ["", *(f"{place:.0%}" for place in PLACES)],
            curve_rows(courses),
        )
        report.figure(f"ts_ids_figure_7_{name}", f"TS-IDS, Figure 7: {name}", panels_of(courses))
    report.save()


if __name__ == "__main__":
    run(main)
