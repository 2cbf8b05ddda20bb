"""False responses with status 200: wrong result pages and documents."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from bench.faulty.lies import Ask, Lie
from tests.honesty.stage import ReadLie, Stage, When, with_text

from longline.model import Document, Hit, Page, Query, Total
from longline.simulate import Searcher

POPULAR = Query(("string",))
"""A popular query, whose first page replaces other pages."""

MakeLie = Callable[[Stage, Searcher], Lie]


@dataclass(frozen=True)
class Sometimes:
    """Another lie, told only for some requests."""

    stage: Stage
    when: When
    lie: Lie

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Return the false page if `when` holds, and the true one otherwise."""
        told = self.when.holds(self.stage, f"{query} {number}", self.stage.searches)
        return self.lie.tell(query, number, ask) if told else ask(query, number)


@dataclass(frozen=True)
class Nothing:
    """The site's own page without results."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Return a page without hits, and with total 0 if the site reports totals."""
        honest = ask(query, number)
        return Page(total=None if honest.total is None else Total(0))


@dataclass(frozen=True)
class PopularList:
    """Every query returns the same ten popular documents."""

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Return them on the first page, with no next page."""
        return Page() if number > 1 else _alone(ask(POPULAR, 1))


@dataclass(frozen=True)
class RandomStandIns:
    """A query without matches returns ten random documents, different ones each time."""

    stage: Stage
    box: Searcher

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Return random documents if the query has no match."""
        page = ask(query, number)
        if ask(query, 1).hits or number > 1:
            return page
        drawn = self.stage.random("stand-ins", query, self.stage.searches)
        hits = [Hit(d.key, title=d.title) for d in drawn.sample(self.box.documents, 10)]
        return _alone(msgspec.structs.replace(page, hits=tuple(hits)))


def _alone(page: Page) -> Page:
    """Return a page with these hits as a complete answer, without a next page."""
    total = None if page.total is None else Total(len(page.hits))
    return Page(hits=page.hits, total=total)


@dataclass(frozen=True)
class SamePage:
    """Every page of an answer shows the rows of the first page.

    Attributes:
        listings: Only the listing of everything does so.
        ends: The pages end where the true ones would; otherwise there is always a next page.
    """

    listings: bool = False
    ends: bool = True

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Return the hits of the first page, with the total of the requested page."""
        if self.listings and (query.wanted or query.excluded):
            return ask(query, number)
        page, first = ask(query, number), ask(query, 1)
        onward = page.next if self.ends else first.next
        return msgspec.structs.replace(page, hits=first.hits, next=onward)


@dataclass(frozen=True)
class LongQueriesCut:
    """A query of three or more terms shows only its first ten rows, and claims to be complete."""

    terms: int = 3

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Return the shortened answer to a long query."""
        if len(query.required) < self.terms:
            return ask(query, number)
        return Page() if number > 1 else _alone(ask(query, 1))


@dataclass(frozen=True)
class Filtered:
    """An index that skips different documents for each query; totals count only the rest.

    This simulates a search where one of three shards does not answer.
    """

    stage: Stage
    box: Searcher
    share: float = 1 / 3

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Search the remaining documents."""
        keys = [key for key in self.box.keys(query, shown=False) if not self._is_out(query, key)]
        page, begin = ask(query, number), (number - 1) * self.box.page_size
        end = begin + self.box.page_size
        shown = keys[: self.box.limit]
        documents = filter(None, map(self.box.document, shown[begin:end]))
        total = None if page.total is None else Total(len(keys), page.total.relation)
        hits = tuple(Hit(d.key, title=d.title, snippet=d.text[:160]) for d in documents)
        onward = ask(query, 1).next if end < len(shown) else None
        return Page(hits=hits, total=total, next=onward)

    def _is_out(self, query: Query, key: str) -> bool:
        return self.stage.random("shard", query, key).random() < self.share


@dataclass(frozen=True)
class HeldBack:
    """Some documents are counted and take up places in answers, but are never shown."""

    keys: frozenset[str]

    def tell(self, query: Query, number: int, ask: Ask) -> Page:
        """Remove these documents from the page."""
        page = ask(query, number)
        hits = tuple(hit for hit in page.hits if hit.key not in self.keys)
        return msgspec.structs.replace(page, hits=hits)


def sometimes(when: When, lie: Lie) -> MakeLie:
    """Return a lie that is told when `when` holds."""
    return lambda stage, box: Sometimes(stage, when, lie)


def always(lie: Lie) -> MakeLie:
    """Return a lie that is always told."""
    return lambda stage, box: lie


STUB = "This document is not available."
STUB_TITLE = "Not available"

Keys = Callable[[Stage], frozenset[str]]


def stub(when: When, *, keys: Keys | None = None, same_title: bool = False) -> ReadLie:
    """Replace documents by one text, with status 200.

    Args:
        when: Which reads are replaced, by the number of documents read.
        keys: Replace only these documents; None for all.
        same_title: Keep the document's own title.
    """

    def lie(stage: Stage, document: Document) -> Document:
        is_one = keys is None or document.key in keys(stage)
        if not (is_one and when.holds(stage, document.key, stage.reads)):
            return document
        return with_text(document, document.title if same_title else STUB_TITLE, STUB)

    return lie
