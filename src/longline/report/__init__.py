"""A harvest in numbers, drawings and a page: for people who were not there."""

from longline.report.course import Asked, Course, Point, SizePoint
from longline.report.figures import (
    Claim,
    FieldCount,
    Figures,
    Missed,
    Searches,
    figures_of,
    to_json,
)
from longline.report.read import Live, read_figures

__all__ = [
    "Asked",
    "Claim",
    "Course",
    "FieldCount",
    "Figures",
    "Live",
    "Missed",
    "Point",
    "Searches",
    "SizePoint",
    "figures_of",
    "read_figures",
    "to_json",
]
