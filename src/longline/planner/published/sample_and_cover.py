"""Sampling-based strategies: sample, pool, select, send.

The four steps of Lu et al. 2008 (Wang, Lu & Chen 2009, section 1): build a SampleDB, make a
QueryPool of its terms, select the pool's cheapest cover of the SampleDB, send that to the source.
The cover's method names the strategy.

A source with a return limit shows only the first part of an answer, so one round misses much.
Its documents are a larger sample: the next round selects again from that, without the terms that
turned out to be capped, and sends the queries not sent yet. When a round brings little, a smaller
overhead per query lets rarer terms in; when the overhead is small too, the strategy ends. See
docs/research/decisions/0002.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np
import numpy.typing as npt

from longline.covering import AS_PUBLISHED, Breeding, cost_of, cover
from longline.errors import InputError
from longline.estimate import SampleDf, check_estimator, estimate_df, overlap
from longline.model import Document, Finish, Page, Query, Search
from longline.planner.sequential import SequentialPlanner
from longline.pool import Analyzer, TermMatrix, document_term_matrix, query_pool
from longline.text.seed_words import SEED_WORDS, shuffled

IDLE_QUERIES = 100
"""After this many sampling queries in a row without a new document, the sample is complete."""

WORTHWHILE = 0.5
"""Below this many new documents per query, a round is ended, and not repeated unchanged."""

WINDOW = 15
"""This many queries in a row must bring too little before a round is ended."""

LEAST_OVERHEAD = 4.0
"""The overhead a in the cost df + a is not halved below this: rarer terms bring little new."""

NOTHING: Mapping[str, int] = {}

GENERATIONS = 50
"""Generations of "genetic", chosen to take seconds; 500 as published."""


@dataclass(frozen=True)
class Selection:
    """How to choose queries from a sample.

    Attributes:
        method: A method of `longline.cover`: "greedy", "ids", "ts-ids", "genetic".
        sample: Documents to sample before choosing.
        cost: "df", or "df+A": the documents a query brings, plus an initial overhead A.
        pool_relative_size: Draw random terms until the sum of their dfs is this many times the
            sample; None takes every term.
        rounds: The most rounds, 1 as published; None continues while it is worth it.
        generations: Generations of "genetic".
        breeding: Population and mutation of "genetic".
        df_estimator: A name from `estimate.DF_ESTIMATORS`: a query costs the df estimated for the
            source, cut at the return limit and scaled to the sample; None takes the df in the
            sample, as published.

    Raises:
        InputError: The cost has another form, or no such estimator exists.
    """

    method: str = "ts-ids"
    sample: int = 1000
    cost: str = "df+30"
    pool_relative_size: float | None = None
    rounds: int | None = None
    generations: int = GENERATIONS
    breeding: Breeding = AS_PUBLISHED
    df_estimator: str | None = None

    def __post_init__(self) -> None:
        # Report errors now, not after the sample is complete.
        cost_of([[1]], self.cost)
        if self.df_estimator is not None:
            check_estimator(self.df_estimator)


class SampledCover(SequentialPlanner):
    """Choose queries that cover a sample, and send them to the source.

    The sample is built by queries too: the first page of random terms from the documents received
    so far, at first of common words (query-based sampling, Callan & Connell 2001). Those queries
    are counted like all others.

    Args:
        selection: How to choose.
        rng: Draws the sample's queries and the pool, and breaks ties.
        words: Sent in random order while no document is known.
        limit: The return limit, or None; it shows which answers are capped if totals do not.
        size: The number of documents in the source; if None, it is estimated from how often answers
            repeat documents, if a df estimator needs it.

    Source: Lu et al. 2008; Wang, Lu & Chen 2009, section 1.
    """

    def __init__(
        self,
        selection: Selection,
        rng: np.random.Generator,
        words: Sequence[str] = SEED_WORDS,
        limit: int | None = None,
        size: int | None = None,
    ) -> None:
        super().__init__()
        self._selection = selection
        self._size = size
        self._received = 0
        self._totals: dict[str, int] = {}
        self._rng = rng
        self._analyzer = Analyzer()
        self._words = iter(shuffled(words, rng))
        self._limit = limit
        self._documents: list[Document] = []
        self._idle = 0
        self._passed_over: set[Query] = set()
        self._rows: Counter[Query] = Counter()
        self._capped: set[str] = set()
        self._cost = selection.cost
        self._round = 0
        self._selected: Iterator[Search] = iter(())
        self._held: list[int] = []  # documents held before each query of this round
        self._is_apart = False

    def sample_apart(self) -> None:
        """Finish once when the sample is complete; what follows counts as a new harvest.

        The papers count it so: the sample exists beforehand. Then only one round is selected.
        """
        self._is_apart = True

    @property
    def is_sampling(self) -> bool:
        """Whether the sample is still being built."""
        return self._round == 0

    def choose(self) -> Search | Finish:
        """Return the sample's next query, or the next selected one, or the end."""
        search = self._sampling_search() if self._round == 0 else self._next_selected()
        if search is None and self._is_apart:
            self._is_apart = False
            self._selection = replace(self._selection, sample=0)
            self.sent.clear()
            self._passed_over.clear()
            return Finish("the sample is complete")
        while search is None:
            if not self._selects_again():
                rounds = "one round" if self._round == 1 else f"{self._round} rounds"
                return Finish(f"queries were selected in {rounds}; another is not worth it")
            self._round += 1
            self._held = [len(self._documents)]
            self._selected = self._searches(self._select())
            search = next(self._selected, None)
        return search

    def _next_selected(self) -> Search | None:
        self._held.append(len(self._documents))
        published = self._selection.rounds is not None
        return next(self._selected, None) if published or not self._is_idle() else None

    def _is_idle(self) -> bool:
        last = self._held[-1 - WINDOW :]
        return len(last) > WINDOW and last[-1] - last[0] < WORTHWHILE * WINDOW

    def _selects_again(self) -> bool:
        if self._round in (0, self._selection.rounds):
            return self._round == 0
        gained = len(self._documents) - self._held[0]
        if not self._is_idle() and gained > WORTHWHILE * (len(self._held) - 1):
            return True
        overhead = float(self._cost.partition("+")[2] or 0)
        if overhead < LEAST_OVERHEAD:
            return False
        self._cost = f"df+{overhead / 2:g}"
        return True

    def wants_page(self, query: Query, number: int) -> bool:
        """Return False while sampling: more queries of one page each give a more even sample."""
        if self._round == 0:
            self._passed_over.add(query)
        return self._round > 0

    def see(self, query: Query, number: int, page: Page) -> None:
        """Count rows and queries without new documents; note totals and capped answers."""
        self._idle += 1
        self._received += len(page.hits)
        if page.total is not None:
            self._totals[query.required[0]] = page.total.documents
        self._rows[query] += len(page.hits)
        rows = self._rows[query]
        at_limit = self._limit is not None and rows >= self._limit
        if page.next is None and (page.total.documents > rows if page.total else at_limit):
            self._capped.add(query.required[0])

    def learn(self, document: Document) -> None:
        """Add a document to the sample."""
        self._idle = 0
        self._documents.append(document)

    def _sampling_search(self) -> Search | None:
        if len(self._documents) >= self._selection.sample or self._idle >= IDLE_QUERIES:
            return None
        for _ in range(IDLE_QUERIES):
            term = self._random_term()
            if term is None:
                return None
            if Query((term,)) not in self.sent:
                return Search(Query((term,)))
        return None

    def _random_term(self) -> str | None:
        if not self._documents:
            return next(self._words, None)
        document = self._documents[self._rng.integers(len(self._documents))]
        terms = sorted(self._analyzer.terms(_text(document)))
        return terms[self._rng.integers(len(terms))] if terms else next(self._words, None)

    def _select(self) -> list[Query]:
        if not self._documents:
            return []
        sample = document_term_matrix(map(_text, self._documents), self._analyzer)
        pool = self._draw_pool(sample)
        pool = pool.pick([n for n, term in enumerate(pool.terms) if term not in self._capped])
        if not pool.terms:
            return []
        choice = cover(
            pool.matrix,
            method=self._selection.method,
            cost=self._costs(sample, pool),
            allow_uncovered=True,
            rng=self._rng,
            iterations=self._selection.generations if self._selection.method == "genetic" else None,
            breeding=self._selection.breeding,
        )
        return [Query((pool.terms[column],)) for column in choice.queries]

    def _costs(self, sample: TermMatrix, pool: TermMatrix) -> npt.ArrayLike:
        costs = cost_of(pool.matrix, self._cost)
        if self._selection.df_estimator is None:
            return costs
        size = self._size_of(sample.documents)
        found = df_in_source(sample, size, self._selection.df_estimator, self._totals)
        shown = np.minimum(found, self._limit or inf)
        by_term = dict(zip(sample.terms, shown.tolist(), strict=True))
        scale = size / sample.documents
        dfs = np.array([by_term[term] for term in pool.terms]) / scale
        return costs - pool.df + dfs

    def _size_of(self, documents: int) -> float:
        if self._size is not None:
            return max(self._size, documents)
        # One row more than received: without any repeat, nothing would bound the source's size.
        found = overlap(max(self._received, documents) + 1, documents)
        return max(documents, documents if found is None else found.documents)

    def _draw_pool(self, sample: TermMatrix) -> TermMatrix:
        size = self._selection.pool_relative_size
        return sample if size is None else query_pool(sample, size, self._rng)

    def _searches(self, queries: list[Query]) -> Iterator[Search]:
        for query in queries:
            if query in self._passed_over:
                self._passed_over.remove(query)
                yield Search(query, 2)
            elif query not in self.sent:
                yield Search(query)


def df_in_source(
    sample: TermMatrix, size: float, method: str = "mle", totals: Mapping[str, int] = NOTHING
) -> npt.NDArray[np.float64]:
    """Estimate how many documents of the source contain each term of a sample.

    Args:
        sample: Its documents and terms; every term occurs in at least one document.
        size: Documents in the source; at least the sample's number is used.
        method: A name from `estimate.DF_ESTIMATORS`; "mle", equation 6 of the thesis, also replaces
            the others if too few totals are known for them.
        totals: Totals of answers, by term; "mle" does not use them, as published.

    Returns:
        (terms,).
    """
    is_plain = method == "mle"
    known = {n: totals[term] for n, term in enumerate(sample.terms) if term in totals}
    size = max(size, sample.documents)
    probes = {} if is_plain else known
    try:
        return estimate_df(SampleDf(sample.df, sample.documents, size, probes), method)
    except InputError:
        if is_plain:
            raise
        return df_in_source(sample, size)


def _text(document: Document) -> str:
    return f"{document.title}\n{document.text}"
