"""How often the interval of a harvest's size estimate contains the truth during the harvest.

Complete harvests by the engine, with probes sent and counted as in any harvest, of random parts of
a corpus behind a simulated source. Every concluded estimate is a checkpoint; the documents held
then, without probes, decide in which row of the table it counts. The checkpoints of one harvest are
not independent.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from bench.frame import NOTES, corpus_parser, report_of, run, shared_file
from msgspec.structs import replace

from longline.comparison import Setting, searcher_of
from longline.engine import Callbacks, Engine
from longline.events import AnyEvent, Concluded
from longline.ledger import Ledger
from longline.model import Document
from longline.planner.capabilities import Capabilities
from longline.planner.measure import Aims, Measured
from longline.planner.strategies import Options, make_planner
from longline.simulate import MemoryClient, read_corpus
from longline.store import MemoryStore

SINGLE = Setting(boolean=False)
SINGLE_BM25 = Setting(boolean=False, ranking="bm25")
CELLS = Setting(counts="none")
WAYS = (
    ("adaptive", SINGLE),
    ("adaptive", SINGLE_BM25),
    ("ts-ids", SINGLE),
    ("random-dictionary", SINGLE_BM25),
    ("auto", SINGLE),
    ("auto", CELLS),
)
BANDS = ((0.0, 0.5), (0.5, 0.75), (0.75, 0.92), (0.92, 1.01))
COLUMNS = (
    "held",
    "checkpoints",
    "covered %",
    "too low / high",
    "half width %, median",
    "hits, median",
)


@dataclass(frozen=True)
class Checkpoint:
    """An estimate and the truth.

    Attributes:
        held: Share of the source that the harvest's own queries had brought.
        truth: Number of documents of the source.
        low, high: The interval; high is infinite if there is no upper limit.
        hits: Number of probes with hits.
    """

    held: float
    truth: int
    low: float
    high: float
    hits: int

    @property
    def half_width(self) -> float:
        """Half the width of the interval, in percent of the truth."""
        return 50 * (self.high - self.low) / self.truth


def checkpoints(
    documents: Sequence[Document], strategy: str, setting: Setting, seed: int
) -> Iterator[Checkpoint]:
    """Harvest a source, and yield every estimate concluded on the way."""
    searcher = searcher_of(documents, setting, seed)
    ledger = Ledger(limit=setting.limit, page_size=setting.page_size)
    abilities = Capabilities(
        limit=setting.limit,
        page_size=setting.page_size,
        negation=setting.boolean,
        counts=setting.counts,  # type: ignore[arg-type]  # exact or none
    )
    planner = make_planner(strategy, Options(abilities=abilities), np.random.default_rng(seed))
    aims = Aims(limit=setting.limit, page_size=setting.page_size)
    policy = Measured(planner, aims, np.random.default_rng([seed, 1]))
    found: list[Checkpoint] = []

    def note(event: AnyEvent) -> None:
        if isinstance(event, Concluded) and event.size is not None:
            size = event.size
            high = float("inf") if size.high is None else size.high
            held = ledger.documents_seen / len(documents)
            found.append(Checkpoint(held, len(documents), size.low, high, size.hits))

    client = MemoryClient(searcher)
    engine = Engine(
        policy,
        client,
        MemoryStore(),
        ledger,
        callbacks=Callbacks(conclude=policy.conclude, observe=note),
    )
    asyncio.run(engine.run())
    yield from found


def rows(found: Sequence[Checkpoint]) -> Iterator[list[str]]:
    """Yield rows that summarise checkpoints by coverage."""
    for low, high in BANDS:
        band = [each for each in found if low <= each.held < high]
        if not band:
            continue
        too_low = sum(each.high < each.truth for each in band)
        too_high = sum(each.low > each.truth for each in band)
        covered = 100 * (1 - (too_low + too_high) / len(band))
        yield [
            f"{low:g} to {min(high, 1):g}",
            str(len(band)),
            f"{covered:.1f}",
            f"{too_low} / {too_high}",
            f"{np.median([each.half_width for each in band]):.1f}",
            f"{np.median([each.hits for each in band]):.0f}",
        ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure as the options say."""
    parser = corpus_parser(__doc__)
    parser.add_argument("--documents", type=int, default=1500, help="of each source (1500)")
    parser.add_argument("--limit", type=int, default=50, help="return limit k (50)")
    parser.add_argument("--seeds", type=int, default=3, help="0, 1, ...: sources of a corpus (3)")
    parser.add_argument("--minutes", type=float, help="after so many begin no further harvest")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables as JSON")
    parser.set_defaults(out=None)
    options = parser.parse_args(arguments)
    report = report_of("harvest_intervals", options)
    found: dict[str, list[Checkpoint]] = {}
    end = time.monotonic() + 60 * (options.minutes or float("inf"))
    corpora = {
        name: read_corpus(shared_file(f"corpora/{name}.jsonl.gz") if name in NOTES else name)
        for name in options.corpus or NOTES
    }
    for seed, (strategy, setting), name in product(range(options.seeds), WAYS, corpora):
        if time.monotonic() > end:
            break
        rng = np.random.default_rng(seed)
        everything = corpora[name]
        chosen = rng.choice(len(everything), min(options.documents, len(everything)), replace=False)
        part = [everything[place] for place in chosen]
        way = f"{strategy}, {setting.ranking}, {'AND, NOT' if setting.boolean else 'single terms'}"
        limited = replace(setting, limit=options.limit)
        came = list(checkpoints(part, strategy, limited, seed))
        found.setdefault(way, []).extend(came)
        found.setdefault(name, []).extend(came)
        found.setdefault("all", []).extend(came)
    for title, part in found.items():
        report.table(f"{title}: 95 % intervals", COLUMNS, list(rows(part)))
    report.save()


if __name__ == "__main__":
    run(main)
