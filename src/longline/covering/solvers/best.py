"""Every way of searching within one budget, and a search among what they chose."""

from __future__ import annotations

import numpy as np

from longline.covering.kernels.arrays import Choice, Ints
from longline.covering.problem import Problem, method
from longline.covering.solvers.anneal import Run, better, cheapest, core_of, two_starts
from longline.covering.solvers.dive import AT_ONCE, PASSES, dive, large_of, parts_of
from longline.covering.solvers.greedy import ts_ids_greedy

ITERATIONS = 5000

_RELAXED = 2000
_MILD, _COLD = 0.15, 0.05
_POLISH = 500
_RELAXING, _FIRST, _DIVES = 0.15, 0.15, 0.9


@method("best")
def best(problem: Problem) -> Ints:
    """Anneal; with time for three dives, dive too, and search among all that was chosen.

    Annealing begins with the Lagrangian greedy. An iteration is 10,000 tries, or a pass of the
    relaxation; 5,000 are made where nothing is limited.
    """
    budget = problem.budget.or_iterations(ITERATIONS)
    limit = budget.iterations
    passes = _RELAXED if limit is None else min(_RELAXED, limit // 5)
    problem.relaxation.run(1e-3, budget.part(_RELAXING, passes))
    run = Run(problem, core_of(problem), budget)
    run.done = problem.relaxation.passes
    found = merged(run) if _fits(run, _DIVES - _FIRST, 3) else _annealed(run)
    chosen = np.concatenate([np.array(problem.start, np.int64), found])
    return better(problem, chosen, ts_ids_greedy(problem))


def _annealed(run: Run) -> Ints:
    return run.view.finish(two_starts(run, 1.0).best)


def merged(run: Run) -> Ints:
    """Anneal, dive as often as there is time, then anneal among what all of these chose.

    The columns that one of several good choices has are few, and most of a better choice is
    among them: annealing these alone is four times faster, and comes lower.
    """
    found = [two_starts(run, _FIRST)]
    while _fits(run, _DIVES):
        found.append(_dived(run))
    chosen = np.any([state.best for state in found], axis=0)
    inside = run.inside.copy()
    inside[inside] = chosen
    among = Run(run.problem, inside, run.budget)
    among.rng, among.done = run.rng, run.done
    final = among.cool(cheapest(found).best[chosen], _MILD, 1.0, cold=_COLD)
    return among.view.finish(final.best)


def _fits(run: Run, last: float, dives: int = 1) -> bool:
    """Whether so many dives would likely end before so much of the budget is spent.

    About half of the columns taken in part are taken whole in the end, at passes that cost
    half as much as at the start, because the problem shrinks.
    """
    relaxation = run.problem.relaxation
    rounds = len(parts_of(relaxation, large_of(relaxation))) / AT_ONCE
    iterations = dives * (PASSES * rounds / 4 + _POLISH)
    return run.spent + run.spent / max(1, run.done) * iterations < last


def _dived(run: Run) -> Choice:
    """Dive, fill up, and cool from where only small queries move."""

    def goes_on(passes: int) -> bool:
        run.done += passes
        return run.spent < 1

    numbers = dive(run.problem.relaxation, run.rng, goes_on)
    start = run.completed(np.isin(run.view.columns, numbers))
    share = run.spent / max(1, run.done) * _POLISH / max(1e-9, 1 - run.spent)
    return run.cool(start, _MILD, min(1.0, share), cold=_COLD)
