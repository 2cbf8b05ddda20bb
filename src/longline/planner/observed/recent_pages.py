"""How many new documents the last pages brought, and whether further pages are worth it."""

from collections import deque

from longline.model import Finish
from longline.text.numbers import counted

WINDOW = 100
LEAST_WINDOW = 20
"""Number of pages for the recent rate: half of those so far, between these bounds. So a source with
few pages is not queried a hundred times in vain."""


class RecentPages:
    """New documents on the last pages.

    Args:
        worthwhile: The least new documents per page for continuing; one in all is always needed.

    >>> recent = RecentPages()
    >>> for _ in range(LEAST_WINDOW):
    ...     recent.note(0)
    >>> recent.ending()
    Finish(reason='the last 20 pages brought no new document')
    """

    def __init__(self, worthwhile: float = 0) -> None:
        self._worthwhile = worthwhile
        self._new: deque[int] = deque(maxlen=WINDOW)
        self._pages = 0

    def note(self, new: int) -> None:
        """Record a page's number of new documents."""
        self._pages += 1
        self._new.append(new)

    def ending(self, *, some_are_missing: bool = False) -> Finish | None:
        """Return the end if the last pages brought nothing, or too little; else None.

        Args:
            some_are_missing: Documents are known to be missing: one new document is enough.
        """
        window = min(WINDOW, max(LEAST_WINDOW, self._pages // 2))
        new = sum(list(self._new)[-window:])
        least = 1 if some_are_missing else max(1, self._worthwhile * window)
        if len(self._new) < window or new >= least:
            return None
        brought = f"only {counted(new, 'new document')}" if new else "no new document"
        return Finish(f"the last {window} pages brought {brought}")
