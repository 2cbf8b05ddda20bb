"""TS-IDS, Figure 5: term sizes follow a power law, document sizes are log-normal.

10,000 documents drawn at random. A power law is a straight line in log-log axes; the logarithms of
log-normal sizes have no skewness.
"""

from collections.abc import Sequence

import numpy as np
from bench.chart import Panel, Series
from bench.frame import Cell, collections, parser_of, report_of, run
from bench.papers.shapes import Shape, shape_of

DOCUMENTS = 10_000
COLUMNS = (
    *("collection", "term size: slope", "R2", "of terms: df 1", "df >= 10", "df >= 100"),
    *("document size: median", "SD of ln", "skewness", "of ln"),
)


def row_of(name: str, terms: Shape, documents: Shape) -> list[Cell]:
    """Return a row with the shapes of a collection's terms and documents."""
    df = terms.sizes
    return [
        name,
        terms.slope,
        terms.straightness,
        *(float(share) for share in ((df == 1).mean(), (df >= 10).mean(), (df >= 100).mean())),
        float(np.median(documents.sizes)),
        documents.log_deviation,
        documents.skewness,
        documents.log_skewness,
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser_of(__doc__, runs=1).parse_args(arguments)
    report = report_of("ts_ids_figure_5", options)
    rows: list[list[Cell]] = []
    term_panels, document_panels = [], []
    for collection in collections(options):
        report.say(f"{collection.name}: {collection.note}")
        sample = collection.sample(DOCUMENTS, options.seed)
        terms = shape_of(sample.df)
        documents = shape_of(np.bincount(sample.matrix.rows, minlength=sample.documents))
        rows.append(row_of(collection.name, terms, documents))
        for what, shape, panels in (
            ("term", terms, term_panels),
            ("document", documents, document_panels),
        ):
            points = Series(collection.name, *shape.counts, points=True)
            title = f"{collection.name}: {what} size"
            panels.append(Panel(title, f"{what} size", f"{what}s", [points], True, True))
    report.table("TS-IDS, Figure 5: the shapes of the distributions", COLUMNS, rows)
    report.say(
        "paper (in words): term sizes follow a power law, document sizes a log-normal distribution"
    )
    report.figure("ts_ids_figure_5", "TS-IDS, Figure 5", [*term_panels, *document_panels])
    report.save()


if __name__ == "__main__":
    run(main)
