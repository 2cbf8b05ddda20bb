"""Every way of finding one page, under its published name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from longline.errors import InputError, UnknownNameError
from longline.known_item.explorer import Explorer, SitePage
from longline.known_item.published import (
    AStar,
    Automaton,
    Degree,
    Focused,
    Hound,
    LostSheep,
    Optimal,
    RandomWalk,
    Similar,
    SimilarDegree,
    WholeSite,
)

DEFAULT = "hound"


@dataclass(frozen=True)
class Options:
    """What algorithms can be told; each takes what concerns it.

    Attributes:
        start: Key of the first page.
        threshold: Of the stop rule of LS, SIM, DEG, SIMDEG, A*; None to go on to the end.
        states: S of the automata; None for the algorithm's own (3, or 100 if twofold).
        budget: Pages to download at most; None for no limit.
        pages: How many the site has, where that is known: RW uses it.
        site: The whole site and its target: what OPTIMAL is told, and no other.
    """

    start: str
    threshold: float | None = 0.75
    states: int | None = None
    budget: int | None = None
    pages: int | None = None
    site: tuple[Mapping[str, SitePage], str] | None = None


Make = Callable[[Options, Sequence[str], np.random.Generator], Explorer]


@dataclass(frozen=True)
class Algorithm:
    """A way to find a page.

    Attributes:
        name: As published, in lower case.
        summary: One line.
        source: Who published it.
        make: Options, the query's words and a generator give a fresh explorer.
    """

    name: str
    summary: str
    source: str
    make: Make


def _random_walk(options: Options, query: Sequence[str], rng: np.random.Generator) -> Explorer:
    if options.pages is None and options.budget is None:
        raise InputError(
            "a random walk has no end of its own", advice="give a budget or the site's pages"
        )
    steps = max(1, options.pages // 5) if options.pages else options.budget or 1
    return RandomWalk(options.start, steps, rng, options.budget)


def _optimal(options: Options, query: Sequence[str], rng: np.random.Generator) -> Explorer:
    if options.site is None:
        raise InputError(
            "the optimal way needs the whole site and its target",
            advice="take another algorithm where the target is not known",
        )
    pages, target = options.site
    return Optimal(pages, options.start, target)


def _walk(kind: type[Similar] | type[AStar]) -> Make:
    def make(options: Options, query: Sequence[str], rng: np.random.Generator) -> Explorer:
        return kind(query, options.start, options.threshold, options.budget)

    return make


def _focused(options: Options, query: Sequence[str], rng: np.random.Generator) -> Explorer:
    return Focused(query, options.start, options.budget)


def _automaton(options: Options, is_twofold: bool) -> Automaton:
    return Automaton(options.states or (100 if is_twofold else 3), is_twofold)


def _whole_site(is_twofold: bool) -> Make:
    def make(options: Options, query: Sequence[str], rng: np.random.Generator) -> Explorer:
        automaton = _automaton(options, is_twofold)
        return WholeSite(query, options.start, automaton, options.budget)

    return make


def _lost_sheep(is_twofold: bool) -> Make:
    def make(options: Options, query: Sequence[str], rng: np.random.Generator) -> Explorer:
        automaton = _automaton(options, is_twofold)
        return LostSheep(query, options.start, automaton, options.threshold, options.budget)

    return make


def _hound(options: Options, query: Sequence[str], rng: np.random.Generator) -> Explorer:
    return Hound(query, options.start, budget=options.budget)


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("rw", "follow random links", "Goodwin, RW", _random_walk),
        Algorithm("optimal", "the shortest way, for one who knows it", "Goodwin", _optimal),
        Algorithm(
            "sim", "pursue the neighbour most like the query", "Ke & Mostafa 2010", _walk(Similar)
        ),
        Algorithm(
            "deg", "pursue the neighbour with most links", "Ke & Mostafa 2010", _walk(Degree)
        ),
        Algorithm(
            "simdeg",
            "pursue the neighbour of largest similarity * links",
            "Ke & Mostafa 2010",
            _walk(SimilarDegree),
        ),
        Algorithm("a-star", "least way so far plus distance guessed", "Goodwin, A*", _walk(AStar)),
        Algorithm(
            "focused", "the page most relevant pages link to", "Aggarwal et al. 2001", _focused
        ),
        Algorithm(
            "hmm", "download all, read all with an automaton", "Goodwin, HMM", _whole_site(False)
        ),
        Algorithm("hmm2f", "the same, steps halving from S/2", "Goodwin, HMM2F", _whole_site(True)),
        Algorithm(
            "ls", "the Lost Sheep: only pages whose labels pass", "Goodwin, LS", _lost_sheep(False)
        ),
        Algorithm("ls2f", "the same, steps halving from S/2", "Goodwin, LS2F", _lost_sheep(True)),
        Algorithm(
            "hound",
            "best page first, by the likelihood of labels and text",
            "longline; docs/research/decisions/0020",
            _hound,
        ),
    )
}


def make_explorer(
    name: str, options: Options, query: Sequence[str], rng: np.random.Generator
) -> Explorer:
    """Return a fresh explorer; the same arguments and generator state search the same.

    Raises:
        UnknownNameError: No algorithm has this name.
        InputError: Options lack what the algorithm needs, or the query has no word.
    """
    if name not in ALGORITHMS:
        raise UnknownNameError("algorithm", name, ALGORITHMS)
    if not query:
        raise InputError("a query without words", advice="give words that the page must have")
    return ALGORITHMS[name].make(options, query, rng)
