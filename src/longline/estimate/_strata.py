"""The words that may be probed, in strata by when the harvest saw them, drawn at random."""

from collections.abc import Collection, Mapping, Sized
from math import sqrt

import numpy as np

from longline.estimate._words import Floats, Ints, Mask

GROWTH = 2.0
"""How often the documents held multiply before words seen since make a stratum."""

DENSITY = 0.7
"""Of the first stratum's draws per word: a later stratum with fewer is drawn from next."""

OUTSIDE, OTHERS, SEEN = -1, 0, 1
"""Strata of words: not in the pool; no held document has it; one has. Later ones count on."""


class Strata:
    """Draws words: those that held documents had when the draws began, and others.

    The others are half of the draws while all of them hit, and fewer where few do. Words that the
    harvest has seen since make strata of their own, which are drawn from as
    densely as the first.

    Args:
        in_pool: (words,). Which words may be drawn.
        df: (words,). Held documents that have each.
        held: How many documents are held.
        rng: Orders the draws.
    """

    def __init__(self, in_pool: Mask, df: Ints, held: int, rng: np.random.Generator) -> None:
        self._of = np.where(in_pool, np.where(df > 0, SEEN, OTHERS), OUTSIDE)
        order = rng.permutation(np.flatnonzero(in_pool))
        self._queues: list[list[int]] = [  # by stratum: next draw last
            order[self._of[order] == each].tolist() for each in (OTHERS, SEEN)
        ]
        self._held_then = held  # documents when the newest stratum was made
        self._draws = np.zeros(2)  # of each of the two first strata
        self._words = self._count()

    def __contains__(self, word: int) -> bool:
        """Say whether a word may be drawn."""
        return word < len(self._of) and bool(self._of[word] != OUTSIDE)

    @property
    def pool(self) -> int:
        """How many words may be drawn."""
        return int((self._of != OUTSIDE).sum())

    def is_due(self, held: int) -> bool:
        """Say whether so much more is held that the words seen since make a stratum."""
        return held >= GROWTH * self._held_then

    def renew(self, df: Ints, held: int) -> None:
        """Make a stratum of the words that were seen since the last."""
        self._of[(self._of == OTHERS) & (df[: len(self._of)] > 0)] = len(self._queues)
        order = self._queues[OTHERS]
        self._queues.append([word for word in order if self._of[word] != OTHERS])
        self._queues[OTHERS] = [word for word in order if self._of[word] == OTHERS]
        self._held_then = held
        self._words = self._count()

    def draw(self, asked: Mapping[int, Sized], *, is_enough: bool) -> int | None:
        """Return the next word; None where there is no more, or enough and no stratum lacks any.

        Args:
            asked: Words that were drawn and asked, with what each brought.
            is_enough: No more are wanted but for later strata.
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
        """Say whether a word that no held document had is next.

        Draws are best shared out as a stratum's words differ in what they bring (Neyman's
        allocation): as the root of the part of them that hit, which of the words of held
        documents is all.
        """
        others = [bool(brought) for word, brought in asked.items() if self._of[word] == OTHERS]
        part = (sum(others) + 1) / (len(others) + 2)
        return bool(self._draws[OTHERS] < sqrt(part) * self._draws[SEEN])

    def _sparse(self, asked: Collection[int]) -> int | None:
        """Return a later stratum that has too few draws for its size."""
        density = 1 / self.scales(asked)
        for stratum in range(SEEN + 1, len(self._queues)):
            if self._queues[stratum] and density[stratum] < DENSITY * density[SEEN]:
                return stratum
        return None

    def within(self, words: Mask) -> Mask:
        """Return those of some words that may be drawn; (words,) both."""
        found = words.copy()
        found[len(self._of) :] = False
        found[: len(self._of)] &= self._of != OUTSIDE
        return found

    def chances(self, usable: Mask, asked: Collection[int]) -> Floats:
        """(words,). How likely each usable word was to be asked: its stratum's share of draws."""
        chance = np.zeros(len(usable))
        known = len(self._of)
        chance[:known] = usable[:known] / self.scales(asked)[self._of]
        return chance

    def scales(self, asked: Collection[int]) -> Floats:
        """(strata,). Words in each stratum / words asked of it, or all where none was."""
        drawn = np.bincount(self._of[list(asked)], minlength=len(self._queues))
        return np.maximum(self._words, 1) / np.maximum(drawn, 1)

    def _count(self) -> Ints:
        """(strata,). Words in each stratum, drawn or not."""
        return np.bincount(self._of[self._of != OUTSIDE], minlength=len(self._queues))
