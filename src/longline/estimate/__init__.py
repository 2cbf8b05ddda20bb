"""Estimates of the size of a source."""

from longline.estimate.dated import Catch, dated
from longline.estimate.document_frequency import (
    DF_ESTIMATORS,
    SampleDf,
    check_estimator,
    estimate_df,
)
from longline.estimate.probes import ENOUGH_HITS, ProbeEstimator
from longline.estimate.size import chao1, closer, is_doubted, overlap, petersen, raised, with_cells
from longline.events import SizeEstimate
