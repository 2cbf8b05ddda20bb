"""What every method of choosing queries is given, and the registry of methods."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from longline.covering.bound import Relaxation
from longline.covering.kernels.arrays import Floats, Ints
from longline.covering.model import Budget, Matches, Progress, View, view_of
from longline.errors import InputError, UnknownNameError

TIES = ("largest", "lowest", "random")


@dataclass(frozen=True)
class Breeding:
    """What the genetic algorithm can be told, beside its generations; as published.

    Attributes:
        population: Covers of a generation, at most.
        mutation: The share of a cover's queries that a mutation replaces, 0 to 1.
    """

    population: int = 300
    mutation: float = 0.03


AS_PUBLISHED = Breeding()

GENERATIONS = 500
"""Of the genetic algorithm, as published."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Cover every document that can be covered, at a low cost.

    Attributes:
        matches: Which query matches which document.
        cost: (queries,) > 0 where a query matches anything.
        sizes: (documents,). How many queries match each document.
        cheapest: (documents,). The cheapest of their costs; infinite where there is none.
        rank: (queries,). Of queries equally good, the lowest rank goes first.
        start: Queries that are chosen already.
        rng: For methods that draw; None where the caller gave none.
        budget: For methods that search; without a limit, each takes its own.
        progress: For methods that search: told now and then.
        breeding: For the genetic algorithm.
    """

    matches: Matches
    cost: Floats
    sizes: npt.NDArray[np.int32]
    cheapest: Floats
    rank: Ints
    start: tuple[int, ...] = ()
    rng: np.random.Generator | None = None
    budget: Budget = field(default_factory=Budget)
    progress: Callable[[Progress], None] | None = None
    breeding: Breeding = AS_PUBLISHED

    @cached_property
    def view(self) -> View:
        """The problem without constraints; what `start` covers need not be covered."""
        return view_of(self.matches, self.cost, self.start)

    @cached_property
    def relaxation(self) -> Relaxation:
        """The linear relaxation of the view, as far as somebody has solved it."""
        return Relaxation(self.view)

    def without_redundant(self, chosen: Ints) -> Ints:
        """Drop queries that others cover: the most expensive first, of equals the last."""
        return drop_redundant(self.matches, self.cost, chosen)

    def report(self, method: str, share: float, cost: float) -> None:
        """Tell whoever asked for progress."""
        if self.progress is not None:
            self.progress(Progress(method, min(1.0, share), cost))


def drop_redundant(matches: Matches, cost: Floats, chosen: Ints) -> Ints:
    """Drop queries that others cover: the most expensive first, of equals the one chosen last.

    Source: Fu 2011, chapter IV, the last loop of both algorithms, which goes
    through the queries in the order of the matrix.
    """
    from longline.covering.kernels import columns as _kernels

    last_first = np.arange(len(chosen))[::-1]
    order = last_first[np.argsort(-cost[chosen[last_first]], kind="stable")]
    return _kernels.keep_needed(matches.starts, matches.rows, matches.documents, chosen, order)


Method: TypeAlias = Callable[[Problem], Ints]
"""Column numbers in the order chosen; the queries of `start` come first."""

METHODS: dict[str, Method] = {}


def method(name: str) -> Callable[[Method], Method]:
    """Register a method of choosing queries under its published name."""

    def register(function: Method) -> Method:
        METHODS[name] = function
        return function

    return register


def find_method(name: str) -> Method:
    """Return the method of that name.

    Raises:
        UnknownNameError: There is none.
    """
    if name not in METHODS:
        raise UnknownNameError("method", name, METHODS)
    return METHODS[name]


def rank_of(ties: str, df: Ints, rng: np.random.Generator | None) -> Ints:
    """Order the queries for the case that several are equally good.

    Args:
        ties: "largest" df first (then the lowest column), "lowest" column first, or "random":
            an order drawn once, so that one seed gives one answer.
        df: (queries,). How many documents each query matches.
        rng: Draws the random order.

    Raises:
        UnknownNameError: Another rule.
        InputError: "random" without a generator.

    >>> rank_of("largest", np.array([1, 3, 3]), None).argsort().tolist()
    [1, 2, 0]
    """
    if ties == "lowest":
        return np.arange(len(df))
    if ties == "largest":
        from longline.covering.kernels import columns as _kernels

        return _kernels.rank_by_df(df)
    if ties != "random":
        raise UnknownNameError("tie rule", ties, TIES)
    if rng is None:
        raise InputError("ties='random' has no generator", advice="pass rng, a seed will do")
    return rng.permutation(len(df))
