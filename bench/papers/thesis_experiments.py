"""The thesis's 27 experiments: HR against OR, compared with adaptive and partition.

Three sources (weak, middle and strong ranking), samples of 5, 10 and 20 %, return limits of 100,
200 and 1000; random dictionary words, greedy, weighted greedy and DF-Weighted (Appendix I). The
thesis does not count the queries that build a sample, and neither does this bench for its policies;
adaptive and partition need no sample, so all their queries are counted. They stop at four times the
minimum of pages that could hold the source, of 50 rows or k.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from bench.chart import Panel
from bench.frame import Cell, report_of, run
from bench.papers.thesis import (
    LIMITS,
    POLICIES,
    SHARES,
    STAR,
    STRENGTHS,
    Curve,
    Runs,
    Source,
    line,
    percent,
    thesis_parser,
)

from longline.comparison import Setting, compare

OURS = ("adaptive", "partition")
RATES = (1.4, 2.0)
PAGE = 50


def ours(source: Source, published: int, ranking: str, seed: int) -> dict[str, Curve]:
    """Harvest a source with longline's own strategies under one of its limits."""
    limit = source.limit(published)
    setting = Setting(limit=limit, page_size=min(PAGE, limit), ranking=ranking)
    outcomes = compare(source.ranked.documents, OURS, seeds=[seed], setting=setting)
    found = {}
    for outcome in outcomes:
        rates, hit_rates = zip(*outcome.curve, strict=True)
        found[outcome.strategy] = Curve(np.array(rates), np.array(hit_rates))
    return found


def row_of(head: Sequence[Cell], curves: Mapping[str, Sequence[Curve]], rate: float) -> list[Cell]:
    """Return a row with the HR of every policy at one OR."""
    return [*head, *(percent(each, rate) for each in curves.values())]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = thesis_parser(__doc__, runs=1)
    parser.add_argument("--published-only", action="store_true", help="the thesis's four alone")
    options = parser.parse_args(arguments)
    report = report_of("thesis_experiments", options)
    names = POLICIES if options.published_only else (*POLICIES, *OURS)
    experiments = Runs(options)
    for collection, runs in experiments:
        report.say(
            f"{collection.name} stands in for the thesis's slices of a search engine's index"
        )
        rows: dict[float, list[list[Cell]]] = {rate: [] for rate in RATES}
        panels = []
        for place, strength in enumerate(STRENGTHS):
            source = runs[0][place]
            beside = {
                limit: {}
                if options.published_only
                else ours(source, limit, options.ranking, options.seed)
                for limit in LIMITS
            }
            for share in SHARES:
                for limit in LIMITS:
                    curves: dict[str, Sequence[Curve]] = {
                        policy: experiments.curves(runs, place, policy, share, limit)
                        for policy in POLICIES
                    }
                    curves |= {name: [curve] for name, curve in beside[limit].items()}
                    head = [strength.name, f"{share:.0%}", str(limit), source.limit(limit)]
                    for rate in RATES:
                        rows[rate].append(row_of(head, curves, rate))
                    lines = [line(name, each[0]) for name, each in curves.items()]
                    title = f"{strength.name}, sample {share:.0%}, k = {limit}"
                    panels.append(Panel(title, "OR", "HR", lines))
        for rate in RATES:
            report.table(
                f"The thesis's 27 experiments: {collection.name}, {options.ranking} ranking, "
                f"OR {rate}; {options.runs} runs",
                ("strength", "sample", "k", "here", *names),
                rows[rate],
            )
        report.say(STAR)
        name = f"thesis_experiments_{collection.name}_{options.ranking}"
        report.figure(name, f"The thesis's 27 experiments: {collection.name}", panels)
    report.save()


if __name__ == "__main__":
    run(main)
