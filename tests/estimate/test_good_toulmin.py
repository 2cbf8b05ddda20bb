"""Test Good-Toulmin against published values, a slow sum, and random draws."""

from fractions import Fraction
from math import comb, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.errors import InputError
from longline.estimate.good_toulmin import good_toulmin

# Corbet's butterflies (Fisher, Corbet & Williams 1943): species caught once, twice, ...
BUTTERFLIES = [118, 74, 44, 24, 29, 22, 20, 19, 20, 15, 12, 14, 6, 12, 6]


def test_butterflies() -> None:
    """In the same time again 75 new species are expected (Orlitsky et al., introduction)."""
    assert good_toulmin(BUTTERFLIES, 1.0) == pytest.approx(75)


def slow(species: list[int], times: float) -> float:
    """Compute the smoothed sum; each term has the chance that a binomial number is no smaller."""
    seen = sum(r * count for r, count in enumerate(species, start=1))
    trials = max(1, round(0.5 * log(seen * times**2 / (times - 1)) / log(3)))
    chance = 2 / (times + 2)
    total = 0.0
    for r, count in enumerate(species, start=1):
        reached = sum(
            comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(r, trials + 1)
        )
        total -= (-times) ** r * reached * count
    return max(0.0, total)


@pytest.mark.slow
@given(st.lists(st.integers(0, 500), min_size=1, max_size=12), st.floats(1.05, 8))
def test_smoothed_sum(species: list[int], times: float) -> None:
    """Beyond the sample size it equals the sum in the paper."""
    if sum(species) > 1:
        assert good_toulmin(species, times) == pytest.approx(slow(species, times), rel=1e-9)


@pytest.mark.slow
@given(st.lists(st.integers(0, 200), min_size=1, max_size=8))
def test_short_of_the_sample(species: list[int]) -> None:
    """Up to the sample size it is the plain alternating sum."""
    half = Fraction(1, 2)
    plain = -sum((-half) ** r * count for r, count in enumerate(species, start=1))
    assert good_toulmin(species, 0.5) == pytest.approx(max(0.0, float(plain)))


def test_what_comes() -> None:
    """From draws of a simulated population it predicts what twice as many further draws show."""
    rng = np.random.default_rng(3)
    population = rng.zipf(1.4, 60_000) % 5000
    errors = []
    for start in range(0, 60_000, 6000):
        drawn, further = population[start : start + 2000], population[start + 2000 : start + 6000]
        often = np.bincount(np.unique(drawn, return_counts=True)[1])[1:]
        came = len(np.setdiff1d(further, drawn))
        errors.append(good_toulmin(often, 2.0) / came - 1)
    assert abs(np.mean(errors)) < 0.15


@pytest.mark.parametrize("times", [0.0, -1.0, float("nan")])
def test_wrong_input(times: float) -> None:
    """A factor that is not a positive number is refused."""
    with pytest.raises(InputError):
        good_toulmin([1], times)
