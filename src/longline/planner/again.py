"""Planners of an update: what showed documents before, the newest, or one planner after another.

A harvest by single terms sends many queries that bring little new: what a query brings is known
only when it has come. The next time that is known. Of the queries that were sent, those are chosen
that show every document at the least cost: a set cover whose matrix is the journal.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np

from longline.covering import Matches, cover
from longline.events import AnyEvent, Discrepancy, DocumentReceived
from longline.model import Finish, Page, Query, Request, Search
from longline.planner.reports import Reports, reports_of
from longline.planner.sequential import SequentialPlanner
from longline.ports import Policy


class InTurn(Reports):
    """Let one planner finish, and then ask another for what the first left.

    Args:
        first: Says how it ended.
        make_second: Called when the first has finished.
    """

    def __init__(self, first: Policy, make_second: Callable[[], Policy]) -> None:
        self._first = first
        self._reports = reports_of(first)
        self._make_second = make_second
        self._second: Policy | None = None
        self._finish: Finish | None = None

    def next(self) -> Search | Request | Finish:
        """Say what is wanted next."""
        if self._second is None:
            action = self._first.next()
            if not isinstance(action, Finish):
                return action
            self._finish, self._second = action, self._make_second()
        action = self._second.next()
        return self._finish if isinstance(action, Finish) and self._finish else action

    def tell(self, event: AnyEvent) -> None:
        """Tell the planner whose turn it is."""
        (self._second or self._first).tell(event)

    # What is reported of the source is what the first planner reports.

    def discrepancies(self) -> tuple[Discrepancy, ...]:
        """Return all that did not add up so far."""
        return self._reports.discrepancies()

    def at_least(self) -> int:
        """Return how many documents disjoint queries have between them, by exact totals."""
        return self._reports.at_least()

    def believed_forms(self) -> str:
        """Return the rule by which the source takes forms of words for one, "" if for none."""
        return self._reports.believed_forms()

    def go_on(self, found: Sequence[DocumentReceived]) -> bool:
        """Let the first planner go on, where it can, and the second after it."""
        goes_on = self._reports.go_on(found)
        if goes_on:
            self._second = None
        return goes_on


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


class Shown:
    """What each query showed, told page by page; the newest answer counts.

    >>> shown = Shown()
    >>> shown.see(Query(("sea",)), 1, ["a", "b"])
    >>> shown.see(Query(("sea",)), 2, ["c"])
    >>> {str(query): pages for query, pages in shown.pages.items()}
    {'sea': [['a', 'b'], ['c']]}
    """

    def __init__(self) -> None:
        self.pages: dict[Query, list[list[str]]] = {}

    def see(self, query: Query, number: int, keys: Iterable[str]) -> None:
        """Take note of the rows of a result page."""
        pages = self.pages.setdefault(query, [])
        del pages[number - 1 :]
        pages.append(list(keys))

    def keys(self, query: Query) -> list[str]:
        """Return all that a query showed."""
        return [key for page in self.pages.get(query, ()) for key in page]


def worth_asking(shown: Shown, wanted: Collection[str], rng: np.random.Generator) -> list[Query]:
    """Choose queries that together showed every document, for the fewest result pages.

    Args:
        shown: What each query showed.
        wanted: Keys of the documents; those that no query showed are left out.
        rng: Breaks ties.

    Returns:
        Those that showed the most documents first.

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
    """Ask some queries, all pages of each.

    Args:
        queries: In this order.
    """

    def __init__(self, queries: Sequence[Query]) -> None:
        super().__init__()
        self._left = list(reversed(queries))

    def choose(self) -> Search | Finish:
        """Return the next query."""
        if self._left:
            return Search(self._left.pop())
        return Finish("every search that had shown documents before was asked again")
