"""Sources that stop answering: detected by runs of empty answers that are hardly chance."""

import pytest

from longline.model import Hit, Page, Query
from longline.source.trust.silence import ALIKE, Silence

NOTHING = Page()


def query(number: int) -> Query:
    """Return query number `number`."""
    return Query((f"w{number}",))


def page(*keys: str) -> Page:
    """Make a page of hits."""
    return Page(tuple(Hit(key) for key in keys))


def with_hits(silence: Silence, count: int) -> None:
    """Register this many first pages, each with different hits."""
    for number in range(count):
        assert not silence.suspects(query(-number), 1, page(f"{number}a", f"{number}b"))


def run_until_suspect(silence: Silence, most: int = 100) -> int:
    """Return how many consecutive empty answers are needed until one is suspect."""
    for number in range(most):
        if silence.suspects(query(number), 1, NOTHING):
            return number + 1
    return most + 1


@pytest.mark.parametrize(("hits", "run"), [(1, 13), (5, 4), (10, 3), (20, 2), (100, 1)])
def test_the_more_queries_had_hits_the_sooner_a_run_is_suspect(hits: int, run: int) -> None:
    """The more queries had hits before, the shorter the run of empty answers that is suspect."""
    silence = Silence()
    with_hits(silence, hits)
    assert run_until_suspect(silence) == run


def test_where_queries_mostly_have_none_it_takes_a_long_run() -> None:
    """If most answers were empty before, a longer run is needed, but it becomes suspect."""
    silence = Silence()
    for number in range(200):
        silence.suspects(query(number), 1, NOTHING)
    with_hits(silence, 1)
    assert 15 <= run_until_suspect(silence) <= 21


def test_hits_end_a_run() -> None:
    """Empty answers between answers with hits never become suspect."""
    silence = Silence()
    with_hits(silence, 20)
    for number in range(10):
        assert not silence.suspects(query(number), 1, NOTHING)
        assert silence.unproven == [(query(number), 1)]
        assert not silence.suspects(query(100 + number), 1, page(f"x{number}", f"y{number}"))
    assert not silence.unproven
    assert silence.empty == [(query(number), 1) for number in range(10)]


def test_a_run_goes_on_being_suspect_until_it_is_confirmed() -> None:
    """A run stays suspect until it is confirmed; then its answers count and it starts again."""
    silence = Silence()
    with_hits(silence, 20)
    assert run_until_suspect(silence) == 2
    assert silence.suspects(query(7), 1, NOTHING)
    assert len(silence.unproven) == 3
    silence.confirm()
    assert not silence.unproven
    assert not silence.suspects(query(8), 1, NOTHING)
    assert len(silence.empty) == 4


def test_later_pages_are_never_suspect_and_not_proven_where_empty() -> None:
    """An empty later page is never suspect; a later page with hits confirms the pages before."""
    silence = Silence()
    with_hits(silence, 20)
    for number in range(2, 9):
        assert not silence.suspects(query(1), number, NOTHING)
    assert silence.unproven == [(query(1), number) for number in range(2, 9)]
    assert not silence.empty
    assert not silence.suspects(query(1), 9, page("z"))
    assert not silence.unproven


def test_the_very_same_page_for_several_queries_is_suspect() -> None:
    """The third consecutive page with the same hits is suspect, and all are unproven."""
    silence, same = Silence(), page("a", "b")
    suspected = [silence.suspects(query(number), 1, same) for number in range(ALIKE + 1)]
    assert suspected == [False, False, True, True]
    assert silence.unproven == [(query(number), 1) for number in range(ALIKE + 1)]


def test_another_page_between_ends_a_run_of_the_same() -> None:
    """Only consecutive pages count as a run of the same page."""
    silence, same = Silence(), page("a", "b")
    for number in range(0, 12, 3):
        assert not silence.suspects(query(number), 1, same)
        assert not silence.suspects(query(number + 1), 1, same)
        assert not silence.suspects(query(number + 2), 1, page("c", "d"))


@pytest.mark.parametrize("keys", ["a", ""])
def test_one_row_may_be_the_same_for_many(keys: str) -> None:
    """Pages with the same single hit, or none, are not suspect."""
    silence = Silence()
    shown = page(*keys)
    assert not any(silence.suspects(query(number), 1, shown) for number in range(ALIKE))


def test_confirmed_pages_that_are_alike_are_counted_anew() -> None:
    """After a confirmation, a run of the same page is counted from the start."""
    silence, same = Silence(), page("a", "b")
    for number in range(ALIKE):
        silence.suspects(query(number), 1, same)
    silence.confirm()
    suspected = [silence.suspects(query(9 + number), 1, same) for number in range(ALIKE - 1)]
    assert suspected == [False, True]


def test_some_empty_answers_get_a_second_look() -> None:
    """The 2nd, 4th, 8th and 16th empty answers are checked again."""
    silence, looked = Silence(), []
    for number in range(1, 20):
        silence.suspects(query(number), 1, NOTHING)
        if silence.wants_second_look():
            looked.append(number)
    assert looked == [2, 4, 8, 16]


def test_one_that_was_false_puts_all_before_it_in_doubt() -> None:
    """One false empty answer puts all earlier ones in doubt, once; later ones are all checked."""
    silence = Silence()
    for number in range(4):
        silence.suspects(query(number), 1, NOTHING)
    assert silence.had_hits() == [(query(number), 1) for number in range(3)]
    assert silence.is_flaky
    assert not silence.empty
    silence.suspects(query(5), 1, NOTHING)
    assert silence.wants_second_look()
    assert silence.had_hits() == []
