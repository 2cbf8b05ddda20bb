"""Count texts that are held in part, and those that equal another document's."""

from collections import Counter
from collections.abc import Container, Set
from typing import Literal

from longline.ledger.held.text_sample import ALIKE, SAME, TextSample
from longline.ledger.metrics import are_many, many_in_part
from longline.model import Document, Page, Query
from longline.text.hashes import Hashes
from longline.text.refusals import MOST_END, asks_to_log_in
from longline.text.stems import fold, fold_text

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

SAME_LINE = 4
"""So many texts that end in one line that asks to log in, to read on, are cut there..."""

BOILERPLATE = 0.9
"""... unless more than this share of all texts do: then the site adds it to each."""

FEW = 6
"""With fewer long words than this in its snippet, a document's text is not checked against it."""

LEAST_SHOWN = 0.2
"""Minimum share of these words in its text: the others may be a date or an author."""


class HeldTexts:
    """Counts texts that are held in part, and those that equal another document's.

    A document surely has more text than is held if its last line is "…", or asks to log in, or if
    its text lacks most words of its snippet. It may have more if its text lacks the words of the
    query that found it.

    Args:
        wanted: The texts documents should have.

    Attributes:
        duplicates: Documents with the same text as an earlier one.
        other_layouts: Documents whose pages have no text where the spec expects it.

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
        self.duplicates = self.other_layouts = 0
        self._known = Hashes()
        self._in_part = self._lacking = self._going_on = self._unlike = 0
        self._asking = Counter[str]()  # texts by a line at their end that asks to log in
        self._found: dict[str, tuple[Query, str]] = {}  # query and snippet by key, until each comes
        self._sample = TextSample()

    def see(self, query: Query, page: Page, held: Container[str]) -> None:
        """Record the query and snippet of each hit; compare the query with texts that are held."""
        self._sample.see(query, page)
        for hit in page.hits:
            if hit.key not in held:
                self._found.setdefault(hit.key, (query, hit.snippet))

    def enter(self, document: Document, *, is_listed: bool, other_layout: bool = False) -> None:
        """Record a document, read from its listing or from its own page."""
        text = document.text
        self.other_layouts += other_layout
        is_part = text.startswith(_CUT) or text.endswith(_CUT) or self.wanted == "beginnings"
        is_part |= self.wanted == "own pages" and not document.url
        is_title = bool(text) and text.strip() == document.title.strip()
        self._in_part += (is_part or not text) if is_listed else is_title
        found = self._found.pop(document.key, None)
        lacks, is_unlike = (False, False) if found is None else _lacking(document, *found)
        if found is not None:
            self._sample.enter(document, found[0])
        is_going_on = text.endswith(GOES_ON)
        self._going_on += is_going_on
        self._unlike += is_unlike or is_going_on
        self._lacking += lacks or is_unlike or is_going_on or text.endswith(_LEFT_OUT)
        if text:
            known = len(self._known)
            self.duplicates += self._known.number(text) < known
        if asks := next(filter(asks_to_log_in, text[-MOST_END:].split("\n")), ""):
            self._asking[asks] += 1

    def has(self, text: str) -> bool:
        """Return whether a document with this text is held."""
        return text in self._known

    def in_part(self, documents: int) -> int:
        """Return how many are held in part; those lacking their query's words count if many."""
        lacking = self._lacking if are_many(self._lacking, documents, LACKING) else 0
        sampled = round(self._sample.lacking * documents)
        return max(self._surely(documents), self._in_part, lacking, sampled)

    def are_many_in_part(self, documents: int) -> bool:
        """Return whether those held in part keep a harvest from complete."""
        is_part = are_many(self._in_part, documents)
        lacks = are_many(self._lacking, documents, LACKING) or self._sample.lacking > 0
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
        said, words, shown = fold_text(said), set(map(fold, words)), set(map(fold, shown))
        lacks, is_unlike = lacks and not _has(said, words), is_unlike and not _has_most(said, shown)
    return lacks, is_unlike


def _has(said: str, words: Set[str]) -> bool:
    return all(word in said for word in words)


def _has_most(said: str, shown: Set[str]) -> bool:
    """Return whether a text has enough of the words shown, if these are many."""
    return len(shown) < FEW or sum(word in said for word in shown) >= LEAST_SHOWN * len(shown)
