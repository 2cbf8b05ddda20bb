"""A search box over documents in memory: boolean, ranked, limited, paged.

A harvester may only use `search`, which returns one page of a query, as a site would show it. The
true values (`matches`, `keys`, `numbers`, `document_frequencies`) are for judging a harvest.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import Literal, NamedTuple, Protocol, get_args
from urllib.parse import quote, urlencode

import numpy as np

from longline.errors import CorpusError, InputError, UnknownNameError
from longline.model import Document, Facet, Filter, Hit, Page, Query, Request, Total
from longline.simulate.documents import marks_of, snippet, words
from longline.simulate.search.dialect import first_terms
from longline.simulate.search.index import Analyzer, Index, Mask, Nearest, Numbers

Ranking = Literal["bm25", "static", "newest", "meaning"]
Counts = Literal["exact", "approximate", "shown", "none"]
COUNT_SIGMA = 0.3
"""Standard deviation of the logarithm of approximate totals, unless set differently."""

NOISY_SIGMA = 1.0
"""Standard deviation for noisy totals: a third of them is off by a factor of e or more."""


class Wanted(NamedTuple):
    """A query as numbers of its terms, in a fixed order.

    Attributes:
        required: All of these terms must occur.
        excluded: Sets of terms; documents with all terms of one set are left out.
        any_of: Sets of terms; documents must have all terms of at least one; () requires none.
        filters: Filters on facets.
    """

    required: tuple[int, ...]
    excluded: tuple[tuple[int, ...], ...] = ()
    any_of: tuple[tuple[int, ...], ...] = ()
    filters: tuple[Filter, ...] = ()

    @property
    def rated(self) -> list[int]:
        """The terms that count in a ranking."""
        return sorted({*self.required, *(term for terms in self.any_of for term in terms)})


class Box(Protocol):
    """The interface of a search box for visitors, whether its answers are true or not."""

    @property
    def limit(self) -> int | None:
        """The maximum number of rows of a query on all pages; None shows all."""

    @property
    def page_size(self) -> int:
        """Rows on each page except the last."""

    @property
    def counts(self) -> Counts:
        """The kind of totals it announces."""

    @property
    def ranking(self) -> Ranking:
        """The order of its hits."""

    @property
    def boolean(self) -> bool:
        """Whether it supports NOT and OR."""

    @property
    def facets(self) -> tuple[Facet, ...]:
        """The facets that answers can be limited by."""

    @property
    def lists_all(self) -> bool:
        """Whether a search without words returns everything."""

    def search(self, query: Query, number: int = 1) -> Page:
        """Return result page `number` (from 1) of a query."""

    def document(self, key: str) -> Document | None:
        """Return the document with this key, or None."""


class Searcher:
    """Answer queries over documents as a limited search box does.

    A match contains every required term, one of the alternatives if there are any, and no
    excluded term, in title or text. A term that the analyser cuts into several requires all of
    them; one it drops (a number, a stop word) is ignored, and a query of only these matches
    nothing. Answers are the same for the same arguments and seed.

    Args:
        documents: At least one; keys all different.
        ranking: "bm25" orders by relevance, ties by the order of `documents`; "static" is
            one random order for every query, drawn by `seed`; "newest" shows the last of
            `documents` first, for every query. With "meaning" every document matches every
            query, the nearest first; NOT and OR are ordinary words.
        limit: The return limit k: the maximum number of rows of a query on all pages. None
            shows all.
        page_size: Rows on each page except the last.
        counts: "exact" totals, "approximate" ones with a different lognormal error for
            each query, "shown": the number of rows on all pages, or "none".
        boolean: False for a box without NOT and OR.
        seed: Seed of the static order and of the totals' errors.
        count_sigma: Standard deviation of the logarithm of approximate totals.
        facets: For each facet its values, by document key; a document may lack one.
        lists_all: A query without terms matches everything that passes its filters.
        reads_terms: How many terms of a query `search` reads, silently; None for all.
        analyzer: Cuts a text into terms.
        query_analyzer: Cuts a query into terms, if that differs.
        snippets: False leaves them out, for speed.

    Raises:
        InputError: An argument is out of range.
        CorpusError: There are no documents, or two have the same key.

    Source: Fu 2011, section 4.3 (return limit; static and dynamic ranking).

    >>> box = Searcher([Document("a", text="deep web"), Document("b", text="surface web")])
    >>> [hit.key for hit in box.search(Query(("web",), excluded=("deep",))).hits]
    ['b']
    """

    def __init__(
        self,
        documents: Iterable[Document],
        *,
        ranking: Ranking = "bm25",
        limit: int | None = 100,
        page_size: int = 50,
        counts: Counts = "exact",
        boolean: bool = True,
        seed: int = 0,
        analyzer: Analyzer = words,
        query_analyzer: Analyzer | None = None,
        snippets: bool = True,
        count_sigma: float = COUNT_SIGMA,
        facets: Mapping[Facet, Mapping[str, str]] | None = None,
        lists_all: bool = False,
        reads_terms: int | None = None,
    ) -> None:
        _one_of("ranking", ranking, get_args(Ranking))
        _one_of("counts", counts, get_args(Counts))
        _positive("page_size", page_size)
        if limit is not None:
            _positive("limit", limit)
        if not count_sigma >= 0:
            raise InputError(f"count_sigma is {count_sigma}", advice="give 0 or more")
        self.documents = tuple(documents)
        self.ranking = ranking
        self.limit = limit
        self.page_size = page_size
        self.counts = counts
        self.boolean = boolean and ranking != "meaning"
        self.seed = seed
        self.analyzer = analyzer
        self.query_analyzer = query_analyzer or analyzer
        self.snippets = snippets
        self.count_sigma = count_sigma
        self.lists_all = lists_all
        self._reads_terms = reads_terms
        self.facets = tuple(facets or ())
        self._values = {facet.name: (facet, values) for facet, values in (facets or {}).items()}
        self._number = {document.key: n for n, document in enumerate(self.documents)}
        if len(self._number) != len(self.documents) or not self.documents:
            raise CorpusError(
                f"{len(self.documents)} documents have {len(self._number)} different keys",
                advice="give at least one document, and each its own key",
            )
        self._hits = [
            Hit(d.key, url=f"memory:{quote(d.key, safe='')}", title=d.title) for d in self.documents
        ]
        texts = [f"{document.title}\n{document.text}" for document in self.documents]
        self._index = Index(texts, analyzer)
        self._nearest = Nearest([*map(analyzer, texts)]) if ranking == "meaning" else None
        self._order = np.random.default_rng(seed).permutation(len(self.documents))
        self._passing = lru_cache(maxsize=256)(self._pass)
        self._answered = lru_cache(maxsize=1 << 14)(self._ranked)  # at most k numbers for each
        self._near = lru_cache(maxsize=16)(self._by_meaning)

    def __len__(self) -> int:
        """Return the number of documents, whether they can be found or not."""
        return len(self.documents)

    def search(self, query: Query, number: int = 1) -> Page:
        """Return result page `number` (from 1); pages after the end have no hits.

        Raises:
            InputError: The page number is below 1, or the query has NOT or OR and the box has not.
        """
        _positive("page number", number)
        if self._reads_terms is not None:
            query = first_terms(query, self._reads_terms)
        matches, ranked = self._answer(query)
        start = (number - 1) * self.page_size
        end = start + self.page_size
        return Page(
            hits=self._rows(ranked[start:end], query),
            total=self._total(query, matches),
            next=_request(query, number + 1) if end < len(ranked) else None,
        )

    def document(self, key: str) -> Document | None:
        """Return the document with this key, or None."""
        number = self._number.get(key)
        return None if number is None else self.documents[number]

    def matches(self, query: Query) -> int:
        """Return the number of documents that match a query, shown or not."""
        return self._answer(query)[0]

    def numbers(self, query: Query) -> Numbers:
        """Return the positions in `documents` of all matches, ascending, shown or not."""
        return self._matching(self._wanted(query))

    def keys(self, query: Query, *, shown: bool = True) -> list[str]:
        """Return the keys of a query's matches, best first.

        Args:
            query: Any query.
            shown: False also gives those that the return limit hides.
        """
        if shown:
            numbers = self._answer(query)[1]
        else:
            wanted = self._wanted(query)
            numbers = self._rank(self._matching(wanted), wanted)
        return [self.documents[number].key for number in numbers.tolist()]

    def document_frequencies(self) -> dict[str, int]:
        """Return the number of documents that contain each term."""
        return self._index.document_frequencies()

    def _answer(self, query: Query) -> tuple[int, Numbers]:
        """Return how many documents match, and the first k of them, best first."""
        if self._nearest is not None:
            return self._near(query)
        return self._answered(self._wanted(query))

    def _ranked(self, wanted: Wanted | None) -> tuple[int, Numbers]:
        found = self._matching(wanted)
        return len(found), self._rank(found, wanted)[: self.limit].copy()

    def _by_meaning(self, query: Query) -> tuple[int, Numbers]:
        assert self._nearest is not None
        if not query.wanted and not self.lists_all:
            return 0, np.empty(0, dtype=np.int32)
        nearest = self._nearest.to(self.query_analyzer(" ".join(query.wanted)))
        return len(nearest), nearest[: self.limit].copy()

    def _wanted(self, query: Query) -> Wanted | None:
        """Number the terms of a query, or return None if no document can match it."""
        if (query.excluded or query.any_of) and not self.boolean:
            raise InputError(
                f"this source has no {'NOT' if query.excluded else 'OR'}, and the query is {query}",
                advice="leave it out",
            )
        needed, either = self._numbered(query.required), self._numbered(query.any_of)
        required, any_of = _known(needed), _known(either)
        is_hopeless = any(None in terms for terms in needed) or (either and not any_of)
        is_for_all = self.lists_all and not (query.required or query.any_of)
        if is_hopeless or not (required or any_of or is_for_all):
            return None
        for each in query.filters:
            if each.facet not in self._values:
                raise InputError(f"this source has no {each.facet!r}", advice="leave it out")
        every = tuple(sorted({term for terms in required for term in terms}))
        return Wanted(every, _known(self._numbered(query.excluded)), any_of, query.filters)

    def _numbered(self, words: Iterable[str]) -> list[tuple[int | None, ...]]:
        """Number the terms of each word, None for an unknown one; dropped words have none."""
        cut = (sorted(set(self.query_analyzer(word))) for word in words)
        return [tuple(map(self._index.vocabulary.get, terms)) for terms in cut if terms]

    def _matching(self, wanted: Wanted | None) -> Numbers:
        """Return the numbers of the matching documents, ascending."""
        if wanted is None:
            return np.empty(0, dtype=np.int32)
        found = self._index.holding(wanted.required) if wanted.required else None
        if wanted.any_of:
            parts = [self._index.holding(terms) for terms in wanted.any_of]
            mask = self._index.mask(np.concatenate(parts))
            found = np.flatnonzero(mask).astype(np.int32) if found is None else found[mask[found]]
        if found is None:
            found = np.arange(len(self.documents), dtype=np.int32)
        for each in wanted.filters:
            found = found[self._passing(each)[found]]
        for terms in wanted.excluded:
            if not len(found):
                break
            found = found[~self._index.mask(self._index.holding(terms))[found]]
        return found

    def _pass(self, limits: Filter) -> Mask:
        """Return for each document whether it passes a filter."""
        facet, values = self._values[limits.facet]
        held = (values.get(document.key) for document in self.documents)
        return np.array([value is not None and _passes(facet, limits, value) for value in held])

    def _rank(self, found: Numbers, wanted: Wanted | None) -> Numbers:
        """Order matches, best first."""
        if not len(found) or wanted is None:
            return found
        if self.ranking == "newest":
            return found[::-1]
        if self.ranking == "static":
            return found[np.argsort(self._order[found])]
        return found[np.argsort(-self._index.scores(found, wanted.rated), kind="stable")]

    def _rows(self, numbers: Numbers, query: Query) -> tuple[Hit, ...]:
        if not self.snippets:
            return tuple(map(self._hits.__getitem__, numbers.tolist()))
        marks = marks_of(query.wanted)
        return tuple(
            Hit(hit.key, hit.url, hit.title, snippet(self.documents[n].text, marks))
            for n, hit in ((n, self._hits[n]) for n in numbers.tolist())
        )

    def _total(self, query: Query, matches: int) -> Total | None:
        if self.counts == "none":
            return None
        if self.counts == "shown":
            return Total(min(matches, self.limit or matches))
        if self.counts == "exact" or not matches:
            return Total(matches)
        error = Random(f"{self.seed} {query}").lognormvariate(0, self.count_sigma)
        return Total(max(1, round(matches * error)), "about")


def _known(sets: Iterable[tuple[int | None, ...]]) -> tuple[tuple[int, ...], ...]:
    """Return the sets without unknown terms, sorted."""
    known = {
        tuple(term for term in terms if term is not None) for terms in sets if None not in terms
    }
    return tuple(sorted(known))


def _passes(facet: Facet, limits: Filter, value: str) -> bool:
    if facet.kind == "list":
        return value == limits.low
    if facet.kind == "prefix":
        return value.lower().startswith(limits.low.lower())
    try:
        low, high = facet.place(limits.low), facet.place(limits.high or limits.low)
    except ValueError:
        return False  # what was typed is not a number or a date
    return low <= facet.place(value) <= high


def _request(query: Query, number: int) -> Request:
    return Request("memory:?" + urlencode({"q": str(query), "page": number}))


def _one_of(what: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise UnknownNameError(what, value, known)


def _positive(what: str, value: int) -> None:
    if value < 1:
        raise InputError(f"{what} is {value}", advice="give 1 or more")
