"""The greedy loop in epochs, compiled by numba: as little of the matrix touched as can be.

Values only fall while documents get covered, so a value that was exact once is a bound for
ever after. An epoch works on the columns whose bounds are high. Between epochs a pass over
the matrix drops what cannot matter any more, most of it by this rule:

    A column is out for good once its uncovered rows could all be had for less than its cost
    by taking each row's cheapest column. For among those rows there is one whose cheapest
    column is worth more per cost than this column is (the largest of several fractions is no
    less than the sum of the numerators by the sum of the denominators), and as long as the
    row is uncovered that column is still to be had.

Large columns hold most of a text collection's matrix, and all but a few of them fall to it as
soon as half of the documents are covered.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from longline.covering.kernels.arrays import Floats, Ints, Rows
from longline.covering.kernels.columns import compiled, reordered

Singles: TypeAlias = npt.NDArray[np.float32]

TIE = 1e-9
SLACK = 1e-5
"""Above the rounding of a block in single precision, so that a bound is one all the same."""

BINS = 4096
BLOCK = 64


class Documents(NamedTuple):
    """The rows.

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
        base: Value when the column was last read as a whole, or slightly more.
        bound: The value is not above this.
    """

    begins: Ints
    ends: Ints
    cost: Floats
    names: Rows
    base: Floats
    bound: Floats


class Queue(NamedTuple):
    """The order in which columns are looked at.

    Attributes:
        rank: By the column's number: ties are tried in this order.
        stream: Places in `Live`, the best bound first.
        chosen: Columns that are taken, in order.
    """

    rank: Ints
    stream: Ints
    chosen: Ints


class Progress(NamedTuple):
    """How far the choice has come.

    Attributes:
        level: The value that is being taken, where an epoch ended amid one; else 0.
        left: Rows left uncovered.
        taken: Columns chosen.
    """

    level: float
    left: int
    taken: int


@compiled
def is_live(
    starts: Ints, rows: Rows, documents: int, cost: Floats, rank: Ints
) -> npt.NDArray[np.bool_]:
    """Say which columns have rows; of those with one and the same row alone only the best."""
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
    """Weight per cost of every column, or slightly more."""
    found = np.empty(len(begins))
    for place in range(len(begins)):
        total = 0.0
        for entry in range(begins[place], ends[place], BLOCK):
            total += _sum(store, light, entry, min(entry + BLOCK, ends[place]))
        found[place] = total / cost[place] * (1 + SLACK)
    return found


@compiled
def compact(store: Rows, into: Rows, documents: Documents, live: Live) -> int:
    """Write what may still matter to the front of `into` and of `live`; return how many columns.

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
    """Return a value that at least `wanted` bounds reach, and not many more: by a histogram."""
    if len(bound) <= wanted:
        return 0.0
    # Floats above 0 are in the order of their bits; 64 bins to a power of two.
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
    # A little lower, so that whatever ties with a bound on the edge is reached as well.
    return float(edge.view(np.float64)[0] * (1 - 10 * TIE))


@compiled
def take(store: Rows, documents: Documents, begin: int, end: int) -> int:
    """Cover a column's rows; return how many were uncovered until now."""
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
    """Value of today; or, as soon as it is seen to be below the floor, a bound for it."""
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
    """Put a place into the heap (largest key first); return the new size."""
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
    """Take the first place out of the heap; return the new size."""
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
    """Order the first `size` keys, and the places along: Shell's sort, as most have one or two.

    numpy's sort would take longer to compile than all the rest of this file.
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

    The stream (the best bound first) and a heap hold the columns. The first one whose value
    turns out to be as high as all other bounds is the best: its value sets a level. All
    columns that may still reach it (within TIE) are then tried in the order of `rank`, and the
    next level is looked for when none is left. A column that falls below the floor is
    forgotten until the next epoch.

    Args:
        store: The rows of all columns.
        documents: What rows weigh.
        live: The columns, changed in place.
        queue: In which order they are looked at; those taken are added.
        until: The floor, and how many rows are few enough.
        progress: From the epoch before.
    """
    rank, stream, chosen = queue
    floor, enough = until
    level, left, taken = progress
    keys, places = np.empty(len(stream)), np.empty(len(stream), np.int64)
    order, group = np.empty(len(stream), np.int64), np.empty(len(stream), np.int64)
    flow, size = 0, 0  # how much of the stream is used, and of the heap
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
