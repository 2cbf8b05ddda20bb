"""The types that the functions of this package take and return."""

from longline.comparison import BUDGETS, REFERENCE, Outcome
from longline.covering import Cover, Progress, UnseenCover
from longline.fetch import Allowance, Wait, allowing, sharing_hosts
from longline.finder import FindListeners, FoundPage
from longline.forecast import Figures, Plan, Route, Size
from longline.harvester import Limits, Settings, is_harvest, is_learning
from longline.learn import Found, Listeners, renames
from longline.ledger import (
    CHART_COLUMNS,
    Certificate,
    ChartRow,
    Happened,
    Ledger,
    fewest_pages,
    headline,
    in_words,
    saved_of,
    short,
    to_json,
    to_update,
)
from longline.simulate import read_corpus
from longline.updates import KINDS, Change, update_under_way
