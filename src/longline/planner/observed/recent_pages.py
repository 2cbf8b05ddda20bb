"""How many new documents the last pages brought, and whether the rest is worth asking for."""

from collections import deque

from longline.model import Finish
from longline.text.numbers import counted

WINDOW = 100
LEAST_WINDOW = 20
"""Pages over which the marginal return is reckoned: half of those so far, within these bounds. A
source of a few pages is not asked a hundred times for what it does not have."""

WORTHWHILE = 0.1
"""New documents a page: when the last pages brought less, the rest is not worth it, mostly."""


class RecentPages:
    """New documents of the last pages.

    Args:
        worthwhile: New documents a page that are worth going on.

    >>> recent = RecentPages()
    >>> for _ in range(LEAST_WINDOW):
    ...     recent.note(0)
    >>> recent.ending()
    Finish(reason='the last 20 pages brought only 0 new documents')
    """

    def __init__(self, worthwhile: float = WORTHWHILE) -> None:
        self._worthwhile = worthwhile
        self._new: deque[int] = deque(maxlen=WINDOW)
        self._pages = 0

    def note(self, new: int) -> None:
        """Take note of a page with so many new documents."""
        self._pages += 1
        self._new.append(new)

    def ending(self, *, some_are_missing: bool = False) -> Finish | None:
        """Say that it is time to end, where little came lately; None otherwise.

        Args:
            some_are_missing: It is known that not all came: one new document is worth going on.
        """
        window = min(WINDOW, max(LEAST_WINDOW, self._pages // 2))
        new = sum(list(self._new)[-window:])
        least = 1 if some_are_missing else self._worthwhile * window
        if len(self._new) < window or new >= least:
            return None
        return Finish(f"the last {window} pages brought only {counted(new, 'new document')}")
