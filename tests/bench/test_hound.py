"""Test the hound: evidence, posterior, and results."""

import math
from itertools import combinations

import numpy as np
import pytest
from bench.sites.background import Background
from bench.sites.gist import Gist
from bench.sites.graph import GraphSettings, LabelledGraph, generate
from bench.sites.hound import Hound
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.known_item.explorer import Answer, Link, SitePage, explore

WORDS = [f"w{number}" for number in range(1500)]


def site(seed: int, pages: int = 100) -> LabelledGraph:
    return generate(GraphSettings(pages=pages), WORDS, np.random.default_rng(seed))


def uniform(words: int) -> Background:
    """Return a background that has seen each word equally often."""
    background = Background()
    for word in WORDS[:words]:
        background.add([word] * 50)
    return background


@pytest.mark.slow
def test_the_hound_finds_the_target_with_few_pages() -> None:
    """On 60 sites of 100 pages it is right in 98 % and downloads at most 10 pages on average."""
    found = []
    for seed in range(60):
        graph = site(seed)
        answer = explore(Hound(graph.query, graph.start), graph)
        found.append((answer.key == graph.target, answer.downloads, answer.confidence))
    right, downloads, confidence = np.mean(found, axis=0)
    assert right >= 0.98
    assert downloads <= 10
    assert abs(confidence - right) <= 0.03


@pytest.mark.slow
def test_a_target_that_is_not_there_is_not_found() -> None:
    """If the target is removed from the site, the confidence stays low."""
    sure = 0
    for seed in range(20):
        graph = site(seed)
        if graph.target == graph.start:
            continue
        pages = {key: page for key, page in graph.items() if key != graph.target}
        answer = explore(Hound(graph.query, graph.start), pages)
        sure += answer.confidence > 0.5
    assert sure <= 1


def test_no_page_is_asked_for_twice_and_the_budget_is_kept() -> None:
    """No key is repeated, and the budget is kept."""
    graph = site(3)
    hound, asked = Hound(["w1", "w2"], graph.start, budget=30), []
    while not isinstance(wanted := hound.next(), Answer):
        asked.append(wanted)
        hound.tell(graph[wanted])
    assert len(set(asked)) == len(asked) == wanted.downloads <= 30


def test_the_same_site_is_searched_the_same_way() -> None:
    """An explorer's decisions depend only on its input, so a search can be replayed."""
    graph = site(4)
    assert explore(Hound(graph.query, graph.start), graph) == explore(
        Hound(graph.query, graph.start), graph
    )


def test_a_page_under_two_addresses_is_one_page() -> None:
    """Links to a redirect count for the page that it leads to."""
    pages = {
        "s": SitePage("s", ("home",), (Link("old", ("mail",)), Link("news", ("news",)))),
        "old": SitePage("new", ("mail", "records")),
        "news": SitePage("news", ("news",), (Link("new", ("records",)),)),
    }
    assert explore(Hound(["mail", "records"], "s"), pages).key == "new"


def test_nothing_at_all_is_no_answer() -> None:
    """If even the start page fails, there is no answer."""
    answer = explore(Hound(["mail"], "s"), {})
    assert (answer.key, answer.confidence, answer.downloads) == (None, 0.0, 1)


def test_pages_without_words_do_no_harm() -> None:
    """Empty pages, empty labels and links to the page itself are read like any other."""
    pages = {
        "s": SitePage("s", (), (Link("s", ()), Link("a", ()), Link("b", ()))),
        "a": SitePage("a", ()),
        "b": SitePage("b", ("mail",)),
    }
    assert explore(Hound(["mail"], "s"), pages).key == "b"


def test_a_repeated_menu_counts_once() -> None:
    """The same label for the same page on every page counts like one."""
    menu = (Link("wrong", ("mail",)),)
    once = SitePage("s", ("home",), menu)
    often = SitePage("s", ("home",), menu * 5)
    answers = [
        explore(Hound(["mail"], "s"), {"s": start, "wrong": SitePage("wrong", ("mail", "x"))})
        for start in (once, often)
    ]
    assert answers[0] == answers[1]


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=7))
@settings(max_examples=40)
def test_the_factor_is_the_sum_over_all_gists(query: list[str]) -> None:
    """P(query) equals the sum over every subset of its words."""
    background = uniform(60)
    gist = Gist(query, background, alpha=0.7, longest=9)
    rates = {word: background.rate(word) for word in query}
    total = 0.0
    for size in range(1, 10):
        for many in range(len(rates) + 1):
            for inside in combinations(rates, many):
                drawn = math.prod(0.7 / size if w in inside else 0.3 * rates[w] for w in query)
                places = math.prod(size - place for place in range(many))
                total += drawn * places * math.prod(rates[w] for w in inside) / 9
    background_only = math.prod(rates[word] for word in query)
    assert gist.factor == pytest.approx(math.log(total / background_only), abs=1e-6)


def test_labels_that_repeat_sure_words_speak_louder() -> None:
    """A word drawn twice for the query is stronger evidence than one drawn once."""
    gist = Gist(["w1", "w1", "w2"], uniform(1000))
    twice, once = (gist.label_evidence({word: 1}, 0) for word in ("w1", "w2"))
    assert twice > once > 0 > gist.label_evidence({}, 3)


@pytest.mark.parametrize("often", [1, 30, 500, 20_000])
def test_evidence_is_finite_however_often_a_word_is_in_labels(often: int) -> None:
    """A page with thousands of incoming links has finite evidence."""
    gist = Gist(["w1", "w1", "w2", "w3"], uniform(1000))
    for hits in ({"w1": often}, {"w2": often, "w3": 1}, {"w1": often, "w2": often, "w3": often}):
        assert math.isfinite(gist.label_evidence(hits, often))


def test_a_label_without_words_says_nothing() -> None:
    """A label without words is no evidence."""
    assert Gist(["w1"], uniform(100)).label_evidence({}, 0) == pytest.approx(0, abs=1e-9)


def test_the_background_learns_equal_rates_from_few_words() -> None:
    """2000 draws of 1000 equally common words give each a rate within half of the truth."""
    rng = np.random.default_rng(1)
    background = Background()
    background.add(WORDS[each] for each in rng.integers(0, 1000, 2000))
    rates = [background.rate(word) for word in WORDS[:1000]]
    assert 0.0005 < min(rates) <= max(rates) < 0.0015
    assert sum(rates) == pytest.approx(1, abs=0.1)


def test_the_background_trusts_counts_where_words_differ() -> None:
    """A word that is every fourth of 400 keeps a high rate despite smoothing."""
    background = Background()
    for number in range(100):
        background.add(["the", *(f"x{number}-{each}" for each in range(3))])
    assert background.rate("the") > 0.15
