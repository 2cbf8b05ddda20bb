"""How many failures are tolerated before the source is checked."""

import asyncio
from collections.abc import Callable

from longline.engine.settings import Outlast, give_up
from longline.errors import (
    ChangedError,
    PageError,
    RefusedError,
    SourceError,
    UnreachableError,
)
from longline.outcomes import Ending
from longline.ports import SourceClient
from longline.text.numbers import counted

CHECKED_AFTER = 3
"""After this many failures in a row the source is checked; doubled each time it still works."""

KEPT_OUT = 5
"""After this many failures in a row a harvest ends, if the site shuts visitors out and no check is
possible."""

UNREACHED = 2
"""The same if there was no response at all."""

MOVED = (404, 410)
"""Statuses by which a site says that its search is no longer where it was."""

_RELEARN = "; if the site looks different now, run `longline discover --relearn DIR`"


class Patience:
    """Tolerate failures of one kind, as long as what worked before still does.

    One broken page says nothing about the others. So a failure is only counted, and after several
    in a row, a query that had hits, or a document that was read, is requested again. If that works,
    the pages themselves are broken, and the harvest continues without them. If a source worked
    before, and does not answer any more, the harvest waits for it.

    Args:
        client: Sends the check.
        documents: Whether the failures are those of documents; otherwise, of result pages.
        most: Failures in a row that end the harvest if no check is possible, or nothing is held.
        outlast: Waits for an unavailable source.
        holds_any: Whether any document is held: if none is, what is wrong may be the spec.
    """

    def __init__(
        self,
        client: SourceClient,
        *,
        documents: bool,
        most: int,
        outlast: Outlast = give_up,
        holds_any: Callable[[], bool] = lambda: True,
    ) -> None:
        self._client = client
        self._documents = documents
        self._most = most
        self._outlast = outlast
        self._holds_any = holds_any
        self._failures = 0
        self._checked_after = CHECKED_AFTER
        self._has_come = False
        self._checking = asyncio.Lock()
        self._gone: SourceError | None = None

    def succeed(self) -> None:
        """Record a success."""
        self._has_come = True
        self._failures, self._checked_after = 0, CHECKED_AFTER

    async def bear(self, error: SourceError) -> None:
        """Return after a failure, unless the source is gone.

        Raises:
            SourceError: The source is gone; `ending` says how.
        """
        if isinstance(error, ChangedError):
            raise error  # the source was checked already
        if isinstance(error, RefusedError) and error.is_of_query:
            self._failures = 0
            return
        self._failures += 1
        enough = UNREACHED if isinstance(error, UnreachableError) else self._checked_after
        if self._failures >= enough:
            async with self._checking:  # one check, and one wait, for all failures
                await self._check(error, enough)

    async def _check(self, error: SourceError, enough: int) -> None:
        if self._gone is not None:
            raise self._gone
        failures = self._failures  # a success meanwhile resets the count
        if failures < enough:
            return
        try:
            is_right = await self._is_right(error, failures)
            self._checked_after *= 2 if is_right else 1
            if is_right and self._holds_any():
                self._failures = 0
            elif failures >= self._most_of(error):
                raise self._given_up(error, error.ending, failures)
        except SourceError as gone:
            self._gone = gone
            raise

    def _most_of(self, error: SourceError) -> int:
        if isinstance(error, UnreachableError):
            return UNREACHED
        return min(self._most, KEPT_OUT) if error.ending.outcome == "blocked" else self._most

    async def _is_right(self, error: SourceError, failures: int) -> bool:
        """Return whether what worked before still does; False if nothing can be checked."""
        turn = 0
        while True:
            try:
                return await self._client.check(documents=self._documents)
            except SourceError as failed:
                if self._has_come and is_away(failed) and await self._outlast(failed, turn):
                    turn += 1
                    continue
                # If known, the cause of the failure is more precise than "changed".
                is_told = failed.ending.outcome == "changed" and error.ending.outcome != "failed"
                ending = error.ending if is_told else failed.ending
                raise self._given_up(error, ending, failures) from failed

    def _given_up(self, error: SourceError, ending: Ending, failures: int) -> SourceError:
        has_moved = isinstance(error, RefusedError) and error.status in MOVED
        looks_other = isinstance(error, PageError) or (has_moved and not self._documents)
        is_to_wait = error.advice in ("", "try again later")
        advice = "" if is_to_wait else f"{error.advice}; then "
        given_up = SourceError(
            f"{counted(failures, 'request')} in a row failed, the last with: {error.message}",
            advice=f"{advice}run it again {'later ' if is_to_wait else ''}to continue"
            + (_RELEARN if looks_other and "--relearn" not in advice else ""),
        )
        given_up.ending = Ending("changed") if looks_other and has_moved else ending
        return given_up


def is_away(error: SourceError) -> bool:
    """Return whether a source may soon answer again: no response, or a status of 500 or more.

    >>> is_away(UnreachableError("no answer")), is_away(RefusedError("no", status=503))
    (True, True)
    >>> is_away(RefusedError("no", status=403)), is_away(PageError("other"))
    (False, False)
    """
    if isinstance(error, RefusedError):
        return error.status is not None and error.status >= 500
    return isinstance(error, UnreachableError)
