"""Simulated annealing on the view without constraints: no repair, and a try costs nothing."""

from __future__ import annotations

import numpy as np

from longline.covering.kernels.arrays import Booleans, Choice, Floats, Ints, Moves, Prices
from longline.covering.model import Budget, View
from longline.covering.primal_dual import CHECK, PrimalDual
from longline.covering.problem import Problem, method
from longline.covering.solvers.dive import dive
from longline.covering.solvers.greedy import ts_ids_greedy

ITERATIONS = 500
TRIES = 10_000
HOT, COLD = 0.15, 0.04
"""Temperatures to start from and to end at, in the mean price of a document."""

_CORE = 12
_SWAPS = 0.3
_POWER = 0.6
_PASSES = 2000
_RELAXING = 0.2


@method("anneal")
def anneal(problem: Problem) -> Ints:
    """Dive, then flip and swap queries, at a temperature that falls as the budget is spent.

    An iteration is 10,000 tries; 500 of them are made where nothing is limited. No guarantee,
    but a document that is left takes its cheapest query, so that every answer is a cover, and
    it is never worse than that of TS-IDS.
    """
    budget = problem.budget.or_iterations(ITERATIONS)
    run, found = annealed(problem, budget)
    return better(problem, run.finish(found.best), ts_ids_greedy(problem))


def better(problem: Problem, first: Ints, second: Ints) -> Ints:
    """Return the cheaper of two choices, both without their redundant queries."""
    first, second = (problem.without_redundant(chosen) for chosen in (first, second))
    return first if problem.cost[first].sum() <= problem.cost[second].sum() else second


def relax(problem: Problem, budget: Budget) -> None:
    """Solve the relaxation, for a fifth of the time at most."""
    problem.relaxation.run(1e-3, budget.part(_RELAXING, _PASSES))


def annealed(problem: Problem, budget: Budget, share: float = 1.0) -> tuple[Run, Choice]:
    """Dive, and search around what that finds for a share of the budget."""
    relax(problem, budget)
    run = Run(problem, budget)
    return run, run.cool(run.dived(np.zeros(len(run.view.cost), np.bool_)), share)


class Run:
    """A search among the columns worth it: for each document those of lowest reduced cost.

    Attributes:
        view: These columns alone.
        relaxed: Their relaxation.
        done: Iterations made.
    """

    def __init__(self, problem: Problem, budget: Budget) -> None:
        relaxation = problem.relaxation
        x = relaxation.x
        inside = relaxation.core(_CORE) | (x > 0)
        self.problem, self.budget = problem, budget
        self.view = problem.view.only(inside)
        self.relaxed = PrimalDual(self.view, x[inside], relaxation.duals)
        # The temperature rises with a query's cost, to the power of 0.6: large queries are
        # decided while small ones are nearly settled. At one temperature for all, the small
        # ones are noise as long as the large ones move.
        self.heat = self.view.scale * (self.view.cost / self.view.scale) ** _POWER
        self.rng = problem.rng or np.random.default_rng(0)
        self.done = 0

    @property
    def spent(self) -> float:
        """How much of the budget is spent."""
        return self.budget.spent(self.done)

    def dived(self, kept: Booleans) -> Booleans:
        """Dive for what a choice of columns leaves; complete it greedily with the duals."""
        from longline.covering.kernels import lagrangian as _lagrangian_kernels
        from longline.covering.kernels import view as _view_kernels

        view, rest = self.view, self.relaxed.after(kept)
        rest.run(1e-3, Budget(2 * CHECK))
        taken = kept | np.isin(view.columns, dive(rest, self.rng, lambda: self.spent < 1))
        left = _view_kernels.left(view.starts, view.rows, view.price > 0, taken)
        price = np.where(left, view.price, 0.0)
        more = _lagrangian_kernels.choose(
            view.starts, view.rows, view.cost, price, self.relaxed.duals
        )
        return np.asarray(taken | more)

    def finish(self, chosen: Booleans) -> Ints:
        """Return a cover: the start, a choice of columns, and what is cheapest for the rest."""
        return np.concatenate([np.array(self.problem.start, np.int64), self.view.finish(chosen)])

    def value(self, chosen: Booleans) -> float:
        """What a choice costs, with the price of what it leaves."""
        from longline.covering.kernels import view as _view_kernels

        view = self.view
        left = _view_kernels.left(view.starts, view.rows, view.price > 0, chosen)
        return float(view.cost[chosen].sum() + view.price[left].sum())

    def cool(self, start: Booleans, share: float) -> Choice:
        """Anneal from a choice of columns, for a share of what is left of the budget."""
        state = state_of(self.view, Prices(self.view.cost, self.view.price), start)
        first = spent = self.spent
        last = first + (1 - first) * share
        while spent < last:
            passed = (spent - first) / (last - first)
            _run(self.view, state, self.heat, HOT * (COLD / HOT) ** passed, self.rng)
            self.done += 1
            spent = self.spent
            self.problem.report("anneal", spent, float(state.values[1]))
        return state


def state_of(view: View, prices: Prices, first: Booleans) -> Choice:
    """Return a choice of columns, with what flipping each adds at such prices."""
    from longline.covering.kernels import anneal as _anneal_kernels
    from longline.covering.kernels import view as _view_kernels

    value = np.full(2, prices.price.sum())
    state = Choice(
        chosen=np.zeros(len(view.cost), np.bool_),
        change=prices.cost - _view_kernels.worth(view.starts, view.rows, prices.price),
        times=np.zeros(view.documents, np.int32),
        names=np.zeros(view.documents, np.int64),
        best=first.copy(),
        values=value,
    )
    for column in np.flatnonzero(first):
        value += state.change[column]
        _anneal_kernels.flip(int(column), view.matrix, prices.price, state)
    return state


def _run(
    view: View, state: Choice, heat: Floats, temperature: float, rng: np.random.Generator
) -> None:
    from longline.covering.kernels import anneal as _anneal_kernels

    prices, moves = Prices(view.cost, view.price), Moves(heat, _SWAPS, TRIES)
    _anneal_kernels.anneal(view.matrix, prices, state, moves, temperature, rng)
