"""What the kernels work on: numpy's arrays, and those that belong together."""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Rows: TypeAlias = npt.NDArray[np.int32]
Booleans: TypeAlias = npt.NDArray[np.bool_]


class Incidence(NamedTuple):
    """A matrix by column and by row.

    Attributes:
        starts, rows: Column `c` has the rows `rows[starts[c]:starts[c + 1]]`.
        row_starts, row_columns: The same by row.
    """

    starts: Ints
    rows: Rows
    row_starts: Ints
    row_columns: Rows


class Prices(NamedTuple):
    """What is to be paid.

    Attributes:
        cost: (columns,). Of a column.
        price: (rows,). Of a row that is left.
    """

    cost: Floats
    price: Floats


class Moves(NamedTuple):
    """How annealing goes on.

    Attributes:
        heat: (columns,). The temperature is times this.
        swaps: Share of the moves that swap two columns.
        tries: Moves at one temperature.
    """

    heat: Floats
    swaps: float
    tries: int


class Choice(NamedTuple):
    """A choice of columns, and what annealing keeps about it.

    Attributes:
        chosen: (columns,).
        change: (columns,). What flipping a column adds to the value.
        times: (rows,). Chosen columns of a row.
        names: (rows,). The sum of their numbers.
        best: (columns,). The best choice so far.
        values: (2,). The value now, and the best one.
    """

    chosen: Booleans
    change: Floats
    times: Rows
    names: Ints
    best: Booleans
    values: Floats


class Members(NamedTuple):
    """A set of numbers from which one is drawn in no time.

    Attributes:
        numbers: The members first, in any order.
        places: (numbers,). Where each is among them, or -1.
        size: (1,). How many there are.
    """

    numbers: Ints
    places: Ints
    size: Ints


class Trust(NamedTuple):
    """What columns cost and how far they are trusted.

    Attributes:
        cost: (columns,).
        trust: (columns,). The chance that a document like one of the column's is covered by it.
        price: Of a document that is left.
    """

    cost: Floats
    trust: Floats
    price: float


class Chosen(NamedTuple):
    """A choice of columns, and what is kept about it.

    Attributes:
        chosen: (columns,).
        left: (rows,). The chance that a document like this one is left.
        times: (rows,). Chosen columns of a row.
        best: (columns,). The best choice so far.
        values: (2,). The value now, and the best one.
    """

    chosen: Booleans
    left: Floats
    times: Rows
    best: Booleans
    values: Floats


class Point(NamedTuple):
    """Fractions of the columns, and duals of the rows."""

    x: Floats
    y: Floats
