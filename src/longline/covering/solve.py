"""Choose queries from a matrix, with any method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from longline.covering.bound import PASSES, TOLERANCE, Relaxation, bound_of
from longline.covering.model import (
    Budget,
    Progress,
    budget_of,
    cost_of,
    in_canonical_order,
    matches_of,
    survey,
    view_of,
)
from longline.covering.problem import (
    AS_PUBLISHED,
    Breeding,
    Problem,
    find_method,
    rank_of,
)
from longline.errors import InputError, UncoverableError

if TYPE_CHECKING:
    from longline.covering.model import Matrix


SEARCHES = frozenset({"lagrangian", "weighting", "anneal", "best", "genetic"})
"""Methods that draw at random, or sum in the order of the documents."""


@dataclass(frozen=True)
class Cover:
    """A choice of queries that together match every document that any query matches.

    Attributes:
        queries: Column numbers in the order chosen.
        cost: Their total cost, in the unit of the cost they were chosen by.
        received: Documents they bring back, with repeats: the sum of their df.
        overlapping_rate: `received` per different document; nan if there is none.
        method: The method that chose them.
        uncovered: Documents that no query matches; empty unless they were allowed.
        lower_bound: A proven lower bound on the cost of any cover; None unless requested.

    Example:
        >>> import longline
        >>> found = longline.cover([[1, 0], [1, 1]])
        >>> found.queries, found.received, found.uncovered
        ([0], 2, [])
    """

    queries: list[int]
    cost: float
    received: int
    overlapping_rate: float
    method: str
    uncovered: list[int]
    lower_bound: float | None = None

    @property
    def gap(self) -> float | None:
        """The most by which this costs more than the lower bound: 0.1 is a tenth.

        None if no bound was requested; nan if there is nothing to cover.
        """
        if self.lower_bound is None:
            return None
        return self.cost / self.lower_bound - 1 if self.lower_bound > 0 else nan


def cover(
    matrix: Matrix,
    method: str = "ts-ids",
    *,
    cost: str | npt.ArrayLike = "df",
    ties: str = "largest",
    eliminate: bool = True,
    start: Sequence[int] = (),
    allow_uncovered: bool = False,
    rng: np.random.Generator | int | None = None,
    bound: bool = False,
    iterations: int | None = None,
    time_limit_seconds: float | None = None,
    clock: Callable[[], float] | None = None,
    progress: Callable[[Progress], None] | None = None,
    breeding: Breeding = AS_PUBLISHED,
) -> Cover:
    """Choose queries until every document is covered, at a low cost.

    The defaults choose cheaply and give one answer: TS-IDS is the best of the published greedy
    methods; redundancy elimination never costs more; among equally good queries, the largest df
    needs the fewest requests, and no seed. The papers' figures need `ties="random",
    eliminate=False`.

    The order of the documents does not change the answer, except for random ties. Methods that
    search ("lagrangian", "anneal", "weighting", "best", "genetic", "exact") take a limit in
    iterations, which is reproducible for a seed, or in seconds, with a clock that you pass; without
    both each has a default. Without `rng` they use seed 0.

    Args:
        matrix: (documents, queries). 0 and 1, or any scipy sparse matrix (CSC is fastest).
        method: "greedy", "ids", "ts-ids" (the published greedies), "lagrangian",
            "anneal", "weighting" (if all queries cost the same), "best" (of all), "genetic",
            "exact", or another of `METHODS`.
        cost: Cost of a query: "df", "df+30", "pages/10" or a vector, as `cost_of` reads it.
        ties: "largest" df first, "lowest" column first, or "random", which needs `rng`.
        eliminate: Drop queries whose documents are all covered by others, most expensive first.
        start: Queries to choose before all others; elimination may drop them.
        allow_uncovered: Allow documents that no query matches, and list them.
        rng: A numpy Generator or a seed, for random draws.
        bound: Also prove a lower bound, within 0.1 % of the linear relaxation or as near as 20,000
            passes come; on large matrices this takes as long as a search.
        iterations: For methods that search: the most iterations; each method defines them.
        time_limit_seconds: For methods that search: the most time, by `clock`. At 0 there is
            still a cover. The bound is not included.
        clock: `time.monotonic`, or `time.process_time` if other work shares the machine.
        progress: Called with a `Progress` from time to time by methods that search.
        breeding: Population and mutation of "genetic"; its iterations are generations.

    Raises:
        MatrixError: The matrix or the cost is invalid; the message says where and why.
        UncoverableError: No query matches some document; names the first one.
        UnknownNameError: The method, the tie rule or the form of the cost is unknown.
        InputError: "random" without `rng`, a start outside the matrix, or a limit that is
            negative or lacks its clock.
        NotProvenError: The method is "exact", and its limit was reached first.

    Source: the example is the 4 x 3 matrix of Fu 2011, chapter III, whose other
    solution costs 5.

    >>> found = cover([[0, 1, 1], [1, 0, 0], [1, 1, 0], [0, 1, 1]])
    >>> found.queries, found.cost, found.overlapping_rate
    ([0, 2], 4.0, 1.0)
    """
    matches = matches_of(matrix)
    prices = cost_of(matches, cost)
    choose = find_method(method)
    generator = None if rng is None else np.random.default_rng(rng)
    rank = rank_of(ties, matches.df, generator)
    sizes, cheapest = survey(matches, prices)
    uncovered = np.flatnonzero(sizes == 0)
    if len(uncovered) and not allow_uncovered:
        raise UncoverableError(int(uncovered[0]), len(uncovered))
    if method in SEARCHES:
        # Their draws and sums follow the order of the documents, which must not matter.
        matches = in_canonical_order(matches)
        sizes, cheapest = survey(matches, prices)
    begun = _checked_start(start, matches.queries)
    limit = budget_of(iterations, time_limit_seconds, clock)
    problem = Problem(
        matches, prices, sizes, cheapest, rank, begun, generator, limit, progress, breeding
    )
    chosen = choose(problem)
    if eliminate:
        chosen = problem.without_redundant(chosen)
    received = int(matches.df[chosen].sum())
    covered = matches.documents - len(uncovered)
    return Cover(
        queries=chosen.tolist(),
        cost=float(prices[chosen].sum()),
        received=received,
        overlapping_rate=received / covered if covered else nan,
        method=method,
        uncovered=uncovered.tolist(),
        lower_bound=_bound(problem) if bound else None,
    )


def _bound(problem: Problem) -> float:
    """Return a lower bound for every cover, also for those without the start."""
    relaxation = problem.relaxation
    if problem.start:
        relaxation = Relaxation(view_of(problem.matches, problem.cost))
    budget = Budget(iterations=PASSES)
    return bound_of(problem.matches, problem.cost, relaxation, TOLERANCE, budget).value


def _checked_start(start: Sequence[int], queries: int) -> tuple[int, ...]:
    for column in start:
        if not 0 <= column < queries:
            raise InputError(
                f"start names query {column} of {queries}", advice=f"take 0 to {queries - 1}"
            )
    return tuple(dict.fromkeys(int(column) for column in start))
