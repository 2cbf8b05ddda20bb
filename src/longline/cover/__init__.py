"""Set covering: a document-query matrix in, column numbers out.

Knows neither text nor web. Compiled code loads when something is computed, not before.
"""

from longline.cover.cost import cost_of
from longline.cover.greedy import choose
from longline.cover.matrix import Matches, matches_of
from longline.cover.problem import METHODS, Problem
from longline.cover.solve import Cover, cover, without_redundant
from longline.cover.weights import ids, ts_ids, uniform

__all__ = [
    "METHODS",
    "Cover",
    "Matches",
    "Problem",
    "choose",
    "cost_of",
    "cover",
    "ids",
    "matches_of",
    "ts_ids",
    "uniform",
    "without_redundant",
]
