"""What it is worth to cover a document: the one thing in which the published greedies differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from longline.covering.kernels.arrays import Floats
from longline.covering.model.cost import cost_of
from longline.covering.model.matrix import Matches, matches_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from longline.covering.model.matrix import Matrix

OCTAVE = 2**23
"""From a 32-bit float's bits to those of its double."""


def uniform(matrix: Matrix) -> Floats:
    """Weigh every document the same: the plain greedy algorithm.

    Returns:
        (documents,) of 1.

    Source: Wang, Lu & Chen, TS-IDS, Figure 2.

    >>> uniform([[1, 0], [1, 1]]).tolist()
    [1.0, 1.0]
    """
    return np.ones(matches_of(matrix).documents)


def ids(matrix: Matrix) -> Floats:
    """Weigh up the documents that few queries can reach: inverse document size.

    Weight = 1 / how many of the queries match the document. This is also the document
    weight (dw) of the weighted greedy algorithm of 2009.

    Args:
        matrix: (documents, queries), as `matches_of` reads it.

    Returns:
        (documents,) weights, without unit; 0 for a document that no query matches.

    Source: Wang, Lu & Chen 2009, Definition 2, equation 1.

    >>> ids([[1, 0], [1, 1]]).tolist()
    [1.0, 0.5]
    """
    matches = matches_of(matrix)
    return ids_of(survey(matches, cost_of(matches))[0])


def ts_ids(matrix: Matrix, cost: str | npt.ArrayLike = "df") -> Floats:
    """Weigh up the documents that only costly queries can reach: term size by document size.

    Weight = the cheapest cost among a document's queries / how many match it.

    Args:
        matrix: (documents, queries), as `matches_of` reads it.
        cost: As for `cost_of`; with "df" this is the papers' weight.

    Returns:
        (documents,) weights, in the cost's unit; 0 for a document that no query matches.
        Only their ratios matter.

    Source: Wang, Lu & Chen, TS-IDS, Definition 2, equation 4.

    >>> ts_ids([[1, 0], [1, 0], [1, 1]]).tolist()
    [3.0, 3.0, 0.5]
    """
    matches = matches_of(matrix)
    return ts_ids_of(*survey(matches, cost_of(matches, cost)))


def survey(matches: Matches, cost: Floats) -> tuple[npt.NDArray[np.int32], Floats]:
    """Count each document's queries, and find its cheapest one's cost, in one pass.

    Returns:
        Sizes (documents,), and costs (documents,): infinite where no query matches.
    """
    from longline.covering.kernels import columns as _kernels

    # Costs travel as 32-bit numbers in the same order: their own bits where none is lost.
    with np.errstate(over="ignore"):
        single = cost.astype(np.float32)
    exact = np.array_equal(single, cost)
    costs, price = (cost, single.view(np.int32)) if exact else np.unique(cost, return_inverse=True)
    price = price.astype(np.int32)
    cheap = int(price[matches.df > 0].min(initial=_kernels.NO_PRICE - 7 * OCTAVE)) + 7 * OCTAVE
    sizes, lowest = _kernels.survey(matches.starts, matches.rows, matches.documents, price, cheap)
    if exact:
        cheapest = lowest.view(np.float32).astype(np.float64)
    else:
        cheapest = costs[np.minimum(lowest, len(costs) - 1)]
    cheapest[sizes == 0] = np.inf
    return sizes, cheapest


def ids_of(sizes: npt.NDArray[np.int32]) -> Floats:
    """Weights of `ids` from document sizes."""
    return np.where(sizes > 0, 1.0 / np.maximum(sizes, 1), 0.0)


def ts_ids_of(sizes: npt.NDArray[np.int32], cheapest: Floats) -> Floats:
    """Weights of `ts_ids` from document sizes and cheapest costs."""
    return np.where(sizes > 0, cheapest, 0.0) / np.maximum(sizes, 1)
