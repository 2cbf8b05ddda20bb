"""Simulated annealing on the view without constraints: no repair, and a try costs nothing."""

from __future__ import annotations

import numpy as np

from longline.covering.kernels.arrays import Booleans, Choice, Floats, Ints, Moves, Prices
from longline.covering.model import Budget, View
from longline.covering.problem import Problem, method
from longline.covering.solvers.greedy import ts_ids_greedy

ITERATIONS = 500
TRIES = 10_000
HOT, WARM, COLD = 0.6, 0.4, 0.04
"""Temperatures to start from and to end at, in the mean price of a document."""

_CORE = 12
_SWAPS = 0.3
_POWER = 0.6
_PASSES = 2000
_TRIAL = 0.15


@method("anneal")
def anneal(problem: Problem) -> Ints:
    """Flip and swap queries, at a temperature that falls as the budget is spent.

    An iteration is 10,000 tries; 500 of them are made where nothing is limited. No guarantee,
    but a document that is left takes its cheapest query, so that every answer is a cover, and
    it is never worse than that of TS-IDS.
    """
    budget = problem.budget.or_iterations(ITERATIONS)
    return better(problem, annealed(problem, budget), ts_ids_greedy(problem))


def better(problem: Problem, first: Ints, second: Ints) -> Ints:
    """Return the cheaper of two choices, both without their redundant queries."""
    first, second = (problem.without_redundant(chosen) for chosen in (first, second))
    return first if problem.cost[first].sum() <= problem.cost[second].sum() else second


def annealed(problem: Problem, budget: Budget) -> Ints:
    """Search the core within a budget; return a cover."""
    problem.relaxation.run(1e-3, budget.part(0.15, _PASSES))
    run = Run(problem, core_of(problem), budget)
    found = two_starts(run, 1.0)
    return np.concatenate([np.array(problem.start, np.int64), run.view.finish(found.best)])


def two_starts(run: Run, share: float) -> Choice:
    """Try two places to start from, then spend most of the budget on the better one.

    The greedy choice with the relaxation's duals, and the same after the relaxation's larger
    fractions: which is better depends on the corpus.
    """
    last = run.spent + (1 - run.spent) * share
    nothing = np.zeros(len(run.view.cost), np.bool_)
    larger = run.problem.relaxation.x[run.inside] > 0.5
    tries = [(run.completed(nothing), HOT), (run.completed(larger), WARM)]
    trials = [run.cool(start, hot, _TRIAL, last) for start, hot in tries]
    winner = min(range(len(tries)), key=lambda trial: trials[trial].values[1])
    return cheapest([*trials, run.cool(*tries[winner], 1.0, last)])


def cheapest(states: list[Choice]) -> Choice:
    """Return the state that has seen the best choice."""
    return min(states, key=lambda state: float(state.values[1]))


class Run:
    """Several coolings of one view within one budget.

    Attributes:
        inside: Which of the problem's columns are in the view.
        done: Iterations made.
    """

    def __init__(self, problem: Problem, inside: Booleans, budget: Budget) -> None:
        self.problem, self.inside, self.budget = problem, inside, budget
        self.view = problem.view.only(inside)
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

    def completed(self, taken: Booleans) -> Booleans:
        """Add to a choice of columns, greedily with the relaxation's duals."""
        from longline.covering.kernels import lagrangian as _lagrangian_kernels
        from longline.covering.kernels import view as _view_kernels

        view, duals = self.view, self.problem.relaxation.duals
        left = _view_kernels.left(view.starts, view.rows, view.price > 0, taken)
        price = np.where(left, view.price, 0.0)
        rest = _lagrangian_kernels.choose(view.starts, view.rows, view.cost, price, duals)
        return np.asarray(taken | rest)

    def cool(
        self, start: Booleans, hot: float, share: float, last: float = 1.0, cold: float = COLD
    ) -> Choice:
        """Anneal from a choice of columns, for a share of the budget from now to `last`."""
        state = _state(self.view, start)
        first = spent = self.spent
        last = first + (last - first) * share
        while spent < last:
            passed = (spent - first) / (last - first)
            _run(self.view, state, self.heat, hot * (cold / hot) ** passed, self.rng)
            self.done += 1
            spent = self.spent
            self.problem.report("anneal", spent, float(state.values[1]))
        return state


def core_of(problem: Problem) -> Booleans:
    """Mark the columns worth searching: for each document those of lowest reduced cost."""
    from longline.covering.kernels import view as _view_kernels

    view, reduced = problem.view, problem.relaxation.reduced
    return _view_kernels.core(view.row_starts, view.row_columns, reduced, _CORE, 0.0)


def _state(view: View, first: Booleans) -> Choice:
    from longline.covering.kernels import anneal as _anneal_kernels
    from longline.covering.kernels import view as _view_kernels

    value = np.full(2, view.price.sum())
    state = Choice(
        chosen=np.zeros(len(view.cost), np.bool_),
        change=view.cost - _view_kernels.worth(view.starts, view.rows, view.price),
        times=np.zeros(view.documents, np.int32),
        names=np.zeros(view.documents, np.int64),
        best=first.copy(),
        values=value,
    )
    for column in np.flatnonzero(first):
        value += state.change[column]
        _anneal_kernels.flip(int(column), view.matrix, view.price, state)
    return state


def _run(
    view: View, state: Choice, heat: Floats, temperature: float, rng: np.random.Generator
) -> None:
    from longline.covering.kernels import anneal as _anneal_kernels

    prices, moves = Prices(view.cost, view.price), Moves(heat, _SWAPS, TRIES)
    _anneal_kernels.anneal(view.matrix, prices, state, moves, temperature, rng)
