"""What the queries of a probe brought: the first page of each."""

from __future__ import annotations

from longline.model import Page, Query


class Answers:
    """The documents on first pages, and the totals that these claim.

    Attributes:
        pages: Queries, and the keys of the hits on the first page of each, in order.
        totals: Of single words that anything matches, by the word.
        largest: The largest total; None where there is none.

    >>> from longline.model import Hit, Total
    >>> answers = Answers()
    >>> answers.see(Query(("deep",)), Page((Hit("a"), Hit("b")), Total(7)))
    >>> answers.see(Query(("deep",), ("sea",)), Page((Hit("a"),), Total(5)))
    >>> answers.seen, answers.totals, answers.largest
    (2, {'deep': 7}, 7)
    """

    def __init__(self) -> None:
        self.pages: list[tuple[Query, frozenset[str]]] = []
        self.totals: dict[str, int] = {}
        self.largest: int | None = None
        self._keys: set[str] = set()

    def see(self, query: Query, page: Page) -> None:
        """Take note of a query's first page."""
        keys = frozenset(hit.key for hit in page.hits)
        self.pages.append((query, keys))
        self._keys |= keys
        if page.total is None:
            return
        self.largest = max(self.largest or 0, page.total.documents)
        if page.total.documents and len(query.required) == 1 and not query.excluded:
            self.totals[query.required[0]] = page.total.documents

    @property
    def seen(self) -> int:
        """Different documents on the pages that came."""
        return len(self._keys)
