"""Single terms where snippets hide how many seen documents hold them."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from tests.planner.test_adaptive import seen_by_chance

from longline.planner.adaptive.count_split import Guess, share_out
from longline.planner.adaptive.gain_kernels import FEATURES
from longline.planner.adaptive.hidden_frequency import Reveal
from longline.planner.adaptive.yield_model import Yields, means
from longline.planner.observed.ranking import RowOrder
from longline.planner.observed.term_statistics import SeenDocuments


def seen_often(kept: int, turned: int) -> RowOrder:
    """Return what is known after so many pairs in their first order, and the other way round."""
    order = RowOrder()
    pages = np.zeros(2, dtype=np.int32)
    for numbers, times in (((3, 4), kept), ((4, 3), turned)):
        for _ in range(times):
            order.see(np.array(numbers, dtype=np.int32), pages)
    return order


def test_one_order_is_told_from_a_ranking() -> None:
    """Pairs that never change places show one order; three in four that keep it do not."""
    assert seen_often(0, 0).steadiness == 0
    assert seen_often(500, 0).steadiness > 0.95
    assert seen_often(75, 25).steadiness == 0


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 500)), unique_by=lambda row: row[1]))
def test_pairs_of_one_page_alone_count(rows: list[tuple[int, int]]) -> None:
    """Rows are compared in twos, where one page brought both first."""
    order, oracle = RowOrder(), RowOrder()
    pages = np.array([page for page, _ in rows], dtype=np.int32)
    numbers = np.array([number for _, number in rows], dtype=np.int32)
    order.see(numbers, pages)
    for one in range(len(rows)):
        for other in range(one + 1, len(rows)):
            pair = [one, other]
            oracle.see(numbers[pair], pages[pair])
    assert order.steadiness == oracle.steadiness


def test_places_leave_out_what_was_not_seen() -> None:
    """Of some documents those that were seen are given, with the pages that brought them."""
    seen = SeenDocuments()
    for key, turns in (("a", False), ("b", True), ("c", False)):
        seen.add(key, ["web"])
        if turns:
            seen.turn_page()
    numbers, pages = seen.places(["c", "unseen", "a", "b"])
    assert (numbers.tolist(), pages.tolist()) == ([2, 0, 1], [1, 0, 0])


@settings(max_examples=60)
@given(
    total=st.integers(2, 3000),
    share=st.floats(0.05, 0.95),
    errors=st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)),
    variances=st.tuples(st.floats(0.05, 1.0), st.floats(0.05, 1.0)),
)
def test_a_count_is_shared_out_by_how_sure_guesses_are(
    total: int, share: float, errors: tuple[float, float], variances: tuple[float, float]
) -> None:
    """What it says is the mean over all odds, each weighed by how little either guess denies it."""
    seen = Guess(log(total * (1 - share)) + errors[0], variances[0])
    unseen = Guess(log(total * share) + errors[1], variances[1])

    def weight(odds: float) -> float:
        others = total / (1 + exp(-odds))
        loss = (log(total - others) - seen.log) ** 2 / seen.variance
        return exp(-(loss + (log(others) - unseen.log) ** 2 / unseen.variance) / 2)

    mass, _ = quad(weight, -12, 10, limit=200)
    moment, _ = quad(lambda odds: odds * weight(odds), -12, 10, limit=200)
    assert share_out(total, seen, unseen, (0, 0)).log_odds == pytest.approx(moment / mass, abs=0.01)


def test_rows_bound_what_a_count_is_shared_out_to() -> None:
    """No fewer documents were seen, and none fewer were not, than came as rows."""
    guess = Guess(log(10), 0.1)
    many = Guess(log(100), 0.1)
    assert share_out(110, guess, many, (60, 10)).unseen < 51
    assert share_out(110, many, guess, (10, 60)).unseen > 59
    assert share_out(100, guess, many, (100, 0)).unseen < 1


def test_the_more_is_seen_the_less_does_a_count_say() -> None:
    """An error in the seen documents weighs by how many there are for each unseen one."""
    guess = Guess(log(80), 0.02)
    little = share_out(100, guess, Guess(log(20), 0.5), (0, 0)).said
    much = share_out(500, guess, Guess(log(420), 0.5), (0, 0)).said
    assert little is not None
    assert much is not None
    assert exp(much.log) == pytest.approx(420, rel=0.05)
    assert little.variance > 10 * much.variance


def test_a_count_that_all_of_the_answer_explains_says_nothing() -> None:
    """Where nearly all of an answer may have been seen, nothing is learned of the others."""
    assert share_out(1000, Guess(log(999), 1.0), Guess(log(5), 0.2), (0, 0)).said is None


def test_counts_teach_what_terms_bring_though_snippets_hide_them() -> None:
    """From counts of cut answers the prediction comes near the unseen, four seen for one known."""
    seen, yields = seen_by_chance([0.1 + t / 60 for t in range(30)]), Yields()
    for _ in range(6):
        for term in range(len(seen.terms)):
            forecast = yields.foresee(seen, term, means(seen))
            df = forecast.df
            yields.learn_hidden(forecast, df, 4 * df)
            yields.learn_count(forecast, 10 * df, (df, df), 2 * df, 0.0)
    for term in range(len(seen.terms)):
        forecast = yields.foresee(seen, term, means(seen))
        assert forecast.known == pytest.approx(4 * forecast.df, rel=0.15)
        assert exp(forecast.mean) == pytest.approx(6 * forecast.df, rel=0.25)


def test_large_answers_bring_more_where_rows_are_ranked_by_the_query() -> None:
    """Where snippets hide much, the order of rows says how a cut answer treats seen documents."""
    found = []
    for order in (seen_often(500, 0), seen_often(300, 200)):
        yields = Yields(order)
        yields.reveal.learn(np.eye(FEATURES)[0], known=10, seen=40)
        found.append(yields.new(400.0, 800.0, 100.0, 2000.0))
    steady, ranked = found
    assert steady < 0.9 * 50 < 50 < ranked


@pytest.mark.parametrize("ranked", [True, False])
def test_cut_answers_show_first_what_is_known_to_match(ranked: bool) -> None:
    """Where a cut answer shows all that is known to match, more is hidden than it lets seem."""
    reveal, x = Reveal(), np.eye(FEATURES)[0]
    for turn in range(60):
        if turn % 2:
            reveal.learn(x, known=10, seen=50)
        else:  # of 50 seen ones 25 came, and all the known ones where they come first
            reveal.learn(x, 10 if ranked else 5, 25, cut=log(2) if ranked else 0.0)
    assert reveal.ratio(x) == pytest.approx(5, rel=0.1)
