"""The base of most strategies: choose a query, read all its pages, choose the next."""

from longline.events import AnyEvent, DocumentReceived, PageReceived
from longline.model import Document, Finish, Page, Query, Search
from longline.planner.observed import Arrival


class SequentialPlanner:
    """A policy that reads each query to its last page before it chooses another.

    A strategy overrides `choose`, and `learn` or `see` if it learns from answers. A page without
    rows, or one that repeats the page before it, ends its query. So a source that always offers a
    next page cannot keep the planner busy for ever.
    """

    def __init__(self) -> None:
        self._current: Search | None = None
        self._more = False
        self._last_keys: tuple[str, ...] = ()
        self.sent: set[Query] = set()

    def choose(self) -> Search | Finish:
        """Return the first page of a query not in `sent`, a page skipped before, or a Finish."""
        raise NotImplementedError

    def see(self, query: Query, number: int, page: Page) -> None:
        """Learn from a result page."""

    def learn(self, document: Document) -> None:
        """Learn from a document; called once for each."""

    def take(self, arrival: Arrival) -> None:
        """Learn from a document that another planner found."""
        self.learn(arrival.as_document())

    def wants_page(self, query: Query, number: int) -> bool:
        """Return whether to request page `number` > 1 of a query, if it exists."""
        return True

    def next(self) -> Search | Finish:
        """Return the next page to request, or the end."""
        if self._current is not None and self._more:
            search = Search(self._current.query, self._current.number + 1)
            if self.wants_page(search.query, search.number):
                return self._ask(search)
        choice = self.choose()
        if isinstance(choice, Finish):
            return choice
        self._last_keys = ()
        self.sent.add(choice.query)
        return self._ask(choice)

    def _ask(self, search: Search) -> Search:
        self._current, self._more = search, False
        return search

    def tell(self, event: AnyEvent) -> None:
        """Process a result page or a document."""
        match event:
            case PageReceived(page=page) if page.is_lost:
                self._more = True
            case PageReceived(query, number, page):
                keys = page.keys
                self._more = page.next is not None and bool(keys) and keys != self._last_keys
                self._last_keys = keys
                self.see(query, number, page)
            case DocumentReceived(document):
                self.learn(document)
