"""Test that generated sites follow their settings."""

import asyncio

import numpy as np
import pytest
from bench.sites.algorithms import make_explorer
from bench.sites.graph import GraphFinder, GraphSettings, generate, read_node
from bench.sites.graph_site import GraphSite
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.engine import Engine
from longline.engine.site_client import PageClient
from longline.errors import InputError, PageError, RefusedError
from longline.known_item.algorithms import Options
from longline.known_item.explorer import Explorer, explore
from longline.ledger import Ledger
from longline.model import Request, Response
from longline.store import MemoryStore

WORDS = [f"w{number}" for number in range(600)]


@given(
    st.integers(5, 60), st.floats(0, 1), st.integers(1, 3), st.integers(1, 40), st.integers(0, 999)
)
@settings(max_examples=40)
def test_every_page_is_as_drawn(
    pages: int, copied: float, least: int, longest: int, seed: int
) -> None:
    """Links differ, lead to other pages and are enough; words of a text differ; sizes fit."""
    site = GraphSettings(pages, copied, least_links=least, longest_text=longest)
    graph = generate(site, WORDS, np.random.default_rng(seed))
    assert len(graph) == len(list(graph)) == pages
    for key, page in graph.items():
        targets = [link.target for link in page.links]
        assert len(set(targets)) == len(targets) >= least
        assert key not in targets
        assert all(target in graph for target in targets)
        assert len(set(page.words)) == len(page.words)
        assert 1 <= len(page.words) <= longest
        assert {len(link.label) for link in page.links} == {3}


def test_labels_and_query_speak_of_their_page_three_times_of_four() -> None:
    """A share alpha of the words in labels and queries are the page's words, the rest not."""
    inside, of = 0, 0
    for seed in range(20):
        graph = generate(GraphSettings(pages=60), WORDS, np.random.default_rng(seed))
        target = set(graph[graph.target].words)
        inside += sum(word in target for word in graph.query)
        of += len(graph.query)
        for page in graph.values():
            for link in page.links:
                words = set(graph[link.target].words)
                inside += sum(word in words for word in link.label)
                of += 3
    assert abs(inside / of - 0.75) < 0.01


def test_the_same_seed_gives_the_same_site() -> None:
    """A site depends only on its settings, its vocabulary and the generator's state."""
    first, second = (
        generate(GraphSettings(pages=40), WORDS, np.random.default_rng(5)) for _ in range(2)
    )
    assert dict(first) == dict(second)
    assert (first.target, first.query) == (second.target, second.query)


@pytest.mark.slow
def test_out_degrees_follow_zipfs_law() -> None:
    """From degree 3 on, the share of each small degree follows Zipf's law with exponent 1.5."""
    graph = generate(GraphSettings(pages=4000), WORDS, np.random.default_rng(2))
    degrees = np.array([len(graph[key].links) for key in graph])
    law = np.arange(3, 200_000.0) ** -1.5
    law /= law.sum()
    # Repeated links are dropped, so some pages end below the drawn degree.
    assert abs((degrees == 3).mean() - law[0]) < 0.04
    assert abs((degrees <= 10).mean() - law[:8].sum()) < 0.04


def test_hops_are_shortest_ways() -> None:
    """A page is one hop further than the nearest page that links to it."""
    graph = generate(GraphSettings(pages=80), WORDS, np.random.default_rng(3))
    hops = graph.hops()
    for key in graph:
        linking = [hops[int(page.key)] for page in graph.values() if key in _targets(page)]
        known = [each for each in linking if each >= 0]
        expected = 0 if key == "0" else min(known) + 1 if known else -1
        assert hops[int(key)] == expected


def _targets(page: object) -> set[str]:
    return {link.target for link in page.links}  # type: ignore[attr-defined]


def test_a_small_vocabulary_is_refused() -> None:
    """A vocabulary that is too small for the longest text is refused."""
    with pytest.raises(InputError):
        generate(GraphSettings(pages=10), WORDS[:75], np.random.default_rng(0))


def test_keys_are_numbers_of_pages() -> None:
    """Anything but the number of a page is no key."""
    graph = generate(GraphSettings(pages=10), WORDS, np.random.default_rng(0))
    for key in ("10", "-1", "x", ""):
        assert key not in graph


@pytest.mark.parametrize("name", ["hound", "ls2f", "hmm", "sim"])
def test_the_engine_runs_on_a_generated_site(name: str) -> None:
    """Through the engine an explorer requests the same pages, and ends the same."""
    graph = generate(GraphSettings(pages=60), WORDS, np.random.default_rng(1))
    site = GraphSite(graph)

    def explorer() -> Explorer:
        options = Options(graph.start)
        return make_explorer(
            name, options, graph.query, np.random.default_rng(2), (graph, graph.target)
        )

    finder = GraphFinder(explorer(), site.url)
    store = MemoryStore()
    asyncio.run(Engine(finder, PageClient(site), store, Ledger()).run())
    assert finder.answer == explore(explorer(), graph)
    assert finder.answer is not None
    assert len(list(store.events())) == finder.answer.downloads + 1


def test_what_is_no_page_is_refused() -> None:
    """An unknown address is a final 404, and another kind of response cannot be read."""
    with pytest.raises(RefusedError) as refused:
        asyncio.run(GraphSite({}).fetch(Request("http://graph.invalid/1")))
    assert refused.value.status == 404
    with pytest.raises(PageError):
        read_node(Response(url="http://graph.invalid/1", status=200, body=b"<html>"))
