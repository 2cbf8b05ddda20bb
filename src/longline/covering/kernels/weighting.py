"""The compiled moves of row weighting for `weighting.py`.

`state.change[column]` is the weight of the rows that only a chosen column covers, or minus the
weight of the rows that another column would newly cover; the rest of `state` is as in `anneal.py`.
"""

import numpy as np

from longline.covering.kernels.anneal import flip
from longline.covering.kernels.arrays import Choice, Floats, Incidence, Ints, Members, Prices
from longline.covering.kernels.columns import compiled

_SAMPLE = 50


@compiled
def put(members: Members, number: int) -> None:
    """Add a number that is not a member."""
    size = members.size[0]
    members.numbers[size], members.places[number] = number, size
    members.size[0] = size + 1


@compiled
def take(members: Members, number: int) -> None:
    """Remove a member."""
    members.size[0] -= 1
    last, place = members.numbers[members.size[0]], members.places[number]
    members.numbers[place], members.places[last] = last, place
    members.places[number] = -1


@compiled
def _drop(column: int, matrix: Incidence, weight: Floats, state: Choice, left: Members) -> None:
    flip(column, matrix, weight, state)
    for place in range(matrix.starts[column], matrix.starts[column + 1]):
        row = matrix.rows[place]
        if state.times[row] == 0:
            put(left, row)


@compiled
def _choose(column: int, matrix: Incidence, weight: Floats, state: Choice, left: Members) -> None:
    flip(column, matrix, weight, state)
    for place in range(matrix.starts[column], matrix.starts[column + 1]):
        row = matrix.rows[place]
        if left.places[row] >= 0:
            take(left, row)


@compiled
def weigh(
    matrix: Incidence,
    prices: Prices,
    state: Choice,
    sets: tuple[Members, Members, Ints],
    tries: int,
    rng: np.random.Generator,
) -> None:
    """Drop a column and cover its rows for less than the best cover, `tries` times.

    Of 50 chosen columns drawn at random, the one with the least row weight for its cost is dropped;
    a random uncovered row is covered by the column with the most weight for its cost. Each column
    chosen adds 1 to the weight of the rows that are still uncovered.

    Args:
        matrix: The problem's columns and rows.
        prices: The cost of columns, and the weight of rows.
        state: The choice; it is changed.
        sets: The chosen columns, the uncovered rows, and when a column was last moved.
        tries: The number of moves.
        rng: Draws.
    """
    row_starts, row_columns = matrix.row_starts, matrix.row_columns
    (cost, weight), change, values = prices, state.change, state.values
    chosen, left, moved = sets
    turn = moved.max() if len(moved) else 0
    for _ in range(tries):
        turn += 1
        goes_on = True
        while goes_on and chosen.size[0] > 0:
            goes_on = left.size[0] == 0
            if goes_on and values[0] < values[1] - 1e-9 * abs(values[1]):
                values[1] = values[0]
                state.best[:] = state.chosen
            gone = chosen.numbers[int(rng.random() * chosen.size[0])]
            for _more in range(_SAMPLE):
                other = chosen.numbers[int(rng.random() * chosen.size[0])]
                by = change[other] * cost[gone] - change[gone] * cost[other]
                was_added = moved[other] == turn - 1
                if not was_added and (by < 0 or (by == 0 and moved[other] < moved[gone])):
                    gone = other
            _drop(gone, matrix, weight, state, left)
            take(chosen, gone)
            values[0] -= cost[gone]
            moved[gone] = turn
        while left.size[0] > 0:
            row = left.numbers[int(rng.random() * left.size[0])]
            added = -1
            for entry in range(row_starts[row], row_starts[row + 1]):
                other = row_columns[entry]
                if moved[other] == turn or values[0] + cost[other] >= values[1]:
                    continue
                if added >= 0:
                    by = change[other] * cost[added] - change[added] * cost[other]
                    if by > 0 or (by == 0 and moved[other] >= moved[added]):
                        continue
                added = other
            if added >= 0:
                _choose(added, matrix, weight, state, left)
                put(chosen, added)
                values[0] += cost[added]
                moved[added] = turn
            for place in range(left.size[0]):
                row = left.numbers[place]
                weight[row] += 1.0
                for entry in range(row_starts[row], row_starts[row + 1]):
                    change[row_columns[entry]] -= 1.0
            if added < 0:
                break
