"""The published greedy methods: one loop, three weights."""

from __future__ import annotations

import numpy as np

from longline.covering.kernels.arrays import Floats, Ints
from longline.covering.model import ids_of, ts_ids_of
from longline.covering.problem import Problem, method


@method("greedy")
def greedy(problem: Problem) -> Ints:
    """Choose the query with the most uncovered documents per cost first.

    Source: Wang, Lu & Chen, TS-IDS, Figure 2.
    """
    return choose(problem, (problem.sizes > 0).astype(np.float64))


@method("ids")
def ids_greedy(problem: Problem) -> Ints:
    """Choose the query with the most uncovered weight per cost; few queries give a high weight.

    Source: Wang, Lu & Chen 2009, Algorithm 1 (the weighted greedy algorithm).
    """
    return choose(problem, ids_of(problem.sizes))


@method("ts-ids")
def ts_ids_greedy(problem: Problem) -> Ints:
    """Choose the query with the most uncovered weight per cost; high costs give a high weight.

    Source: Wang, Lu & Chen, TS-IDS, Figure 3 and Definition 2.
    """
    return choose(problem, ts_ids_of(problem.sizes, problem.cheapest))


def choose(problem: Problem, weight: Floats) -> Ints:
    """Choose queries until every document with a weight is covered, best value first.

    Value = weight of the uncovered documents / cost. The weights are those at the start: computing
    them again for the rest gives worse choices. Values within 1e-9 (relative) of the best are ties,
    because sums of the same numbers in another order differ in the last digits: the best value
    starts a level, and the tie rule decides among all that reach it, until none is left.

    Args:
        problem: Costs, ranks and start.
        weight: (documents,) >= 0; 0 if a document need not be covered. It is overwritten.

    Returns:
        Column numbers in the order chosen, those of the start first.
    """
    from longline.covering.kernels import greedy as _kernels

    matches = problem.matches
    left = int(np.count_nonzero(weight))
    for column in problem.start:
        begin, end = matches.starts[column], matches.starts[column + 1]
        left -= _kernels.take(matches.rows[begin:end], weight)
    chosen, left = _kernels.choose(
        matches.starts, matches.rows, weight, problem.cost, problem.rank, left
    )
    if left > 0:
        raise RuntimeError(f"{left} documents are left and no query is")
    return np.concatenate([np.array(problem.start, np.int64), chosen])
