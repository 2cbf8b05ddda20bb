"""How often a certificate's size interval contains the truth if the source lies.

Each harvest has its own source: documents drawn at random from a corpus, in memory, behind a search
box that tells one lie (`bench.faulty.lies`) or, for comparison, none. It runs to its end like
`longline harvest`. Tested is the certificate's [size_low, size_high]. If some documents are never
shown, or cannot be read, the truth may be either all documents or the available ones.
"""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
from bench.faulty.lies import (
    ClampedTotals,
    EmptyPage,
    FaultySource,
    GrowingTotals,
    IgnoredNot,
    Lie,
    NotAsWord,
    OrForAnd,
    PageTotals,
    RandomStandIns,
    RepeatedPage,
    RoundedTotals,
    ScaledTotals,
    ShardDown,
    ShortPage,
    ShortWords,
    ShuffledPages,
    StandIns,
    StopWords,
    TruncatedQuery,
    WithheldDocuments,
)
from bench.frame import NOTES, Cell, corpus_parser, report_of, run, shared_file

from longline.engine import Callbacks, Engine
from longline.errors import RefusedError
from longline.ledger import Certificate, Facts, Ledger, certificate_of
from longline.model import Document, Hit, Query
from longline.planner.capabilities import Capabilities
from longline.planner.measure import Aims, Measured
from longline.planner.probe.searched_field import FieldAware, SearchedField
from longline.planner.strategies import Options, make_planner
from longline.simulate import MemoryClient, Searcher, read_corpus
from longline.simulate.search.searcher import Counts
from longline.store import MemoryStore

SHARDS = 3
FAILING = 0.055
"""Share of the documents that cannot be read: 33 of 600."""

CORPORA = ("reuters", "newsgroups", "docstrings")
SIZES = (600, 1500)
STRATEGIES = ("auto",)


@dataclass(frozen=True, eq=False)
class Source:
    """A source that may lie; `seed` decides its documents and all other draws."""

    documents: Sequence[Document]
    seed: int
    limit: int
    page_size: int
    counts: Counts = "exact"

    def box(self, documents: Sequence[Document] | None = None) -> Searcher:
        """Return the honest box, with all documents or some."""
        return Searcher(
            self.documents if documents is None else documents,
            ranking="static",
            limit=self.limit,
            page_size=self.page_size,
            counts=self.counts,
            seed=self.seed,
            snippets=False,
        )

    def frequent(self) -> str:
        """Return a word that about a tenth of the documents contain."""
        wanted = len(self.documents) / 10
        dfs = self.box().document_frequencies()
        return min(dfs, key=lambda word: (abs(dfs[word] - wanted), word))

    def shards(self) -> tuple[Searcher, ...]:
        """Return boxes that each lack a different part of the documents."""
        shard = [Random(f"{self.seed} {each.key}").randrange(SHARDS) for each in self.documents]
        pairs = list(zip(self.documents, shard, strict=True))
        return tuple(
            self.box([each for each, number in pairs if number != down]) for down in range(SHARDS)
        )

    def hits(self) -> tuple[Hit, ...]:
        """Return rows for all documents."""
        return tuple(Hit(each.key, f"memory:{each.key}", each.title) for each in self.documents)


STOP = frozenset({"the", "of", "and", "to", "in", "a"})
MAKERS: dict[str, Callable[[Source], tuple[Lie, ...]]] = {
    "none": lambda source: (),
    "StandIns": lambda source: (StandIns(Query((source.frequent(),))),),
    "RandomStandIns": lambda source: (RandomStandIns(source.hits()),),
    "ShardDown": lambda source: (ShardDown(source.shards()),),
    "WithheldDocuments": lambda source: (WithheldDocuments(0.1),),
    "ScaledTotals x 10": lambda source: (ScaledTotals(10.0),),
    "ScaledTotals x 1.3": lambda source: (ScaledTotals(1.3),),
    "ScaledTotals x .5": lambda source: (ScaledTotals(0.5),),
    "ClampedTotals": lambda source: (ClampedTotals(200),),
    "PageTotals": lambda source: (PageTotals(),),
    "GrowingTotals": lambda source: (GrowingTotals(),),
    "RoundedTotals": lambda source: (RoundedTotals(100),),
    "RoundedTotals 10": lambda source: (RoundedTotals(10),),
    "ShuffledPages": lambda source: (ShuffledPages(),),
    "ShortPage": lambda source: (ShortPage(1, 3),),
    "EmptyPage": lambda source: (EmptyPage(2),),
    "RepeatedPage": lambda source: (RepeatedPage(2),),
    "IgnoredNot": lambda source: (IgnoredNot(),),
    "NotAsWord": lambda source: (NotAsWord(),),
    "OrForAnd": lambda source: (OrForAnd(),),
    "TruncatedQuery": lambda source: (TruncatedQuery(5),),
    "ShortWords": lambda source: (ShortWords(4),),
    "StopWords": lambda source: (StopWords(STOP),),
    "failing documents": lambda source: (),
}


class FailingClient(MemoryClient):
    """A client for which some documents answer 404."""

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Return the document of a hit, unless it fails.

        Raises:
            RefusedError: The document is one of those that fail.
        """
        document, requests = await super().read(hit)
        if fails(hit.key):
            raise RefusedError(f"{hit.url} answered 404", advice="skip it")
        return document, requests


def fails(key: str) -> bool:
    """Return whether a document cannot be read."""
    return Random(f"fails {key}").random() < FAILING


def certified(source: Source, name: str, strategy: str) -> Certificate:
    """Harvest a source to its end, and return the certificate."""
    lies = MAKERS[name](source)
    box = FaultySource(source.box(), *lies) if lies else source.box()
    able = Capabilities(
        limit=source.limit,
        page_size=source.page_size,
        negation=True,
        counts="exact" if source.counts == "exact" else "none",
    )
    aims = Aims(limit=able.limit, page_size=able.page_size)

    def make() -> Measured:
        rng = np.random.default_rng(source.seed)
        planner = make_planner(strategy, Options(abilities=able), rng)
        return Measured(planner, aims, np.random.default_rng([source.seed, 1]))

    policy = FieldAware(make, SearchedField(able.limit))
    ledger = Ledger(limit=source.limit, page_size=source.page_size)
    client = (FailingClient if name == "failing documents" else MemoryClient)(box)
    engine = Engine(
        policy,
        client,
        MemoryStore(),
        ledger,
        callbacks=Callbacks(conclude=lambda is_over: policy.policy.conclude(is_over)),
    )
    asyncio.run(engine.run())
    return certificate_of(ledger, Facts(source="bench", strategy=strategy, seed=source.seed))


def truths(source: Source, name: str) -> set[int]:
    """Return every correct answer for the number of a source's documents."""
    found = {len(source.documents)}
    if name == "WithheldDocuments":
        found.add(sum(not WithheldDocuments(0.1).withholds(d.key) for d in source.documents))
    if name == "failing documents":
        found.add(sum(not fails(each.key) for each in source.documents))
    return found


@dataclass(frozen=True)
class Told:
    """The interval of one certificate."""

    low: int | None
    high: int | None
    size: int | None
    held: int
    truths: set[int]

    @property
    def side(self) -> int:
        """-1 if the interval is below every truth, 1 if above, otherwise 0."""
        if self.high is not None and self.high < min(self.truths):
            return -1
        return int(self.low is not None and self.low > max(self.truths))

    @property
    def width(self) -> float:
        """Width of the interval, in multiples of the largest truth."""
        if self.low is None or self.high is None:
            return float("inf")
        return (self.high - self.low) / max(self.truths)


COLUMNS = (
    "lie",
    "harvests",
    "truth inside",
    "below / above",
    "width / N, median",
    "size / N, median",
    "held / N, median",
)


def row(name: str, found: Sequence[Told]) -> list[Cell]:
    """Return a row that summarises the harvests of one kind of source."""
    sides = [each.side for each in found]
    sizes = [each.size / max(each.truths) for each in found if each.size is not None]
    return [
        name,
        len(found),
        f"{sides.count(0)} ({100 * sides.count(0) / len(found):.0f} %)",
        f"{sides.count(-1)} / {sides.count(1)}",
        round(float(np.median([each.width for each in found])), 3),
        round(float(np.median(sizes)), 3) if sizes else None,
        round(float(np.median([each.held / max(each.truths) for each in found])), 3),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure as the options say."""
    parser = corpus_parser(__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="of each lie, corpus and size (5)")
    parser.add_argument("--documents", type=int, action="append", help="of a source (600, 1500)")
    parser.add_argument("--strategy", action="append", help="of the harvests (auto)")
    parser.add_argument("--counts", default="exact", choices=("exact", "none"))
    parser.add_argument("--lie", default="", help="a pattern that names of lies have (all)")
    parser.add_argument("--show", action="store_true", help="print each interval that is wrong")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table as JSON")
    parser.set_defaults(out=None)
    options = parser.parse_args(arguments)
    report = report_of("lie_intervals", options)
    corpora = {
        name: read_corpus(shared_file(f"corpora/{name}.jsonl.gz") if name in NOTES else name)
        for name in options.corpus or CORPORA
    }
    rows, everything = [], []
    for name in (name for name in MAKERS if re.search(options.lie, name)):
        began, told = time.perf_counter(), []
        ways = product(corpora, options.documents or SIZES, options.strategy or STRATEGIES)
        for (corpus, size, strategy), seed in product(ways, range(options.seeds)):
            source = drawn(corpora[corpus], size, seed, options.counts)
            found = certified(source, name, strategy)
            each = Told(
                found.size_low, found.size_high, found.size, found.documents, truths(source, name)
            )
            told.append(each)
            if options.show and each.side:
                report.say(f"{name}, {corpus}, {strategy}, seed {seed}: {each}")
        if options.show:
            report.say(f"{row(name, told)} {time.perf_counter() - began:.0f} s")
        rows.append(row(name, told))
        everything += told
    report.table("certificates", COLUMNS, [*rows, row("all", everything)])
    report.save()


def drawn(corpus: Sequence[Document], size: int, seed: int, counts: Counts) -> Source:
    """Draw the documents of a source."""
    rng = np.random.default_rng([seed, size])
    places = rng.choice(len(corpus), min(size, len(corpus)), replace=False)
    limit, page_size = ((50, 10), (100, 50))[seed % 2]
    return Source([corpus[place] for place in places], seed, limit, page_size, counts)


if __name__ == "__main__":
    run(main)
