"""Track how the number of held documents grows, and which texts are complete."""

from collections.abc import Container, Set
from typing import Literal

import numpy as np

from longline.estimate.extrapolate import Growth
from longline.ledger.metrics import many_in_part
from longline.model import Document, Page, Query
from longline.text.hashes import Hashes
from longline.text.stems import fold

MOST_POINTS = 400
"""Maximum number of stored points of growth; at this number, every other one is dropped."""

Texts = Literal["whole", "own pages", "beginnings", "shown"]
"""The texts documents should have: see `Ledger`."""

_CUT = ("…", "...")
"""Starts and ends of texts that are shown in part."""

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

    A document has more text than is held if its text lacks the words of the query that found it, or
    most words of its snippet.

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
        self._in_part = self._lacking = 0
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
        self._lacking += found is not None and _lacks(document, *found)
        if text:
            known = len(self._known)
            self.duplicates += self._known.number(text) < known

    def in_part(self, documents: int) -> int:
        """Return how many are held in part; those lacking their query's words count if many."""
        are_many = many_in_part(self._lacking, documents)
        return max(self._in_part, self._lacking if are_many else 0)


def _lacks(document: Document, query: Query, snippet: str) -> bool:
    """Return whether a document lacks its query's words, or most of its snippet's.

    The query's words may have any form. Words with operator signs are not checked.
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
    """Return whether a text has all words, and enough of the shown ones, if these are many."""
    held = sum(word in said for word in shown)
    is_told = len(shown) < FEW or held >= LEAST_SHOWN * len(shown)
    return is_told and all(word in said for word in words)
