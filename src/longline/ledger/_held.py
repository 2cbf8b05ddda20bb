"""The documents that a harvest met: which are held, how they grow, and whose texts are complete."""

from array import array
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Set
from typing import Literal

import numpy as np

from longline.estimate.extrapolate import Growth
from longline.estimate.size import chao1, overlap, petersen
from longline.events import SizeEstimate
from longline.ledger.metrics import are_many, many_in_part
from longline.model import Document, Page, Query
from longline.text.hashes import Hashes
from longline.text.refusals import MOST_END, asks_to_log_in
from longline.text.stems import fold

NOT_HELD = -1

MOST_POINTS = 400
"""Maximum number of stored points of growth; at this number, every other one is dropped."""

Texts = Literal["whole", "own pages", "beginnings", "shown"]
"""The texts documents should have: see `Ledger`."""

_CUT = ("…", "...")
"""Starts and ends of texts that are shown in part."""

_LEFT_OUT = ("[...]", "[…]")
"""Ends of texts that a document's own page shows in part."""

GOES_ON = "\n…"
"""The last line of a text whose document says that more follows, or whose page broke off."""

LACKING = 0.1
"""If more than this share of texts lack the words of their searches, more is searched than is held:
in nine whole harvests, no text did."""

ALIKE = 5
"""So many texts that lack the words of their snippets are no chance."""

SAME_LINE = 4
"""So many texts that end in one line that asks to log in, to read on, are cut there..."""

BOILERPLATE = 0.9
"""... unless more than this share of all texts do: then the site adds it to each."""

SAME = 4
"""How many first letters are compared, so that forms of a word match."""

FEW = 6
"""With fewer long words than this in its snippet, a document's text is not checked against it."""

LEAST_SHOWN = 0.2
"""Minimum share of these words in its text: the others may be a date or an author."""


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


class HeldTexts:
    """Counts texts that are held in part, and those that equal another document's.

    A document surely has more text than is held if its last line is "…", or asks to log in, or if
    its text lacks most words of its snippet. It may have more if its text lacks the words of the
    query that found it.

    Args:
        wanted: The texts documents should have.

    Attributes:
        duplicates: Documents with the same text as an earlier one.

    >>> from longline.model import Hit
    >>> texts = HeldTexts("whole")
    >>> texts.see(Query(("tides",)), Page((Hit("a"), Hit("b"))), held=())
    >>> for key, text in ("a", "Of the tide and the moon."), ("b", "Sign in to read on."):
    ...     texts.enter(Document(key, "", "", text), is_listed=False)
    >>> texts.in_part(1), texts.in_part(2)
    (1, 0)
    """

    def __init__(self, wanted: Texts) -> None:
        self.wanted: Texts = wanted
        self.duplicates = 0
        self._known = Hashes()
        self._in_part = self._lacking = self._going_on = self._unlike = 0
        self._asking = Counter[str]()  # texts by a line at their end that asks to log in
        self._found: dict[str, tuple[Query, str]] = {}  # query and snippet by key, until each comes

    def see(self, query: Query, page: Page, held: Container[str]) -> None:
        """Record the query and snippet of each hit whose document is not held yet."""
        for hit in page.hits:
            if hit.key not in held:
                self._found.setdefault(hit.key, (query, hit.snippet))

    def enter(self, document: Document, *, is_listed: bool) -> None:
        """Record a document, read from its listing or from its own page."""
        text = document.text
        is_part = text.startswith(_CUT) or text.endswith(_CUT) or self.wanted == "beginnings"
        is_part |= self.wanted == "own pages" and not document.url
        is_title = bool(text) and text.strip() == document.title.strip()
        self._in_part += (is_part or not text) if is_listed else is_title
        found = self._found.pop(document.key, None)
        lacks, is_unlike = (False, False) if found is None else _lacking(document, *found)
        is_going_on = text.endswith(GOES_ON)
        self._going_on += is_going_on
        self._unlike += is_unlike or is_going_on
        self._lacking += lacks or is_unlike or is_going_on or text.endswith(_LEFT_OUT)
        if text:
            known = len(self._known)
            self.duplicates += self._known.number(text) < known
        if asks := next(filter(asks_to_log_in, text[-MOST_END:].split("\n")), ""):
            self._asking[asks] += 1

    def in_part(self, documents: int) -> int:
        """Return how many are held in part; those lacking their query's words count if many."""
        lacking = self._lacking if are_many(self._lacking, documents, LACKING) else 0
        return max(self._surely(documents), self._in_part, lacking)

    def are_many_in_part(self, documents: int) -> bool:
        """Return whether those held in part keep a harvest from complete."""
        is_part = are_many(self._in_part, documents)
        lacks = are_many(self._lacking, documents, LACKING)
        return is_part or lacks or many_in_part(self._surely(documents), documents)

    def _surely(self, documents: int) -> int:
        asking = sum(times for times in self._asking.values() if times >= SAME_LINE)
        return max(
            self._going_on,
            self._unlike if self._unlike >= ALIKE else 0,
            asking if asking <= BOILERPLATE * documents else 0,
        )


def _lacking(document: Document, query: Query, snippet: str) -> tuple[bool, bool]:
    """Return whether a document lacks its query's words, and whether most of its snippet's.

    The words may have any form. Words with operator signs are not checked.
    """
    title, terms = document.title.lower(), " ".join(query.required).lower().split()
    said = f"{title} {document.text} {document.fields or ''}".lower()
    words = {term[:SAME] for term in terms} if all(map(str.isalnum, terms)) else set()
    shown = {word[:SAME] for word in snippet.lower().split() if word.isalpha() and len(word) > SAME}
    shown = {word for word in shown if word not in title}
    lacks, is_unlike = not _has(said, words), not _has_most(said, shown)
    if lacks or is_unlike:
        said, words, shown = fold(said), set(map(fold, words)), set(map(fold, shown))
        lacks, is_unlike = lacks and not _has(said, words), is_unlike and not _has_most(said, shown)
    return lacks, is_unlike


def _has(said: str, words: Set[str]) -> bool:
    return all(word in said for word in words)


def _has_most(said: str, shown: Set[str]) -> bool:
    """Return whether a text has enough of the words shown, if these are many."""
    return len(shown) < FEW or sum(word in said for word in shown) >= LEAST_SHOWN * len(shown)


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
