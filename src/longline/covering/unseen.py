"""Queries for documents that are not in the sample: what was chosen for few is trusted little."""

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
"""Documents; chosen on samples of 3,000, where 14 did as well (decision 0014)."""

ITERATIONS = 200
TRIES = 10_000

_HOT, _COLD = 1.0, 0.02
_SWAPS = 0.3
_POWER = 0.6


@dataclass(frozen=True)
class UnseenCover:
    """Queries chosen on a sample for the whole of its source.

    Attributes:
        queries: Column numbers; those that bring the most for their cost come first.
        cost: What they cost together on the sample, in the unit of the cost they were chosen by.
        received: Documents of the sample they bring back, repeats included.
        expected_hit_rate: The share of the source that they are expected to match, by the
            doubt they were chosen with. No guarantee: of real texts it came within 0.02 of the
            truth, of a made-up source whose terms are independent far too low.
        expected_overlapping_rate: Documents expected per different document; nan for none.
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
    """Choose queries on a sample so that they hold beyond it.

    A cover of a sample takes queries for the sake of one or two documents. Out of the sample
    they bring back as much as ever, and little of it is new. Here a query of a df in the sample
    is trusted as df / (df + doubt): so likely, independently of the others, a document like
    those it matches is covered by it. What is minimised is the cost of the queries, and
    `price` for each document expected to be left. So a document that only small queries match
    is worth more than one of them, and one that is too dear is left.

    Args:
        matrix: (documents, queries), as `matches_of` reads it: the sample.
        price: What leaving a document may cost, in the cost's unit: the one dial between hit
            rate and overlapping rate. With cost "df" it is the documents that may be received
            for the sake of one that is new; 5 to 20 are usual.
        cost: As for `cost_of`. An overhead is not needed: the doubt does its work, better.
        doubt: The df at which a query is trusted by half, > 0.
        rng: A numpy Generator or a seed; seed 0 where there is none.
        iterations: Of 10,000 tries; 200 where nothing is limited.
        time_limit_seconds: At most so long, by `clock`.
        clock: As for `cover`.
        progress: Called with a `Progress` after each iteration.

    Raises:
        MatrixError: A matrix or cost that cannot be used.
        InputError: A price or doubt that is not above 0 and finite, or a limit that is negative
            or lacks its clock.

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
    """Columns that may be worth their cost, and the ways to choose among them."""

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
        """Put allowed columns into the order of what they gain, without those that gain none."""
        from longline.covering.kernels import unseen as _unseen_kernels

        return _unseen_kernels.greedy(self.matrix, self.terms, allowed, self.matches.documents)

    def run(
        self,
        budget: Budget,
        rng: np.random.Generator,
        progress: Callable[[Progress], None] | None,
    ) -> Ints:
        """Anneal from the greedy choice while the budget lasts; return places in order."""
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
        """Add up what was chosen."""
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
