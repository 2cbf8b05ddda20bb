"""All algorithms for finding one page on an unknown site, by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from longline.errors import InputError
from longline.known_item.best_first import BestFirstSearch
from longline.known_item.explorer import Explorer
from longline.known_item.published import (
    AStar,
    Automaton,
    Degree,
    Focused,
    LostSheep,
    RandomWalk,
    Similar,
    SimilarDegree,
    WholeSite,
)


@dataclass(frozen=True)
class Options:
    """Options for the algorithms; each uses the ones it needs.

    Attributes:
        start: Key of the first page.
        threshold: For the stop rule of LS, SIM, DEG, SIMDEG, A*; None to continue to the end.
        states: S of the automata; None for the algorithm's own (3, or 100 if twofold).
        budget: The most pages to download; None for no limit.
    """

    start: str
    threshold: float | None = 0.75
    states: int | None = None
    budget: int | None = None

    def automaton(self, *, is_twofold: bool) -> Automaton:
        """Return the automaton that reads labels and pages."""
        return Automaton(self.states or (100 if is_twofold else 3), is_twofold)


Make = Callable[[Options, Sequence[str], np.random.Generator], Explorer]
"""Makes a new explorer from options, the query's words and a random generator."""


def _random_walk(options: Options, query: Sequence[str], rng: np.random.Generator) -> Explorer:
    if options.budget is None:
        raise InputError("a random walk has no end of its own", advice="give a budget")
    return RandomWalk(options.start, options.budget, rng, options.budget)


def _walk(kind: type[Similar] | type[AStar]) -> Make:
    return lambda o, query, rng: kind(query, o.start, o.threshold, o.budget)


def _whole_site(*, is_twofold: bool) -> Make:
    return lambda o, query, rng: WholeSite(
        query, o.start, o.automaton(is_twofold=is_twofold), o.budget
    )


def _lost_sheep(*, is_twofold: bool) -> Make:
    return lambda o, query, rng: LostSheep(
        query, o.start, o.automaton(is_twofold=is_twofold), o.threshold, o.budget
    )


ALGORITHMS: Mapping[str, Make] = {
    "hound": lambda o, query, rng: BestFirstSearch(query, o.start, budget=o.budget),
    "rw": _random_walk,
    "sim": _walk(Similar),
    "deg": _walk(Degree),
    "simdeg": _walk(SimilarDegree),
    "a-star": _walk(AStar),
    "focused": lambda o, query, rng: Focused(query, o.start, o.budget),
    "hmm": _whole_site(is_twofold=False),
    "hmm2f": _whole_site(is_twofold=True),
    "ls": _lost_sheep(is_twofold=False),
    "ls2f": _lost_sheep(is_twofold=True),
}
"""The algorithms by published name; "hound" is ours."""

STOPS_BY_SHARE = frozenset({"sim", "deg", "simdeg", "a-star", "ls", "ls2f"})
"""The algorithms that use a threshold."""

READS_BY_AUTOMATON = frozenset({"hmm", "hmm2f", "ls", "ls2f"})
"""The algorithms that use a number of states."""
