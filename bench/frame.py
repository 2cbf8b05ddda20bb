"""What all benches share: options, corpora, tables, JSON."""

import argparse
import json
import math
import os
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from bench.chart import Panel, save_chart
from rich.console import Console
from rich.table import Table
from scipy import sparse

from longline.covering import Matches
from longline.errors import CorpusError, LonglineError
from longline.pool import TermMatrix, document_term_matrix, sample_db
from longline.simulate import read_corpus

DF_CEILING = 0.37
"""The largest df in the papers: 3722 of 10,000 documents. Terms above it are left out."""

NOTES = {
    "reuters": "Reuters-21578 here; the papers' is a larger, later collection (806,791 stories): "
    "compare ratios, not levels",
    "newsgroups": "20 Newsgroups by date here; the papers' 30,000 messages are others: compare "
    "ratios, not levels",
}
WIDTH = 118
"""Width of a table without a terminal, in characters."""

Cell = str | int | float | None


def sparse_of(matches: Matches) -> sparse.csc_array:
    """Return a matrix in the format that other programs read."""
    cells = (np.ones(len(matches.rows), dtype=bool), matches.rows, matches.starts.astype(np.int32))
    return sparse.csc_array(cells, shape=(matches.documents, matches.queries))


def shared_folder() -> Path:
    """Return the folder of the corpora and instances that are not part of the project."""
    return Path(os.environ.get("LONGLINE_SHARED", Path(__file__).parents[2] / "shared"))


def shared_file(name: str) -> Path:
    """Return a file of the shared folder, or raise an error that explains how to set it."""
    path = shared_folder() / name
    if not path.exists():
        raise CorpusError(
            f"no {path}",
            advice="set LONGLINE_SHARED to the folder that has it, or give --corpus (a .jsonl or "
            ".jsonl.gz file, a folder of texts, or docstrings)",
        )
    return path


def unpack(name: str, folder: str | Path) -> None:
    """Unpack an archive of the shared folder into another folder."""
    with tarfile.open(shared_file(name)) as archive:
        # The first releases of Python 3.11 have no filter.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)


def parser_of(description: str, runs: int, seconds: float | None = None) -> argparse.ArgumentParser:
    """Return a parser of the shared options; with `--time` if methods search for `seconds`."""
    parser = corpus_parser(description)
    parser.add_argument("--seed", type=int, default=1, help="of every random draw (1)")
    parser.add_argument("--runs", type=_positive, default=runs, help=f"of each method ({runs})")
    if seconds is not None:
        help_text = f"seconds for each method that searches ({seconds:g})"
        parser.add_argument("--time", type=float, default=seconds, help=help_text)
    parser.add_argument("--out", type=Path, metavar="DIR", help="draw the figures into this folder")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables as JSON")
    return parser


def corpus_parser(description: str) -> argparse.ArgumentParser:
    """Return a parser with the option for corpora."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--corpus",
        action="append",
        metavar="FILE",
        help="a corpus file, a folder of texts, or docstrings; each program has its own default",
    )
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is below 1")
    return number


@dataclass(frozen=True, eq=False)
class Collection:
    """A corpus under the name that is used to look up the papers' results.

    Attributes:
        name: "reuters", "newsgroups", or the name of the file.
        texts: Title and text of every document.
    """

    name: str
    texts: list[str]

    @property
    def note(self) -> str:
        """How it differs from the papers' corpus."""
        return NOTES.get(self.name, "a corpus that the papers do not have")

    @cached_property
    def whole(self) -> TermMatrix:
        """Every document and every term: the total source (TotalDB)."""
        return document_term_matrix(self.texts)

    def long(self, size: int, seed: int, parts: int = 3) -> TermMatrix:
        """Return a matrix of long documents, each joined from texts drawn at random."""
        rng = np.random.default_rng([seed, 7])
        count = len(self.texts)
        drawn = (rng.choice(count, min(parts, count), replace=False) for _ in range(size))
        texts = ["\n".join(self.texts[place] for place in places) for places in drawn]
        return document_term_matrix(texts, df_ceiling=DF_CEILING)

    def sample(self, size: int, seed: int) -> TermMatrix:
        """Return a sample of documents (all, if there are fewer), read as the papers seem to do."""
        rng = np.random.default_rng([seed, 0])
        texts = sample_db(self.texts, min(size, len(self.texts)), rng)
        return document_term_matrix(texts, df_ceiling=DF_CEILING)


def collections(options: argparse.Namespace) -> Iterator[Collection]:
    """Yield the requested corpora, one after another."""
    for name in options.corpus or NOTES:
        path = shared_file(f"corpora/{name}.jsonl.gz") if name in NOTES else name
        documents = read_corpus(path)
        label = Path(name).name.removesuffix(".gz").removesuffix(".jsonl")
        yield Collection(label, [f"{each.title}\n{each.text}" for each in documents])


@dataclass
class Report:
    """Prints tables, and collects them for a JSON file."""

    options: argparse.Namespace
    bench: str
    tables: list[dict[str, object]] = field(default_factory=list)

    def say(self, text: str) -> None:
        """Print a line."""
        _console().print(text, highlight=False, markup=False)

    def table(self, title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        """Print a table: names left-aligned, numbers right-aligned."""
        self.say(f"\n{title}")
        table = Table(box=None, header_style="bold", pad_edge=False)
        for place, column in enumerate(columns):
            is_text = place == 0 or all(is_word(row[place]) for row in rows)
            table.add_column(column, justify="left" if is_text else "right", overflow="fold")
        for row in rows:
            table.add_row(*map(shown, row))
        _console().print(table)
        self.tables.append(
            {"title": title, "columns": list(columns), "rows": [[*map(plain, row)] for row in rows]}
        )

    def figure(self, name: str, title: str, panels: Sequence[Panel]) -> None:
        """Draw a figure into the folder of --out, if given."""
        if self.options.out is not None:
            self.say(save_chart(self.options.out / f"{name}.html", title, panels))

    def save(self) -> None:
        """Write the JSON file of --json, if given."""
        if self.options.json is None:
            return
        settings = {key: value for key, value in vars(self.options).items() if value is not None}
        found = {"bench": self.bench, "settings": settings, "tables": self.tables}
        self.options.json.write_text(json.dumps(found, indent=1, default=str) + "\n")


def _console() -> Console:
    console = Console()
    return console if console.is_terminal else Console(width=WIDTH)


def is_word(cell: Cell) -> bool:
    """Return whether a cell is a name rather than a number.

    >>> is_word("greedy"), is_word("6.9%"), is_word("-0.4%"), is_word(3), is_word(None)
    (True, False, False, False, False)
    """
    return isinstance(cell, str) and cell[:1].isalpha()


def shown(cell: Cell) -> str:
    """Return a number as readable text; "" for an unknown value.

    >>> shown(12345), shown(1.2345), shown(None), shown(14151.0), shown(255.62)
    ('12,345', '1.234', '', '14,151', '255.6')
    """
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int | np.integer):
        return f"{cell:,}"
    digits = 3 if abs(cell) < 10 else 1 if abs(cell) < 1000 else 0
    return f"{cell:,.{digits}f}"


def plain(cell: Cell) -> Cell:
    """Return a cell for JSON: a numpy number as Python's own, nan as None."""
    if isinstance(cell, np.generic):
        cell = cell.item()
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def percent_less(of: float | None, than: float | None) -> str | None:
    """Return how much lower one figure is than another, as text; None if unknown.

    >>> percent_less(80, 100), percent_less(110, 100), percent_less(None, 1), percent_less(0, 0)
    ('20.0 %', '-10.0 %', None, None)
    """
    if of is None or not than:
        return None
    return f"{100 * (1 - of / than):.1f} %"


def report_of(bench: str, options: argparse.Namespace) -> Report:
    """Start a report under a bench's short name."""
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
    return Report(options, bench)


def run(main: object) -> None:
    """Run a bench's main; a known error prints one line, not a traceback."""
    try:
        main()  # type: ignore[operator]
    except LonglineError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
