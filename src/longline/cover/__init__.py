"""Set covering: a document-query matrix in, column numbers out.

Knows neither text nor web. Compiled code loads when something is computed, not before.
"""

from longline.cover import anneal as anneal
from longline.cover import best as best
from longline.cover import exact as exact
from longline.cover import genetic as genetic
from longline.cover import greedy as greedy
from longline.cover import lagrangian as lagrangian
from longline.cover.bound import Bound, lower_bound
from longline.cover.budget import Progress
from longline.cover.cost import cost_of
from longline.cover.exact import NotProvenError
from longline.cover.greedy import choose
from longline.cover.matrix import Matches, matches_of
from longline.cover.problem import METHODS, Problem
from longline.cover.solve import Cover, cover, without_redundant
from longline.cover.unseen import UnseenCover, cover_unseen
from longline.cover.weights import ids, ts_ids, uniform

__all__ = [
    "METHODS",
    "Bound",
    "Cover",
    "Matches",
    "NotProvenError",
    "Problem",
    "Progress",
    "UnseenCover",
    "choose",
    "cost_of",
    "cover",
    "cover_unseen",
    "ids",
    "lower_bound",
    "matches_of",
    "ts_ids",
    "uniform",
    "without_redundant",
]
