"""The loop of a best-first search: read the most promising page, until the answer is certain."""

from abc import ABC, abstractmethod

from longline.known_item.course import Course, CourseExplorer, Downloads
from longline.known_item.explorer import Answer, SitePage

RUNNERS_UP = 5


class BestFirst(CourseExplorer, ABC):
    """Read the most promising known page, until the answer is certain enough.

    Args:
        budget: The most pages to download.
    """

    def __init__(self, budget: int | None) -> None:
        super().__init__(self._search(Downloads(budget)))

    def _search(self, downloads: Downloads) -> Course:
        best, found_at, ranking = None, 0, list[tuple[str, float]]()
        while not downloads.is_spent and (key := self._take_best()) is not None:
            page = yield from downloads.get(key)
            if page is None:
                continue
            self._learn(page, key)
            ranking = self._ranking()
            if ranking[0][0] != best:
                best, found_at = ranking[0][0], downloads.count
            if self._is_enough(ranking[0][1], downloads.count, found_at):
                break
        if not ranking:
            return Answer(None, 0.0, downloads.count)
        (key, chance), *others = ranking
        sure = self._confidence(key, chance)
        # The others keep their shares of the rest.
        rest = (1 - sure) / max(1 - chance, 1e-12)
        near = tuple((other, rest * each) for other, each in others[:RUNNERS_UP])
        return Answer(key, sure, downloads.count, near)

    @abstractmethod
    def _take_best(self) -> str | None:
        """Remove and return the page to read next; None if none waits."""

    @abstractmethod
    def _learn(self, page: SitePage, key: str) -> None:
        """Process a page that was requested by a key, and its links."""

    @abstractmethod
    def _ranking(self) -> list[tuple[str, float]]:
        """Return the pages read, each with its probability, best first."""

    @abstractmethod
    def _is_enough(self, chance: float, count: int, found_at: int) -> bool:
        """Return whether the best page is the answer, found at download `found_at` of `count`."""

    def _confidence(self, key: str, chance: float) -> float:
        """Return the confidence that the best page is the answer, from its probability."""
        return chance
