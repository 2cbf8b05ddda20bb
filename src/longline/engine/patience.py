"""How many failures a source is forgiven, before what was right is asked for again."""

import asyncio

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
"""Failures in a row after which what was right is asked for again; doubled while it is right."""

KEPT_OUT = 5
"""Failures in a row that end a harvest where nothing is known to be right, and visitors are kept
out."""

UNREACHED = 2
"""The same where no answer came at all."""

_RELEARN = "; if the site looks different now, run `longline discover --relearn DIR`"


class Patience:
    """Bear with failures of one sort, as long as what was right before still is.

    One page that breaks says nothing of the others. So a failure is only counted, and after some
    in a row a query that had hits, or a document that came, is asked for again. Where that
    comes, the failures are those of the pages themselves, and the harvest goes on without them.
    A source that came before, and does not answer any more, is waited for.

    Args:
        client: Asks again.
        documents: Failures are those of documents; else of result pages.
        most: Failures in a row that end it where nothing is known to be right.
        outlast: Waits for a source that is away.
    """

    def __init__(
        self,
        client: SourceClient,
        *,
        documents: bool,
        most: int,
        outlast: Outlast = give_up,
    ) -> None:
        self._client = client
        self._documents = documents
        self._most = most
        self._outlast = outlast
        self._failures = 0
        self._checked_after = CHECKED_AFTER
        self._has_come = False
        self._checking = asyncio.Lock()
        self._gone: SourceError | None = None

    def succeed(self) -> None:
        """Take note of what came as it should."""
        self._has_come = True
        self._failures, self._checked_after = 0, CHECKED_AFTER

    async def bear(self, error: SourceError) -> None:
        """Go on after a failure, unless the source is gone.

        Raises:
            SourceError: It is; its `ending` says how.
        """
        if isinstance(error, ChangedError):
            raise error  # what was right was asked for again already
        if isinstance(error, RefusedError) and error.is_of_query:
            self._failures = 0
            return
        self._failures += 1
        enough = UNREACHED if isinstance(error, UnreachableError) else self._checked_after
        if self._failures >= enough:
            async with self._checking:  # one asks, and waits, for all that failed
                await self._check(error, enough)

    async def _check(self, error: SourceError, enough: int) -> None:
        if self._gone is not None:
            raise self._gone
        failures = self._failures  # an answer meanwhile sets the count back
        if failures < enough:
            return
        try:
            if await self._is_right(error, failures):
                self._failures, self._checked_after = 0, 2 * self._checked_after
            elif failures >= self._most_of(error):
                raise _given_up(error, error.ending, failures)
        except SourceError as gone:
            self._gone = gone
            raise

    def _most_of(self, error: SourceError) -> int:
        if isinstance(error, UnreachableError):
            return UNREACHED
        return min(self._most, KEPT_OUT) if error.ending.outcome == "blocked" else self._most

    async def _is_right(self, error: SourceError, failures: int) -> bool:
        """Say whether what was right still is; False where nothing is known to be."""
        turn = 0
        while True:
            try:
                return await self._client.check(documents=self._documents)
            except SourceError as failed:
                if self._has_come and is_away(failed) and await self._outlast(failed, turn):
                    turn += 1
                    continue
                # What came instead says more than that it is not what it was, where it is known.
                is_told = failed.ending.outcome == "changed" and error.ending.outcome != "failed"
                ending = error.ending if is_told else failed.ending
                raise _given_up(error, ending, failures) from failed


def is_away(error: SourceError) -> bool:
    """Say whether a source may soon answer again: no answer came, or it said that it is down.

    >>> is_away(UnreachableError("no answer")), is_away(RefusedError("no", status=503))
    (True, True)
    >>> is_away(RefusedError("no", status=403)), is_away(PageError("other"))
    (False, False)
    """
    if isinstance(error, RefusedError):
        return error.status is not None and error.status >= 500
    return isinstance(error, UnreachableError)


def _given_up(error: SourceError, ending: Ending, failures: int) -> SourceError:
    is_to_wait = error.advice in ("", "try again later")
    advice = "" if is_to_wait else f"{error.advice}; then "
    given_up = SourceError(
        f"{counted(failures, 'request')} in a row failed, the last with: {error.message}",
        advice=f"{advice}run it again {'later ' if is_to_wait else ''}to continue"
        + (_RELEARN if isinstance(error, PageError) else ""),
    )
    given_up.ending = ending
    return given_up
