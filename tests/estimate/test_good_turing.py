"""Test simple Good-Turing against published values, and its guarantees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.errors import InputError
from longline.estimate.good_turing import good_turing

# Gale & Sampson 1995, Table 2: how many prosodic patterns occurred how often (30,902 in all).
PROSODY = {
    **{1: 120, 2: 40, 3: 24, 4: 13, 5: 15, 6: 5, 7: 11, 8: 2, 9: 2, 10: 1, 12: 3, 14: 2, 15: 1},
    **{16: 1, 17: 3, 19: 1, 20: 3, 21: 2, 23: 3, 24: 3, 25: 3, 26: 2, 27: 2, 28: 1, 31: 2, 32: 2},
    **{33: 1, 34: 2, 36: 2, 41: 3, 43: 1, 45: 3, 46: 1, 47: 1, 50: 1, 71: 1, 84: 1, 101: 1},
    **{105: 1, 121: 1, 124: 1, 146: 1, 162: 1, 193: 1, 199: 1, 224: 1, 226: 1, 254: 1, 257: 1},
    **{339: 1, 421: 1, 456: 1, 481: 1, 483: 1, 1140: 1, 1256: 1, 1322: 1, 1530: 1, 2131: 1},
    **{2395: 1, 6925: 1, 7846: 1},
}


def test_prosody() -> None:
    """The authors' data give their unseen share, slope and r* (1995, Table 2)."""
    counts, species = np.array(list(PROSODY)), np.array(list(PROSODY.values()))
    assert counts @ species == 30902
    found = good_turing(counts, species)
    assert found.unseen == pytest.approx(120 / 30902)
    assert found.slope == pytest.approx(-1.389, abs=5e-4)
    assert found.adjusted[:3] == pytest.approx([0.7628, 1.706, 2.679], abs=1e-3)
    assert found.adjusted[-1] == pytest.approx(7839, abs=1)


def test_turing_is_taken_while_it_differs() -> None:
    """If N_r falls smoothly and fast, small counts get Turing's own estimate."""
    species = np.array([100_000, 10_000, 5_000, 3_000, 2_000])
    found = good_turing([1, 2, 3, 4, 5], species)
    assert found.adjusted[1] / found.adjusted[0] == pytest.approx(
        (3 * 5_000 / 10_000) / (2 * 10_000 / 100_000)
    )


@given(st.dictionaries(st.integers(1, 300), st.integers(1, 500), min_size=1, max_size=20))
@settings(max_examples=60)
def test_probability_adds_up(spectrum: dict[int, int]) -> None:
    """Seen and unseen add up to one, and every adjusted count is above zero."""
    counts = np.array(sorted(spectrum))
    species = np.array([spectrum[count] for count in counts.tolist()])
    found = good_turing(counts, species)
    assert 0 <= found.unseen < 1
    assert (found.adjusted > 0).all()
    total = found.adjusted @ species / (counts @ species) + found.unseen
    assert total == pytest.approx(1)


@pytest.mark.parametrize(
    ("counts", "species"), [([], []), ([1, 2], [1]), ([2, 1], [1, 1]), ([0], [1]), ([1], [0])]
)
def test_wrong_input(counts: list[int], species: list[int]) -> None:
    """Input that is no spectrum is refused."""
    with pytest.raises(InputError):
        good_turing(counts, species)
