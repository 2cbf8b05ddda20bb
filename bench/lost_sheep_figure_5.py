"""Lost Sheep, Figure 5: downloads of selected algorithms over the size of the site, threshold 0.75.

Which the paper selects its text does not say; here are the best of each kind.
"""

from __future__ import annotations

from collections.abc import Sequence

from bench._chart import Panel, Series
from bench._frame import run
from bench._sites import ROWS, SIZES, measured, site_parser, site_report

SELECTED = ["SIM", "SIMDEG", "A*", "HMM2F S=100", "LS S=3", "LS2F S=100", "hound"]
MEASURE = 1
"""Place of downloads among the figures."""


def main(arguments: Sequence[str] | None = None) -> None:
    options = site_parser(__doc__).parse_args(arguments)
    options.only = options.only or SELECTED
    report = site_report("lost_sheep_figure_5", options)
    found = {pages: measured(pages, 0.75, options) for pages in options.pages}
    rows = [row for row in ROWS if row.name in options.only]
    report.table(
        f"Lost Sheep, Figure 5: downloads, threshold 0.75; {options.runs} iterations",
        ("", *(f"{pages}, {who}" for pages in options.pages for who in ("paper", "here"))),
        [
            [row.name]
            + [
                figure
                for pages in options.pages
                for figure in (
                    row.paper[0.75][SIZES.index(pages)][MEASURE]
                    if row.paper and pages in SIZES
                    else None,
                    found[pages][row.name][MEASURE],
                )
            ]
            for row in rows
        ],
    )
    here = [
        Series(
            row.name, options.pages, [found[pages][row.name][MEASURE] for pages in options.pages]
        )
        for row in rows
    ]
    paper = [
        Series(row.name, SIZES, [each[MEASURE] for each in row.paper[0.75]])
        for row in rows
        if row.paper
    ]
    panels = [
        Panel(title, "pages", "downloads", series, log_x=True, log_y=bool(MEASURE))
        for title, series in (("here", here), ("paper", paper))
    ]
    report.figure("lost_sheep_figure_5", "Lost Sheep, Figure 5", panels)
    report.save()


if __name__ == "__main__":
    run(main)
