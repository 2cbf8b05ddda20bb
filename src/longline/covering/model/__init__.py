"""The covering problem: a matrix of documents and queries, costs, weights, and a budget."""

from typing import TYPE_CHECKING

from longline.covering.model.budget import Budget, Progress, budget_of
from longline.covering.model.matrix import Matches, in_canonical_order, matches_of, matches_of_pairs
from longline.covering.model.view import View, view_of
from longline.covering.model.weights import cost_of, ids_of, survey, ts_ids_of

if TYPE_CHECKING:
    from longline.covering.model.matrix import Matrix as Matrix
