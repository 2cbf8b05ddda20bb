"""Statistics of the terms in received documents, kept up to date without keeping texts."""

from array import array
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from longline.planner.observed.arrivals import Snippet
from longline.planner.observed.documents import AT_ONCE, DocumentIndex

Ints = npt.NDArray[np.int32]

Number = TypeVar("Number", np.int32, np.float32, np.bool_)

_COUNTED = ("df", "once", "pages", "densest", "lengths", "titled", "written", "_on_page")

_FIRST_ROOM = 1 << 12


class TermStatistics:
    """The terms of all seen documents, with the statistics that estimates of a term's df need.

    Terms and documents are numbered in the order of arrival. Memory is an index of the documents,
    which can be shared with another strategy (`take_all`), plus about 70 bytes per term.

    After `regroup` sets which terms are forms of one word, everything is counted for the first
    form, and a document with several forms once; the other forms keep a df of 0.

    Attributes:
        held: The seen documents, with their terms as written.
        written: (room,). Seen documents that contain the term as written.
        df: (room,). Seen documents that contain the term.
        once: (room,). Those of them that came exactly once, each with weight length^-0.5. They are
            most similar to unseen documents, above all the short ones.
        pages: (room,). Pages that brought a new document with the term.
        densest: (room,). The most new documents with the term on one page.
        lengths: (room,). Sum of log(length) of the seen documents that contain the term.
        titled: (room,). Seen documents with the term in the title.
    """

    def __init__(self) -> None:
        self.held = DocumentIndex()
        self._asked_about: dict[str, int] = {}
        self._times = array("i")  # how often each document came
        self._page_of = array("i")  # the page that brought it first, ascending
        self._more: dict[int, Ints] = {}
        self._noticed = 0  # terms that have room and are grouped
        self._pages = 0
        self._keys: Callable[[Sequence[str]], list[str]] | None = None
        self._heads = np.empty(0, dtype=np.int32)
        self._head_of: dict[str, int] = {}
        self._forms: dict[int, list[int]] = {}
        self.written = np.zeros(_FIRST_ROOM, dtype=np.int32)
        self.df = np.zeros(_FIRST_ROOM, dtype=np.int32)
        self.once = np.zeros(_FIRST_ROOM, dtype=np.float32)
        self.pages = np.zeros(_FIRST_ROOM, dtype=np.int32)
        self.densest = np.zeros(_FIRST_ROOM, dtype=np.int32)
        self.lengths = np.zeros(_FIRST_ROOM, dtype=np.float32)
        self.titled = np.zeros(_FIRST_ROOM, dtype=np.int32)
        self._on_page = np.zeros(_FIRST_ROOM, dtype=np.int32)  # of df, since the last turn
        self.cell_count = 0
        self.once_sum = 0.0
        self.length_sum = 0.0

    def __len__(self) -> int:
        """Return the number of counted documents."""
        return len(self._times)

    def __contains__(self, key: str) -> bool:
        """Return whether a document was counted."""
        return 0 <= self.held.keys.find(key) < len(self)

    @property
    def terms(self) -> Sequence[str]:
        """All seen terms, by number."""
        return self.held.terms

    def number(self, term: str) -> int:
        """Return a term's number, or the first form's if grouped; unseen terms get a new number."""
        number = self._asked_about.get(term)
        if number is None:  # sent terms are looked up repeatedly
            number = self._asked_about[term] = int(self._numbers([term])[0])
        return number if self._keys is None else int(self._heads[number])

    def _numbers(self, terms: Sequence[str]) -> Ints:
        """Return the numbers of terms as written; unseen terms get new numbers."""
        self._notice()
        numbers = self.held.term_ids.numbers(terms)
        self._notice()
        return numbers

    def _notice(self) -> None:
        """Make room for new terms, and group them by word."""
        new = range(self._noticed, len(self.terms))
        self._noticed = len(self.terms)
        if len(self.terms) > len(self.df):
            for name in _COUNTED:
                setattr(self, name, _grown(getattr(self, name), 2 * len(self.terms)))
        if self._keys is not None and new:
            for number, key in zip(new, self._keys(self.terms[new.start :]), strict=True):
                self._group(number, key)

    # Word forms.

    def regroup(self, keys: Callable[[Sequence[str]], list[str]] | None) -> None:
        """Count terms with the same key as one term from now on, and count all documents again.

        Args:
            keys: Returns the key of each term; None counts each term on its own.
        """
        self.turn_page()
        self._keys = None
        self._heads = np.arange(len(self.df), dtype=np.int32)
        self._head_of, self._forms = {}, {}
        if keys is not None:
            for number, key in enumerate(keys(self.terms)):
                self._group(number, key)
            self._keys = keys
        self._count_again()

    def _group(self, number: int, key: str) -> None:
        if number >= len(self._heads):
            old = len(self._heads)
            self._heads = _grown(self._heads, 2 * number)
            self._heads[old:] = np.arange(old, 2 * number)
        head = self._head_of.setdefault(key, number)
        self._heads[number] = head
        self._forms.setdefault(head, []).append(number)

    def forms(self, number: int) -> tuple[list[str], list[int]]:
        """Return the forms of a word, and how many documents contain each as written."""
        numbers = self._forms.get(number, [number])
        return [self.terms[form] for form in numbers], self.written[numbers].tolist()

    def _count_again(self) -> None:
        """Count all terms of all documents again; later snippets count with the first page."""
        terms = len(self.terms)
        documents, cells = self.held.cells(0, len(self))
        in_title = self.held.in_title(0, len(self))
        lengths = np.maximum(np.bincount(documents, minlength=len(self)), 1)
        titles = np.unique(documents[in_title] * terms + self._heads[cells[in_title]]) % terms
        self.titled[:terms] = np.bincount(titles, minlength=terms)
        if self._more:
            later = [np.full(len(more), document) for document, more in self._more.items()]
            documents = np.concatenate([documents, *later])
            cells = np.concatenate([cells, *self._more.values()])
        self.written[:terms] = np.bincount(cells, minlength=terms)
        documents, heads = np.divmod(np.unique(documents * terms + self._heads[cells]), terms)
        self.df[:terms] = np.bincount(heads, minlength=terms)
        once = np.where(np.array(self._times) == 1, lengths**-0.5, 0)[documents]
        logs = np.log(lengths)[documents]
        self.once[:terms] = np.bincount(heads, once, terms)
        self.lengths[:terms] = np.bincount(heads, logs, terms)
        on_page, counts = np.unique(
            np.array(self._page_of)[documents] * terms + heads, return_counts=True
        )
        self.pages[:terms] = np.bincount(on_page % terms, minlength=terms)
        self.densest[:] = 0
        np.maximum.at(self.densest, on_page % terms, counts)
        self.cell_count, self.once_sum = len(heads), float(once.sum())
        self.length_sum = float(logs.sum())

    # New documents.

    def add(self, key: str, terms: Sequence[str], titled: int = 0) -> None:
        """Add and count a document that was not seen before.

        Args:
            key: Its key.
            terms: Its different terms, those of the title first.
            titled: How many of them are in its title.
        """
        self.hold(key, terms, titled)
        self.count()

    def hold(self, key: str, terms: Collection[str], titled: int = 0) -> None:
        """Add a document if it is new; `count` counts it later."""
        self.held.add(key, terms, Snippet((), titled))

    def count(self) -> None:
        """Count the documents that were added and not yet counted."""
        held = len(self.held)
        for begin in range(len(self), held, AT_ONCE):
            self._count_new(begin, min(begin + AT_ONCE, held))

    def _count_new(self, begin: int, end: int) -> None:
        self._times.extend([1] * (end - begin))
        self._page_of.extend([self._pages] * (end - begin))
        self._notice()
        documents, cells = self.held.cells(begin, end)
        in_title = self.held.in_title(begin, end)
        documents -= begin
        lengths = np.maximum(np.bincount(documents, minlength=end - begin), 1)
        weights, logs = lengths**-0.5, np.log(lengths)
        np.add.at(self.written, cells, 1)
        np.add.at(self.titled, self._headed(documents[in_title], cells[in_title])[1], 1)
        documents, heads = self._headed(documents, cells)
        np.add.at(self.df, heads, 1)
        np.add.at(self.once, heads, weights.astype(np.float32)[documents])
        np.add.at(self.lengths, heads, logs.astype(np.float32)[documents])
        counted = np.bincount(documents, minlength=end - begin)
        self.cell_count += len(heads)
        self.once_sum = sum((weights * counted).tolist(), self.once_sum)
        self.length_sum = sum((logs * counted).tolist(), self.length_sum)
        np.add.at(self._on_page, heads, 1)

    def _headed(
        self, documents: npt.NDArray[np.int64], cells: Ints
    ) -> tuple[npt.NDArray[np.int64], Ints]:
        """Return different pairs of a document and a word, with all forms as one word."""
        if self._keys is None:
            return documents, cells
        terms = len(self.terms)
        documents, heads = np.divmod(np.unique(documents * terms + self._heads[cells]), terms)
        return documents, heads.astype(np.int32)

    def take_all(self, held: DocumentIndex) -> None:
        """Use an existing index, and count all its documents as if one page had brought them.

        The index is not copied: documents added to it later are counted too. Call this before any
        document was added.
        """
        self.held = held
        self.count()
        self.turn_page()

    def _heads_of(self, written: Ints) -> Ints:
        return written if self._keys is None else np.unique(self._heads[written])

    def _count(self, numbers: Ints, length: int) -> None:
        weight, log_length = max(1, length) ** -0.5, float(np.log(max(1, length)))
        self.df[numbers] += 1
        self.once[numbers] += weight
        self.lengths[numbers] += log_length
        self.cell_count += len(numbers)
        self.once_sum += weight * len(numbers)
        self.length_sum += log_length * len(numbers)

    def again(self, key: str) -> None:
        """Note that a document was received again."""
        document = self.held.keys.find(key)
        if self._times[document] == 1:
            numbers = self.terms_of(key)
            weight = max(1, self._length(document)) ** -0.5
            self.once[numbers] -= weight
            self.once_sum -= weight * len(numbers)
        self._times[document] += 1

    def _length(self, document: int) -> int:
        return len(self.held.term_numbers_of(document))

    def places(self, keys: Iterable[str]) -> tuple[Ints, Ints]:
        """Return the numbers of the seen documents, and the pages that brought them first."""
        numbers = np.array(self.held.numbers(keys), dtype=np.int32)
        return numbers, np.array([self._page_of[number] for number in numbers], dtype=np.int32)

    def terms_of(self, key: str) -> Ints:
        """Return the numbers of a seen document's terms."""
        return self._heads_of(self._written_of(self.held.keys.find(key)))

    def _written_of(self, document: int) -> Ints:
        own = self.held.term_numbers_of(document)
        return np.concatenate([own, self._more[document]]) if document in self._more else own

    def widen(self, key: str, terms: Iterable[str]) -> None:
        """Add terms to a seen document, from another snippet of it."""
        document = self.held.keys.find(key)
        known = self._written_of(document)
        written = np.setdiff1d(self._numbers(list(terms)), known).astype(np.int32)
        numbers = np.setdiff1d(self._heads_of(written), self._heads_of(known)).astype(np.int32)
        more = self._more.get(document)
        self._more[document] = written if more is None else np.concatenate([more, written])
        self.written[written] += 1
        self._count(numbers, self._length(document))
        if self._times[document] > 1:
            weight = max(1, self._length(document)) ** -0.5
            self.once[numbers] -= weight
            self.once_sum -= weight * len(numbers)
        self._on_page[numbers] += 1

    def turn_page(self) -> None:
        """End a page: documents added later count as coming from another page."""
        numbers = np.flatnonzero(self._on_page)
        if len(numbers):
            self.pages[numbers] += 1
            self.densest[numbers] = np.maximum(self.densest[numbers], self._on_page[numbers])
            self._on_page[numbers] = 0
            self._pages += 1


def _grown(values: npt.NDArray[Number], room: int) -> npt.NDArray[Number]:
    grown = np.zeros(room, dtype=values.dtype)
    grown[: len(values)] = values
    return grown
