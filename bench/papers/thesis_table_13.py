"""The thesis, Table 13: how many terms of a source have a high df.

Among the terms in more than one document of the largest sample: those whose df in the source is at
least the limit for 200, from which Figure 19 draws its queries.
"""

from collections.abc import Sequence

import numpy as np
from bench.frame import Cell, report_of, run
from bench.papers.thesis import STRENGTHS, Runs, Source, thesis_parser

PAPER = {"weak": (48_522, 5_339), "middle": (271_530, 25_042), "strong": (232_146, 20_269)}
"""Terms of df > 1 in the sample, and of df >= 200 in the source. Table 9 counts 116,073 for
"strong", half as many, and does not say why."""

COLUMNS = (
    *("strength", "terms, paper", "terms, here", "high df, paper", "high df, here"),
    *("share, paper", "share, here", "df >= 200 is"),
)


def high_terms(source: Source) -> list[str]:
    """Return the sample's terms whose df in the source is at least the limit for 200."""
    least = source.limit(200)
    return [term for term in source.sample_terms() if source.ranked.df[term] >= least]


def row_of(several: Sequence[Source]) -> list[Cell]:
    """Return a row with the paper's figures and our means over runs."""
    name = several[0].strength.name
    terms, high = PAPER[name]
    here = float(np.mean([len(each.sample_terms()) for each in several]))
    high_here = float(np.mean([len(high_terms(each)) for each in several]))
    least = float(np.mean([each.limit(200) for each in several]))
    share = f"{high_here / here:.1%}" if here else None
    return [name, terms, round(here), high, round(high_here), f"{high / terms:.1%}", share, least]


def main(arguments: Sequence[str] | None = None) -> None:
    options = thesis_parser(__doc__, runs=3).parse_args(arguments)
    report = report_of("thesis_table_13", options)
    for collection, runs in Runs(options):
        rows = [row_of([each[place] for each in runs]) for place in range(len(STRENGTHS))]
        report.table(f"The thesis, Table 13: {collection.name}; {options.runs} runs", COLUMNS, rows)
    report.save()


if __name__ == "__main__":
    run(main)
