"""Test the estimators that need only a harvest's own figures, and their guarantees."""

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.errors import InputError
from longline.estimate import SizeEstimate, chao1, overlap, petersen, raised, with_cells
from longline.estimate.size import is_doubted
from longline.events import Discrepancy
from longline.model import Query


def draws(size: int, count: int, seed: int) -> np.ndarray:
    """Return how often each of `size` documents occurs in random draws."""
    return np.bincount(np.random.default_rng(seed).integers(size, size=count), minlength=size)


def test_chao1_on_random_draws() -> None:
    """If every document is equally likely, the size is within 5 %."""
    times = draws(1000, 1500, 1)
    found = chao1(int((times > 0).sum()), int((times == 1).sum()), int((times == 2).sum()))
    assert found.documents == pytest.approx(1000, rel=0.05)


def test_petersen_on_random_draws() -> None:
    """Two random samples give the size within 5 %."""
    first, second = draws(1000, 700, 2) > 0, draws(1000, 700, 3) > 0
    found = petersen(int(first.sum()), int(second.sum()), int((first & second).sum()))
    assert found.documents == pytest.approx(1000, rel=0.05)


def test_lincolns_ducks() -> None:
    """Of 1000 marked ducks 200 are among 400 caught: about 2000 (Chapman's form: 1995)."""
    assert petersen(1000, 400, 200).documents == pytest.approx(1996, abs=1)


def test_overlap_inverts_its_law() -> None:
    """With HR = 1 - OR ^ -1.1 the result is the size that the law was made with."""
    rate = 2.0
    share = 1 - rate**-1.1
    found = overlap(round(10_000 * share * rate), round(10_000 * share))
    assert found is not None
    assert found.documents == pytest.approx(10_000, rel=1e-3)


@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 500))
def test_never_below_what_is_known(first: int, second: int, both: int) -> None:
    """No size is below the number of different documents received."""
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
    """If no document was received only once, Chao1 gives the number held."""
    assert chao1(unique=50, once=0, twice=10).documents == 50


def test_json() -> None:
    """An estimate survives a JSON round trip."""
    found = chao1(unique=50, once=7, twice=10)
    assert msgspec.json.decode(msgspec.json.encode(found), type=SizeEstimate) == found


def test_wrong_counts() -> None:
    """Counts that contradict each other are refused."""
    for call in (
        lambda: chao1(3, 2, 2),
        lambda: petersen(3, 4, 5),
        lambda: overlap(3, 4),
    ):
        with pytest.raises(InputError):
            call()


@pytest.mark.parametrize(
    ("unique", "once", "twice", "size"), [(9, 5, 2, 9 + 20 / 6), (9, 1, 0, 9), (9, 2, 0, 10)]
)
def test_chao1_is_its_formula_without_bias(unique: int, once: int, twice: int, size: float) -> None:
    """One document seen once adds nothing; without any seen twice it is finite.

    N = unique + once (once - 1) / (2 (twice + 1)).
    """
    assert chao1(unique, once, twice).documents == pytest.approx(size)


def probed(documents: float, low: float, high: float | None) -> SizeEstimate:
    """Make an estimate from probes."""
    return SizeEstimate(documents=documents, low=low, high=high, method="probes")


def ends(found: SizeEstimate) -> tuple[float, float, float | None]:
    """Return low, size and high."""
    return found.low, found.documents, found.high


@pytest.mark.parametrize(
    ("known", "expected"),
    [(5, (8, 10, 15)), (9, (9, 10, 15)), (12, (12, 12, 18)), (20, (20, 20, 30))],
)
def test_what_is_known_raises_an_estimate_with_the_room_above_it(
    known: float, expected: tuple[float, float, float]
) -> None:
    """A raised estimate is no more certain than before."""
    assert ends(raised(probed(10, 8, 15), known)) == pytest.approx(expected)
    assert ends(raised(probed(10, 8, None), known)) == (*expected[:2], None)


@pytest.mark.parametrize(
    ("at_least", "doubted", "expected"),
    [
        (595, False, (595, 600, 640)),
        (640, False, (640, 640, 640 * 640 / 600)),
        (595, True, (590, 600, 640)),
        (640, True, (590, 600, 640)),
        (720, False, (590, 640, 768)),
        (720, True, (590, 600, 768)),
    ],
)
def test_totals_narrow_what_they_agree_with_and_else_widen_it(
    at_least: int, doubted: bool, expected: tuple[float, float, float]
) -> None:
    """If other totals were wrong they narrow nothing, and move no estimate."""
    found = with_cells(probed(600, 590, 640), at_least, is_doubted=doubted)
    assert ends(found) == pytest.approx(expected)


def test_totals_agree_with_what_has_no_upper_end() -> None:
    """They are its lower bound, unless they are in doubt."""
    found = probed(600, 590, None)
    assert ends(with_cells(found, 900, is_doubted=False)) == (900, 900, None)
    assert ends(with_cells(found, 900, is_doubted=True)) == (590, 600, None)


@pytest.mark.parametrize(
    ("kind", "doubted"),
    [
        *((kind, True) for kind in ("count", "parts", "term", "rows repeated", "page lost")),
        *((kind, False) for kind in ("hidden", "page failed", "total changed")),
    ],
)
def test_some_discrepancies_put_all_totals_in_doubt(kind: str, doubted: bool) -> None:
    """Only wrong totals and overlapping queries that should be disjoint put totals in doubt."""
    odd = Discrepancy(Query(("web",)), kind, 5, 4)
    assert is_doubted([Discrepancy(Query(("sea",)), "hidden", 5, 4), odd]) is doubted
    assert not is_doubted([])
