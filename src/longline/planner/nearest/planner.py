"""Nearest: if every query shows its nearest documents, search where few of them are known.

On these sources AND, NOT and totals mean nothing, and no answer is complete or cut. The text of a
held document is a query that shows the documents around it. So words, sentences and rare words of
held documents are drawn as candidates, most of them from documents that came once; a linear
prediction, learned from every answer, chooses the one with the highest expected share of new
documents. See `surroundings` for its features,
docs/research/decisions/0054-search-by-meaning.md for figures.
"""

from collections.abc import Sequence

import numpy as np

from longline.events import SizeEstimate
from longline.model import Document, Finish, Page, Query, Search
from longline.planner.capabilities import Capabilities
from longline.planner.nearest.surroundings import FEATURES, Surroundings
from longline.planner.observed import RecentPages
from longline.planner.regression import Regression
from longline.planner.reports import Reports
from longline.planner.sequential import SequentialPlanner
from longline.pool import Analyzer
from longline.text.latent import Floats
from longline.text.numbers import all_of
from longline.text.seed_words import SEED_WORDS, shuffled

WORDS = Analyzer(stop_words=frozenset(), min_length=2)

KEPT = 200
"""The number of words kept of a document, from its beginning."""

LEAST_HELD, LEAST_ASKED = 60, 8
"""Held documents, and sent queries, that are needed before predictions begin."""

CANDIDATES = 300
"""The number of candidates for each query that is sent."""

AT_THE_EDGE = 0.6
"""Share of the candidates drawn from documents that came once."""

LONGEST = 15
"""The most words in a query."""

RARE = 5
"""The number of words in a query made of a document's rarest words."""

UNSURE, NOISE, DRIFT = 0.5, 0.05, 1e-6
"""The initial standard deviation of a coefficient, the noise variance of a share of new documents,
and the variance that a coefficient gains with each answer."""

WORTHWHILE = 0.25
"""The search ends below this many new documents per page; later pages are as long as the first."""

TOTALS = 3
"""This many different queries must announce the same exact total before it is taken as the size."""


class Nearest(SequentialPlanner, Reports):
    """Send texts of held documents as queries, where few documents of the answer are held.

    Args:
        abilities: What the source can do; only the most words in a query matters.
        rng: Orders the first words, and draws candidates.
        words: Words to begin with.
        size: The number of documents in the source, or None if unknown.

    >>> planner = Nearest(Capabilities(), np.random.default_rng(0), words=["web"])
    >>> planner.next()
    Search(query=Query(required=('web',)), number=1)
    >>> planner.next()
    Finish(reason='no word brought a document', target_met=False)
    """

    def __init__(
        self,
        abilities: Capabilities,
        rng: np.random.Generator,
        words: Sequence[str] = SEED_WORDS,
        size: int | None = None,
    ) -> None:
        super().__init__()
        self._rng = rng
        self._words = shuffled(words, rng)
        self._longest = min(abilities.max_terms or LONGEST, LONGEST)
        self._size = size
        self._around = Surroundings(rng)
        self._known: set[str] = set()
        self._seen: set[str] = set()
        self._new_share = Regression(
            np.zeros(FEATURES), np.full(FEATURES, UNSURE), np.full(FEATURES, DRIFT)
        )
        self._features: Floats | None = None
        self._new = self._rows = 0
        self._recent = RecentPages(WORTHWHILE)
        self._totals: list[int] = []

    def choose(self) -> Search | Finish:
        """Return the most promising candidate, or the end."""
        self._settle()
        if (finish := self._finish()) is not None:
            return finish
        is_early = len(self._around.keys) < LEAST_HELD or len(self.sent) < LEAST_ASKED
        while self._words and is_early:
            query = Query((self._words.pop(),))
            if query not in self.sent:
                return self._pursue(query, None)
        if not self._around.keys:
            return Finish("no word brought a document", target_met=False)
        candidates = self._candidates()
        if not candidates:
            return Finish("every text that was found was searched for")
        self._around.settle()
        features = self._around.features([query.required for query in candidates])
        best = int(np.argmax(features @ self._new_share.beta))
        return self._pursue(candidates[best], features[best])

    def size(self) -> SizeEstimate | None:
        """Return the number of documents if every answer has the same exact total, else None."""
        if len(self._totals) < TOTALS or len(set(self._totals)) > 1:
            return None
        total = float(self._totals[0])
        if total <= self._rows or total < len(self._seen):
            return None  # it only counts the documents shown
        return SizeEstimate(documents=total, low=total, high=total, method="totals")

    def _finish(self) -> Finish | None:
        """Return the end if it is time to stop, else None."""
        found = self.size()
        size = self._size or (int(found.documents) if found else None)
        if size is not None and len(self._seen) >= size:
            return Finish(f"{all_of(size, 'document was', 'documents were')} shown")
        return self._recent.ending(some_are_missing=size is not None)

    def _pursue(self, query: Query, features: Floats | None) -> Search:
        self._features = features
        self._new = self._rows = 0
        self._around.asked(query.required)
        return Search(query)

    # Candidates.

    def _candidates(self) -> list[Query]:
        """Draw queries from the texts of held documents, most of them from those that came once."""
        came, draw = self._around.came(), self._rng
        edge = np.flatnonzero(came == 1)
        is_edge = draw.random(CANDIDATES) < AT_THE_EDGE
        documents = draw.integers(len(came), size=CANDIDATES)
        if len(edge):
            documents[is_edge] = edge[draw.integers(len(edge), size=is_edge.sum())]
        queries = (self._drawn_from(self._around.texts[number]) for number in documents.tolist())
        return [query for query in dict.fromkeys(queries) if query not in self.sent]

    def _drawn_from(self, text: Sequence[str]) -> Query:
        """Return a word, some words, a passage, the beginning, or the rarest words of a text."""
        way, df = self._rng.integers(5), self._around.df
        if way == 0:
            chosen = text[: self._longest]
        elif way == 1:
            chosen = sorted(set(text), key=lambda word: (df[word], word))[:RARE]
        elif way == 2:
            begin = int(self._rng.integers(max(1, len(text) - self._longest + 1)))
            chosen = text[begin : begin + self._longest]
        else:
            many = 1 if way == 3 else 3
            chosen = [text[place] for place in self._rng.integers(len(text), size=many).tolist()]
        return Query(tuple(dict.fromkeys(chosen))[: self._longest])

    # Answers.

    def see(self, query: Query, number: int, page: Page) -> None:
        """Count the new and repeated documents on a result page."""
        keys = dict.fromkeys(page.keys)
        new = len(keys.keys() - self._seen)
        self._seen.update(keys)
        self._around.times.update(keys.keys())
        self._new += new
        self._rows += len(keys)
        self._recent.note(new)
        if page.exact_total is not None and number == 1:
            self._totals.append(page.exact_total)

    def learn(self, document: Document) -> None:
        """Store a document's words."""
        words = WORDS.tokens(f"{document.title}\n{document.text}")[:KEPT]
        if words and document.key not in self._known:
            self._known.add(document.key)
            self._around.hold(document.key, words)

    def _settle(self) -> None:
        """Learn from the query that ended."""
        if self._features is not None and self._rows:
            self._new_share.learn(self._features, self._new / self._rows, NOISE)
        self._features = None
