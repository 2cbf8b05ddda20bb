"""Weighted greedy, Figures 1 and 2: document sizes and dfs in a SampleDB follow a power law.

A SampleDB of 3,000 documents; a document's size is the number of its terms in the pool of relative
size 20.
"""

from collections.abc import Sequence

from bench.chart import Panel, Series
from bench.frame import Cell, collections, parser_of, report_of, run
from bench.papers.shapes import shape_of
from bench.pools import RELATIVE_SIZE, SAMPLE, document_sizes, draw_pool

COLUMNS = ("sizes", "least", "median", "most", "slope", "R2", "skewness", "of ln")


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser_of(__doc__, runs=1).parse_args(arguments)
    report = report_of("weighted_greedy_figures_1_2", options)
    for collection in collections(options):
        report.say(f"{collection.name}: {collection.note}")
        pool = draw_pool(collection, SAMPLE, RELATIVE_SIZE, options.seed)
        rows: list[list[Cell]] = []
        panels = []
        for figure, what, sizes in (
            (1, "document size", document_sizes(pool.terms)),
            (2, "df", pool.terms.df),
        ):
            shape = shape_of(sizes)
            ordered = sorted(shape.sizes.tolist())
            row: list[Cell] = [f"Figure {figure}: {what}", ordered[0], ordered[len(ordered) // 2]]
            row += [ordered[-1], shape.slope, shape.straightness]
            rows.append([*row, shape.skewness, shape.log_skewness])
            points = Series(collection.name, *shape.counts, points=True)
            things = "documents" if figure == 1 else "terms"
            panels.append(Panel(f"Figure {figure}: {what}", what, things, [points], True, True))
        report.table(f"Weighted greedy, {collection.name}, {pool.title}", COLUMNS, rows)
        report.figure(
            f"weighted_greedy_figures_1_2_{collection.name}",
            "Weighted greedy, Figures 1, 2",
            panels,
        )
    report.say(
        "paper (in words): both follow the power law; most documents hold few terms, most terms "
        "occur in few documents, a few terms of high df in most documents"
    )
    report.save()


if __name__ == "__main__":
    run(main)
