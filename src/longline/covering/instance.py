"""Read set-covering problems in the formats of the OR-Library."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from longline.covering.kernels.arrays import Floats, Ints
from longline.covering.model import Matches, matches_of_pairs
from longline.errors import MatrixError

_OTHER = re.compile(r"[^\s0-9]")
_ADVICE = (
    "the file gives the number of rows and of columns, then either the cost of each column, and of "
    "each row how many columns cover it and which; or of each column its cost, how many rows it "
    "covers and which"
)


@dataclass(frozen=True, eq=False)
class Instance:
    """A set-covering problem: rows to cover, and columns that cover them at a cost.

    Attributes:
        matrix: (rows, columns), ready for `cover`.
        cost: (columns,). What each column costs.
    """

    matrix: Matches
    cost: Floats


def is_instance(start: str) -> bool:
    """Return whether a file that starts like this may be a set-covering problem: only numbers.

    >>> is_instance("200 1000 1 1 1"), is_instance("deep web"), is_instance("")
    (True, False, False)
    """
    return bool(start.strip()) and _OTHER.search(start) is None


def read_instance(text: str) -> Instance:
    """Read a set-covering problem: the files scp* (by rows) or rail* (by columns).

    Args:
        text: Whole numbers: of rows and columns; then the cost of each column and, for each row,
            how many columns cover it and which, counted from 1. Or, for each column, its cost, how
            many rows it covers and which.

    Raises:
        MatrixError: The numbers are neither.

    Source: Beasley 1990, OR-Library: distributing test problems by electronic mail.

    >>> by_rows = read_instance("2 3  4 3 2  2 1 2  1 3")
    >>> by_columns = read_instance("2 3  4 1 1  3 1 1  2 1 2")
    >>> by_rows.cost.tolist(), by_rows.matrix.rows.tolist(), by_columns.matrix.rows.tolist()
    ([4.0, 3.0, 2.0], [0, 0, 1], [0, 0, 1])
    """
    try:
        numbers = np.array(text.split() if is_instance(text) else [], dtype=np.int64)
    except OverflowError:
        raise MatrixError("a number has more than 18 digits", advice=_ADVICE) from None
    if len(numbers) < 2:
        raise MatrixError(
            "a set-covering problem has only whole numbers, at least two", advice=_ADVICE
        )
    rows, columns = int(numbers[0]), int(numbers[1])
    by_row = _lists(numbers, 2 + columns, 1, rows, columns)
    if by_row is not None:
        found = matches_of_pairs(by_row[1], by_row[0], (rows, columns))
        return Instance(found, numbers[2 : 2 + columns].astype(float))
    by_column = _lists(numbers, 2, 2, columns, rows)
    if by_column is not None:
        found = matches_of_pairs(*by_column, (rows, columns))
        begins = np.searchsorted(by_column[0], np.arange(columns))
        return Instance(found, numbers[2 + 2 * np.arange(columns) + begins].astype(float))
    raise MatrixError(
        f"{rows:,} rows and {columns:,} columns do not fit the {len(numbers):,} numbers there",
        advice=_ADVICE,
    )


def _lists(numbers: Ints, place: int, head: int, count: int, most: int) -> tuple[Ints, Ints] | None:
    """Return pairs of a list and a member, both counted from 0; None if the numbers do not fit.

    Args:
        numbers: The whole file.
        place: Where the first list begins.
        head: How many numbers stand before the members; the last of these is their number.
        count: How many lists there are.
        most: The largest member, counted from 1.
    """
    sizes, members = [], [np.empty(0, dtype=np.int64)]
    for _ in range(count):
        first = place + head
        if first > len(numbers):
            return None
        place = first + int(numbers[first - 1])
        members.append(numbers[first:place] - 1)
        sizes.append(len(members[-1]))
    found = np.concatenate(members)
    if place != len(numbers) or not ((found >= 0) & (found < most)).all():
        return None
    return np.repeat(np.arange(count), sizes), found
