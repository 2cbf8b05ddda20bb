"""Set covering: takes a document-query matrix, and returns column numbers.

It does not depend on texts or the web. Compiled code is loaded only when something is computed.
"""

from longline.covering.bound import lower_bound
from longline.covering.instance import is_instance, read_instance
from longline.covering.model import Matches, Progress, cost_of, matches_of
from longline.covering.problem import AS_PUBLISHED, GENERATIONS, METHODS, Breeding, Problem
from longline.covering.solve import SEARCHES, Cover, cover
from longline.covering.solvers import NotProvenError
from longline.covering.unseen import UnseenCover, cover_unseen
