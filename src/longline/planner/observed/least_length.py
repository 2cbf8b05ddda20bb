"""How short the words are that a source passes over."""

from math import inf

SHORT_WORDS = 3
"""So many words that are passed over, and none as short that is read, tell of a length."""

SHORT = 4
"""Letters of the longest words that a source may pass over for their length."""


class LeastLength:
    """Learn the length of the shortest words that a source reads.

    Words are passed over for other reasons, too: where as many longer ones were, nothing is said.

    >>> least = LeastLength()
    >>> for word in ["oil", "sea", "gas"]:
    ...     least.see_passed_over(word)
    >>> least.see_read("coral")
    >>> least.letters
    4
    """

    def __init__(self) -> None:
        self.letters = 1
        self._shortest = inf  # letters of the shortest word that was read
        self._passed_over: set[str] = set()

    def see_read(self, word: str) -> None:
        """Take note of a word that the source reads."""
        self._shortest = min(self._shortest, len(word))

    def see_passed_over(self, word: str) -> None:
        """Take note of a word that the source does not look for."""
        self._passed_over.add(word)
        most = min(self._shortest - 1, SHORT)
        short = [len(word) for word in self._passed_over if len(word) <= most]
        if len(short) >= max(SHORT_WORDS, len(self._passed_over) - len(short) + 1):
            self.letters = max(self.letters, max(short) + 1)
