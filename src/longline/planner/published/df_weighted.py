"""The thesis's own strategy: DF-Weighted, over a SampleDB and a QueryPool.

Terms whose estimated df in the source reaches the return limit are left out: their answers are cut,
and a static ranking shows the same top documents for all of them. The weighted greedy (IDS) chooses
from the others.
"""

from collections.abc import Mapping, Sequence
from math import inf

import numpy as np

from longline.estimate import check_estimator
from longline.model import Finish, Query, Search
from longline.planner.published.sample_and_cover import (
    NOTHING,
    SampledCover,
    Selection,
    df_in_source,
)
from longline.pool import TermMatrix, query_pool
from longline.text.seed_words import shuffled

RELATIVE_SIZE = 20.0
"""Relative size of the QueryPool (Fu 2011, section 5.3.3)."""

IDLE_QUERIES = 200
"""After this many words in a row without a new document, sampling ends."""


def below_limit(
    sample: TermMatrix,
    limit: float,
    size: float,
    method: str = "mle",
    totals: Mapping[str, int] = NOTHING,
) -> TermMatrix:
    """Return only the terms whose estimated df in the source is below the return limit.

    Args:
        sample: Documents and terms, as for `df_in_source`.
        limit: The return limit k.
        size: The number of documents in the source.
        method: The estimator.
        totals: Totals of answers, by term.

    Source: Fu 2011, section 4.3; the estimate "mle" is its equation 6.

    >>> from longline.pool import document_term_matrix
    >>> below_limit(document_term_matrix(["deep web", "deep sea"]), limit=10, size=10).terms
    ['sea', 'web']
    """
    if not sample.terms:
        return sample
    return sample.pick(np.flatnonzero(df_in_source(sample, size, method, totals) < limit))


class DfWeighted(SampledCover):
    """Sample by a dictionary, then choose terms that the limit does not cut, by weighted greedy.

    As the thesis builds it: complete answers of random dictionary words, until the sample is
    complete; the df of every term in the source, estimated by its share in the sample (maximum
    likelihood, equation 6) or by another estimator; a pool of relative size 20, drawn at random
    from the terms with an estimate below the return limit; the weighted greedy's cover of the
    sample, sent once. The sample's queries are counted like all others.

    Args:
        sample: Documents to sample before choosing.
        rng: Draws words and the pool.
        words: The dictionary; repeats are dropped.
        limit: The return limit k; if None, every term is a candidate.
        size: See `SampledCover`.
        relative_size: Relative size of the pool.
        df_estimator: A name from `estimate.DF_ESTIMATORS`.

    Source: Fu 2011, sections 4.3 (equation 6), 5.3.1 and 5.3.3.
    """

    def __init__(
        self,
        sample: int,
        rng: np.random.Generator,
        words: Sequence[str],
        limit: int | None = None,
        *,
        size: int | None = None,
        relative_size: float = RELATIVE_SIZE,
        df_estimator: str = "mle",
    ) -> None:
        selection = Selection("ids", sample, "df", relative_size, rounds=1)
        check_estimator(df_estimator)
        super().__init__(selection, rng, (), limit, size)
        self._estimator = df_estimator
        self._words = iter(shuffled(sorted(set(words)), rng))
        self._relative_size = relative_size
        self._pooled = 0

    def choose(self) -> Search | Finish:
        """Return the sample's next word, or the next selected query."""
        choice = super().choose()
        if isinstance(choice, Finish) and self._documents and not self._pooled:
            return Finish(
                f"no term of a sample of {len(self._documents)} documents is estimated to have "
                f"fewer documents than the return limit of {self._limit} shows",
                target_met=False,
            )
        return choice

    def wants_page(self, query: Query, number: int) -> bool:
        """Return True: the sample consists of complete answers."""
        return True

    def _sampling_search(self) -> Search | None:
        if len(self._documents) >= self._selection.sample or self._idle >= IDLE_QUERIES:
            return None
        word = next(self._words, None)
        return None if word is None else Search(Query((word,)))

    def _draw_pool(self, sample: TermMatrix) -> TermMatrix:
        size = self._size_of(sample.documents)
        limit = self._limit or inf
        found = below_limit(sample, limit, size, self._estimator, self._totals)
        pool = query_pool(found, self._relative_size, self._rng)
        self._pooled = len(pool.terms)
        return pool
