"""A search over documents in memory."""

from longline.simulate.search.dialect import read_query
from longline.simulate.search.searcher import COUNT_SIGMA, NOISY_SIGMA, Box
