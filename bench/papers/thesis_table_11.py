"""The thesis, Table 11: HR at OR 1.4 of four policies, for middle and strong ranking.

Random dictionary words, greedy, weighted greedy and DF-Weighted, for samples of 5, 10 and 20 % and
return limits of 100, 200 and 1000. The sample's own queries are not counted, as in the thesis.
"""

from collections.abc import Sequence

from bench.frame import Cell, report_of, run
from bench.papers.thesis import (
    LIMITS,
    POLICIES,
    SHARES,
    STAR,
    STRENGTHS,
    Runs,
    percent,
    thesis_parser,
)

RATE = 1.4
SHORT = dict(zip(POLICIES, ("random", "greedy", "WG", "DF-W"), strict=True))
"""Short names of the policies; WG is weighted greedy."""

PAPER: dict[str, dict[tuple[int, int], tuple[float | None, ...]]] = {
    "middle": {
        (5, 100): (12, 19, 20, 19),
        (5, 200): (16, 22, 23, 25),
        (5, 1000): (15, 25, 25, 30),
        (10, 100): (12, 15, 19, 19),
        (10, 200): (16, 20, 23, 23),
        (10, 1000): (15, 23, 25, 25),
        (20, 100): (12, 18, 21, 22),
        (20, 200): (16, 20, 22, 22.5),
        (20, 1000): (15, 19, 22, 23),
    },
    "strong": {
        (5, 100): (17.5, None, None, 26.5),
        (5, 200): (18, None, None, 27),
        (5, 1000): (21.5, None, None, 26),
        (10, 100): (17.5, None, None, 29),
        (10, 200): (18, None, None, 30),
        (10, 1000): (21.5, None, None, 31),
        (20, 100): (17.5, None, None, 29),
        (20, 200): (18, None, None, 32),
        (20, 1000): (21.5, None, None, 32),
    },
}
"""By sample (%) and k: HR in per cent, in the order of POLICIES."""


def main(arguments: Sequence[str] | None = None) -> None:
    options = thesis_parser(__doc__, runs=3).parse_args(arguments)
    report = report_of("thesis_table_11", options)
    columns = ["strength", "sample", "k"]
    columns += [f"{SHORT[policy]}, {whose}" for policy in POLICIES for whose in ("paper", "here")]
    experiments = Runs(options)
    for collection, runs in experiments:
        rows: list[list[Cell]] = []
        for place, strength in enumerate(STRENGTHS):
            for share in SHARES if strength.name in PAPER else ():
                for limit in LIMITS:
                    paper = PAPER[strength.name][round(100 * share), limit]
                    row: list[Cell] = [strength.name, f"{share:.0%}", str(limit)]
                    for policy, published in zip(POLICIES, paper, strict=True):
                        curves = experiments.curves(runs, place, policy, share, limit)
                        row += [published, percent(curves, RATE)]
                    rows.append(row)
        report.table(
            f"The thesis, Table 11: {collection.name}, {options.ranking} ranking, OR {RATE}; "
            f"{options.runs} runs",
            columns,
            rows,
        )
        report.say(STAR)
    report.save()


if __name__ == "__main__":
    run(main)
