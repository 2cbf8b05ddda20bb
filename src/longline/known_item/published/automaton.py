"""The learning automaton that reads words: a state up for a word of the query, else one down.

It has S states and starts in the middle; the state never exceeds S. A sheep quits at 0 or below,
and how many words it read before is how interesting they were. A classifier reads on, and its
last state is what it thinks.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

_FOLDS = 4
"""Twofold steps halve from S/2 to S/16, and then begin again."""


@dataclass(frozen=True)
class Automaton:
    """A Tsetlin automaton with two actions, or its twofold variant.

    In the paper's figure the quit state lies at the far end of the states, in its step 3.5.2 at
    the low end; both say the same. Where it starts, that it is clipped, and that the twofold
    steps cycle is inferred.

    Attributes:
        states: S.
        is_twofold: Steps S/2, S/4, S/8, S/16, again and again, instead of 1.

    Source: Goodwin, "Hidden Markov Model Classifier" and "... Two Fold".
    """

    states: int = 3
    is_twofold: bool = False

    @property
    def middle(self) -> float:
        """Where it starts: S/2, rounded up.

        >>> Automaton(3).middle, Automaton(100).middle
        (2, 50)
        """
        return (self.states + 1) // 2

    def step(self, t: int) -> float:
        """Return how far word `t` (from 0) moves it.

        >>> [Automaton(100, is_twofold=True).step(t) for t in range(5)]
        [50.0, 25.0, 12.5, 6.25, 50.0]
        """
        return self.states / 2 ** (t % _FOLDS + 1) if self.is_twofold else 1

    def read(self, words: Iterable[str], query: Collection[str], state: float) -> tuple[int, float]:
        """Read words from a state on: how many until it quit or the words ended, and its state.

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
        """Read all words from a state on without quitting: 0 is its lowest state.

        >>> Automaton(3).judge(["of", "the", "day", "mail", "records"], {"mail", "records"}, 2)
        2
        """
        for t, word in enumerate(words):
            state = max(0, self._after(word in query, t, state))
        return state

    def _after(self, is_hit: bool, t: int, state: float) -> float:
        step = self.step(t)
        return min(self.states, state + step) if is_hit else state - step
