"""A source implemented by a Python class: an API client, a database, a library protocol."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable

from longline.errors import PageError
from longline.model import Document, Hit, Page, Query, Request

MORE = Request("more:")
"""Value for `next` of a page: another page follows."""


class Searchable(ABC):
    """A source that answers queries, page by page, without a spec.

    Methods may be coroutines; others run in a thread. An exception is a failure of that one page or
    document, which is retried later; `OSError` means that the source does not answer. A call counts
    as one request.

    Attributes:
        name: For the folder and the certificate.
        url: Address of the source, of any kind, for people.
        limit: Maximum number of hits per query; None if unknown.
        page_size: Hits on a full page; None if unknown.
        negation: Queries may exclude terms (`Query.excluded`).
        disjunction: Queries may give alternatives (`Query.any_of`).
        lists_all: A query without terms matches everything.
        newest_first: Every query lists the newest documents first.
        max_terms: Maximum number of terms in a query; None for no limit.
        rate: Maximum calls per second, unless the user sets another; None for no pause.

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

        Its `next` is `MORE` if another page follows; `total` is the number of matches the source
        reports; a hit's `key` identifies the document.
        """

    def read(self, hit: Hit) -> Document | Awaitable[Document]:
        """Return the document of a hit; not called if the hit has a `text`.

        Raises:
            LookupError: The document no longer exists. A `KeyError` or an `IndexError` does not
                mean that: it is a failure.
        """
        raise PageError(
            f"{self.name} gives {hit.key!r} no text", advice="give hits a text, or write `read`"
        )

    def close(self) -> Awaitable[None] | None:
        """Close open resources."""
        return None
