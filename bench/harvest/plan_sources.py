"""Accuracy of the predictions of `longline plan`: docs/research/decisions/0016.

Each source is simulated in memory. A scout probes it by titles and snippets, as `longline plan`
does; then it is harvested as `longline harvest` does by default. "predicted / actual" compares
result pages at 50, 90 and 98 % of the documents. If a plan predicts nothing, the cell says so.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from bench.faulty.by_title import ByTitle
from bench.faulty.lies import (
    ClampedTotals,
    FaultySource,
    IgnoredNot,
    Lie,
    OrForAnd,
    ShortWords,
    TruncatedQuery,
)
from bench.frame import NOTES, Cell, corpus_parser, report_of, run, shared_file
from bench.harvest.plan_predictions import Bounded

from longline.engine import Callbacks, Engine, RunLimits
from longline.events import AnyEvent, PageReceived
from longline.forecast.forecaster import Forecaster, Route, Size, size_of
from longline.ledger import Ledger
from longline.model import Document
from longline.planner.capabilities import Capabilities
from longline.planner.measure import Aims, Measured
from longline.planner.probe.searched_field import FieldAware, SearchedField
from longline.planner.probe.survey import SourceSurvey
from longline.planner.strategies import Options, make_planner
from longline.pool import Analyzer
from longline.simulate import MemoryClient, Searcher, read_corpus
from longline.simulate.search.searcher import NOISY_SIGMA, Box
from longline.store import MemoryStore

COVERAGES = ("0.5", "0.9", "0.98")
MOST = 6.0
"""Maximum number of pages of a harvest, in multiples of N / p."""

QUERIES = 25
"""Queries of the scout, about: of a plan's 40 requests 14 are for other routes, 1 is robots.txt."""

SIZES = (2000, 6000)
"""Range of the number of documents drawn for a source."""

CORPORA = ("reuters", "newsgroups", "docstrings")


@dataclass(frozen=True)
class Kind:
    """A kind of source.

    Attributes:
        name: The name of the kind.
        source: Arguments of `Searcher`.
        told: Fields of `Capabilities` in which its spec differs from the truth.
        lies: Lies of its search box.
        titles: Documents are only titles ("all"), or only titles are searched ("searched").
        listing_only: The harvest saves titles and snippets only.
    """

    name: str
    source: dict[str, Any] = field(default_factory=dict)
    told: dict[str, Any] = field(default_factory=dict)
    lies: tuple[Lie, ...] = ()
    titles: str = ""
    listing_only: bool = False

    def box(self, documents: Sequence[Document], seed: int, *, snippets: bool) -> Box:
        """Return a source of this kind."""
        make: Callable[..., Searcher] = ByTitle if self.titles == "searched" else Searcher
        bounds = {"limit": 100, "page_size": 50, "ranking": "static", **self.source}
        box: Box = make(documents, seed=seed, snippets=snippets, **bounds)
        return FaultySource(box, *self.lies) if self.lies else box

    def abilities(self) -> Capabilities:
        """Return the source's abilities as its spec states them."""
        counts = {"exact": "exact", "approximate": "about", "none": "none"}
        return Capabilities(
            **{
                "limit": self.source.get("limit", 100),
                "page_size": self.source.get("page_size", 50),
                "negation": self.source.get("boolean", True),
                "max_terms": 20,
                "counts": counts[self.source.get("counts", "exact")],
                **self.told,
            }
        )


NARROW = {"limit": 10, "page_size": 10}
WIDE = {"limit": 1000}
BM25 = {"ranking": "bm25"}
NONE = {"counts": "none"}
NOISY = {"counts": "approximate", "count_sigma": NOISY_SIGMA}
NO_NOT = {"boolean": False}
NO_STOP_WORDS = {"analyzer": lambda text: list(Analyzer().terms(text))}

KINDS = (
    Kind("exact"),
    Kind("BM25", BM25),
    Kind("k = 10", NARROW, {"max_terms": 24}),
    Kind("k = 1000", WIDE),
    Kind("noisy totals", NOISY),
    Kind("no totals", NONE),
    Kind("no NOT", NO_NOT),
    Kind("no NOT, BM25", NO_NOT | BM25),
    Kind("no NOT, k = 10", NO_NOT | NARROW),
    Kind("no NOT, k = 1000", NO_NOT | WIDE),
    Kind("no NOT, no totals", NO_NOT | NONE),
    Kind("NOT ignored", lies=(IgnoredNot(),)),
    Kind("no AND", lies=(OrForAnd(),)),
    Kind("reads 8 terms", lies=(TruncatedQuery(8),)),
    Kind("totals to 400", lies=(ClampedTotals(400),)),
    Kind("listing only", listing_only=True),
    Kind("listing only, no totals", NONE, listing_only=True),
    Kind("listing only, no NOT", NO_NOT, listing_only=True),
    Kind("no stop words", NO_STOP_WORDS),
    Kind("no stop words, no totals", NO_STOP_WORDS | NONE),
    Kind("no words below 3 letters", lies=(ShortWords(3),)),
    Kind("no words below 4 letters", lies=(ShortWords(4),)),
    Kind("no words below 4 letters, no totals", NONE, lies=(ShortWords(4),)),
    Kind("titles", titles="all"),
    Kind("titles, BM25", BM25, titles="all"),
    Kind("titles, k = 10", NARROW, {"max_terms": 24}, titles="all"),
    Kind("titles, k = 1000", WIDE, titles="all"),
    Kind("titles, no totals", NONE, titles="all"),
    Kind("titles, noisy totals", NOISY, titles="all"),
    Kind("titles, no NOT", NO_NOT, titles="all"),
    Kind("titles searched", titles="searched"),
    Kind("titles searched, BM25", BM25, titles="searched"),
    Kind("titles searched, no totals", NONE, titles="searched"),
    Kind("titles searched, no NOT", NO_NOT, titles="searched"),
)


def drawn(corpus: Sequence[Document], kind: Kind, seed: int) -> list[Document]:
    """Draw the number of a source's documents, and the documents."""
    rng = np.random.default_rng(seed)
    most = min(int(rng.integers(*SIZES)), len(corpus))
    chosen = [corpus[place] for place in sorted(rng.choice(len(corpus), most, replace=False))]
    if kind.titles == "all":
        chosen = [msgspec.structs.replace(each, text="") for each in chosen]
    return chosen


def planned(kind: Kind, documents: Sequence[Document], seed: int) -> tuple[int, Size, list[Route]]:
    """Send a scout; return its requests, the size, and the routes, the harvest's route first."""
    able, ledger = kind.abilities(), Ledger()
    scope = SearchedField(able.limit)

    def make() -> SourceSurvey:
        return SourceSurvey(
            able,
            np.random.default_rng(seed),
            scope=scope,
            left=lambda: 25 - ledger.result_pages,
        )

    scoped = FieldAware(make, scope)
    client = MemoryClient(kind.box(documents, seed, snippets=True))
    asyncio.run(Engine(scoped, client, MemoryStore(), ledger, RunLimits(listing_only=True)).run())
    scout = scoped.policy
    findings = scout.findings
    assert findings is not None
    able, size = findings.abilities, size_of(scout.so_far(), [])
    true = Size(len(documents), len(documents), len(documents), len(documents), "known")
    routes = []
    for each in (size, true):
        forecaster = Forecaster(each, 1.0, document_pages=False, words=scout.vocabulary)
        if able.negation and able.conjunction:
            routes.append(forecaster.partition(able, findings.ranking, "x"))
        else:
            routes.append(forecaster.adaptive(able, findings.ranking, "x"))
    return ledger.result_pages, size, routes


def harvested(kind: Kind, documents: Sequence[Document], seed: int) -> dict[str, int]:
    """Harvest with default options; return the number of pages at each coverage reached."""
    seen: set[str] = set()
    pages: dict[str, int] = {}
    received = 0

    def watch(event: AnyEvent) -> None:
        nonlocal received
        if isinstance(event, PageReceived):
            received += 1
            seen.update(hit.key for hit in event.page.hits)
            for coverage in COVERAGES:
                if len(seen) >= float(coverage) * len(documents):
                    pages.setdefault(coverage, received)

    able = kind.abilities()

    def make() -> Measured:
        planner = make_planner("auto", Options(abilities=able), np.random.default_rng(seed))
        aims = Aims(estimate=False, limit=able.limit, page_size=able.page_size)
        return Measured(planner, aims, np.random.default_rng(seed), dictionary=lambda: [])

    box = kind.box(documents, seed, snippets=kind.listing_only)
    client = Bounded(box, MOST * len(documents) / (able.page_size or 10))
    engine = Engine(
        FieldAware(make, SearchedField(able.limit)),
        client,
        MemoryStore(),
        Ledger(),
        RunLimits(listing_only=kind.listing_only),
        callbacks=Callbacks(observe=watch),
    )
    asyncio.run(engine.run())
    return pages


def row(name: str, corpus: Sequence[Document], kind: Kind, seed: int) -> list[Cell]:
    """Return a row: predict, harvest, compare."""
    documents = drawn(corpus, kind, seed)
    size = len(documents)
    requests, found, routes = planned(kind, documents, seed)
    actual = harvested(kind, documents, seed)
    is_inside = found.low <= size and (found.high is None or size <= found.high)
    high = "" if found.high is None else f"{found.high / size:.2f}"
    interval = f"{found.low / size:.2f} to {high or 'any'}"
    return [
        f"{name} {size:,}, {kind.name}",
        routes[0].route,
        requests,
        None if found.documents is None else round(found.documents / size, 2),
        interval if is_inside else f"NO: {interval}",
        *(
            ratio(_figure(route, coverage, size), actual.get(coverage))
            for route in routes
            for coverage in COVERAGES
        ),
    ]


def _figure(route: Route, coverage: str, size: int) -> float | None:
    """Return a route's predicted pages; a figure per thousand documents is scaled to the size."""
    if not route.per_thousand:
        return route.requests[coverage]
    pages = route.per_thousand[coverage]
    return None if pages is None else pages * size / 1000


def ratio(predicted: float | None, actual: int | None) -> Cell:
    """Return predicted / actual, or which of the two is missing."""
    if predicted is None or actual is None:
        return "neither" if predicted is actual else "ends" if predicted else "not said"
    return round(predicted / actual, 2)


COLUMNS = (
    "source",
    "route",
    "pages",
    "size / N",
    "interval / N",
    *("50 %", "90 %", "98 %"),
    *("N known: 50 %", "90 %", "98 %"),
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure as the options say."""
    parser = corpus_parser(__doc__)
    parser.add_argument("--seed", type=int, action="append", help="may be given again (0)")
    parser.add_argument("--kind", default="", help="a pattern that names of kinds have (all)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables as JSON")
    parser.set_defaults(out=None)
    options = parser.parse_args(arguments)
    report = report_of("plan_sources", options)
    for name in options.corpus or CORPORA:
        corpus = read_corpus(shared_file(f"corpora/{name}.jsonl.gz") if name in NOTES else name)
        label = Path(name).name.removesuffix(".gz").removesuffix(".jsonl")
        kinds = [kind for kind in KINDS if re.search(options.kind, kind.name)]
        for seed in options.seed or [0]:
            rows = [row(label, corpus, kind, seed) for kind in kinds]
            report.table(f"predicted / actual pages, seed {seed}", COLUMNS, rows)
    report.say('"ends": not reached within 6 N / p pages; "not said": beyond the predicted reach')
    report.save()


if __name__ == "__main__":
    run(main)
