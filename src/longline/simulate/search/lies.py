"""Answers that are not what they should be.

A lie is a small value that is asked for a page, may ask the honest box (or the next lie)
for any page, and answers something else. Those of `bench.faulty.lies` are told to try harvests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import msgspec

from longline.model import Document, Facet, Page, Query
from longline.simulate.search.searcher import Box, Counts

Ask = Callable[[Query, int], Page]


class Lie(Protocol):
    """One way in which a result page can be wrong; the same question gets the same answer."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Return result page `number` of a query, or what passes for it.

        Args:
            query: As it was asked.
            number: From 1.
            ask: Gives the page that would have been shown without this lie.
        """


@dataclass(frozen=True)
class TruncatedQuery:
    """Only the first `terms` terms of a query are read, and nobody is told."""

    terms: int = 5

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Leave out the rest: required terms come first, then alternatives, then excluded ones."""
        required = query.required[: self.terms]
        any_of = query.any_of[: self.terms - len(required)]
        excluded = query.excluded[: self.terms - len(required) - len(any_of)]
        short = msgspec.structs.replace(query, required=required, any_of=any_of, excluded=excluded)
        return ask(short, number)


class Liar:
    """A search box that tells lies about its pages, and nothing else.

    Args:
        box: The honest box, or another liar.
        lies: The first is told last: it sees what the others made of a page.

    >>> from longline.simulate.search.searcher import Searcher
    >>> box = Searcher([Document("a", text="web"), Document("b", text="deep web")])
    >>> [hit.key for hit in Liar(box, TruncatedQuery(1)).search(Query(("web", "deep"))).hits]
    ['a', 'b']
    """

    def __init__(self, box: Box, *lies: Lie) -> None:
        self.box = box
        self.lies = lies
        self._ask: Ask = box.search
        for lie in reversed(lies):
            self._ask = partial(lie.tell, ask=self._ask)

    @property
    def limit(self) -> int | None:
        """The return limit of the honest box."""
        return self.box.limit

    @property
    def page_size(self) -> int:
        """The page size of the honest box."""
        return self.box.page_size

    @property
    def counts(self) -> Counts:
        """The kind of totals of the honest box."""
        return self.box.counts

    @property
    def facets(self) -> tuple[Facet, ...]:
        """What the honest box has."""
        return self.box.facets

    @property
    def lists_all(self) -> bool:
        """What the honest box does without words."""
        return self.box.lists_all

    @property
    def boolean(self) -> bool:
        """Whether the honest box knows NOT."""
        return self.box.boolean

    def search(self, query: Query, number: int = 1) -> Page:
        """Return what passes for result page `number` (from 1) of a query."""
        return self._ask(query, number)

    def document(self, key: str) -> Document | None:
        """Return the document with this key, or None: documents are honest."""
        return self.box.document(key)
