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
HOT, COLD = 2.0, 0.1
CORE = 12
SWAPS = 0.3
POWER = 0.4

@method("anneal")
def anneal(problem: Problem) -> Ints:
    """Flip and swap queries, at a temperature that falls as the budget is spent."""
    budget = problem.budget.or_iterations(ITERATIONS)
    return annealed(problem, budget, ts_ids_greedy(problem), problem.rng or np.random.default_rng(0))


def annealed(problem: Problem, budget: Budget, first: Ints, rng: np.random.Generator) -> Ints:
    """Search from a first choice within a budget; return the best, cheapest queries filled in.

    Only the core is searched: the columns of low reduced cost, and the first choice.
    """
    problem.relaxation.run(1e-2, budget.part(0.1, 1000))
    view = _core(problem, first)
    heat = view.scale * (view.cost / view.scale) ** POWER
    state = _state(view, np.isin(view.columns, first))
    done, share = 0, budget.spent(0)
    while share < 1:
        _run(view, state, heat, HOT * (COLD / HOT) ** share, rng)
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


def _core(problem: Problem, first: Ints) -> View:
    from longline.cover import _view_kernels

    view = problem.view
    reduced = problem.relaxation.reduced
    inside = _view_kernels.core(view.row_starts, view.row_columns, reduced, CORE, 0.0)
    return view.only(inside | np.isin(view.columns, first))


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
            column,
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
        SWAPS,
        TRIES,
        rng,
    )
