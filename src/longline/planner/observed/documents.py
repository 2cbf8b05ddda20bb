"""The held documents and the terms that each contains, as numbers; texts are not kept."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from longline.planner.observed.arrivals import Arrival, Snippet
from longline.planner.observed.term_runs import Bools, TermRuns
from longline.pool import DROPPED_WORDS
from longline.text.hashes import Keys
from longline.text.term_ids import Numbers

WAITING = 1 << 15
"""The most terms that wait to be numbered together."""

WHOLE, SHOWS_ASKED, HIDES_ASKED = range(3)

AT_ONCE = 1 << 13
"""The number of documents processed at once, when all documents are processed."""

Number = TypeVar("Number", np.int32, np.float64)

LOOK_UP = 1 << 9
"""Finding a term's list takes about as long as scanning this many documents for any terms."""

LABEL, LABELLED = 0.95, 10
"""A term in this share of documents, with at least this many held, is part of the page layout."""


class DocumentIndex(TermRuns):
    """Documents by key, and the terms that they contain, shown or known to match.

    If the source merges word forms, one label represents all forms of a word in every call.
    `labelled` makes such an index from one with the terms as written.

    Code that asks repeatedly which documents match can be given each new document instead
    (`Cell.place`).

    Args:
        labels: Returns the label of each term; None uses each term as its own label.

    Attributes:
        keys: The documents' keys, by number.

    >>> held = DocumentIndex()
    >>> held.add("a", ["deep", "web"]), held.add("b", ["surface", "web"])
    (0, 1)
    >>> held.matching(["web"], ["deep"]).tolist()
    [1]
    """

    def __init__(self, labels: Callable[[Iterable[str]], list[str]] | None = None) -> None:
        super().__init__()
        self._labels = labels
        self.keys = Keys()
        self._columns = np.empty(0, dtype=np.int32)  # columns of terms during a look-up; else -1
        self._shows = bytearray()  # WHOLE, or whether a snippet shows the query terms
        self._implied: dict[int, frozenset[str]] = {}
        self._implying: dict[str, array[int]] = defaultdict(lambda: array("i"))  # by term
        self._last: tuple[tuple[str, ...], frozenset[str]] = (), frozenset()
        self._times = frozenset[str](), np.empty(0, dtype=np.int64)  # of labels, by document

    def add(self, key: str, terms: Collection[str], snippet: Snippet | None = None) -> int:
        """Add a document if it is new; return its number.

        Args:
            key: Its key.
            terms: Its different terms; for a snippet, those of the title first.
            snippet: Set if only a snippet is known. The document matches its query's terms, shown
                or not, but is not counted for them: that would say too much about other documents.
        """
        document = self.keys.number(key)
        if document < len(self):
            return document
        titles = self.labels(islice(terms, snippet.titled)) if snippet is not None else []
        terms = terms if self._labels is None else dict.fromkeys(self._labels(terms))
        if snippet is not None:
            implied = self._one_set(snippet.asked)
            self._note_implied(document, implied)
            self._shows.append(SHOWS_ASKED if implied <= {*terms} else HIDES_ASKED)
            titles = [*{*titles} - implied]
            terms = [term for term in terms if term not in implied]
        else:
            self._shows.append(WHOLE)
        self._waiting += terms
        self._starts.append(self._starts[-1] + len(terms))
        self._titles.append(len(titles))
        if len(self._waiting) > WAITING:
            self._settle()
        return document

    def numbers(self, keys: Iterable[str]) -> list[int]:
        """Return the numbers of those of some documents that are held."""
        return [number for number in map(self.keys.find, keys) if number >= 0]

    def arrivals(self) -> Iterator[Arrival]:
        """Yield every document for use by another planner, with the terms it is known to match.

        If a document does not show all of its query's terms, none of them is given.
        """
        for document, key in enumerate(self.keys):
            terms = self.text(document)
            if self._shows[document] == WHOLE:
                yield Arrival(key, terms)
                continue
            asked = tuple(sorted(self._implied.get(document, ())))
            snippet = Snippet(asked, self._titles[document])
            shows = self._shows[document] == SHOWS_ASKED
            yield Arrival(key, [*terms, *asked] if shows else terms, snippet)

    @property
    def texts_are_known(self) -> bool:
        """Whether the full text of every document is known."""
        return not any(self._shows)

    def labels(self, terms: Iterable[str]) -> list[str]:
        """Return the label of each term."""
        return list(terms) if self._labels is None else self._labels(terms)

    def labelled(self, labels: Callable[[Iterable[str]], list[str]]) -> DocumentIndex:
        """Return the same documents, with one term for all forms of a word."""
        other = DocumentIndex(labels)
        for key in self.keys:
            other.keys.number(key)
        other._shows = bytearray(self._shows)
        for number, hidden in self._implied.items():
            other._note_implied(number, frozenset(labels(hidden)))
        if not len(self):
            return other
        heads = other.term_ids.numbers(labels(self.terms))
        documents, flat = self.cells()
        cells = documents * max(len(heads), 1) + heads[flat]
        cells, which = np.unique(cells, return_inverse=True)
        in_title = np.zeros(len(cells), dtype=np.bool_)
        in_title[which[self.in_title(0)]] = True
        documents, cells = np.divmod(cells, max(len(heads), 1))
        ends = np.cumsum(np.bincount(documents, minlength=len(self)))
        titles = np.bincount(documents[in_title], minlength=len(self))
        other._starts.frombytes(ends.astype(np.int64).tobytes())
        other._titles.frombytes(titles.astype(np.int32).tobytes())
        in_order = cells[np.lexsort((cells, ~in_title, documents))]
        other._flat.frombytes(in_order.astype(np.int32).tobytes())
        return other

    def imply(self, document: int, terms: Sequence[str]) -> None:
        """Let a document match terms that it does not show; counts still use only shown terms."""
        shows = self.holds(np.array([document], dtype=np.int32), terms)[0]
        if not shows.all():
            labels = zip(self.labels(terms), shows, strict=True)
            hidden = frozenset(label for label, has in labels if not has)
            self._note_implied(document, hidden)
            self._times = frozenset[str](), np.empty(0, dtype=np.int64)

    def _note_implied(self, document: int, labels: frozenset[str]) -> None:
        known = self._implied.get(document)
        for label in labels if known is None else labels - known:
            self._implying[label].append(document)
        if labels:
            self._implied[document] = labels if known is None else known | labels

    def _one_set(self, terms: tuple[str, ...]) -> frozenset[str]:
        """Return one shared set for consecutive documents of the same query."""
        if terms != self._last[0]:
            self._last = terms, frozenset(self.labels(terms))
        return self._last[1]

    def term_numbers(self, terms: Iterable[str]) -> Numbers:
        """Return the terms' numbers, -1 if no held document contains a term."""
        self._settle()
        return self.term_ids.look_up(self.labels(terms))

    def matching(
        self, required: Sequence[str], excluded: Sequence[str] = (), since: int = 0
    ) -> Numbers:
        """Return the matching documents from number `since` on, ascending.

        Args:
            required: Terms that they contain; if empty, all documents are candidates.
            excluded: Terms that they do not contain.
            since: The first document number to consider.
        """
        found = np.arange(since, len(self), dtype=np.int32)
        if required:  # the last one is usually the rarest: it was chosen to split the others
            found = found[self.times([required[-1]], since) > 0]
        others = (*required[:-1], *excluded)
        if not others or not len(found):
            return found
        has = self.holds(found, others)
        wanted = len(others) - len(excluded)
        return found[has[:, :wanted].all(axis=1) & ~has[:, wanted:].any(axis=1)]

    def times(self, terms: Iterable[str], since: int = 0) -> npt.NDArray[np.int64]:
        """Return how many of the terms each document from number `since` on contains."""
        numbers = np.unique(self.term_numbers(terms))
        found = np.zeros(len(self) - since, dtype=np.int64)
        if len(found) > LOOK_UP * len(numbers):
            for number in numbers.tolist():
                found[self.showing(number, since) - since] += 1
        else:
            documents = np.arange(since, len(self), dtype=np.int32)
            found += np.bincount(self._hits(documents, numbers)[0], minlength=len(found))
        for label in self._implying.keys() & set(self.labels(terms)):
            implied = np.array(self._implying[label])
            found[implied[implied >= since] - since] += 1
        return found

    def times_so_far(self, terms: Sequence[str]) -> npt.NDArray[np.int64]:
        """Return `times` for all documents; faster if terms only grew since the last call."""
        labels = frozenset(self.labels(terms))
        before, counts = self._times
        if not before <= labels:
            before, counts = frozenset(), np.empty(0, dtype=np.int64)
        counts = np.concatenate([counts, self.times(before, len(counts))])
        if labels > before:
            counts = counts + self.times(labels - before)
        self._times = labels, counts
        return counts

    def may_hold(self, term: str) -> int:
        """Return a fast upper bound for the number of documents with a term."""
        number = self.term_numbers([term])
        shown = self.shown(number)[0, 0] if number[0] >= 0 else 0
        return int(shown) + len(self._implied)

    def has(self, documents: Numbers, term: str) -> Bools:
        """Return for each document whether it contains a term."""
        return np.asarray(self.holds(documents, (term,))[:, 0])

    def holds(self, documents: Numbers, terms: Sequence[str]) -> Bools:
        """Return which of the terms each document contains; (documents, terms)."""
        return self.holds_numbered(documents, self.term_numbers(terms), self.labels(terms))

    def holds_numbered(
        self, documents: Numbers, numbers: Numbers, labels: Sequence[str] = ()
    ) -> Bools:
        """Do the same with the terms' numbers; labels are looked up if not given."""
        has = np.zeros((len(documents), len(numbers)), dtype=np.bool_)
        if not (has.size and self._flat):
            return has
        if len(documents) > LOOK_UP * len(numbers):
            for place, number in enumerate(numbers.tolist()):
                shows = np.zeros(len(self), dtype=np.bool_)
                shows[self.showing(number)] = True
                has[:, place] = shows[documents]
        else:
            ascending, column = np.unique(numbers, return_inverse=True)
            shown = np.zeros((len(documents), len(ascending)), dtype=np.bool_)
            shown[self._hits(documents, ascending)] = True
            has = shown[:, column]
        if self._implied and not labels:
            labels = [self.terms[number] for number in numbers.tolist()]
        for row, document in enumerate(documents.tolist() if self._implied else ()):
            hidden = self._implied.get(document)
            if hidden:
                has[row] |= [label in hidden for label in labels]
        return has

    def _hits(self, documents: Numbers, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """Return pairs of a document's place and the place of a term that it shows.

        Args:
            documents: The documents to scan.
            numbers: The terms' numbers, all different.
        """
        if len(self._columns) < len(self.terms):
            self._columns = np.full(2 * len(self.terms), -1, dtype=np.int32)
        flat, lengths = self._cells(documents)
        wanted = np.flatnonzero(numbers >= 0).astype(np.int32)
        self._columns[numbers[wanted]] = wanted
        columns = self._columns[flat]
        self._columns[numbers[wanted]] = -1
        hits = np.flatnonzero(columns >= 0)
        rows = np.searchsorted(np.cumsum(lengths), hits, side="right").astype(np.int32)
        return rows, columns[hits]


def evenly_spaced(values: npt.NDArray[Number], most: int) -> npt.NDArray[Number]:
    """Return at most `most` of the values, evenly spaced.

    >>> evenly_spaced(np.arange(10, dtype=np.int32), 4).tolist()
    [0, 3, 6, 9]
    """
    if len(values) <= most:
        return values
    return values[np.linspace(0, len(values) - 1, most).astype(np.int64)]


def is_label(term: str, held: DocumentIndex) -> bool:
    """Return whether nearly all held documents contain a term that is no usual stop word."""
    if len(held) < LABELLED or term in DROPPED_WORDS:
        return False
    return held.may_hold(term) >= LABEL * len(held) and bool(held.times([term]).mean() >= LABEL)
