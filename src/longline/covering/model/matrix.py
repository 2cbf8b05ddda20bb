"""The document-query matrix, checked once, as numpy arrays by column."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from longline.covering.kernels.arrays import Ints, Rows
from longline.errors import MatrixError

if TYPE_CHECKING:
    from scipy import sparse

    Matrix: TypeAlias = "npt.ArrayLike | sparse.sparray | sparse.spmatrix | Matches"

LARGEST = 2**31 - 1
"""Documents and queries are numbered with 32 bits: half the memory of 64, and faster."""


@dataclass(frozen=True, eq=False)
class Matches:
    """Which query matches which document, column by column.

    Attributes:
        starts: (queries + 1,). Column j is `rows[starts[j] : starts[j + 1]]`.
        rows: (matches,). Document numbers, ascending within a column, none twice.
        documents: The number of documents, matched or not.
    """

    starts: Ints
    rows: Rows
    documents: int

    @property
    def queries(self) -> int:
        """The number of queries."""
        return len(self.starts) - 1

    @cached_property
    def df(self) -> Ints:
        """(queries,). How many documents each query matches."""
        return np.diff(self.starts)

    def pick(self, queries: npt.ArrayLike) -> Matches:
        """Return the same documents with some of the queries, in the given order.

        >>> matches_of([[0, 1, 1], [1, 0, 1]]).pick([2, 0]).rows.tolist()
        [0, 1, 1]
        """
        columns = np.asarray(queries, dtype=np.int64)
        df = self.df[columns]
        starts = np.concatenate([[0], np.cumsum(df)])
        shifts = np.repeat(self.starts[columns] - starts[:-1], df)
        return Matches(starts, self.rows[np.arange(len(shifts)) + shifts], self.documents)

    def turned(self) -> Matches:
        """Return the transpose: queries as documents and documents as queries.

        Here alone the input's rows need not ascend within a column; those of the result do.

        >>> turned = matches_of([[0, 1, 1], [1, 0, 1]]).turned()
        >>> turned.starts.tolist(), turned.rows.tolist(), turned.documents
        ([0, 2, 4], [1, 2, 0, 2], 3)
        """
        from longline.covering.kernels.view import by_row

        return Matches(*by_row(self.starts, self.rows, self.documents), self.queries)

    def dense(self) -> npt.NDArray[np.bool_]:
        """(documents, queries). True where the query matches the document."""
        found = np.zeros((self.documents, self.queries), dtype=np.bool_)
        found[self.rows, np.repeat(np.arange(self.queries), self.df)] = True
        return found


def matches_of(matrix: Matrix) -> Matches:
    """Read a matrix of any kind, and check it completely.

    Args:
        matrix: (documents, queries). A dense array of 0 and 1 (or booleans), or any scipy sparse
            matrix: there every value except zero is a match, and repeated entries count once. A CSC
            matrix with sorted int32 indices is used as it is, without a copy.

    Raises:
        MatrixError: Not two dimensions, no document, no query, more than 2^31 - 1 of either,
            values other than 0 and 1 (e.g. nan), or indices out of range.

    >>> found = matches_of([[0, 1], [1, 1]])
    >>> found.rows.tolist(), found.df.tolist()
    ([1, 0, 1], [1, 2])
    """
    if isinstance(matrix, Matches):
        return matrix
    if hasattr(matrix, "tocsc"):
        return _from_sparse(matrix)
    return _from_dense(matrix)


def matches_of_pairs(columns: Any, rows: Any, shape: tuple[int, ...]) -> Matches:
    """Return the matches of pairs of a query and a document, in any order; repeats count once.

    Raises:
        MatrixError: The shape (documents, queries) has no document or no query.
    """
    _check_shape(shape)
    documents, queries = shape
    places = np.unique(columns * documents + rows)
    starts = np.searchsorted(places, np.arange(queries + 1) * documents)
    return Matches(starts, (places % documents).astype(np.int32), documents)


def in_canonical_order(matches: Matches) -> Matches:
    """Renumber the documents by the queries that match them, independently of their order.

    Documents with the same queries may change places; they cannot be distinguished.

    >>> one, other = [[0, 1], [1, 1], [1, 0]], [[1, 0], [0, 1], [1, 1]]
    >>> first, second = (in_canonical_order(matches_of(each)) for each in (one, other))
    >>> bool((first.rows == second.rows).all())
    True
    """
    columns = np.repeat(np.arange(matches.queries, dtype=np.uint64), matches.df)
    sums = np.zeros(matches.documents, dtype=np.uint64)
    np.add.at(sums, matches.rows, _scattered(columns))
    place = np.empty(matches.documents, dtype=np.int32)
    place[np.argsort(sums, kind="stable")] = np.arange(matches.documents, dtype=np.int32)
    rows = place[matches.rows]
    rows = rows[np.lexsort((rows, columns))]
    return Matches(matches.starts, rows, matches.documents)


def _scattered(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Map numbers to different numbers that look random (the end of splitmix64)."""
    mixed = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _check_shape(shape: tuple[int, ...]) -> None:
    if len(shape) != 2:
        raise MatrixError(
            f"the matrix has {len(shape)} dimensions, shape {shape}",
            advice="give one row per document and one column per query",
        )
    for number, what in zip(shape, ("documents", "queries"), strict=True):
        if number == 0:
            raise MatrixError(f"the matrix has no {what}, shape {shape}", advice="give at least 1")
        if number > LARGEST:
            raise MatrixError(
                f"the matrix has {number} {what}", advice=f"give at most {LARGEST}: draw a sample"
            )


def _from_dense(matrix: Any) -> Matches:
    try:
        dense = np.asarray(matrix)
    except ValueError as error:
        raise MatrixError(
            f"the matrix is no rectangle: {error}", advice="give rows of equal length"
        ) from None
    _check_shape(dense.shape)
    if dense.dtype.kind not in "biuf":
        raise MatrixError(
            f"the matrix holds {dense.dtype} values", advice="give numbers: 0 or 1, or booleans"
        )
    bad = np.argwhere((dense != 0) & (dense != 1))
    if len(bad):
        row, column = bad[0].tolist()
        raise MatrixError(
            f"row {row}, column {column} of the matrix holds {dense[row, column]}",
            advice="give 1 where the query matches the document, else 0",
        )
    rows, columns = np.nonzero(dense)
    return matches_of_pairs(columns, rows, dense.shape)


def _from_sparse(matrix: Any) -> Matches:
    _check_shape(matrix.shape)
    if matrix.format != "csc":
        # As booleans first: then repeated entries merge by "or" instead of cancelling out.
        matrix = _without_nan(matrix.tocoo()).astype(bool).tocsc()
    matrix = _without_nan(matrix)
    documents = matrix.shape[0]
    size = int(matrix.indptr[-1])
    _check_indices(matrix.indptr, matrix.indices, documents)
    found = Matches(
        np.asarray(matrix.indptr, dtype=np.int64),
        np.asarray(matrix.indices[:size], dtype=np.int32),
        documents,
    )
    values = matrix.data[:size] != 0
    if values.all() and _is_in_order(found):
        return found
    return _in_order(found, values)


def _without_nan(matrix: Any) -> Any:
    if matrix.data.dtype.kind not in "biufc":
        raise MatrixError(f"the matrix holds {matrix.dtype} values", advice="give numbers")
    if matrix.data.dtype.kind in "fc" and np.isnan(matrix.data).any():
        raise MatrixError("the matrix holds nan", advice="give 1 where the query matches, else 0")
    return matrix


def _is_in_order(found: Matches) -> bool:
    falls = found.rows[1:] <= found.rows[:-1]
    inner = found.starts[(found.starts > 0) & (found.starts < len(found.rows))]
    falls[inner - 1] = False  # a column may begin anywhere
    return not falls.any()


def _check_indices(starts: Any, indices: Any, documents: int) -> None:
    size = int(starts[-1])
    broken = starts[0] != 0 or size > len(indices) or bool((np.diff(starts) < 0).any())
    if broken or (size and not 0 <= indices[:size].min() <= indices[:size].max() < documents):
        raise MatrixError(
            "the sparse matrix's indices point outside of it",
            advice=f"check its indices (0 to {documents - 1}) and indptr",
        )


def _in_order(found: Matches, values: npt.NDArray[np.bool_]) -> Matches:
    """Drop stored zeros and repeated entries, and sort each column."""
    columns = np.repeat(np.arange(found.queries), found.df)[values]
    return matches_of_pairs(columns, found.rows[values], (found.documents, found.queries))
