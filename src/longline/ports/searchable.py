"""A source that a Python class answers for: an API client, a database, a library protocol."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable

from longline.errors import PageError
from longline.model import Document, Hit, Page, Query, Request

MORE = Request("more:")
"""As the `next` of a page: there is a page after it."""


class Searchable(ABC):
    """A source that answers queries, page by page, in the place of a spec.

    Methods may be coroutines; others run in a thread. What they raise is the failure of that one
    page or document, which is tried again later; `OSError` means that the source does not answer.
    A call counts as one request.

    Attributes:
        name: For the folder and the certificate.
        url: Where the source is, for people; an address of any kind.
        limit: Hits that a query shows at most; None where that is not known.
        page_size: Hits on a full page; None where that is not known.
        negation: Queries may exclude terms (`Query.excluded`).
        disjunction: Queries may give alternatives (`Query.any_of`).
        lists_all: A query without terms asks for everything.
        newest_first: Every query lists the newest documents first.
        max_terms: Terms that a query may have; None for any number.
        rate: Calls a second at most, unless the user says otherwise; None for no pause.

    Example:
        >>> class Shelf(Searchable):
        ...     name = "shelf"
        ...     titles = ["deep web", "deep sea", "web of life"]
        ...     def search(self, query, number):
        ...         found = [t for t in self.titles if set(query.required) <= set(t.split())]
        ...         return Page(tuple(Hit(t, title=t, text=t) for t in found), Total(len(found)))
        >>> from longline.model import Total
        >>> Shelf().search(Query(("deep",)), 1).keys
        ('deep web', 'deep sea')
    """

    name: str = ""
    url: str = ""
    limit: int | None = None
    page_size: int | None = None
    negation: bool = False
    disjunction: bool = False
    lists_all: bool = False
    newest_first: bool = False
    max_terms: int | None = None
    rate: float | None = None

    @abstractmethod
    def search(self, query: Query, number: int) -> Page | Awaitable[Page]:
        """Return result page `number` of a query, from 1.

        Its `next` is `MORE` where there is a page after it; `total` is what the source says that
        the query matches; a hit's `key` is what makes the document itself.
        """

    def read(self, hit: Hit) -> Document | Awaitable[Document]:
        """Return the document behind a hit; not asked for where the hit has a `text`.

        Raises:
            LookupError: There is no such document any more. A `KeyError` or an `IndexError` does
                not say that: it is a failure.
        """
        raise PageError(
            f"{self.name} gives {hit.key!r} no text", advice="give hits a text, or write `read`"
        )

    def close(self) -> Awaitable[None] | None:
        """Let go of what is held open."""
        return None
