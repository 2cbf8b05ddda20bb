"""The published greedies: one loop, three weights."""

from __future__ import annotations

import numpy as np

from longline.cover.matrix import Floats, Ints
from longline.cover.problem import Problem, method
from longline.cover.weights import ids_of, ts_ids_of


@method("greedy")
def greedy(problem: Problem) -> Ints:
    """Most uncovered documents per cost first.

    Source: Wang, Lu & Chen, TS-IDS, Figure 2.
    """
    return choose(problem, (problem.sizes > 0).astype(np.float64))


@method("ids")
def ids_greedy(problem: Problem) -> Ints:
    """Most uncovered weight per cost first; a document of many queries weighs little.

    Source: Wang, Lu & Chen 2009, Algorithm 1 (the weighted greedy algorithm).
    """
    return choose(problem, ids_of(problem.sizes))


@method("ts-ids")
def ts_ids_greedy(problem: Problem) -> Ints:
    """Most uncovered weight per cost first; a document that is costly to reach weighs more.

    Source: Wang, Lu & Chen, TS-IDS, Figure 3 and Definition 2.
    """
    return choose(problem, ts_ids_of(problem.sizes, problem.cheapest))


def choose(problem: Problem, weight: Floats) -> Ints:
    """Choose queries until every document with a weight is covered, best value first.

    Value = weight of the uncovered documents / cost. The weights are those of the start:
    computed anew on what is left, they choose worse. Values within 1e-9 (relative) of the
    best are ties, because sums of the same numbers in another order differ in the last
    digits: the best value starts a level, and the tie rule decides among all that reach it,
    until none is left that does.

    Args:
        problem: Costs, ranks and start.
        weight: (documents,) >= 0; 0 where a document need not be covered. Used up.
    """
    from longline.cover import _kernels

    matches = problem.matches
    begun = np.array(problem.start, dtype=np.int64)
    return _kernels.choose(matches.starts, matches.rows, weight, problem.cost, problem.rank, begun)
