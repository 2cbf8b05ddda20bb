"""Choose the term that splits a cell, and the side to query: the fewest expected pages."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from longline.planner.cells.cell import NEIGHBOURS, Cell, Shares
from longline.planner.cells.page_cost import PageCosts, share_deviation
from longline.planner.cells.snippet_shares import LEAST_SHARE, Shown, Unshown, features
from longline.planner.observed import DocumentIndex, Numbers

Floats = npt.NDArray[np.float64]

PRICED = (32, 96, 384, 1536)
"""Numbers of documents that shares are estimated from, for which page costs are tabulated."""

FACTORS = (0.07, 0.1, 0.15, 0.22, 0.32, 0.45, 0.65, 1.0)
"""Levels of a share's deviation, divided by sqrt(g (1 - g)), at which prices are computed."""

_GRID: Floats = np.concatenate([np.geomspace(0.001, 0.3, 40), np.linspace(0.31, 0.99, 40)])


@dataclass(frozen=True)
class Split:
    """A term that splits a cell.

    Attributes:
        term: The documents on one side contain it, those on the other do not.
        holds: The side to query: documents with the term (True) or without it.
        share: Expected share of the side to query.
        deviation: Standard deviation of that share.
        pages: Expected pages for the complete cell.
        sampled: Held documents of the cell that the share is estimated from.
        shown: How the share was estimated from snippets; None if complete texts are known.
    """

    term: str
    holds: bool
    share: float
    deviation: float
    pages: float
    sampled: int
    shown: Shown | None = None


@dataclass(frozen=True, eq=False)
class Guess:
    """Shares of terms in a cell, estimated from snippets.

    Attributes:
        share: (terms,). Expected shares.
        factor: (terms,). Their standard deviations, divided by sqrt(g (1 - g)).
        terms: (terms,). The terms' numbers.
        x: (terms, FEATURES). The features of the regression.
        chance: (terms,). Variance of log odds due to the number of snippets.
    """

    share: Floats
    factor: Floats
    terms: Numbers
    x: Floats
    chance: Floats

    def shown(self, place: int) -> Shown:
        """Return the data to learn from if the cell is split by this term."""
        return Shown(int(self.terms[place]), self.x[place], float(self.chance[place]))


class Splitter:
    """Price all terms for a cell; learn from splits what snippets do not show.

    Args:
        limit: The return limit k.
        page_size: Rows on a page, p.
        length: The most terms that a query may have.
    """

    def __init__(self, limit: int, page_size: int, length: int) -> None:
        self.limit = limit
        self.page_size = page_size
        self.length = length
        self._unshown = Unshown()

    def resized(self, limit: int, page_size: int, length: int) -> Splitter:
        """Return a splitter for other limits that keeps what this one has learned."""
        other = Splitter(limit, page_size, length)
        other._unshown = self._unshown
        return other

    def prices(self, sampled: int) -> PageCosts:
        """Return the table V for shares seen in `sampled` documents, and in neighbours."""
        place = max(place for place in PRICED if place <= sampled + NEIGHBOURS)
        return _prices(self.limit, self.page_size, self.length, place)

    def fetching(self, cell: Cell, sampled: int) -> float:
        """Return the expected pages for reading to the end, and a split if that is cut at k."""
        sizes, left = cell.size.nodes(), self.length - cell.length
        all_pages = np.ceil(np.minimum(sizes, self.limit) / self.page_size)
        later = np.where(sizes > self.limit, self.prices(sampled).of(sizes, left), 0)
        return float(np.mean(np.maximum(all_pages - cell.pages, 0) + later))

    def best(
        self, cell: Cell, held: DocumentIndex, barred: Set[str], *, partly: bool = False
    ) -> Split | None:
        """Return the split with the fewest expected pages, or None if no term is left.

        Args:
            cell: The cell to split.
            held: All held documents.
            barred: Terms that must not be used.
            partly: Documents are known only by their titles and snippets.
        """
        shares = cell.shares(held)
        sampled = cell.count(held)
        guess = self._guessed(cell, held, shares) if partly else None
        if guess is None:
            share, unsure = self._expected(cell, shares.held, shares.share, sampled)
            factor = np.full(len(share), unsure)
            holding, lacking = self._priced(cell, sampled, share, unsure)
        else:
            share, factor = guess.share, guess.factor
            holding, lacking = self._priced_each(cell, sampled, share, factor)
        pages = np.minimum(holding, lacking)
        taken = set(held.labels(cell.undivided_by().union(barred, cell.required, cell.excluded)))
        for place in np.argsort(pages, kind="stable"):
            term = held.terms[shares.terms[place]]
            if term not in taken:
                holds = bool(holding[place] <= lacking[place])
                g = float(share[place] if holds else 1 - share[place])
                deviation = float(np.sqrt(g * (1 - g)) * factor[place])
                shown = None if guess is None else guess.shown(int(place))
                return Split(term, holds, g, deviation, float(pages[place]), sampled, shown)
        return None

    def _guessed(self, cell: Cell, held: DocumentIndex, shares: Shares) -> Guess:
        """Return each term's share in the complete cell, estimated from snippets."""
        x = features(cell, held, shares)
        share = 1 / (1 + np.exp(-self._unshown.expected(shares.terms, x)))
        chance = self._unshown.chances(_chance(shares.share, cell.count(held)))
        # The deviation of a share g is g (1 - g) times that of its log odds: at most this.
        factor = np.sqrt(self._unshown.variances(shares.terms) + chance) / 2
        return Guess(share, factor, shares.terms, x, chance)

    def _priced(
        self, cell: Cell, sampled: int, share: Floats, unsure: float
    ) -> tuple[Floats, Floats]:
        """Return the expected pages per term, if the side with it is queried, or the other."""
        grid_deviation = np.sqrt(_GRID * (1 - _GRID)) * unsure
        price = self.prices(sampled).of_split(
            cell.size.nodes()[:, None], _GRID, grid_deviation, self.length - cell.length
        )
        grid_price = price.mean(axis=0)
        return np.interp(share, _GRID, grid_price), np.interp(1 - share, _GRID, grid_price)

    def _priced_each(
        self, cell: Cell, sampled: int, share: Floats, factor: Floats
    ) -> tuple[Floats, Floats]:
        """Return the same if the shares are not equally certain."""
        holding, lacking = np.empty((2, len(share)))
        level = np.argmin(np.abs(np.subtract.outer(factor, FACTORS)), axis=1)
        for place, each in enumerate(FACTORS):
            here = level == place
            if here.any():
                holding[here], lacking[here] = self._priced(cell, sampled, share[here], each)
        return holding, lacking

    @staticmethod
    def _expected(cell: Cell, counted: Floats, share: Floats, sampled: int) -> tuple[Floats, float]:
        """Return each term's share in the complete cell, and the factor of its standard deviation.

        The held documents of a cell are known; only the others are estimated.
        """
        unseen = max(1.0, cell.size.documents - sampled)
        there = (counted + unseen * share) / (sampled + unseen)
        unsure = share_deviation(0.5, sampled + NEIGHBOURS, unseen) / 0.5
        return np.clip(there, 1e-6, 1 - 1e-6), float(unsure * unseen / (sampled + unseen))

    def learn(self, split: Split, asked: float, whole: float) -> None:
        """Learn from an exact split: `asked` of `whole` documents were on the queried side.

        This shows how much snippets hide; with complete texts there is nothing to learn.
        """
        if split.shown is not None:
            found = min(max(asked / whole, 0.5 / whole), 1 - 0.5 / whole)
            self._unshown.learn(split.shown, found if split.holds else 1 - found)


@lru_cache(maxsize=16)
def _prices(limit: int, page_size: int, length: int, sampled: int) -> PageCosts:
    return PageCosts(limit, page_size, length, sampled)


def _chance(share: Floats, sampled: float) -> Floats:
    """Return the variance of log odds seen in `sampled` documents and the cell's neighbours."""
    share = np.clip(share, LEAST_SHARE, 1 - LEAST_SHARE)
    return np.asarray(1 / ((sampled + NEIGHBOURS) * share * (1 - share) + 0.5))
