"""What a harvest holds: how it has grown, and which texts are whole."""

from collections.abc import Container, Set
from typing import Literal

import numpy as np

from longline.estimate.extrapolate import Growth
from longline.ledger.metrics import many_in_part
from longline.model import Document, Page, Query
from longline.text.stems import fold

MOST_POINTS = 400
"""Of a growth that are kept; where there are more, every other one goes."""

Texts = Literal["whole", "beginnings", "shown"]
"""What texts documents are to have: see `Ledger`."""

_CUT = ("…", "...")
"""What a text that is shown in part begins or ends with."""

SAME = 4
"""Letters that all forms of a word begin with."""

FEW = 6
"""Fewer long words that a list shows of a document say nothing of its text."""

LEAST_SHOWN = 0.2
"""Share of these that its text holds at the least: the rest may be a date, or who wrote it."""


class Grown:
    """Keeps how many documents were held after how many requests, from the first document on.

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
        """Take note of how it stands; it is kept where enough requests came since the last."""
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
        """Return the growth up to now; None before the first document."""
        points = [each for each in self._points if each[0] < requests]
        if not documents or not points:
            return None
        x, y = np.array([*points, (requests, documents)]).T
        # What is withdrawn was no document: it counts for nothing from the beginning on.
        return Growth(x - self._begun, np.minimum.accumulate(y[::-1])[::-1])


class HeldTexts:
    """Counts texts that are held in part, and those that another document has, too.

    A document has more text than what is held where that lacks the words of the search that found
    it, or most words that the list of hits shows of it.

    Args:
        wanted: What texts documents are to have.

    Attributes:
        duplicates: Documents with the same text as one before.

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
        self._known: set[int] = set()  # hashes of 64 bits
        self._in_part = self._lacking = 0
        self._found: dict[str, tuple[Query, str]] = {}  # what documents to come were found by

    def see(self, query: Query, page: Page, held: Container[str]) -> None:
        """Take note of what found documents and was shown of them, but for those that are held."""
        for hit in page.hits:
            if hit.key not in held:
                self._found.setdefault(hit.key, (query, hit.snippet))

    def enter(self, document: Document, *, is_listed: bool) -> None:
        """Take note of a document that came, from its listing or by its own page."""
        text = document.text
        is_part = text.startswith(_CUT) or text.endswith(_CUT) or self.wanted == "beginnings"
        is_title = bool(text) and text.strip() == document.title.strip()
        self._in_part += (is_part or not text) if is_listed else is_title
        found = self._found.pop(document.key, None)
        self._lacking += found is not None and _lacks(document, *found)
        if text:
            self.duplicates += hash(text) in self._known
            self._known.add(hash(text))

    def in_part(self, documents: int) -> int:
        """Return how many are held in part; those that lack what found them, if many do."""
        are_many = many_in_part(self._lacking, documents)
        return max(self._in_part, self._lacking if are_many else 0)


def _lacks(document: Document, query: Query, snippet: str) -> bool:
    """Say whether a document lacks words that found it, or most of what a list shows of it.

    Words that found it may have any form. Signs of somebody's query language are no words.
    """
    title, terms = document.title.lower(), " ".join(query.required).lower().split()
    said = f"{title} {document.text} {document.fields or ''}".lower()
    words = {term[:SAME] for term in terms} if all(map(str.isalnum, terms)) else set()
    shown = {word[:SAME] for word in snippet.lower().split() if word.isalpha() and len(word) > SAME}
    shown = {word for word in shown if word not in title}
    if _holds(said, words, shown):
        return False
    return not _holds(fold(said), set(map(fold, words)), set(map(fold, shown)))


def _holds(said: str, words: Set[str], shown: Set[str]) -> bool:
    """Say whether a text holds all words, and enough of those that a list shows, if many."""
    held = sum(word in said for word in shown)
    is_told = len(shown) < FEW or held >= LEAST_SHOWN * len(shown)
    return is_told and all(word in said for word in words)
