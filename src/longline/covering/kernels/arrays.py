"""The data types of the kernels: numpy arrays, and tuples of arrays that belong together."""

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
    """Costs and prices.

    Attributes:
        cost: (columns,). Cost of a column.
        price: (rows,). Price of a row that is left.
    """

    cost: Floats
    price: Floats


class Moves(NamedTuple):
    """Settings of the annealing moves.

    Attributes:
        heat: (columns,). Factor of the temperature.
        swaps: Share of the moves that swap two columns.
        tries: Moves at one temperature.
    """

    heat: Floats
    swaps: float
    tries: int


class Choice(NamedTuple):
    """A choice of columns, and the data that annealing needs about it.

    Attributes:
        chosen: (columns,).
        change: (columns,). The change in value if a column is flipped.
        times: (rows,). The number of chosen columns of a row.
        names: (rows,). The sum of their numbers.
        best: (columns,). The best choice so far.
        values: (2,). The current value, and the best one.
    """

    chosen: Booleans
    change: Floats
    times: Rows
    names: Ints
    best: Booleans
    values: Floats


class Members(NamedTuple):
    """A set of numbers from which one can be drawn in constant time.

    Attributes:
        numbers: The members first, in any order.
        places: (numbers,). The place of each among them, or -1.
        size: (1,). The number of members.
    """

    numbers: Ints
    places: Ints
    size: Ints


class Trust(NamedTuple):
    """The costs of columns and how far they are trusted.

    Attributes:
        cost: (columns,).
        trust: (columns,). The probability that a document like the column's is covered by it.
        price: Price of a document that is left.
    """

    cost: Floats
    trust: Floats
    price: float


class Chosen(NamedTuple):
    """A choice of columns, and data about it.

    Attributes:
        chosen: (columns,).
        left: (rows,). The probability that a document like this one is left.
        times: (rows,). The number of chosen columns of a row.
        best: (columns,). The best choice so far.
        values: (2,). The current value, and the best one.
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
