"""Read a source that lists its newest documents first, until nothing new comes."""

from __future__ import annotations

from collections.abc import Collection

from longline.model import Finish, Page, Query, Search
from longline.planner.sequential import SequentialPlanner

KNOWN_PAGES = 2
"""Pages in a row without anything new after which nothing new is expected."""


class NewestFirst(SequentialPlanner):
    """Ask for everything, the newest first, until pages bring only what is known.

    Args:
        known: Keys of the documents that were held before.
    """

    def __init__(self, known: Collection[str]) -> None:
        super().__init__()
        self._known = known
        self._pages_known = 0

    def see(self, query: Query, number: int, page: Page) -> None:
        """Count the pages in a row that bring only what is known."""
        is_known = all(key in self._known for key in page.keys)
        self._pages_known = self._pages_known + 1 if is_known else 0

    def wants_page(self, query: Query, number: int) -> bool:
        """Say whether something new may come yet."""
        return self._pages_known < KNOWN_PAGES

    def choose(self) -> Search | Finish:
        """Return the search for everything; once it was read, the end."""
        if not self.sent:
            return Search(Query(()))
        return Finish("the list was read from the newest document to those that were known")
