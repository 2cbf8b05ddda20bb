"""The methods to find a page on a generated site: those of `find`, OPTIMAL, and the first hound."""

from collections import deque
from collections.abc import Mapping, Sequence

import numpy as np
from bench.sites.hound import Hound

from longline.known_item.algorithms import ALGORITHMS, Options
from longline.known_item.course import Course, CourseExplorer, Downloads
from longline.known_item.explorer import Answer, Explorer, SitePage
from longline.known_item.published import RandomWalk

NAMES = ("optimal", *ALGORITHMS)


def make_explorer(
    name: str,
    options: Options,
    query: Sequence[str],
    rng: np.random.Generator,
    site: tuple[Mapping[str, SitePage], str],
) -> Explorer:
    """Return a new explorer; the same arguments and generator state give the same search.

    Args:
        name: One of `NAMES`.
        options: As for `find`.
        query: Words of the wanted page.
        rng: Chooses the links of a random walk.
        site: The complete site and its target: OPTIMAL uses both, and RW the number of pages.
    """
    pages, target = site
    if name == "optimal":
        return Optimal(pages, options.start, target)
    if name == "hound":
        return Hound(query, options.start, budget=options.budget)
    if name == "rw":
        return RandomWalk(options.start, max(1, len(pages) // 5), rng, options.budget)
    return ALGORITHMS[name](options, query, rng)


class Optimal(CourseExplorer):
    """Follow the shortest path to the known target (OPTIMAL): a bound, not a search.

    Args:
        pages: The complete site.
        start: Key of the first page.
        target: Key of the wanted page.

    Source: Goodwin, section on the optimal algorithm. The paper's D counts the links followed, as
    2.0 on average would otherwise be too few; here the start is downloaded and counted too.
    """

    def __init__(self, pages: Mapping[str, SitePage], start: str, target: str) -> None:
        super().__init__(self._follow(_shortest(pages, start, target), target))

    def _follow(self, way: list[str], target: str) -> Course:
        downloads = Downloads()
        for key in way:
            yield from downloads.get(key)
        return Answer(target if way else None, float(bool(way)), downloads.count)


def _shortest(pages: Mapping[str, SitePage], start: str, target: str) -> list[str]:
    """Return the pages of a shortest path, both ends included; empty if there is none."""
    before: dict[str, str | None] = {start: None}
    waiting = deque([start])
    while waiting and target not in before:
        place = waiting.popleft()
        for link in pages[place].links:
            if link.target not in before and link.target in pages:
                before[link.target] = place
                waiting.append(link.target)
    way: list[str] = []
    step = target if target in before else None
    while step is not None:
        way.append(step)
        step = before[step]
    return way[::-1]
