"""The documents that a harvest met: which are held, and how their number grows."""

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

import numpy as np

from longline.estimate.extrapolate import Growth
from longline.estimate.size import chao1, overlap, petersen
from longline.events import SizeEstimate
from longline.text.hashes import Hashes

NOT_HELD = -1

MOST_POINTS = 400
"""Maximum number of stored points of growth; at this number, every other one is dropped."""


class Grown:
    """Stores how many documents were held after how many requests, from the first document on.

    >>> grown = Grown()
    >>> for requests in range(7, 12):
    ...     grown.see(requests, 3 * (requests - 8))
    >>> growth = grown.growth(12, 10)
    >>> growth.requests, growth.held
    (4.0, 10.0)
    """

    def __init__(self) -> None:
        self._begun = 0  # requests before the first document
        self._points: list[tuple[int, int]] = []
        self._step = 1
        self._due = 0

    def see(self, requests: int, documents: int) -> None:
        """Record the current numbers, if enough requests were sent since the last point."""
        if requests < self._due:
            return
        if documents <= 0:
            self._begun = requests
            return
        self._points.append((requests, documents))
        if len(self._points) == MOST_POINTS:
            self._points = self._points[::2]
            self._step *= 2
        self._due = requests + self._step

    def growth(self, requests: int, documents: int) -> Growth | None:
        """Return the growth up to now, or None before the first document."""
        points = [each for each in self._points if each[0] < requests]
        if not documents or not points:
            return None
        x, y = np.array([*points, (requests, documents)]).T
        # A withdrawn document never counted: earlier numbers are lowered, too.
        return Growth(x - self._begun, np.minimum.accumulate(y[::-1])[::-1])


class Documents:
    """The documents that a harvest holds, and those that its searches showed.

    Each has a number, in the order in which they were met. `len` and `in` are for held ones.

    Attributes:
        shown: How many documents the searches showed, held or not.
        probed: Those that probes showed.

    >>> met = Documents()
    >>> met.show(met.numbers(["a", "b"]), query=0), met.hold("b", "en"), met.hold("c", "en")
    (2, True, True)
    >>> met.probed.add("c")
    >>> len(met), "a" in met, met.only_probed, met.languages()
    (2, False, 1, Counter({'en': 2}))
    """

    def __init__(self) -> None:
        self.shown = 0
        self._held = 0
        self._numbers = Hashes()
        self._came = array("i")  # 4 for each time, plus 1 and 2 for two samples
        self._language = array("i")  # the place in `_languages`
        self._languages: list[str] = []
        self.probed = Marks(self)

    def __len__(self) -> int:
        """Return how many documents are held."""
        return self._held

    def __contains__(self, key: object) -> bool:
        """Return whether a document is held."""
        number = self._numbers.find(key)
        return number >= 0 and self._language[number] != NOT_HELD

    def number(self, key: str) -> int:
        """Return a document's number; a new one gets a new number."""
        number = self._numbers.number(key)
        if number == len(self._came):
            self._came.append(0)
            self._language.append(NOT_HELD)
        return number

    def numbers(self, keys: Iterable[str]) -> Collection[int]:
        """Return the numbers of documents, once each, in their order."""
        return dict.fromkeys(map(self.number, keys))

    def hold(self, key: str, language: str) -> bool:
        """Hold a document, in some language; return whether it was not held before."""
        number = self.number(key)
        is_new = self._language[number] == NOT_HELD
        if is_new:
            if language not in self._languages:
                self._languages.append(language)
            self._language[number] = self._languages.index(language)
            self._held += 1
        return is_new

    def withdraw(self, key: str) -> None:
        """Hold a document no more."""
        if key in self:
            self._language[self.number(key)] = NOT_HELD
            self._held -= 1

    def join(self, key: str, kept: str) -> None:
        """Merge two keys that belong to the same document."""
        if key in self:
            language = self._languages[self._language[self.number(key)]]
            self.withdraw(key)
            self.hold(kept, language)
        one, other = self.number(key), self.number(kept)
        came, before = self._came[one], self._came[other]
        if came:
            self._came[one] = 0
            self._came[other] = ((came | before) & 3) + 4 * ((came >> 2) + (before >> 2))
            self.shown -= before > 0

    def show(self, numbers: Iterable[int], query: int) -> int:
        """Record a page of the query with this number; return how many documents it shows first.

        Every other query belongs to the same of two samples.
        """
        before, catch = self.shown, 1 + query % 2
        for number in numbers:
            came = self._came[number]
            self.shown += not came
            self._came[number] = (came | catch) + 4
        return self.shown - before

    def times(self, number: int) -> int:
        """Return on how many pages a document was shown."""
        return self._came[number] >> 2

    @property
    def only_probed(self) -> int:
        """How many held documents no search but a probe showed."""
        pairs = zip(self._came, self._language, self.probed.numbers, strict=False)
        return sum(
            is_probed and not came and language != NOT_HELD for came, language, is_probed in pairs
        )

    def languages(self) -> Counter[str]:
        """Return how many held documents are in each language."""
        places = Counter(self._language)
        names = enumerate(self._languages)
        return Counter({name: places[place] for place, name in names if places[place]})

    def estimates(self, rows: int) -> list[SizeEstimate]:
        """Return the estimates computed from the harvest's own answers alone."""
        if not self.shown:
            return []
        often = Counter(came >> 2 for came in self._came)
        caught = Counter(came & 3 for came in self._came)
        one, other, both = caught[1] + caught[3], caught[2] + caught[3], caught[3]
        by_rate = overlap(max(rows, self.shown), self.shown)
        return [
            chao1(self.shown, often[1], often[2]),
            petersen(one, other, both),
            *([by_rate] if by_rate else []),
        ]


class Marks:
    """A set of documents, a byte each.

    Args:
        documents: Numbers the documents.

    >>> marks = Marks(Documents())
    >>> "a" in marks, marks.add("a"), "a" in marks, "b" in marks
    (False, None, True, False)
    """

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._marked = bytearray()

    @property
    def numbers(self) -> Iterator[bool]:
        """For each document's number whether it is marked; documents after the last one are not."""
        return map(bool, self._marked)

    def __contains__(self, key: str) -> bool:
        """Return whether a document is marked."""
        number = self._documents.number(key)
        return number < len(self._marked) and bool(self._marked[number])

    def add(self, key: str) -> None:
        """Mark a document."""
        number = self._documents.number(key)
        self._marked.extend(bytes(max(0, number + 1 - len(self._marked))))
        self._marked[number] = True

    def update(self, keys: Iterable[str]) -> None:
        """Mark some documents."""
        for key in keys:
            self.add(key)

    def clear(self) -> None:
        """Mark none."""
        self._marked.clear()
