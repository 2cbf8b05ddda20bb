"""Wrong answers of a source: the same lies in memory, as HTML and as JSON.

A lie is a small object that answers requests for a page. It may ask the honest box (or the next
lie) for any page, and returns something different:

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
    """One way in which a result page can be wrong; the same query always gets the same answer."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Return result page `number` of a query, with the lie applied.

        Args:
            query: The query.
            number: Page number, from 1.
            ask: Returns the page without this lie.
        """


@dataclass(frozen=True)
class RepeatedPage:
    """Page `number` repeats the rows of page `of`; its own rows are never shown."""

    number: int = 2
    of: int = 1

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Replace the rows of one page; total and next page stay."""
        page = ask(query, number)
        if number != self.number or not page.hits:
            return page
        return msgspec.structs.replace(page, hits=ask(query, self.of).hits)


@dataclass(frozen=True)
class EmptyPage:
    """Page `number` has no rows and no next page, as if there were nothing."""

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
        """Shorten one page; total and next page stay."""
        page = ask(query, number)
        if number != self.number:
            return page
        return msgspec.structs.replace(page, hits=page.hits[: -self.missing or None])


@dataclass(frozen=True)
class SamePageForEver:
    """Every page is the first one again, and announces a next page."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Return the first page again."""
        page = ask(query, 1)
        return msgspec.structs.replace(page, next=page.next or Request("memory:again"))


@dataclass(frozen=True)
class ShuffledPages:
    """The order of hits changes from page to page, so that pages overlap and miss hits."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Draw a page's rows from all rows of the query."""
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
    """A share of the documents is counted and takes places in answers, but is never shown.

    As if they were hidden from visitors, or deleted after they were indexed.
    """

    share: float = 0.1

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Leave these documents out; total and next page stay."""
        page = ask(query, number)
        hits = tuple(hit for hit in page.hits if not self.withholds(hit.key))
        return msgspec.structs.replace(page, hits=hits)

    def withholds(self, key: str) -> bool:
        """Return whether the document with this key is withheld."""
        return Random(f"withheld {key}").random() < self.share


@dataclass(frozen=True)
class ScaledTotals:
    """Totals are multiplied by a factor."""

    factor: float = 10.0

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Report a total that is too high or too low."""
        return _claim(ask(query, number), lambda true: int(true * self.factor))


@dataclass(frozen=True)
class ClampedTotals:
    """Totals are capped at `most`."""

    most: int = 1000

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Report at most that number."""
        return _claim(ask(query, number), lambda true: min(true, self.most))


@dataclass(frozen=True)
class PageTotals:
    """Totals are the number of rows on the page."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Report the number of visible rows."""
        page = ask(query, number)
        return _claim(page, lambda _: len(page.hits))


@dataclass(frozen=True)
class GrowingTotals:
    """Totals are the rows so far, plus `more` if there is a next page."""

    more: int = 1

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Report the rows seen so far, and some more."""
        page = ask(query, number)
        before = sum(len(ask(query, place).hits) for place in range(1, number))
        more = 0 if page.next is None else self.more
        return _claim(page, lambda _: before + len(page.hits) + more)


@dataclass(frozen=True)
class RoundedTotals:
    """Totals are rounded to a multiple of `to`."""

    to: int = 100

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Report a rounded total."""
        return _claim(ask(query, number), lambda true: self.to * round(true / self.to))


def _claim(page: Page, reported: Callable[[int], int]) -> Page:
    if page.total is None:
        return page
    total = Total(reported(page.total.documents), page.total.relation)
    return msgspec.structs.replace(page, total=total)


@dataclass(frozen=True)
class IgnoredNot:
    """Excluded terms are ignored."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Answer the query without its NOT."""
        return ask(msgspec.structs.replace(query, excluded=()), number)


@dataclass(frozen=True)
class NotAsWord:
    """NOT is read as a word, and the excluded terms are required."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Require the word "not" and the excluded terms, too."""
        words = (*query.excluded, "not") if query.excluded else ()
        whole = (*query.required, *words)
        return ask(msgspec.structs.replace(query, required=whole, excluded=()), number)


@dataclass(frozen=True)
class OrForAnd:
    """A document that has any of the required terms matches."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Treat required terms as alternatives."""
        if len(query.required) < 2:
            return ask(query, number)
        return ask(Query((), query.excluded, query.required), number)


@dataclass(frozen=True)
class TruncatedQuery:
    """Only the first `terms` terms of a query are used, without a notice."""

    terms: int = 5

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Drop the other terms."""
        return ask(first_terms(query, self.terms), number)


@dataclass(frozen=True)
class StandIns:
    """If nothing matches, the hits of another query are shown, with its total."""

    query: Query

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Return that query's page if nothing matches."""
        page = ask(query, number)
        return page if ask(query, 1).hits else ask(self.query, number)


@dataclass(frozen=True)
class RandomStandIns:
    """If nothing matches, random documents are shown and counted: others for each query."""

    shown: tuple[Hit, ...]
    rows: int = 10

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Return random hits if nothing matches."""
        if ask(query, 1).hits:
            return ask(query, number)
        drawn = Random(str(query)).sample(self.shown, min(self.rows, len(self.shown)))
        return Page(tuple(drawn) if number == 1 else (), Total(len(drawn)))


@dataclass(frozen=True)
class ShardDown:
    """One shard is down, another one per query: its documents are neither shown nor counted.

    Attributes:
        boxes: Each lacks the documents of one shard.
    """

    boxes: tuple[Box, ...]

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Answer without one of the shards."""
        return Random(str(query)).choice(self.boxes).search(query, number)


@dataclass(frozen=True)
class ShortWords:
    """Words with fewer than `least` letters are ignored anywhere in a query."""

    least: int = 4

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Remove these words."""
        return ask(_only(query, lambda term: len(term) >= self.least), number)


@dataclass(frozen=True)
class StopWords:
    """Some words are ignored anywhere in a query."""

    words: frozenset[str]

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Remove these words."""
        return ask(_only(query, lambda term: term not in self.words), number)


def _only(query: Query, keeps: Callable[[str], bool]) -> Query:
    kept = {
        name: tuple(filter(keeps, getattr(query, name)))
        for name in ("required", "excluded", "any_of")
    }
    return msgspec.structs.replace(query, **kept)


class FaultySource:
    """A search box that applies lies to its result pages; all else is honest.

    Args:
        box: The honest box, or another lying one.
        lies: The first is applied last, to the pages that the others return.

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
        """How the honest box orders its hits."""
        return self.box.ranking

    @property
    def counts(self) -> Counts:
        """The kind of totals of the honest box."""
        return self.box.counts

    @property
    def facets(self) -> tuple[Facet, ...]:
        """The facets of the honest box."""
        return self.box.facets

    @property
    def lists_all(self) -> bool:
        """Whether the honest box lists everything for a search without words."""
        return self.box.lists_all

    @property
    def boolean(self) -> bool:
        """Whether the honest box supports NOT."""
        return self.box.boolean

    def search(self, query: Query, number: int = 1) -> Page:
        """Return result page `number` (from 1) of a query, with the lies applied."""
        return self._ask(query, number)

    def document(self, key: str) -> Document | None:
        """Return the document with this key, or None; documents are always honest."""
        return self.box.document(key)
