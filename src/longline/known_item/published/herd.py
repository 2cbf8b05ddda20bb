"""The common part of the Lost Sheep and the similarity searches: score all links, then move."""

from collections.abc import Callable, Generator
from typing import Protocol

from longline.known_item.course import Course, Downloads
from longline.known_item.explorer import Answer, Link, SitePage

MOST_HERDS = 100
"""The paper counts its runs without saying why; this limit is inferred from its D."""

Scoring = Generator[str, SitePage | None, float]


class Sheep(Protocol):
    """Scores a link's target; it may download the target for that."""

    def __call__(self, link: Link, downloads: Downloads) -> Scoring:
        """Return a score of 0 or more."""


def herd(
    start: str, sheep: Sheep, threshold: float | None, downloads: Downloads, been: set[str]
) -> Course:
    """Score every link of a page; return the best, or move to it and score again.

    If the best link's share of all scores of its page exceeds the threshold, its target is the
    answer, and the share the confidence. Otherwise the herder moves to the best target not visited
    yet; at a dead end, to the best one that an earlier page left over. When no page is left, or
    herds or downloads are spent, the best of all is the answer, with the share it had.

    Args:
        start: Key of the first page.
        sheep: Scores a link.
        threshold: 0 to 1; None to continue until no page is left.
        downloads: Counts the pages requested.
        been: Receives the pages visited.

    Source: Goodwin, steps 1 to 6; the end of step 6 is inferred, for the text is cut there.
    """
    place: str | None = start
    left: dict[str, float] = {}
    best: tuple[float, str | None, float] = (0.0, None, 0.0)
    while place is not None:
        been.add(place)
        left.pop(place, None)
        page = yield from downloads.get(place)
        scores: dict[str, float] = {}
        for link in page.links if page else ():
            score = yield from sheep(link, downloads)
            scores[link.target] = max(score, scores.get(link.target, 0.0))
        if total := sum(scores.values()):
            lost = max(scores, key=scores.__getitem__)
            share = scores[lost] / total
            best = max(best, (scores[lost], lost, share), key=lambda each: each[0])
            if threshold is not None and share > threshold:
                return Answer(lost, share, downloads.count)
        fresh = {key: score for key, score in scores.items() if key not in been}
        for key, score in fresh.items():
            left[key] = max(score, left.get(key, 0.0))
        place = _best(fresh) or _best(left)
        if len(been) >= MOST_HERDS or (place and place not in downloads and downloads.is_spent):
            break
    return Answer(best[1], best[2], downloads.count)


def _best(scores: dict[str, float]) -> str | None:
    """Return the key with the highest score, the first of equals."""
    return max(scores, key=scores.__getitem__) if scores else None


def scored_by(value: Callable[[SitePage], float]) -> Sheep:
    """Return sheep that download every page and score it by its own value."""

    def sheep(link: Link, downloads: Downloads) -> Scoring:
        page = yield from downloads.get(link.target)
        return value(page) if page else 0.0

    return sheep
