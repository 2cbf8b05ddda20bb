"""A greedy method that prices documents by the duals of the linear relaxation."""

import numpy as np

from longline.covering.kernels.arrays import Floats, Ints
from longline.covering.problem import Problem, method
from longline.covering.solvers.anneal import better
from longline.covering.solvers.greedy import ts_ids_greedy

PASSES = 2000
CHECKPOINTS = (0.3, 0.1, 0.03, 0.01, 0.003, 0.001)


@method("lagrangian")
def lagrangian(problem: Problem) -> Ints:
    """Choose by reduced cost, at several stages of the duals; return the best, or TS-IDS's cover.

    An iteration is a pass of the relaxation; there are at most 2,000 if there is no limit.

    Source: Caprara, Fischetti & Toth 1999, section 3.1 (the score of a column).
    """
    budget = problem.budget.or_iterations(PASSES)
    best = problem.without_redundant(ts_ids_greedy(problem))
    for gap in CHECKPOINTS:
        problem.relaxation.run(gap, budget)
        best = better(problem, best, by_duals(problem, problem.relaxation.duals))
        share = budget.spent(problem.relaxation.passes)
        problem.report("lagrangian", share, float(problem.cost[best].sum()))
        if share >= 1:
            break
    return best


def by_duals(problem: Problem, duals: Floats) -> Ints:
    """Choose the query with the lowest score, until every document is covered.

    The score is reduced cost per uncovered document; queries whose reduced cost is not positive
    come first, by reduced cost times uncovered documents. Reduced cost includes only the duals of
    uncovered documents.
    """
    from longline.covering.kernels import lagrangian as _lagrangian_kernels

    view = problem.view
    chosen = _lagrangian_kernels.choose(view.starts, view.rows, view.cost, view.price, duals)
    return np.concatenate([np.array(problem.start, np.int64), view.finish(chosen)])
