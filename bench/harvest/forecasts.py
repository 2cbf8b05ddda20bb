"""Compare forecasts of harvests with what followed: how many are within their 90 % interval.

Complete harvests by the engine, of random parts of a corpus behind a simulated source, with probes
as in any harvest. Each time the number of requests has grown by a third, forecasts are made for
0.1, 0.5, 1 and 3 times as many further requests; the end of the harvest gives the true number, and
is also the end of forecasts that look beyond it. The rival is the rate of the last 100 requests,
continued for ever. "half width" is that of the interval, and "off" the error of the point, both
relative to the true number (at least 10 documents), medians. Forecasts of one harvest are not
independent.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from bench.frame import NOTES, Cell, corpus_parser, report_of, run, shared_file
from msgspec.structs import replace

from longline.comparison import Setting, searcher_of
from longline.engine import Callbacks, Engine, RunLimits
from longline.estimate.extrapolate import Further
from longline.events import AnyEvent
from longline.ledger import Ledger, further
from longline.model import Document
from longline.planner.capabilities import Capabilities
from longline.planner.measure import Aims, Measured
from longline.planner.strategies import Options, make_planner
from longline.simulate import MemoryClient, read_corpus
from longline.store import MemoryStore

WAYS = {
    "adaptive, static": ("adaptive", Setting(boolean=False)),
    "adaptive, BM25": ("adaptive", Setting(boolean=False, ranking="bm25")),
    "auto, AND NOT, exact totals": ("auto", Setting()),
    "auto, AND NOT, no totals": ("auto", Setting(counts="none")),
    "random words, BM25": ("random-dictionary", Setting(boolean=False, ranking="bm25")),
}
SHAPES = ((100, 50), (50, 10), (1000, 50))
"""Return limit, and results per page."""

AHEAD = (0.1, 0.5, 1.0, 3.0)
"""How far forecasts look ahead, in multiples of the requests sent so far."""

GROWS = 4 / 3
RATE_OVER = 100
COLUMNS = (
    *("forecasts", "within %", "less came", "more came", "half width", "off"),
    *("rival off", "rival <= .25 off", "ours"),
)


@dataclass(frozen=True)
class Forecast:
    """A forecast, and the point at which it was made.

    Attributes:
        at: Requests sent so far, with `held` documents.
        ahead: Number of further requests that it covers.
        found: The forecast.
        rival: The forecast from the rate of the last requests.
        is_sized: Whether the source's size was already estimated.
    """

    at: int
    held: int
    ahead: int
    found: Further
    rival: float
    is_sized: bool


class Watch:
    """Makes forecasts during a harvest, and records its progress."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._due = 60.0
        self.requests: list[int] = []
        self.documents: list[int] = []
        self.made: list[Forecast] = []

    def note(self, event: AnyEvent) -> None:
        """Record an event."""
        ledger = self._ledger
        self.requests.append(ledger.requests)
        self.documents.append(ledger.documents)
        if ledger.requests < self._due:
            return
        self._due = ledger.requests * GROWS
        for times in AHEAD:
            ahead = max(20, round(times * ledger.requests))
            found = further(ledger, ahead)
            if found is not None:
                sized = ledger.expected_size is not None
                rival = ahead * self._rate()
                self.made.append(
                    Forecast(ledger.requests, ledger.documents, ahead, found, rival, sized)
                )

    def came(self, forecast: Forecast) -> int:
        """Return the new documents in the requests that a forecast covers."""
        last = np.searchsorted(self.requests, forecast.at + forecast.ahead, side="right") - 1
        return self.documents[int(last)] - forecast.held

    def _rate(self) -> float:
        over = min(RATE_OVER, self._ledger.requests)
        first = np.searchsorted(self.requests, self._ledger.requests - over)
        return (self._ledger.documents - self.documents[int(first)]) / over


def harvested(
    documents: Sequence[Document], way: str, shape: tuple[int, int], seed: int, *, pages: bool
) -> Watch:
    """Harvest a source; with `pages` each document costs its own request."""
    strategy, setting = WAYS[way]
    limit, page_size = shape
    setting = replace(setting, limit=limit, page_size=page_size, listing_only=not pages)
    ledger = Ledger(limit=limit, page_size=page_size)
    able = Capabilities(
        limit=limit,
        page_size=page_size,
        negation=setting.boolean,
        counts=setting.counts,  # type: ignore[arg-type]  # exact or none
    )
    planner = make_planner(strategy, Options(abilities=able), np.random.default_rng(seed))
    aims = Aims(limit=limit, page_size=page_size, listing_only=not pages)
    policy = Measured(planner, aims, np.random.default_rng([seed, 1]))
    watch = Watch(ledger)
    engine = Engine(
        policy,
        MemoryClient(searcher_of(documents, setting, seed)),
        MemoryStore(),
        ledger,
        RunLimits(max_queries=2 * len(documents), listing_only=not pages),
        Callbacks(conclude=policy.conclude, observe=watch.note),
    )
    asyncio.run(engine.run())
    return watch


@dataclass(frozen=True)
class Outcome:
    """A forecast and the true number."""

    forecast: Forecast
    came: int

    @property
    def is_within(self) -> bool:
        """Whether the true number is in the interval, in whole documents."""
        return self.misses == 0

    @property
    def misses(self) -> int:
        """-1 if the true number is below the interval, 1 if above, otherwise 0."""
        low, high = np.floor(self.forecast.found.low), np.ceil(self.forecast.found.high)
        return int(self.came > high) - int(self.came < low)

    def off(self, said: float) -> float:
        """Return the error of a number, relative to the true one."""
        return abs(said - self.came) / max(self.came, 10)


def row_of(found: Sequence[Outcome]) -> list[Cell]:
    """Return a row that summarises forecasts."""
    made = [each.forecast for each in found]
    ours = [each.off(each.forecast.found.documents) for each in found]
    rival = [each.off(each.forecast.rival) for each in found]
    widths = [
        (one.found.high - one.found.low) / 2 / max(each.came, 10)
        for one, each in zip(made, found, strict=True)
    ]
    return [
        len(found),
        f"{100 * np.mean([each.is_within for each in found]):.1f}",
        sum(each.misses < 0 for each in found),
        sum(each.misses > 0 for each in found),
        *(f"{np.median(values):.2f}" for values in (widths, ours, rival)),
        *(f"{np.mean(np.array(values) <= 0.25):.2f}" for values in (rival, ours)),
    ]


def groups(corpus: str, way: str, pages: bool, each: Outcome) -> Iterator[tuple[str, str]]:
    """Yield the tables and rows in which a forecast counts."""
    sized = "size known" if each.forecast.is_sized else "size not known"
    yield "all", "all"
    yield "all", sized
    yield "by corpus", corpus
    yield "by strategy", way
    yield "by what documents cost", "a request each" if pages else "nothing"
    times = min(AHEAD, key=lambda times: abs(times - each.forecast.ahead / each.forecast.at))
    yield "by how far ahead", f"{times:g} of what was sent"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure as the options say."""
    parser = corpus_parser(__doc__)
    parser.add_argument("--documents", type=int, default=1500, help="of each source (1500)")
    parser.add_argument("--first-seed", type=int, default=100, help="of the sources (100)")
    parser.add_argument("--seeds", type=int, default=1, help="how many (1)")
    parser.add_argument("--minutes", type=float, help="after so many begin no further harvest")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables as JSON")
    parser.set_defaults(out=None)
    options = parser.parse_args(arguments)
    report = report_of("forecasts", options)
    tables: dict[str, dict[str, list[Outcome]]] = defaultdict(lambda: defaultdict(list))
    end = time.monotonic() + 60 * (options.minutes or float("inf"))
    corpora = {
        name: read_corpus(shared_file(f"corpora/{name}.jsonl.gz") if name in NOTES else name)
        for name in options.corpus or (*NOTES, "docstrings")
    }
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    harvests = 0
    for seed, shape, way, name in product(seeds, SHAPES, WAYS, corpora):
        if time.monotonic() > end:
            break
        everything, rng = corpora[name], np.random.default_rng(seed)
        chosen = rng.choice(len(everything), min(options.documents, len(everything)), replace=False)
        part = [everything[place] for place in chosen]
        # In every second harvest documents cost requests: both halves have each shape and corpus.
        pages = bool((harvests + seed) % 2)
        watch = harvested(part, way, shape, seed, pages=pages)
        harvests += 1
        for forecast in watch.made:
            outcome = Outcome(forecast, watch.came(forecast))
            for table, row in groups(name, way, pages, outcome):
                tables[table][row].append(outcome)
    for title, rows in tables.items():
        report.table(
            title, ("", *COLUMNS), [[name, *row_of(found)] for name, found in rows.items()]
        )
    report.say(f"{harvests} harvests")
    report.save()


if __name__ == "__main__":
    run(main)
