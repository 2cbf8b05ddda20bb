"""What the Lost Sheep benches share: the paper's tables, generated sites, runs on them."""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from bench.frame import Cell, Report, parser_of, report_of, shared_folder
from bench.sites.algorithms import make_explorer
from bench.sites.graph import GraphSettings, LabelledGraph, generate
from bench.sites.vocabulary import english_words, los_words

from longline.known_item.algorithms import Options
from longline.known_item.explorer import explore

SIZES = (100, 1000, 10000)
Figures = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
"""Accuracy and downloads at each of the paper's sizes."""


@dataclass(frozen=True)
class Row:
    """A row of the paper's tables.

    Attributes:
        name: As printed.
        algorithm: Our name for it.
        states: Number of states, S; None without automata.
        paper: Figures by threshold; None as key if they depend on no threshold.
    """

    name: str
    algorithm: str
    states: int | None
    paper: dict[float | None, Figures]


def _row(name: str, algorithm: str, states: int | None, low: str, high: str | None = None) -> Row:
    """Return a row from text: "Ac D" three times for threshold 0.25 (or none), and for 0.75."""

    def figures(text: str) -> Figures:
        numbers = [float(each) for each in text.split()]
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        return pairs[0], pairs[1], pairs[2]

    if high is None:
        return Row(name, algorithm, states, {None: figures(low)})
    return Row(name, algorithm, states, {0.25: figures(low), 0.75: figures(high)})


ROWS = (
    _row("RW", "rw", None, "0.02 20 0.00 200 0.00 2000"),
    _row("OPTIMAL", "optimal", None, "1.0 2.74 1.0 2.87 1.0 2.01"),
    _row("FOCUSED", "focused", None, "0.28 35.14 0.32 171.9 0.00 771.7"),
    _row("SIM", "sim", None, "0.02 8.00 0.01 15.8 0.03 23.6", "0.07 10.89 0.05 23.4 0.04 36.1"),
    _row("DEG", "deg", None, "0.0 8.50 0.0 15.1 0.0 29.7", "0.00 11.16 0.0 31.6 0.0 51.9"),
    _row("SIMDEG", "simdeg", None, "0.01 7.38 0.0 14.1 0.0 24.5", "0.10 10.91 0.03 22.6 0.0 46.9"),
    _row(
        "A*", "a-star", None, "0.04 11.94 0.04 40.8 0.02 537.4", "0.21 24.76 0.08 255.6 0.08 1853.4"
    ),
    _row("HMM S=3", "hmm", 3, "0.80 100 0.41 1000 0.07 10000", "0.69 100 0.45 1000 0.09 10000"),
    _row("HMM S=100", "hmm", 100, "0.68 100 0.28 1000 0.02 10000", "0.71 100 0.30 1000 0.07 10000"),
    _row("HMM S=200", "hmm", 200, "0.58 100 0.22 1000 0.14 10000", "0.60 100 0.26 1000 0.06 10000"),
    _row("HMM S=400", "hmm", 400, "0.47 100 0.16 1000 0.09 10000", "0.47 100 0.20 1000 0.09 10000"),
    _row(
        "HMM2F S=100",
        "hmm2f",
        100,
        "0.75 100 0.49 1000 0.04 10000",
        "0.73 100 0.41 1000 0.03 10000",
    ),
    _row(
        "HMM2F S=200",
        "hmm2f",
        200,
        "0.68 100 0.40 1000 0.06 10000",
        "0.75 100 0.45 1000 0.06 10000",
    ),
    _row(
        "HMM2F S=400",
        "hmm2f",
        400,
        "0.75 100 0.47 1000 0.04 10000",
        "0.74 100 0.47 1000 0.04 10000",
    ),
    _row(
        "LS S=3", "ls", 3, "0.78 20.84 0.68 106.4 0.52 429.3", "0.75 22.52 0.67 124.0 0.32 1839.2"
    ),
    _row(
        "LS S=100",
        "ls",
        100,
        "0.49 27.10 0.31 77.0 0.14 826.0",
        "0.57 35.19 0.34 356.5 0.10 5088.0",
    ),
    _row(
        "LS S=200",
        "ls",
        200,
        "0.40 24.13 0.18 57.2 0.25 1670.7",
        "0.37 35.64 0.25 519.4 0.17 5442.7",
    ),
    _row(
        "LS S=400",
        "ls",
        400,
        "0.14 14.67 0.18 146.1 0.13 1736.0",
        "0.30 43.45 0.16 633.8 0.09 8278.1",
    ),
    _row(
        "LS2F S=100",
        "ls2f",
        100,
        "0.79 11.77 0.70 48.4 0.47 195.6",
        "0.76 12.52 0.72 58.2 0.57 715.1",
    ),
    _row(
        "LS2F S=200",
        "ls2f",
        200,
        "0.78 12.25 0.65 50.8 0.67 368.8",
        "0.80 12.64 0.66 75.8 0.41 578.4",
    ),
    _row(
        "LS2F S=400",
        "ls2f",
        400,
        "0.73 13.94 0.67 52.6 0.51 187.0",
        "0.78 11.72 0.64 75.2 0.35 793.0",
    ),
    Row("hound", "hound", None, {}),
)

INFERRED = """\
The paper's text is cut in its step 6; the stop rule, the bound of 100 herds, where automata begin,
that they are clipped, that twofold steps cycle and begin anew with the text, the lengths of texts
and queries, and the smallest and largest out-degree are inferred. So are the stop rules of SIM,
DEG, SIMDEG and A*, and FOCUSED's. Not reproduced: every row at threshold 0.25, and how LS falls
over S = 100 to 400. D of LS and LS2F counts, as the paper seems to, the pages whose label passed,
that of SIM, DEG and SIMDEG the path's length; "all" counts all that had to be downloaded. D of
OPTIMAL counts the links followed. hound's conf. is its mean confidence, which ought to be its
accuracy."""


def site_parser(description: str) -> argparse.ArgumentParser:
    """Return the parser of the options of these benches."""
    parser = parser_of(description, runs=150)
    parser.add_argument(
        "--pages",
        type=int,
        nargs="+",
        default=[100, 1000],
        help="sizes of site (100 1000); 10000 takes about a minute an iteration for all rows",
    )
    parser.add_argument("--most-links", type=int, help="largest out-degree (any)")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="rows, by name (all)")
    return parser


def site_report(bench: str, options: argparse.Namespace) -> Report:
    """Start a report that says what was inferred."""
    report = report_of(bench, options)
    report.say(INFERRED)
    return report


def rows_of(options: argparse.Namespace) -> list[Row]:
    """Return the requested rows."""
    return [row for row in ROWS if not options.only or row.name in options.only]


def words() -> list[str]:
    """Return the words of Los, or as many English ones if it is not available."""
    path: Path = shared_folder() / "los" / "los.json"
    return (
        los_words(path.read_bytes()) if path.exists() else english_words(np.random.default_rng(0))
    )


def graphs(pages: int, options: argparse.Namespace) -> Iterator[LabelledGraph]:
    """Draw a site for each iteration."""
    settings, vocabulary = GraphSettings(pages, most_links=options.most_links), words()
    for number in range(options.runs):
        yield generate(settings, vocabulary, np.random.default_rng([options.seed, pages, number]))


def measured(pages: int, threshold: float, options: argparse.Namespace) -> dict[str, list[float]]:
    """Run every row on every site: mean accuracy, D, all downloads, confidence, seconds."""
    rows = rows_of(options)
    found: dict[str, list[list[float]]] = {row.name: [] for row in rows}
    for number, graph in enumerate(graphs(pages, options)):
        rng = np.random.default_rng([options.seed, number])
        for row in rows:
            found[row.name].append(_run(row, graph, threshold, rng))
    return {name: np.mean(each, axis=0).tolist() for name, each in found.items()}


def _run(row: Row, graph: LabelledGraph, threshold: float, rng: np.random.Generator) -> list[float]:
    settings = Options(
        graph.start,
        threshold=threshold,
        states=row.states,
    )
    started = time.process_time()
    explorer = make_explorer(row.algorithm, settings, graph.query, rng, (graph, graph.target))
    answer = explore(explorer, graph)
    downloads = float(answer.downloads)
    counted = getattr(explorer, "counted", downloads - (row.algorithm == "optimal"))
    return [
        float(answer.key == graph.target),
        float(counted),
        downloads,
        answer.confidence,
        time.process_time() - started,
    ]


def table(report: Report, title: str, pages: int, threshold: float) -> None:
    """Print the paper's figures and ours for one size and threshold."""
    found = measured(pages, threshold, report.options)
    place = SIZES.index(pages) if pages in SIZES else None
    rows: list[list[Cell]] = []
    for row in rows_of(report.options):
        known = row.paper.get(threshold) or row.paper.get(None)
        paper: Sequence[float | None] = (
            known[place] if known and place is not None else (None, None)
        )
        accuracy, counted, downloads, confidence, seconds = found[row.name]
        calibrated = confidence if row.algorithm == "hound" else None
        rows.append([row.name, *paper, accuracy, counted, downloads, calibrated, seconds])
    columns = ("", "Ac, paper", "D, paper", "Ac, here", "D, here", "all", "conf.", "s")
    runs = report.options.runs
    report.table(f"{title}: {pages} pages, {runs} iterations", columns, rows)
