"""Taking for good what the linear relaxation is surest of, and relaxing again, until all is taken.

The relaxation knows what each query leaves for the others to do, but not which of several to take
whole. Taken a few at a time, with passes in between, one choice settles the next.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from longline.covering.kernels.arrays import Ints
from longline.covering.model import Budget
from longline.covering.primal_dual import CHECK, PrimalDual

AT_ONCE, _AT_LEAST = 0.03, 6
_FRACTION, _SURE = 0.03, 0.9
_NOISE = 0.1
_SHARED = 0.3


def dive(relaxed: PrimalDual, rng: np.random.Generator, goes_on: Callable[[], bool]) -> Ints:
    """Take columns until the relaxation takes no part of any.

    A round takes 3 % of the columns of which there is a part: those of the largest parts, which
    are multiplied by noise of 10 % so that no two dives are alike, and that share little with
    each other. All that are nearly whole go with them.

    Args:
        relaxed: Solved well enough; it is not changed.
        rng: Draws the noise.
        goes_on: Asked after each round; the dive ends where it answers False.

    Returns:
        Column numbers of the full matrix: those taken, and those of which the last relaxation
        takes more than a half. They need not cover every document.
    """
    taken: list[Ints] = []
    while len(parts := np.flatnonzero(relaxed.x > _FRACTION)):
        now = _surest(relaxed, parts, rng)
        taken.append(relaxed.view.columns[now])
        relaxed = relaxed.after(now)
        relaxed.run(1e-3, Budget(CHECK))
        if not goes_on():
            break
    return np.concatenate([*taken, relaxed.view.columns[relaxed.x > 0.5]])


def _surest(relaxed: PrimalDual, parts: Ints, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Mark the columns to take in this round."""
    view, x = relaxed.view, relaxed.x
    now = np.zeros(len(x), np.bool_)
    seen = np.zeros(view.documents, np.bool_)
    most = max(_AT_LEAST, AT_ONCE * len(parts))
    order = parts[np.argsort(-x[parts] * np.exp(_NOISE * rng.standard_normal(len(parts))))]
    for column in order:
        rows = view.rows[view.starts[column] : view.starts[column + 1]]
        if seen[rows].mean() <= _SHARED:
            seen[rows] = now[column] = True
            if now.sum() >= most:
                break
    now[parts[x[parts] > _SURE]] = True
    return now
