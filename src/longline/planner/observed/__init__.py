"""Received data and what it shows about the source: documents, terms, limits, word forms."""

from longline.planner.observed.answer_progress import AnswerProgress, is_complete
from longline.planner.observed.arrivals import Arrival, Successor, arrival
from longline.planner.observed.conformance import (
    DOUBTS,
    POWER,
    PROVED,
    Conformance,
    Kind,
)
from longline.planner.observed.documents import LABELLED, DocumentIndex, evenly_spaced, is_label
from longline.planner.observed.least_length import LeastLength
from longline.planner.observed.ranking import RankingDetector
from longline.planner.observed.recent_pages import RecentPages
from longline.planner.observed.return_limit import DEVIATIONS, LEAST_LIMIT, ReturnLimit
from longline.planner.observed.term_statistics import TermStatistics
from longline.planner.observed.word_forms import Forms
from longline.text.term_ids import Numbers
