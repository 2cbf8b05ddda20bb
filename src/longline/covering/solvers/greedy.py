"""The published greedy methods: one loop, three weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from longline.covering.kernels.arrays import Floats, Ints
from longline.covering.model import ids_of, ts_ids_of
from longline.covering.problem import Problem, method

if TYPE_CHECKING:
    from longline.covering.solvers.epochs import Documents, Live, Singles

SHARE = 0.1
"""Share of the live columns in one epoch: a larger share sorts more columns than it uses."""

LEFT = 0.35
"""The matrix is compacted when this share of the last compaction's documents is uncovered. With
0.5, much is copied that the next one drops; with 0.2, large columns are read too often."""

FEWEST = 3000
"""With fewer live columns, an epoch or a compaction of their own is not worth it."""


@method("greedy")
def greedy(problem: Problem) -> Ints:
    """Choose the query with the most uncovered documents per cost first.

    Source: Wang, Lu & Chen, TS-IDS, Figure 2.
    """
    return choose(problem, (problem.sizes > 0).astype(np.float64))


@method("ids")
def ids_greedy(problem: Problem) -> Ints:
    """Choose the query with the most uncovered weight per cost; few queries give a high weight.

    Source: Wang, Lu & Chen 2009, Algorithm 1 (the weighted greedy algorithm).
    """
    return choose(problem, ids_of(problem.sizes))


@method("ts-ids")
def ts_ids_greedy(problem: Problem) -> Ints:
    """Choose the query with the most uncovered weight per cost; high costs give a high weight.

    Source: Wang, Lu & Chen, TS-IDS, Figure 3 and Definition 2.
    """
    return choose(problem, ts_ids_of(problem.sizes, problem.cheapest))


def choose(problem: Problem, weight: Floats) -> Ints:
    """Choose queries until every document with a weight is covered, best value first.

    Value = weight of the uncovered documents / cost. The weights are those at the start: computing
    them again for the rest gives worse choices. Values within 1e-9 (relative) of the best are ties,
    because sums of the same numbers in another order differ in the last digits: the best value
    starts a level, and the tie rule decides among all that reach it, until none is left.

    Args:
        problem: Costs, ranks and start.
        weight: (documents,) >= 0; 0 if a document need not be covered. It is overwritten.

    Returns:
        Column numbers in the order chosen, those of the start first.
    """
    from longline.covering.solvers import epochs as _epochs

    matches = problem.matches
    documents = _epochs.Documents(
        weight, _rounded_up(weight), _rounded_up(np.where(weight > 0, problem.cheapest, 0))
    )
    chosen = np.empty(len(problem.start) + min(matches.documents, matches.queries), np.int64)
    chosen[: len(problem.start)] = problem.start
    left = int(np.count_nonzero(weight))
    live = _first_live(problem, documents)  # values include what the start covers
    for column in problem.start:
        begin, end = matches.starts[column], matches.starts[column + 1]
        left -= _epochs.take(matches.rows, documents, begin, end)
    taken = _run(problem, documents, live, left, chosen, len(problem.start))
    return chosen[:taken]


def _run(
    problem: Problem, documents: Documents, live: Live, left: int, chosen: Ints, taken: int
) -> int:
    """Run epochs and compactions in turn; return how many columns are in `chosen`."""
    from longline.covering.solvers import epochs as _epochs

    store = problem.matches.rows
    enough = _enough(left, live)
    progress = _epochs.Progress(0.0, left, taken)
    while left > 0:
        wanted = max(FEWEST, int(SHARE * len(live.bound)))
        floor = _epochs.floor_of(live.bound, wanted)
        stream = np.flatnonzero((live.bound >= floor) & (live.bound > 0))
        stream = stream[np.argsort(-live.bound[stream])]
        queue = _epochs.Queue(problem.rank, stream, chosen)
        progress = _epochs.epoch(store, documents, live, queue, (floor, enough), progress)
        left = progress.left
        if left > enough:
            if floor == 0:
                raise RuntimeError(f"{left} documents are left and no query is")
            continue
        # The first compaction writes elsewhere, because the matrix belongs to the caller.
        into = np.empty_like(store) if store is problem.matches.rows else store
        kept = _epochs.compact(store, into, documents, live)
        store = into
        base = live.base[:kept]
        live = _epochs.Live(
            live.begins[:kept],
            live.ends[:kept],
            live.cost[:kept],
            live.names[:kept],
            base,
            base.copy(),
        )
        enough = _enough(left, live)
    return progress.taken


def _enough(left: int, live: Live) -> int:
    """Return the number of uncovered documents at which the next compaction pays; 0 for never."""
    return int(LEFT * left) if len(live.bound) > FEWEST else 0


def _first_live(problem: Problem, documents: Documents) -> Live:
    from longline.covering.solvers import epochs as _epochs

    matches = problem.matches
    live = _epochs.is_live(
        matches.starts, matches.rows, matches.documents, problem.cost, problem.rank
    )
    names = np.flatnonzero(live).astype(np.int32)
    begins, ends = matches.starts[names], matches.starts[names + 1]
    cost = problem.cost[names]
    if np.all((documents.weight == 1) | (problem.sizes == 0)):
        base = (ends - begins) / cost
    else:
        base = _epochs.bounds(matches.rows, documents.light, begins, ends, cost)
    return _epochs.Live(begins, ends, cost, names, base, base.copy())


def _rounded_up(values: Floats) -> Singles:
    """Halve the memory, and never round down."""
    with np.errstate(over="ignore"):  # infinity is not below either
        single = values.astype(np.float32)
    return np.where(single < values, np.nextafter(single, np.float32(np.inf)), single)
