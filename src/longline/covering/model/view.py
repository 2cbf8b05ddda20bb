"""Set covering without constraints: the form that search and bound methods use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from longline.covering.kernels.arrays import Floats, Incidence, Ints, Rows
from longline.covering.model.matrix import Matches


@dataclass(frozen=True, eq=False)
class View:
    """A document may be left uncovered for a price: the cost of its cheapest query.

    The optimum is the same, because a document that is left can always use its cheapest query. So
    any choice of columns is a solution, and search needs no repair. A query that costs at least as
    much as the prices of all its documents is never worth choosing, and is left out here. With cost
    = df these are at least all queries with one document, half of a pool.

    Attributes:
        columns: (kept,). The column numbers in the full matrix.
        cost: (kept,) > 0.
        price: (documents,). The price of leaving a document; 0 if it need not be covered.
        starts, rows: The kept columns, as in `Matches`.
        row_starts, row_columns: The same by row: places in `columns`.
        fallback: (documents,). The cheapest query of each document in the full matrix; -1 for
            documents with price 0.
    """

    columns: Ints
    cost: Floats
    price: Floats
    starts: Ints
    rows: Rows
    row_starts: Ints
    row_columns: Rows
    fallback: Ints

    @property
    def documents(self) -> int:
        """The number of documents, covered or not."""
        return len(self.price)

    @property
    def matrix(self) -> Incidence:
        """The kept columns, by column and by row."""
        return Incidence(self.starts, self.rows, self.row_starts, self.row_columns)

    @cached_property
    def scale(self) -> float:
        """The mean price of a document, the unit of steps and temperatures."""
        needed = self.price[self.price > 0]
        return float(needed.mean()) if len(needed) else 1.0

    def only(self, kept: np.ndarray) -> View:
        """Return the view with some of its columns, given as booleans."""
        return _of_columns(self, kept)

    def after(self, taken: np.ndarray) -> tuple[View, np.ndarray]:
        """Fix columns as chosen: the documents that they cover get price 0.

        Returns:
            The remaining view, and which columns it kept: those that still save something.
        """
        from longline.covering.kernels import view as _view_kernels

        needed = _view_kernels.left(self.starts, self.rows, self.price > 0, taken)
        price = np.where(needed, self.price, 0.0)
        kept = _view_kernels.worth(self.starts, self.rows, price) > self.cost
        fallback = np.where(needed, self.fallback, -1)
        return _of_columns(replace(self, price=price, fallback=fallback), kept), kept

    def finish(self, chosen: np.ndarray) -> Ints:
        """Return column numbers that cover every document, from booleans over `columns`.

        A document that is left uses its cheapest query.
        """
        from longline.covering.kernels import view as _view_kernels

        left = _view_kernels.left(self.starts, self.rows, self.price > 0, chosen)
        extra = np.unique(self.fallback[left])
        return np.union1d(self.columns[chosen], extra).astype(np.int64)


def view_of(
    matches: Matches, cost: Floats, start: tuple[int, ...] = (), columns: Ints | None = None
) -> View:
    """Return a problem as a view, without its constraints.

    Args:
        matches: Which query matches which document.
        cost: (queries,) > 0 where a query matches anything.
        start: Queries that are chosen already; their documents have price 0.
        columns: The columns to include; None includes those that may be worth choosing.

    >>> from longline.covering.model.matrix import matches_of
    >>> matches = matches_of([[1, 1, 0], [1, 0, 1], [1, 0, 0]])
    >>> view_of(matches, np.array([4.0, 1.0, 2.0])).price.tolist()
    [1.0, 2.0, 4.0]
    """
    from longline.covering.kernels import view as _view_kernels

    price, fallback = _view_kernels.cheapest(matches.starts, matches.rows, matches.documents, cost)
    for column in start:
        price[matches.rows[matches.starts[column] : matches.starts[column + 1]]] = 0.0
    fallback[price == 0] = -1
    if columns is None:
        # No tolerance: if a sum is rounded up, a useless column is kept, which is harmless.
        kept = _view_kernels.worth(matches.starts, matches.rows, price) > cost
    else:
        kept = np.isin(np.arange(matches.queries), columns)
    whole = View(
        np.arange(matches.queries),
        cost,
        price,
        matches.starts,
        matches.rows,
        np.zeros(1, np.int64),
        np.zeros(0, np.int32),
        fallback,
    )
    return _of_columns(whole, kept)


def _of_columns(view: View, kept: np.ndarray) -> View:
    from longline.covering.kernels import view as _view_kernels

    starts, rows = _view_kernels.columns_of(view.starts, view.rows, kept, view.price > 0)
    row_starts, row_columns = _view_kernels.by_row(starts, rows, view.documents)
    return View(
        view.columns[kept],
        view.cost[kept],
        view.price,
        starts,
        rows,
        row_starts,
        row_columns,
        view.fallback,
    )
