"""Estimate how common words are on a site, from what has been read so far."""

from collections import Counter
from collections.abc import Iterable


class Background:
    """Rates of words, smoothed towards equal rates as far as repeats suggest equality.

    A Dirichlet prior over the site's vocabulary: its size by Chao's estimate, its strength from how
    often two drawn words are the same. If all words are equally common, that is rare, and the prior
    outweighs chance repeats; in natural text it is frequent, and the counts prevail.

    >>> background = Background()
    >>> background.add("the cat and the dog and the hen".split())
    >>> background.rate("the") > background.rate("cat") > background.rate("mouse") > 0
    True
    """

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._words = 0
        self._once = 0
        self._twice = 0
        self._pairs = 0
        self._prior = (1.0, 1.0)
        self._stale = True

    def add(self, words: Iterable[str]) -> None:
        """Count words, repeats included."""
        counts = self._counts
        for word in words:
            before = counts[word]
            counts[word] = before + 1
            self._words += 1
            self._pairs += before
            self._once += (before == 0) - (before == 1)
            self._twice += (before == 1) - (before == 2)
        self._stale = True

    def rate(self, word: str) -> float:
        """Return the probability that a word of the site is this one, above 0."""
        vocabulary, strength = self.prior
        return (self._counts[word] + strength / vocabulary) / (self._words + strength)

    @property
    def prior(self) -> tuple[float, float]:
        """Estimated number of different words of the site, and the prior's weight in words."""
        if self._stale:
            self._prior, self._stale = self._fitted(), False
        return self._prior

    def _fitted(self) -> tuple[float, float]:
        unseen = self._once * (self._once - 1) / (2 * (self._twice + 1))
        vocabulary = len(self._counts) + unseen + 1
        repeats = (self._pairs + 1) / (self._words * (self._words - 1) / 2 + vocabulary)
        excess = repeats - 1 / vocabulary
        strength = (1 - repeats) / excess if excess > 0 else _STRONGEST
        return vocabulary, min(max(strength, 1.0), _STRONGEST)


_STRONGEST = 1e5
