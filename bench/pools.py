"""SampleDB and QueryPool, drawn as in the papers."""

from dataclasses import dataclass

import numpy as np
from bench.frame import Collection

from longline.pool import TermMatrix, query_pool

SAMPLE = 3000
RELATIVE_SIZE = 20.0


@dataclass(frozen=True, eq=False)
class Pool:
    """Terms of a sample that may be queries.

    Attributes:
        terms: (documents, queries) and their words.
        left_out: Number of documents that no query matches.
    """

    terms: TermMatrix
    left_out: int

    @property
    def title(self) -> str:
        """Its size, as text."""
        size = self.terms.df.sum() / self.terms.documents
        return (
            f"{self.terms.documents:,} documents, {len(self.terms.terms):,} queries (relative size "
            f"{size:.1f}), {self.left_out:,} documents left out"
        )


def draw_pool(collection: Collection, sample: int, relative_size: float, seed: int) -> Pool:
    """Draw a SampleDB, and a QueryPool from it."""
    pool = query_pool(
        collection.sample(sample, seed), relative_size, np.random.default_rng([seed, 2])
    )
    return Pool(pool, len(pool.left_out()))


def document_sizes(pool: TermMatrix) -> np.ndarray:
    """Return how many of the queries match each document, (documents,)."""
    return np.bincount(pool.matrix.rows, minlength=pool.documents)
