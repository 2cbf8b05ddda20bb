"""Predict, before a harvest, what it would save and cost."""

from longline.forecast.forecaster import Figures, Route, Size
from longline.forecast.plan_source import PlanLimits, plan
from longline.forecast.planned import Plan
