"""The compiled moves of simulated annealing for `anneal.py`.

`state.change[column]` is the change in value if a column is flipped: choosing it adds its cost and
saves the prices of the rows that only it would cover, and vice versa. It is kept up to date, so a
try does not read the matrix; only accepted moves read their rows. `state.times[row]` counts the
chosen columns of a row, `state.names[row]` sums their numbers: if there is one column, the sum is
its number.
"""

import numpy as np

from longline.covering.kernels.arrays import (
    Choice,
    Floats,
    Incidence,
    Moves,
    Prices,
)
from longline.covering.kernels.columns import compiled


@compiled
def flip(column: int, matrix: Incidence, price: Floats, state: Choice) -> None:
    """Choose a column or drop it, and update the change of every neighbour."""
    chosen, change, times, names = state.chosen, state.change, state.times, state.names
    starts, rows, row_starts, row_columns = matrix
    adds = not chosen[column]
    chosen[column] = adds
    own = -change[column]
    for place in range(starts[column], starts[column + 1]):
        row = rows[place]
        before = times[row]
        if adds:
            times[row] = before + 1
            if before == 0:
                for entry in range(row_starts[row], row_starts[row + 1]):
                    change[row_columns[entry]] += price[row]
            elif before == 1:
                change[names[row]] -= price[row]
            names[row] += column
        else:
            times[row] = before - 1
            names[row] -= column
            if before == 1:
                for entry in range(row_starts[row], row_starts[row + 1]):
                    change[row_columns[entry]] -= price[row]
            elif before == 2:
                change[names[row]] += price[row]
    change[column] = own


@compiled
def anneal(
    matrix: Incidence,
    prices: Prices,
    state: Choice,
    moves: Moves,
    temperature: float,
    rng: np.random.Generator,
) -> None:
    """Try some moves; `state` has the current value and the best one, with its columns.

    A move chooses a random row and a random column of it, so that large columns are tried often. It
    flips that column, or swaps it for a chosen one of the same row. A move is accepted if it adds
    less than the temperature, times the column's `heat`, times an exponential draw (Metropolis).
    """
    starts, rows, row_starts, row_columns = matrix
    chosen, change, times, names = state.chosen, state.change, state.times, state.names
    cost, price, heat = prices.cost, prices.price, moves.heat
    documents = len(price)
    value, lowest = state.values
    for _ in range(moves.tries):
        row = int(rng.random() * documents)
        first, size = row_starts[row], row_starts[row + 1] - row_starts[row]
        if size == 0:
            continue
        column = row_columns[first + int(rng.random() * size)]
        limit = temperature * rng.standard_exponential()
        other = -1
        if rng.random() < moves.swaps:
            if chosen[column] or times[row] == 0:
                continue
            other = names[row]
            if times[row] > 1:
                pick = int(rng.random() * times[row])
                for entry in range(first, first + size):
                    other = row_columns[entry]
                    if chosen[other]:
                        if pick == 0:
                            break
                        pick -= 1
            limit *= max(heat[column], heat[other])
            if change[column] - cost[other] > limit:
                continue  # not even if the column covered all rows that only the other covers
            added = change[column] + change[other]
            for place in range(starts[column], starts[column + 1]):
                shared = rows[place]
                if names[shared] == other and times[shared] == 1:
                    added -= price[shared]
        else:
            limit *= heat[column]
            added = change[column]
        if added <= limit:
            if other >= 0:
                flip(other, matrix, price, state)
            flip(column, matrix, price, state)
            value += added
            # A real gain, more than the rounding error of a long sum.
            if value < lowest - 1e-9 * abs(lowest):
                lowest = value
                state.best[:] = chosen
    state.values[0], state.values[1] = value, lowest
