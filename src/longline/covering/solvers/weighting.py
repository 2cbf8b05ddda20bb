"""Row weighting: rows that stay uncovered get more weight, until a cheaper cover is found."""

import numpy as np
import numpy.typing as npt

from longline.covering.kernels.arrays import Choice, Floats, Ints, Members, Prices
from longline.covering.model import Budget, View, view_of
from longline.covering.problem import Problem, method
from longline.covering.solvers.anneal import better, relax, state_of
from longline.covering.solvers.greedy import ts_ids_greedy

ITERATIONS = 500
TRIES = 1000

_CORE = 50


@method("weighting")
def weighting(problem: Problem) -> Ints:
    """Drop a query and cover the documents it leaves, again and again, guided by document weights.

    An iteration is 1,000 such steps; there are 500 if there is no limit. This works best if all
    queries cost the same. It is never worse than TS-IDS.

    Source: Gao, Weise & Li 2015, "An efficient local search heuristic with row weighting for the
    unicost set covering problem".
    """
    budget = problem.budget.or_iterations(ITERATIONS)
    relax(problem, budget)
    first = problem.without_redundant(ts_ids_greedy(problem))
    return better(problem, weighted(problem, budget, first), first)


def weighted(problem: Problem, budget: Budget, cover: Ints, done: int = 0) -> Ints:
    """Improve a cover until the budget is spent; `done` iterations of it are spent already.

    It uses the 50 columns of lowest reduced cost for each document, and its cheapest one.
    """
    from longline.covering.kernels import weighting as _kernels

    relaxation, whole = problem.relaxation, problem.view
    core = whole.columns[relaxation.core(_CORE) | (relaxation.x > 0)]
    start = np.array(problem.start, np.int64)
    own = np.setdiff1d(cover, start)
    fallback = whole.fallback[whole.price > 0]
    view = view_of(
        problem.matches, problem.cost, problem.start, np.unique(np.r_[core, fallback, own])
    )
    weight = np.ones(view.documents)
    state, sets = _begun(view, weight, np.isin(view.columns, own))
    rng = problem.rng or np.random.default_rng(0)
    while (spent := budget.spent(done)) < 1:
        _kernels.weigh(view.matrix, Prices(view.cost, weight), state, sets, TRIES, rng)
        done += 1
        problem.report("weighting", spent, float(state.values[1]))
    return np.concatenate([start, view.finish(state.best)])


def _begun(
    view: View, weight: Floats, cover: npt.NDArray[np.bool_]
) -> tuple[Choice, tuple[Members, Members, Ints]]:
    from longline.covering.kernels import weighting as _kernels

    columns = len(view.cost)
    state = state_of(view, Prices(np.zeros(columns), weight), cover)
    state.values[:] = view.cost[cover].sum()
    chosen, left = (
        Members(np.zeros(size, np.int64), np.full(size, -1), np.zeros(1, np.int64))
        for size in (columns, view.documents)
    )
    for column in np.flatnonzero(cover):
        _kernels.put(chosen, int(column))
    return state, (chosen, left, np.zeros(columns, np.int64))
