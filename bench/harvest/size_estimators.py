"""How well estimators know a source's size during a harvest: harvest.md, "How big is it".

A strategy harvests a simulated source; at every tenth of the source each estimator gives its
estimate. Probes are drawn once the harvest holds a tenth (--from), until 100 of them have hits;
they are used at every later checkpoint, and some are added there. Coverage is the share of
checkpoints whose 95 % interval contains the truth. The same harvest is combined with several draws
of probes (--draws).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from bench.frame import Cell, Collection, Report, collections, parser_of, report_of, run

from longline.engine import Callbacks, Engine
from longline.errors import BudgetSpent
from longline.estimate import ProbeEstimator, SizeEstimate, chao1, overlap, petersen
from longline.events import AnyEvent, PageReceived
from longline.ledger import Ledger
from longline.model import Document, Page, Query, Request
from longline.planner.capabilities import Capabilities
from longline.planner.strategies import STRATEGIES, Options, make_planner
from longline.simulate import MemoryClient, Searcher
from longline.simulate.search.searcher import Ranking
from longline.store import MemoryStore
from longline.text.seed_words import english

STRATEGY_NAMES = ("random-dictionary", "ts-ids", "adaptive")
SOURCES: tuple[tuple[int, Ranking], ...] = ((100, "static"), (100, "bm25"), (1000, "bm25"))
PAGE = 50
TARGETS: dict[str, Cell] = {
    "probes": ".92-1.03",
    "chao1": ".46-.95",
    "petersen": ".46-.95",
    "overlap": ".76-1.5",
}
BANDS = ((0.0, 0.5), (0.5, 0.75), (0.75, 0.92), (0.92, 1.01))
TARGET_WIDTHS: tuple[Cell, ...] = (None, "12 %", "6 %", "3 %")


@dataclass(frozen=True)
class Answer:
    """A result page of a harvest: the query's single term, and document numbers."""

    term: str
    documents: list[int]


@dataclass(frozen=True, eq=False)
class Source:
    """A corpus behind a search box, with the terms of its documents."""

    collection: Collection
    documents: list[Document]
    terms: list[list[str]]
    matches: Mapping[str, np.ndarray]
    limit: int
    ranking: Ranking

    @property
    def title(self) -> str:
        """Description of the source."""
        return f"{self.collection.name}, k = {self.limit}, {self.ranking}"

    def is_complete(self, term: str) -> bool:
        """Return whether the box shows every match of a term."""
        return len(self.matches.get(term, ())) <= self.limit

    def harvest(self, strategy: str, seed: int, pages: float) -> list[Answer]:
        """Run a strategy until it ends or has used `pages` times the minimum of result pages."""
        box = Searcher(
            self.documents,
            limit=self.limit,
            page_size=PAGE,
            ranking=self.ranking,
            seed=seed,
            snippets=False,
        )
        number = {document.key: place for place, document in enumerate(self.documents)}
        found: list[Answer] = []

        def observe(event: AnyEvent) -> None:
            if isinstance(event, PageReceived):
                keys = [number[hit.key] for hit in event.page.hits]
                found.append(Answer(event.query.required[0], keys))

        options = Options(abilities=Capabilities(limit=self.limit, page_size=PAGE))
        planner = make_planner(strategy, options, np.random.default_rng([seed, 1]))
        client = _Budgeted(box, round(pages * len(self.documents) / PAGE))
        engine = Engine(
            planner, client, MemoryStore(), Ledger(), callbacks=Callbacks(observe=observe)
        )
        asyncio.run(engine.run())
        return found


class _Budgeted(MemoryClient):
    """Stops after a number of result pages."""

    def __init__(self, box: Searcher, pages: int) -> None:
        super().__init__(box)
        self._pages = pages

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        if not self._pages:
            raise BudgetSpent("every page of this bench is spent")
        self._pages -= 1
        return await super().search(query, number, request)


@dataclass
class Checkpoint:
    """An estimate at the moment when a part of the source was held."""

    held: float
    size: int
    estimate: SizeEstimate

    @property
    def relative(self) -> float:
        """The estimated size / the truth."""
        return self.estimate.documents / self.size

    @property
    def is_right(self) -> bool:
        """Whether the interval contains the truth."""
        high = np.inf if self.estimate.high is None else self.estimate.high
        return self.estimate.low <= self.size <= high

    @property
    def half_width(self) -> float:
        """Half width of the interval / the estimate; nan without an upper limit."""
        if self.estimate.high is None:
            return np.nan
        return (self.estimate.high - self.estimate.low) / 2 / self.estimate.documents


@dataclass
class Found:
    """Checkpoints by method, over all harvests."""

    checkpoints: dict[str, list[Checkpoint]] = field(default_factory=dict)

    def add(self, held: int, size: int, estimate: SizeEstimate | None) -> None:
        """Add a checkpoint, if the method gives an estimate."""
        if estimate is not None:
            checkpoint = Checkpoint(held / size, size, estimate)
            self.checkpoints.setdefault(estimate.method, []).append(checkpoint)

    def merge(self, other: Found) -> None:
        """Add the checkpoints of another object."""
        for method, checkpoints in other.checkpoints.items():
            self.checkpoints.setdefault(method, []).extend(checkpoints)


def checkpoints_of(answers: Sequence[Answer], size: int) -> Iterator[tuple[int, int]]:
    """Yield (answers so far, documents held) at every tenth of the source and at the end."""
    held: set[int] = set()
    tenth = 1
    for place, answer in enumerate(answers, 1):
        held.update(answer.documents)
        is_last = place == len(answers)
        if len(held) >= tenth * size / 10 or is_last:
            tenth = int(10 * len(held) / size) + 1
            yield place, len(held)


def simple_estimates(source: Source, answers: Sequence[Answer], found: Found) -> None:
    """Add the estimates of methods that use only the harvest's own answers."""
    size = len(source.documents)
    for place, held in checkpoints_of(answers, size):
        times: Counter[int] = Counter()
        catches: tuple[set[int], set[int]] = (set(), set())
        for number, answer in enumerate(answers[:place]):
            times.update(answer.documents)
            catches[number % 2].update(answer.documents)
        often = Counter(times.values())
        found.add(held, size, chao1(held, often[1], often[2]))
        both = len(catches[0] & catches[1])
        found.add(held, size, petersen(len(catches[0]), len(catches[1]), both))
        found.add(held, size, overlap(sum(times.values()), held))


def probe_estimates(
    source: Source,
    answers: Sequence[Answer],
    words: Sequence[str],
    seed: int,
    settings: tuple[float, int],
    found: Found,
) -> None:
    """Follow a harvest with one draw of probes."""
    begin, hits = settings
    size = len(source.documents)
    rng = np.random.default_rng([seed, 2])
    estimator = ProbeEstimator(words, rng, limit=source.limit, enough=hits)
    told = 0
    for place, held in checkpoints_of(answers, size):
        for answer in answers[told:place]:
            estimator.answered(answer.term, is_complete=source.is_complete(answer.term))
            for document in answer.documents:
                estimator.hold(str(document), source.terms[document])
        told = place
        if held >= begin * size:
            ask(source, estimator)
        found.add(held, size, estimator.estimate())


def ask(source: Source, estimator: ProbeEstimator) -> None:
    """Send all probes that the estimator requests."""
    while (word := estimator.next_word()) is not None:
        if not source.is_complete(word):
            estimator.probe(word, None)
            continue
        matches = source.matches.get(word, np.empty(0, dtype=np.int32)).tolist()
        estimator.probe(word, {str(number): source.terms[number] for number in matches})


def rows_by_tenth(found: Found) -> Iterator[list[Cell]]:
    """Yield mean estimates relative to the truth, by tenth of the source and method."""
    for tenth in range(1, 11):
        row: list[Cell] = [f".{tenth}" if tenth < 10 else "1"]
        for method in TARGETS:
            near = [each for each in found.checkpoints[method] if round(10 * each.held) == tenth]
            row.append(float(np.mean([each.relative for each in near])) if near else None)
            values = [each.relative for each in near] or [np.nan]
            row.append(f"{min(values):.2f}-{max(values):.2f}" if near else None)
        if any(cell is not None for cell in row[1:]):
            yield row


def rows_by_band(found: Found) -> Iterator[list[Cell]]:
    """Yield coverage and width of the probes' intervals, by share held."""
    for (low, high), target in zip(BANDS, TARGET_WIDTHS, strict=True):
        band = [each for each in found.checkpoints["probes"] if low <= each.held < high]
        if not band:
            continue
        below = sum(each.size > (each.estimate.high or np.inf) for each in band)
        above = sum(each.size < each.estimate.low for each in band)
        yield [
            f"HR {low:.2f} to {min(high, 1):.2f}",
            len(band),
            f"{np.mean([each.is_right for each in band]):.1%}",
            f"{below} / {above}",
            target,
            f"{np.nanmedian([each.half_width for each in band]):.1%}",
            f"{np.mean([each.estimate.probes / each.estimate.hits for each in band]):.2f}",
        ]


def report_on(report: Report, title: str, found: Found) -> None:
    """Print the results for a source, or for all."""
    if "probes" not in found.checkpoints:
        report.say(f"{title}: no checkpoint")
        return
    columns = ["HR"]
    for method, target in TARGETS.items():
        columns += [f"{method} (design {target})", "range"]
    report.table(f"{title}: size believed / truth", columns, list(rows_by_tenth(found)))
    report.table(
        f"{title}: 95 % intervals of the probes (to cover 93-98 % from HR .5 on)",
        ("held", "checkpoints", "covered", "too low / high", "half width, design", "here", "tried"),
        list(rows_by_band(found)),
    )


def source_of(collection: Collection, limit: int, ranking: Ranking) -> Source:
    """Return a corpus as a source."""
    documents = [Document(str(place), text=text) for place, text in enumerate(collection.texts)]
    whole = collection.whole
    columns = whole.matrix
    by_document = columns.turned()
    starts, terms = by_document.starts, by_document.rows
    return Source(
        collection,
        documents,
        [
            [whole.terms[term] for term in terms[starts[place] : starts[place + 1]]]
            for place in range(whole.documents)
        ],
        {
            term: columns.rows[columns.starts[place] : columns.starts[place + 1]]
            for place, term in enumerate(whole.terms)
        },
        limit,
        ranking,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of(__doc__, runs=2)
    parser.add_argument("--draws", type=int, default=5, help="of probes for each harvest (5)")
    parser.add_argument("--hits", type=int, default=100, help="of the probes (100)")
    parser.add_argument("--from", type=float, default=0.1, dest="begin", help="HR of the first")
    parser.add_argument("--pages", type=float, default=8, help="times the fewest pages (8)")
    parser.add_argument("--strategy", action="append", help="all three by default")
    options = parser.parse_args(arguments)
    report = report_of("size_estimators", options)
    words = english()
    names = [each for each in options.strategy or STRATEGY_NAMES if each in STRATEGIES]
    every = Found()
    for collection in collections(options):
        report.say(f"{collection.name}: {collection.note}")
        for limit, ranking in SOURCES:
            source = source_of(collection, limit, ranking)
            for name in names:
                found = Found()
                for seed in range(options.seed, options.seed + options.runs):
                    answers = source.harvest(name, seed, options.pages)
                    simple_estimates(source, answers, found)
                    for draw in range(options.draws):
                        settings = (options.begin, options.hits)
                        seeds = 1000 * seed + draw
                        probe_estimates(source, answers, words, seeds, settings, found)
                report_on(report, f"{source.title}, {name}", found)
                every.merge(found)
    report_on(report, "all", every)
    report.save()


if __name__ == "__main__":
    run(main)
