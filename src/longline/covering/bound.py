"""How far from the optimum a choice can be at most: a certified lower bound on every cover."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, fsum
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from longline.covering.kernels.arrays import Floats, Point, Prices
from longline.covering.model import Budget, Matches, View, cost_of, matches_of, view_of

if TYPE_CHECKING:
    from longline.covering.model import Matrix

PASSES = 20_000
TOLERANCE = 1e-3
_EPOCH = 2000
_CHECK = 60


@dataclass(frozen=True, eq=False)
class Bound:
    """No cover costs less than `value`, and `duals` prove it.

    Attributes:
        value: The bound, in the cost's unit; rounded up where every cost is an integer.
        duals: (documents,) >= 0. Prices of the documents: those of a query's documents never
            add up to more than the query costs, in exact arithmetic. So any cover costs at
            least the sum of all.
        fractional: The cost of the best fractions of queries found. The best possible lies
            between the sum of the duals and this.
        passes: How many passes over the matrix were made.
    """

    value: float
    duals: Floats
    fractional: float
    passes: int


def lower_bound(
    matrix: Matrix,
    cost: str | npt.ArrayLike = "df",
    *,
    tolerance: float = TOLERANCE,
    budget: Budget | None = None,
) -> Bound:
    """Bound the cost of every cover from below, and prove it.

    The bound is that of the linear relaxation (fractions of queries may be chosen), within
    `tolerance` of it. Documents that no query matches are left out.

    Args:
        matrix: (documents, queries), as `matches_of` reads it.
        cost: As for `cost_of`.
        tolerance: Stop when `fractional` is this near to the duals' sum, relatively.
        budget: Stop then at the latest; by default after 20,000 passes.

    Raises:
        MatrixError: A matrix or cost that cannot be used.

    Source: Chambolle & Pock 2011 with the diagonal steps of Pock & Chambolle 2011, Halpern's
    iteration with reflection and restarts as in Lu & Yang 2024.

    >>> found = lower_bound([[1, 1, 0], [1, 0, 1], [0, 1, 1]], [1, 1, 1], tolerance=1e-6)
    >>> round(float(found.duals.sum()), 4), found.value
    (1.5, 2.0)
    """
    matches = matches_of(matrix)
    prices = cost_of(matches, cost)
    relaxation = Relaxation(view_of(matches, prices))
    return bound_of(matches, prices, relaxation, tolerance, budget or Budget(iterations=PASSES))


def bound_of(
    matches: Matches, cost: Floats, relaxation: Relaxation, tolerance: float, budget: Budget
) -> Bound:
    """Run a relaxation until it is good enough, and read its bound."""
    relaxation.run(tolerance, budget)
    duals = relaxation.duals
    value = float(np.nextafter(fsum(duals), 0.0))
    if bool((cost[matches.df > 0] % 1 == 0).all()):
        value = float(ceil(value))
    return Bound(value, duals, relaxation.fractional, relaxation.passes)


class Relaxation:
    """The linear relaxation of a view, solved further whenever more is asked.

    Attributes:
        duals: (documents,). The best that were found; always feasible.
        x: (kept,). Fractions of the view's columns.
        fractional: What the best fractions cost.
        passes: How many passes were made.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.x = np.zeros(len(view.cost))
        self._y = view.price / np.maximum(1, np.diff(view.row_starts))
        self._gamma = 0.06 / view.scale
        self.passes = 0
        self.fractional = float(view.price.sum())
        self.duals = self._repaired()
        self._value = float(self.duals.sum())
        self._start_epoch()

    def run(self, tolerance: float, budget: Budget) -> None:
        """Make passes until the duals are within `tolerance` of the best, or budget is spent."""
        done = 0
        while self.gap > tolerance and budget.spent(done) < 1:
            self._advance(_CHECK)
            done += _CHECK

    @property
    def gap(self) -> float:
        """Between the fractions' cost and the duals' sum, relative to the cost."""
        return 1 - self._value / self.fractional if self.fractional > 0 else 0.0

    @property
    def reduced(self) -> Floats:
        """(kept,). The view's costs less the duals of their documents: >= 0 but for rounding."""
        from longline.covering.kernels import view as _view_kernels

        view = self.view
        return view.cost - _view_kernels.worth(view.starts, view.rows, self.duals)

    def after(self, taken: npt.NDArray[np.bool_]) -> Relaxation:
        """Take columns for good, and begin to relax what is left where this one stands."""
        view, kept = self.view.after(taken)
        rest = Relaxation(view)
        rest.x = self.x[kept]
        rest._y = np.where(view.price > 0, self._y, 0.0)
        rest._start_epoch()
        return rest

    def _advance(self, passes: int) -> None:
        from longline.covering.kernels import bound as _bound_kernels

        view = self.view
        moved = _bound_kernels.step(
            view.matrix,
            Prices(view.cost, view.price),
            Point(self.x, self._y),
            self._anchor,
            self._gamma,
            (self._since, passes),
        )
        self.passes += passes
        self._since += passes
        self._read()
        self._restart_if_due(moved)

    def _read(self) -> None:
        """Keep the better duals and fractions."""
        from longline.covering.kernels import bound as _bound_kernels

        view = self.view
        cost = _bound_kernels.primal(view.starts, view.rows, view.cost, view.price, self.x)
        self.fractional = min(self.fractional, float(cost))
        duals = self._repaired()
        if duals.sum() > self._value:
            self.duals, self._value = duals, float(duals.sum())

    def _start_epoch(self) -> None:
        self._anchor = Point(self.x.copy(), self._y.copy())
        self._since = 0
        self._first = self._last = np.inf

    def _restart_if_due(self, moved: float) -> None:
        """Start a new epoch where this one has come far, or has begun to turn back."""
        if self._first == np.inf:
            self._first = moved
        elif moved < 0.04 * self._first or self._last < moved < 0.64 * self._first:
            self._start_epoch()
            return
        if self._since >= _EPOCH:
            self._start_epoch()
            return
        self._last = moved

    def _repaired(self) -> Floats:
        """Make feasible duals of y: scale down what is too much, raise what has room.

        Sums of doubles carry errors, so that "<= cost" is not enough. The last scaling leaves
        every computed load at most (1 + 2e-16) times the cost; a sum of n terms >= 0 is wrong
        by less than n * 2^-53 of itself; the factor at the end is below both.
        """
        from longline.covering.kernels import bound as _bound_kernels

        view = self.view
        y = np.clip(np.nan_to_num(self._y, nan=0.0), 0.0, view.price)
        loads = _bound_kernels.scale_down(view.starts, view.rows, view.cost, y)
        _bound_kernels.raise_up(view.row_starts, view.row_columns, view.cost, view.price, y, loads)
        _bound_kernels.scale_down(view.starts, view.rows, view.cost, y)
        largest = int(np.diff(view.starts).max(initial=0))
        return y * (1 - (max(largest, len(y)) + 8) * 2.0**-52)
