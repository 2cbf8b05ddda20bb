"""Bound how far a choice is from the optimum: a certified lower bound on any cover's cost."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, fsum
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from longline.covering.kernels.arrays import Booleans, Floats
from longline.covering.model import Budget, Matches, View, cost_of, matches_of, view_of
from longline.covering.primal_dual import PrimalDual, feasible

if TYPE_CHECKING:
    from longline.covering.model import Matrix

PASSES = 20_000
TOLERANCE = 1e-3
_ACTIVE, _TAKEN = 6, 1e-3
_PRICING = 180
_SMALLER = 0.8


@dataclass(frozen=True, eq=False)
class Bound:
    """No cover costs less than `value`, and `duals` prove it.

    Attributes:
        value: The bound, in the cost's unit; rounded up if every cost is an integer.
        duals: (documents,) >= 0. Prices of the documents: for every query, its documents' prices
            sum to at most its cost, in exact arithmetic. So any cover costs at least the sum of
            all prices.
        fractional: The cost of the best fractional solution found. The best possible bound is
            between the sum of the duals and this.
        passes: The number of passes over the matrix.
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

    This is the bound of the linear relaxation (where fractions of queries may be chosen), within
    `tolerance`. Documents that no query matches are left out.

    Args:
        matrix: (documents, queries), as `matches_of` reads it.
        cost: See `cost_of`.
        tolerance: Stop when the relative gap between `fractional` and the duals' sum is this small.
        budget: The limit of the computation; by default 20,000 passes.

    Raises:
        MatrixError: The matrix or the cost is invalid.

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
    """Solve a relaxation to the tolerance, and return its bound."""
    relaxation.run(tolerance, budget)
    duals = relaxation.duals
    value = float(np.nextafter(fsum(duals), 0.0))
    if bool((cost[matches.df > 0] % 1 == 0).all()):
        value = float(ceil(value))
    return Bound(value, duals, relaxation.fractional, relaxation.passes)


class Relaxation:
    """The linear relaxation of a view, which can be solved further at any time.

    Passes use only the active columns: those of lowest reduced cost for each document, and those
    with a positive fraction. From time to time every column is priced again, which makes the duals
    feasible for all columns, and updates the active ones. If documents are long, the others are
    nine tenths of the entries, and never matter.

    Attributes:
        duals: (documents,). The best duals found; always feasible.
        inner: The active columns, and the state of their relaxation.
        fractional: The cost of the best fractional solution.
        passes: The number of passes over the active columns.

    Source: Caprara, Fischetti & Toth 1999, section 2.2 (pricing).
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.passes = 0
        self.fractional = float(view.price.sum())
        start = view.price / np.maximum(1, np.diff(view.row_starts))
        self.duals = feasible(view, start)
        self._active = self.core(_ACTIVE)
        self.inner = PrimalDual(view.only(self._active), y=start)

    def run(self, tolerance: float, budget: Budget) -> None:
        """Make passes until the duals are within `tolerance` of the best, or budget is spent."""
        before = self.passes
        end = None if budget.iterations is None else before + budget.iterations
        while self.gap > tolerance and budget.spent(self.passes - before) < 1:
            passes = _PRICING if end is None else min(_PRICING, end - self.passes)
            made = self.inner.passes
            self.inner.run(tolerance / 2, budget.part(1.0, passes))
            made = self.inner.passes - made
            self.passes += made
            if not self._priced() and not made:
                break

    @property
    def gap(self) -> float:
        """The relative gap between the fractional cost and the duals' sum."""
        return 1 - float(self.duals.sum()) / self.fractional if self.fractional > 0 else 0.0

    @property
    def x(self) -> Floats:
        """(kept,). Fractions of the view's columns."""
        x = np.zeros(len(self.view.cost))
        x[self._active] = self.inner.x
        return x

    def core(self, fewest: int) -> Booleans:
        """Mark the columns of lowest reduced cost: `fewest` per document, and all below 0."""
        return self._core(self.reduced(self.duals), fewest)

    def reduced(self, duals: Floats) -> Floats:
        """(kept,). The view's costs minus the duals of their documents."""
        from longline.covering.kernels import view as _view_kernels

        view = self.view
        return view.cost - _view_kernels.worth(view.starts, view.rows, duals)

    def _core(self, reduced: Floats, fewest: int) -> Booleans:
        from longline.covering.kernels import view as _view_kernels

        view = self.view
        return _view_kernels.core(view.row_starts, view.row_columns, reduced, fewest, 0.0)

    def _priced(self) -> bool:
        """Price every column; return whether the active columns change."""
        inner, view = self.inner, self.view
        self.fractional = min(self.fractional, inner.fractional)
        duals = feasible(view, inner.duals)
        if duals.sum() > self.duals.sum():
            self.duals = duals
        reduced, x = self.reduced(inner.duals), self.x
        active = self._core(reduced, _ACTIVE) | (x > _TAKEN)
        missing = active & ~self._active & (reduced < 0)
        size = np.diff(view.starts)
        if not missing.any() and size[active].sum() > _SMALLER * size[self._active].sum():
            return False
        self._active = active
        self.inner = PrimalDual(view.only(active), x[active], inner.y)
        return True
