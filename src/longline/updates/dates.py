"""Which documents a site says have changed since the harvest before."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from longline.discovery import Dated, listed_dates
from longline.errors import InputError, SourceError
from longline.model import Request, Response
from longline.source import canonical

MOST_CHANGED = 0.5
"""Of the addresses with a date. Where more seem to have changed, the dates are rather those of the
list than of its documents: they are not believed then."""


class ChangedSince:
    """The documents that a sitemap or a feed dates after the harvest before.

    Args:
        dated: What it says.
        since: When the harvest before ended, in seconds since 1970.

    >>> days = {"a": "2026-03-01", "b": "2020-01-01"}
    >>> dated = [Dated(f"https://x.example/{name}", day) for name, day in days.items()]
    >>> since = ChangedSince(dated, datetime(2026, 2, 1, tzinfo=UTC).timestamp())
    >>> since.has("https://x.example/a"), since.has("https://x.example/b"), since.has("")
    (True, False, False)
    """

    def __init__(self, dated: list[Dated], since: float) -> None:
        ended = datetime.fromtimestamp(since, UTC).isoformat(timespec="seconds")
        # A day stands for all its hours: what changed on the day of the harvest is asked for again.
        later = {each.url for each in dated if each.changed >= ended[: len(each.changed)]}
        self._later = later if len(later) <= MOST_CHANGED * len(dated) else frozenset()

    def has(self, url: str) -> bool:
        """Say whether the document at an address is said to have changed."""
        if not (self._later and url):
            return False
        try:
            return canonical(url) in self._later
        except ValueError:
            return False


async def read_dates(
    home: str, fetch: Callable[[Request], Awaitable[Response]]
) -> tuple[list[Dated], int]:
    """Ask a site what changed when.

    Args:
        home: An address of the site.
        fetch: Sends a request.

    Returns:
        What it says, and how many requests that cost.

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
