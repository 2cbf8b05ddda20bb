"""Estimates of the size of a source."""

from longline.estimate.dated import Catch, dated
from longline.estimate.probes import ENOUGH_HITS, ProbeEstimator
from longline.estimate.size import chao1, is_doubted, overlap, petersen, raised, with_cells
from longline.events import SizeEstimate

__all__ = [
    "ENOUGH_HITS",
    "Catch",
    "ProbeEstimator",
    "SizeEstimate",
    "chao1",
    "dated",
    "is_doubted",
    "overlap",
    "petersen",
    "raised",
    "with_cells",
]
