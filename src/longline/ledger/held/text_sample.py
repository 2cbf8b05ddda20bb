"""Compare the texts of some documents with every search that shows them."""

from zlib import crc32

from longline.ledger.metrics import many_in_part
from longline.model import Document, Hit, Page, Query
from longline.text.stems import fold, fold_text

ALIKE = 5
"""So many texts that lack the words of their snippets are no chance."""

SAME = 4
"""How many first letters are compared, so that forms of a word match."""

MOST_LETTERS = 4_000_000
"""At most so many letters of texts are held in memory, to be compared with later searches."""

LONGEST = MOST_LETTERS // 10
"""Longer texts are left out, as few would be compared."""

TWICE = 2
"""Words of so many searches are no chance: one may be a label, a keyword or a form of another."""


class TextSample:
    """A random sample of texts, to be compared with every search that shows their documents.

    The first search for a document may have found it by a word of its beginning. Only searches for
    one word are compared, by its first letters, since it may have been found by its stem.

    >>> from longline.model import Hit
    >>> sample = TextSample()
    >>> for key in "abcdef":
    ...     sample.enter(Document(key, "", "", "Of the tide."), Query(("tide",)))
    >>> for word in "moonlight", "seashore":
    ...     sample.see(Query((word,)), Page(tuple(map(Hit, "abcde"))))
    >>> sample.documents, sample.lacking
    (5, 1.0)
    """

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._letters = 0
        self._one_in = 1
        self._asked: dict[str, set[str]] = {}  # words that showed a document, by its key
        self._lacked: dict[str, set[str]] = {}  # those of them that its text lacks

    def enter(self, document: Document, query: Query) -> None:
        """Add a document, and the search that showed it first."""
        if len(document.text) > LONGEST or not self._is_drawn(document.key):
            return
        said = f"{document.title} {document.text} {document.fields or ''}".lower()
        self._texts[document.key] = said
        self._letters += len(said)
        while self._letters > MOST_LETTERS and len(self._texts) > 1:
            self._one_in *= 2
            for key in [key for key in self._texts if not self._is_drawn(key)]:
                self._letters -= len(self._texts.pop(key))
                self._asked.pop(key, None)
                self._lacked.pop(key, None)
        self.see(query, Page((Hit(document.key),)))

    def _is_drawn(self, key: str) -> bool:
        return crc32(key.encode(errors="replace")) % self._one_in == 0

    def see(self, query: Query, page: Page) -> None:
        """Compare a search with the texts of its hits."""
        words = [*query.required, *query.excluded]
        if len(words) != 1 or not query.required or not words[0].isalpha():
            return
        word = words[0].lower()[: min(SAME, len(words[0]) // 2)]  # of "making", "mak"
        for hit in page.hits:
            if said := self._texts.get(hit.key):
                self._asked.setdefault(hit.key, set()).add(word)
                if word not in said and fold(word) not in fold_text(said):
                    self._lacked.setdefault(hit.key, set()).add(word)

    @property
    def documents(self) -> int:
        """How many documents at least two searches for other words have shown."""
        return sum(len(words) >= TWICE for words in self._asked.values())

    @property
    def lacking(self) -> float:
        """Share of these that lack the words of two or more searches, if these are many; else 0."""
        lacking = sum(len(words) >= TWICE for words in self._lacked.values())
        is_many = lacking >= ALIKE and many_in_part(lacking, self.documents)
        return lacking / self.documents if is_many else 0.0
