"""The passes over all matches, compiled by numba. Imported only when something is computed."""

from collections.abc import Callable
from typing import TypeVar, cast

import numba
import numpy as np

from longline.covering.kernels.arrays import Floats, Ints, Rows

Function = TypeVar("Function", bound=Callable[..., object])


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
def survey(starts: Ints, rows: Rows, documents: int, cost: Floats) -> tuple[Rows, Floats]:
    """Count each row's columns, and find their lowest cost (infinite if it has no column)."""
    sizes = np.zeros(documents, np.int32)
    lowest = np.full(documents, np.inf)
    for column in range(len(cost)):
        for place in range(starts[column], starts[column + 1]):
            row = rows[place]
            sizes[row] += 1
            lowest[row] = min(lowest[row], cost[column])
    return sizes, lowest


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
