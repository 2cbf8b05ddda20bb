"""Whether to turn the page: what a query's next page brings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from longline.model import Total
from longline.planner.adaptive.gain_kernels import Floats
from longline.planner.adaptive.yield_model import Forecast
from longline.planner.observed import ReturnLimit

EXACT = 0.01
"""A count whose log errs by less than this variance is taken at its word."""


class NextPage(NamedTuple):
    """What the next page of a query is expected to bring.

    Attributes:
        new: New documents.
        rows: Rows, at most a page of them.
        is_cut: Whether pages may well follow it, or the return limit cuts it.
    """

    new: float
    rows: float
    is_cut: bool


def next_page(
    forecast: Forecast, total: Total | None, error: float, new: int, rows: int, bounds: ReturnLimit
) -> NextPage:
    """Return what to expect after `rows` rows of a query, `new` of them new.

    Args:
        forecast: What the query promised.
        total: The source's count.
        error: Variance of the log of such counts.
        new: New documents so far.
        rows: Rows so far.
        bounds: The source's k and p.
    """
    totals, shares = _totals(forecast, total, error, rows + 1)
    is_cut = float(shares[totals > min(bounds.most_rows, rows + bounds.full_page)].sum()) > 0.5
    left = np.minimum(np.minimum(totals, bounds.most_rows) - rows, bounds.full_page)
    unseen = np.clip(totals - forecast.known - new, 0, None)
    gain = left * np.minimum(unseen / np.maximum(totals - rows, 1), 1)
    return NextPage(float(gain @ shares), float(left @ shares), is_cut)


def _totals(
    forecast: Forecast, total: Total | None, error: float, at_least: int
) -> tuple[Floats, Floats]:
    """What D may be, and how likely, from the forecast and from the source's count."""
    totals, shares = forecast.totals(at_least)
    if total is None:
        return totals, shares
    reported = max(total.documents, at_least)
    if error < EXACT:
        return np.array([float(reported)]), np.ones(1)
    shares = shares * np.exp(-(np.log(totals / reported) ** 2) / (2 * error)) + 1e-12
    return totals, shares / shares.sum()
