"""Keep the ledger of a harvest: the record chart, cut queries, the coverage certificate.

It reads the journal event by event, and sends no requests.
"""

from longline.ledger._forecast import forecast_of, further
from longline.ledger._queries import truncations
from longline.ledger._size import Namesakes
from longline.ledger.budget import Allowed, Budget, Used, requests_left
from longline.ledger.certificate import (
    CHART_COLUMNS,
    LEFT_OUT,
    LINKED,
    BudgetLine,
    Certificate,
    ChartRow,
    Forecast,
    Odd,
    Truncation,
    certificate_schema,
    to_json,
)
from longline.ledger.earlier import decode
from longline.ledger.held import GOES_ON, Marks, Texts
from longline.ledger.ledger import Ledger
from longline.ledger.metrics import fewest_pages, hit_rate, overlapping_rate
from longline.ledger.parts import FacetPart, facet_parts
from longline.ledger.summary import Facts, certificate_of
from longline.ledger.verdict import not_checked, verdict
from longline.ledger.words import (
    MEANINGS,
    ODD_KINDS,
    Happened,
    Line,
    Statement,
    Step,
    allowed,
    happened,
    headline,
    in_a_line,
    in_words,
    lines,
    most_missed,
    next_steps,
    saved_of,
    short,
    to_update,
    verdict_in_sentences,
    worst_cut,
)
