"""Every way of searching within one budget, and a search among what they chose."""

from __future__ import annotations

import numpy as np

from longline.cover.anneal import Run, State, better, cheapest, core_of, two_starts
from longline.cover.budget import Budget
from longline.cover.dive import AT_ONCE, PASSES, dive, large_of, parts_of
from longline.cover.lagrangian import lagrangian
from longline.cover.matrix import Ints
from longline.cover.problem import Problem, method

ITERATIONS = 5000

_RELAXED = 2000
_MILD, _COLD = 0.15, 0.05
_POLISH = 500
_FIRST, _SHORT, _DIVES = 0.15, 0.7, 0.9


@method("best")
def best(problem: Problem) -> Ints:
    """Take the cheapest of the Lagrangian greedy, annealing, dives, and a search among them.

    An iteration is 10,000 tries of annealing, or a pass of the relaxation; 5,000 are made
    where nothing is limited. Of the time, a tenth goes to the Lagrangian greedy.
    """
    budget = problem.budget.or_iterations(ITERATIONS)
    chosen = lagrangian(problem.within(_relaxing(budget)))
    return better(problem, chosen, merged(problem, budget))


def _relaxing(budget: Budget) -> Budget:
    """Return the part of the budget that goes to the relaxation, each time it is asked."""
    limit = budget.iterations
    return budget.part(0.1, _RELAXED if limit is None else min(_RELAXED, limit // 5))


def merged(problem: Problem, budget: Budget) -> Ints:
    """Anneal, dive as often as there is time, then anneal among what all of these chose.

    The columns that one of several good choices has are few, and most of a better choice is
    among them: annealing these alone is four times faster, and comes lower.
    """
    problem.relaxation.run(1e-3, _relaxing(budget))
    run = Run(problem, core_of(problem), budget)
    run.done = problem.relaxation.passes
    found = [two_starts(run, _FIRST if _fits(run, _SHORT) else 1.0)]
    while _fits(run, _DIVES):
        found.append(_dived(run))
    chosen = np.any([state.best for state in found], axis=0)
    inside = run.inside.copy()
    inside[inside] = chosen
    among = Run(problem, inside, budget)
    among.rng, among.done = run.rng, run.done
    final = among.cool(cheapest(found).best[chosen], _MILD, 1.0, cold=_COLD)
    return np.concatenate([np.array(problem.start, np.int64), among.view.finish(final.best)])


def _fits(run: Run, last: float) -> bool:
    """Whether a dive would likely end before so much of the budget is spent.

    About half of the columns taken in part are taken whole in the end, at passes that cost
    half as much as at the start, because the problem shrinks.
    """
    relaxation = run.problem.relaxation
    rounds = len(parts_of(relaxation, large_of(relaxation))) / AT_ONCE
    iterations = PASSES * rounds / 4 + _POLISH
    return run.spent + run.spent / max(1, run.done) * iterations < last


def _dived(run: Run) -> State:
    """Dive, fill up, and cool from where only small queries move."""

    def goes_on(passes: int) -> bool:
        run.done += passes
        return run.spent < 1

    numbers = dive(run.problem.relaxation, run.rng, goes_on)
    start = run.completed(np.isin(run.view.columns, numbers))
    share = run.spent / max(1, run.done) * _POLISH / max(1e-9, 1 - run.spent)
    return run.cool(start, _MILD, min(1.0, share), cold=_COLD)
