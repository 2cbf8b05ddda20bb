"""The moves of simulated annealing behind `anneal.py`, compiled.

`change[column]` is what flipping a column adds to the value: choosing it costs its cost and
saves the prices of the rows only it would cover, and the other way round. It is kept up to
date, so that a try costs no look at the matrix; only what is accepted pays for its rows.
`times[row]` counts the chosen columns of a row, `names[row]` adds up their numbers: where one
column is left, the sum is its number.
"""

from __future__ import annotations

import numpy as np

from longline.cover.kernels.arrays import Booleans, Floats, Ints, Rows
from longline.cover.kernels.columns import compiled


@compiled
def flip(
    column: int,
    starts: Ints,
    rows: Rows,
    row_starts: Ints,
    row_columns: Rows,
    price: Floats,
    chosen: Booleans,
    change: Floats,
    times: Rows,
    names: Ints,
) -> None:
    """Choose a column or drop it, and bring every neighbour's change up to date."""
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
    starts: Ints,
    rows: Rows,
    row_starts: Ints,
    row_columns: Rows,
    price: Floats,
    cost: Floats,
    heat: Floats,
    chosen: Booleans,
    change: Floats,
    times: Rows,
    names: Ints,
    best: Booleans,
    values: Floats,
    temperature: float,
    swaps: float,
    tries: int,
    rng: np.random.Generator,
) -> None:
    """Try so many moves; `values` holds the value now and the best one, `best` its columns.

    A move goes through a random row to a random column of it, so that large columns are tried
    often. It flips that column, or swaps it for a chosen one of the same row. A move is
    accepted if it adds less than the temperature, times the column's `heat`, times an
    exponential draw: Metropolis's rule.
    """
    documents = len(price)
    value, lowest = values
    for _ in range(tries):
        row = int(rng.random() * documents)
        first, size = row_starts[row], row_starts[row + 1] - row_starts[row]
        if size == 0:
            continue
        column = row_columns[first + int(rng.random() * size)]
        limit = temperature * rng.standard_exponential()
        other = -1
        if rng.random() < swaps:
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
                continue  # not even if the column took over all that the other covers alone
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
                flip(
                    other,
                    starts,
                    rows,
                    row_starts,
                    row_columns,
                    price,
                    chosen,
                    change,
                    times,
                    names,
                )
            flip(
                column,
                starts,
                rows,
                row_starts,
                row_columns,
                price,
                chosen,
                change,
                times,
                names,
            )
            value += added
            # A real gain, not the rounding of a long sum.
            if value < lowest - 1e-9 * abs(lowest):
                lowest = value
                best[:] = chosen
    values[0], values[1] = value, lowest
