"""Count the documents of a source that takes no words, by the totals of its parts."""

from collections.abc import Callable, Sequence
from itertools import product
from math import ceil, prod

from longline.events import AnyEvent, PageReceived
from longline.model import Facet, Filter, Finish, Page, Query, Search
from longline.ports import Asking, GeneratorPolicy


class PartsSurvey(GeneratorPolicy[Search, Page]):
    """Ask for the first page of everything, or of each value of the facets that are required.

    Args:
        facets: Those of the source.

    Attributes:
        parts: Number of parts.
        pages: First pages that came.

    >>> survey = PartsSurvey([Facet("court", "list", ("A", "B"), required=True)])
    >>> survey.next().query.filters
    (Filter(facet='court', low='A', high=''),)
    """

    def __init__(self, facets: Sequence[Facet]) -> None:
        self._values = [_filters(facet) for facet in facets if facet.required]
        self.parts = prod(map(len, self._values))
        self.pages: list[Page] = []
        super().__init__(self._planned())

    def _planned(self) -> Asking[Finish]:
        for filters in product(*self._values):
            page = yield Search(Query((), filters=filters))
            self.pages += [] if page is None else [page]
        return Finish("the first page of each part was read")

    def tell(self, event: AnyEvent) -> None:
        """Take a page that came."""
        if isinstance(event, PageReceived):
            self.came = event.page

    @property
    def documents(self) -> int | None:
        """The documents of all parts, from the totals of those that came; None if unknown."""
        return self._of_all(lambda count: count)

    def result_pages(self, page_size: int) -> int | None:
        """Return how many pages all parts have together; None if unknown."""
        return self._of_all(lambda count: max(1, ceil(count / page_size)))

    def _of_all(self, measure: Callable[[int], int]) -> int | None:
        """Return a sum over all parts, if the counts of those that came are known."""
        counts = [each for page in self.pages if (each := _documents(page)) is not None]
        if not counts or len(counts) < len(self.pages):
            return None
        return round(sum(map(measure, counts)) * self.parts / len(counts))


def _filters(facet: Facet) -> list[Filter]:
    if facet.values:
        return [Filter(facet.name, value) for value in facet.values]
    return [Filter(facet.name, facet.low, facet.high)]


def _documents(page: Page) -> int | None:
    if page.total is not None:
        return page.total.documents
    return len(page.hits) if page.next is None else None
