"""Accuracy of the predictions of `longline plan`: docs/research/decisions/0016-plan.md.

A scout probes a simulated source by titles and snippets, as `longline plan` does, and estimates its
number of documents; then the source is harvested. "predicted / actual" compares result pages at 90
and 98 % of the documents: with the scout's size, and with the true one, which leaves only the error
of the growth curves. Document pages are left out, as each is exactly one request.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from bench.frame import Cell, Collection, Report, collections, parser_of, report_of, run

from longline.engine import Callbacks, Engine, RunLimits
from longline.errors import BudgetSpent
from longline.events import AnyEvent, PageReceived
from longline.ledger import Ledger
from longline.model import Document, Page, Query, Request
from longline.planner.capabilities import Capabilities
from longline.planner.probe.page_forecast import PageForecast, adaptive_outlook, partition_outlook
from longline.planner.probe.survey import SourceSurvey
from longline.planner.strategies import Options, make_planner
from longline.ports import Policy
from longline.simulate import MemoryClient, Searcher
from longline.simulate.search.searcher import NOISY_SIGMA, Counts, Ranking
from longline.store import MemoryStore

BOUNDS = ((10, 10), (100, 50), (1000, 50))
TOTALS: tuple[Counts, ...] = ("exact", "approximate", "none")
TOLD = {"exact": "exact", "approximate": "about", "none": "none"}
COVERAGES = (0.9, 0.98)
MOST = 6.0
"""Maximum number of pages of a harvest, in multiples of N / p."""


@dataclass(frozen=True, eq=False)
class Setting:
    """A source to predict."""

    documents: list[Document]
    limit: int
    page_size: int
    totals: Counts
    ranking: Ranking
    seed: int

    @property
    def size(self) -> int:
        """Number of documents, N."""
        return len(self.documents)

    def box(self, *, snippets: bool) -> Searcher:
        """Return the source."""
        return Searcher(
            self.documents,
            limit=self.limit,
            page_size=self.page_size,
            counts=self.totals,
            ranking=self.ranking,
            count_sigma=NOISY_SIGMA,
            seed=self.seed,
            snippets=snippets,
        )

    @property
    def abilities(self) -> Capabilities:
        """Return the source's abilities as a spec states them."""
        return Capabilities(
            limit=self.limit,
            page_size=self.page_size,
            negation=True,
            max_terms=20,
            counts=TOLD[self.totals],  # type: ignore[arg-type]
        )


class Bounded(MemoryClient):
    """A client that returns a limited number of pages."""

    def __init__(self, box: Searcher, pages: float) -> None:
        super().__init__(box)
        self._pages = pages

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return a page, while the budget lasts."""
        self._pages -= 1
        if self._pages < 0:
            raise BudgetSpent("the page budget is spent")
        return await super().search(query, number, request)


def probed(setting: Setting) -> SourceSurvey:
    """Probe a source with a scout, and return the scout."""
    scout = SourceSurvey(setting.abilities, np.random.default_rng(setting.seed))
    client = MemoryClient(setting.box(snippets=True))
    asyncio.run(Engine(scout, client, MemoryStore(), Ledger(), RunLimits(listing_only=True)).run())
    return scout


def harvested(setting: Setting, strategy: str) -> dict[float, int]:
    """Harvest; return the number of pages at each coverage that was reached."""
    seen: set[str] = set()
    pages: dict[float, int] = {}
    received = 0

    def watch(event: AnyEvent) -> None:
        nonlocal received
        if isinstance(event, PageReceived):
            received += 1
            seen.update(hit.key for hit in event.page.hits)
            for coverage in COVERAGES:
                if len(seen) >= coverage * setting.size:
                    pages.setdefault(coverage, received)

    policy: Policy = make_planner(
        strategy, Options(abilities=setting.abilities), np.random.default_rng(setting.seed)
    )
    client = Bounded(setting.box(snippets=False), MOST * setting.size / setting.page_size)
    ledger = Ledger(size=setting.size, limit=setting.limit, page_size=setting.page_size)
    asyncio.run(
        Engine(policy, client, MemoryStore(), ledger, callbacks=Callbacks(observe=watch)).run()
    )
    return pages


def ratios(outlook: PageForecast | None, actual: dict[float, int]) -> list[Cell]:
    """Return predicted / actual for each coverage; "ends" if one of them does not reach it."""
    cells: list[Cell] = []
    for coverage in COVERAGES:
        predicted = None if outlook is None else outlook.pages[coverage]
        pages = actual.get(coverage)
        if outlook is None:
            cells.append(None)
        elif predicted is None or pages is None:
            cells.append("both end" if predicted is pages else "pred. ends" if pages else "ends")
        else:
            cells.append(round(predicted / pages, 2))
    return cells


def row(name: str, setting: Setting, strategy: str) -> list[Cell]:
    """Return a row: predict, harvest, compare."""
    scout = probed(setting)
    findings, sounding = scout.findings, scout.so_far()
    assert findings is not None

    def outlook(documents: float) -> PageForecast:
        if strategy == "partition":
            return partition_outlook(
                documents, findings.abilities, scout.vocabulary, findings.ranking
            )
        return adaptive_outlook(documents, findings.abilities, findings.ranking, scout.vocabulary)

    actual = harvested(setting, strategy)
    found = sounding.documents
    share = None if found is None else round(found / setting.size, 2)
    high = sounding.high
    is_inside = sounding.low <= setting.size and (high is None or setting.size <= high)
    source = f"{name} {setting.size:,}, k = {setting.limit}, p = {setting.page_size}"
    return [
        source,
        f"{setting.totals} {setting.ranking}",
        scout.queries,
        share,
        "yes" if is_inside else "NO",
        *ratios(None if found is None else outlook(found), actual),
        *ratios(outlook(setting.size), actual),
    ]


COLUMNS = (
    "source",
    "totals, ranking",
    "queries",
    "size / N",
    "N inside",
    "as sounded 90",
    "98",
    "N known 90",
    "98",
)


def measure(collection: Collection, report: Report, most: int, strategies: Sequence[str]) -> None:
    """Print a table for each strategy."""
    texts = collection.texts
    rng = np.random.default_rng(report.options.seed)
    if len(texts) > most:
        texts = [texts[place] for place in sorted(rng.choice(len(texts), most, replace=False))]
    documents = [Document(f"d{place}", text=text) for place, text in enumerate(texts)]
    for strategy in strategies:
        rows = []
        for limit, size in BOUNDS:
            for totals in TOTALS if strategy == "partition" else TOTALS[:1]:
                rankings: tuple[Ranking, ...] = ("static", "bm25")
                for ranking in rankings if totals == "exact" else rankings[:1]:
                    for turn in range(report.options.runs):
                        seed = report.options.seed + turn
                        setting = Setting(documents, limit, size, totals, ranking, seed)
                        rows.append(row(collection.name, setting, strategy))
        report.table(f"{strategy}: predicted / actual pages", COLUMNS, rows)


def main(arguments: list[str] | None = None) -> None:
    """Measure as the options say."""
    parser = parser_of(__doc__ or "", runs=1)
    parser.add_argument("--documents", type=int, default=8000, help="of a corpus at most (8000)")
    parser.add_argument(
        "--strategy", action="append", choices=["partition", "adaptive"], help="both by default"
    )
    options = parser.parse_args(arguments)
    report = report_of("plan_predictions", options)
    for collection in collections(options):
        strategies = options.strategy or ["partition", "adaptive"]
        measure(collection, report, options.documents, strategies)
    report.save()


if __name__ == "__main__":
    run(main)
