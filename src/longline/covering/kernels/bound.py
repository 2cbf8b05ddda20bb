"""The compiled passes of the first-order method for `bound.py`."""

import numpy as np

from longline.covering.kernels.arrays import Floats, Incidence, Ints, Point, Prices, Rows
from longline.covering.kernels.columns import compiled


@compiled
def step(
    matrix: Incidence,
    prices: Prices,
    at: Point,
    anchor: Point,
    gamma: float,
    passes: tuple[int, int],
) -> float:
    """Move a point in place; return how far the last pass moved it.

    Args:
        matrix: The columns and rows.
        prices: The prices of both.
        at: The point.
        anchor: The point at the start of the epoch.
        gamma: Balances the steps of x and y.
        passes: The passes since the epoch started, and the passes to make now.

    One pass moves x down its reduced cost, and y up by what x, extrapolated, leaves uncovered; each
    column and row has its own step, by its number of entries. Both are then reflected and averaged
    with the start of the epoch (Halpern's iteration): the n-th pass of an epoch gives the start a
    weight of 1 / (n + 2).
    """
    starts, rows, row_starts, row_columns = matrix
    cost, price = prices
    x, y = at
    since, wanted = passes
    ahead = np.empty(len(x))
    moved = 0.0
    for done in range(wanted):
        share = (since + done + 1.0) / (since + done + 2.0)
        moved = 0.0
        for column in range(len(x)):
            size = starts[column + 1] - starts[column]
            load = 0.0
            for place in range(starts[column], starts[column + 1]):
                load += y[rows[place]]
            new = max(0.0, x[column] - gamma / size * (cost[column] - load))
            moved += (new - x[column]) ** 2 * size / gamma
            ahead[column] = 2 * new - x[column]
        for row in range(len(y)):
            size = row_starts[row + 1] - row_starts[row]
            if size == 0:
                y[row] = price[row]
                continue
            cover = 0.0
            for place in range(row_starts[row], row_starts[row + 1]):
                cover += ahead[row_columns[place]]
            new = min(price[row], max(0.0, y[row] + (1 - cover) / (gamma * size)))
            moved += (new - y[row]) ** 2 * size * gamma
            y[row] = share * (2 * new - y[row]) + (1 - share) * anchor.y[row]
        for column in range(len(x)):
            x[column] = share * ahead[column] + (1 - share) * anchor.x[column]
    return moved


@compiled
def scale_down(starts: Ints, rows: Rows, cost: Floats, y: Floats) -> Floats:
    """Divide each row by the worst overload of its columns; return the columns' loads."""
    worst = np.ones(len(y))
    loads = np.zeros(len(cost))
    for column in range(len(cost)):
        load = 0.0
        for place in range(starts[column], starts[column + 1]):
            load += y[rows[place]]
        loads[column] = load
        if load > cost[column]:
            for place in range(starts[column], starts[column + 1]):
                worst[rows[place]] = max(worst[rows[place]], load / cost[column])
    for row in range(len(y)):
        y[row] /= worst[row]
    for column in range(len(cost)):
        load = 0.0
        for place in range(starts[column], starts[column + 1]):
            load += y[rows[place]]
        loads[column] = load
    return loads


@compiled
def raise_up(
    row_starts: Ints, row_columns: Rows, cost: Floats, price: Floats, y: Floats, loads: Floats
) -> None:
    """Raise one row after the other, in place, until one of its columns is full."""
    for row in range(len(y)):
        room = price[row] - y[row]
        for place in range(row_starts[row], row_starts[row + 1]):
            column = row_columns[place]
            room = min(room, cost[column] - loads[column])
        if room > 0:
            y[row] += room
            for place in range(row_starts[row], row_starts[row + 1]):
                loads[row_columns[place]] += room


@compiled
def primal(starts: Ints, rows: Rows, cost: Floats, price: Floats, x: Floats) -> float:
    """Return the cost of fractions x >= 0, with the price of the uncovered part of each row."""
    total = 0.0
    open_part = np.ones(len(price))
    for column in range(len(cost)):
        if x[column] > 0:
            total += cost[column] * x[column]
            for place in range(starts[column], starts[column + 1]):
                open_part[rows[place]] -= x[column]
    for row in range(len(price)):
        if open_part[row] > 0:
            total += price[row] * open_part[row]
    return total
