"""The input of all methods for choosing queries, and the registry of methods."""

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
    """Options of the genetic algorithm besides its generations; the defaults are as published.

    Attributes:
        population: The most covers in a generation.
        mutation: The share of a cover's queries that a mutation replaces, 0 to 1.
    """

    population: int = 300
    mutation: float = 0.03


AS_PUBLISHED = Breeding()

GENERATIONS = 500
"""The number of generations of the genetic algorithm, as published."""


@dataclass(frozen=True, eq=False)
class Problem:
    """The task: cover every document that can be covered, at a low cost.

    Attributes:
        matches: Which query matches which document.
        cost: (queries,) > 0 where a query matches anything.
        sizes: (documents,). How many queries match each document.
        cheapest: (documents,). The lowest of their costs; infinite if there is none.
        rank: (queries,). Breaks ties between equally good queries: the lowest rank first.
        start: Queries that are chosen already.
        rng: For methods that draw at random; None if the caller gave none.
        budget: For methods that search; without a limit, each uses its own.
        progress: For methods that search: called from time to time.
        breeding: Options of the genetic algorithm.
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
        """The problem without constraints; documents covered by `start` are left out."""
        return view_of(self.matches, self.cost, self.start)

    @cached_property
    def relaxation(self) -> Relaxation:
        """The linear relaxation of the view, as far as it was solved so far."""
        return Relaxation(self.view)

    def without_redundant(self, chosen: Ints) -> Ints:
        """Drop queries that others make redundant: the most expensive first, of equals the last."""
        return drop_redundant(self.matches, self.cost, chosen)

    def report(self, method: str, share: float, cost: float) -> None:
        """Call the progress function, if there is one."""
        if self.progress is not None:
            self.progress(Progress(method, min(1.0, share), cost))


def drop_redundant(matches: Matches, cost: Floats, chosen: Ints) -> Ints:
    """Drop queries whose documents others cover: the most expensive first, of equals the last.

    Source: Fu 2011, chapter IV, the last loop of both algorithms, which goes
    through the queries in the order of the matrix.
    """
    from longline.covering.kernels import columns as _kernels

    last_first = np.arange(len(chosen))[::-1]
    order = last_first[np.argsort(-cost[chosen[last_first]], kind="stable")]
    return _kernels.keep_needed(matches.starts, matches.rows, matches.documents, chosen, order)


Method: TypeAlias = Callable[[Problem], Ints]
"""Returns column numbers in the order chosen; the queries of `start` come first."""

METHODS: dict[str, Method] = {}


def method(name: str) -> Callable[[Method], Method]:
    """Register a method of choosing queries under its published name."""

    def register(function: Method) -> Method:
        METHODS[name] = function
        return function

    return register


def find_method(name: str) -> Method:
    """Return the method with this name.

    Raises:
        UnknownNameError: No method has this name.
    """
    if name not in METHODS:
        raise UnknownNameError("method", name, METHODS)
    return METHODS[name]


def rank_of(ties: str, df: Ints, rng: np.random.Generator | None) -> Ints:
    """Return a rank for each query, for breaking ties between equally good ones.

    Args:
        ties: "largest" df first (then the lowest column), "lowest" column first, or "random":
            an order drawn once, so that one seed gives one answer.
        df: (queries,). How many documents each query matches.
        rng: Draws the random order.

    Raises:
        UnknownNameError: The rule is unknown.
        InputError: The rule is "random", and there is no generator.

    >>> rank_of("largest", np.array([1, 3, 3]), None).argsort().tolist()
    [1, 2, 0]
    """
    if ties == "lowest":
        return np.arange(len(df))
    if ties == "largest":
        return np.argsort(np.argsort(-df, kind="stable"))
    if ties != "random":
        raise UnknownNameError("tie rule", ties, TIES)
    if rng is None:
        raise InputError("ties='random' has no generator", advice="pass rng, a seed will do")
    return rng.permutation(len(df))
