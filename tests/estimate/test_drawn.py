"""The bound of a share from a random sample."""

import subprocess
import sys

import pytest
from scipy.special import betaincinv

from longline.estimate.drawn import most_share


@pytest.mark.parametrize(
    ("found", "drawn"), [(0, 1), (0, 5000), (1, 2), (7, 20), (900, 1000), (4999, 5000)]
)
def test_the_bound_is_that_of_the_beta_distribution(found: int, drawn: int) -> None:
    """The share is bounded by the quantile by which Clopper and Pearson's bound is computed."""
    assert most_share(found, drawn) == pytest.approx(betaincinv(found + 1, drawn - found, 0.95))


def test_what_only_tests_install_is_not_needed() -> None:
    """Neither a bound nor a set-covering problem in a file needs scipy, which nobody may have."""
    code = """
import sys
sys.modules["scipy"] = None
from longline.covering import cover, read_instance
from longline.estimate.drawn import most_share
most_share(2, 36)
problem = read_instance("2 3  4 3 2  2 1 2  1 3")
cover(problem.matrix, cost=problem.cost)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
