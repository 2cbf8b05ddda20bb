"""Several methods within one budget; the cheapest answer wins."""

from __future__ import annotations

from longline.cover.anneal import HOT, annealed, better
from longline.cover.lagrangian import lagrangian
from longline.cover.matrix import Ints
from longline.cover.problem import Problem, method

ITERATIONS = 1000


@method("best")
def best(problem: Problem) -> Ints:
    """Take the cheapest of TS-IDS, the Lagrangian greedy, and annealing from warm and from hot.

    An iteration is 10,000 tries of annealing; 1,000 are made where nothing is limited.
    """
    budget = problem.budget.or_iterations(ITERATIONS)
    half = None if budget.iterations is None else budget.iterations // 2
    chosen = lagrangian(problem.within(budget.part(0.15, half)))
    for share, hot in ((0.5, HOT), (1.0, 2 * HOT)):
        chosen = better(problem, chosen, annealed(problem, budget.part(share, half), hot))
    return chosen
