"""Several methods within one budget; the cheapest answer wins."""

from __future__ import annotations

from longline.cover.anneal import annealed, better
from longline.cover.lagrangian import lagrangian
from longline.cover.matrix import Ints
from longline.cover.problem import Problem, method

ITERATIONS = 1000


@method("best")
def best(problem: Problem) -> Ints:
    """Take the cheapest of TS-IDS, the Lagrangian greedy and annealing.

    An iteration is 10,000 tries of annealing, or a pass of the relaxation; 1,000 of each are
    made where nothing is limited. Of the time, a tenth goes to the Lagrangian greedy, which
    annealing profits from.
    """
    budget = problem.budget.or_iterations(ITERATIONS)
    chosen = lagrangian(problem.within(budget.part(0.1, budget.iterations)))
    return better(problem, chosen, annealed(problem, budget))
