"""Test every algorithm under its name, including those that only benchmarks run."""

import numpy as np
import pytest
from bench.sites.algorithms import NAMES, make_explorer
from bench.sites.graph import GraphSettings, generate

from longline.errors import InputError
from longline.known_item.algorithms import ALGORITHMS, Options
from longline.known_item.explorer import Answer, Explorer, explore

GRAPH = generate(
    GraphSettings(pages=60), [f"w{number}" for number in range(900)], np.random.default_rng(8)
)


def explorers(name: str, budget: int) -> list[Explorer]:
    """Return an algorithm as benchmarks run it, and as `find` does."""
    options, site = Options(GRAPH.start, budget=budget), (GRAPH, GRAPH.target)
    benched = make_explorer(name, options, GRAPH.query, np.random.default_rng(0), site)
    if name not in ALGORITHMS:
        return [benched]
    return [benched, ALGORITHMS[name](options, GRAPH.query, np.random.default_rng(0))]


@pytest.mark.parametrize("name", NAMES)
def test_every_algorithm_keeps_the_promise(name: str) -> None:
    """It requests no page twice, counts its requests, and answers with a page of the site."""
    for explorer in explorers(name, 60):
        asked: list[str] = []
        while not isinstance(wanted := explorer.next(), Answer):
            asked.append(wanted)
            explorer.tell(GRAPH[wanted])
        assert len(set(asked)) == len(asked) == wanted.downloads
        assert asked[0] == GRAPH.start
        assert wanted.key in GRAPH
        assert 0 <= wanted.confidence <= 1


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_survives_pages_that_cannot_be_had(name: str) -> None:
    """With half of the pages missing it still ends within its budget."""
    half = {key: page for key, page in GRAPH.items() if int(key) % 2 == 0}
    for explorer in explorers(name, 25):
        answer = explore(explorer, half)
        assert answer.downloads <= 25
        assert answer.key is None or answer.key in GRAPH


def test_a_walk_without_an_end_is_refused() -> None:
    """A random walk needs a budget."""
    with pytest.raises(InputError):
        ALGORITHMS["rw"](Options("0"), ["mail"], np.random.default_rng(0))
