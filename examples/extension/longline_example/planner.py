"""A planner: search for the words of the documents seen so far, in alphabetical order."""

import re

import numpy as np

from longline.extend import Document, Finish, Options, Policy, Query, Search, SequentialPlanner


class Alphabet(SequentialPlanner):
    """Choose the first word in the alphabet that was not searched for yet."""

    def __init__(self, first: list[str]) -> None:
        super().__init__()
        self._waiting = set(first)
        self._known = set(first)

    def choose(self) -> Search | Finish:
        """Return the next query, or say that there is none."""
        if not self._waiting:
            return Finish("every word was searched for")
        word = min(self._waiting)
        self._waiting.remove(word)
        return Search(Query((word,)))

    def learn(self, document: Document) -> None:
        """Take the words of a document; told once for each."""
        new = set(re.findall(r"[a-z]{3,}", document.text.lower())) - self._known
        self._known |= new
        self._waiting |= new


def make(options: Options, rng: np.random.Generator) -> Policy:
    """Return a fresh planner; the entry point names this."""
    return Alphabet(list(options.first_words))
