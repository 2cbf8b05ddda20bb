"""The algorithms with which the Lost Sheep is compared.

None of them reads labels. Each docstring says where the paper does not define how an algorithm
stops or what it returns.
"""

import heapq
import math
from collections.abc import Collection, Mapping

import numpy as np

from longline.known_item.course import Asking, Course, CourseExplorer, Downloads
from longline.known_item.explorer import Answer, SitePage
from longline.known_item.published.herd import herd, scored_by


def similarity(page: SitePage, query: Collection[str]) -> float:
    """Return the cosine similarity between the different words of a page and of a query.

    >>> round(similarity(SitePage("mail", ("public", "mail", "records")), {"mail"}), 3)
    0.577
    """
    words, wanted = set(page.words), set(query)
    if not words or not wanted:
        return 0.0
    return len(words & wanted) / math.sqrt(len(words) * len(wanted))


class RandomWalk(CourseExplorer):
    """Follow random links, and return the page where the walk ends (RW).

    Steps back to downloaded pages cost nothing. A page without links ends the walk.

    Args:
        start: Key of the first page.
        steps: Pages on the walk, with the start; the paper uses 20 % of the site's.
        rng: Chooses the links.

    Source: Goodwin, "Random Walk (RW)"; that the last page is the answer is inferred.
    """

    def __init__(
        self, start: str, steps: int, rng: np.random.Generator, budget: int | None = None
    ) -> None:
        super().__init__(self._walk(start, steps, rng, Downloads(budget)))

    def _walk(
        self, start: str, steps: int, rng: np.random.Generator, downloads: Downloads
    ) -> Course:
        place, found = start, None
        for _ in range(steps):
            page = yield from downloads.get(place)
            if page is None:
                break
            found = place
            if not page.links:
                break
            place = page.links[rng.integers(len(page.links))].target
        return Answer(found, 0.0, downloads.count)


class Similar(CourseExplorer):
    """Download all neighbours, move to the one most similar to the query (SIM).

    Args:
        query: Words of the page to find.
        start: Key of the first page.
        threshold: Return the best neighbour when it has more than this share of the similarity of
            all; None to continue until no page or herd is left. The rule is the Lost Sheep's.
        budget: The most pages to download.

    Source: Ke & Mostafa 2010, as described by Goodwin.
    """

    def __init__(
        self,
        query: Collection[str],
        start: str,
        threshold: float | None = 0.75,
        budget: int | None = None,
    ) -> None:
        self._query = frozenset(query)
        self._been: set[str] = set()
        downloads = Downloads(budget)
        super().__init__(herd(start, scored_by(self._value), threshold, downloads, self._been))

    @property
    def counted(self) -> int:
        """The number that Ke & Mostafa count: the path's length, pages visited."""
        return len(self._been)

    def _value(self, page: SitePage) -> float:
        return similarity(page, self._query)


class Degree(Similar):
    """Download all neighbours, move to the one with most links (DEG)."""

    def _value(self, page: SitePage) -> float:
        return len(page.links)


class SimilarDegree(Similar):
    """Download all neighbours, move to the one with the largest similarity * links (SIMDEG)."""

    def _value(self, page: SitePage) -> float:
        return similarity(page, self._query) * len(page.links)


class AStar(CourseExplorer):
    """Move to the page with the least cost so far plus estimated distance, 1 - similarity (A*).

    Each step downloads all neighbours of one page. The stop rule is the Lost Sheep's, as for the
    other searches; the estimate replaces the target's distance, which the paper does not define.

    Source: Goodwin, section on A*.
    """

    def __init__(
        self,
        query: Collection[str],
        start: str,
        threshold: float | None = 0.75,
        budget: int | None = None,
    ) -> None:
        self._query = frozenset(query)
        super().__init__(self._search(start, threshold, Downloads(budget)))

    def _search(self, start: str, threshold: float | None, downloads: Downloads) -> Course:
        waiting: list[tuple[float, int, int, str]] = [(0.0, 0, 0, start)]
        found: dict[str, float] = {start: 0.0}
        while waiting:
            _, _, cost, place = heapq.heappop(waiting)
            page = yield from downloads.get(place)
            scores: dict[str, float] = {}
            for link in page.links if page else ():
                neighbour = yield from downloads.get(link.target)
                scores[link.target] = similarity(neighbour, self._query) if neighbour else 0.0
            if total := sum(scores.values()):
                best = max(scores, key=scores.__getitem__)
                if threshold is not None and scores[best] / total > threshold:
                    return Answer(best, scores[best] / total, downloads.count)
            for key, score in scores.items():
                if key not in found and key in downloads:
                    found[key] = score
                    heapq.heappush(waiting, (cost + 2 - score, len(found), cost + 1, key))
        return _most_similar(found, downloads)


class Focused(CourseExplorer):
    """Download the page with most links from relevant pages, those with a word of the query.

    It begins with all pages that the start links to, as in the paper. The paper does not say how
    the satisfactory number, P(C) = 1/N, ends it: here it ends when, after those first pages, the
    relevant ones that it chose reach that share of the site's N, which is one page. The most
    similar page is the answer.

    Source: Aggarwal et al. 2001, as described by Goodwin, "Focused crawler".
    """

    def __init__(self, query: Collection[str], start: str, budget: int | None = None) -> None:
        self._query = frozenset(query)
        self._found: dict[str, float] = {}
        self._relevant: dict[str, int] = {}
        super().__init__(self._crawl(start, Downloads(budget)))

    def _crawl(self, start: str, downloads: Downloads) -> Course:
        yield from self._visit(start, downloads)
        for key in list(self._relevant):
            yield from self._visit(key, downloads)
        while self._relevant and not downloads.is_spent:
            key = max(self._relevant, key=self._relevant.__getitem__)
            yield from self._visit(key, downloads)
            if self._found.get(key):
                break
        return _most_similar(self._found, downloads)

    def _visit(self, key: str, downloads: Downloads) -> Asking:
        """Download a page; if it is relevant, count it for the pages that it links to."""
        self._relevant.pop(key, None)
        page = yield from downloads.get(key)
        if page is not None:
            self._found[key] = similarity(page, self._query)
            for link in page.links:
                if link.target not in downloads:
                    before = self._relevant.get(link.target, 0)
                    self._relevant[link.target] = before + (self._found[key] > 0)
        return page


def _most_similar(found: Mapping[str, float], downloads: Downloads) -> Answer:
    """Return the most similar page, with its share of all similarity as confidence."""
    best = max(found, key=found.__getitem__, default=None)
    total = sum(found.values())
    return Answer(best, found[best] / total if best and total else 0.0, downloads.count)
