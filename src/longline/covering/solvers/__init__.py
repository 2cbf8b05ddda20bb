"""The methods that choose columns; loading this module registers each by its name."""

from longline.covering.solvers import anneal as anneal
from longline.covering.solvers import best as best
from longline.covering.solvers import exact as exact
from longline.covering.solvers import genetic as genetic
from longline.covering.solvers import greedy as greedy
from longline.covering.solvers import lagrangian as lagrangian
from longline.covering.solvers import weighting as weighting
from longline.covering.solvers.exact import NotProvenError
