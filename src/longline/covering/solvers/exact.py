"""The optimum itself, for small instances."""

from __future__ import annotations

from typing import Any

import numpy as np

from longline.covering.kernels.arrays import Floats, Ints
from longline.covering.problem import Problem, method
from longline.errors import InputError, StoppedShort

LARGEST = 2_000_000
SECONDS = 60.0


class NotProvenError(StoppedShort):
    """The optimum was not proven in time.

    Attributes:
        bound: What the search has proven so far, up to its tolerance of 1e-6.
    """

    def __init__(self, seconds: float, bound: float | None) -> None:
        self.seconds = seconds
        self.bound = bound
        so_far = "" if bound is None else f" (it is {bound:g} or more)"
        super().__init__(
            f"no optimum is proven within {seconds:g} seconds{so_far}",
            advice="raise the time limit, or take method 'best', which says how far off it may be",
        )


@method("exact")
def exact(problem: Problem) -> Ints:
    """Choose at the lowest cost there is, or raise; 60 seconds where nothing is limited.

    An iteration is a node of the search tree. Branch and bound is HiGHS, through scipy, with
    a clock of its own and tolerances of 1e-6.

    Raises:
        InputError: More than 2 million entries, which has no hope.
        NotProvenError: Time or nodes are spent before the optimum is proven.
    """
    view = problem.view
    if len(view.rows) > LARGEST:
        raise InputError(
            f"the exact method has {len(view.rows)} entries before it, of at most {LARGEST}",
            advice="take method 'best', or a smaller pool",
        )
    begun = np.array(problem.start, np.int64)
    if not len(view.cost):
        return np.concatenate([begun, view.finish(np.zeros(0, np.bool_))])
    limit = problem.budget
    seconds = SECONDS if limit.seconds is None else limit.seconds * (1 - limit.spent(0))
    solution = _solve(problem, max(0.0, seconds), limit.iterations)
    return np.concatenate([begun, view.finish(solution[: len(view.cost)] > 0.5)])


def _solve(problem: Problem, seconds: float, nodes: int | None) -> Floats:
    """Solve the view with one variable more for each document: that it is left."""
    from scipy import sparse
    from scipy.optimize import Bounds, LinearConstraint, milp

    view = problem.view
    columns, rows = len(view.cost), np.flatnonzero(np.diff(view.row_starts) > 0)
    shape = (view.documents, columns)
    entries = np.ones(len(view.rows))
    matrix = sparse.csc_array((entries, view.rows, view.starts), shape=shape).tocsr()[rows]
    options: Any = {"time_limit": seconds, "mip_rel_gap": 0.0}
    if nodes is not None:
        options["node_limit"] = nodes
    left = sparse.eye_array(len(rows))
    found = milp(
        np.concatenate([view.cost, view.price[rows]]),
        integrality=np.repeat([1, 0], [columns, len(rows)]),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(sparse.hstack([matrix, left], format="csc"), lb=1),
        options=options,
    )
    if found.status != 0:
        raise NotProvenError(seconds, found.mip_dual_bound)
    return np.asarray(found.x)
