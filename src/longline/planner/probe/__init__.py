"""Probes before a harvest: what a source can do, how large it is, and what it would cost."""

from longline.planner.probe.capability_trials import CapabilityTrials, Findings, Ranking
from longline.planner.probe.page_forecast import (
    COVERAGES,
    PageForecast,
    adaptive_outlook,
    nearest_outlook,
    partition_outlook,
)
from longline.planner.probe.parts_survey import PartsSurvey
from longline.planner.probe.searched_field import FieldAware, SearchedField
from longline.planner.probe.size_estimates import SizeRange
from longline.planner.probe.survey import SourceSurvey
from longline.planner.probe.term_shares import ORDINARY, Vocabulary
