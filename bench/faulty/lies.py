"""Answers that are not what they should be: the same lies in memory, as HTML and as JSON.

A lie is a small value that is asked for a page, may ask the honest box (or the next lie)
for any page, and answers something else:

    FaultySource(searcher, ShortPage(number=1, missing=3), EmptyPage(number=2))

To add one, write a frozen dataclass with `tell`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import count
from random import Random
from typing import Protocol

import msgspec

from longline.model import Document, Facet, Hit, Page, Query, Request, Total
from longline.simulate.search.dialect import first_terms
from longline.simulate.search.searcher import Box, Counts, Ranking

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
class RepeatedPage:
    """Page `number` shows the rows of page `of` again; its own rows are never shown."""

    number: int = 2
    of: int = 1

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Swap the rows of one page; total and next stay its own."""
        page = ask(query, number)
        if number != self.number or not page.hits:
            return page
        return msgspec.structs.replace(page, hits=ask(query, self.of).hits)


@dataclass(frozen=True)
class EmptyPage:
    """Page `number` comes without rows and without a next, as if nothing were there."""

    number: int = 2

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Empty one page; its total stays."""
        page = ask(query, number)
        return Page(total=page.total) if number == self.number else page


@dataclass(frozen=True)
class ShortPage:
    """Page `number` lacks its last `missing` rows, which no other page shows."""

    number: int = 1
    missing: int = 1

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Cut one page; total and next stay its own."""
        page = ask(query, number)
        if number != self.number:
            return page
        return msgspec.structs.replace(page, hits=page.hits[: -self.missing or None])


@dataclass(frozen=True)
class SamePageForEver:
    """Every page is the first, and says that another follows."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Show the first page again."""
        page = ask(query, 1)
        return msgspec.structs.replace(page, next=page.next or Request("memory:again"))


@dataclass(frozen=True)
class ShuffledPages:
    """The order of hits changes from page to page, so that pages overlap and leave out."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Draw a page's rows from all that the query shows."""
        page = ask(query, number)
        hits: list[Hit] = []
        for place in count(1):
            shown = ask(query, place)
            hits += shown.hits
            if shown.next is None or not shown.hits:
                break
        drawn = Random(f"{query} {number}").sample(hits, len(page.hits))
        return msgspec.structs.replace(page, hits=tuple(drawn))


@dataclass(frozen=True)
class WithheldDocuments:
    """A share of the documents is counted, and takes places in answers, but is never shown.

    As where some are kept from visitors, or gone since they were indexed.
    """

    share: float = 0.1

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Leave them out; total and next stay as they are."""
        page = ask(query, number)
        hits = tuple(hit for hit in page.hits if not self.withholds(hit.key))
        return msgspec.structs.replace(page, hits=hits)

    def withholds(self, key: str) -> bool:
        """Say whether the document with this key is one of them."""
        return Random(f"withheld {key}").random() < self.share


@dataclass(frozen=True)
class ScaledTotals:
    """Totals are so many times the truth."""

    factor: float = 10.0

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Claim too much, or too little."""
        return _claim(ask(query, number), lambda true: int(true * self.factor))


@dataclass(frozen=True)
class ClampedTotals:
    """What matches more is said to match so many."""

    most: int = 1000

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Claim no more than that."""
        return _claim(ask(query, number), lambda true: min(true, self.most))


@dataclass(frozen=True)
class PageTotals:
    """Totals are the rows of the page."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Claim what is there to see."""
        page = ask(query, number)
        return _claim(page, lambda _: len(page.hits))


@dataclass(frozen=True)
class GrowingTotals:
    """Totals are the rows so far, and so many more where another page follows."""

    more: int = 1

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Claim what was seen, and that there is more."""
        page = ask(query, number)
        before = sum(len(ask(query, place).hits) for place in range(1, number))
        more = 0 if page.next is None else self.more
        return _claim(page, lambda _: before + len(page.hits) + more)


@dataclass(frozen=True)
class RoundedTotals:
    """Totals are rounded to so many documents."""

    to: int = 100

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Claim a round number."""
        return _claim(ask(query, number), lambda true: self.to * round(true / self.to))


def _claim(page: Page, reported: Callable[[int], int]) -> Page:
    if page.total is None:
        return page
    total = Total(reported(page.total.documents), page.total.relation)
    return msgspec.structs.replace(page, total=total)


@dataclass(frozen=True)
class IgnoredNot:
    """Excluded terms are not read."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Answer the query without its NOT."""
        return ask(msgspec.structs.replace(query, excluded=()), number)


@dataclass(frozen=True)
class NotAsWord:
    """NOT is taken for a word, and the excluded terms are required."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Ask for the word "not" too."""
        words = (*query.excluded, "not") if query.excluded else ()
        whole = (*query.required, *words)
        return ask(msgspec.structs.replace(query, required=whole, excluded=()), number)


@dataclass(frozen=True)
class OrForAnd:
    """A document that holds any of the terms is a match."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Take required terms for alternatives."""
        if len(query.required) < 2:
            return ask(query, number)
        return ask(Query((), query.excluded, query.required), number)


@dataclass(frozen=True)
class TruncatedQuery:
    """Only the first `terms` terms of a query are read, and nobody is told."""

    terms: int = 5

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Leave out the rest."""
        return ask(first_terms(query, self.terms), number)


@dataclass(frozen=True)
class StandIns:
    """Where nothing matches, what another query finds is shown, with its total."""

    query: Query

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Show that."""
        page = ask(query, number)
        return page if ask(query, 1).hits else ask(self.query, number)


@dataclass(frozen=True)
class RandomStandIns:
    """Where nothing matches, some documents are shown, with their number: others for each query."""

    shown: tuple[Hit, ...]
    rows: int = 10

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Show these."""
        if ask(query, 1).hits:
            return ask(query, number)
        drawn = Random(str(query)).sample(self.shown, min(self.rows, len(self.shown)))
        return Page(tuple(drawn) if number == 1 else (), Total(len(drawn)))


@dataclass(frozen=True)
class ShardDown:
    """For each query one shard is down: its documents are neither shown nor counted.

    Attributes:
        boxes: Each lacks the documents of another shard.
    """

    boxes: tuple[Box, ...]

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Answer by the others."""
        return Random(str(query)).choice(self.boxes).search(query, number)


@dataclass(frozen=True)
class ShortWords:
    """Words of fewer letters are passed over wherever they stand in a query."""

    least: int = 4

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Leave them out."""
        return ask(_only(query, lambda term: len(term) >= self.least), number)


@dataclass(frozen=True)
class StopWords:
    """Some words are passed over wherever they stand in a query."""

    words: frozenset[str]

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Leave them out."""
        return ask(_only(query, lambda term: term not in self.words), number)


def _only(query: Query, keeps: Callable[[str], bool]) -> Query:
    kept = {
        name: tuple(filter(keeps, getattr(query, name)))
        for name in ("required", "excluded", "any_of")
    }
    return msgspec.structs.replace(query, **kept)


class FaultySource:
    """A search box that tells lies about its pages, and nothing else.

    Args:
        box: The honest box, or another liar.
        lies: The first is told last: it sees what the others made of a page.

    >>> from longline.simulate.search.searcher import Searcher
    >>> box = Searcher([Document("a", text="web"), Document("b", text="web")])
    >>> [hit.key for hit in FaultySource(box, ShortPage(missing=1)).search(Query(("web",))).hits]
    ['a']
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
    def ranking(self) -> Ranking:
        """How the honest box orders what matches."""
        return self.box.ranking

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
