"""Published strategies that choose each query from the documents received before it.

They differ in the value of a term. The rest is shared: count the terms of received documents, send
the unsent term with the highest value. Some need the number of documents in the source; it is
estimated from the share of recent rows that were already known.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from math import inf, log

import numpy as np
import numpy.typing as npt

from longline.model import Document, Finish, Page, Query, Search
from longline.planner.capabilities import Capabilities
from longline.planner.observed import TermStatistics
from longline.planner.sequential import SequentialPlanner
from longline.pool import Analyzer
from longline.text.seed_words import SEED_WORDS, shuffled

Floats = npt.NDArray[np.float64]

IDLE_QUERIES = 100
"""After this many queries in a row without a new document, the rest is out of reach."""

WAIT = 8
"""Queries between two valuations of all terms; between them the best of the last one are sent."""

ROW_COST = 0.02
"""Cost of a row, if a page costs 1."""

TOP_WORDS = 25
"""The number of words that each document nominates for the pool (Madhavan et al. 2008)."""

SHIFTS = (0.0, 1.0, 3.0, 10.0, 30.0, 100.0)
"""Values of beta to try in Zipf-Mandelbrot's law."""


class TermValue(SequentialPlanner):
    """Send the term with the highest value; a subclass defines the value.

    Args:
        abilities: The return limit and the page size, if known.
        rng: Orders the first words.
        words: Words to begin with, and to send when no term is left.
    """

    def __init__(
        self,
        abilities: Capabilities,
        rng: np.random.Generator,
        words: Sequence[str] = SEED_WORDS,
    ) -> None:
        super().__init__()
        self._analyzer = Analyzer()
        self._limit: float = abilities.limit or inf
        self._page_size = abilities.page_size or 10
        self._words: list[str] = shuffled(words, rng)
        self._seen = TermStatistics()
        self._met: set[str] = set()
        self._idle = 0
        self._line: list[int] = []
        self._recent: list[tuple[int, int]] = []
        self._answers: dict[int, int] = {}

    def values(self, df: Floats) -> Floats:
        """Return each term's value; terms with a value of 0 or less are not sent.

        Args:
            df: (terms,). Seen documents that contain each term.
        """
        raise NotImplementedError

    def choose(self) -> Search | Finish:
        """Return the best query of terms, else the next word, else the end."""
        if self._idle >= IDLE_QUERIES and self._met:
            return Finish(f"{self._idle} searches in a row brought nothing new")
        self._idle += 1
        query = self._best() or self._next_word()
        if query is not None:
            return Search(query)
        return Finish("every word that this strategy sends was searched for")

    def _best(self) -> Query | None:
        """Return the unsent term with the highest value, as a query; None if none has a value."""
        if not self._line and len(self._seen):
            values = self.values(self._seen.df[: len(self._seen.terms)].astype(np.float64))
            for query in self.sent:
                values[self._seen.number(query.required[0])] = 0
            best = np.argsort(-values, kind="stable")[:WAIT]
            self._line = [int(term) for term in best[::-1] if values[term] > 0]
        return Query((self._seen.terms[self._line.pop()],)) if self._line else None

    def _next_word(self) -> Query | None:
        while self._words:
            word = self._words.pop()
            if (query := Query((word,))) not in self.sent:
                self._seen.number(word)
                return query
        return None

    def see(self, query: Query, number: int, page: Page) -> None:
        """Note the new documents, and how many documents contain the term."""
        keys = {hit.key for hit in page.hits}
        new = keys - self._met
        if new:
            self._idle = 0
        self._recent.append((len(keys), len(keys) - len(new)))
        self._met |= keys
        if not query.required:
            return  # a total of alternatives says nothing about a single term
        term = self._seen.number(query.required[0])
        if page.total is not None:
            self._answers[term] = page.total.documents
        elif number == 1 and page.next is None:
            self._answers[term] = len(keys)

    def learn(self, document: Document) -> None:
        """Count a document's terms."""
        if document.key not in self._seen:
            terms = self._analyzer.terms(f"{document.title}\n{document.text}")
            self._seen.add(document.key, list(terms))
            self._seen.turn_page()

    def growth(self) -> float:
        """Return estimated documents per seen document, from the last 20 pages' overlap; >= 1."""
        rows, old = np.sum(self._recent[-20:], axis=0) if self._recent else (1, 0)
        return float(rows + 1) / float(old + 1)

    def efficiency(self, df: Floats, totals: Floats) -> Floats:
        """Return new documents per cost if `totals` documents contain the terms, `df` seen."""
        rows = np.minimum(np.maximum(totals, 1), self._limit)
        new = np.clip(rows - df, 0, None)  # N(q) - N(q | seen), N(q) limited to shown rows
        pages = np.ceil(rows / self._page_size)
        found: Floats = np.where(df > 0, new / (pages + ROW_COST * rows), 0)
        return found


class HighestDf(TermValue):
    """Send the term that most seen documents contain.

    The single-term form; `HighestDfOr` joins several terms by OR.

    Source: Barbosa & Freire 2004; Fu 2011, section 5.3.4.
    """

    def values(self, df: Floats) -> Floats:
        """Return the dfs: a term's value is its df."""
        return df


class TfIdf(TermValue):
    """Send words that are among the 25 of highest tf-idf in most documents.

    Words in over 80 % of the documents, or in only one, are left out.

    Source: Madhavan et al. 2008; Fu 2011, section 2.1, equation 2.
    """

    def __init__(
        self,
        abilities: Capabilities,
        rng: np.random.Generator,
        words: Sequence[str] = SEED_WORDS,
    ) -> None:
        super().__init__(abilities, rng, words)
        self._named: Counter[int] = Counter()

    def learn(self, document: Document) -> None:
        """Count a document's terms, and let it nominate its best words."""
        if document.key in self._seen:
            return
        super().learn(document)
        text = f"{document.title}\n{document.text}"
        times = Counter(self._analyzer.tokens(text))
        size = len(self._seen)
        weights = {
            term: times[self._seen.terms[term]] * log((size + 1) / int(self._seen.df[term]))
            for term in self._seen.terms_of(document.key).tolist()
        }
        self._named.update(sorted(weights, key=lambda t: (-weights[t], t))[:TOP_WORDS])

    def values(self, df: Floats) -> Floats:
        """Return by how many documents each term was nominated."""
        named = np.zeros(len(df))
        named[list(self._named)] = list(self._named.values())
        named[(df < 2) | (df > 0.8 * max(len(self._seen), 2))] = 0
        return named


class NtoulasIndependence(TermValue):
    """Send the term with the most new documents per cost, if the source is like the seen part.

    Source: Ntoulas et al. 2005, section 4.1, the independence estimator.
    """

    def values(self, df: Floats) -> Floats:
        """Return new documents per cost, with a df that grows as the source does."""
        return self.efficiency(df, df * self.growth())


class NtoulasZipf(TermValue):
    """Send the term with the most new documents per cost, if dfs follow Zipf-Mandelbrot's law.

    D = alpha (rank + beta)^-gamma, with the rank of the seen df, fitted to the answers so far.

    Source: Ntoulas et al. 2005, section 4.2; Fu 2011, section 2.1, equation 1.
    """

    def values(self, df: Floats) -> Floats:
        """Return new documents per cost, with D predicted from the term's rank."""
        _, group, sizes = np.unique(-df, return_inverse=True, return_counts=True)
        ranks = (np.cumsum(sizes) - (sizes - 1) / 2)[group]  # terms with equal df share a rank
        known = [term for term, total in self._answers.items() if total > 0 and df[term] > 0]
        if len(known) < 5:
            return self.efficiency(df, df * self.growth())
        totals = np.array([self._answers[term] for term in known], dtype=np.float64)
        by_rank = self.efficiency(df, mandelbrot(ranks[known], totals)(ranks))
        # If the law predicts nothing new for a term, its df decides, after all other terms.
        return np.maximum(by_rank, 1e-6 * self.efficiency(df, df * self.growth()))


def mandelbrot(ranks: Floats, totals: Floats) -> Callable[[Floats], Floats]:
    """Fit D = alpha (rank + beta)^-gamma by least squares of logs; return D as function of rank.

    >>> law = mandelbrot(np.array([1.0, 10, 100]), np.array([1000.0, 100, 10]))
    >>> law(np.array([1000.0])).round(3).tolist()
    [1.0]
    """
    logs = np.log(totals)

    def fit(shift: float) -> tuple[float, float, Floats]:
        design = np.stack([np.ones(len(ranks)), -np.log(ranks + shift)], axis=1)
        found = np.linalg.lstsq(design, logs, rcond=None)[0]
        return float(((design @ found - logs) ** 2).sum()), shift, found

    _, shift, (constant, slope) = min(map(fit, SHIFTS), key=lambda found: found[:2])
    return lambda ranks: np.asarray(np.exp(constant - slope * np.log(ranks + shift)))


class DfBand(TermValue):
    """Send terms whose estimated D is within a band around the return limit, nearest first.

    Larger terms are cut, and a static ranking shows the same top documents for all of them; smaller
    ones waste a query. The band is k / 2 to 2 k; if none is left in it, the nearest below is sent.

    Source: after Wang & Lu 2017, Crawling ranked deep web data sources.
    """

    def values(self, df: Floats) -> Floats:
        """Return how near each term's estimated D is to the limit: 0 to 1."""
        limit = self._limit if self._limit < inf else float(10 * self._page_size)
        totals = df * self.growth()
        distance = np.abs(np.log(np.maximum(totals, 1e-9) / limit))
        found: Floats = np.where((df > 0) & (totals <= 2 * limit), 1 / (1 + distance), 0)
        return found


HIGH = 2.0
"""A term counts as high if its documents fill this many return limits: df >= 200 at k = 100."""

HIGH_DF = 200.0
"""The thesis's own bound, used if the return limit is not known."""


class HighestDfOr(HighestDf):
    """Send queries of several terms of high df joined by OR, drawn at random, each term once.

    The thesis queried every term before, to know which have a df of 200 at k = 100; here the df is
    estimated from the share of each answer that was known. If too few such terms are left, those
    with the highest df follow. The order is deterministic for the state of `rng`.

    Args:
        abilities: What the source can do; it must support OR.
        rng: Draws the terms, and orders the first words.
        words: Sent one by one at the beginning, until some bring documents.
        terms: Terms joined by OR in one query: 5, 10 or 15 in the thesis.

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
        """Return a query of the next drawn terms; while none is known, the next word."""
        problem = self._problem()
        if problem:
            return Finish(problem, target_met=False)
        return super().choose()

    def _problem(self) -> str | None:
        most = self._abilities.max_terms
        if not self._abilities.disjunction:
            return "this source has no OR, and every query here needs it"
        if most is not None and most < self._terms:
            return f"this source reads {most} terms of a query, and these have {self._terms}"
        return None

    def _best(self) -> Query | None:
        """Return a query of the next drawn terms; None if none is known."""
        df = self._seen.df[: len(self._seen.terms)].astype(np.float64)
        df[list(self._used)] = 0
        high = np.flatnonzero((df > 0) & (df * self.growth() >= self._least))
        if len(high) >= self._terms:
            chosen = self._rng.choice(high, self._terms, replace=False)
        else:
            chosen = np.argsort(-df, kind="stable")[: self._terms]
            chosen = chosen[df[chosen] > 0]
        self._used.update(chosen.tolist())
        group = tuple(self._seen.terms[term] for term in chosen.tolist())
        return Query((), any_of=group) if group else None
