"""Find a word, or a letter, that most documents of a source hold. No I/O."""

from collections import Counter
from collections.abc import Collection, Mapping

from longline.model import Query
from longline.pool import STOP_WORDS

COMMON_SEEN = 10
"""The number of seen documents before their most common word is queried."""

RISING, SETTLED = 4, 1000
"""With 1,000 documents or more, only a word in at least one of four is still counted as common."""

COMMON_TRIED = 3
"""The most common words to try, because some sources ignore them."""

RARE = 10
"""A letter is tried if fewer than one in this many documents has it as a word of its own."""


def least_common(documents: int) -> float:
    """Return in how many of some documents a word must be to be counted as common."""
    return documents / RISING if documents >= SETTLED else 1


class CommonWords:
    """Counts words in documents, and tries the most common ones until one has a long answer.

    If no answer is cut, one such query shows most of the source, each document once. A letter
    works if the source matches inside words; otherwise it costs one page.

    Attributes:
        word: The last word that was tried; "" before the first.
        letter: The letter that was tried; "" if none is worth it, None before.

    >>> common = CommonWords()
    >>> for _ in range(COMMON_SEEN):
    ...     common.count(["the", "category"])
    >>> common.next(COMMON_SEEN, sent=set()), common.next(COMMON_SEEN, sent=set())
    ('t', 'the')
    """

    def __init__(self) -> None:
        self.word = ""
        self.letter: str | None = None
        self._counts: Counter[str] = Counter()
        self._left = COMMON_TRIED

    def count(self, words: Collection[str]) -> None:
        """Count the different words of a document."""
        if self._left:
            self._counts.update(iter(words))

    def take(self, counts: Mapping[str, int]) -> None:
        """Add how many documents hold each of some words, which `least_common` tells."""
        self._counts.update(counts)

    def next(self, seen: int, sent: Collection[Query]) -> str | None:
        """Return the letter or word to query now, or None.

        Args:
            seen: How many documents were counted.
            sent: Earlier queries.
        """
        if not self._left or seen < COMMON_SEEN:
            return None
        if self.letter is None:
            letters: Counter[str] = Counter()
            for word, count in self._counts.items():
                for letter in word:
                    letters[letter] += count
            inside = [letter for letter in letters if RARE * self._counts[letter] < seen]
            self.letter = max(inside, key=letters.__getitem__, default="")
            if self.letter and Query((self.letter,)) not in sent:
                return self.letter
        if seen >= SETTLED:
            least = least_common(seen)
            rising = {word: n for word, n in self._counts.items() if n >= least}
            self._counts = Counter(rising)
        most = [word for word, n in self._counts.items() if 2 * n >= seen]
        unsent = [word for word in most if Query((word,)) not in sent]
        if not unsent:
            return None
        self._left -= 1
        self.word = max(unsent, key=lambda word: (word in STOP_WORDS, self._counts[word]))
        return self.word

    def see(self, found: float, seen: int) -> None:
        """Try no more words if the last one has a long answer; else leave out those like it.

        A word in every document that hardly any search finds stands around the texts, such as
        "category", and so do the others in every document. A source that does not search a stop
        word searches no other.

        Args:
            found: Results of the last word.
            seen: How many documents were counted.
        """
        if 2 * found >= seen:
            self._left = 0
        elif self.word in STOP_WORDS:
            self._leave_out(STOP_WORDS)
        else:
            self._leave_out({word for word, n in self._counts.items() if n == seen} - STOP_WORDS)

    def _leave_out(self, words: Collection[str]) -> None:
        for word in words:
            self._counts.pop(word, None)
