"""The methods that choose columns, each known to `Problem` by its name once it is loaded."""

from longline.cover.solvers import anneal as anneal
from longline.cover.solvers import best as best
from longline.cover.solvers import exact as exact
from longline.cover.solvers import genetic as genetic
from longline.cover.solvers import greedy as greedy
from longline.cover.solvers import lagrangian as lagrangian
from longline.cover.solvers.exact import NotProvenError
from longline.cover.solvers.greedy import choose

__all__ = ["NotProvenError", "choose"]
