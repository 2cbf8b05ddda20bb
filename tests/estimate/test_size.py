"""The estimators that need a harvest's own figures alone, and exact cells."""

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.errors import InputError
from longline.estimate import SizeEstimate, cells, chao1, overlap, petersen


def draws(size: int, count: int, seed: int) -> np.ndarray:
    """How often each of `size` documents comes in random draws."""
    return np.bincount(np.random.default_rng(seed).integers(size, size=count), minlength=size)


def test_chao1_on_random_draws() -> None:
    """Where every document is as likely, the size comes out within five in a hundred."""
    times = draws(1000, 1500, 1)
    found = chao1(int((times > 0).sum()), int((times == 1).sum()), int((times == 2).sum()))
    assert found.documents == pytest.approx(1000, rel=0.05)


def test_petersen_on_random_draws() -> None:
    """Two random catches give the size within five in a hundred."""
    first, second = draws(1000, 700, 2) > 0, draws(1000, 700, 3) > 0
    found = petersen(int(first.sum()), int(second.sum()), int((first & second).sum()))
    assert found.documents == pytest.approx(1000, rel=0.05)


def test_lincolns_ducks() -> None:
    """A catch of 1000 of which 200 come again among 400 is of some 2000 (Chapman's form: 1995)."""
    assert petersen(1000, 400, 200).documents == pytest.approx(1996, abs=1)


def test_overlap_inverts_its_law() -> None:
    """At HR = 1 - OR ^ -1.1 the size is the one that the law was made with."""
    rate = 2.0
    share = 1 - rate**-1.1
    found = overlap(round(10_000 * share * rate), round(10_000 * share))
    assert found is not None
    assert found.documents == pytest.approx(10_000, rel=1e-3)


@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 500))
def test_never_below_what_is_known(first: int, second: int, both: int) -> None:
    """No size is below the different documents that came."""
    both = min(both, first, second)
    known = first + second - both
    for found in (
        petersen(first, second, both),
        chao1(known, min(first, known - both), both),
        overlap(known + both, known),
    ):
        if found is not None:
            assert found.low <= found.documents
            assert found.low == known
            assert found.share is None or 0 <= found.share <= 1


def test_all_held() -> None:
    """Where nothing came only once, Chao1 believes that all is there."""
    assert chao1(unique=50, once=0, twice=10).documents == 50


def test_cells_are_exact_with_a_residue() -> None:
    """Disjoint counts and the rest add up to the size; without the rest to a lower bound."""
    exact = cells([600, 300], held=850, residue=100)
    assert (exact.low, exact.documents, exact.high, exact.share) == (1000, 1000, 1000, 0.85)
    bound = cells([600, 300], held=850)
    assert (bound.low, bound.high, bound.share_low) == (900, None, 0)
    assert cells([5], held=9).documents == 9


def test_json() -> None:
    """An estimate travels as JSON."""
    found = cells([600, 300], held=850)
    assert msgspec.json.decode(msgspec.json.encode(found), type=SizeEstimate) == found


def test_wrong_counts() -> None:
    """Counts that contradict each other are refused."""
    for call in (
        lambda: chao1(3, 2, 2),
        lambda: petersen(3, 4, 5),
        lambda: overlap(3, 4),
        lambda: cells([-1], held=0),
    ):
        with pytest.raises(InputError):
            call()
