"""The words that may be probed, in strata by when the harvest saw them, drawn at random."""

from collections.abc import Collection, Mapping, Sized
from math import sqrt

import numpy as np

from longline.estimate._words import Floats, Ints, Mask

GROWTH = 2.0
"""When the held documents grew by this factor, the words seen since form a stratum."""

DENSITY = 0.7
"""A later stratum is drawn from next if its density of draws is below this share of the first's."""

OUTSIDE, OTHERS, SEEN = -1, 0, 1
"""Strata of words: not in the pool; in no held document; in one. Later strata count on."""


class Strata:
    """Draws words: those in held documents when the draws began, and others.

    The others get half of the draws if all of them have hits, and fewer if few do. Words that the
    harvest has seen since then form strata of their own, which are drawn as densely as the first.

    Args:
        in_pool: (words,). Which words may be drawn.
        df: (words,). Held documents that contain each.
        held: The number of held documents.
        rng: Orders the draws.
    """

    def __init__(self, in_pool: Mask, df: Ints, held: int, rng: np.random.Generator) -> None:
        self._of = np.where(in_pool, np.where(df > 0, SEEN, OTHERS), OUTSIDE)
        order = rng.permutation(np.flatnonzero(in_pool))
        self._queues: list[list[int]] = [  # by stratum; the next word is last
            order[self._of[order] == each].tolist() for each in (OTHERS, SEEN)
        ]
        self._held_then = held  # held documents when the newest stratum was made
        self._draws = np.zeros(2)  # for each of the first two strata
        self._words = self._count()

    def __contains__(self, word: int) -> bool:
        """Return whether a word may be drawn."""
        return word < len(self._of) and bool(self._of[word] != OUTSIDE)

    @property
    def pool(self) -> int:
        """The number of words that may be drawn."""
        return int((self._of != OUTSIDE).sum())

    def is_due(self, held: int) -> bool:
        """Return whether enough new documents are held for a new stratum."""
        return held >= GROWTH * self._held_then

    def renew(self, df: Ints, held: int) -> None:
        """Make a stratum of the words seen since the last one was made."""
        self._of[(self._of == OTHERS) & (df[: len(self._of)] > 0)] = len(self._queues)
        order = self._queues[OTHERS]
        self._queues.append([word for word in order if self._of[word] != OTHERS])
        self._queues[OTHERS] = [word for word in order if self._of[word] == OTHERS]
        self._held_then = held
        self._words = self._count()

    def draw(self, asked: Mapping[int, Sized], *, is_enough: bool) -> int | None:
        """Return the next word; None if none is left, or enough were sent and no stratum needs one.

        Args:
            asked: Words that were drawn and sent, with the results of each.
            is_enough: Only later strata still need words.
        """
        stratum = self._sparse(asked)
        if stratum is None and not is_enough:
            first, second = (OTHERS, SEEN) if self._others_next(asked) else (SEEN, OTHERS)
            stratum = first if self._queues[first] else second
            self._draws[stratum] += 1
        if stratum is None or not self._queues[stratum]:
            return None
        return self._queues[stratum].pop()

    def _others_next(self, asked: Mapping[int, Sized]) -> bool:
        """Return whether the next word is one that no held document contained.

        Draws are best divided by how much the results in a stratum vary (Neyman's allocation): by
        the square root of the share of words with hits, which is 1 for words of held documents.
        """
        others = [bool(brought) for word, brought in asked.items() if self._of[word] == OTHERS]
        part = (sum(others) + 1) / (len(others) + 2)
        return bool(self._draws[OTHERS] < sqrt(part) * self._draws[SEEN])

    def _sparse(self, asked: Collection[int]) -> int | None:
        """Return a later stratum that has too few draws for its size, or None."""
        density = 1 / self.scales(asked)
        for stratum in range(SEEN + 1, len(self._queues)):
            if self._queues[stratum] and density[stratum] < DENSITY * density[SEEN]:
                return stratum
        return None

    def within(self, words: Mask) -> Mask:
        """Return which of the words may be drawn; (words,) both."""
        found = words.copy()
        found[len(self._of) :] = False
        found[: len(self._of)] &= self._of != OUTSIDE
        return found

    def chances(self, usable: Mask, asked: Collection[int]) -> Floats:
        """Return each usable word's probability, its stratum's share of draws; (words,)."""
        chance = np.zeros(len(usable))
        known = len(self._of)
        chance[:known] = usable[:known] / self.scales(asked)[self._of]
        return chance

    def scales(self, asked: Collection[int]) -> Floats:
        """Return the words in each stratum / words sent from it, or all if none was; (strata,)."""
        drawn = np.bincount(self._of[list(asked)], minlength=len(self._queues))
        return np.maximum(self._words, 1) / np.maximum(drawn, 1)

    def _count(self) -> Ints:
        """Return the number of words in each stratum, drawn or not; (strata,)."""
        return np.bincount(self._of[self._of != OUTSIDE], minlength=len(self._queues))
