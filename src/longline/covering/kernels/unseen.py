"""The compiled moves of simulated annealing for `unseen.py`.

`state.left[row]` is the probability that a document like this one is left: the product over its
chosen columns of one minus their trust. `state.times[row]` counts those columns.
"""

from heapq import heapify, heappop, heappush

import numpy as np

from longline.covering.kernels.arrays import (
    Booleans,
    Chosen,
    Floats,
    Incidence,
    Ints,
    Moves,
    Trust,
)
from longline.covering.kernels.columns import compiled


@compiled
def flip(column: int, matrix: Incidence, trust: Floats, state: Chosen) -> None:
    """Choose a column or drop it."""
    adds = not state.chosen[column]
    state.chosen[column] = adds
    factor = 1 - trust[column] if adds else 1 / (1 - trust[column])
    rows, left, times = matrix.rows, state.left, state.times
    for place in range(matrix.starts[column], matrix.starts[column + 1]):
        left[rows[place]] *= factor
        times[rows[place]] += 1 if adds else -1


@compiled
def added(column: int, matrix: Incidence, terms: Trust, state: Chosen) -> float:
    """Return the change in value if a column is flipped."""
    total, trust, cost = 0.0, terms.trust[column], terms.cost[column]
    rows, left = matrix.rows, state.left
    for place in range(matrix.starts[column], matrix.starts[column + 1]):
        total += left[rows[place]]
    if state.chosen[column]:
        return float(terms.price * total * trust / (1 - trust) - cost)
    return float(cost - terms.price * total * trust)


@compiled
def anneal(
    matrix: Incidence,
    terms: Trust,
    state: Chosen,
    moves: Moves,
    temperature: float,
    rng: np.random.Generator,
) -> None:
    """Try some moves; `state` has the current value and the best one, with its columns.

    The moves and the rule are those of `kernels.anneal.anneal`. The change of a flip is computed
    at each try: every flip changes it for all columns of its rows, by different amounts.
    """
    row_starts, row_columns = matrix.row_starts, matrix.row_columns
    chosen, times, trust, heat = state.chosen, state.times, terms.trust, moves.heat
    documents = len(state.left)
    value, lowest = state.values
    for _ in range(moves.tries):
        row = int(rng.random() * documents)
        first, size = row_starts[row], row_starts[row + 1] - row_starts[row]
        if size == 0:
            continue
        column = int(row_columns[first + int(rng.random() * size)])
        limit = temperature * rng.standard_exponential()
        other = -1
        change = 0.0
        if times[row] > 0 and not chosen[column] and rng.random() < moves.swaps:
            pick = int(rng.random() * times[row])
            for entry in range(first, first + size):
                other = int(row_columns[entry])
                if chosen[other]:
                    if pick == 0:
                        break
                    pick -= 1
            limit *= max(heat[column], heat[other])
            change = added(other, matrix, terms, state)
            flip(other, matrix, trust, state)
        else:
            limit *= heat[column]
        change += added(column, matrix, terms, state)
        if change <= limit:
            flip(column, matrix, trust, state)
            value += change
            # A real gain, more than the rounding error of a long sum.
            if value < lowest - 1e-9 * abs(lowest):
                lowest = value
                state.best[:] = chosen
        elif other >= 0:
            flip(other, matrix, trust, state)
    state.values[0], state.values[1] = value, lowest


@compiled
def greedy(matrix: Incidence, terms: Trust, allowed: Booleans, documents: int) -> Ints:
    """Choose allowed columns, the most gain per cost first, until none gains anything.

    Gains only fall while columns are chosen, so a column whose gain has not fallen since it was
    added to the heap is the best.
    """
    cost, trust = terms.cost, terms.trust
    nothing = np.zeros(len(cost), np.bool_)
    state = Chosen(nothing, np.ones(documents), np.zeros(documents, np.int32), nothing, np.zeros(2))
    order = np.empty(np.count_nonzero(allowed), np.int64)
    taken = 0
    heap = [
        (added(column, matrix, terms, state) / cost[column], column)
        for column in range(len(cost))
        if allowed[column]
    ]
    heapify(heap)
    while len(heap) > 0:
        old, column = heappop(heap)
        if old >= 0:
            break
        new = added(column, matrix, terms, state) / cost[column]
        if new > old:
            heappush(heap, (new, column))
            continue
        flip(column, matrix, trust, state)
        order[taken] = column
        taken += 1
    return order[:taken]
