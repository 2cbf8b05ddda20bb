"""Compare longline's greedies with other programs that choose covers: time, and cost of the cover.

One matrix for all, cost = df: --sample documents of a corpus, and a made-up collection ten times as
large. Seconds are CPU, the best of --runs after a first call that loads compiled code; numpy,
apricot and the steepest descent run once, apricot for --limit seconds at most. The conversion of
the matrix to a rival's own format has its own column; "times ours" is relative to TS-IDS, with the
conversion in brackets. Among the rivals only the steepest descent removes redundant queries;
longline's rows say which of them do.

longline does not depend on the rivals: `uv pip install --group rivals` installs them. A missing
rival, or one that cannot be loaded, is left out, and the table says why.
"""

import argparse
import contextlib
import importlib
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bench.frame import Cell, Report, collections, parser_of, report_of, run, sparse_of
from bench.papers.synthetic import zipf_matrix
from bench.rivals.cover_speed import SYNTHETIC, naive
from bench.runs import NAMES
from bench.weights import uniform
from scipy import sparse

from longline.covering import cover
from longline.errors import CorpusError, LonglineError

COLUMNS = ("program", "prepares, s", "chooses, s", "times ours", "queries", "cost", "OR", "note")
REFERENCE = "longline TS-IDS"
ORTOOLS = {
    "greedy": "GreedySolutionGenerator",
    "element degree": "ElementDegreeSolutionGenerator",
}


class AbsentError(LonglineError):
    """A rival that is not installed or cannot be loaded."""


@dataclass(frozen=True, eq=False)
class Result:
    """The choice of a program, and the seconds it took."""

    name: str
    queries: Sequence[int]
    chooses: float
    prepares: float = 0.0
    note: str = ""


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds and the result of a call."""
    started = time.process_time()
    found = call()
    return time.process_time() - started, found


def best_of(runs: int, call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the fewest CPU seconds of several calls, and the result of the last one."""
    times = [timed(call) for _ in range(runs)]
    return min(seconds for seconds, _ in times), times[-1][1]


def module(name: str, package: str) -> Any:
    """Return a rival's module, or raise an error with the reason."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise AbsentError(f"{package} is left out: {error}") from None


def longline(matrix: sparse.csc_array, options: argparse.Namespace) -> Iterator[Result]:
    """Run TS-IDS, IDS and greedy, with and without redundancy elimination; checks included."""
    for method in ("ts-ids", "ids", "greedy"):
        for eliminate in (True, False):

            def choose(method: str = method, eliminate: bool = eliminate) -> Any:
                return cover(matrix, method, eliminate=eliminate, allow_uncovered=True)

            choose()
            seconds, found = best_of(options.runs, choose)
            name = f"longline {NAMES[method]}"
            yield Result(name, found.queries, seconds, note="eliminated" if eliminate else "")
    ones = np.ones(matrix.shape[1])
    seconds, found = best_of(
        options.runs,
        lambda: cover(matrix, "greedy", cost=ones, eliminate=False, allow_uncovered=True),
    )
    yield Result("longline greedy", found.queries, seconds, note="every query at cost 1")


def ortools(matrix: sparse.csc_array, options: argparse.Namespace) -> Iterator[Result]:
    """Run OR-tools' set-cover generators, and steepest descent after greedy.

    The model is built from a protocol buffer, twice as fast as element by element.
    """
    solver = module("ortools.set_cover.python.set_cover", "OR-tools")
    messages = module("ortools.set_cover.set_cover_pb2", "OR-tools")
    prepares, model = timed(lambda: ortools_model(solver, messages, matrix))

    def generate(generator: str) -> Any:
        invariant = solver.SetCoverInvariant(model)
        getattr(solver, generator)(invariant).next_solution()
        return invariant

    for label, generator in ORTOOLS.items():
        seconds, found = best_of(options.runs, lambda generator=generator: generate(generator))
        yield Result(f"OR-tools {label}", chosen_of(found), seconds, prepares)

    def descend() -> Any:
        invariant = generate(ORTOOLS["greedy"])
        search = solver.SteepestSearch(invariant)
        search.set_max_iterations(matrix.shape[1])
        search.next_solution()
        return invariant

    seconds, found = timed(descend)
    yield Result("OR-tools greedy + steepest", chosen_of(found), seconds, prepares)


def ortools_model(solver: Any, messages: Any, matrix: sparse.csc_array) -> Any:
    """Build a model. The matrix must have no repeated element: it would abort the process."""
    starts, rows = matrix.indptr.tolist(), matrix.indices.tolist()
    proto = messages.SetCoverProto()
    for begin, end in itertools.pairwise(starts):
        subset = proto.subset.add()
        subset.cost = float(end - begin)
        subset.element.extend(rows[begin:end])
    model = solver.SetCoverModel()
    model.import_model_from_proto(proto)
    model.create_sparse_row_view()
    return model


def chosen_of(invariant: Any) -> list[int]:
    """Return the columns that an OR-tools solution selects."""
    return np.flatnonzero(np.array(invariant.is_selected())).tolist()


def apricot(matrix: sparse.csc_array, options: argparse.Namespace) -> Iterator[Result]:
    """Run apricot's maximum coverage until all is covered: at cost = df, and at equal costs.

    It stops only at a number of selections or a sum of costs, and would continue with queries that
    add nothing; here it is stopped once the cover is complete. At cost = df every query starts as a
    tie, and its lazy greedy goes through all ties for each selection; its naive greedy is then
    faster. When known gains drop to zero, the lazy greedy (of 0.6.1) selects queries that add
    nothing while others still would.
    """
    library = module("apricot", "apricot-select")
    coverable = len(np.unique(matrix.indices))

    class Done(Exception):
        pass

    class Complete(library.MaxCoverageSelection):  # type: ignore[misc, name-defined]
        def _select_next(self, *arguments: Any) -> None:
            super()._select_next(*arguments)
            complete = self.current_values_sum >= coverable
            if complete or time.process_time() > self.until:
                raise Done

    def prepare() -> tuple[Any, np.ndarray]:
        by_query = sparse.csr_matrix(matrix.T, dtype=np.float64)
        # With costs, the number of selections is the size of a knapsack: all fit into it.
        return by_query, np.diff(by_query.indptr) / by_query.nnz

    prepares, (by_query, cost) = timed(prepare)

    def choose(optimizer: str, sample_cost: np.ndarray | None) -> list[int]:
        selector = Complete(by_query.shape[0], optimizer=optimizer)
        selector.until = time.process_time() + options.limit
        with contextlib.suppress(Done):
            selector.fit(by_query, sample_cost=sample_cost)
        return list(selector.ranking)

    seconds, found = timed(lambda: choose("naive", cost))
    yield Result("apricot, naive", found, seconds, prepares)
    seconds, found = timed(lambda: choose("lazy", None))
    yield Result("apricot, lazy", found, seconds, prepares, "every query at cost 1")


def numpy_greedy(matrix: sparse.csc_array, options: argparse.Namespace) -> Iterator[Result]:
    """Run greedy in plain numpy, with every value kept up to date."""
    prepares, by_row = timed(lambda: matrix.astype(np.float64).tocsr())
    seconds, found = timed(lambda: naive(matrix, by_row, uniform(matrix)))
    yield Result("numpy greedy", found, seconds, prepares)


def compare(
    report: Report, name: str, matrix: sparse.csc_array, options: argparse.Namespace
) -> None:
    """Run every program on one matrix, and print a table."""
    results: list[Result] = []
    for program in (longline, ortools, apricot, numpy_greedy):
        if program.__name__ in options.without:
            continue
        try:
            results += program(matrix, options)
        except AbsentError as error:
            report.say(str(error))
    ours = next(each.chooses for each in results if each.name == REFERENCE)
    documents, terms = matrix.shape
    size = f"{documents:,} documents, {terms:,} terms, {matrix.nnz:,} entries"
    report.table(f"{name}: {size}", COLUMNS, [row_of(each, matrix, ours) for each in results])


def row_of(result: Result, matrix: sparse.csc_array, ours: float) -> list[Cell]:
    """Check that a result is a cover, and return its row."""
    df = np.diff(matrix.indptr)
    covered = np.zeros(matrix.shape[0], dtype=bool)
    for query in result.queries:
        covered[matrix.indices[matrix.indptr[query] : matrix.indptr[query + 1]]] = True
    cost = int(df[np.asarray(result.queries, dtype=np.int64)].sum())
    left = len(np.unique(matrix.indices)) - np.count_nonzero(covered)
    note = f"stopped: leaves {left:,} documents" if left else result.note
    return [
        *(result.name, f"{result.prepares:.4f}", f"{result.chooses:.4f}"),
        f"{result.chooses / ours:.1f} ({(result.prepares + result.chooses) / ours:.1f})",
        *(len(result.queries), cost, cost / matrix.shape[0], note),
    ]


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = parser_of(__doc__, runs=5)
    parser.add_argument("--sample", type=int, default=10_000, help="documents of a corpus (10,000)")
    parser.add_argument("--limit", type=float, default=30.0, help="seconds for apricot (30)")
    parser.add_argument("--made-up", type=int, nargs=3, default=SYNTHETIC, metavar=("D", "T", "E"))
    parser.add_argument(
        "--without", nargs="+", default=[], choices=("ortools", "apricot", "numpy_greedy")
    )
    options = parser.parse_args(arguments)
    options.corpus = options.corpus or ["reuters"]
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    options = options_of(arguments)
    report = report_of("cover_rivals", options)
    try:
        for collection in collections(options):
            sample = collection.sample(options.sample, options.seed)
            compare(report, collection.name, sparse_of(sample.matrix), options)
    except CorpusError as error:
        report.say(f"skipped: {error}")
    compare(report, "made up", zipf_matrix(*options.made_up, options.seed), options)
    report.save()


if __name__ == "__main__":
    run(main)
