"""Set covering: a document-query matrix in, column numbers out.

Knows neither text nor web. Compiled code loads when something is computed, not before.
"""

from longline.cover.bound import Bound, lower_bound
from longline.cover.model import Matches, Progress, cost_of, ids, matches_of, ts_ids, uniform
from longline.cover.problem import METHODS, Problem
from longline.cover.solve import Cover, cover, without_redundant
from longline.cover.solvers import NotProvenError, choose
from longline.cover.unseen import UnseenCover, cover_unseen

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
