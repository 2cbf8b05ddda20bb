"""What the functions of this room take and return."""

from longline.account import (
    Account,
    Certificate,
    ChartRow,
    Happened,
    chart_dicts,
    headline,
    in_words,
    saved_of,
    short,
    to_json,
)
from longline.comparison import BUDGETS, REFERENCE, Outcome
from longline.covering import Cover, Progress, UnseenCover
from longline.fetch import Wait
from longline.forecast import Figures, Plan, Route, Size
from longline.metrics import fewest_pages
from longline.simulate import read_corpus
from longline.updates import Change

__all__ = [
    "BUDGETS",
    "REFERENCE",
    "Account",
    "Certificate",
    "Change",
    "ChartRow",
    "Cover",
    "Figures",
    "Happened",
    "Outcome",
    "Plan",
    "Progress",
    "Route",
    "Size",
    "UnseenCover",
    "Wait",
    "chart_dicts",
    "fewest_pages",
    "headline",
    "in_words",
    "read_corpus",
    "saved_of",
    "short",
    "to_json",
]
