"""The compiled loop of `solvers/greedy.py`."""

from heapq import heapify, heappop, heappush

import numpy as np

from longline.covering.kernels.arrays import Floats, Ints, Rows
from longline.covering.kernels.columns import compiled

TIE = 1e-9


@compiled
def take(rows: Rows, weight: Floats) -> int:
    """Cover a column's rows: their weight becomes 0; return how many were uncovered before."""
    fresh = 0
    for row in rows:
        fresh += weight[row] > 0
        weight[row] = 0
    return fresh


@compiled
def value_of(column: int, starts: Ints, rows: Rows, weight: Floats, cost: Floats) -> float:
    """Return the weight of a column's uncovered rows per cost."""
    total = 0.0
    for place in range(starts[column], starts[column + 1]):
        total += weight[rows[place]]
    return float(total / cost[column])


@compiled
def choose(
    starts: Ints, rows: Rows, weight: Floats, cost: Floats, rank: Ints, left: int
) -> tuple[Ints, int]:
    """Choose columns, the best value first, until no uncovered row is left, or no value.

    Values only fall while rows get covered, so an old value is a bound. The first column of the
    heap whose value is no lower than the next bound is the best: its value sets a level. All
    columns that may still reach it (within TIE) are then tried in the order of `rank`, and when
    none is left, the next level is computed.

    Returns:
        The columns in the order chosen, and the number of rows left.
    """
    chosen = np.empty(min(left, len(cost)), np.int64)
    taken = 0
    heap = [
        (-value_of(column, starts, rows, weight, cost), column)
        for column in range(len(cost))
        if starts[column] < starts[column + 1]
    ]
    heapify(heap)
    while left > 0 and len(heap) > 0:
        _, column = heappop(heap)
        best = value_of(column, starts, rows, weight, cost)
        if best == 0:
            continue
        if len(heap) > 0 and best < -heap[0][0]:
            heappush(heap, (-best, column))
            continue
        level = best * (1 - TIE)
        tied = [(rank[column], column)]
        while len(heap) > 0 and -heap[0][0] >= level:
            _, column = heappop(heap)
            tied.append((rank[column], column))
        for _, column in sorted(tied):
            value = value_of(column, starts, rows, weight, cost)
            if value < level:
                heappush(heap, (-value, column))
            elif left > 0:
                left -= take(rows[starts[column] : starts[column + 1]], weight)
                chosen[taken] = column
                taken += 1
    return chosen[:taken], left
