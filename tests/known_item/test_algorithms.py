"""Every algorithm under its name."""

import numpy as np
import pytest
from bench.sites.graph import GraphSettings, generate

from longline.errors import InputError, UnknownNameError
from longline.known_item.algorithms import ALGORITHMS, DEFAULT, Options, make_explorer
from longline.known_item.explorer import Answer, explore

GRAPH = generate(
    GraphSettings(pages=60), [f"w{number}" for number in range(900)], np.random.default_rng(8)
)
OPTIONS = Options(GRAPH.start, pages=60, site=(GRAPH, GRAPH.target))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_keeps_the_promise(name: str) -> None:
    """It asks for no page twice, counts what it asked for, and ends with a page of the site."""
    explorer = make_explorer(name, OPTIONS, GRAPH.query, np.random.default_rng(0))
    asked: list[str] = []
    while not isinstance(wanted := explorer.next(), Answer):
        asked.append(wanted)
        explorer.tell(GRAPH[wanted])
    assert len(set(asked)) == len(asked) == wanted.downloads
    assert asked[0] == GRAPH.start
    assert wanted.key in GRAPH
    assert 0 <= wanted.confidence <= 1


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name != "optimal"])
def test_every_algorithm_survives_pages_that_cannot_be_had(name: str) -> None:
    """With half of the pages missing it ends all the same, within its budget."""
    half = {key: page for key, page in GRAPH.items() if int(key) % 2 == 0}
    options = Options(GRAPH.start, budget=25)
    explorer = make_explorer(name, options, GRAPH.query, np.random.default_rng(0))
    answer = explore(explorer, half)
    assert answer.downloads <= 25
    assert answer.key is None or answer.key in GRAPH


def test_the_default_is_the_hound() -> None:
    """What is taken without a name has the best figures."""
    assert DEFAULT == "hound"


def test_an_unknown_name_lists_the_known() -> None:
    """The error says which algorithms there are."""
    with pytest.raises(UnknownNameError) as unknown:
        make_explorer("bloodhound", OPTIONS, GRAPH.query, np.random.default_rng(0))
    assert unknown.value.known == tuple(ALGORITHMS)


@pytest.mark.parametrize(
    ("name", "options", "query"),
    [
        ("optimal", Options("0"), ["mail"]),
        ("rw", Options("0"), ["mail"]),
        ("hound", Options("0"), []),
    ],
)
def test_what_an_algorithm_lacks_is_bad_input(
    name: str, options: Options, query: list[str]
) -> None:
    """OPTIMAL without the site, a walk without an end, a query without words are refused."""
    with pytest.raises(InputError):
        make_explorer(name, options, query, np.random.default_rng(0))
