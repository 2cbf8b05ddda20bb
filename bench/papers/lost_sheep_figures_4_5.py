"""Lost Sheep, Figures 4 and 5: accuracy and downloads over the size of the site, threshold 0.75.

The paper's text does not say which algorithms it selected; here are the best of each kind.
"""

from collections.abc import Mapping, Sequence

from bench.chart import Panel, Series
from bench.frame import Report, run
from bench.sites.lists import ROWS, SIZES, Row, measured, site_parser, site_report

SELECTED = ["SIM", "SIMDEG", "A*", "HMM2F S=100", "LS S=3", "LS2F S=100", "hound"]
THRESHOLD = 0.75
FIGURES = ((4, "accuracy"), (5, "downloads"))
"""Figure number and name, in the order of a run's measures."""

Found = Mapping[int, Mapping[str, Sequence[float]]]
"""Accuracy and downloads, by number of pages and by row."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure once, and show both figures."""
    options = site_parser(__doc__).parse_args(arguments)
    options.only = options.only or SELECTED
    report = site_report("lost_sheep_figures_4_5", options)
    found = {pages: measured(pages, THRESHOLD, options) for pages in options.pages}
    rows = [row for row in ROWS if row.name in options.only]
    for place, (number, measure) in enumerate(FIGURES):
        title = f"Lost Sheep, Figure {number}: {measure}, threshold {THRESHOLD}"
        _table(report, f"{title}; {options.runs} iterations", rows, found, place)
        _chart(report, number, measure, rows, found, place)
    report.save()


def _table(report: Report, title: str, rows: Sequence[Row], found: Found, place: int) -> None:
    columns = ("", *(f"{pages}, {who}" for pages in found for who in ("paper", "here")))
    lines = []
    for row in rows:
        paper = _published(row, place)
        pairs = [(paper.get(pages), found[pages][row.name][place]) for pages in found]
        lines.append([row.name, *(figure for pair in pairs for figure in pair)])
    report.table(title, columns, lines)


def _chart(
    report: Report, number: int, measure: str, rows: Sequence[Row], found: Found, place: int
) -> None:
    here = [
        Series(row.name, list(found), [found[pages][row.name][place] for pages in found])
        for row in rows
    ]
    paper = [
        Series(row.name, SIZES, list(published.values()))
        for row in rows
        if (published := _published(row, place))
    ]
    panels = [
        Panel(title, "pages", measure, series, log_x=True, log_y=measure == "downloads")
        for title, series in (("here", here), ("paper", paper))
    ]
    report.figure(f"lost_sheep_figure_{number}", f"Lost Sheep, Figure {number}", panels)


def _published(row: Row, place: int) -> dict[int, float]:
    """Return the paper's figure by number of pages; empty for a row of our own."""
    if not row.paper:
        return {}
    return {pages: each[place] for pages, each in zip(SIZES, row.paper[THRESHOLD], strict=True)}


if __name__ == "__main__":
    run(main)
