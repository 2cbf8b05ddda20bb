"""Test the forecast of further requests on growth curves with a known future."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.errors import InputError
from longline.estimate.extrapolate import Growth, Recent, Size, extrapolate

STEPS = np.arange(0, 401, 4)


def grown(power: float, size: float = 1000.0, rate: float = 3.0) -> list[float]:
    """Return the documents held after each request; the rate falls as a power of what is left."""
    held = [0.0]
    for _ in range(2000):
        left = size - held[-1]
        held.append(held[-1] + min(left, rate * (left / size) ** power))
    return held


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("further", [40, 200, 800])
def test_trend(power: float, further: int) -> None:
    """If the rate falls as a power of what is left, the true number is within the interval."""
    held = grown(power, rate=2.0)
    here = Growth(STEPS, np.array(held)[STEPS])
    came = held[400 + further] - held[400]
    found = extrapolate(here, further, Size(1000, 990, 1010))
    assert found is not None
    assert found.low <= came <= found.high
    assert found.documents == pytest.approx(came, rel=0.25, abs=3)


@pytest.mark.slow
@given(
    st.lists(st.integers(0, 20), min_size=10, max_size=60),
    st.integers(1, 5000),
    st.floats(0, 3),
    st.booleans(),
)
def test_order(new: list[int], further: int, more: float, is_sized: bool) -> None:
    """The ends are in order, and the forecast never exceeds the size."""
    held = np.cumsum(new) + 1.0
    growth = Growth(np.arange(1, len(new) + 1) * 10, held)
    size = Size(held[-1] * (1 + more), held[-1], held[-1] * (1 + 2 * more)) if is_sized else None
    found = extrapolate(growth, further, size, Recent(20, 200, [30, 5], 0.0))
    assert found is not None
    assert 0 <= found.low <= found.documents <= found.high
    if size is not None and size.high is not None:
        assert held[-1] + found.high <= size.high + 1e-6


def test_longer_is_more() -> None:
    """More requests bring no fewer documents."""
    here = Growth(STEPS, np.array(grown(0.5))[STEPS])
    found = [extrapolate(here, n, Size(1000, 950, 1100)) for n in (50, 100, 400, 1600)]
    points = [each.documents for each in found if each is not None]
    assert points == sorted(points)
    assert len(points) == 4


def test_size_not_known() -> None:
    """Without a size it is between zero and somewhat more than the recent rate gives."""
    here = Growth(STEPS, STEPS * 2.0)
    found = extrapolate(here, 100, None, Recent(50, 100, [80, 10], 0.0))
    assert found is not None
    assert found.low == 0
    assert found.documents == pytest.approx((80 - 10 + 200) / 2)
    assert 200 < found.high < 500


def test_documents_that_cost_a_request() -> None:
    """Requests for new documents leave fewer requests for result pages."""
    here = Growth(STEPS, STEPS * 0.9)
    half = [150, 75, 25, 5]
    dear = extrapolate(here, 300, None, Recent(50, 300, half, 1.0))
    free = extrapolate(here, 300, None, Recent(50, 300, half, 0.0))
    assert dear is not None
    assert free is not None
    # The same number of requests pays for as many pages, or for more if fewer documents are new.
    assert free.documents == pytest.approx((150 - 75 + 25 - 5 + 270) / 2)
    assert dear.documents > free.documents


def test_too_little() -> None:
    """For a harvest that has only started there is no forecast."""
    assert extrapolate(Growth([0, 20], [0, 30]), 100, Size(100, 90, 110)) is None
    assert extrapolate(Growth([0, 90], [0, 30]), 100, None) is None


@pytest.mark.parametrize("points", [([], []), ([1, 1], [0, 1]), ([1, 2], [3, 2]), ([1], [1, 2])])
def test_wrong_input(points: tuple[list[int], list[int]]) -> None:
    """Points that are no growth curve are refused."""
    with pytest.raises(InputError):
        Growth(*points)
