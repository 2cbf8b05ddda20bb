"""A harvest in numbers, drawings and a page: for people who were not there."""

from longline.reports.changes import Changes, changes_since
from longline.reports.course import Asked, Course, Point, SizePoint
from longline.reports.figures import (
    Claim,
    Figures,
    Missed,
    Searches,
    figures_of,
)
from longline.reports.fullness import DateCount, FieldCount
from longline.reports.page import Unreported, page
from longline.reports.read import Live, read_figures

__all__ = [
    "Asked",
    "Changes",
    "Claim",
    "Course",
    "DateCount",
    "FieldCount",
    "Figures",
    "Live",
    "Missed",
    "Point",
    "Searches",
    "SizePoint",
    "Unreported",
    "changes_since",
    "figures_of",
    "page",
    "read_figures",
]
