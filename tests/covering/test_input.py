"""Test that unusable input is refused with a precise error."""

import subprocess
import sys

import numpy as np
import pytest
from bench.weights import ids, ts_ids
from scipy import sparse

from longline.covering import Matches, cost_of, cover, matches_of
from longline.errors import InputError, MatrixError, UncoverableError, UnknownNameError

GOOD = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0]])


@pytest.mark.parametrize(
    "matrix",
    [
        [1, 0, 1],
        1,
        np.zeros((2, 2, 2)),
        [[1, 0], [1]],
        np.empty((0, 3)),
        np.empty((3, 0)),
        sparse.csc_array((0, 3)),
        sparse.csc_array((3, 0)),
        [["a", "b"]],
        [[None, 1]],
        sparse.csc_array(np.array([[1, np.nan]])),
        sparse.coo_array(np.array([[1, np.nan]])),
    ],
    ids=str,
)
def test_a_matrix_of_another_kind(matrix):
    """A wrong shape, an empty dimension, or values that are not numbers are refused."""
    with pytest.raises(MatrixError):
        cover(matrix)


@pytest.mark.parametrize("value", [2, -1, 0.5, np.nan, np.inf])
def test_a_dense_value_that_is_neither_0_nor_1(value):
    """The error names the first value that is neither 0 nor 1, and its position."""
    matrix = GOOD.astype(float)
    matrix[1, 2] = value
    with pytest.raises(MatrixError, match=f"row 1, column 2 .* {value}"):
        cover(matrix)


@pytest.mark.parametrize("shape", [(2**31, 2), (2, 2**31)])
def test_more_than_32_bits_can_number(shape):
    """2^31 documents or queries are refused before anything is allocated."""
    one = np.zeros(1, dtype=np.int64)
    with pytest.raises(MatrixError, match=str(2**31)):
        cover(sparse.coo_array((np.ones(1), (one, one)), shape=shape))


def test_the_first_uncoverable_document_is_named():
    """The error contains the first document without a query, and the number of such documents."""
    with pytest.raises(UncoverableError) as caught:
        cover([[1, 0], [0, 0], [0, 1], [0, 0]])
    assert (caught.value.document, caught.value.documents) == (1, 2)


@pytest.mark.parametrize("method", ["greedy", "ids", "ts-ids"])
def test_uncoverable_documents_are_listed_where_they_are_allowed(method):
    """Documents that no query matches are listed; the rates count covered documents."""
    found = cover([[1, 0], [0, 0], [0, 1], [0, 0]], method, allow_uncovered=True)
    assert sorted(found.queries) == [0, 1]
    assert found.uncovered == [1, 3]
    assert found.overlapping_rate == 1


def test_nothing_covered_has_no_rate():
    """Without any match nothing is chosen, and the rate is NaN."""
    found = cover([[0, 0]], allow_uncovered=True)
    assert (found.queries, found.cost, found.received) == ([], 0, 0)
    assert np.isnan(found.overlapping_rate)


@pytest.mark.parametrize("keyword", [{"method": "gredy"}, {"ties": "smallest"}, {"cost": "dff"}])
def test_an_unknown_name_lists_the_known_ones(keyword):
    """An unknown method, tie rule or cost is refused with a list of the known ones."""
    with pytest.raises(UnknownNameError) as caught:
        cover(GOOD, **keyword)
    assert caught.value.value == next(iter(keyword.values()))
    assert caught.value.known


def test_random_ties_need_a_generator():
    """Random choices require a generator or a seed."""
    with pytest.raises(InputError, match="rng"):
        cover(GOOD, ties="random")


@pytest.mark.parametrize("start", [[3], [-1]])
def test_a_start_outside_the_matrix(start):
    """A start that is not a column is refused."""
    with pytest.raises(InputError, match=str(start[0])):
        cover(GOOD, start=start)


@pytest.mark.parametrize(
    "cost",
    [[1, 2], [[1, 2, 3]], [1, 0, 2], [1, -1, 2], [1, np.nan, 2], [1, np.inf, 2], ["a", 1, 2], 5],
    ids=str,
)
def test_a_cost_that_cannot_be(cost):
    """A cost of the wrong length, or one that is not finite and above 0, is refused."""
    with pytest.raises(MatrixError):
        cover(GOOD, cost=cost)


@pytest.mark.parametrize("text", ["", "df+", "df-3", "df+-3", "2df", "pages/", "pages/1.5", "df+x"])
def test_a_cost_in_words_that_mean_nothing(text):
    """Only the documented forms of cost are accepted."""
    with pytest.raises(UnknownNameError):
        cost_of(GOOD, text)


def test_pages_of_no_documents():
    """A result page contains at least one document."""
    with pytest.raises(InputError):
        cost_of(GOOD, "pages/0")


def test_costs_in_words():
    """df, an overhead and pages give the right costs; blanks do not matter."""
    assert cost_of(GOOD, "df").tolist() == [2, 2, 2]
    assert cost_of(GOOD, "df + 2.5").tolist() == [4.5, 4.5, 4.5]
    assert cost_of(np.ones((25, 1)), "pages/10").tolist() == [3]


def test_an_empty_query_costs_nothing_and_is_never_chosen():
    """A column without a match may cost 0."""
    found = cover([[1, 0], [1, 0]], cost=np.array([2, 0]))
    assert found.queries == [0]


def test_stored_zeros_are_no_matches():
    """A zero stored in a sparse matrix is no match, in any format."""
    csc = sparse.csc_array(GOOD)
    csc.data[0] = 0
    for matrix in (csc, csc.tocsr(), csc.tocoo()):
        assert matches_of(matrix).df.tolist() == [1, 2, 2]


def test_repeated_entries_are_one_match():
    """Repeated entries count once, even if their values sum to zero."""
    values, rows, columns = [1, 1, -1, 3], [0, 1, 1, 0], [0, 0, 0, 0]
    coo = sparse.coo_array((values, (rows, columns)), shape=(2, 1))
    csc = sparse.csc_array((values, rows, [0, 4]), shape=(2, 1))
    for matrix in (coo, csc):
        assert matches_of(matrix).rows.tolist() == [0, 1]


def test_rows_out_of_order_are_sorted():
    """A CSC matrix with unsorted columns gives the same matches."""
    matrix = sparse.csc_array((np.ones(3), [2, 0, 1], [0, 2, 3]), shape=(3, 2))
    assert matches_of(matrix).rows.tolist() == [0, 2, 1]
    assert matrix.indices.tolist() == [2, 0, 1]


@pytest.mark.parametrize(
    ("indices", "indptr"), [([0, 7], [0, 1, 2]), ([0, -1], [0, 1, 2]), ([0, 1], [0, 2, 1])]
)
def test_indices_outside_of_the_matrix(indices, indptr):
    """A broken sparse matrix is refused instead of being read out of bounds."""
    matrix = sparse.csc_array((np.ones(2), [0, 1], [0, 1, 2]), shape=(2, 2))
    matrix.indices = np.array(indices, dtype=np.int32)
    matrix.indptr = np.array(indptr, dtype=np.int32)
    with pytest.raises(MatrixError, match="indices"):
        cover(matrix)


@pytest.mark.parametrize("queries", [2**15 - 1, 2**15, 2**16 - 1, 2**16, 70_000, 2**17 + 3])
@pytest.mark.parametrize("dear", [1, 1000])
def test_documents_of_very_many_queries_are_counted(queries, dear):
    """Sizes are right beyond 16 bits, wherever the document's cheapest query is."""
    matrix = np.zeros((2, queries + 1), dtype=bool)
    matrix[0, 1:] = True
    matrix[1, 0] = True
    cost = np.full(queries + 1, float(dear))
    cost[0] = 1
    cost[-1] -= 0.5
    assert (1 / ids(matrix)).tolist() == [queries, 1]
    assert ts_ids(matrix, cost).tolist() == [(dear - 0.5) / queries, 1]


def test_the_matrix_is_left_as_it_was():
    """A cover changes neither a dense nor a sparse matrix."""
    csc = sparse.csc_array(GOOD)
    before = (csc.data.copy(), csc.indices.copy(), csc.indptr.copy())
    cover(csc)
    for now, then in zip((csc.data, csc.indices, csc.indptr), before, strict=True):
        assert (now == then).all()


def test_a_csc_matrix_is_not_copied():
    """A CSC matrix with int32 indices is used without a copy, and `Matches` are returned as is."""
    csc = sparse.csc_array(GOOD)
    found = matches_of(csc)
    assert isinstance(found, Matches)
    assert np.shares_memory(found.rows, csc.indices)
    assert matches_of(found) is found


@pytest.mark.slow
def test_importing_the_room_loads_neither_numba_nor_scipy():
    """`longline.covering` imports fast: compiled code and scipy load when they are used."""
    code = "import sys, longline.covering; print({'numba', 'scipy'} & set(sys.modules))"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "set()"
