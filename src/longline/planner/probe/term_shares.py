"""What a probe was shown, and how common the commonest words are there: how a source divides.

A query of many terms cuts texts of a hundred words into halves again and again. Where documents
are a few words long no term is in many of them, each leaves nearly all on one side, and a query is
as long as it may be before its documents are few.
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
"""Terms, the commonest ones; hardly a query has more."""

LEAST_DOCUMENTS = 20
"""Fewer documents tell nothing of shares."""

LEAST_PART = 0.25
"""A term's share is seen in so many of the documents at least, those not asked for by it."""

LONG = 13
"""Terms that a document shows on average, above which snippets are no sign of short texts."""

MOST_LACKING = 0.3
"""Share of hits without the words asked for, above which more is searched than they show."""

UNREAD = 3
"""So many documents have to show a word that finds nothing."""


@dataclass(frozen=True)
class Vocabulary:
    """What is known of a source's words.

    Attributes:
        common: Shares of documents that hold the commonest ones, the largest first; none where
            documents are long.
        is_known: Whether what was shown of documents tells whether they are.
        passed_over: Some that documents hold and the source does not read.
    """

    common: tuple[float, ...] = ()
    is_known: bool = True
    passed_over: tuple[str, ...] = ()

    def without(self, words: int) -> float:
        """Return the share of documents that hold none of so many common words; 0 of long texts.

        >>> round(Vocabulary((0.5, 0.2, 0.1)).without(2), 3)
        0.4
        """
        return prod(1 - share for share in self.common[:words]) if self.common else 0.0


ORDINARY = Vocabulary()
"""That of long texts, of which every word is read."""


def vocabulary(known: SourceModel, answers: Pages) -> Vocabulary:
    """Return what is known of a source's words.

    Args:
        known: Of the source.
        answers: That the held documents came by.
    """
    held = known.held
    unread = passed_over(held, answers)
    if not known.texts_are_whole and shown_terms(held) >= LONG:
        return Vocabulary(passed_over=unread)
    common = commonest(held, answers, {*known.barred, *unread})
    is_known = bool(common) and known.trust.lacking <= MOST_LACKING
    return Vocabulary(common if is_known else (), is_known, unread)


def passed_over(held: DocumentIndex, answers: Pages) -> tuple[str, ...]:
    """Return words that were asked for and found nothing, although documents show them."""
    empty = [query.required[0] for query, keys in answers if _is_single(query) and not keys]
    counts = held.shown(np.maximum(held.term_numbers(empty), 0))[0] if len(held.terms) else ()
    is_held = held.term_numbers(empty) >= 0
    found = zip(empty, counts, is_held, strict=False)
    return tuple(word for word, times, here in found if here and times >= UNREAD)


def _is_single(query: Query) -> bool:
    return len(query.required) == 1 and not query.excluded


def most_shown(held: DocumentIndex) -> Iterator[str]:
    """Yield the terms of held documents, those that most of them show first."""
    counts = held.frequencies()
    for place in np.argsort(-counts, kind="stable").tolist():
        yield held.terms[place]


def shown_terms(held: DocumentIndex) -> float:
    """Return how many terms a held document shows, on average; 0 where none is held."""
    numbers = np.arange(len(held), dtype=np.int32)
    return float(held.counts(numbers).sum() / max(1, len(held)))


def commonest(held: DocumentIndex, answers: Pages, unread: Set[str]) -> tuple[float, ...]:
    """Return the shares of documents that hold the commonest terms, the largest first.

    Documents say nothing of the terms of the query that they came by.

    Args:
        held: All held documents.
        answers: That they came by.
        unread: Terms that the source does not read.

    Returns:
        At most `MOST`; none where too few documents came.

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
        new = {held.number[key] for key in keys if key in held.number} - placed
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
