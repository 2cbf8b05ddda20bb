"""Test the share of a weight that is held, and its interval."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import stdtrit

from longline.estimate._share import Matched, Share, share_held, t_quantile, wilson

PROBES = st.lists(
    st.lists(st.tuples(st.integers(1, 9), st.booleans()), min_size=1, max_size=6),
    min_size=1,
    max_size=25,
)
Drawn = list[list[tuple[int, bool]]]


def matched_of(probes: Drawn) -> Matched:
    """Make matches as probes return them: words in the document, and whether it is held."""
    rows = [(number, *match) for number, matches in enumerate(probes) for match in matches]
    words = np.array([row[1] for row in rows], dtype=float)
    held = np.array([row[2] for row in rows])
    return Matched(np.array([row[0] for row in rows]), 1 / words, held, words)


def of(probes: Drawn, reached: int = 100, beyond: int = 0, unasked: float = 1.0) -> Share:
    """Return the share with 95 % confidence."""
    return share_held(matched_of(probes), reached, beyond, unasked=unasked, confidence=0.95)


@given(PROBES, st.integers(0, 100), st.floats(0, 1))
@settings(max_examples=80)
def test_interval_holds_the_share(probes: Drawn, beyond: int, unasked: float) -> None:
    """The share lies within its interval, and all three are in 0 to 1."""
    found = of(probes, beyond=beyond, unasked=unasked)
    assert 0 <= found.low <= found.value <= found.high <= 1


@given(PROBES)
@settings(max_examples=80)
def test_more_of_the_same_never_widens(probes: Drawn) -> None:
    """Repeating all probes gives the same share, and an interval that is no wider."""
    once, twice = of(probes), of(probes + probes)
    assert twice.value == pytest.approx(once.value)
    assert twice.high - twice.low <= once.high - once.low + 1e-9


@given(PROBES, st.integers(0, 100))
@settings(max_examples=40)
def test_order_changes_nothing(probes: Drawn, beyond: int) -> None:
    """The order of the probes changes nothing."""
    there, back = of(probes, beyond=beyond), of(probes[::-1], beyond=beyond)
    assert (back.value, back.low, back.high) == pytest.approx((there.value, there.low, there.high))


def test_a_spent_pool_is_certain() -> None:
    """If every word was queried, the interval is a point."""
    found = of([[(1, True)], [(2, False), (1, True)]], unasked=0.0)
    assert found.low == found.value == found.high == pytest.approx(2 / 2.5)


def test_equal_probes_are_trials() -> None:
    """Probes with one document each of equal weight give nearly Wilson's interval."""
    found = of([[(1, number < 60)] for number in range(100)])
    low, high = wilson(0.6, 100, t_quantile(0.95, 101))
    assert found.value == 0.6
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.01)


def test_extrapolation_follows_the_trend() -> None:
    """If documents with few words are held less often, those without any are assumed to be too."""
    few = [[(1, number % 10 < 2)] for number in range(60)]
    many = [[(9, number % 10 < 9)] * 9 for number in range(60)]
    plain, extrapolated = of(few + many), of(few + many, beyond=100)
    assert extrapolated.value < plain.value - 0.1
    level = [[(words, number % 2 == 0)] * words for number in range(60) for words in (1, 9)]
    assert of(level, beyond=100).value == pytest.approx(of(level).value, abs=0.02)


def test_coverage_of_clustered_probes() -> None:
    """Of 300 intervals of 40 probes, each with documents of one kind, 93 to 99 % are right."""
    rng = np.random.default_rng(1)
    right = 0
    for _ in range(300):
        chance = rng.beta(3.5, 1.5, size=40)  # that a probe's documents are held; mean .7
        sizes = rng.geometric(0.2, size=40)
        probes = [
            [(int(rng.integers(1, 9)), bool(rng.random() < p)) for _ in range(size)]
            for p, size in zip(chance, sizes.tolist(), strict=True)
        ]
        found = of(probes)
        right += found.low <= 0.7 <= found.high
    assert 0.93 <= right / 300 <= 0.99


def test_data_that_are_all_held_are_not_certain() -> None:
    """The probes may have missed documents; with twenty of them about a tenth stays open."""
    found = of([[(1, True)]] * 20)
    assert (found.value, found.high) == (1.0, 1.0)
    assert 0.8 < found.low < 0.95


UNEVEN: Drawn = [
    [(1, True)],
    [(2, False), (1, True)],
    [(3, True), (1, False), (2, True)],
    [(2, False)],
    [(1, True), (5, True)],
]


def test_interval_is_that_of_the_definition() -> None:
    """It is Wilson's, with the number of trials taken from the variance between probes."""
    probes = [[(1 / words, held) for words, held in probe] for probe in UNEVEN]
    own = sum(weight for probe in probes for weight, _ in probe) / len(probes)
    padded = [*probes, [(own, True)], [(own, False)]]
    whole = sum(weight for probe in padded for weight, _ in probe)
    share = sum(weight for probe in padded for weight, held in probe if held) / whole
    pulls = [sum(weight * (held - share) for weight, held in probe) / whole for probe in padded]
    variance = sum(pull**2 for pull in pulls) * len(padded) / (len(padded) - 1)
    value = sum(w for probe in probes for w, held in probe if held) / (own * len(probes))
    trials = share * (1 - share) / variance
    low, high = wilson(value, trials, t_quantile(0.95, len(probes) + 1))
    found = of(UNEVEN)
    assert (found.value, found.low, found.high) == pytest.approx((value, low, high))


def test_what_no_probe_reaches_is_read_off_the_fit_at_half_a_word() -> None:
    """The fit maximises a penalised likelihood."""
    matched = matched_of(UNEVEN).with_pseudo(0.0)
    weight = matched.weight * (matched.probes / matched.weight.sum())

    def loss(line: np.ndarray) -> float:
        odds = line[0] + line[1] * np.log(matched.words)
        fit = (weight * np.logaddexp(0, np.where(matched.held, -odds, odds))).sum()
        return float(fit + (1e-6 * line[0] ** 2 + line[1] ** 2) / 2)

    line = minimize(loss, [0.0, 0.0]).x
    unreached = 1 / (1 + np.exp(-line[0] - line[1] * np.log(0.5)))
    reached = matched_of(UNEVEN).share()
    expected = (100 + 50) / (100 / reached + 50 / unreached)
    assert of(UNEVEN, beyond=50).value == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_quantiles_are_those_of_student(confidence: float) -> None:
    """Student's t quantile equals scipy's, for few degrees of freedom and for many."""
    for freedom in [*range(1, 40), 100, 101, 1000, 5001]:
        expected = stdtrit(freedom, (1 + confidence) / 2)
        assert t_quantile(confidence, freedom) == pytest.approx(expected, rel=1e-9)
