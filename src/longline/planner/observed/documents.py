"""The documents held so far, as numbers: which hold which terms. Their texts are not kept."""

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
from longline.text.term_ids import Numbers

WAITING = 1 << 15
"""Terms that wait to be numbered together, at most."""

Bits = npt.NDArray[np.uint8]
"""Eight documents a byte, the first one lowest."""

WHOLE, SHOWS_ASKED, HIDES_ASKED = range(3)

AT_ONCE = 1 << 13
"""Documents whose terms are gone through at once, where that is done for all."""

Number = TypeVar("Number", np.int32, np.float64)

FEW = 1 << 9
"""So few documents are looked through; of more, those that hold a term are listed."""

LOOK_UP = 1000
"""To find a list takes as long as so many documents on it."""

COMMON = 16
"""Of a term that one of so many documents shows, or more, a row of all documents is kept."""

LABEL, LABELLED = 0.95, 10
"""Share of so many documents or more that have a word of the pages' frame."""


class DocumentIndex(TermRuns):
    """Documents by key, and which terms they hold, shown or known to be there.

    Where forms of a word are one to the source, a label stands for all of them, whatever form is
    asked about; the documents as they are written can be held beside.

    Who asks again and again which documents match is told of each as it comes (`Cell.place`), and
    so need not ask.

    Args:
        labels: Returns the label of each term; None takes every term for itself.

    Attributes:
        number: Of each document, by key.

    >>> held = DocumentIndex()
    >>> held.add("a", ["deep", "web"]), held.add("b", ["surface", "web"])
    (0, 1)
    >>> held.matching(["web"], ["deep"]).tolist()
    [1]
    """

    def __init__(self, labels: Callable[[Iterable[str]], list[str]] | None = None) -> None:
        super().__init__()
        self._labels = labels
        self.number: dict[str, int] = {}
        self._rows: dict[int, tuple[Bits, int]] = {}  # by term; of so many documents
        self._columns = np.empty(0, dtype=np.int32)  # of terms looked for; -1 between two looks
        self._shows = bytearray()  # WHOLE, or whether a snippet shows what was asked for
        self._implied: dict[int, frozenset[str]] = {}
        self._implying: dict[str, array[int]] = defaultdict(lambda: array("i"))  # by term
        self._last: tuple[tuple[str, ...], frozenset[str]] = (), frozenset()
        self._times = frozenset[str](), np.empty(0, dtype=np.int64)  # of labels, by document

    def add(self, key: str, terms: Collection[str], snippet: Snippet | None = None) -> int:
        """Hold a document, unless it is held; return its number.

        Args:
            key: Its own.
            terms: All different; of a snippet those of the title first.
            snippet: Where its text is not known. What was asked for it matches, whether or not
                it is shown, and is not tallied by: it would say too much of other documents.
        """
        document = self.number.setdefault(key, len(self))
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

    def arrivals(self) -> Iterator[Arrival]:
        """Yield every document as it may be held again, terms that it is known to match included.

        Where some of these are not shown, none is given: it is not known which are.
        """
        for document, key in enumerate(self.number):
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
        """Whether no document is known by its snippet alone."""
        return not any(self._shows)

    def labels(self, terms: Iterable[str]) -> list[str]:
        """Return what stands for each of some terms."""
        return list(terms) if self._labels is None else self._labels(terms)

    def labelled(self, labels: Callable[[Iterable[str]], list[str]]) -> DocumentIndex:
        """Return the same documents, with one term for all forms of a word."""
        other = DocumentIndex(labels)
        other.number, other._shows = dict(self.number), bytearray(self._shows)
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
        """Let a document match terms that it does not show; it is tallied by what it shows."""
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
        """Return one set for all documents of a query, which come one after the other."""
        if terms != self._last[0]:
            self._last = terms, frozenset(self.labels(terms))
        return self._last[1]

    def term_numbers(self, terms: Iterable[str]) -> Numbers:
        """Return terms' numbers, -1 where no held document has one."""
        self._settle()
        return self.term_ids.look_up(self.labels(terms))

    def matching(
        self, required: Sequence[str], excluded: Sequence[str] = (), since: int = 0
    ) -> Numbers:
        """Return the documents from number `since` on that match, ascending.

        Args:
            required: Terms that they hold; with none, every document is a match to begin with.
            excluded: Terms that they do not hold.
            since: Look only at documents with this number or a higher one.
        """
        found = np.arange(since, len(self), dtype=np.int32)
        if required:  # the last one is the rarest as a rule: it was chosen to split the others
            found = found[self.times([required[-1]], since) > 0]
        others = (*required[:-1], *excluded)
        if not others or not len(found):
            return found
        has = self.holds(found, others)
        wanted = len(others) - len(excluded)
        return found[has[:, :wanted].all(axis=1) & ~has[:, wanted:].any(axis=1)]

    def times(self, terms: Iterable[str], since: int = 0) -> npt.NDArray[np.int64]:
        """Return how many of some terms each document from number `since` on holds."""
        numbers = np.unique(self.term_numbers(terms))
        found = np.zeros(len(self) - since, dtype=np.int64)
        if len(found) > FEW:
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
        """Return `times` of all documents, counted on from the last call, where terms only grow."""
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
        """Return how many documents hold a term at most; soon told."""
        number = self.term_numbers([term])
        shown = self.shown(number)[0, 0] if number[0] >= 0 else 0
        return int(shown) + len(self._implied)

    def has(self, documents: Numbers, term: str) -> Bools:
        """Say for each of some documents whether it holds a term."""
        return np.asarray(self.holds(documents, (term,))[:, 0])

    def holds(self, documents: Numbers, terms: Sequence[str]) -> Bools:
        """Say for each of some documents which of some terms it holds; (documents, terms)."""
        return self.holds_numbered(documents, self.term_numbers(terms), self.labels(terms))

    def holds_numbered(
        self, documents: Numbers, numbers: Numbers, labels: Sequence[str] = ()
    ) -> Bools:
        """Say the same of terms by their numbers; labels are looked up where none are given."""
        has = np.zeros((len(documents), len(numbers)), dtype=np.bool_)
        if not (has.size and self._flat):
            return has
        ascending, column = np.unique(numbers, return_inverse=True)
        is_listed = self._are_better_listed(documents, ascending)
        if is_listed.any():
            byte, bit = documents >> 3, (documents & 7).astype(np.uint8)
            for place in np.flatnonzero(is_listed).tolist():
                has[:, place] = self._row(int(ascending[place]))[byte] >> bit & 1
        ascending[is_listed] = -1
        if (ascending >= 0).any():
            has[self._hits(documents, ascending)] = True
        has = has[:, column]
        if self._implied and not labels:
            labels = [self.terms[number] for number in numbers.tolist()]
        for row, document in enumerate(documents.tolist() if self._implied else ()):
            hidden = self._implied.get(document)
            if hidden:
                has[row] |= [label in hidden for label in labels]
        return has

    def _are_better_listed(self, documents: Numbers, numbers: Numbers) -> Bools:
        """Say of which terms to look at lists of documents, rather than through some documents."""
        is_known = numbers >= 0
        if len(documents) <= FEW:
            return np.zeros(len(numbers), dtype=np.bool_)
        shown = self.shown(numbers)[0]
        is_common = is_known & (shown * COMMON >= len(self))
        is_rare = is_known & ~is_common
        listed = float((shown[is_rare] + LOOK_UP).sum())
        is_dear = listed * len(self) >= len(self._flat) * len(documents)
        return is_common if is_dear else is_known

    def _row(self, number: int) -> Bits:
        """Return of each document whether it shows a term; kept where that is many a document."""
        row, until = self._rows.get(number, (np.empty(0, dtype=np.uint8), 0))
        if until < len(self):
            since = until // 8 * 8
            newest = np.zeros(len(self) - since, dtype=np.bool_)
            newest[self.showing(number, since) - since] = True
            row = np.concatenate([row[: since // 8], np.packbits(newest, bitorder="little")])
            if self.shown(np.array([number]))[0, 0] * COMMON >= len(self):
                self._rows[number] = row, len(self)
        return row

    def _hits(self, documents: Numbers, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """Return pairs of a place among some documents and one among the terms that it shows.

        Args:
            documents: That are looked through.
            numbers: Of terms, all different.
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


def spread(values: npt.NDArray[Number], most: int) -> npt.NDArray[Number]:
    """Return at most so many of some values, at even distances.

    >>> spread(np.arange(10, dtype=np.int32), 4).tolist()
    [0, 3, 6, 9]
    """
    if len(values) <= most:
        return values
    return values[np.linspace(0, len(values) - 1, most).astype(np.int64)]


def is_label(term: str, held: DocumentIndex) -> bool:
    """Say whether nearly all held documents have a term, and it is none that most texts have."""
    if len(held) < LABELLED or term in DROPPED_WORDS:
        return False
    return held.may_hold(term) >= LABEL * len(held) and bool(held.times([term]).mean() >= LABEL)
