"""The thesis, Table 9: which share of a source's terms is within the return limit.

Among the terms in more than one document of the largest sample (20 %, built by queries as in
section 5.3.1): how many have a df in the source below the limits for 100 and 200. The limits here
are scaled so that the published share is below the first; the second is twice that.
"""

from collections.abc import Sequence

import numpy as np
from bench.frame import Cell, report_of, run
from bench.papers.thesis import STRENGTHS, Runs, Source, share_below, thesis_parser

TERMS = {"weak": 48_522, "middle": 271_530, "strong": 116_073}
COLUMNS = (
    *("strength", "N, paper", "N, here", "k = 100 is", "terms, paper", "terms, here"),
    *("below 100, paper", "below 100, here", "below 200, paper", "below 200, here"),
)


def within(source: Source, published: int) -> float:
    """Return the share of the sample's terms whose df is below a scaled limit."""
    df = np.array([source.ranked.df[term] for term in source.sample_terms()])
    return share_below(df, source.limit(published))


def row_of(several: Sequence[Source]) -> list[Cell]:
    """Return a row with the paper's figures and our means over runs."""
    first = several[0]
    strength = first.strength
    row: list[Cell] = [
        *(strength.name, strength.size, first.ranked.size),
        float(np.mean([each.limit(100) for each in several])),
        TERMS[strength.name],
        round(np.mean([len(each.sample_terms()) for each in several])),
    ]
    for share, published in zip(strength.within, (100, 200), strict=True):
        here = np.mean([within(each, published) for each in several])
        row += [f"{share:.0%}", f"{here:.1%}"]
    return row


def main(arguments: Sequence[str] | None = None) -> None:
    options = thesis_parser(__doc__, runs=3).parse_args(arguments)
    report = report_of("thesis_table_9", options)
    for collection, runs in Runs(options):
        rows = [row_of([each[place] for each in runs]) for place in range(len(STRENGTHS))]
        report.table(f"The thesis, Table 9: {collection.name}; {options.runs} runs", COLUMNS, rows)
    report.save()


if __name__ == "__main__":
    run(main)
