"""Planners that users write: their faults are errors of theirs, and name the place."""

import traceback

from longline.errors import InputError, LonglineError
from longline.events import AnyEvent, PageFailed, RequestFailed
from longline.model import Finish, Request, Search
from longline.ports import Policy

MOST_AGAIN = 100
"""After so many repeated wishes in a row, a planner is stopped."""

_PACKAGE = __file__.rpartition("planner")[0]


class OwnPlanner:
    """A policy around a planner that a user wrote.

    A planner that only asks again for what it was told would do so for ever.

    Args:
        name: The name of its strategy.
        planner: The planner.

    Raises:
        InputError: From both methods: the planner failed, or repeats itself.
    """

    def __init__(self, name: str, planner: Policy) -> None:
        self._name = name
        self._planner = planner
        self._wanted: set[object] = set()
        self._again = 0  # times in a row

    def next(self) -> Search | Request | Finish:
        """Return what the planner wants next."""
        try:
            wanted = self._planner.next()
        except LonglineError:
            raise
        except Exception as error:
            raise self._failed(error) from error
        if isinstance(wanted, Search | Request):
            key = (wanted.query, wanted.number) if isinstance(wanted, Search) else wanted
            self._again = self._again + 1 if key in self._wanted else 0
            self._wanted.add(key)
        if self._again == MOST_AGAIN:
            what = f"search {wanted.query}" if isinstance(wanted, Search) else "make a request"
            raise InputError(
                f"the planner {self._name!r} wants to {what} again, which was done, and has "
                f"wanted nothing else {MOST_AGAIN} times",
                advice="let it choose each search once, and return a Finish at its end",
            )
        return wanted

    def tell(self, event: AnyEvent) -> None:
        """Tell the planner what came; it may ask again for what failed."""
        if isinstance(event, PageFailed):
            self._wanted.discard((event.query, event.number))
        elif isinstance(event, RequestFailed):
            self._wanted.discard(event.request)
        try:
            self._planner.tell(event)
        except LonglineError:
            raise
        except Exception as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> InputError:
        """Return an error that names the newest line outside longline."""
        frames = traceback.extract_tb(error.__traceback__)
        own = [each for each in frames if not each.filename.startswith(_PACKAGE)]
        where = f" at {own[-1].filename}, line {own[-1].lineno}" if own else ""
        return InputError(
            f"the planner {self._name!r} failed{where}: {type(error).__name__}: {error}",
            advice="correct it, and run the same command again",
        )
