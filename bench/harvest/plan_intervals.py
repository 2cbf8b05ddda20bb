"""How often the size interval of `longline plan` contains the truth.

Each plan has its own source: documents drawn at random from a corpus, simulated in memory, probed
by titles and snippets with 25 requests, as `longline plan` does. The goal is 95 of 100; the width
shows how useful the intervals are.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from bench.frame import NOTES, Cell, corpus_parser, report_of, run, shared_file
from bench.harvest.plan_sources import CORPORA, KINDS, Kind, planned

from longline.forecast.forecaster import Size
from longline.model import Document
from longline.simulate import read_corpus

USUAL = (
    "^(exact|BM25|k = 10|k = 1000|noisy totals|no NOT|no NOT, BM25|no stop words"
    "|no words below 3 letters|reads 8 terms|titles|titles, no NOT)$"
)
COLUMNS = (
    "source",
    "plans",
    "truth inside",
    "below / above",
    "width / N, median",
    "size / N, mean",
    "requests, mean",
)


@dataclass(frozen=True)
class Told:
    """The result of one plan of a source with `truth` documents."""

    size: Size
    truth: int
    requests: int

    @property
    def side(self) -> int:
        """-1 if the interval is below the truth, 1 if above, 0 if it contains it."""
        size, truth = self.size, self.truth
        if size.high is not None and size.high < truth:
            return -1
        return int(size.low > truth)

    @property
    def width(self) -> float:
        """Width of the interval, in multiples of the truth."""
        high = np.inf if self.size.high is None else self.size.high
        return float((high - self.size.low) / self.truth)


def told(corpus: Sequence[Document], kind: Kind, documents: int, seed: int) -> Told:
    """Draw a source and plan its harvest."""
    rng = np.random.default_rng([seed, 7])
    places = sorted(rng.choice(len(corpus), min(documents, len(corpus)), replace=False))
    chosen = [corpus[place] for place in places]
    if kind.titles == "all":
        chosen = [msgspec.structs.replace(each, text="") for each in chosen]
    requests, size, _ = planned(kind, chosen, seed)
    return Told(size, len(chosen), requests)


def row(name: str, found: Sequence[Told]) -> list[Cell]:
    """Return a row that summarises the plans of one kind of source."""
    sides = [each.side for each in found]
    sizes = [each.size.documents / each.truth for each in found if each.size.documents is not None]
    return [
        name,
        len(found),
        sides.count(0),
        f"{sides.count(-1)} / {sides.count(1)}",
        round(float(np.median([each.width for each in found])), 3),
        round(float(np.mean(sizes)), 3) if sizes else None,
        round(float(np.mean([each.requests for each in found])), 1),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure as the options say."""
    parser = corpus_parser(__doc__)
    parser.add_argument("--documents", type=int, default=1500, help="of each source (1500)")
    parser.add_argument("--plans", type=int, default=100, help="of each kind of source (100)")
    parser.add_argument("--kind", default=USUAL, help="a pattern that names of kinds have")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table as JSON")
    parser.set_defaults(out=None)
    options = parser.parse_args(arguments)
    report = report_of("plan_intervals", options)
    rows = []
    for name in options.corpus or CORPORA:
        corpus = read_corpus(shared_file(f"corpora/{name}.jsonl.gz") if name in NOTES else name)
        label = Path(name).name.removesuffix(".gz").removesuffix(".jsonl")
        for kind in (kind for kind in KINDS if re.search(options.kind, kind.name)):
            found = [told(corpus, kind, options.documents, seed) for seed in range(options.plans)]
            rows.append(row(f"{label}, {kind.name}", found))
    report.table(f"sizes told by plans of {options.documents:,} documents", COLUMNS, rows)
    report.save()


if __name__ == "__main__":
    run(main)
