"""Set-covering problems in files: what is written by rows or by columns is read the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.covering import read_instance
from longline.errors import MatrixError


@st.composite
def problems(draw: st.DrawFn) -> tuple[np.ndarray, list[int]]:
    """Return a matrix of rows and columns, and what each column costs."""
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    matrix = np.array(
        draw(st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns))
    )
    costs = draw(st.lists(st.integers(1, 99), min_size=columns, max_size=columns))
    return matrix.reshape(rows, columns), costs


def members(line: np.ndarray) -> list[int]:
    found = (np.flatnonzero(line) + 1).tolist()
    return [len(found), *found]


@given(problems(), st.sampled_from([" ", "\n", "\r\n  "]))
def test_both_ways_to_write_a_problem_are_read(
    problem: tuple[np.ndarray, list[int]], between: str
) -> None:
    matrix, costs = problem
    by_rows = [*matrix.shape, *costs, *(n for row in matrix for n in members(row))]
    by_columns = [
        *matrix.shape,
        *(n for cost, row in zip(costs, matrix.T, strict=True) for n in (cost, *members(row))),
    ]
    for numbers in (by_rows, by_columns):
        found = read_instance(between.join(map(str, numbers)))
        if numbers is by_rows or len(numbers) != len(by_rows):  # equal lengths may be either
            assert found.matrix.dense().tolist() == matrix.tolist()
            assert found.cost.tolist() == costs


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("2", id="one number"),
        pytest.param("deep web", id="words"),
        pytest.param("1 2 1 1 1 3", id="column 3"),
        pytest.param("1 2 1 1 1 0", id="column 0"),
        pytest.param("2 2 1 1 1 1", id="too short"),
        pytest.param("2 2 1 1 1 1 1 2 9", id="too long"),
        pytest.param("2 2 " + "9" * 30, id="too large"),
        pytest.param("1 " * 500_000 + "deep", id="words at its end"),
    ],
)
def test_what_is_no_problem_is_refused(text: str) -> None:
    with pytest.raises(MatrixError, match=r"number"):
        read_instance(text)
