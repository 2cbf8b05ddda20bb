"""Matrices for the tests of choosing queries."""

import numpy as np
import pytest
from hypothesis import strategies as st


@pytest.fixture(scope="session")
def example():
    """Return documents 1 to 9 by queries 1 to 5: Wang, Lu & Chen 2009, Table 1."""
    return np.array(
        [
            [0, 0, 1, 0, 0],
            [0, 0, 1, 1, 0],
            [1, 0, 1, 0, 1],
            [0, 0, 1, 0, 1],
            [1, 0, 0, 0, 1],
            [1, 1, 0, 1, 0],
            [0, 0, 0, 1, 0],
            [1, 1, 0, 0, 1],
            [0, 0, 1, 1, 1],
        ]
    )


def zipf_matrix(seed, documents, queries):
    """Make a matrix with large and small columns in which every document has a column."""
    rng = np.random.default_rng(seed)
    share = 0.4 / np.arange(1, queries + 1)
    matrix = rng.random((documents, queries)) < share
    matrix[np.arange(documents), rng.integers(queries, size=documents)] = True
    return matrix


@st.composite
def matrices(draw, documents=9, queries=7):
    """Draw a small matrix in which every document has a column."""
    rows = draw(st.integers(1, documents))
    columns = draw(st.integers(1, queries))
    cells = draw(st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns))
    matrix = np.array(cells).reshape(rows, columns)
    matrix[~matrix.any(axis=1), 0] = True
    return matrix
