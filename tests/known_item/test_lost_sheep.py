"""Test the automaton and the Lost Sheep against the paper."""

import numpy as np
import pytest
from bench.sites.graph import GraphSettings, generate

from longline.known_item.explorer import Answer, Link, SitePage, explore
from longline.known_item.published.automaton import Automaton
from longline.known_item.published.herd import MOST_HERDS
from longline.known_item.published.lost_sheep import LostSheep, WholeSite

QUERY = ("contact", "phone", "address", "e-mail")


def page(key: str, words: str, *links: tuple[str, str]) -> SitePage:
    return SitePage(
        key,
        tuple(words.split()),
        tuple(Link(target, tuple(label.split())) for target, label in links),
    )


FIGURE_1 = {
    each.key: each
    for each in (
        page("s", "welcome", ("t", "contact us"), ("1", "phone book"), ("2", "weather today")),
        page("t", "contact phone address e-mail contact phone address e-mail visit us"),
        page("1", "phone list of all the people who work here"),
        page("2", "rain and wind"),
    )
}
"""The site of the paper's Figure 1; the paper gives only the query, the words are ours."""


def test_a_word_of_the_query_leads_up_and_another_down() -> None:
    """The state follows steps 3.5.1 to 3.5.3, and t counts the words."""
    assert Automaton(10).read(["phone", "of", "of"], set(QUERY), 5) == (3, 4)
    assert Automaton(10).read(["of"] * 9, set(QUERY), 5) == (5, 0)


def test_the_state_never_exceeds_the_states() -> None:
    """However many words match, S misses are enough to quit."""
    assert Automaton(3).read(["phone"] * 50 + ["of"] * 9, set(QUERY), 2) == (53, 0)


@pytest.mark.parametrize("states", [100, 200, 400])
def test_twofold_steps_halve_from_half_the_states(states: int) -> None:
    """At t = 0 it moves S/2 states, at t = 1 S/4, as in the paper."""
    steps = [Automaton(states, is_twofold=True).step(t) for t in range(4)]
    assert steps == [states / 2, states / 4, states / 8, states / 16]


def test_a_twofold_sheep_quits_at_a_first_word_that_misses() -> None:
    """From the middle state one step of S/2 ends it."""
    assert Automaton(100, is_twofold=True).read(["of", "phone"], set(QUERY), 50) == (1, 0)


def test_only_pages_whose_labels_pass_are_downloaded() -> None:
    """In Figure 1 t and 1 are downloaded and 2 is not, and t is the answer."""
    asked = []
    sheep = LostSheep(QUERY, "s", Automaton(3), threshold=0.5)
    while not isinstance(wanted := sheep.next(), Answer):
        asked.append(wanted)
        sheep.tell(FIGURE_1[wanted])
    assert asked == ["s", "t", "1"]
    assert (wanted.key, sheep.counted) == ("t", 2)
    # t never quits and reads 2 + 10 words; 1 quits after 2 + 4, 2 after its label of 2.
    assert wanted.confidence == pytest.approx(12 / (12 + 6 + 2))


def test_below_the_threshold_the_herder_moves_on() -> None:
    """If no sheep passes the threshold, every page is visited, and the best one is the answer."""
    sheep = LostSheep(QUERY, "s", Automaton(3), threshold=0.99)
    found = explore(sheep, FIGURE_1)
    assert (found.key, found.downloads, sheep.counted) == ("t", 4, 2)


def test_without_a_threshold_the_herder_goes_to_the_end() -> None:
    """No share is enough, so the complete reachable site is visited."""
    assert explore(LostSheep(QUERY, "s", Automaton(3), None), FIGURE_1).downloads == 4


def test_at_a_dead_end_an_earlier_herd_goes_on() -> None:
    """At a page without links the herder returns to the best page left over."""
    site = {
        "s": page("s", "", ("dead", "phone end"), ("on", "other things")),
        "dead": page("dead", "nothing here at all"),
        "on": page("on", "", ("t", "phone phone"), ("s", "home page")),
        "t": page("t", " ".join(QUERY * 5)),
    }
    assert explore(LostSheep(QUERY, "s", Automaton(3)), site).key == "t"


def test_the_whole_site_is_downloaded_by_a_classifier() -> None:
    """HMM and HMM2F read all reachable pages, and do not stop early."""
    for automaton in (Automaton(3), Automaton(100, is_twofold=True)):
        assert explore(WholeSite(QUERY, "s", automaton), FIGURE_1).downloads == 4


def test_a_classifier_reads_on_where_a_sheep_quits() -> None:
    """It can rise again from the lowest state, and its last state is its verdict."""
    words = ["of", "the", "people", "phone", "address"]
    assert Automaton(3).read(words, set(QUERY), 2) == (2, 0)
    assert Automaton(3).judge(words, set(QUERY), 2) == 2
    assert Automaton(100, is_twofold=True).judge(["of", "phone"], set(QUERY), 50) == 25


def test_a_classifier_answers_the_highest_last_state() -> None:
    """A long page that ends on misses ranks below a short one that ends on hits."""
    site = {
        "s": page("s", "home", ("long", "phone"), ("short", "phone")),
        "long": page("long", "phone address phone address of the people here"),
        "short": page("short", "here phone address"),
    }
    assert explore(WholeSite(QUERY, "s", Automaton(3)), site).key == "short"


def test_herds_are_bounded() -> None:
    """After a hundred herds the best one is answered, however large a site is."""
    keys = ["s", *(f"p{n}" for n in range(300))]
    chain = {
        key: page(key, "phone", (after, "phone"))
        for key, after in zip(keys, [*keys[1:], "s"], strict=True)
    }
    found = explore(LostSheep(QUERY, "s", Automaton(3), None), chain)
    assert found.key in chain
    assert found.downloads == MOST_HERDS + 1


def test_a_page_whose_label_passes_counts_once() -> None:
    """It counts once for any number of links; the start page does not count."""
    site = {
        "s": page("s", "", ("a", "phone")),
        "a": page("a", "of the people", ("s", "phone address"), ("b", "phone end")),
        "b": page("b", "rain", ("a", "phone book"), ("s", "phone home")),
    }
    sheep = LostSheep(QUERY, "s", Automaton(3), None)
    explore(sheep, site)
    assert sheep.counted == 2


@pytest.mark.slow
def test_the_lost_sheep_is_ahead_of_what_it_is_built_from() -> None:
    """On 40 generated sites LS is right more often than HMM, and passes fewer pages."""
    words = [f"w{number}" for number in range(1500)]
    right = {"ls": 0, "hmm": 0}
    passed = 0
    for seed in range(40):
        graph = generate(GraphSettings(pages=100), words, np.random.default_rng(seed))
        sheep = LostSheep(graph.query, graph.start, Automaton(3))
        right["ls"] += explore(sheep, graph).key == graph.target
        passed += sheep.counted
        whole = WholeSite(graph.query, graph.start, Automaton(3))
        right["hmm"] += explore(whole, graph).key == graph.target
    assert right["ls"] > right["hmm"]
    assert passed < 40 * 40
