"""A search by meaning: whatever is typed, the documents that are nearest to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from zlib import crc32

import numpy as np

from longline.simulate.search.index import Numbers
from longline.text.latent import Floats, LatentSpace, unit

DIMENSIONS = 100


class Nearest:
    """Documents in the order of their nearness to some words.

    A word that no document holds has a direction of its own, the same each time, as in models
    that read words by their letters: so nonsense, too, has nearest documents.

    Args:
        texts: The words of the documents.

    >>> texts = [text.split() for text in ("deep sea water", "deep water", "tall tree", "old tree")]
    >>> Nearest(texts).to(["water"]).tolist()[:2]
    [1, 0]
    """

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self._space = LatentSpace(texts, DIMENSIONS, np.random.default_rng(0))
        self._points = self._space.points(texts)
        self._usual = float(np.linalg.norm(self._space.directions, axis=1).mean())

    def to(self, words: Iterable[str]) -> Numbers:
        """Return the numbers of all documents, the nearest first."""
        return np.argsort(-(self._points @ self.point(words)), kind="stable").astype(np.int32)

    def point(self, words: Iterable[str]) -> Floats:
        """Return where some words lie."""
        asked = list(words)
        point = self._space.sum(asked)
        for word in sorted(set(asked) - self._space.number.keys()):
            point = point + self._unknown(word)
        return point

    def _unknown(self, word: str) -> Floats:
        own = np.random.default_rng(crc32(word.encode()))
        return np.asarray(self._usual * unit(own.standard_normal((1, self._points.shape[1])))[0])
