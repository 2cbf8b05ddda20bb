"""The passes over all matches, compiled by numba. Imported only when something is computed."""

from collections.abc import Callable
from typing import TypeVar, cast

import numba
import numpy as np

from longline.covering.kernels.arrays import Ints, Rows

Function = TypeVar("Function", bound=Callable[..., object])


NO_PRICE = 2**31 - 1
FLAG = 2**15


def compiled(function: Function) -> Function:
    """Compile a function on its first call, and cache the machine code on disk if possible."""
    return _compiled(function)


def reordered(function: Function) -> Function:
    """Compile so that sums may be computed in any order, which is faster with vectors."""
    return _compiled(function, fastmath={"reassoc", "nsz"})


def _compiled(function: Function, fastmath: bool | set[str] = False) -> Function:
    try:
        return cast(Function, numba.njit(cache=True, nogil=True, fastmath=fastmath)(function))
    except RuntimeError:  # no writable folder, neither next to this file nor in the home folder
        return cast(Function, numba.njit(nogil=True, fastmath=fastmath)(function))


@compiled
def is_in_order(starts: Ints, rows: Rows, documents: int) -> bool:
    """Return whether every column is within the matrix and ascends without repeats."""
    if starts[0] != 0 or starts[-1] != len(rows):
        return False
    for column in range(len(starts) - 1):
        if starts[column] > starts[column + 1]:
            return False
    falls = 0
    for place in range(1, len(rows)):  # without a branch: four times faster
        falls += rows[place] <= rows[place - 1]
    for column in range(len(starts) - 1):
        begin, end = starts[column], starts[column + 1]
        if begin < end:
            if rows[begin] < 0 or rows[end - 1] >= documents:
                return False
            if begin > 0 and rows[begin] <= rows[begin - 1]:
                falls -= 1
    return falls == 0


@compiled
def survey(starts: Ints, rows: Rows, documents: int, price: Rows, cheap: int) -> tuple[Rows, Rows]:
    """Count each row's columns, and find its lowest price (NO_PRICE if it has no column).

    Most rows have a column with a price of `cheap` or less, and those columns are short. So the
    pass over everything only checks the prices of the few other rows. Its counters have 16 bits,
    because the array then fits into a core's own cache: those of the other rows start at FLAG, and
    a counter that reaches FLAG is checked, and carried over before it overflows.
    """
    lowest = np.full(documents, NO_PRICE, np.int32)
    for column in range(len(price)):
        if price[column] <= cheap:
            for place in range(starts[column], starts[column + 1]):
                row = rows[place]
                lowest[row] = min(lowest[row], price[column])
    counter = np.zeros(documents, np.uint16)
    sizes = np.zeros(documents, np.int32)
    for row in range(documents):
        if lowest[row] == NO_PRICE:
            counter[row] = FLAG
            sizes[row] = -FLAG
    for column in range(len(price)):
        for place in range(starts[column], starts[column + 1]):
            row = rows[place]
            count = counter[row] + 1
            if count > FLAG:
                lowest[row] = min(lowest[row], price[column])
                if count == 2 * FLAG - 1:
                    sizes[row] += FLAG - 1
                    count = FLAG
            counter[row] = count
    for row in range(documents):
        sizes[row] += counter[row]
    return sizes, lowest


@compiled
def rank_by_df(df: Ints) -> Ints:
    """Number the columns by falling df, then by column: a counting sort."""
    most = 0
    for column in range(len(df)):
        most = max(most, df[column])
    next_rank = np.zeros(most + 2, np.int64)
    for column in range(len(df)):
        next_rank[most - df[column] + 1] += 1
    for fall in range(most):
        next_rank[fall + 1] += next_rank[fall]
    rank = np.empty(len(df), np.int64)
    for column in range(len(df)):
        rank[column] = next_rank[most - df[column]]
        next_rank[most - df[column]] += 1
    return rank


@compiled
def keep_needed(starts: Ints, rows: Rows, documents: int, chosen: Ints, order: Ints) -> Ints:
    """Drop chosen columns whose rows are all covered by others; return the rest in their order.

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
