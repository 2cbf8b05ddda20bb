"""Test a planner that is defined in a script or a notebook, not in a package."""

from pathlib import Path

import numpy as np
import pytest

import longline
from longline import plugins
from longline.errors import InputError, UnknownNameError
from longline.extend import Finish, Options, Page, Query, Search, SequentialPlanner, add_planner
from longline.simulate import read_corpus

DOCUMENTS = read_corpus("docstrings")[:60]
NAME = "at-hand"


class Given(SequentialPlanner):
    """Query the words of the first document."""

    def __init__(self) -> None:
        super().__init__()
        self._words = iter(DOCUMENTS[0].text.split()[:9])

    def choose(self) -> Search | Finish:
        word = next(self._words, None)
        return Finish("all were sent") if word is None else Search(Query((word.lower(),)))


def make(options: Options, rng: np.random.Generator) -> Given:
    """Return a new planner."""
    return Given()


def test_a_planner_at_hand_is_compared_and_harvests(tmp_path: Path) -> None:
    """It works by name like any other, and a folder started with it can be resumed."""
    add_planner(NAME, make)
    assert NAME in [each.name for each in longline.strategies()]
    (outcome,) = longline.compare(DOCUMENTS, [NAME], seeds=1, page_size=5)
    assert outcome.strategy == NAME
    assert outcome.hit_rate > 0
    with longline.demo_site(DOCUMENTS) as url:
        for most in (8, 100):
            harvest = longline.harvest(
                url, tmp_path, strategy=NAME, allow_private=True, estimate=False, max_requests=most
            )
    assert harvest.certificate.strategy == NAME
    assert len(harvest.documents) > 5


def test_a_planner_that_returns_something_else_is_told_what_to_return() -> None:
    """A query in place of a search of it is named, with the kinds that may be returned."""

    class Bare(Given):
        def next(self) -> Search | Finish:
            return Query(("sea",))  # type: ignore[return-value]

    add_planner("bare", lambda options, rng: Bare())
    with pytest.raises(InputError, match=r"returned Query\(.*sea.*return a Search, a Request"):
        longline.compare(DOCUMENTS, ["bare"], seeds=1)


def test_a_planner_that_repeats_itself_is_stopped() -> None:
    """What was done is not done again, so it would go on for ever."""

    class Same(SequentialPlanner):
        def choose(self) -> Search | Finish:
            return Search(Query(("sea",)))

    add_planner("same", lambda options, rng: Same())
    with pytest.raises(InputError, match=r"'same' wants to search sea again.*Finish"):
        longline.compare(DOCUMENTS, ["same"], seeds=1)


def test_a_fault_of_a_planner_names_its_line() -> None:
    """It is an error of the user, and not of longline."""

    class Faulty(Given):
        def see(self, query: Query, number: int, page: Page) -> None:
            raise KeyError(str(query))

    add_planner("faulty", lambda options, rng: Faulty())
    with pytest.raises(InputError, match=r"'faulty' failed at .*at_hand.py, line \d+: KeyError"):
        longline.compare(DOCUMENTS, ["faulty"], seeds=1)


def test_who_adds_a_name_twice_means_the_newer(tmp_path: Path) -> None:
    """The newer one replaces the older, as when a notebook cell runs again."""
    add_planner(NAME, make)
    add_planner(NAME, lambda options, rng: make(options, rng))
    assert plugins.load("longline.planners", NAME) is not make


def test_a_planner_without_a_name_is_told_what_it_needs() -> None:
    """Unnamed planners, unknown names, taken names and non-functions are refused."""
    with pytest.raises(InputError, match=r"not by its name.*add_planner"):
        longline.compare(DOCUMENTS, [make], seeds=1)  # type: ignore[list-item]
    with pytest.raises(UnknownNameError):
        longline.compare(DOCUMENTS, [NAME], seeds=1)
    with pytest.raises(InputError, match="is a strategy of longline"):
        add_planner("greedy", make)
    with pytest.raises(InputError, match="makes no planner"):
        add_planner(NAME, "make")  # type: ignore[arg-type]
