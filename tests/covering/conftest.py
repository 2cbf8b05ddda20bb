"""What several tests of choosing queries look at."""

import numpy as np
import pytest


@pytest.fixture(scope="session")
def example():
    """Documents 1 to 9 by queries 1 to 5: Wang, Lu & Chen 2009, Table 1; S. Wang 2010, Matrix A."""
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
