"""Planners for updates: repeat useful queries, read the newest first, or run two planners in turn.

A harvest by single terms sends many queries that bring little new, because nobody knows in advance
what a query brings. For an update that is known from the journal. So `worth_asking` solves a set
cover over the journal: the cheapest queries that together showed every document.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np

from longline.covering import Matches, cover
from longline.events import AnyEvent, Discrepancy, DocumentReceived, SizeEstimate
from longline.model import Finish, Page, Query, Request, Search
from longline.planner.reports import Reports, reports_of
from longline.planner.sequential import SequentialPlanner
from longline.ports import Policy


class InTurn(Reports):
    """Run one planner to its end, then a second one for what the first left.

    Args:
        first: The first planner; the final result is the one it finished with.
        make_second: Called when the first has finished.
    """

    def __init__(self, first: Policy, make_second: Callable[[], Policy]) -> None:
        self._first = first
        self._reports = reports_of(first)
        self._make_second = make_second
        self._second: Policy | None = None
        self._finish: Finish | None = None

    def next(self) -> Search | Request | Finish:
        """Return the next request, or the end."""
        if self._second is None:
            action = self._first.next()
            if not isinstance(action, Finish):
                return action
            self._finish, self._second = action, self._make_second()
        action = self._second.next()
        return self._finish if isinstance(action, Finish) and self._finish else action

    def tell(self, event: AnyEvent) -> None:
        """Pass the event to the planner that is running."""
        (self._second or self._first).tell(event)

    # Reports about the source come from the first planner.

    def discrepancies(self) -> tuple[Discrepancy, ...]:
        """Return all discrepancies found so far."""
        return self._reports.discrepancies()

    def at_least(self) -> int:
        """Return how many documents disjoint queries match together, by exact totals."""
        return self._reports.at_least()

    def listed(self) -> int:
        """Return how many documents the source's complete list names, or 0 if it has none."""
        return self._reports.listed()

    def size(self) -> SizeEstimate | None:
        """Return the number of documents, if every answer of the source gives it; else None."""
        return self._reports.size()

    def split(self) -> tuple[Query, ...]:
        """Return the overflowing queries that were replaced by queries for their parts."""
        return self._reports.split()

    def believed_forms(self) -> str:
        """Return the rule by which the source merges word forms, or "" if it merges none."""
        return self._reports.believed_forms()

    def go_on(self, found: Sequence[DocumentReceived]) -> bool:
        """Let the first planner continue, where it can, and the second one after it."""
        goes_on = self._reports.go_on(found)
        if goes_on:
            self._second = None
        return goes_on


KNOWN_PAGES = 2
"""After this many pages in a row with only known documents, nothing new is expected."""


class NewestFirst(SequentialPlanner):
    """Request all documents, newest first, until pages show only known ones.

    Args:
        known: Keys of the documents held before this update.
        was_complete: The harvest before was complete; if not, this one is not either.
    """

    def __init__(self, known: Collection[str], *, was_complete: bool = True) -> None:
        super().__init__()
        self._known = known
        self._was_complete = was_complete
        self._pages_known = 0

    def see(self, query: Query, number: int, page: Page) -> None:
        """Count consecutive pages that show only known documents."""
        is_known = all(key in self._known for key in page.keys)
        self._pages_known = self._pages_known + 1 if is_known else 0

    def wants_page(self, query: Query, number: int) -> bool:
        """Return whether the next pages may show new documents."""
        return self._pages_known < KNOWN_PAGES

    def choose(self) -> Search | Finish:
        """Return the query for everything, or the end if it was already sent."""
        if not self.sent:
            return Search(Query(()))
        reason = "the list was read from the newest document to those that were known"
        return _as_before(reason, self._was_complete)


class Shown:
    """The documents that each query showed, page by page; newer answers replace older ones.

    >>> shown = Shown()
    >>> shown.see(Query(("sea",)), 1, ["a", "b"])
    >>> shown.see(Query(("sea",)), 2, ["c"])
    >>> {str(query): pages for query, pages in shown.pages.items()}
    {'sea': [['a', 'b'], ['c']]}
    """

    def __init__(self) -> None:
        self.pages: dict[Query, list[list[str]]] = {}

    def see(self, query: Query, number: int, keys: Iterable[str]) -> None:
        """Store the keys on a result page, and drop the pages after it."""
        pages = self.pages.setdefault(query, [])
        del pages[number - 1 :]
        pages.append(list(keys))

    def keys(self, query: Query) -> list[str]:
        """Return the keys of all documents that a query showed."""
        return [key for page in self.pages.get(query, ()) for key in page]


def worth_asking(shown: Shown, wanted: Collection[str], rng: np.random.Generator) -> list[Query]:
    """Choose queries that together showed every document, with the fewest result pages.

    Args:
        shown: What each query showed.
        wanted: Keys of the documents to cover; those that no query showed are left out.
        rng: Breaks ties.

    Returns:
        The queries, sorted by how many documents they showed, most first.

    >>> shown = Shown()
    >>> for word, keys in ("sea", "abc"), ("deep", "ab"), ("web", "d"):
    ...     shown.see(Query((word,)), 1, keys)
    >>> [str(query) for query in worth_asking(shown, "abcd", np.random.default_rng(0))]
    ['sea', 'web']
    """
    number: dict[str, int] = {}
    found_by = {
        query: {number.setdefault(key, len(number)) for key in shown.keys(query) if key in wanted}
        for query in shown.pages
    }
    queries = [query for query, keys in found_by.items() if keys]
    if not queries:
        return []
    columns = [sorted(found_by[query]) for query in queries]
    starts = np.concatenate([[0], np.cumsum([len(column) for column in columns])])
    rows = np.concatenate(columns).astype(np.int32)
    cost = np.array([len(shown.pages[query]) for query in queries], dtype=float)
    found = cover(Matches(starts.astype(np.int64), rows, len(number)), cost=cost, rng=rng)
    return [queries[column] for column in sorted(found.queries, key=lambda j: -len(columns[j]))]


class AskAgain(SequentialPlanner):
    """Send given queries, and read all pages of each.

    Args:
        queries: Sent in this order.
        was_complete: The harvest before was complete; if not, this one is not either.
    """

    def __init__(self, queries: Sequence[Query], *, was_complete: bool = True) -> None:
        super().__init__()
        self._left = list(reversed(queries))
        self._was_complete = was_complete

    def choose(self) -> Search | Finish:
        """Return the next query, or the end if none is left."""
        if self._left:
            return Search(self._left.pop())
        reason = "every search that had shown documents before was asked again"
        return _as_before(reason, self._was_complete)


def _as_before(reason: str, was_complete: bool) -> Finish:
    """Return the end of a planner that looks only where the harvest before had looked."""
    lacked = "" if was_complete else "; the harvest before was not complete"
    return Finish(f"{reason}{lacked}", was_complete)
