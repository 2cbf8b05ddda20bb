"""The loops over all matches, compiled by numba. Imported only when something is computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba
import numpy as np

from longline.cover.matrix import Floats, Ints, Rows

Function = TypeVar("Function", bound=Callable[..., object])

TIE = 1e-9


def compiled(function: Function) -> Function:
    """Compile on the first call; keep the machine code on disk where a place can be found."""
    try:
        return cast(Function, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # no folder that can be written: neither next to this file nor at home
        return cast(Function, numba.njit(nogil=True)(function))


@compiled
def is_in_order(starts: Ints, rows: Rows, documents: int) -> bool:
    """Say whether every column lies within the matrix and ascends without repeats."""
    if starts[0] != 0 or starts[-1] != len(rows):
        return False
    for column in range(len(starts) - 1):
        if starts[column] > starts[column + 1]:
            return False
    for column in range(len(starts) - 1):
        before = -1
        for place in range(starts[column], starts[column + 1]):
            if rows[place] <= before:
                return False
            before = rows[place]
        if before >= documents:
            return False
    return True


@compiled
def survey(starts: Ints, rows: Rows, documents: int, cost: Floats) -> tuple[Rows, Floats]:
    """Count each row's columns and find the cheapest one's cost (inf where there is none)."""
    sizes = np.zeros(documents, np.int32)
    cheapest = np.full(documents, np.inf)
    for column in range(len(cost)):
        price = cost[column]
        for place in range(starts[column], starts[column + 1]):
            row = rows[place]
            sizes[row] += 1
            cheapest[row] = min(cheapest[row], price)
    return sizes, cheapest


@compiled
def push(keys: Floats, columns: Ints, size: int, key: float, column: int) -> int:
    """Put a column into the heap (largest key first); return the new size."""
    child = size
    while child > 0:
        parent = (child - 1) >> 1
        if keys[parent] >= key:
            break
        keys[child], columns[child] = keys[parent], columns[parent]
        child = parent
    keys[child], columns[child] = key, column
    return size + 1


@compiled
def pop(keys: Floats, columns: Ints, size: int) -> int:
    """Take the first column out of the heap; return the new size."""
    size -= 1
    key, column = keys[size], columns[size]
    parent = 0
    while 2 * parent + 1 < size:
        child = 2 * parent + 1
        if child + 1 < size and keys[child + 1] > keys[child]:
            child += 1
        if keys[child] <= key:
            break
        keys[parent], columns[parent] = keys[child], columns[child]
        parent = child
    keys[parent], columns[parent] = key, column
    return size


@compiled
def _value(starts: Ints, rows: Rows, weight: Floats, cost: Floats, column: int) -> float:
    total = 0.0
    for place in range(starts[column], starts[column + 1]):
        total += weight[rows[place]]
    value: float = total / cost[column]
    return value


@compiled
def _take(starts: Ints, rows: Rows, weight: Floats, column: int) -> int:
    """Set the weight of a column's rows to 0; return how many were uncovered until now."""
    fresh = 0
    for place in range(starts[column], starts[column + 1]):
        if weight[rows[place]] > 0:
            fresh += 1
            weight[rows[place]] = 0.0
    return fresh


@compiled
def choose(starts: Ints, rows: Rows, weight: Floats, cost: Floats, rank: Ints, begun: Ints) -> Ints:
    """Take the column of most uncovered weight per cost, until no row has weight.

    `weight` is emptied on the way; among ties the lowest `rank` goes first; `begun` are
    columns taken before the first choice.

    Two heaps. `open` holds columns by a value that was exact once: values only fall, so it
    bounds the value of today, and the first column whose value has not changed is the best.
    Its value sets a level. All columns that may still be as good (within TIE) move to `level`,
    ordered by rank, and are tried in that order; the next level starts when it is empty.
    """
    queries = len(cost)
    open_keys, open_columns = np.empty(queries), np.empty(queries, np.int64)
    level_keys, level_columns = np.empty(queries), np.empty(queries, np.int64)
    chosen = np.empty(min(queries, len(weight)) + len(begun), np.int64)
    opened, levelled, taken = 0, 0, 0
    left = 0
    for row in range(len(weight)):
        left += weight[row] > 0
    for column in begun:
        left -= _take(starts, rows, weight, column)
        chosen[taken] = column
        taken += 1
    for column in range(queries):
        if starts[column] < starts[column + 1]:
            value = _value(starts, rows, weight, cost, column)
            if value > 0:
                opened = push(open_keys, open_columns, opened, value, column)
    lowest = np.inf
    while left > 0:
        if levelled == 0:
            while True:
                column = open_columns[0]
                opened = pop(open_keys, open_columns, opened)
                value = _value(starts, rows, weight, cost, column)
                if value > 0 and (opened == 0 or value >= open_keys[0]):
                    break
                if value > 0:
                    opened = push(open_keys, open_columns, opened, value, column)
            lowest = value * (1 - TIE)
            levelled = push(level_keys, level_columns, levelled, -float(rank[column]), column)
            while opened > 0 and open_keys[0] >= lowest:
                column = open_columns[0]
                opened = pop(open_keys, open_columns, opened)
                levelled = push(level_keys, level_columns, levelled, -float(rank[column]), column)
        column = level_columns[0]
        levelled = pop(level_keys, level_columns, levelled)
        value = _value(starts, rows, weight, cost, column)
        if value >= lowest:
            left -= _take(starts, rows, weight, column)
            chosen[taken] = column
            taken += 1
        elif value > 0:
            opened = push(open_keys, open_columns, opened, value, column)
    return chosen[:taken]


@compiled
def keep_needed(starts: Ints, rows: Rows, documents: int, chosen: Ints, order: Ints) -> Ints:
    """Drop chosen columns whose every row another one covers; return the rest in their order.

    `order` holds places in `chosen`, the first to drop first.
    """
    covered = np.zeros(documents, np.int32)
    for column in chosen:
        for place in range(starts[column], starts[column + 1]):
            covered[rows[place]] += 1
    needed = np.ones(len(chosen), np.bool_)
    for index in order:
        begin, end = starts[chosen[index]], starts[chosen[index] + 1]
        needed[index] = False
        for place in range(begin, end):
            if covered[rows[place]] == 1:
                needed[index] = True
                break
        if not needed[index]:
            for place in range(begin, end):
                covered[rows[place]] -= 1
    return chosen[needed]
