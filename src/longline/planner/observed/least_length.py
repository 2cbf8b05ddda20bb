"""Learn up to which length a source ignores words."""

from math import inf

SHORT_WORDS = 3
"""This many ignored words, with no word as short that is read, show a least length."""

SHORT = 4
"""The longest words, in letters, that a source may ignore as too short."""


class LeastLength:
    """Learn the length of the shortest words that a source reads.

    Words are ignored for other reasons too: as many longer ignored words prevent a conclusion.

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
        """Record a word that the source reads."""
        self._shortest = min(self._shortest, len(word))

    def see_passed_over(self, word: str) -> None:
        """Record a word that the source ignores."""
        self._passed_over.add(word)
        most = min(self._shortest - 1, SHORT)
        short = [len(word) for word in self._passed_over if len(word) <= most]
        if len(short) >= max(SHORT_WORDS, len(self._passed_over) - len(short) + 1):
            self.letters = max(self.letters, max(short) + 1)
