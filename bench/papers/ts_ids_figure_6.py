"""TS-IDS, Figure 6: the overlapping rate (OR) of greedy, IDS and TS-IDS on a complete sample.

10,000 documents drawn at random and all their terms; 50 runs, ties broken at random, redundant
queries kept. Also each method with redundant queries removed, every further method of longline, and
the lower bound.
"""

from collections.abc import Sequence

from bench.frame import Cell, collections, parser_of, percent_less, report_of, run
from bench.runs import NAMES, PUBLISHED, Runs, beyond, repeat

from longline.pool import TermMatrix

DOCUMENTS = 10_000
PAPER_RATES = {"reuters": {"greedy": 1.94, "ids": 1.81, "ts-ids": 1.31}}
PAPER_QUERIES = {"reuters": {"greedy": 7256, "ids": 6738, "ts-ids": 4051}}
PAPER_SAVINGS = {"reuters": (33, 24), "newsgroups": (10, 6)}
"""Percent of OR that TS-IDS saves compared with greedy and IDS, from the paper's text."""

COLUMNS = (
    *("method", "OR paper", "OR here", "SD", "min", "max"),
    *("of greedy, paper", "here", "queries paper", "here", "OR eliminated", "seconds a run"),
)


def published(name: str, sample: TermMatrix, runs: int, seed: int) -> dict[str, Runs]:
    """Run the three methods of the figure."""
    return {method: repeat(sample, method, runs, seed) for method in PUBLISHED}


def rows_of(name: str, sample: TermMatrix, found: dict[str, Runs], seed: int) -> list[list[Cell]]:
    """Return rows of the paper's and our figures."""
    rates, queries = PAPER_RATES.get(name, {}), PAPER_QUERIES.get(name, {})
    rows: list[list[Cell]] = []
    for method, runs in found.items():
        eliminated = repeat(sample, method, 1, seed, eliminate=True)
        rows.append(
            [
                NAMES[method],
                rates.get(method),
                float(runs.rates.mean()),
                float(runs.rates.std()),
                float(runs.rates.min()),
                float(runs.rates.max()),
                rates[method] / rates["greedy"] if rates else None,
                float(runs.rates.mean() / found["greedy"].rates.mean()),
                queries.get(method),
                round(runs.queries.mean()),
                float(eliminated.rates[0]),
                runs.seconds,
            ]
        )
    return rows


def savings(name: str, found: dict[str, Runs]) -> list[list[Cell]]:
    """Return rows of the OR that TS-IDS saves compared with the others."""
    best = float(found["ts-ids"].rates.mean())
    paper = PAPER_SAVINGS.get(name, (None, None))
    rows: list[list[Cell]] = []
    for method, said in zip(("greedy", "ids"), paper, strict=True):
        other = float(found[method].rates.mean())
        rows.append(
            [
                f"TS-IDS against {NAMES[method]}",
                None if said is None else f"{said} %",
                percent_less(best, other),
                percent_less(best - 1, other - 1),
            ]
        )
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser_of(__doc__, runs=50, seconds=10.0).parse_args(arguments)
    report = report_of("ts_ids_figure_6", options)
    for collection in collections(options):
        name = collection.name
        sample = collection.sample(DOCUMENTS, options.seed)
        report.say(f"{name}: {collection.note}")
        title = f"{name}, {sample.documents:,} documents, {options.runs} runs"
        found = published(name, sample, options.runs, options.seed)
        rows = rows_of(name, sample, found, options.seed)
        report.table(f"TS-IDS, Figure 6: OR on {title}", COLUMNS, rows)
        report.table(
            f"{name}: how much less",
            ["", "OR, paper", "OR, here", "overlap (OR - 1)"],
            savings(name, found),
        )
        beyond(report, name, sample, options.time, options.seed)
    report.save()


if __name__ == "__main__":
    run(main)
