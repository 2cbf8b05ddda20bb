"""Fixtures for the tests of choosing queries."""

import numpy as np
import pytest


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
