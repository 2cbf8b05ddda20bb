"""A harvest in numbers, drawings and a page: for people who were not there."""

from longline.report.changes import Change, changes_since
from longline.report.course import Asked, Course, Point, SizePoint
from longline.report.figures import (
    Claim,
    FieldCount,
    Figures,
    Missed,
    Searches,
    figures_of,
)
from longline.report.page import page
from longline.report.read import Live, read_figures

__all__ = [
    "Asked",
    "Change",
    "Claim",
    "Course",
    "FieldCount",
    "Figures",
    "Live",
    "Missed",
    "Point",
    "Searches",
    "SizePoint",
    "changes_since",
    "figures_of",
    "page",
    "read_figures",
]
