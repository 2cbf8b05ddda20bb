"""The compiled loops of `view.py`. Imported only when something is computed."""

import numpy as np

from longline.covering.kernels.arrays import Booleans, Floats, Ints, Rows
from longline.covering.kernels.columns import compiled


@compiled
def cheapest(starts: Ints, rows: Rows, documents: int, cost: Floats) -> tuple[Floats, Ints]:
    """Return each row's lowest cost and its cheapest column; 0 and -1 if there is none.

    At equal cost the larger column wins: it may cover a second document for free.
    """
    price = np.full(documents, np.inf)
    fallback = np.full(documents, -1, np.int64)
    for column in range(len(cost)):
        size = starts[column + 1] - starts[column]
        for place in range(starts[column], starts[column + 1]):
            row = rows[place]
            best = fallback[row]
            if cost[column] < price[row] or (
                cost[column] == price[row] and size > starts[best + 1] - starts[best]
            ):
                price[row], fallback[row] = cost[column], column
    for row in range(documents):
        if fallback[row] < 0:
            price[row] = 0.0
    return price, fallback


@compiled
def worth(starts: Ints, rows: Rows, value: Floats) -> Floats:
    """Return the sum of a row value over each column."""
    total = np.zeros(len(starts) - 1)
    for column in range(len(total)):
        for place in range(starts[column], starts[column + 1]):
            total[column] += value[rows[place]]
    return total


@compiled
def columns_of(starts: Ints, rows: Rows, kept: Booleans, needed: Booleans) -> tuple[Ints, Rows]:
    """Copy the kept columns, without the rows that need not be covered."""
    new_starts = np.zeros(kept.sum() + 1, np.int64)
    new_rows = np.empty(len(rows), np.int32)
    column, size = 0, 0
    for old in range(len(kept)):
        if kept[old]:
            for place in range(starts[old], starts[old + 1]):
                if needed[rows[place]]:
                    new_rows[size] = rows[place]
                    size += 1
            column += 1
            new_starts[column] = size
    return new_starts, new_rows[:size].copy()


@compiled
def by_row(starts: Ints, rows: Rows, documents: int) -> tuple[Ints, Rows]:
    """Convert columns of rows into rows of columns, ascending."""
    row_starts = np.zeros(documents + 1, np.int64)
    for row in rows:
        row_starts[row + 1] += 1
    for row in range(documents):
        row_starts[row + 1] += row_starts[row]
    free = row_starts[:-1].copy()
    columns = np.empty(len(rows), np.int32)
    for column in range(len(starts) - 1):
        for place in range(starts[column], starts[column + 1]):
            row = rows[place]
            columns[free[row]] = column
            free[row] += 1
    return row_starts, columns


@compiled
def left(starts: Ints, rows: Rows, needed: Booleans, chosen: Booleans) -> Booleans:
    """Return which needed rows no chosen column covers."""
    open_rows = needed.copy()
    for column in range(len(chosen)):
        if chosen[column]:
            for place in range(starts[column], starts[column + 1]):
                open_rows[rows[place]] = False
    return open_rows


@compiled
def core(
    row_starts: Ints, row_columns: Rows, reduced: Floats, fewest: int, within: float
) -> Booleans:
    """Mark each row's `fewest` columns of lowest reduced cost, and all with `within` or less."""
    inside = reduced <= within
    for row in range(len(row_starts) - 1):
        columns = row_columns[row_starts[row] : row_starts[row + 1]]
        if len(columns) <= fewest:
            for column in columns:
                inside[column] = True
        else:
            highest = np.partition(reduced[columns], fewest - 1)[fewest - 1]
            for column in columns:
                if reduced[column] <= highest:
                    inside[column] = True
    return inside
