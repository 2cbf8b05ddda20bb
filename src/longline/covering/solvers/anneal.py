"""Simulated annealing on the view without constraints: no repair is needed, and a try is cheap.

It starts with a dive: fix the columns with the largest fractions in the linear relaxation, solve it
again, and repeat until all are fixed. The relaxation knows what each query leaves to the others,
but not which of several to choose completely. With a few at a time, and passes in between, one
choice decides the next.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from longline.covering.kernels.arrays import Booleans, Choice, Floats, Ints, Moves, Prices
from longline.covering.model import Budget, View
from longline.covering.primal_dual import CHECK, PrimalDual
from longline.covering.problem import Problem, method
from longline.covering.solvers.greedy import ts_ids_greedy

AT_ONCE, _AT_LEAST = 0.03, 6
_FRACTION, _SURE = 0.03, 0.9
_NOISE = 0.1
_SHARED = 0.3


def dive(relaxed: PrimalDual, rng: np.random.Generator, goes_on: Callable[[], bool]) -> Ints:
    """Choose columns until the relaxation has no fractions left.

    Each round chooses 3 % of the columns with a positive fraction: those with the largest
    fractions, multiplied by noise of 10 % so that no two dives are alike, if they share few
    documents with each other. All with a fraction near 1 are chosen too.

    Args:
        relaxed: The solved relaxation; it is not changed.
        rng: Draws the noise.
        goes_on: Called after each round; the dive ends when it returns False.

    Returns:
        Column numbers of the full matrix: those chosen, and those with more than half in the last
        relaxation. They need not cover every document.
    """
    taken: list[Ints] = []
    while len(parts := np.flatnonzero(relaxed.x > _FRACTION)):
        now = _surest(relaxed, parts, rng)
        taken.append(relaxed.view.columns[now])
        relaxed = relaxed.after(now)
        relaxed.run(1e-3, Budget(CHECK))
        if not goes_on():
            break
    return np.concatenate([*taken, relaxed.view.columns[relaxed.x > 0.5]])


def _surest(relaxed: PrimalDual, parts: Ints, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Return which columns to choose in this round, as booleans."""
    view, x = relaxed.view, relaxed.x
    now = np.zeros(len(x), np.bool_)
    seen = np.zeros(view.documents, np.bool_)
    most = max(_AT_LEAST, AT_ONCE * len(parts))
    order = parts[np.argsort(-x[parts] * np.exp(_NOISE * rng.standard_normal(len(parts))))]
    for column in order:
        rows = view.rows[view.starts[column] : view.starts[column + 1]]
        if seen[rows].mean() <= _SHARED:
            seen[rows] = now[column] = True
            if now.sum() >= most:
                break
    now[parts[x[parts] > _SURE]] = True
    return now


ITERATIONS = 500
TRIES = 10_000
HOT, COLD = 0.15, 0.04
"""Temperatures at the start and at the end, as multiples of the mean price of a document."""

_CORE = 12
_SWAPS = 0.3
_POWER = 0.6
_PASSES = 2000
_RELAXING = 0.2


@method("anneal")
def anneal(problem: Problem) -> Ints:
    """Dive, then flip and swap queries, with a temperature that falls as the budget is spent.

    An iteration is 10,000 tries; there are 500 if there is no limit. The result is always a cover,
    because a document that is left uses its cheapest query, and never worse than TS-IDS's.
    """
    budget = problem.budget.or_iterations(ITERATIONS)
    run, found = annealed(problem, budget)
    return better(problem, run.finish(found.best), ts_ids_greedy(problem))


def better(problem: Problem, first: Ints, second: Ints) -> Ints:
    """Return the cheaper of two choices, after dropping their redundant queries."""
    first, second = (problem.without_redundant(chosen) for chosen in (first, second))
    return first if problem.cost[first].sum() <= problem.cost[second].sum() else second


def relax(problem: Problem, budget: Budget) -> None:
    """Solve the relaxation, for at most a fifth of the time."""
    problem.relaxation.run(1e-3, budget.part(_RELAXING, _PASSES))


def annealed(problem: Problem, budget: Budget, share: float = 1.0) -> tuple[Run, Choice]:
    """Dive, and search around the result for a share of the budget."""
    relax(problem, budget)
    run = Run(problem, budget)
    return run, run.cool(run.dived(np.zeros(len(run.view.cost), np.bool_)), share)


class Run:
    """A search among the promising columns: for each document those of lowest reduced cost.

    Attributes:
        view: A view with only these columns.
        relaxed: Their relaxation.
        done: The number of iterations so far.
    """

    def __init__(self, problem: Problem, budget: Budget) -> None:
        relaxation = problem.relaxation
        x = relaxation.x
        inside = relaxation.core(_CORE) | (x > 0)
        self.problem, self.budget = problem, budget
        self.view = problem.view.only(inside)
        self.relaxed = PrimalDual(self.view, x[inside], relaxation.duals)
        # The temperature rises with a query's cost, to the power of 0.6: large queries are
        # decided while small ones are nearly settled. With one temperature for all, the small
        # ones are noise as long as the large ones move.
        self.heat = self.view.scale * (self.view.cost / self.view.scale) ** _POWER
        self.rng = problem.rng or np.random.default_rng(0)
        self.done = 0

    @property
    def spent(self) -> float:
        """The share of the budget that is spent."""
        return self.budget.spent(self.done)

    def dived(self, kept: Booleans) -> Booleans:
        """Dive for the documents that a choice leaves; complete it greedily with the duals."""
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
        """Return a cover: the start, a choice of columns, and the cheapest queries for the rest."""
        return np.concatenate([np.array(self.problem.start, np.int64), self.view.finish(chosen)])

    def value(self, chosen: Booleans) -> float:
        """Return the cost of a choice, with the price of the documents it leaves."""
        from longline.covering.kernels import view as _view_kernels

        view = self.view
        left = _view_kernels.left(view.starts, view.rows, view.price > 0, chosen)
        return float(view.cost[chosen].sum() + view.price[left].sum())

    def cool(self, start: Booleans, share: float) -> Choice:
        """Anneal from a choice of columns, for a share of the remaining budget."""
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
    """Return a choice of columns, with the change in value if each is flipped, at these prices."""
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
