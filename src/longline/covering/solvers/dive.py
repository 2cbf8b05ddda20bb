"""Taking for good what the linear relaxation is surest of, and relaxing again: large queries first.

What separates a cover from the bound are the large queries: with those of a good cover taken,
the relaxation of the rest is nearly a cover itself. Annealing moves them only while all else
melts; the relaxation knows what each of them leaves for the others to do.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from longline.covering.bound import Relaxation
from longline.covering.kernels.arrays import Ints
from longline.covering.model import Budget

PASSES = 60
AT_ONCE = 6
_LARGE = 2.0
_FRACTION = 0.03
_SURE = 0.9
_NOISE = 0.1
_SHARED = 0.3


def parts_of(relaxation: Relaxation, large: float) -> Ints:
    """Places of the columns dearer than `large` of which the relaxation takes a part."""
    return np.flatnonzero((relaxation.view.cost > large) & (relaxation.x > _FRACTION))


def large_of(relaxation: Relaxation) -> float:
    """Return the cost above which a column is large: twice the mean price of a document."""
    return _LARGE * relaxation.view.scale


def dive(relaxation: Relaxation, rng: np.random.Generator, goes_on: Callable[[int], bool]) -> Ints:
    """Take large columns until the relaxation takes no part of any.

    A round takes six: those of the largest parts, which are multiplied by noise of 10 % so
    that no two dives are alike, and that share little with each other. All that are nearly
    whole go with them.

    Args:
        relaxation: Solved well enough; it is not changed.
        rng: Draws the noise.
        goes_on: Told of the passes of each round; the dive ends where it answers False.

    Returns:
        Column numbers of the full matrix: those taken, and those of which the last relaxation
        takes more than a half. They need not cover every document.
    """
    large = large_of(relaxation)
    taken: list[Ints] = []
    while len(parts := parts_of(relaxation, large)):
        now = _surest(relaxation, parts, rng)
        taken.append(relaxation.view.columns[now])
        relaxation = relaxation.after(now)
        relaxation.run(1e-3, Budget(PASSES))
        if not goes_on(PASSES):
            break
    return np.concatenate([*taken, relaxation.view.columns[relaxation.x > 0.5]])


def _surest(relaxation: Relaxation, parts: Ints, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Mark the columns to take in this round."""
    view, x = relaxation.view, relaxation.x
    now = np.zeros(len(x), np.bool_)
    seen = np.zeros(view.documents, np.bool_)
    order = parts[np.argsort(-x[parts] * np.exp(_NOISE * rng.standard_normal(len(parts))))]
    for column in order:
        rows = view.rows[view.starts[column] : view.starts[column + 1]]
        if seen[rows].mean() <= _SHARED:
            seen[rows] = now[column] = True
            if now.sum() == AT_ONCE:
                break
    now[parts[x[parts] > _SURE]] = True
    return now
