"""Half a million documents: coverage, cost of planning, and memory.

A made-up source in memory (terms by Zipf's law, 200 topics, one order for every query, exact
totals), k = 100 and p = 50. Each strategy harvests it in its own process, and stops after --budget
times N/p result pages. Planning is the CPU time within the strategy only: choosing queries, and
processing results. The times of the simulated source, and of the engine with its ledger, are shown
separately.
"""

import asyncio
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from bench.frame import Cell, parser_of, report_of, run
from bench.papers.topics import TopicBox, topic_matrix, word

from longline.comparison import REFERENCE, BudgetedClient, FullKnowledge
from longline.engine import Callbacks, Engine
from longline.events import AnyEvent, PageReceived
from longline.ledger import Ledger, hit_rate, overlapping_rate
from longline.model import Document, Finish, Hit, Page, Query, Request, Search
from longline.planner.capabilities import Capabilities
from longline.planner.strategies import Options, make_planner
from longline.ports import Policy
from longline.store import MemoryStore

STRATEGIES = ("adaptive", "partition", "auto")
"""Optionally also the result of single terms with full knowledge of every answer."""

LIMIT, PAGE_SIZE, MAX_TERMS = 100, 50, 20
WORDS = 100
"""Number of common terms to start with, such as the words of a language."""

MARKS = (0.5, 1.0, 1.5, 2.0)
"""Multiples of N/p at which HR is recorded."""

GOALS: Sequence[Sequence[Cell]] = (
    ("single terms: HR % at x1", "50 or more"),
    ("prototype (single terms): HR % at x0.5/x1/x2", "31/49/68"),
    ("planning: ms of CPU a query", "below 10"),
    ("memory in all: GB", "1.5 at most"),
)
GIGA = 1e9


class Stopwatch:
    """Measures the CPU seconds of its context."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> None:
        self._begun = time.process_time()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.process_time() - self._begun


class TimedPolicy:
    """A policy with two stopwatches: for choosing, and for processing results."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.choosing, self.learning = Stopwatch(), Stopwatch()

    def next(self) -> Search | Request | Finish:
        """Return the next step."""
        with self.choosing:
            return self._policy.next()

    def tell(self, event: AnyEvent) -> None:
        """Process an event."""
        with self.learning:
            self._policy.tell(event)


class TimedClient(BudgetedClient):
    """A client with a budget of pages and a stopwatch."""

    def __init__(self, box: TopicBox, ledger: Ledger, pages: float) -> None:
        super().__init__(box, ledger, pages)
        self.answering = Stopwatch()

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return a result page, while the budget lasts."""
        with self.answering:
            return await super().search(query, number, request)

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Return a document."""
        with self.answering:
            return await super().read(hit)


@dataclass(frozen=True)
class Measured:
    """The result of one strategy; milliseconds are of CPU, per query.

    Attributes:
        hit_rates: HR by multiple of N/p, as far as reached.
        engine_ms: All except planning and answering: the engine, its journal, its ledger.
        before, peak: Bytes of memory with the source alone, and the maximum.
    """

    strategy: str
    hit_rates: dict[float, float]
    overlapping_rate: float
    queries: int
    choosing_ms: float
    learning_ms: float
    answering_ms: float
    engine_ms: float
    before: float
    peak: float

    def row(self) -> list[Cell]:
        """Return it as a row of the table."""
        rates = [self.hit_rates.get(mark) for mark in MARKS]
        shares: list[Cell] = [None if rate is None else f"{rate:.1%}" for rate in rates]
        planning = self.choosing_ms + self.learning_ms
        spent: list[Cell] = [planning, self.choosing_ms, self.learning_ms]
        beside: list[Cell] = [self.answering_ms, self.engine_ms]
        memory: list[Cell] = [self.before / GIGA, self.peak / GIGA]
        head: list[Cell] = [self.strategy, *shares, self.overlapping_rate, self.queries]
        return [*head, *spent, *beside, *memory]


COLUMNS = (
    "strategy",
    *(f"x{mark:g}" for mark in MARKS),
    "OR",
    "queries",
    "planning ms",
    "choose",
    "take in",
    "answer ms",
    "engine ms",
    "GB before",
    "GB peak",
)


def peak_memory() -> float:
    """Return the peak memory of this process so far, in bytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(most if sys.platform == "darwin" else 1024 * most)


def memory() -> float:
    """Return the memory of this process in bytes; its peak where the system reports only that."""
    status = Path("/proc/self/statm")
    if not status.exists():
        return peak_memory()
    return float(status.read_text().split()[1]) * resource.getpagesize()


def harvest(strategy: str, documents: int, seed: int, budget: float) -> Measured:
    """Make the source, and harvest it with a strategy."""
    box = TopicBox(topic_matrix(documents, seed), LIMIT, PAGE_SIZE)
    before = memory()
    ledger = Ledger(size=documents, limit=LIMIT, page_size=PAGE_SIZE)
    least = documents / PAGE_SIZE
    policy = TimedPolicy(_policy(strategy, box, seed))
    client = TimedClient(box, ledger, budget * least)
    noted: dict[float, float] = {}
    total = Stopwatch()
    with total:
        watch = _noter(ledger, documents, noted)
        asyncio.run(
            Engine(policy, client, MemoryStore(), ledger, callbacks=Callbacks(observe=watch)).run()
        )
    queries = max(ledger.queries, 1)
    planning = policy.choosing.seconds + policy.learning.seconds
    return Measured(
        strategy=strategy,
        hit_rates=noted,
        overlapping_rate=overlapping_rate(ledger.rows_received, ledger.documents_seen),
        queries=ledger.queries,
        choosing_ms=1000 * policy.choosing.seconds / queries,
        learning_ms=1000 * policy.learning.seconds / queries,
        answering_ms=1000 * client.answering.seconds / queries,
        engine_ms=1000 * (total.seconds - planning - client.answering.seconds) / queries,
        before=before,
        peak=peak_memory(),
    )


def _policy(strategy: str, box: TopicBox, seed: int) -> Policy:
    if strategy == REFERENCE:
        shown = box.shown()
        return FullKnowledge(shown, [word(term) for term in range(shown.shape[1])], PAGE_SIZE)
    abilities = Capabilities(
        limit=LIMIT,
        page_size=PAGE_SIZE,
        negation=True,
        disjunction=True,
        max_terms=MAX_TERMS,
        counts="exact",
    )
    options = Options(words=[word(term) for term in range(WORDS)], abilities=abilities)
    return make_planner(strategy, options, np.random.default_rng(seed))


def _noter(ledger: Ledger, documents: int, noted: dict[float, float]) -> Callable[[AnyEvent], None]:
    """Return an observer that records HR at each mark."""

    def watch(event: AnyEvent) -> None:
        if isinstance(event, PageReceived):
            for mark in MARKS:
                if ledger.result_pages == int(mark * documents / PAGE_SIZE):
                    noted[mark] = hit_rate(ledger.documents_seen, documents)

    return watch


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure as the options say."""
    parser = parser_of(__doc__ or "", runs=1)
    parser.add_argument("--documents", type=int, default=500_000, help="of the source (500000)")
    parser.add_argument("--budget", type=float, default=1.0, help="result pages, in N/p (1)")
    parser.add_argument(
        "--strategy",
        action="append",
        choices=(*STRATEGIES, REFERENCE),
        help=f"all of them by default, but not {REFERENCE}",
    )
    options = parser.parse_args(arguments)
    report = report_of("large_source", options)
    rows = []
    for strategy in options.strategy or STRATEGIES:
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=spawn) as pool:
            work = (strategy, options.documents, options.seed, options.budget)
            rows.append(pool.submit(harvest, *work).result().row())
        report.say(f"{time.strftime('%H:%M:%S')} {rows[-1]}")
    report.table(f"{options.documents:,} made-up documents, seed {options.seed}", COLUMNS, rows)
    report.table("Targets", ("what", "target"), GOALS)
    report.save()


if __name__ == "__main__":
    run(main)
