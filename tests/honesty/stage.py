"""A search site in the middle of a case: what it holds, and what it showed so far."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Literal

import msgspec

from longline.model import Document, Facet, Page, Query
from longline.simulate import Searcher, read_corpus
from longline.simulate.search.searcher import Box, Counts

FOREVER = 10**9
DOCUMENTS = 600
PAGE_SIZE = 10
LIMITED = 6
"""The return limit is so many times smaller than the site."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """What a site is like when nothing is wrong with it.

    Attributes:
        form: "html": pages and a form; "json": an API.
        lists_all: A search without words finds everything.
    """

    form: Literal["html", "json"] = "html"
    counts: Counts = "exact"
    boolean: bool = True
    lists_all: bool = False

    def __str__(self) -> str:
        words = [self.form, self.counts, "boolean" if self.boolean else "plain"]
        return " ".join([*words, *(["lists"] if self.lists_all else [])])


@dataclass
class Stage:
    """What a case's site is made of, and what became of it so far.

    Attributes:
        documents: All behind the search.
        run: Of the harvest, from 1.
        searches: Result pages asked for, over all runs.
        reads: Documents asked for, likewise.
        shown: Keys that some result page showed.
        served: Keys whose true text went out.
        queries: Different queries, as typed, in their order.
        is_away: Nobody answers any more in this run.
    """

    documents: tuple[Document, ...]
    seed: int = 0
    run: int = 1
    searches: int = 0
    reads: int = 0
    shown: set[str] = field(default_factory=set)
    served: set[str] = field(default_factory=set)
    queries: dict[str, None] = field(default_factory=dict)
    is_away: bool = False

    def random(self, *names: object) -> Random:
        """Return the random numbers that these names stand for: the same each time."""
        return Random(" ".join(map(str, (self.seed, *names))))

    def choose(self, name: str, documents: int) -> frozenset[str]:
        """Choose so many keys at random: the same for the same name."""
        keys = sorted(document.key for document in self.documents)
        return frozenset(self.random(name).sample(keys, documents))


@dataclass(frozen=True, kw_only=True)
class When:
    """Which of the requests that could go wrong do.

    Attributes:
        after: So many are spared at first, where there are 600 documents; of fewer, fewer.
        share: Of the others, drawn at random.
        lasting: What was asked decides the draw, so that asking again changes nothing.
        runs: Only in the first so many runs of the harvest.
    """

    after: int = 0
    share: float = 1.0
    lasting: bool = False
    runs: int = FOREVER

    def holds(self, stage: Stage, what: str, count: int) -> bool:
        """Say whether request number `count` (from 1), which asked for `what`, goes wrong."""
        spared = -(-self.after * len(stage.documents) // DOCUMENTS)
        if stage.run > self.runs or count <= spared:
            return False
        drawn = stage.random(what) if self.lasting else stage.random(what, count)
        return drawn.random() < self.share


ReadLie = Callable[[Stage, Document], Document]
"""Makes another document of the one that was asked for."""


class Witness:
    """A search box that keeps the ledger of what it shows, lies included.

    Args:
        box: An honest one, or a liar.
        stage: Is told.
        lies: About documents, one after another.
    """

    def __init__(self, box: Box, stage: Stage, lies: tuple[ReadLie, ...] = ()) -> None:
        self.box = box
        self.stage = stage
        self.lies = lies
        self.limit: int | None = box.limit
        self.page_size: int = box.page_size
        self.counts: Counts = box.counts
        self.boolean: bool = box.boolean
        self.facets: tuple[Facet, ...] = box.facets
        self.lists_all: bool = box.lists_all
        self.ranking = box.ranking

    def search(self, query: Query, number: int = 1) -> Page:
        """Return a result page."""
        self.stage.searches += 1
        page = self.box.search(query, number)
        self.stage.shown.update(page.keys)
        return page

    def document(self, key: str) -> Document | None:
        """Return a document, or what is shown in its place."""
        true = told = self.box.document(key)
        if true is None or told is None:
            return None
        self.stage.reads += 1
        for lie in self.lies:
            told = lie(self.stage, told)
        if told == true:
            self.stage.served.add(key)
        return told


@cache
def corpus(documents: int) -> tuple[Document, ...]:
    """Draw docstrings at random, no two with the same text."""
    drawn = Random("honesty").sample(read_corpus("docstrings"), 2 * documents)
    by_text = {plain(document.text): document for document in drawn}
    return tuple(by_text.values())[:documents]


def searcher(documents: tuple[Document, ...], kind: Kind) -> Searcher:
    """Put a search box before documents."""
    return Searcher(
        documents,
        limit=len(documents) // LIMITED,
        page_size=PAGE_SIZE,
        counts=kind.counts,
        boolean=kind.boolean,
        lists_all=kind.lists_all,
    )


def plain(text: str) -> str:
    """Return the words of a text, whatever stands between them.

    >>> plain("  a   b ")
    'a b'
    """
    return " ".join(text.split())


def with_text(document: Document, title: str, text: str) -> Document:
    """Return a document with another title and text."""
    return msgspec.structs.replace(document, title=title, text=text)
