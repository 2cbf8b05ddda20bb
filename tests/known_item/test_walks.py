"""Test the searches that the Lost Sheep is compared with."""

import numpy as np
import pytest

from longline.known_item.explorer import Link, SitePage, explore
from longline.known_item.published.walks import (
    AStar,
    Degree,
    Focused,
    RandomWalk,
    Similar,
    SimilarDegree,
)


def page(key: str, words: str, *targets: str) -> SitePage:
    return SitePage(key, tuple(words.split()), tuple(Link(each, ("go",)) for each in targets))


SITE = {
    each.key: each
    for each in (
        page("s", "home", "a", "b", "c"),
        page("a", "mail or not", "d", "e"),
        page("b", "rain", "s", "a", "c", "d", "e"),
        page("c", "snow", "s"),
        page("d", "mail records", "s"),
        page("e", "wind", "t"),
        page("t", "mail records of the council", "s"),
    )
}


def test_sim_pursues_the_most_similar_neighbour() -> None:
    """From s, only a has a word of the query, and thus all of the similarity."""
    found = explore(Similar({"mail", "records"}, "s"), SITE)
    assert (found.key, found.confidence, found.downloads) == ("a", 1.0, 4)


def test_sim_goes_on_without_a_threshold() -> None:
    """Without a threshold every page is visited, and the most similar is the answer."""
    found = explore(Similar({"mail", "records"}, "s", None), SITE)
    assert (found.key, found.downloads) == ("d", 7)


def test_a_path_counts_the_pages_stood_on() -> None:
    """SIM ends at the start page, or visits all pages."""
    for threshold, length in ((0.75, 1), (None, 7)):
        walk = Similar({"mail", "records"}, "s", threshold)
        explore(walk, SITE)
        assert walk.counted == length


def test_deg_pursues_the_neighbour_with_most_links() -> None:
    """Of a, b, c with 2, 5 and 1 links b has more than half."""
    found = explore(Degree({"mail"}, "s", 0.5), SITE)
    assert (found.key, found.confidence) == ("b", 5 / 8)


def test_simdeg_multiplies_both() -> None:
    """With words of a and b in the query, the links of b decide."""
    found = explore(SimilarDegree({"mail", "rain"}, "s", 0.5), SITE)
    assert found.key == "b"


def test_a_star_stops_by_the_same_rule() -> None:
    """The start's neighbours are downloaded, and one is clearly better."""
    assert explore(AStar({"mail"}, "s"), SITE).key == "a"
    assert explore(AStar({"mail", "records"}, "s", None), SITE).key == "d"


def test_focused_begins_with_all_pages_of_the_start() -> None:
    """After s, a, b, c it takes d, which the relevant a links to; d is relevant, so it ends."""
    found = explore(Focused({"mail", "records"}, "s"), SITE)
    assert (found.key, found.downloads) == ("d", 5)


def test_a_random_walk_ends_after_its_steps() -> None:
    """It answers with a visited page, and downloads at most one page per step."""
    for seed in range(20):
        found = explore(RandomWalk("s", 3, np.random.default_rng(seed)), SITE)
        assert found.downloads <= 3
        assert found.key in SITE


@pytest.mark.parametrize("budget", [1, 2, 4])
def test_no_walk_exceeds_its_budget(budget: int) -> None:
    """For every algorithm, downloads stay within the budget, and the search ends."""
    query = {"council"}
    for explorer in (
        Similar(query, "s", None, budget),
        Degree(query, "s", None, budget),
        SimilarDegree(query, "s", None, budget),
        AStar(query, "s", None, budget),
        Focused(query, "s", budget),
        RandomWalk("s", 100, np.random.default_rng(0), budget),
    ):
        assert explore(explorer, SITE).downloads <= budget
