"""The thesis, Figure 19: queries of higher df do worse where ranking cuts them.

At the limit for 100: terms of the sample in random order (Sample Random), those of high df (HDF),
and 5, 10 or 15 of these joined by OR, each term once (HDF5, HDF10, HDF15). The figure itself has no
printed numbers; the table's last column has the thesis's description of it.
"""

from collections.abc import Sequence

import numpy as np
from bench.chart import Panel
from bench.frame import Cell, report_of, run
from bench.papers.thesis import (
    STAR,
    STRENGTHS,
    Curve,
    Runs,
    Source,
    as_queries,
    line,
    percent,
    send,
    thesis_parser,
)
from bench.papers.thesis_table_13 import high_terms

from longline.model import Query

LIMIT = 100
APPROACHES = ("Sample Random", "HDF", "HDF5", "HDF10", "HDF15")
RATES = (1.5, 2.0, 3.0)
MOST_OR = 8.0
SAID = {
    "weak": "HDF beats Sample Random",
    "middle": "HDF is worse than Sample Random",
    "strong": "HDF is worse than Sample Random",
}


def queries_of(source: Source, approach: str, rng: np.random.Generator) -> list[Query]:
    """Return the queries of one approach, in random order."""
    terms = source.sample_terms() if approach == "Sample Random" else high_terms(source)
    drawn = [terms[place] for place in rng.permutation(len(terms))]
    together = int(approach.removeprefix("HDF") or 1) if approach.startswith("HDF") else 1
    if together == 1:
        return as_queries(drawn)
    groups = (drawn[place : place + together] for place in range(0, len(drawn), together))
    return [Query((), any_of=tuple(group)) for group in groups]


def curve_of(source: Source, approach: str, seed: int) -> Curve:
    """Send an approach's queries until all are sent, or OR exceeds `MOST_OR`."""
    rng = np.random.default_rng([seed, 7])
    return send(source.ranked, queries_of(source, approach, rng), source.limit(LIMIT), MOST_OR)


def main(arguments: Sequence[str] | None = None) -> None:
    options = thesis_parser(__doc__, runs=3).parse_args(arguments)
    report = report_of("thesis_figure_19", options)
    columns = ["strength", "approach", *(f"HR at OR {rate:g}" for rate in RATES), "queries"]
    for collection, runs in Runs(options):
        rows: list[list[Cell]] = []
        panels = []
        for place, strength in enumerate(STRENGTHS):
            lines = []
            for approach in APPROACHES:
                curves = [
                    curve_of(each[place], approach, seed)
                    for seed, each in enumerate(runs, options.seed)
                ]
                row: list[Cell] = [strength.name, approach]
                row += [percent(curves, rate) for rate in RATES]
                row += [round(np.mean([len(curve.rates) for curve in curves]))]
                rows.append([*row, SAID[strength.name] if approach == "HDF" else None])
                lines.append(line(approach, curves[0]))
            panels.append(Panel(f"{collection.name}, {strength.name}", "OR", "HR", lines))
        report.table(
            f"The thesis, Figure 19: {collection.name}, {options.ranking} ranking, k for {LIMIT}; "
            f"{options.runs} runs",
            [*columns, "the thesis says"],
            rows,
        )
        report.say(STAR)
        name = f"thesis_figure_19_{collection.name}_{options.ranking}"
        report.figure(name, "The thesis, Figure 19: terms of high df", panels)
    report.save()


if __name__ == "__main__":
    run(main)
