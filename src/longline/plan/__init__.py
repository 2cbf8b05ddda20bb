"""Say before a harvest what it would bring and cost."""

from longline.plan.forecast import Figures, Route, Size
from longline.plan.plan_source import Plan, PlanLimits, plan

__all__ = [
    "Figures",
    "Plan",
    "PlanLimits",
    "Route",
    "Size",
    "plan",
]
