"""Find the optimum, for small instances."""

from typing import Any

import numpy as np

from longline.covering.kernels.arrays import Floats, Ints
from longline.covering.problem import Problem, method
from longline.errors import InputError, StoppedShort
from longline.plugins import needed

LARGEST = 2_000_000
SECONDS = 60.0


class NotProvenError(StoppedShort):
    """The optimum was not proven within the limits.

    Attributes:
        bound: The lower bound proven so far, up to its tolerance of 1e-6.
    """

    def __init__(self, seconds: float, bound: float | None) -> None:
        self.seconds = seconds
        self.bound = bound
        so_far = "" if bound is None else f" (it is {bound:g} or more)"
        super().__init__(
            f"no optimum is proven within {seconds:g} s{so_far}",
            advice="raise the time limit, or take method 'best', which says how far off it may be",
        )


@method("exact")
def exact(problem: Problem) -> Ints:
    """Choose at the lowest possible cost, or raise an error; 60 seconds if there is no limit.

    An iteration is a node of the search tree. Branch and bound is done by HiGHS (the extra
    `exact`), with its own clock and tolerances of 1e-6.

    Raises:
        InputError: There are more than 2 million entries, which is hopeless, or HiGHS is missing.
        NotProvenError: Time or nodes were spent before the optimum was proven.
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
    """Solve the view with one more variable for each document: that it is left."""
    highspy = needed("highspy", "exact", "the exact method", "take method 'best'")
    solver = highspy.Highs()
    options = {"output_flag": False, "time_limit": seconds, "mip_rel_gap": 0.0}
    if nodes is not None:
        options["mip_max_nodes"] = nodes
    for name, value in options.items():
        solver.setOptionValue(name, value)
    solver.passModel(_model(problem, highspy))
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        proven = float(solver.getInfo().mip_dual_bound)
        raise NotProvenError(seconds, proven if np.isfinite(proven) else None)
    return np.asarray(solver.getSolution().col_value, dtype=np.float64)


def _model(problem: Problem, highspy: Any) -> Any:
    """Build the model, with a column for each document to cover that costs its price."""
    view = problem.view
    queries, rows = len(view.cost), np.flatnonzero(np.diff(view.row_starts) > 0)
    place = np.zeros(view.documents, dtype=np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = queries + len(rows), len(rows)
    model.col_cost_ = np.concatenate([view.cost, view.price[rows]])
    model.col_lower_, model.col_upper_ = np.zeros(model.num_col_), np.ones(model.num_col_)
    model.row_lower_, model.row_upper_ = np.ones(len(rows)), np.full(len(rows), np.inf)
    kinds = [highspy.HighsVarType.kInteger] * queries
    model.integrality_ = kinds + [highspy.HighsVarType.kContinuous] * len(rows)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.append(view.starts, view.starts[-1] + 1 + np.arange(len(rows)))
    model.a_matrix_.index_ = np.append(place[view.rows], np.arange(len(rows)))
    model.a_matrix_.value_ = np.ones(len(view.rows) + len(rows))
    return model
