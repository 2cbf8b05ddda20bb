"""Single terms when snippets hide how many seen documents hold them."""

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.planner.adaptive.gains import FEATURES, fresh
from longline.planner.adaptive.hidden_frequency import Reveal
from longline.planner.adaptive.yield_model import Yields
from longline.planner.observed.ranking import RankingDetector
from longline.planner.observed.term_statistics import TermStatistics


def seen_often(kept: int, turned: int) -> RankingDetector:
    """Return a detector after this many pairs in their first order, and in reverse."""
    order = RankingDetector()
    pages = np.zeros(2, dtype=np.int32)
    for numbers, times in (((3, 4), kept), ((4, 3), turned)):
        for _ in range(times):
            order.see(np.array(numbers, dtype=np.int32), pages)
    return order


def test_one_order_is_told_from_a_ranking() -> None:
    """Pairs that never change places show one fixed order; if a quarter change, they do not."""
    assert seen_often(0, 0).steadiness == 0
    assert seen_often(500, 0).steadiness > 0.95
    assert seen_often(75, 25).steadiness == 0


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 500)), unique_by=lambda row: row[1]))
def test_pairs_of_one_page_alone_count(rows: list[tuple[int, int]]) -> None:
    """Rows are compared in pairs, if one page was the first to return both."""
    order, oracle = RankingDetector(), RankingDetector()
    pages = np.array([page for page, _ in rows], dtype=np.int32)
    numbers = np.array([number for _, number in rows], dtype=np.int32)
    order.see(numbers, pages)
    for one in range(len(rows)):
        for other in range(one + 1, len(rows)):
            pair = [one, other]
            oracle.see(numbers[pair], pages[pair])
    assert order.steadiness == oracle.steadiness


def test_places_leave_out_what_was_not_seen() -> None:
    """Places are returned only for seen documents, with the pages that returned them."""
    seen = TermStatistics()
    for key, turns in (("a", False), ("b", True), ("c", False)):
        seen.add(key, ["web"])
        if turns:
            seen.turn_page()
    numbers, pages = seen.places(["c", "unseen", "a", "b"])
    assert (numbers.tolist(), pages.tolist()) == ([2, 0, 1], [1, 0, 0])


def test_large_answers_bring_more_where_rows_are_ranked_by_the_query() -> None:
    """If snippets hide much, the row order shows how a cut answer treats seen documents."""
    found = []
    for order in (seen_often(500, 0), seen_often(300, 200)):
        yields = Yields(order)
        yields.reveal.learn(np.eye(FEATURES)[0], known=10, seen=40)
        found.append(fresh(400.0, 400.0, 100.0, 2000.0, yields.odds))
    steady, ranked = found
    assert steady < 0.9 * 50 < 50 < ranked


@pytest.mark.parametrize("ranked", [True, False])
def test_cut_answers_show_first_what_is_known_to_match(ranked: bool) -> None:
    """If a cut answer shows all known matches, more is hidden than it seems."""
    reveal, x = Reveal(), np.eye(FEATURES)[0]
    for turn in range(60):
        if turn % 2:
            reveal.learn(x, known=10, seen=50)
        else:  # 25 of 50 seen ones returned; all known ones, if ranked first
            reveal.learn(x, 10 if ranked else 5, 25, cut=log(2) if ranked else 0.0)
    assert reveal.ratio(x) == pytest.approx(5, rel=0.1)
