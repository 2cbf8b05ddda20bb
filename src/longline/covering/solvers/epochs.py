"""The greedy loop in epochs, compiled by numba, reading as little of the matrix as possible.

Values only fall while documents get covered, so a value that was exact once is a bound from then
on. An epoch works on the columns with high bounds. Between epochs a pass over the matrix drops
what can no longer matter, most of it by this rule:

    A column can be dropped if its uncovered rows could all be covered for less than its cost by
    each row's cheapest column. Among those rows there is one whose cheapest column is worth
    more per cost than this column (the largest of several fractions is at least the sum of the
    numerators divided by the sum of the denominators), and as long as the row is uncovered,
    that column is available.

Large columns hold most of a text collection's matrix, and nearly all of them are dropped as soon as
half of the documents are covered.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from longline.covering.kernels.arrays import Floats, Ints, Rows
from longline.covering.kernels.columns import compiled, reordered

Singles: TypeAlias = npt.NDArray[np.float32]

TIE = 1e-9
SLACK = 1e-5
"""More than the rounding error of a block in single precision, so that bounds stay valid."""

BINS = 4096
BLOCK = 64


class Documents(NamedTuple):
    """Data of the rows.

    Attributes:
        weight: Negative once the row is covered.
        light: The weight rounded up to single precision; 0 once the row is covered.
        cheapest: Cost of the row's cheapest column, rounded up; 0 once the row is covered.
    """

    weight: Floats
    light: Singles
    cheapest: Singles


class Live(NamedTuple):
    """The columns that may still be chosen.

    Attributes:
        begins: Where the column's rows begin in the store.
        ends: Where they end.
        cost: The column's cost.
        names: The column's number in the matrix.
        base: The value when the column was last read completely, or slightly more.
        bound: An upper bound of the value.
    """

    begins: Ints
    ends: Ints
    cost: Floats
    names: Rows
    base: Floats
    bound: Floats


class Queue(NamedTuple):
    """The order in which columns are examined.

    Attributes:
        rank: By the column's number: ties are tried in this order.
        stream: Places in `Live`, the best bound first.
        chosen: The chosen columns, in order.
    """

    rank: Ints
    stream: Ints
    chosen: Ints


class Progress(NamedTuple):
    """The state of the choice.

    Attributes:
        level: The current value, if an epoch ended in the middle of it; else 0.
        left: The number of uncovered rows.
        taken: The number of chosen columns.
    """

    level: float
    left: int
    taken: int


@compiled
def is_live(
    starts: Ints, rows: Rows, documents: int, cost: Floats, rank: Ints
) -> npt.NDArray[np.bool_]:
    """Return which columns have rows; of columns with only the same row, keep just the best."""
    best = np.full(documents, -1, np.int32)
    live = np.zeros(len(cost), np.bool_)
    for column in range(len(cost)):
        size = starts[column + 1] - starts[column]
        live[column] = size > 0
        if size != 1:
            continue
        row = rows[starts[column]]
        rival = best[row]
        if rival >= 0:
            costs_less = cost[column] < cost[rival] * (1 - TIE)
            costs_more = cost[column] > cost[rival] * (1 + TIE)
            if costs_more or (not costs_less and rank[column] > rank[rival]):
                live[column] = False
                continue
            live[rival] = False
        best[row] = column
    return live


@reordered
def _sum(store: Rows, table: Singles, begin: int, end: int) -> float:
    total = np.float32(0)
    for entry in range(begin, end):
        total += table[store[entry]]
    return total  # type: ignore[return-value]  # single precision is what makes it fast


@compiled
def bounds(store: Rows, light: Singles, begins: Ints, ends: Ints, cost: Floats) -> Floats:
    """Return the weight per cost of every column, or slightly more."""
    found = np.empty(len(begins))
    for place in range(len(begins)):
        total = 0.0
        for entry in range(begins[place], ends[place], BLOCK):
            total += _sum(store, light, entry, min(entry + BLOCK, ends[place]))
        found[place] = total / cost[place] * (1 + SLACK)
    return found


@compiled
def compact(store: Rows, into: Rows, documents: Documents, live: Live) -> int:
    """Move what may still matter to the front of `into` and `live`; return the number of columns.

    `into` may be the store itself: nothing is written beyond what has been read.
    """
    kept = 0
    written = 0
    for place in range(len(live.begins)):
        begin, end = live.begins[place], live.ends[place]
        least = live.cost[place] * (1 - SLACK)
        entry = begin
        spent = 0.0
        while entry < end and spent < least:
            stop = min(entry + BLOCK, end)
            spent += _sum(store, documents.cheapest, entry, stop)
            entry = stop
        if spent < least:
            continue
        live.begins[kept] = written
        total = 0.0
        for entry in range(begin, end):
            row = store[entry]
            into[written] = row
            written += documents.light[row] > 0
            total += documents.light[row]
        live.ends[kept] = written
        live.cost[kept], live.names[kept] = live.cost[place], live.names[place]
        live.base[kept] = total / live.cost[place]
        kept += 1
    return kept


@compiled
def floor_of(bound: Floats, wanted: int) -> float:
    """Return a value that at least `wanted` bounds reach, and not many more, by a histogram."""
    if len(bound) <= wanted:
        return 0.0
    # Positive floats have the same order as their bits; there are 64 bins per power of two.
    shift = 46
    bits = bound.view(np.int64)
    top = bits[0]
    for place in range(len(bits)):
        top = max(top, bits[place])
    top >>= shift
    count = np.zeros(BINS, np.int64)
    for place in range(len(bits)):
        count[min(top - (bits[place] >> shift), BINS - 1)] += 1
    reached = 0
    edge = np.zeros(1, np.int64)
    for step in range(BINS - 1):
        reached += count[step]
        if reached >= wanted:
            edge[0] = (top - step) << shift
            break
    # A little lower, so that ties with a bound on the edge are included.
    return float(edge.view(np.float64)[0] * (1 - 10 * TIE))


@compiled
def take(store: Rows, documents: Documents, begin: int, end: int) -> int:
    """Cover a column's rows; return how many were uncovered before."""
    fresh = 0
    for entry in range(begin, end):
        row = store[entry]
        if documents.weight[row] > 0:
            fresh += 1
            documents.weight[row] = -documents.weight[row]
            documents.light[row] = 0
            documents.cheapest[row] = 0
    return fresh


@compiled
def _value(store: Rows, weight: Floats, live: Live, place: int, floor: float) -> float:
    """Return the current value; if it is clearly below the floor, return a bound instead."""
    cost = live.cost[place]
    left = live.base[place] * cost
    total = 0.0
    entry, end = live.begins[place], live.ends[place]
    while entry < end:
        stop = min(entry + BLOCK, end)
        while entry < stop:
            worth = weight[store[entry]]
            total += worth if worth > 0 else 0.0
            left += worth if worth < 0 else 0.0
            entry += 1
        if left * (1 + 10 * TIE) < floor * cost and entry < end:
            total = left * (1 + TIE)
            break
    value: float = total / cost
    return value


@compiled
def _push(keys: Floats, places: Ints, size: int, key: float, place: int) -> int:
    """Add a place to the heap (largest key first); return the new size."""
    child = size
    while child > 0:
        parent = (child - 1) >> 1
        if keys[parent] >= key:
            break
        keys[child], places[child] = keys[parent], places[parent]
        child = parent
    keys[child], places[child] = key, place
    return size + 1


@compiled
def _pop(keys: Floats, places: Ints, size: int) -> int:
    """Remove the first place from the heap; return the new size."""
    size -= 1
    key, place = keys[size], places[size]
    parent = 0
    while 2 * parent + 1 < size:
        child = 2 * parent + 1
        if child + 1 < size and keys[child + 1] > keys[child]:
            child += 1
        if keys[child] <= key:
            break
        keys[parent], places[parent] = keys[child], places[child]
        parent = child
    keys[parent], places[parent] = key, place
    return size


@compiled
def _sort(keys: Ints, places: Ints, size: int) -> None:
    """Sort the first `size` keys, with their places, by Shell's sort: most calls have one or two.

    numpy's sort would take longer to compile than the rest of this file.
    """
    gap = 1
    while gap < size // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for index in range(gap, size):
            key, place = keys[index], places[index]
            hole = index
            while hole >= gap and keys[hole - gap] > key:
                keys[hole], places[hole] = keys[hole - gap], places[hole - gap]
                hole -= gap
            keys[hole], places[hole] = key, place
        gap //= 3


@compiled
def epoch(
    store: Rows,
    documents: Documents,
    live: Live,
    queue: Queue,
    until: tuple[float, int],
    progress: Progress,
) -> Progress:
    """Choose columns, best value first, until values fall below the floor or `enough` are left.

    The stream (the best bound first) and a heap hold the columns. The first one whose value is at
    least all other bounds is the best: its value sets a level. All columns that may still reach it
    (within TIE) are then tried in the order of `rank`, and when none is left, the next level is
    computed. A column that falls below the floor is ignored until the next epoch.

    Args:
        store: The rows of all columns.
        documents: The weights of rows.
        live: The columns, changed in place.
        queue: The order of examination; chosen columns are added.
        until: The floor, and the number of uncovered rows at which to stop.
        progress: The result of the epoch before.
    """
    rank, stream, chosen = queue
    floor, enough = until
    level, left, taken = progress
    keys, places = np.empty(len(stream)), np.empty(len(stream), np.int64)
    order, group = np.empty(len(stream), np.int64), np.empty(len(stream), np.int64)
    flow, size = 0, 0  # how much of the stream is used, and the size of the heap
    tried, tied = 0, 0
    while left > enough:
        if tried == tied:
            while True:
                best = live.bound[stream[flow]] if flow < len(stream) else 0.0
                from_heap = size > 0 and keys[0] >= best
                if from_heap:
                    best = keys[0]
                if best == 0 or best * (1 - TIE) < floor:
                    return Progress(0.0, left, taken)
                if level > 0 and best >= level * (1 - TIE):
                    break
                level = 0.0
                if from_heap:
                    place = places[0]
                    size = _pop(keys, places, size)
                else:
                    place = stream[flow]
                    flow += 1
                value = _value(store, documents.weight, live, place, floor)
                live.bound[place] = value
                if value < floor or value == 0:
                    continue
                if (size == 0 or value >= keys[0]) and (
                    flow == len(stream) or value >= live.bound[stream[flow]]
                ):
                    level = value
                size = _push(keys, places, size, value, place)
                if level > 0:
                    break
            tried, tied = 0, 0
            while size > 0 and keys[0] >= level * (1 - TIE):
                group[tied] = places[0]
                tied += 1
                size = _pop(keys, places, size)
            while flow < len(stream) and live.bound[stream[flow]] >= level * (1 - TIE):
                group[tied] = stream[flow]
                tied += 1
                flow += 1
            for index in range(tied):
                order[index] = rank[live.names[group[index]]]
            _sort(order, group, tied)
        place = group[tried]
        tried += 1
        value = _value(store, documents.weight, live, place, floor)
        live.bound[place] = value
        if value >= level * (1 - TIE):
            left -= take(store, documents, live.begins[place], live.ends[place])
            live.bound[place] = 0.0
            chosen[taken] = live.names[place]
            taken += 1
        elif value >= floor and value > 0:
            size = _push(keys, places, size, value, place)
        if tried == tied:
            level = 0.0
    return Progress(level, left, taken)
