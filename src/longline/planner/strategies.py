"""Every strategy under its published name, those of other packages included."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from longline import plugins
from longline.covering import AS_PUBLISHED, Breeding, cost_of
from longline.errors import InputError, UnknownNameError
from longline.planner.auto import Auto
from longline.planner.capabilities import Capabilities
from longline.planner.nearest import Nearest
from longline.planner.partition import FacetPartition, Partition, PrefixPartition
from longline.planner.published import (
    GENERATIONS,
    RELATIVE_SIZE,
    DfBand,
    DfWeighted,
    HighestDf,
    HighestDfOr,
    NtoulasIndependence,
    NtoulasZipf,
    QueryList,
    RandomDictionary,
    SampledCover,
    Selection,
    TermValue,
    TfIdf,
)
from longline.ports import Policy
from longline.text.seed_words import SEED_WORDS, english


@dataclass(frozen=True)
class Options:
    """What strategies can be told; each takes what concerns it.

    Attributes:
        sample: Documents to sample before choosing.
        cost: Of a query: "df", or "df+A" with an overhead A for the query itself.
        pool_relative_size: As `published.Selection` has it; so is `rounds`.
        words: A dictionary of the source's language; None takes what the strategy has.
        known: Words that the source is known to have, to begin with.
        queries: Those of the strategy "list", in their order.
        size: Documents of the source, where that is known.
        abilities: What the source can do.
        df_estimator: As `published.Selection` has it; None is as published, "mle" in DF-Weighted.
        generations, breeding: Of "genetic".

    Raises:
        InputError: A cost of another form, also where the strategy takes none.
    """

    sample: int = 1000
    cost: str = "df+30"
    pool_relative_size: float | None = None
    rounds: int | None = None
    words: Sequence[str] | None = None
    known: Sequence[str] = ()
    queries: Sequence[str] = ()
    size: int | None = None
    abilities: Capabilities = field(default_factory=Capabilities)
    df_estimator: str | None = None
    generations: int = GENERATIONS
    breeding: Breeding = AS_PUBLISHED

    def __post_init__(self) -> None:
        cost_of([[1]], self.cost)

    @property
    def first_words(self) -> Sequence[str]:
        """What to begin with, while nothing is known of the source's own words."""
        return self.words or self.known or SEED_WORDS


Make = Callable[[Options, np.random.Generator], Policy]
"""Options and a generator give a fresh planner."""


@dataclass(frozen=True)
class Strategy:
    """A way to choose queries.

    Attributes:
        name: As published.
        summary: One line.
        source: Who published it.
    """

    name: str
    summary: str
    source: str
    make: Make


def _sampled(method: str, relative_size: float | None = None) -> Make:
    def make(options: Options, rng: np.random.Generator) -> Policy:
        pool = options.pool_relative_size or relative_size
        selection = Selection(
            method,
            options.sample,
            options.cost,
            pool,
            options.rounds,
            options.generations,
            options.breeding,
            options.df_estimator,
        )
        words, limit = options.first_words, options.abilities.limit
        return SampledCover(selection, rng, words, limit, options.size)

    return make


def _auto(options: Options, rng: np.random.Generator) -> Policy:
    if options.abilities.by_meaning:
        return _nearest(options, rng)
    return Auto(options.abilities, rng, options.first_words)


def _df_weighted(options: Options, rng: np.random.Generator) -> Policy:
    return DfWeighted(
        options.sample,
        rng,
        options.words or english(),
        limit=options.abilities.limit,
        size=options.size,
        relative_size=options.pool_relative_size or RELATIVE_SIZE,
        df_estimator=options.df_estimator or "mle",
    )


def _highest_df_or(terms: int) -> Make:
    return lambda options, rng: HighestDfOr(
        options.abilities, rng, options.first_words, terms=terms
    )


def _partition(options: Options, rng: np.random.Generator) -> Policy:
    able, words = options.abilities, options.first_words
    if able.matches == "prefix":
        return PrefixPartition(able)
    if able.matches == "nothing":
        return FacetPartition(able, None)
    if not (able.lists_all and able.facets):
        return Partition(able, rng, words)
    inner = replace(able, lists_all=False, facets=())
    return FacetPartition(able, lambda: Partition(inner, rng, words))


def _adaptive(options: Options, rng: np.random.Generator) -> Policy:
    from longline.planner.adaptive import Adaptive  # numba takes its time to start

    return Adaptive(options.abilities, rng, options.first_words)


def _nearest(options: Options, rng: np.random.Generator) -> Policy:
    return Nearest(options.abilities, rng, options.first_words, options.size)


def _by_term_value(planner: type[TermValue]) -> Make:
    return lambda options, rng: planner(options.abilities, rng, options.first_words)


STRATEGIES = {
    strategy.name: strategy
    for strategy in (
        Strategy(
            "auto",
            "finds out what the search can do, then takes partition, adaptive or nearest",
            "longline; docs/research/decisions/0015",
            _auto,
        ),
        Strategy(
            "list",
            "searches for the queries of a file, in their order (--queries FILE)",
            "Fu 2011, WS-Crawler's file of queries",
            lambda options, rng: QueryList(options.queries),
        ),
        Strategy(
            "random-dictionary",
            "searches for words of a dictionary, in random order",
            "Ntoulas et al. 2005; Fu 2011, section 5.3.3",
            lambda options, rng: RandomDictionary(options.words or english(), rng),
        ),
        Strategy(
            "ntoulas-generic",
            "searches for the words of a list, most frequent first (--words, else common English)",
            "Ntoulas et al. 2005, generic-frequency",
            lambda options, rng: QueryList(options.words or SEED_WORDS),
        ),
        Strategy(
            "greedy",
            "covers a sample, the most new documents for their cost first",
            "Lu et al. 2008; Fu 2011, section 4.1",
            _sampled("greedy"),
        ),
        Strategy(
            "ids",
            "covers a sample, documents that few words match first (weighted greedy)",
            "Wang, Lu & Chen 2009",
            _sampled("ids"),
        ),
        Strategy(
            "ts-ids",
            "covers a sample, documents that only frequent words match first",
            "Wang, Lu & Chen, TS-IDS",
            _sampled("ts-ids"),
        ),
        Strategy(
            "genetic",
            "covers a sample by a genetic algorithm, from random words",
            "S. Wang 2010",
            _sampled("genetic", RELATIVE_SIZE),
        ),
        Strategy(
            "df-weighted",
            "covers a sample once, by words with fewer results than the return limit",
            "Fu 2011, section 4.3",
            _df_weighted,
        ),
        Strategy(
            "highest-df",
            "searches for the word that most documents seen so far contain",
            "Barbosa & Freire 2004; Fu 2011, section 5.3.4",
            _by_term_value(HighestDf),
        ),
        *(
            Strategy(
                f"hdf{terms}",
                f"searches for {terms} frequent words joined by OR, drawn at random",
                "Fu 2011, section 5.3.4",
                _highest_df_or(terms),
            )
            for terms in (5, 10, 15)
        ),
        Strategy(
            "tf-idf",
            "searches for words that are among the 25 of highest tf-idf of a document",
            "Madhavan et al. 2008",
            _by_term_value(TfIdf),
        ),
        Strategy(
            "ntoulas-independence",
            "the most new documents for their cost, if the rest is like what was seen",
            "Ntoulas et al. 2005, section 4.1",
            _by_term_value(NtoulasIndependence),
        ),
        Strategy(
            "ntoulas-zipf",
            "the same, if document frequencies follow the law of Zipf and Mandelbrot",
            "Ntoulas et al. 2005, section 4.2",
            _by_term_value(NtoulasZipf),
        ),
        Strategy(
            "df-band",
            "searches for words with about as many results as the return limit",
            "after Wang & Lu 2017",
            _by_term_value(DfBand),
        ),
        Strategy(
            "adaptive",
            "after each search, takes the word that promises the most new documents for its cost",
            "longline; after Ntoulas et al. 2005",
            _adaptive,
        ),
        Strategy(
            "nearest",
            "searches by meaning: sends texts of held documents that few searches showed",
            "longline; docs/research/decisions/0054",
            _nearest,
        ),
        Strategy(
            "partition",
            "splits the source into parts that do not overlap, each small enough to read whole",
            "longline; docs/research/decisions/0011",
            _partition,
        ),
    )
}


def strategy_names() -> list[str]:
    """Return every name, our own first."""
    others = plugins.names("longline.planners")
    return [*STRATEGIES, *(name for name in others if name not in STRATEGIES)]


def add_planner(name: str, make: Make) -> None:
    """Let a name stand for a planner of your own in this process, as in a script or a notebook.

    To use it from the command line, too, name it in a package by an entry point.

    Args:
        name: Of the strategy; added once more, it stands for the new one.
        make: Returns a fresh planner; the same options and generator state plan the same.

    Raises:
        InputError: A strategy of longline has this name, or `make` is nothing to call.

    Example:
        >>> import longline
        >>> from longline.extend import Finish, Query, Search, SequentialPlanner, add_planner
        >>> class Given(SequentialPlanner):
        ...     def __init__(self, words):
        ...         super().__init__()
        ...         self.words = list(words)
        ...     def choose(self):
        ...         return Search(Query((self.words.pop(),))) if self.words else Finish("done")
        >>> add_planner("given", lambda options, rng: Given(["fish", "bird"]))
        >>> documents = [longline.Document("1", text="fish"), longline.Document("2", text="bird")]
        >>> (outcome,) = longline.compare(documents, ["given"], seeds=1)
        >>> outcome.hit_rate
        1.0
    """
    if name in STRATEGIES:
        raise InputError(f"{name!r} is a strategy of longline", advice="take another name")
    if not callable(make):
        raise InputError(f"{make!r} makes no planner", advice="give a function that returns one")
    plugins.add("longline.planners", name, make)


def make_planner(name: str, options: Options, rng: np.random.Generator) -> Policy:
    """Return a fresh planner; the same name, options and generator state plan the same.

    Raises:
        UnknownNameError: No strategy has this name.
        InputError: The package that has it cannot be imported, or it is no name.
    """
    if not isinstance(name, str):
        raise InputError(
            f"a strategy is given as {name!r}, and not by its name",
            advice="give a planner of your own a name with longline.extend.add_planner",
        )
    if name in STRATEGIES:
        return STRATEGIES[name].make(options, rng)
    make = plugins.load("longline.planners", name)
    if make is None:
        raise UnknownNameError("strategy", name, strategy_names())
    planner: Policy = make(options, rng)
    return planner
