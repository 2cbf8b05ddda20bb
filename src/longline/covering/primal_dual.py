"""The linear relaxation by a first-order method, on few columns, with thousands of passes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from longline.covering.kernels.arrays import Floats, Point, Prices
from longline.covering.model import Budget, View

CHECK = 60
"""The number of passes between two checks of the results."""

_EPOCH = 2000


class PrimalDual:
    """Fractions of a view's columns and duals of its documents, which can be solved further.

    Attributes:
        duals: (documents,). The best duals found; always feasible.
        x: (kept,). Fractions of the view's columns.
        y: (documents,). The current duals of the method; not feasible.
        fractional: The cost of the best fractional solution.
        passes: The number of passes so far.
    """

    def __init__(self, view: View, x: Floats | None = None, y: Floats | None = None) -> None:
        self.view = view
        self.x = np.zeros(len(view.cost)) if x is None else x
        self.y = view.price / np.maximum(1, np.diff(view.row_starts)) if y is None else y.copy()
        self._gamma = 0.06 / view.scale
        self.passes = 0
        self.fractional = float(view.price.sum())
        self.duals = feasible(view, self.y)
        self._value = float(self.duals.sum())
        self._start_epoch()

    def run(self, tolerance: float, budget: Budget) -> None:
        """Make passes until the duals are within `tolerance` of the best, or budget is spent."""
        done = 0
        while self.gap > tolerance and budget.spent(done) < 1:
            self._advance(CHECK)
            done += CHECK

    @property
    def gap(self) -> float:
        """The relative gap between the fractional cost and the duals' sum."""
        return 1 - self._value / self.fractional if self.fractional > 0 else 0.0

    def after(self, taken: npt.NDArray[np.bool_]) -> PrimalDual:
        """Fix columns as chosen; return a relaxation of the rest that starts from this state."""
        view, kept = self.view.after(taken)
        return PrimalDual(view, self.x[kept], np.where(view.price > 0, self.y, 0.0))

    def _advance(self, passes: int) -> None:
        from longline.covering.kernels import bound as _bound_kernels

        view = self.view
        moved = _bound_kernels.step(
            view.matrix,
            Prices(view.cost, view.price),
            Point(self.x, self.y),
            self._anchor,
            self._gamma,
            (self._since, passes),
        )
        self.passes += passes
        self._since += passes
        self._read()
        self._restart_if_due(moved)

    def _read(self) -> None:
        """Keep the duals and fractions if they are better."""
        from longline.covering.kernels import bound as _bound_kernels

        view = self.view
        cost = _bound_kernels.primal(view.starts, view.rows, view.cost, view.price, self.x)
        self.fractional = min(self.fractional, float(cost))
        duals = feasible(view, self.y)
        if duals.sum() > self._value:
            self.duals, self._value = duals, float(duals.sum())

    def _start_epoch(self) -> None:
        self._anchor = Point(self.x.copy(), self.y.copy())
        self._since = 0
        self._first = self._last = np.inf

    def _restart_if_due(self, moved: float) -> None:
        """Start a new epoch if this one has moved far, or begins to turn back."""
        if self._first == np.inf:
            self._first = moved
        elif moved < 0.04 * self._first or self._last < moved < 0.64 * self._first:
            self._start_epoch()
            return
        if self._since >= _EPOCH:
            self._start_epoch()
            return
        self._last = moved


def feasible(view: View, y: Floats) -> Floats:
    """Return feasible duals near y: scale down overloaded prices, raise those with room.

    Sums of doubles have rounding errors, so that "<= cost" is not enough. The last scaling makes
    every computed load at most (1 + 2e-16) times the cost; a sum of n terms >= 0 has a relative
    error below n * 2^-53; the factor at the end covers both.
    """
    from longline.covering.kernels import bound as _bound_kernels

    y = np.clip(np.nan_to_num(y, nan=0.0), 0.0, view.price)
    loads = _bound_kernels.scale_down(view.starts, view.rows, view.cost, y)
    _bound_kernels.raise_up(view.row_starts, view.row_columns, view.cost, view.price, y, loads)
    _bound_kernels.scale_down(view.starts, view.rows, view.cost, y)
    largest = int(np.diff(view.starts).max(initial=0))
    return y * (1 - (max(largest, len(y)) + 8) * 2.0**-52)
