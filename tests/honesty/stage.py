"""The state of a case's search site: its documents, and what it has shown so far."""

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
"""The site has this many times more documents than its return limit."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Properties of a site without faults.

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
    """The documents of a case's site, and its state so far.

    Attributes:
        documents: All documents behind the search.
        run: Number of the harvest's run, from 1.
        searches: Number of requested result pages, over all runs.
        reads: Number of requested documents, over all runs.
        shown: Keys of the documents on result pages.
        served: Keys of the documents whose true text was sent.
        queries: Distinct queries as typed, in order.
        is_away: The site no longer answers in this run.
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
        """Return a random generator that depends only on the seed and these names."""
        return Random(" ".join(map(str, (self.seed, *names))))

    def choose(self, name: str, documents: int) -> frozenset[str]:
        """Choose this many random keys, the same for the same name."""
        keys = sorted(document.key for document in self.documents)
        return frozenset(self.random(name).sample(keys, documents))


@dataclass(frozen=True, kw_only=True)
class When:
    """Decides which of the matching requests fail.

    Attributes:
        after: Number of requests that succeed first, for 600 documents; scaled for other sizes.
        share: Share of the later requests that fail, at random.
        lasting: The request alone decides, so that repeating it gives the same result.
        runs: The fault exists only in this many first runs.
    """

    after: int = 0
    share: float = 1.0
    lasting: bool = False
    runs: int = FOREVER

    def holds(self, stage: Stage, what: str, count: int) -> bool:
        """Return whether request number `count` (from 1) for `what` fails."""
        spared = -(-self.after * len(stage.documents) // DOCUMENTS)
        if stage.run > self.runs or count <= spared:
            return False
        drawn = stage.random(what) if self.lasting else stage.random(what, count)
        return drawn.random() < self.share


ReadLie = Callable[[Stage, Document], Document]
"""Makes a false document from the requested one."""


class Witness:
    """A search box that records what it shows, including lies.

    Args:
        box: A true or false search box.
        stage: Records what is shown.
        lies: Changes of documents, applied in order.
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
        """Return a result page, and record its keys."""
        self.stage.searches += 1
        page = self.box.search(query, number)
        self.stage.shown.update(page.keys)
        return page

    def document(self, key: str) -> Document | None:
        """Return a document after all lies, or None if there is none."""
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
    """Draw random docstrings with different texts."""
    drawn = Random("honesty").sample(read_corpus("docstrings"), 2 * documents)
    by_text = {plain(document.text): document for document in drawn}
    return tuple(by_text.values())[:documents]


def searcher(documents: tuple[Document, ...], kind: Kind) -> Searcher:
    """Return a search box over these documents."""
    return Searcher(
        documents,
        limit=len(documents) // LIMITED,
        page_size=PAGE_SIZE,
        counts=kind.counts,
        boolean=kind.boolean,
        lists_all=kind.lists_all,
    )


def plain(text: str) -> str:
    """Return the words of a text, separated by single spaces.

    >>> plain("  a   b ")
    'a b'
    """
    return " ".join(text.split())


def with_text(document: Document, title: str, text: str) -> Document:
    """Return a document with another title and text."""
    return msgspec.structs.replace(document, title=title, text=text)
