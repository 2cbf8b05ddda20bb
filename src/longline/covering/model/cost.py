"""What a query costs: its df, its df and an overhead, its result pages, or the user's own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from longline.covering.kernels.arrays import Floats, Ints
from longline.covering.model.matrix import matches_of
from longline.errors import InputError, MatrixError, UnknownNameError

if TYPE_CHECKING:
    from longline.covering.model.matrix import Matrix

KNOWN = ("df", "df+A (documents plus A a query)", "pages/P (result pages of P documents)")
_NUMBER = r"(\d+(?:\.\d*)?(?:e[+-]?\d+)?)"


def cost_of(matrix: Matrix, cost: str | npt.ArrayLike = "df") -> Floats:
    """Price every query.

    "df" is the papers' cost: the documents that a query brings back. "df+30" says that a
    query costs as much as 30 documents more: a higher overhead prefers few, large queries,
    which hold beyond the sample they were chosen on. "pages/10" counts result pages.

    Args:
        matrix: (documents, queries), as `matches_of` reads it.
        cost: One of the forms above, or a vector (queries,) of your own, finite and > 0.

    Returns:
        (queries,). Zero only for a query that matches nothing, which is never chosen.

    Raises:
        UnknownNameError: A text of another form.
        InputError: Result pages of 0 documents.
        MatrixError: A vector of the wrong length, or with a value that is not finite or <= 0.

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
