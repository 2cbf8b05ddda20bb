"""The thesis, Table 12: greedy and weighted greedy, HR at OR 1.5 (weak) and 1.4 (middle).

The sample's own queries are not counted, as in the thesis.
"""

from collections.abc import Sequence

from bench.frame import Cell, report_of, run
from bench.papers.thesis import LIMITS, SHARES, STAR, STRENGTHS, Runs, percent, thesis_parser

RATES = {"weak": 1.5, "middle": 1.4}
METHODS = ("greedy", "weighted")
PAPER: dict[str, dict[tuple[int, int], tuple[float, float]]] = {
    "weak": {
        (5, 100): (21, 24),
        (5, 200): (23, 25),
        (5, 1000): (22, 23),
        (10, 100): (19, 22),
        (10, 200): (20, 22),
        (10, 1000): (21, 23),
        (20, 100): (23, 23),
        (20, 200): (24, 26),
        (20, 1000): (24, 26),
    },
    "middle": {
        (5, 100): (19, 20),
        (5, 200): (22, 23),
        (5, 1000): (25, 25),
        (10, 100): (15, 19),
        (10, 200): (20, 23),
        (10, 1000): (23, 25),
        (20, 100): (18, 21),
        (20, 200): (20, 22),
        (20, 1000): (19, 22),
    },
}
"""By sample (%) and k: HR in per cent of greedy and of weighted greedy."""


def main(arguments: Sequence[str] | None = None) -> None:
    options = thesis_parser(__doc__, runs=3).parse_args(arguments)
    report = report_of("thesis_table_12", options)
    columns = ["strength", "sample", "k", "OR"]
    columns += [f"{method}, {whose}" for method in METHODS for whose in ("paper", "here")]
    experiments = Runs(options)
    for collection, runs in experiments:
        rows: list[list[Cell]] = []
        for place, strength in enumerate(STRENGTHS):
            for share in SHARES if strength.name in PAPER else ():
                for limit in LIMITS:
                    paper = PAPER[strength.name][round(100 * share), limit]
                    rate = RATES[strength.name]
                    row: list[Cell] = [strength.name, f"{share:.0%}", str(limit), str(rate)]
                    for method, published in zip(METHODS, paper, strict=True):
                        curves = experiments.curves(runs, place, method, share, limit)
                        row += [published, percent(curves, rate)]
                    rows.append(row)
        report.table(
            f"The thesis, Table 12: {collection.name}, {options.ranking} ranking; "
            f"{options.runs} runs",
            columns,
            rows,
        )
        report.say(STAR)
    report.save()


if __name__ == "__main__":
    run(main)
