"""Before a harvest: what a source can do, how large it is, what it would cost."""

from longline.planner.probe.capability_trials import Findings, Ranking, Trials
from longline.planner.probe.page_forecast import (
    COVERAGES,
    Outlook,
    adaptive_outlook,
    partition_outlook,
)
from longline.planner.probe.searched_field import Scope, Scoped
from longline.planner.probe.size_estimates import Sounding
from longline.planner.probe.survey import Scout
from longline.planner.probe.term_shares import ORDINARY, Vocabulary

__all__ = [
    "COVERAGES",
    "ORDINARY",
    "Findings",
    "Outlook",
    "Ranking",
    "Scope",
    "Scoped",
    "Scout",
    "Sounding",
    "Trials",
    "Vocabulary",
    "adaptive_outlook",
    "partition_outlook",
]
