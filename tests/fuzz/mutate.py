"""Derive unusual input from good input, reproducibly for a given generator."""

from collections.abc import Callable, Sequence
from random import Random
from typing import AnyStr, Generic

MOST = 120_000
"""Maximum length of a case, in letters or bytes: the size of a long page."""

LETTERS = (
    "\0\x01\t\n\r\x1b\x1f !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\x7f\x85\xa0\xad\xb2\xdf\xfc\u0130\u0131"
    "\u0301\u0430\u05d0\u0660\u0669\u06f5\u0966\u0e01\u1160\u200b\u200d\u2028\u202e\u2066\u212a\u2460"
    "\u3000\u3007\u4e00\u4e5d\ufeff\uff10\uff1d\ufffd\ufffe\uffff\U00010a40\U0001d7d8\U0001f600"
    "0123456789aAzZ"
)
HALF = "\ud800\udfff"
"""Halves of a surrogate pair, which JSON can hold."""


class Mutator(Generic[AnyStr]):
    """Draws cases by changing seeds.

    Args:
        rng: Source of all random decisions.
        seeds: Good inputs of one kind; at least one.
        words: Pieces that have a meaning in this kind of input.
        letters: Letters to insert; bytes are drawn from all 256 values.

    >>> mutator = Mutator(Random(0), ["<p>web</p>"], ["<b>"])
    >>> mutator.case() == Mutator(Random(0), ["<p>web</p>"], ["<b>"]).case()
    True
    """

    def __init__(
        self, rng: Random, seeds: Sequence[AnyStr], words: Sequence[AnyStr], letters: str = LETTERS
    ) -> None:
        self.rng = rng
        self._seeds = seeds
        self._words = words
        self._letters = letters
        self._ways: tuple[Callable[[AnyStr], AnyStr], ...] = (
            self._torn,
            self._without,
            self._doubled,
            self._with_word,
            self._with_word,
            self._with_letters,
            self._crossed,
            self._shuffled,
        )

    def case(self) -> AnyStr:
        """Draw and change a seed; in 1 % of cases, repeat one piece of it very often."""
        made = self.changed(self.rng.choice(self._seeds))
        if self.rng.random() < 0.01:
            made = self._stretched(made)
        return made[:MOST]

    def changed(self, made: AnyStr) -> AnyStr:
        """Apply zero to six random changes."""
        for _ in range(self.rng.choice((0, 1, 1, 2, 2, 3, 4, 6))):
            made = self.rng.choice(self._ways)(made)
        return made[:MOST]

    def word(self) -> AnyStr:
        """Draw a word."""
        return self.rng.choice(self._words)

    def _span(self, made: AnyStr) -> tuple[int, int]:
        start = self.rng.randint(0, len(made))
        length = self.rng.choice((1, 1, 2, 4, 8, 30, 200))
        return start, min(len(made), start + length)

    def _torn(self, made: AnyStr) -> AnyStr:
        place = self.rng.randint(0, len(made))
        return made[:place] if self.rng.random() < 0.7 else made[place:]

    def _without(self, made: AnyStr) -> AnyStr:
        start, end = self._span(made)
        return made[:start] + made[end:]

    def _doubled(self, made: AnyStr) -> AnyStr:
        start, end = self._span(made)
        return made[:end] + made[start:end] * self.rng.choice((1, 1, 2, 5, 40)) + made[end:]

    def _with_word(self, made: AnyStr) -> AnyStr:
        start, end = self._span(made)
        return made[:start] + self.word() + made[start if self.rng.random() < 0.6 else end :]

    def _with_letters(self, made: AnyStr) -> AnyStr:
        start, end = self._span(made)
        return made[:start] + self._some(made) + made[start if self.rng.random() < 0.5 else end :]

    def _some(self, like: AnyStr) -> AnyStr:
        count = self.rng.choice((1, 1, 1, 2, 5))
        if isinstance(like, bytes):
            return self.rng.randbytes(count)
        return "".join(self.rng.choices(self._letters, k=count))

    def _crossed(self, made: AnyStr) -> AnyStr:
        other = self.rng.choice(self._seeds)
        start, end = self.rng.randint(0, len(made)), self.rng.randint(0, len(other))
        return made[:start] + other[end : end + self.rng.choice((10, 100, 1000))]

    def _shuffled(self, made: AnyStr) -> AnyStr:
        start, end = self._span(made)
        further = min(len(made), end + (end - start))
        return made[:start] + made[end:further] + made[start:end] + made[further:]

    def _stretched(self, made: AnyStr) -> AnyStr:
        """Repeat a word, a letter or a piece so often that only linear algorithms stay fast."""
        start, end = self._span(made)
        piece = self.rng.choice((self.word(), self._some(made), made[start:end])) or self.word()
        times = self.rng.choice((300, 3_000, 30_000))
        return made[:start] + (piece * times)[:MOST] + made[end:]
