"""Latent semantic analysis: documents and queries as points, near each other where meant alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from zlib import crc32

import numpy as np

from longline.simulate.search.index import Floats, Index, Numbers

DIMENSIONS = 100
SPARE, ROUNDS = 10, 2
"""Directions beyond those that are kept, and rounds, by which the search for them is exact enough."""


class LatentSpace:
    """A point for each document, and for whatever is typed.

    The points are those of tf-idf in the plane of the greatest singular values. A word that no
    document holds has a direction of its own, the same each time, as in models that read words
    by their letters: so nonsense, too, has nearest documents.

    Args:
        index: Of the documents.
        dimensions: Of the points, at most.

    Source: Deerwester et al. 1990; the singular vectors by Halko, Martinsson & Tropp 2011,
        algorithm 4.4.

    >>> index = Index(["deep sea", "deep water", "tall tree", "old tree"], str.split)
    >>> LatentSpace(index, 2).nearest(["water"]).tolist()[:2]
    [1, 0]
    """

    def __init__(self, index: Index, dimensions: int = DIMENSIONS) -> None:
        self._vocabulary = index.vocabulary
        terms, documents, frequencies = index.entries()
        shape = len(index), len(index.vocabulary)
        df = np.bincount(terms, minlength=shape[1])
        self._rarity = np.log(shape[0] / np.maximum(df, 1)) + 1.0
        weights = (1.0 + np.log(frequencies)) * self._rarity[terms]
        squares = np.bincount(documents, weights**2, shape[0])
        weights /= np.sqrt(squares[documents])

        def across(points: Floats) -> Floats:
            """Return matrix times points: from terms to documents."""
            return _product(documents, terms, weights, points, shape[0])

        def back(points: Floats) -> Floats:
            return _product(terms, documents, weights, points, shape[1])

        most = min(dimensions + SPARE, *shape)
        begun = np.random.default_rng(0).standard_normal((shape[1], most))
        basis, _ = np.linalg.qr(across(begun))
        for _ in range(ROUNDS):
            basis, _ = np.linalg.qr(across(back(basis)))
        _, _, directions = np.linalg.svd(back(basis).T, full_matrices=False)
        self._directions: Floats = directions[:dimensions].T
        self._usual = float(np.linalg.norm(self._directions * self._rarity[:, None], axis=1).mean())
        self._points = _unit(across(self._directions))

    def nearest(self, words: Iterable[str]) -> Numbers:
        """Return all documents, the nearest to some words first."""
        point = np.zeros(self._directions.shape[1])
        for word, often in sorted(Counter(words).items()):
            point += (1.0 + np.log(often)) * self._direction(word)
        return np.argsort(-(self._points @ point), kind="stable").astype(np.int32)

    def _direction(self, word: str) -> Floats:
        term = self._vocabulary.get(word)
        if term is not None:
            return np.asarray(self._rarity[term] * self._directions[term])
        own = np.random.default_rng(crc32(word.encode())).standard_normal(
            (1, self._points.shape[1])
        )
        return np.asarray(self._usual * _unit(own)[0])


def _product(rows: Numbers, columns: Numbers, values: Floats, points: Floats, size: int) -> Floats:
    """Return a sparse matrix, given by its entries, times a dense one."""
    sums = [np.bincount(rows, values * column[columns], size) for column in points.T]
    return np.stack(sums, axis=1)


def _unit(points: Floats) -> Floats:
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return np.asarray(points / np.maximum(lengths, 1e-12))
