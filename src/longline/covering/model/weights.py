"""The cost of a query, and the weight of a document, in which published greedies differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from longline.covering.kernels.arrays import Floats, Ints
from longline.covering.model.matrix import Matches, matches_of
from longline.errors import InputError, MatrixError, UnknownNameError

if TYPE_CHECKING:
    from longline.covering.model.matrix import Matrix


KNOWN = ("df", "df+A (documents plus A a query)", "pages/P (result pages of P documents)")
_NUMBER = r"(\d+(?:\.\d*)?(?:e[+-]?\d+)?)"


def cost_of(matrix: Matrix, cost: str | npt.ArrayLike = "df") -> Floats:
    """Return the cost of every query.

    "df" is the papers' cost: the documents that a query brings back. "df+30" adds an overhead of 30
    documents per query: a higher overhead prefers few, large queries, which also work beyond the
    sample they were chosen on. "pages/10" counts result pages.

    Args:
        matrix: (documents, queries), as `matches_of` reads it.
        cost: One of the forms above, or your own vector (queries,), finite and > 0.

    Returns:
        (queries,). Zero only for a query that matches nothing, which is never chosen.

    Raises:
        UnknownNameError: A text has another form.
        InputError: Result pages have 0 documents.
        MatrixError: A vector has the wrong length, or a value that is not finite or <= 0.

    >>> matrix = [[1, 0], [1, 0], [1, 1]]
    >>> cost_of(matrix, "df").tolist(), cost_of(matrix, "df+30").tolist()
    ([3.0, 1.0], [33.0, 31.0])
    >>> cost_of(matrix, "pages/2").tolist()
    [2.0, 1.0]
    """
    matches = matches_of(matrix)
    if isinstance(cost, str):
        return _named(cost, matches.df)
    return _own(cost, matches.df)


def _named(cost: str, df: Ints) -> Floats:
    text = cost.replace(" ", "")
    if found := re.fullmatch(rf"df(?:\+{_NUMBER})?", text):
        return _own(df + float(found[1] or 0), df)
    if found := re.fullmatch(r"pages/(\d{1,9})", text):
        documents = int(found[1])
        if documents == 0:
            raise InputError("cost 'pages/0' has pages of 0 documents", advice="give at least 1")
        return np.ceil(df / documents)
    raise UnknownNameError("cost", cost, KNOWN)


def _own(cost: npt.ArrayLike, df: Ints) -> Floats:
    try:
        vector = np.asarray(cost, dtype=np.float64)
    except (TypeError, ValueError):
        raise MatrixError("the cost is no vector of numbers", advice="give one per query") from None
    if vector.shape != df.shape:
        raise MatrixError(
            f"the cost has shape {vector.shape} for {len(df)} queries", advice="give one per query"
        )
    bad = np.flatnonzero(~np.isfinite(vector) | ((vector <= 0) & (df > 0)))
    if len(bad):
        raise MatrixError(
            f"query {bad[0]} has cost {vector[bad[0]]}", advice="give finite costs above 0"
        )
    return vector


def survey(matches: Matches, cost: Floats) -> tuple[npt.NDArray[np.int32], Floats]:
    """Count each document's queries, and find the cost of its cheapest one, in one pass.

    Returns:
        Sizes (documents,), and costs (documents,): infinite if no query matches.
    """
    from longline.covering.kernels import columns as _kernels

    return _kernels.survey(matches.starts, matches.rows, matches.documents, cost)


def ids_of(sizes: npt.NDArray[np.int32]) -> Floats:
    """Return higher weights for documents that few queries match: inverse document size.

    It is also the document weight (dw) of the weighted greedy algorithm of 2009.

    Args:
        sizes: (documents,). How many queries match each, as `survey` counts them.

    Returns:
        (documents,) weights, without unit; 0 for a document that no query matches.

    Source: Wang, Lu & Chen 2009, Definition 2, equation 1.

    >>> ids_of(np.array([1, 2, 0], dtype=np.int32)).tolist()
    [1.0, 0.5, 0.0]
    """
    return np.where(sizes > 0, 1.0 / np.maximum(sizes, 1), 0.0)


def ts_ids_of(sizes: npt.NDArray[np.int32], cheapest: Floats) -> Floats:
    """Return higher weights for documents that only costly queries match: cost / document size.

    Args:
        sizes: (documents,). How many queries match each, as `survey` counts them.
        cheapest: (documents,). The least cost of these; with "df" it is the papers' weight.

    Returns:
        (documents,) weights, in the cost's unit; 0 for a document that no query matches.
        Only their ratios matter.

    Source: Wang, Lu & Chen, TS-IDS, Definition 2, equation 4.

    >>> ts_ids_of(np.array([1, 2], dtype=np.int32), np.array([3.0, 1.0])).tolist()
    [3.0, 0.5]
    """
    return np.where(sizes > 0, cheapest, 0.0) / np.maximum(sizes, 1)
