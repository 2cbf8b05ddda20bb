"""The learning automaton that reads words: one state up for a query word, else one down.

It has S states and starts in the middle; the state never exceeds S. A sheep stops at 0 or below,
and the number of words it has read shows how relevant they were. A classifier reads all words, and
its last state is its result.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

_FOLDS = 4
"""Twofold steps halve from S/2 to S/16, and then start again."""


@dataclass(frozen=True)
class Automaton:
    """A Tsetlin automaton with two actions, or its twofold variant.

    In the paper's figure the quit state is at the far end of the states, in its step 3.5.2 at the
    low end; both mean the same. Start state, clipping and the cycle of twofold steps are inferred.

    Attributes:
        states: S.
        is_twofold: Use steps S/2, S/4, S/8, S/16 repeatedly, instead of 1.

    Source: Goodwin, "Hidden Markov Model Classifier" and "... Two Fold".
    """

    states: int = 3
    is_twofold: bool = False

    @property
    def middle(self) -> float:
        """The start state: S/2, rounded up.

        >>> Automaton(3).middle, Automaton(100).middle
        (2, 50)
        """
        return (self.states + 1) // 2

    def step(self, t: int) -> float:
        """Return how far word `t` (from 0) moves the state.

        >>> [Automaton(100, is_twofold=True).step(t) for t in range(5)]
        [50.0, 25.0, 12.5, 6.25, 50.0]
        """
        return self.states / 2 ** (t % _FOLDS + 1) if self.is_twofold else 1

    def read(self, words: Iterable[str], query: Collection[str], state: float) -> tuple[int, float]:
        """Return how many words it reads from a state until it quits or they end, and its state.

        >>> Automaton(3).read(["mail", "of", "the", "day"], {"mail"}, 2)
        (4, 0)
        >>> Automaton(3).read(["of", "the", "day"], {"mail"}, 2)
        (2, 0)
        """
        t = 0
        for word in words:
            state = self._after(word in query, t, state)
            t += 1
            if state <= 0:
                break
        return t, state

    def judge(self, words: Iterable[str], query: Collection[str], state: float) -> float:
        """Return the state after reading all words without quitting: 0 is the lowest state.

        >>> Automaton(3).judge(["of", "the", "day", "mail", "records"], {"mail", "records"}, 2)
        2
        """
        for t, word in enumerate(words):
            state = max(0, self._after(word in query, t, state))
        return state

    def _after(self, is_hit: bool, t: int, state: float) -> float:
        step = self.step(t)
        return min(self.states, state + step) if is_hit else state - step
