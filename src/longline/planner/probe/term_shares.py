"""First pages of a probe, and how common the source's most common words are.

A query of many terms splits texts of a hundred words into halves again and again. If documents have
only a few words, no term occurs in many of them. Then each split leaves nearly all documents on one
side, and the query reaches its greatest length before few documents are left.
"""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from math import prod

import numpy as np

from longline.model import Page, Query
from longline.planner.observed import DocumentIndex
from longline.planner.partition import SourceModel

Pages = Iterable[tuple[Query, Set[str]]]
"""Queries, and the keys of the documents that each brought."""

MOST = 40
"""The number of most common terms to use; hardly any query has more."""

LEAST_DOCUMENTS = 20
"""With fewer documents than this, no shares are computed."""

LEAST_PART = 0.25
"""A term's share needs at least this part of the documents, from queries without the term."""

LONG = 13
"""With this many terms per document on average, snippets are no sign of short texts."""

MOST_LACKING = 0.3
"""Above this share of hits that do not show the query words, more is searched than is shown."""

UNREAD = 3
"""If this many documents show a word that finds nothing, the source ignores it."""


@dataclass(frozen=True)
class Vocabulary:
    """What is known about a source's words.

    Attributes:
        common: Shares of documents with the most common words, largest first; empty if documents
            are long.
        is_known: Whether the received texts show how common words are.
        passed_over: Words that documents contain and the source ignores.
    """

    common: tuple[float, ...] = ()
    is_known: bool = True
    passed_over: tuple[str, ...] = ()

    def without(self, words: int) -> float:
        """Return the share of documents without any of this many common words; 0 for long texts.

        >>> round(Vocabulary((0.5, 0.2, 0.1)).without(2), 3)
        0.4
        """
        return prod(1 - share for share in self.common[:words]) if self.common else 0.0


ORDINARY = Vocabulary()
"""The vocabulary of long texts, with no ignored words."""


def vocabulary(known: SourceModel, answers: Pages) -> Vocabulary:
    """Return what is known about a source's words.

    Args:
        known: The model of the source.
        answers: Queries, and the keys of the documents that each brought.
    """
    held = known.held
    unread = passed_over(held, answers)
    if not known.texts_are_whole and shown_terms(held) >= LONG:
        return Vocabulary(passed_over=unread)
    common = commonest(held, answers, {*known.barred, *unread})
    is_known = bool(common) and known.trust.lacking <= MOST_LACKING
    return Vocabulary(common if is_known else (), is_known, unread)


def passed_over(held: DocumentIndex, answers: Pages) -> tuple[str, ...]:
    """Return words that found nothing although held documents contain them."""
    empty = [query.required[0] for query, keys in answers if _is_single(query) and not keys]
    counts = held.shown(np.maximum(held.term_numbers(empty), 0))[0] if len(held.terms) else ()
    is_held = held.term_numbers(empty) >= 0
    found = zip(empty, counts, is_held, strict=False)
    return tuple(word for word, times, here in found if here and times >= UNREAD)


def _is_single(query: Query) -> bool:
    return len(query.required) == 1 and not query.excluded


def most_shown(held: DocumentIndex) -> Iterator[str]:
    """Yield the terms of held documents, the most frequent first."""
    counts = held.frequencies()
    for place in np.argsort(-counts, kind="stable").tolist():
        yield held.terms[place]


def shown_terms(held: DocumentIndex) -> float:
    """Return the mean number of known terms per held document; 0 if none is held."""
    numbers = np.arange(len(held), dtype=np.int32)
    return float(held.counts(numbers).sum() / max(1, len(held)))


def commonest(held: DocumentIndex, answers: Pages, unread: Set[str]) -> tuple[float, ...]:
    """Return the shares of documents that contain the most common terms, the largest first.

    Documents are not counted for the terms of the query that found them.

    Args:
        held: All held documents.
        answers: Queries, and the keys of the documents that each brought.
        unread: Terms that the source ignores.

    Returns:
        At most `MOST` shares; empty if there are too few documents.

    >>> held = DocumentIndex()
    >>> keys = [str(number) for number in range(30)]
    >>> for key in keys:
    ...     _ = held.add(key, ["deep", "web"] if key < "2" else ["deep", "sea"])
    >>> shares = commonest(held, [(Query(("deep",)), set(keys))], frozenset())
    >>> [round(share, 2) for share in shares]
    [0.6, 0.4]
    """
    counts, among = np.zeros(len(held.terms)), np.zeros(len(held.terms))
    placed: set[int] = set()
    for query, keys in answers:
        new = set(held.numbers(keys)) - placed
        placed |= new
        found = held.counts(np.array(sorted(new), dtype=np.int32))
        own = held.term_numbers((*query.required, *query.excluded))
        own = own[own >= 0]
        found[own] = 0
        counts += found
        among += len(new)
        among[own] -= len(new)
    numbers = held.term_numbers(list(unread))
    counts[numbers[numbers >= 0]] = 0
    if len(placed) < LEAST_DOCUMENTS:
        return ()
    is_told = among >= LEAST_PART * len(placed)
    largest = np.sort(counts[is_told] / among[is_told])[::-1][:MOST]
    return tuple(float(share) for share in largest if share > 0)


class Answers:
    """The documents on first pages, and the totals that these announce.

    Attributes:
        pages: Queries, and the keys of the hits on the first page of each, in order.
        totals: Totals of single words that have results, by word.
        largest: The largest total; None if there is none.

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
        """Store a query's first page."""
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
        """The number of different documents on the received pages."""
        return len(self._keys)
