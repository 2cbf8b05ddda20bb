"""Choose queries that also cover documents outside the sample: rare queries are trusted less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from longline.covering.kernels.arrays import Chosen, Floats, Incidence, Ints, Moves, Trust
from longline.covering.model import Budget, Matches, Progress, budget_of, cost_of, matches_of
from longline.errors import InputError

if TYPE_CHECKING:
    from longline.covering.kernels.arrays import Booleans
    from longline.covering.model import Matrix

DOUBT = 20.0
"""Unit: documents; chosen on samples of 3,000, where 14 worked as well (decision 0014)."""

ITERATIONS = 200
TRIES = 10_000

_HOT, _COLD = 1.0, 0.02
_SWAPS = 0.3
_POWER = 0.6


@dataclass(frozen=True)
class UnseenCover:
    """Queries chosen on a sample to cover its complete source.

    Attributes:
        queries: Column numbers; those with the most gain for their cost come first.
        cost: Their total cost on the sample, in the unit of the cost they were chosen by.
        received: Documents of the sample they bring back, with repeats.
        expected_hit_rate: The share of the source that they are expected to match, for the doubt
            used. It is no guarantee: for real texts it was within 0.02 of the true value, for an
            artificial source with independent terms far too low.
        expected_overlapping_rate: Expected documents per different document; nan for none.
        uncovered: Documents of the sample that they do not match.
    """

    queries: list[int]
    cost: float
    received: int
    expected_hit_rate: float
    expected_overlapping_rate: float
    uncovered: list[int]


def cover_unseen(
    matrix: Matrix,
    price: float,
    *,
    cost: str | npt.ArrayLike = "df",
    doubt: float = DOUBT,
    rng: np.random.Generator | int | None = None,
    iterations: int | None = None,
    time_limit_seconds: float | None = None,
    clock: Callable[[], float] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> UnseenCover:
    """Choose queries on a sample so that they also work outside of it.

    A cover of a sample includes queries for only one or two documents. Outside the sample they
    bring back as much as ever, and little of it is new. Here a query with a df in the sample is
    trusted as df / (df + doubt): with this probability, independently of other queries, a document
    like those it matches is covered by it. The method minimises the cost of the queries plus
    `price` for each document expected to be left. So a document that only rare queries match is
    worth more than one of them, and one that is too expensive is left.

    Args:
        matrix: (documents, queries), as `matches_of` reads it: the sample.
        price: The price of leaving a document, in the cost's unit: it alone balances hit rate and
            overlapping rate. With cost "df" it is the number of documents that may be received
            for one that is new; 5 to 20 are usual.
        cost: See `cost_of`. An overhead is not needed: the doubt does its work, better.
        doubt: The df at which a query is trusted by half, > 0.
        rng: A numpy Generator or a seed; by default seed 0.
        iterations: Iterations of 10,000 tries; 200 if there is no limit.
        time_limit_seconds: The most time, by `clock`.
        clock: See `cover`.
        progress: Called with a `Progress` after each iteration.

    Raises:
        MatrixError: The matrix or the cost is invalid.
        InputError: The price or the doubt is not above 0 and finite, or a limit is negative or
            lacks its clock.

    >>> sample = [[1, 0]] * 60 + [[1, 1]] * 5
    >>> found = cover_unseen(sample, price=4)
    >>> found.queries, round(found.expected_hit_rate, 3), found.expected_overlapping_rate
    ([0], 0.765, 1.3076923076923077)
    """
    for name, value in (("price", price), ("doubt", doubt)):
        if not 0 < value < np.inf:
            raise InputError(f"a {name} of {value}", advice="give a finite number above 0")
    matches = matches_of(matrix)
    prices = cost_of(matches, cost)
    budget = budget_of(iterations, time_limit_seconds, clock).or_iterations(ITERATIONS)
    trust = matches.df / (matches.df + doubt)
    search = _Search(matches, prices, trust, price)
    return search.result(
        search.run(budget, np.random.default_rng(0 if rng is None else rng), progress)
    )


class _Search:
    """The columns that may be worth their cost, and the methods to choose among them."""

    def __init__(self, matches: Matches, cost: Floats, trust: Floats, price: float) -> None:
        from longline.covering.kernels import view as _view_kernels

        self.matches, self.price = matches, price
        worth = price * trust * matches.df > cost
        everywhere = np.ones(matches.documents, np.bool_)
        self.columns = np.flatnonzero(worth)
        self.cost, self.trust = cost[worth], trust[worth]
        starts, rows = _view_kernels.columns_of(matches.starts, matches.rows, worth, everywhere)
        by_row = _view_kernels.by_row(starts, rows, matches.documents)
        self.matrix = Incidence(starts, rows, *by_row)
        self.terms = Trust(self.cost, self.trust, price)

    def greedy(self, allowed: Booleans) -> Ints:
        """Return the allowed columns in order of their gain, without those that gain nothing."""
        from longline.covering.kernels import unseen as _unseen_kernels

        return _unseen_kernels.greedy(self.matrix, self.terms, allowed, self.matches.documents)

    def run(
        self,
        budget: Budget,
        rng: np.random.Generator,
        progress: Callable[[Progress], None] | None,
    ) -> Ints:
        """Anneal from the greedy choice until the budget is spent; return places in order."""
        from longline.covering.kernels import unseen as _unseen_kernels

        first = self.greedy(np.ones(len(self.cost), np.bool_))
        if not len(first):
            return first
        documents, columns = self.matches.documents, len(self.cost)
        value = np.full(2, np.inf)
        nothing, best = np.zeros(columns, np.bool_), np.zeros(columns, np.bool_)
        state = Chosen(nothing, np.ones(documents), np.zeros(documents, np.int32), best, value)
        for column in first:
            _unseen_kernels.flip(column, self.matrix, self.trust, state)
        best[:] = state.chosen
        value[:] = self.cost[first].sum() + self.price * state.left.sum()
        moves = Moves(self.price * (self.cost / self.price) ** _POWER, _SWAPS, TRIES)
        done = 0
        while (spent := budget.spent(done)) < 1:
            temperature = _HOT * (_COLD / _HOT) ** spent
            _unseen_kernels.anneal(self.matrix, self.terms, state, moves, temperature, rng)
            done += 1
            if progress is not None:
                progress(Progress("unseen", min(1.0, budget.spent(done)), float(value[1])))
        return self.greedy(best)

    def result(self, order: Ints) -> UnseenCover:
        """Return the chosen queries with their totals."""
        matches = self.matches
        left, covered = np.ones(matches.documents), np.zeros(matches.documents, np.bool_)
        for place in order:
            rows = self.matrix.rows[self.matrix.starts[place] : self.matrix.starts[place + 1]]
            left[rows] *= 1 - self.trust[place]
            covered[rows] = True
        chosen = self.columns[order]
        received, expected = int(matches.df[chosen].sum()), float((1 - left).sum())
        return UnseenCover(
            queries=chosen.tolist(),
            cost=float(self.cost[order].sum()),
            received=received,
            expected_hit_rate=expected / matches.documents,
            expected_overlapping_rate=received / expected if expected else nan,
            uncovered=np.flatnonzero(~covered).tolist(),
        )
