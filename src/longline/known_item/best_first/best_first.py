"""The loop of a best-first search: read the page that promises most, until it is enough."""

from abc import ABC, abstractmethod

from longline.known_item.course import Course, CourseExplorer, Downloads
from longline.known_item.explorer import Answer, SitePage

RUNNERS_UP = 5


class BestFirst(CourseExplorer, ABC):
    """Read the most promising page that is known, until the answer is sure enough.

    Args:
        budget: Pages to download at most.
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
        # What the others share of the rest stays as it is.
        rest = (1 - sure) / max(1 - chance, 1e-12)
        near = tuple((other, rest * each) for other, each in others[:RUNNERS_UP])
        return Answer(key, sure, downloads.count, near)

    @abstractmethod
    def _take_best(self) -> str | None:
        """Return the page to read next, which waits no more; None where none waits."""

    @abstractmethod
    def _learn(self, page: SitePage, key: str) -> None:
        """Take in a page that was asked for by a key, and the pages that it links to."""

    @abstractmethod
    def _ranking(self) -> list[tuple[str, float]]:
        """Return pages that were read, each with its chance, best first."""

    @abstractmethod
    def _is_enough(self, chance: float, count: int, found_at: int) -> bool:
        """Say whether the best page is the answer, found by so many downloads of so many."""

    def _confidence(self, key: str, chance: float) -> float:
        """Return how sure it is that the best page is the answer, given its chance."""
        return chance
