"""The positions of held documents and queries, and features that predict new documents."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from longline.text.latent import Floats, LatentSpace, unit

Numbers = npt.NDArray[np.int64]

DIMENSIONS = 100

GROWTH = 1.25
"""The space is computed again when the number of held documents has grown by this factor."""

NEIGHBOURS, NEAR = 40, 15.0
"""The number of nearest held documents in the features, and the rank where the weight is 1/e."""

FEATURES = 11
"""Features of a query: 1; the similarity of the 1st, 5th and 20th nearest held document; among its
nearest held documents, the share that came once, the mean of 1 / times and of the log of times each
came; the similarity of the nearest sent query, and of the next two; how much of its words lies in
the space; how common its words are among held documents."""


@dataclass
class Placed:
    """Texts and their positions: (texts, dimensions), for those placed so far."""

    texts: list[Sequence[str]] = field(default_factory=list)
    points: Floats = field(default_factory=lambda: np.empty((0, 0)))

    def place(self, space: LatentSpace, *, anew: bool) -> None:
        """Place the texts added since the last call, or all of them."""
        placed = 0 if anew else len(self.points)
        if placed < len(self.texts):
            more = space.points(self.texts[placed:])
            self.points = np.concatenate([self.points, more]) if placed else more


class Surroundings:
    """The seen documents and the sent queries, as points.

    Args:
        rng: Chooses the directions of the space.

    >>> around = Surroundings(np.random.default_rng(0))
    >>> around.hold("a", ["deep", "sea"])
    >>> around.asked(["deep"])
    >>> around.settle(), around.features([["sea"]]).shape
    (None, (1, 11))
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self.keys: list[str] = []
        self.df: Counter[str] = Counter()
        self.times: Counter[str] = Counter()
        self._held = Placed()
        self._asked = Placed()
        self._space: LatentSpace | None = None
        self._made_of = 0

    @property
    def texts(self) -> list[Sequence[str]]:
        """The words of each held document."""
        return self._held.texts

    def hold(self, key: str, words: Sequence[str]) -> None:
        """Add a held document with its words."""
        self.keys.append(key)
        self._held.texts.append(words)
        self.df.update(set(words))

    def asked(self, words: Sequence[str]) -> None:
        """Add a sent query."""
        self._asked.texts.append(words)

    def came(self) -> Floats:
        """Return how often each document came, at least 1."""
        return np.array([max(self.times[key], 1) for key in self.keys], dtype=np.float64)

    def settle(self) -> None:
        """Place new documents and queries; compute the space again if it is due."""
        space, is_due = self._space, len(self.keys) >= GROWTH * self._made_of
        if space is None or is_due:
            self._space = space = LatentSpace(self.texts, DIMENSIONS, self._rng)
            self._made_of = len(self.keys)
        for placed in (self._held, self._asked):
            placed.place(space, anew=is_due)

    def features(self, queries: Sequence[Sequence[str]]) -> Floats:
        """Return the features of queries: (queries, FEATURES). Call `settle` before."""
        assert self._space is not None
        sums = np.array([self._space.sum(query) for query in queries])
        points = unit(sums)
        near, order = _nearest(points @ self._held.points.T, NEIGHBOURS)
        times = self.came()[order]
        weights = np.exp(-np.arange(times.shape[1]) / NEAR)
        weights /= weights.sum()
        to_asked, _ = _nearest(points @ self._asked.points.T, 3)
        lengths = np.array([len(query) for query in queries])
        common = [np.mean(np.log1p([self.df[word] for word in query])) for query in queries]
        return np.column_stack(
            [
                np.ones(len(queries)),
                near[:, 0],
                near[:, min(4, near.shape[1] - 1)],
                near[:, min(19, near.shape[1] - 1)],
                (times == 1) @ weights,
                (1 / times) @ weights,
                np.log(times) @ weights,
                to_asked[:, 0],
                to_asked[:, 1:].mean(axis=1) if to_asked.shape[1] > 1 else to_asked[:, 0],
                np.log(np.linalg.norm(sums, axis=1) / np.sqrt(lengths) + 0.01),
                np.array(common) / 5,
            ]
        )


def _nearest(likeness: Floats, most: int) -> tuple[Floats, Numbers]:
    """Return each row's greatest values, in descending order, and their column numbers."""
    most = min(most, likeness.shape[1])
    order = np.argpartition(-likeness, most - 1, axis=1)[:, :most]
    values = np.take_along_axis(likeness, order, axis=1)
    ranked = np.argsort(-values, axis=1, kind="stable")
    return np.take_along_axis(values, ranked, axis=1), np.take_along_axis(order, ranked, axis=1)
