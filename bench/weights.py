"""Weights of the published greedies for any matrix; benches and tests check covers with them."""

import numpy as np
import numpy.typing as npt

from longline.covering import cost_of, matches_of
from longline.covering.model import ids_of, survey, ts_ids_of

Floats = npt.NDArray[np.float64]


def uniform(matrix: npt.ArrayLike) -> Floats:
    """Return a weight of 1 for each document."""
    return np.ones(matches_of(matrix).documents)


def ids(matrix: npt.ArrayLike) -> Floats:
    """Return inverse document sizes."""
    matches = matches_of(matrix)
    return ids_of(survey(matches, cost_of(matches))[0])


def ts_ids(matrix: npt.ArrayLike, cost: str | npt.ArrayLike = "df") -> Floats:
    """Return term sizes divided by document sizes."""
    matches = matches_of(matrix)
    return ts_ids_of(*survey(matches, cost_of(matches, cost)))
