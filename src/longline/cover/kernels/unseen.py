"""The moves of simulated annealing behind `unseen.py`, compiled.

`left[row]` is the chance that a document like this one is left: the product over its chosen
columns of one minus their trust. `times[row]` counts those columns.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from longline.cover.kernels.arrays import Booleans, Floats, Ints, Rows
from longline.cover.kernels.columns import compiled


@compiled
def flip(
    column: int,
    starts: Ints,
    rows: Rows,
    trust: Floats,
    chosen: Booleans,
    left: Floats,
    times: Rows,
) -> None:
    """Choose a column or drop it."""
    adds = not chosen[column]
    chosen[column] = adds
    factor = 1 - trust[column] if adds else 1 / (1 - trust[column])
    for place in range(starts[column], starts[column + 1]):
        left[rows[place]] *= factor
        times[rows[place]] += 1 if adds else -1


@compiled
def added(
    column: int,
    starts: Ints,
    rows: Rows,
    cost: Floats,
    trust: Floats,
    price: float,
    chosen: Booleans,
    left: Floats,
) -> float:
    """Return what flipping a column adds to the value."""
    total = 0.0
    for place in range(starts[column], starts[column + 1]):
        total += left[rows[place]]
    if chosen[column]:
        return float(price * total * trust[column] / (1 - trust[column]) - cost[column])
    return float(cost[column] - price * total * trust[column])


@compiled
def anneal(
    starts: Ints,
    rows: Rows,
    row_starts: Ints,
    row_columns: Rows,
    cost: Floats,
    trust: Floats,
    heat: Floats,
    price: float,
    chosen: Booleans,
    left: Floats,
    times: Rows,
    best: Booleans,
    values: Floats,
    temperature: float,
    swaps: float,
    tries: int,
    rng: np.random.Generator,
) -> None:
    """Try so many moves; `values` holds the value now and the best one, `best` its columns.

    The moves and the rule are those of `_anneal_kernels.anneal`. What a flip adds is summed up
    anew at each try: every flip changes it for all columns of its rows, by unlike amounts.
    """
    documents = len(left)
    value, lowest = values
    for _ in range(tries):
        row = int(rng.random() * documents)
        first, size = row_starts[row], row_starts[row + 1] - row_starts[row]
        if size == 0:
            continue
        column = int(row_columns[first + int(rng.random() * size)])
        limit = temperature * rng.standard_exponential()
        other = -1
        change = 0.0
        if times[row] > 0 and not chosen[column] and rng.random() < swaps:
            pick = int(rng.random() * times[row])
            for entry in range(first, first + size):
                other = int(row_columns[entry])
                if chosen[other]:
                    if pick == 0:
                        break
                    pick -= 1
            limit *= max(heat[column], heat[other])
            change = added(other, starts, rows, cost, trust, price, chosen, left)
            flip(other, starts, rows, trust, chosen, left, times)
        else:
            limit *= heat[column]
        change += added(column, starts, rows, cost, trust, price, chosen, left)
        if change <= limit:
            flip(column, starts, rows, trust, chosen, left, times)
            value += change
            # A real gain, not the rounding of a long sum.
            if value < lowest - 1e-9 * abs(lowest):
                lowest = value
                best[:] = chosen
        elif other >= 0:
            flip(other, starts, rows, trust, chosen, left, times)
    values[0], values[1] = value, lowest


@compiled
def greedy(
    starts: Ints,
    rows: Rows,
    cost: Floats,
    trust: Floats,
    price: float,
    allowed: Booleans,
    documents: int,
) -> Ints:
    """Take allowed columns, the most gained per cost first, until none gains anything.

    Gains only fall while columns are taken, so that a column whose gain has not fallen since
    it was put into the heap is the best.
    """
    left = np.ones(documents)
    times = np.zeros(documents, np.int32)
    chosen = np.zeros(len(cost), np.bool_)
    order = np.empty(np.count_nonzero(allowed), np.int64)
    taken = 0
    heap = [
        (added(column, starts, rows, cost, trust, price, chosen, left) / cost[column], column)
        for column in range(len(cost))
        if allowed[column]
    ]
    heapify(heap)
    while len(heap) > 0:
        old, column = heappop(heap)
        if old >= 0:
            break
        new = added(column, starts, rows, cost, trust, price, chosen, left) / cost[column]
        if new > old:
            heappush(heap, (new, column))
            continue
        flip(column, starts, rows, trust, chosen, left, times)
        order[taken] = column
        taken += 1
    return order[:taken]
