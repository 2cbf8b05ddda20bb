"""Estimates: the size of a source, and document frequencies from a sample's."""

from longline.estimate.dated import Catch, dated
from longline.estimate.df import DF_ESTIMATORS, NEEDS_PROBES, SampleDf, estimate_df, probe_terms
from longline.estimate.good_turing import GoodTuring, good_turing
from longline.estimate.probes import ENOUGH_HITS, ProbeEstimator
from longline.estimate.size import cells, chao1, is_doubted, overlap, petersen, raised, with_cells
from longline.events import SizeEstimate

__all__ = [
    "DF_ESTIMATORS",
    "ENOUGH_HITS",
    "NEEDS_PROBES",
    "Catch",
    "GoodTuring",
    "ProbeEstimator",
    "SampleDf",
    "SizeEstimate",
    "cells",
    "chao1",
    "dated",
    "estimate_df",
    "good_turing",
    "is_doubted",
    "overlap",
    "petersen",
    "probe_terms",
    "raised",
    "with_cells",
]
