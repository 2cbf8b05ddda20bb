"""Whether an answer that has ended holds every match."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np

from longline.model import Total


def is_complete(rows: int, different: int, total: Total | None, limit: int | None) -> bool:
    """Say whether an answer that has ended holds every match.

    Args:
        rows: That came.
        different: Documents among them.
        total: That the source claims.
        limit: Rows that a query shows at most; None where nothing bounds them.

    >>> is_complete(100, 100, Total(100), 100), is_complete(100, 100, Total(101), 100)
    (True, False)
    >>> is_complete(99, 99, Total(120, "about"), 100), is_complete(100, 100, None, 100)
    (True, False)
    """
    if total is not None and total.relation == "exact":
        return different >= total.documents
    return limit is None or rows < limit


def log_ratio(reported: int, rows: int) -> float:
    """Return the logarithm of a total per row that came; of none at all as of half a one."""
    return log(max(reported, 0.5) / max(rows, 0.5))


def spread(ratios: Sequence[float]) -> tuple[float, float]:
    """Return the median of logarithms, and their deviation, which a few far off hardly move."""
    median = float(np.median(ratios))
    return median, max(0.02, 1.48 * float(np.median(np.abs(np.array(ratios) - median))))
