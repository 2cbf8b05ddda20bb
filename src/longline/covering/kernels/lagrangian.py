"""The compiled loop of `lagrangian.py`."""

from heapq import heapify, heappop, heappush

import numpy as np

from longline.covering.kernels.arrays import Booleans, Floats, Ints, Prices, Rows
from longline.covering.kernels.columns import compiled


@compiled
def _score(
    starts: Ints, rows: Rows, prices: Prices, duals: Floats, covered: Booleans, column: int
) -> float:
    """Return a score: lower is better; infinite if the rows' cheapest columns do as well."""
    cost, price = prices
    count, reduced, saved = 0, cost[column], -cost[column]
    for place in range(starts[column], starts[column + 1]):
        row = rows[place]
        if not covered[row]:
            count += 1
            reduced -= duals[row]
            saved += price[row]
    if saved <= 0:
        return np.inf
    score: float = reduced / count if reduced > 0 else reduced * count
    return score


@compiled
def choose(starts: Ints, rows: Rows, cost: Floats, price: Floats, duals: Floats) -> Booleans:
    """Choose the column with the lowest score, until none saves anything.

    Scores only rise while rows are covered, so a column whose score has not risen since it was
    added to the heap is the best.
    """
    prices = Prices(cost, price)
    chosen = np.zeros(len(cost), np.bool_)
    covered = price <= 0
    heap = [
        (_score(starts, rows, prices, duals, covered, column), column)
        for column in range(len(cost))
    ]
    heapify(heap)
    while len(heap) > 0:
        old, column = heappop(heap)
        if old == np.inf:
            break
        score = _score(starts, rows, prices, duals, covered, column)
        if score > old:
            heappush(heap, (score, column))
            continue
        chosen[column] = True
        for place in range(starts[column], starts[column + 1]):
            covered[rows[place]] = True
    return chosen
