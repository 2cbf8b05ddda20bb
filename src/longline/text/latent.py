"""Latent semantic analysis: texts as points that are near each other if their topics are similar.

A text's words are weighted by tf-idf and projected on the directions of the greatest singular
values of all texts, so that words that occur together can replace each other.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

SPARE, ROUNDS = 10, 2
"""Extra directions, and rounds, that make a random search for the directions exact enough."""


class LatentSpace:
    """A low-dimensional space of some texts, in which other texts can be placed.

    Args:
        texts: The words of each; at least one word in total.
        dimensions: The most dimensions of a point.
        rng: Starts the search for the directions.

    Attributes:
        directions: (words, dimensions). Each word's direction, longer for rarer words.
        number: Each word's row in `directions`.

    Source: Deerwester et al. 1990; singular vectors by Halko, Martinsson & Tropp 2011,
        algorithm 4.4.

    >>> texts = [text.split() for text in ("deep sea", "deep water", "tall tree", "old tree")]
    >>> space = LatentSpace(texts, 2, np.random.default_rng(0))
    >>> abs(space.points(texts) @ space.points([["water"]])[0]).round(1).tolist()
    [1.0, 1.0, 0.0, 0.0]
    """

    def __init__(
        self, texts: Sequence[Iterable[str]], dimensions: int, rng: np.random.Generator
    ) -> None:
        counts = [Counter(text) for text in texts]
        self.number: dict[str, int] = {}
        for count in counts:
            for word in count:
                self.number.setdefault(word, len(self.number))
        shape = len(counts), len(self.number)
        sizes = np.array([len(count) for count in counts])
        rows = np.repeat(np.arange(shape[0]), sizes)
        words = np.array([self.number[word] for count in counts for word in count])
        often = np.array([times for count in counts for times in count.values()])
        rarity = 1.0 + np.log(shape[0] / np.bincount(words, minlength=shape[1]))
        weights = (1.0 + np.log(often)) * rarity[words]
        weights /= np.sqrt(np.bincount(rows, weights**2, shape[0]))[rows]

        def across(points: Floats) -> Floats:
            """Return the texts x words matrix times points."""
            return _product(rows, words, weights, points, shape[0])

        def back(points: Floats) -> Floats:
            return _product(words, rows, weights, points, shape[1])

        most = min(dimensions + SPARE, *shape)
        basis, _ = np.linalg.qr(across(rng.standard_normal((shape[1], most))))
        for _ in range(ROUNDS):
            basis, _ = np.linalg.qr(across(back(basis)))
        found, _, _ = np.linalg.svd(back(basis), full_matrices=False)
        self.directions: Floats = rarity[:, None] * found[:, :dimensions]

    def points(self, texts: Iterable[Iterable[str]]) -> Floats:
        """Return the points of texts: (texts, dimensions), of length 1; 0 if no word is known."""
        return unit(np.array([self.sum(text) for text in texts]))

    def sum(self, text: Iterable[str]) -> Floats:
        """Return the sum of the directions of a text's words; unknown words add nothing."""
        known = Counter(word for word in text if word in self.number)
        often = np.array(list(known.values()), dtype=np.float64)
        rows = [self.number[word] for word in known]
        return np.asarray((1.0 + np.log(often)) @ self.directions[rows])


def unit(points: Floats) -> Floats:
    """Return the points scaled to length 1; those of length 0 stay."""
    lengths = np.linalg.norm(points, axis=-1, keepdims=True)
    return np.asarray(points / np.where(lengths > 0, lengths, 1.0))


def _product(
    rows: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int64],
    values: Floats,
    points: Floats,
    size: int,
) -> Floats:
    """Return a sparse matrix, given by its entries, times a dense one."""
    sums = [np.bincount(rows, values * column[columns], size) for column in points.T]
    return np.stack(sums, axis=1)
