"""Simulated annealing on the view without constraints: no repair, and a try costs nothing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from longline.cover.budget import Budget
from longline.cover.greedy import ts_ids_greedy
from longline.cover.matrix import Floats, Ints, Rows
from longline.cover.problem import Problem, method
from longline.cover.view import View

ITERATIONS = 500
TRIES = 10_000
HOT, COLD = 1.2, 0.08
"""Temperatures at the start and at the end, in the mean price of a document."""

_CORE = 12
_SWAPS = 0.3
_POWER = 0.4
_PASSES = 2000


@method("anneal")
def anneal(problem: Problem) -> Ints:
    """Flip and swap queries, at a temperature that falls as the budget is spent.

    An iteration is 10,000 tries; 500 of them are made where nothing is limited. It starts
    from the queries that the linear relaxation takes at more than a half. No guarantee, but a
    document that is left takes its cheapest query, so that every answer is a cover.
    """
    chosen = annealed(problem, problem.budget.or_iterations(ITERATIONS))
    return better(problem, chosen, ts_ids_greedy(problem))


def better(problem: Problem, first: Ints, second: Ints) -> Ints:
    """Return the cheaper of two choices, both without their redundant queries."""
    first, second = (problem.without_redundant(chosen) for chosen in (first, second))
    return first if problem.cost[first].sum() <= problem.cost[second].sum() else second


def annealed(problem: Problem, budget: Budget, hot: float = HOT) -> Ints:
    """Search within a budget, from a temperature of `hot`.

    Only the core is searched: for each document the queries of lowest reduced cost.

    The temperature rises with a query's cost, to the power of 0.4: large queries are decided
    while small ones are nearly settled. At one temperature for all, the small ones are noise
    as long as the large ones move (on 10,000 Reuters documents 9.9 % above the bound in ten
    seconds, against 9.3 %).
    """
    problem.relaxation.run(1e-3, budget.part(0.15, _PASSES))
    view, first = _core(problem)
    heat = view.scale * (view.cost / view.scale) ** _POWER
    state = _state(view, first)
    rng = problem.rng or np.random.default_rng(0)
    done, share = 0, budget.spent(0)
    while share < 1:
        _run(view, state, heat, hot * (COLD / hot) ** share, rng)
        done += 1
        share = budget.spent(done)
        problem.report("anneal", share, float(state.values[1]))
    return np.concatenate([np.array(problem.start, np.int64), view.finish(state.best)])


class _State(NamedTuple):
    """A choice of columns and what the kernel keeps about it."""

    chosen: npt.NDArray[np.bool_]
    change: Floats
    times: Rows
    names: Ints
    best: npt.NDArray[np.bool_]
    values: Floats


def _core(problem: Problem) -> tuple[View, npt.NDArray[np.bool_]]:
    """Return the columns worth searching, and which of them the relaxation takes."""
    from longline.cover import _view_kernels

    view = problem.view
    reduced = problem.relaxation.reduced
    inside = _view_kernels.core(view.row_starts, view.row_columns, reduced, _CORE, 0.0)
    return view.only(inside), problem.relaxation.x[inside] > 0.5


def _state(view: View, first: npt.NDArray[np.bool_]) -> _State:
    from longline.cover import _anneal_kernels, _view_kernels

    value = np.full(2, view.price.sum())
    state = _State(
        chosen=np.zeros(len(view.cost), np.bool_),
        change=view.cost - _view_kernels.worth(view.starts, view.rows, view.price),
        times=np.zeros(view.documents, np.int32),
        names=np.zeros(view.documents, np.int64),
        best=first.copy(),
        values=value,
    )
    for column in np.flatnonzero(first):
        value += state.change[column]
        _anneal_kernels.flip(
            int(column),
            view.starts,
            view.rows,
            view.row_starts,
            view.row_columns,
            view.price,
            state.chosen,
            state.change,
            state.times,
            state.names,
        )
    return state


def _run(
    view: View, state: _State, heat: Floats, temperature: float, rng: np.random.Generator
) -> None:
    from longline.cover import _anneal_kernels

    _anneal_kernels.anneal(
        view.starts,
        view.rows,
        view.row_starts,
        view.row_columns,
        view.price,
        view.cost,
        heat,
        *state,
        temperature,
        _SWAPS,
        TRIES,
        rng,
    )
