"""What came, and what it shows of the source: documents, terms, limits, word forms."""

from longline.planner.observed.arrivals import Arrival, Successor, arrival
from longline.planner.observed.completeness import is_complete
from longline.planner.observed.conformance import (
    DOUBTS,
    LABELLED,
    POWER,
    PROVED,
    Kind,
    Trust,
    is_label,
)
from longline.planner.observed.documents import HeldDocuments, spread
from longline.planner.observed.ranking import RowOrder
from longline.planner.observed.return_limit import DEVIATIONS, LEAST_LIMIT, Bounds
from longline.planner.observed.term_ids import Numbers
from longline.planner.observed.term_statistics import SeenDocuments
from longline.planner.observed.word_forms import Forms

__all__ = [
    "DEVIATIONS",
    "DOUBTS",
    "LABELLED",
    "LEAST_LIMIT",
    "POWER",
    "PROVED",
    "Arrival",
    "Bounds",
    "Forms",
    "HeldDocuments",
    "Kind",
    "Numbers",
    "RowOrder",
    "SeenDocuments",
    "Successor",
    "Trust",
    "arrival",
    "is_complete",
    "is_label",
    "spread",
]
