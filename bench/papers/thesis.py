"""The thesis's sources, samples and policies (Fu 2011, chapter V), on simulated sources.

Its three sources were parts of a search engine that no longer exists. Here a collection replaces
each, with return limits scaled so that the share of terms within the smallest limit is the
published one (Table 9): the source of weak ranking cuts few queries, that of strong ranking many.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from bench.chart import Series
from bench.frame import Collection, collections, parser_of

from longline.covering import cover
from longline.model import Document, Query
from longline.planner.published.df_weighted import RELATIVE_SIZE, below_limit
from longline.pool import TermMatrix, df_between, query_pool
from longline.simulate import Searcher
from longline.simulate.search.searcher import Ranking
from longline.text.seed_words import english

SHARES = (0.05, 0.10, 0.20)
LIMITS = (100, 200, 1000)
POLICIES = ("random", "greedy", "weighted", "df-weighted")
TURNS = 4
POINTS = 300
MOST_OR = 4.0
"""OR at which the random policy is stopped; the thesis's figures end near it."""


@dataclass(frozen=True)
class Strength:
    """One of the thesis's sources, by its ranking strength (Table 9).

    Attributes:
        site: The site that the thesis downloaded.
        size: Approximate number of its documents.
        within: Shares of its terms with a df below 100, and below 200.
    """

    name: str
    site: str
    size: int
    within: tuple[float, float]


STRENGTHS = (
    Strength("weak", "cs.berkeley.edu", 30_000, (0.75, 0.81)),
    Strength("middle", "uwaterloo.ca", 150_000, (0.64, 0.68)),
    Strength("strong", "ctv.ca", 140_000, (0.55, 0.59)),
)


def thesis_parser(description: str, runs: int) -> argparse.ArgumentParser:
    """Return a parser for benches of the thesis: the shared options, size, and ranking."""
    parser = parser_of(description, runs)
    parser.add_argument("--documents", type=int, metavar="N", help="draw so many at random (all)")
    help_text = "order of the answers: one for all queries, or by relevance (static)"
    parser.add_argument("--ranking", choices=("static", "bm25"), default="static", help=help_text)
    return parser


class Ranked:
    """A collection behind a search box: the answers of queries, best first.

    Args:
        collection: Its documents.
        ranking: "static" or "bm25".
        seed: Seed of the static order.
    """

    def __init__(self, collection: Collection, ranking: Ranking, seed: int) -> None:
        self.whole = collection.whole
        self.size = len(collection.texts)
        documents = [Document(str(n), text=text) for n, text in enumerate(collection.texts)]
        self.documents = documents
        self._box = Searcher(documents, ranking=ranking, limit=None, seed=seed, snippets=False)
        self._kept: dict[Query, np.ndarray] = {}

    def answer(self, query: Query, limit: int) -> np.ndarray:
        """Return the numbers of the first `limit` documents that match."""
        found = self._kept.get(query)
        if found is None:
            found = np.array([int(key) for key in self._box.keys(query)], dtype=np.int32)
            self._kept[query] = found
        return found[:limit]

    @cached_property
    def df(self) -> dict[str, int]:
        """Number of documents that contain each term."""
        return dict(zip(self.whole.terms, self.whole.df.tolist(), strict=True))

    def words(self, rng: np.random.Generator) -> list[str]:
        """Return the dictionary's words that occur in some document, in random order.

        Words without a hit bring no document, so they change neither HR nor OR.
        """
        words = english()
        drawn = (words[place] for place in rng.permutation(len(words)).tolist())
        return [word for word in drawn if word in self.df]

    @cached_property
    def _by_document(self):
        return self.whole.matrix.turned()

    def part(self, documents: Sequence[int]) -> TermMatrix:
        """Return some documents and the terms that they contain."""
        part = self._by_document.pick(documents).turned()
        return df_between(TermMatrix(part, self.whole.terms), least=1)


@dataclass(frozen=True, eq=False)
class Source:
    """A simulated source.

    Attributes:
        scale: Factor of the return limits: `limit(100)` cuts as many terms as 100 in the thesis.
        samples: The documents of its sample, by share.
    """

    strength: Strength
    ranked: Ranked
    scale: float
    samples: dict[float, list[int]]

    def limit(self, published: int) -> int:
        """Return the scaled equivalent of one of the thesis's return limits."""
        return max(1, round(published * self.scale))

    def sample(self, share: float) -> TermMatrix:
        """Return the SampleDB of a share."""
        return self.ranked.part(self.samples[share])

    def sample_terms(self) -> list[str]:
        """Return terms in several documents of the largest sample, whose true df was asked."""
        return df_between(self.sample(max(SHARES)), least=2).terms


def sources(options: argparse.Namespace, seed: int) -> Iterator[tuple[Collection, list[Source]]]:
    """Build the three sources of each collection."""
    for collection in collections(options):
        if options.documents is not None and options.documents < len(collection.texts):
            rng = np.random.default_rng([seed, 3])
            drawn = rng.choice(len(collection.texts), options.documents, replace=False)
            collection = Collection(collection.name, [collection.texts[n] for n in drawn])
        whole = collection.whole
        guess = limit_within(whole.df[whole.df > 1], max(each.within[0] for each in STRENGTHS))
        ranked = Ranked(collection, options.ranking, seed)
        yield (
            collection,
            [
                source_of(strength, ranked, guess / min(LIMITS), [seed, place])
                for place, strength in enumerate(STRENGTHS)
            ],
        )


def source_of(strength: Strength, ranked: Ranked, scale: float, seed: Sequence[int]) -> Source:
    """Build a source whose limit for 100 keeps the published share of its sample's terms.

    The sample depends on the limit, and the limit on the sample: both are computed in turns, from a
    first guess, and the pair with the best fit is used.
    """
    tried = []
    for _ in range(TURNS):
        found = Source(strength, ranked, scale, samples_of(ranked, scale, seed))
        df = np.array([ranked.df[term] for term in found.sample_terms()])
        tried.append((abs(share_below(df, found.limit(100)) - strength.within[0]), found))
        scale = limit_within(df, strength.within[0]) / min(LIMITS)
    return min(tried, key=lambda each: each[0])[1]


def share_below(df: np.ndarray, limit: int) -> float:
    """Return the share of some dfs below a limit; 0 if there are none."""
    return float((df < limit).mean()) if len(df) else 0.0


def limit_within(df: np.ndarray, share: float) -> int:
    """Return the limit that has the given share of some dfs below it.

    >>> limit_within(np.array([1, 2, 3, 9]), 0.75)
    9
    """
    if not len(df):
        return 1
    return max(1, int(np.sort(df)[min(len(df) - 1, int(share * len(df)))]))


def samples_of(ranked: Ranked, scale: float, seed: Sequence[int]) -> dict[float, list[int]]:
    """Build a source's three samples as in the thesis (section 5.3.1).

    Random dictionary words are queried until more than a fifth of the source is held; then their
    answers, in random order, are combined until they hold 5, 10 or 20 %.
    """
    rng = np.random.default_rng(seed)
    limit = max(1, round(max(LIMITS) * scale))
    answers: list[np.ndarray] = []
    held: set[int] = set()
    for word in ranked.words(rng):
        answers.append(ranked.answer(Query((word,)), limit))
        held.update(answers[-1].tolist())
        if len(held) > max(SHARES) * ranked.size:
            break
    return {share: _together(answers, share * ranked.size, rng) for share in SHARES}


def _together(answers: Sequence[np.ndarray], size: float, rng: np.random.Generator) -> list[int]:
    held: set[int] = set()
    for place in rng.permutation(len(answers)).tolist():
        held.update(answers[place].tolist())
        if len(held) >= size:
            break
    return sorted(held)


def selected(
    sample: TermMatrix, policy: str, limit: int, size: int, rng: np.random.Generator
) -> list[str]:
    """Select queries from a sample by one of the thesis's three sampling policies.

    A pool of relative size 20 is drawn at random: for "df-weighted" from the terms with an
    estimated df below the limit. Redundant queries are dropped.
    """
    terms = below_limit(sample, limit, size) if policy == "df-weighted" else sample
    pool = query_pool(terms, RELATIVE_SIZE, rng)
    if not pool.terms:
        return []
    method = "greedy" if policy == "greedy" else "ids"
    chosen = cover(pool.matrix, method, allow_uncovered=True)
    return [pool.terms[column] for column in chosen.queries]


@dataclass(frozen=True, eq=False)
class Curve:
    """HR and OR after each query that returned something."""

    rates: np.ndarray
    hit_rates: np.ndarray

    def at(self, rate: float) -> float:
        """Return the highest HR while OR was at most `rate`; 0 if it never was.

        >>> Curve(np.array([1.0, 1.3, 1.6]), np.array([0.1, 0.2, 0.3])).at(1.4)
        0.2
        """
        return float(self.hit_rates[self.rates <= rate].max(initial=0.0))

    def reaches(self, rate: float) -> bool:
        """Return whether OR reached `rate`; otherwise the queries ended earlier."""
        return bool(self.rates.max(initial=0.0) >= rate)


def line(name: str, curve: Curve) -> Series:
    """Return a curve to draw, reduced to about 300 points."""
    step = max(1, len(curve.rates) // POINTS)
    return Series(name, curve.rates[::step].tolist(), curve.hit_rates[::step].tolist())


def send(ranked: Ranked, queries: Sequence[Query], limit: int, most: float = float("inf")) -> Curve:
    """Send queries to the complete source in order, until OR is `most`."""
    seen = np.zeros(ranked.size, dtype=bool)
    received = unique = 0
    rates, hit_rates = [], []
    for query in queries:
        answer = ranked.answer(query, limit)
        if not len(answer):
            continue
        received += len(answer)
        unique += int((~seen[answer]).sum())
        seen[answer] = True
        rates.append(received / unique)
        hit_rates.append(unique / ranked.size)
        if rates[-1] > most:
            break
    return Curve(np.array(rates), np.array(hit_rates))


def policy_curve(source: Source, policy: str, share: float, limit: int, seed: int) -> Curve:
    """Return the curve of one of the thesis's four policies; the sample is not counted."""
    rng = np.random.default_rng([seed, 5, round(100 * share), 0])
    if policy == "random":
        drawn = source.ranked.words(np.random.default_rng([seed, 6]))
        return send(source.ranked, as_queries(drawn), limit, MOST_OR)
    chosen = selected(source.sample(share), policy, limit, source.ranked.size, rng)
    return send(source.ranked, as_queries(chosen), limit)


def as_queries(terms: Sequence[str]) -> list[Query]:
    """Return a query for each term."""
    return [Query((term,)) for term in terms]


def percent(curves: Sequence[Curve], rate: float) -> str | None:
    """Return the mean HR at an OR, in per cent; a star if every run's queries ended earlier.

    >>> percent([Curve(np.array([1.0, 1.3]), np.array([0.1, 0.2]))], 1.4)
    '20.0*'
    >>> percent([Curve(np.zeros(0), np.zeros(0))], 1.4) is None
    True
    """
    if not any(len(curve.rates) for curve in curves):
        return None
    mean = 100 * float(np.mean([curve.at(rate) for curve in curves]))
    return f"{mean:.1f}" if any(curve.reaches(rate) for curve in curves) else f"{mean:.1f}*"


STAR = (
    "HR in per cent, the highest while OR was at most the given; * every run's queries ended before"
)


class Runs:
    """The curves of several runs, each with its own order, samples and pools."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options

    def __iter__(self) -> Iterator[tuple[Collection, list[list[Source]]]]:
        """Yield each collection and its sources, by run."""
        options = self._options
        seeds = range(options.seed, options.seed + options.runs)
        for several in zip(*(sources(options, seed) for seed in seeds), strict=True):
            yield several[0][0], [each for _, each in several]

    def curves(
        self, runs: Sequence[Sequence[Source]], place: int, policy: str, share: float, limit: int
    ) -> list[Curve]:
        """Return one policy's curves on one of the sources, under a published limit."""
        return [
            policy_curve(each[place], policy, share, each[place].limit(limit), seed)
            for seed, each in enumerate(runs, self._options.seed)
        ]
