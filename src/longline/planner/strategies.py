"""All strategies by their published names, including those of other packages."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from longline import plugins
from longline.covering import AS_PUBLISHED, Breeding, cost_of
from longline.errors import InputError, UnknownNameError, option
from longline.planner.adaptive import Adaptive
from longline.planner.auto import Auto
from longline.planner.capabilities import Capabilities
from longline.planner.nearest import Nearest
from longline.planner.own import OwnPlanner
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
    """Options for strategies; each strategy uses the ones it needs.

    Attributes:
        sample: Documents to sample before choosing.
        cost: Cost of a query: "df", or "df+A" with an overhead A for the query itself.
        pool_relative_size, rounds: See `published.Selection`.
        words: A dictionary of the source's language; None uses the strategy's own.
        known: Words known to occur in the source, used first.
        queries: The queries of the strategy "list", in order.
        size: The number of documents in the source, or None if unknown.
        abilities: What the source can do.
        df_estimator: See `published.Selection`; None is as published ("mle" in DF-Weighted).
        generations, breeding: Settings of "genetic".

    Raises:
        InputError: The cost has another form; raised even if the strategy ignores it.
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
        """The words to send first, while the source's own words are unknown."""
        return self.words or self.known or SEED_WORDS


Make = Callable[[Options, np.random.Generator], Policy]
"""Make a new planner from options and a random generator."""


@dataclass(frozen=True)
class Strategy:
    """A way to choose queries.

    Attributes:
        name: The published name.
        summary: One line that describes it.
        source: Where it was published.
        takes: Names of the options that it takes, of those that only some strategies take.
    """

    name: str
    summary: str
    source: str
    make: Make
    takes: tuple[str, ...] = ()


_OF_SAMPLES = ("sample", "cost", "pool_relative_size", "rounds", "df_estimator")
_OF_GENETIC = ("generations", "population", "mutation")
OF_SOME = _OF_SAMPLES + _OF_GENETIC
"""Options that only some strategies take."""


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
            lambda options, rng: QueryList(options.queries, options.abilities.max_terms),
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
            _OF_SAMPLES,
        ),
        Strategy(
            "ids",
            "covers a sample, documents that few words match first (weighted greedy)",
            "Wang, Lu & Chen 2009",
            _sampled("ids"),
            _OF_SAMPLES,
        ),
        Strategy(
            "ts-ids",
            "covers a sample, documents that only frequent words match first",
            "Wang, Lu & Chen, TS-IDS",
            _sampled("ts-ids"),
            _OF_SAMPLES,
        ),
        Strategy(
            "genetic",
            "covers a sample by a genetic algorithm, from random words",
            "S. Wang 2010",
            _sampled("genetic", RELATIVE_SIZE),
            _OF_SAMPLES + _OF_GENETIC,
        ),
        Strategy(
            "df-weighted",
            "covers a sample once, by words with fewer results than the return limit",
            "Fu 2011, section 4.3",
            _df_weighted,
            ("sample", "pool_relative_size", "df_estimator"),
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
    """Return the names of all strategies, the built-in ones first."""
    others = plugins.names("longline.planners")
    return [*STRATEGIES, *(name for name in others if name not in STRATEGIES)]


def check_taken(given: Iterable[str], strategies: Collection[str]) -> None:
    """Check that one of some strategies takes each of the options; planners of others take any.

    Raises:
        InputError: None takes an option.
    """
    own = STRATEGIES.keys() & strategies
    for name in given if len(own) == len(strategies) else ():
        takers = [each.name for each in STRATEGIES.values() if name in each.takes]
        if takers and own.isdisjoint(takers):
            raise InputError(
                f"{option(name)} does not apply to {', '.join(strategies)}",
                advice=f"leave it out, or take a strategy that uses it: {', '.join(takers)}",
            )


def add_planner(name: str, make: Make) -> None:
    """Register a planner of your own under a name in this process, as in a script or a notebook.

    To use it from the command line too, register it in a package with an entry point.

    Args:
        name: The name of the strategy; a second call with the same name replaces the planner.
        make: Returns a new planner; the same options and generator state give the same plan.

    Raises:
        InputError: A built-in strategy has this name, or `make` cannot be called.

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
    """Return a new planner; the same name, options and generator state give the same plan.

    Raises:
        UnknownNameError: No strategy has this name.
        InputError: The package that provides it cannot be imported, or the name is not a string.
    """
    if not isinstance(name, str):
        raise InputError(
            f"a strategy is given as {name!r}, and not by its name",
            advice="give a planner of your own a name with longline.extend.add_planner",
        )
    if options.abilities.needs_both and name != "auto":  # which does so by itself
        inner = replace(options, abilities=replace(options.abilities, facets=()))
        return FacetPartition(options.abilities, lambda: make_planner(name, inner, rng))
    if name in STRATEGIES:
        return STRATEGIES[name].make(options, rng)
    make = plugins.load("longline.planners", name)
    if make is None:
        raise UnknownNameError("strategy", name, strategy_names())
    return OwnPlanner(name, make(options, rng))
