"""Anneal, then improve the result with the method that suits the costs."""

from dataclasses import replace

import numpy as np

from longline.covering.kernels.arrays import Booleans, Ints
from longline.covering.problem import Problem, method
from longline.covering.solvers.anneal import ITERATIONS, Run, annealed, better
from longline.covering.solvers.greedy import greedy, ids_greedy, ts_ids_greedy
from longline.covering.solvers.lagrangian import lagrangian
from longline.covering.solvers.weighting import weighted, weighting

_ANNEALING = 0.4
_FREED = 0.3


@method("best")
def best(problem: Problem) -> Ints:
    """Anneal; then repeatedly drop three of ten queries, and dive for the documents they leave.

    A result that costs no more is kept. If all queries cost the same, rows are weighted instead, as
    in "weighting". Limited only by iterations, it makes those of "anneal", "lagrangian" and
    "weighting" first and then as many more, so it is never worse than any. By time, annealing gets
    two fifths. It is never worse than the published greedy methods.
    """
    budget = problem.budget.or_iterations(ITERATIONS)
    if budget.seconds is None:
        run, found = annealed(problem, budget)
        run.done = 0
        silent = replace(problem, progress=None)
        others = [lagrangian(silent), weighting(silent)]
    else:
        run, found = annealed(problem, budget, _ANNEALING)
        others = []
    # The cheapest choice may not be the cheapest after redundant queries are dropped.
    others.append(run.finish(found.best))
    if len(set(problem.view.cost)) == 1:
        chosen = weighted(problem, budget, others[-1], run.done)
    else:
        chosen = run.finish(_dived_again(run, found.best))
    for other in (*others, *(each(problem) for each in (greedy, ids_greedy, ts_ids_greedy))):
        chosen = better(problem, chosen, other)
    return chosen


def _dived_again(run: Run, chosen: Booleans) -> Booleans:
    """Improve a choice until the budget is spent."""
    value = run.value(chosen)
    while run.spent < 1:
        kept = chosen & (run.rng.random(len(chosen)) >= _FREED)
        other = run.dived(kept)
        run.done += 1
        if (changed := run.value(other)) <= value:
            chosen, value = other, changed
        run.problem.report("best", run.spent, value)
    return np.asarray(chosen)
