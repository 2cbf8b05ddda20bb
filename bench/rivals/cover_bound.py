"""Compare the lower bound with the linear relaxation, solved by HiGHS (package highspy).

10,000 documents drawn at random, every term, cost = df. Both solve the dual: how much all documents
can pay while no term receives more than its cost. HiGHS (interior point, no crossover) gets the
problem without the terms that are never worth it, like our method. Seconds are CPU.
"""

import importlib
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from bench.frame import Cell, Collection, collections, parser_of, report_of, run

from longline.covering import cost_of, lower_bound, matches_of
from longline.covering.model.view import View, view_of
from longline.errors import LonglineError

DOCUMENTS = 10_000
TOLERANCES = (1e-2, 1e-3, 1e-4)
COLUMNS = ("method", "bound", "OR", "below the relaxation", "passes", "seconds")


def relaxation(view: View, highspy: Any) -> float:
    """Solve the dual of the linear relaxation with HiGHS; return its optimum."""
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = view.documents, len(view.cost)
    model.col_cost_ = -np.ones(view.documents)
    model.col_lower_, model.col_upper_ = np.zeros(view.documents), view.price
    model.row_lower_, model.row_upper_ = np.full(len(view.cost), -np.inf), view.cost
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_, model.a_matrix_.index_ = view.starts, view.rows
    model.a_matrix_.value_ = np.ones(len(view.rows))
    solver = highspy.Highs()
    for option, value in (("output_flag", False), ("solver", "ipm"), ("run_crossover", "off")):
        solver.setOptionValue(option, value)
    solver.passModel(model)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise LonglineError(f"HiGHS ends with {solver.getModelStatus()}")
    return -float(solver.getInfo().objective_function_value)


def rows_of(collection: Collection, seed: int, highspy: Any) -> list[list[Cell]]:
    """Return HiGHS's row, and one for each tolerance."""
    matches = matches_of(collection.sample(DOCUMENTS, seed).matrix)
    documents = matches.documents
    begin = time.process_time()
    optimum = relaxation(view_of(matches, cost_of(matches)), highspy)
    seconds = time.process_time() - begin
    name = collection.name
    rows: list[list[Cell]] = [[f"{name}, HiGHS", optimum, optimum / documents, "", None, seconds]]
    lower_bound([[1]])  # compiles the code
    for tolerance in TOLERANCES:
        begin = time.process_time()
        found = lower_bound(matches, tolerance=tolerance)
        seconds = time.process_time() - begin
        value = float(found.duals.sum())
        below = f"{100 * (1 - value / optimum):.3f} %"
        label = f"{name}, within {tolerance:g}"
        rows.append([label, value, value / documents, below, found.passes, seconds])
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser_of(__doc__, runs=1).parse_args(arguments)
    report = report_of("cover_bound", options)
    try:
        highspy = importlib.import_module("highspy")
    except ImportError:
        report.say("skipped: highspy is not installed (pip install 'longline[exact]')")
        report.save()
        return
    rows = [row for each in collections(options) for row in rows_of(each, options.seed, highspy)]
    report.table("The lower bound and the linear relaxation", COLUMNS, rows)
    report.save()


if __name__ == "__main__":
    run(main)
