"""Set covering: a document-query matrix in, column numbers out.

Knows neither text nor web. Compiled code loads when something is computed, not before.
"""

from longline.covering.bound import lower_bound
from longline.covering.model import Matches, Progress, cost_of, matches_of
from longline.covering.problem import AS_PUBLISHED, GENERATIONS, METHODS, Breeding, Problem
from longline.covering.solve import Cover, cover
from longline.covering.solvers import NotProvenError
from longline.covering.unseen import UnseenCover, cover_unseen
