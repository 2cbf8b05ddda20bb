"""Find documents that a site reports as changed since the previous harvest."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from longline.discovery import Dated, listed_dates
from longline.errors import InputError, SourceError
from longline.model import Request, Response
from longline.source import canonical

MOST_CHANGED = 0.5
"""If a larger share of dated URLs seems to have changed, the dates are ignored: they are probably
those of the list."""


class ChangedSince:
    """The documents that a sitemap or a feed dates after the previous harvest.

    Args:
        dated: The dates in the list.
        since: When the previous harvest ended, in seconds since 1970.

    >>> days = {"a": "2026-03-01", "b": "2020-01-01"}
    >>> dated = [Dated(f"https://x.example/{name}", day) for name, day in days.items()]
    >>> since = ChangedSince(dated, datetime(2026, 2, 1, tzinfo=UTC).timestamp())
    >>> since.has("https://x.example/a"), since.has("https://x.example/b"), since.has("")
    (True, False, False)
    """

    def __init__(self, dated: list[Dated], since: float) -> None:
        ended = datetime.fromtimestamp(since, UTC).isoformat(timespec="seconds")
        # A date without time covers the entire day: changes on the day of the harvest are requested
        # again.
        later = {each.url for each in dated if each.changed >= ended[: len(each.changed)]}
        self._later = later if len(later) <= MOST_CHANGED * len(dated) else frozenset()

    def has(self, url: str) -> bool:
        """Return whether the document at a URL is reported as changed."""
        if not (self._later and url):
            return False
        try:
            return canonical(url) in self._later
        except ValueError:
            return False


async def read_dates(
    home: str, fetch: Callable[[Request], Awaitable[Response]]
) -> tuple[list[Dated], int]:
    """Request a site's lists with dates of change.

    Args:
        home: A URL of the site.
        fetch: Sends a request.

    Returns:
        The dates, and how many requests they cost.

    Raises:
        BudgetSpent: As `fetch`.
    """
    steps, cost = listed_dates(home), 0
    answer: Response | None = None
    try:
        request = next(steps)
        while True:
            try:
                answer = await fetch(request)
                cost += answer.requests
            except (SourceError, InputError) as error:
                answer, cost = None, cost + getattr(error, "requests", 1)
            request = steps.send(answer)
    except StopIteration as done:
        return done.value, cost
