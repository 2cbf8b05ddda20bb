"""Test the size of a source from the overlaps of harvests at different times."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.estimate import Catch, dated


def catches(size: int, shown: float, harvests: int, seed: int) -> list[Catch]:
    """Simulate harvests of a source that replaces 5 % of its documents between them."""
    rng = np.random.default_rng(seed)
    there, newest = np.arange(size), size
    found = []
    for at in range(harvests):
        found.append(Catch(at, set(there[rng.random(size) < shown].tolist())))
        replaced = rng.random(size) < 0.05
        there = there.copy()
        there[replaced] = np.arange(newest, newest + replaced.sum())
        newest += int(replaced.sum())
    return found


@pytest.mark.parametrize("shown", [0.6, 0.9, 0.98])
@pytest.mark.parametrize("harvests", [4, 6])
def test_interval_holds_and_the_size_is_near(shown: float, harvests: int) -> None:
    """At most 6 of 60 intervals miss, and each estimate is within a tenth of the truth."""
    missed = 0
    for seed in range(60):
        found = dated(catches(2000, shown, harvests, seed))
        assert found is not None
        assert abs(found.documents / 2000 - 1) < 0.1
        assert found.high is not None
        missed += not found.low <= 2000 <= found.high
    assert missed <= 6


def test_two_harvests_tell_nothing() -> None:
    """Missed and replaced documents cannot be told apart; disjoint harvests say nothing."""
    assert dated(catches(100, 0.9, 2, 0)) is None
    assert dated([Catch(0, "abc"), Catch(1, "def"), Catch(2, "ghi")]) is None
    assert dated([]) is None


@given(st.lists(st.tuples(st.integers(0, 9), st.sets(st.integers(0, 30), min_size=1)), max_size=6))
def test_it_is_never_below_what_was_shown(drawn: list[tuple[int, set[int]]]) -> None:
    """For any harvests, the size is at least the newest, within its own interval."""
    found = dated([Catch(at, {str(key) for key in keys}) for at, keys in sorted(drawn)])
    if found is not None:
        last = len(sorted(drawn, key=lambda each: each[0])[-1][1])
        assert last <= found.low + 1e-6 <= found.documents + 2e-6
        assert found.high is None or found.high >= found.documents - 1e-6
