"""Terms of high document frequency, several in one query: the thesis's HDF5, HDF10, HDF15."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from longline.model import Finish, Query, Search
from longline.planner.capabilities import Capabilities
from longline.planner.published.term_value import IDLE_QUERIES, HighestDf
from longline.text.seed_words import SEED_WORDS

HIGH = 2.0
"""Return limits that a term's documents must fill to count as high: df >= 200 at k = 100."""

HIGH_DF = 200.0
"""The thesis's own bound, where the return limit is not known."""


class HighestDfOr(HighestDf):
    """Ask for any of some terms of high df, drawn at random, each term once.

    The thesis asked every term before, to know which have a df of 200 at k = 100; here the df is
    estimated, by how much of each answer was already held. When too few such terms are left,
    those of highest df follow. The order is deterministic for the state of `rng`.

    Args:
        abilities: What the source can do; it has to know OR.
        rng: Draws the terms, and orders the words to begin with.
        words: To begin with, one by one, until some bring documents.
        terms: Joined by OR in one query: 5, 10 or 15 in the thesis.

    Source: Fu 2011, section 5.3.4, HDF5 to HDF15; after Barbosa & Freire 2004.

    >>> planner = HighestDfOr(Capabilities(), np.random.default_rng(0), terms=5)
    >>> planner.next()
    Finish(reason='this source has no OR, and every query here needs it', target_met=False)
    """

    def __init__(
        self,
        abilities: Capabilities,
        rng: np.random.Generator,
        words: Sequence[str] = SEED_WORDS,
        *,
        terms: int = 5,
    ) -> None:
        super().__init__(abilities, rng, words)
        self._abilities = abilities
        self._rng = rng
        self._terms = terms
        self._used: set[int] = set()
        self._least = HIGH_DF if self._limit == inf else HIGH * self._limit

    def choose(self) -> Search | Finish:
        """Draw the next terms; while nothing is known of any, take the next word."""
        problem = self._problem()
        if problem:
            return Finish(problem, target_met=False)
        if self._idle >= IDLE_QUERIES and self._met:
            return Finish(f"{self._idle} searches in a row brought nothing new")
        self._idle += 1
        group = self._drawn()
        if group:
            return Search(Query((), any_of=group))
        word = self._next_word()
        if word is not None:
            return Search(Query((word,)))
        return Finish("every term was sent")

    def _problem(self) -> str | None:
        most = self._abilities.max_terms
        if not self._abilities.disjunction:
            return "this source has no OR, and every query here needs it"
        if most is not None and most < self._terms:
            return f"this source reads {most} terms of a query, and these have {self._terms}"
        return None

    def _drawn(self) -> tuple[str, ...]:
        df = self._seen.df[: len(self._seen.terms)].astype(np.float64)
        df[list(self._used)] = 0
        high = np.flatnonzero((df > 0) & (df * self.growth() >= self._least))
        if len(high) >= self._terms:
            chosen = self._rng.choice(high, self._terms, replace=False)
        else:
            chosen = np.argsort(-df, kind="stable")[: self._terms]
            chosen = chosen[df[chosen] > 0]
        self._used.update(chosen.tolist())
        return tuple(self._seen.terms[term] for term in chosen.tolist())
