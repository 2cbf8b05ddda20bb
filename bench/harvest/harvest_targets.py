"""Compare the results of longline's own strategies with their design goals, by `compare`.

A simulated source for each corpus, p = min(50, k) rows per page, every query counted. "x1" is the
number of result pages that could hold the source, N/p; "pages" are result pages at HR 98 %, divided
by those that full pages without repeats would need (held / p). A figure is the mean of the seeds,
with its range; a goal is reached if the mean reaches it.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from bench.frame import NOTES, Cell, corpus_parser, report_of, run, shared_file

from longline.comparison import Setting, compare
from longline.ledger import Ledger, hit_rate, overlapping_rate
from longline.model import Document
from longline.simulate import read_corpus

NEAR_ALL = 0.98
"""HR at which pages and OR are measured."""

STATIC = Setting()
BM25 = Setting(ranking="bm25")
WIDE = Setting(limit=1000)
NARROW = Setting(limit=10, page_size=10, max_terms=24)
NOISY = Setting(counts="noisy")
UNCOUNTED = Setting(counts="none")
SNIPPETS = Setting(listing_only=True)
SNIPPETS_BM25 = Setting(ranking="bm25", listing_only=True)


@dataclass(frozen=True, eq=False)
class Trail:
    """A harvest, page by page.

    Attributes:
        seen: Different documents after each result page.
        rows: Rows received after each result page.
        size: Number of documents of the source.
        page_size: Hits on a full page.
    """

    seen: Sequence[int]
    rows: Sequence[int]
    size: int
    page_size: int

    def percent_at(self, multiple: float) -> float:
        """Return HR in percent after `multiple` times N/p pages."""
        pages = min(int(multiple * self.size / self.page_size), len(self.seen))
        return 100 * hit_rate(self.seen[pages - 1], self.size)

    def percent_while(self, rate: float) -> float:
        """Return the highest HR, in percent, while OR was at most `rate`."""
        steps = zip(self.seen, self.rows, strict=True)
        held = max(
            (seen for seen, rows in steps if overlapping_rate(rows, seen) <= rate), default=0
        )
        return 100 * hit_rate(held, self.size)

    def _near_all(self) -> int | None:
        place = int(np.searchsorted(self.seen, NEAR_ALL * self.size))
        return place if place < len(self.seen) else None

    def pages(self) -> float | None:
        """Return result pages per (held / p) at HR 98 %; None if not reached."""
        place = self._near_all()
        return None if place is None else (place + 1) * self.page_size / self.seen[place]

    def rate(self) -> float | None:
        """Return OR at HR 98 %; None if not reached."""
        place = self._near_all()
        return None if place is None else overlapping_rate(self.rows[place], self.seen[place])


Measure = Callable[[Trail], float | None]
Way = tuple[str, Setting]


@dataclass(frozen=True)
class Goal:
    """A figure to reach.

    Attributes:
        figure: Computes the figure from a harvest.
        least: Whether `bound` is a minimum; otherwise it is a maximum.
        beside: The setting whose figure is subtracted, if the goal is a difference.
    """

    what: str
    way: Way
    figure: Measure
    bound: float
    least: bool = True
    beside: Setting | None = None

    def values(self, found: dict[Way, dict[int, Trail]]) -> list[float | None]:
        """Return the figure of each seed that was run."""
        strategy, _ = self.way
        own = {seed: self.figure(trail) for seed, trail in found[self.way].items()}
        if self.beside is None:
            return list(own.values())
        other = {seed: self.figure(trail) for seed, trail in found[strategy, self.beside].items()}
        return [_difference(own[seed], other[seed]) for seed in own if seed in other]

    def row(self, corpus: str, found: dict[Way, dict[int, Trail]]) -> list[Cell] | None:
        """Return a row of the table; None if nothing was run."""
        values = self.values(found)
        if not values:
            return None
        sign = "at least" if self.least else "at most"
        known = [value for value in values if value is not None]
        mean = float(np.mean(known)) if len(known) == len(values) else None
        is_reached = mean is not None and (mean >= self.bound if self.least else mean <= self.bound)
        head: list[Cell] = [corpus, self.what, self.way[0], f"{sign} {self.bound:g}"]
        return [*head, written(values), str(len(values)), "yes" if is_reached else "NO"]


def _difference(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def written(values: Sequence[float | None]) -> str:
    """Return mean and range as text, and in how many runs the figure was not reached.

    >>> written([1.4, 1.6]), written([97.25]), written([1.5, None]), written([None])
    ('1.50 (1.40-1.60)', '97.2', '1.50, not reached in 1 of 2', 'not reached')
    """
    known = [value for value in values if value is not None]
    if not known:
        return "not reached"
    digits = 1 if abs(known[0]) >= 10 else 2
    text = f"{np.mean(known):.{digits}f}"
    if len(known) < len(values):
        return f"{text}, not reached in {len(values) - len(known)} of {len(values)}"
    if len(known) > 1:
        text += f" ({min(known):.{digits}f}-{max(known):.{digits}f})"
    return text


def at(multiple: float) -> Measure:
    return partial(Trail.percent_at, multiple=multiple)


def _single(name: str, setting: Setting, goals: Sequence[float]) -> Iterator[Goal]:
    """Yield goals for single terms: HR at three page budgets, and at OR 2."""
    way = ("adaptive", setting)
    for multiple, bound in zip((1, 2, 4), goals, strict=False):
        yield Goal(f"{name}: HR % at x{multiple}", way, at(multiple), bound)
    yield Goal(f"{name}: HR % at OR 2", way, partial(Trail.percent_while, rate=2.0), goals[-1])


def _cells(strategy: str) -> Iterator[Goal]:
    """Yield goals for sources with AND and NOT."""
    exact = (strategy, STATIC)
    yield Goal("k = 100: pages", exact, Trail.pages, 1.6, least=False)
    yield Goal("k = 100: OR", exact, Trail.rate, 1.2, least=False)
    yield Goal("k = 100: HR % at x1", exact, at(1), 66)
    yield Goal("k = 100: HR % at x1.5", exact, at(1.5), 96)
    yield Goal("k = 1000: pages", (strategy, WIDE), Trail.pages, 1.25, least=False)
    yield Goal("k = 10, 24 terms: pages", (strategy, NARROW), Trail.pages, 2.4, least=False)
    yield Goal(
        "counts of sigma 1: pages more", (strategy, NOISY), Trail.pages, 0.3, False, beside=STATIC
    )
    yield Goal("no counts: HR % at x2.5", (strategy, UNCOUNTED), at(2.5), 98)
    yield Goal("no counts: pages", (strategy, UNCOUNTED), Trail.pages, 2.5, least=False)


def _snippets(strategy: str, multiple: float) -> Iterator[Goal]:
    """Yield goals for harvests of titles and snippets only."""
    for name, setting, whole in (("static", SNIPPETS, STATIC), ("BM25", SNIPPETS_BM25, BM25)):
        yield Goal(
            f"snippets, {name}: HR % at x{multiple:g}, less whole texts",
            (strategy, setting),
            at(multiple),
            -4,
            beside=whole,
        )


PARTS = {
    "single": [
        *_single("single terms, static", STATIC, (53, 76, 91, 70)),
        *_single("single terms, BM25", BM25, (61, 86, 98, 79)),
    ],
    "cells": [*_cells("partition"), *_cells("auto")],
    "snippets": [
        *_snippets("adaptive", 1),
        *_snippets("adaptive", 2),
        *_snippets("auto", 1),
        *_snippets("auto", 1.5),
    ],
}
COLUMNS = ("corpus", "goal", "strategy", "bound", "measured", "seeds", "reached")


def harvested(documents: Sequence[Document], way: Way, seed: int) -> Trail:
    """Harvest a source with a strategy, and record each page."""
    strategy, setting = way
    seen: list[int] = []
    rows: list[int] = []

    def note(_name: str, _seed: int, ledger: Ledger) -> None:
        seen.append(ledger.documents_seen)
        rows.append(ledger.rows_received)

    for _ in compare(documents, [strategy], seeds=[seed], setting=setting, observe=note):
        pass
    return Trail(seen, rows, len(documents), setting.page_size)


def ways(goals: Sequence[Goal]) -> list[Way]:
    """Return every harvest that the goals need, without duplicates."""
    needed: dict[Way, None] = {}
    for goal in goals:
        strategy, _ = goal.way
        needed[goal.way] = None
        if goal.beside is not None:
            needed[strategy, goal.beside] = None
    return list(needed)


def corpora(options: argparse.Namespace) -> Iterator[tuple[str, list[Document]]]:
    """Yield the requested corpora, each reduced to --documents, drawn at random."""
    for name in options.corpus or NOTES:
        documents = read_corpus(shared_file(f"corpora/{name}.jsonl.gz") if name in NOTES else name)
        if options.documents is not None and options.documents < len(documents):
            rng = np.random.default_rng(0)
            chosen = rng.choice(len(documents), options.documents, replace=False)
            documents = [documents[place] for place in sorted(chosen)]
        yield Path(name).name.removesuffix(".gz").removesuffix(".jsonl"), documents


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure as the options say."""
    parser = corpus_parser(__doc__)
    parser.add_argument("--documents", type=int, help="of a corpus at most; all by default")
    parser.add_argument("--seeds", type=int, default=1, help="0, 1, ...: how many (1)")
    parser.add_argument("--part", action="append", choices=PARTS, help="all of them by default")
    parser.add_argument("--minutes", type=float, help="after so many begin no further harvest")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table as JSON")
    parser.set_defaults(out=None)
    options = parser.parse_args(arguments)
    report = report_of("harvest_targets", options)
    goals = [goal for part in options.part or PARTS for goal in PARTS[part]]
    sources = dict(corpora(options))
    found: dict[str, dict[Way, dict[int, Trail]]] = {name: defaultdict(dict) for name in sources}
    end = time.monotonic() + 60 * (options.minutes or float("inf"))
    for seed in range(options.seeds):
        for name, documents in sources.items():
            for way in ways(goals):
                if time.monotonic() < end:
                    found[name][way][seed] = harvested(documents, way, seed)
    rows = [goal.row(name, found[name]) for name in sources for goal in goals]
    report.table("Goals and what was measured", COLUMNS, [row for row in rows if row])
    report.say("pages: result pages at HR 98 % per (held / p); x1: N/p result pages")
    report.save()


if __name__ == "__main__":
    run(main)
