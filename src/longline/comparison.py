"""Compare strategies on a simulated source made of the user's own documents."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, product
from math import isnan

import msgspec
import numpy as np

from longline.covering import Matches, cover
from longline.engine import Callbacks, Engine, RunLimits
from longline.errors import BudgetSpent, InputError, PageError
from longline.events import AnyEvent, PageReceived
from longline.ledger import Ledger, fewest_pages, hit_rate, overlapping_rate
from longline.model import Document, Finish, Page, Query, Request, Search
from longline.planner.capabilities import Capabilities
from longline.planner.published import SampledCover
from longline.planner.sequential import SequentialPlanner
from longline.planner.strategies import Options, make_planner
from longline.ports import Policy
from longline.simulate import MemoryClient, Searcher
from longline.simulate.documents import reading, words
from longline.simulate.search import COUNT_SIGMA, NOISY_SIGMA, Box
from longline.store import MemoryStore
from longline.text.seed_words import own_words

BUDGETS = (1, 2, 4)
"""Page budgets, in multiples of the fewest pages that could show the entire source, N/p."""

OVERLAPPING_RATES = (1.4, 1.5, 2.0, 3.0)

REFERENCE = "full-knowledge"
"""Not a strategy, but an upper reference for single terms, with every answer known in advance."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """The simulated source for a comparison; parameters as in `simulate.Searcher`.

    Attributes:
        counts: Also "noisy": approximate counts with errors of sigma 1.
        max_terms: Maximum terms of a query; strategies know it.
        reads_terms: Number of a query's terms that the source uses; it silently ignores the others,
            and strategies do not know it. None uses all.
        listing_only: Documents are known by their title and the snippets of the listing.
        forms: Which spellings the source treats as one word, as in `simulate.words.reading`;
            strategies do not know it.
        samples_count: Whether documents read for a sample count as received, as on a real site; the
            papers do not count them, and start the harvest with no documents.
    """

    limit: int = 100
    page_size: int = 50
    ranking: str = "static"
    counts: str = "exact"
    boolean: bool = True
    max_terms: int = 20
    reads_terms: int | None = None
    listing_only: bool = False
    forms: str = ""
    samples_count: bool = True


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one strategy with one seed; rates are between 0 and 1, except OR.

    Attributes:
        strategy: The strategy's name.
        seed: Seed of its random numbers.
        hit_rate_at_pages: HR at 1, 2 and 4 times the fewest result pages that could show the entire
            source, N/p, by that multiple.
        hit_rate_at_overlapping_rate: The highest HR while OR was at most a value, by that value.
        hit_rate, overlapping_rate, queries, result_pages: At the end, when the strategy finished or
            the last page budget was spent; OR is 0 if no rows were received.
        seconds: CPU seconds for planning and for answering in memory.
        curve: (OR, HR) after each page, thinned out.
        only_sampled: Whether the last page budget was spent on its sample alone, so that its
            choices are unknown.

    Example:
        >>> import longline
        >>> texts = ["fish bird", "bird", "fish net"]
        >>> documents = [longline.Document(str(n), text=each) for n, each in enumerate(texts)]
        >>> (outcome,) = longline.compare(documents, ["greedy"], seeds=1)
        >>> outcome.strategy, 0 <= outcome.hit_rate <= 1
        ('greedy', True)
    """

    strategy: str
    seed: int
    hit_rate_at_pages: dict[str, float]
    hit_rate_at_overlapping_rate: dict[str, float]
    hit_rate: float
    overlapping_rate: float
    queries: int
    result_pages: int
    seconds: float
    curve: list[tuple[float, float]]
    only_sampled: bool = False


class FullKnowledge(SequentialPlanner):
    """Send the single terms that bring most new documents per page, with every answer known.

    A reference that no strategy can reach in practice; greedy, so not the optimum either.

    Args:
        shown: (documents, terms). Which term's answer shows which document.
        terms: Words that query for them.
        page_size: Hits on a full page.
    """

    def __init__(self, shown: Matches, terms: Sequence[str], page_size: int) -> None:
        super().__init__()
        cost = f"pages/{page_size}"
        chosen = cover(shown, "greedy", cost=cost, eliminate=False, allow_uncovered=True)
        self._queries = (Query((terms[column],)) for column in chosen.queries)

    def choose(self) -> Search | Finish:
        """Return the next best term."""
        query = next(self._queries, None)
        return (
            Finish("every document that a term shows was shown") if query is None else Search(query)
        )


def _shown(searcher: Searcher) -> tuple[Matches, list[str]]:
    """Return which documents the answer to each single term shows, and the terms."""
    place = {document.key: number for number, document in enumerate(searcher.documents)}
    terms = _written(searcher)
    shown = [sorted(place[key] for key in searcher.keys(Query((term,)))) for term in terms]
    starts = np.cumsum([0, *map(len, shown)])
    rows = np.fromiter(chain.from_iterable(shown), dtype=np.int32, count=int(starts[-1]))
    return Matches(starts, rows, len(place)), terms


def _written(searcher: Searcher) -> list[str]:
    """Return one word for each term of the source, to query for it."""
    written: dict[tuple[str, ...], str] = {}
    for document in searcher.documents:
        for word in dict.fromkeys(words(f"{document.title}\n{document.text}")):
            written.setdefault(tuple(searcher.query_analyzer(word)), word)
    known = searcher.document_frequencies()
    return [word for terms, word in written.items() if len(terms) == 1 and terms[0] in known]


def compare(
    documents: Sequence[Document],
    strategies: Sequence[str],
    *,
    seeds: Sequence[int] = (0, 1, 2),
    setting: Setting | None = None,
    options: Options | None = None,
    observe: Callable[[str, int, Ledger], None] = lambda strategy, seed, ledger: None,
) -> Iterator[Outcome]:
    """Let each strategy harvest the same simulated source, once for each seed.

    A strategy is stopped at the last page budget of `BUDGETS`. Queries that build a sample count
    like all others. Strategies know the source's size: the thesis's policy needs it.

    Args:
        documents: The source's documents.
        strategies: Names of `strategy.strategy_names()`, or "full-knowledge".
        seeds: Of the strategies' random numbers, and of the source's order and counts.
        setting: The behaviour of the source.
        options: For the strategies; values about the source are filled in.
        observe: Called after every result page.

    Raises:
        InputError: No document has a word.
        UnknownNameError: A strategy, ranking or kind of counts is unknown.
    """
    setting = setting or Setting()
    held = [set(words(f"{document.title}\n{document.text}")) for document in documents]
    if not any(held):
        raise InputError("no document has a word", advice="give documents with text")
    options = options or Options()
    if not (options.words or options.known):
        options = replace(options, known=own_words(held))
    for name in strategies:
        if name != REFERENCE:
            told = _options(options, setting, len(documents))
            make_planner(name, told, np.random.default_rng(0))
    for seed, name in product(seeds, strategies):
        yield _run(documents, (name, seed), setting, options, observe)


def searcher_of(documents: Sequence[Document], setting: Setting, seed: int) -> Searcher:
    """Make the simulated source.

    Raises:
        UnknownNameError: A ranking, kind of counts or rule for forms is unknown.
    """
    is_noisy = setting.counts == "noisy"
    of_documents, of_queries = reading(setting.forms)
    return Searcher(
        documents,
        ranking=setting.ranking,  # type: ignore[arg-type]  # it checks the name itself
        limit=setting.limit,
        page_size=setting.page_size,
        counts="approximate" if is_noisy else setting.counts,  # type: ignore[arg-type]
        count_sigma=NOISY_SIGMA if is_noisy else COUNT_SIGMA,
        boolean=setting.boolean,
        seed=seed,
        snippets=setting.listing_only,
        analyzer=of_documents,
        query_analyzer=of_queries,
        reads_terms=setting.reads_terms,
    )


def _run(
    documents: Sequence[Document],
    strategy: tuple[str, int],
    setting: Setting,
    options: Options | None,
    observe: Callable[[str, int, Ledger], None],
) -> Outcome:
    """Let a strategy with a name and seed harvest the source."""
    name, seed = strategy
    searcher = searcher_of(documents, setting, seed)
    ledger = Ledger(size=len(documents), limit=setting.limit, page_size=setting.page_size)
    least = fewest_pages(len(documents), setting.page_size, setting.limit)
    curve = Curve(ledger, len(documents), least)
    client = BudgetedClient(searcher, ledger, BUDGETS[-1] * least)

    def watch(event: AnyEvent) -> None:
        if isinstance(event, PageReceived):
            curve.note()
            observe(name, seed, ledger)

    begun = time.process_time()
    policy: Policy = (
        FullKnowledge(*_shown(searcher), setting.page_size)
        if name == REFERENCE
        else make_planner(
            name, _options(options, setting, len(documents)), np.random.default_rng(seed)
        )
    )
    limits = RunLimits(listing_only=setting.listing_only and name != REFERENCE)
    if not setting.samples_count and isinstance(policy, SampledCover):
        policy.sample_apart()
        sampling = Engine(policy, MemoryClient(searcher), MemoryStore(), Ledger(), limits)
        with suppress(PageError):
            asyncio.run(sampling.run())
    callbacks = Callbacks(observe=watch)
    engine = Engine(policy, client, MemoryStore(), ledger, limits, callbacks=callbacks)
    with suppress(PageError):  # many queries without hits: HR is 0
        asyncio.run(engine.run())
    outcome = curve.outcome(name, seed, time.process_time() - begun)
    only_sampled = bool(getattr(policy, "is_sampling", False))
    return msgspec.structs.replace(outcome, only_sampled=only_sampled)


def _options(options: Options | None, setting: Setting, size: int) -> Options:
    counts = {"exact": "exact", "approximate": "about", "noisy": "about", "none": "none"}
    abilities = Capabilities(
        limit=setting.limit,
        page_size=setting.page_size,
        negation=setting.boolean and setting.ranking != "meaning",
        disjunction=setting.boolean and setting.ranking != "meaning",
        by_meaning=setting.ranking == "meaning",
        max_terms=setting.max_terms,
        counts=counts.get(setting.counts),  # type: ignore[arg-type]
    )
    return replace(options or Options(), abilities=abilities, size=size)


class BudgetedClient(MemoryClient):
    """A client that returns no result page beyond a budget of pages."""

    def __init__(self, box: Box, ledger: Ledger, pages: int) -> None:
        super().__init__(box)
        self._ledger = ledger
        self._pages = pages

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return a result page, while the budget lasts."""
        if self._ledger.result_pages >= self._pages:
            raise BudgetSpent("the largest page budget is spent")
        return await super().search(query, number, request)


class Curve:
    """HR and OR, recorded at every result page of a harvest.

    Args:
        ledger: The harvest's ledger.
        size: Documents of the source.
        least: The fewest pages that could show the entire source.
    """

    def __init__(self, ledger: Ledger, size: int, least: int) -> None:
        self._ledger = ledger
        self._size = size
        self._least = least
        self._points: list[tuple[float, float]] = []

    def note(self) -> None:
        """Record the current OR and HR, once for each result page."""
        seen, rows = self._ledger.documents_seen, self._ledger.rows_received
        self._points.append((overlapping_rate(rows, seen), hit_rate(seen, self._size)))

    def hit_rate_at(self, pages: int) -> float:
        """Return HR after this many result pages, at least one."""
        return self._points[min(pages, len(self._points)) - 1][1] if self._points else 0.0

    def hit_rate_while(self, rate: float) -> float:
        """Return the highest HR while OR was at most `rate`."""
        return max((hr for overlap, hr in self._points if overlap <= rate), default=0.0)

    def outcome(self, strategy: str, seed: int, seconds: float) -> Outcome:
        """Return the final result."""
        overlap, hr = self._points[-1] if self._points else (0.0, 0.0)
        overlap = 0.0 if isnan(overlap) else overlap
        step = max(1, len(self._points) // 200)
        return Outcome(
            strategy=strategy,
            seed=seed,
            hit_rate_at_pages={
                str(times): self.hit_rate_at(times * self._least) for times in BUDGETS
            },
            hit_rate_at_overlapping_rate={
                f"{rate:g}": self.hit_rate_while(rate) for rate in OVERLAPPING_RATES
            },
            hit_rate=hr,
            overlapping_rate=overlap,
            queries=self._ledger.queries,
            result_pages=self._ledger.result_pages,
            seconds=seconds,
            curve=[*self._points[::step], (overlap, hr)],
        )
