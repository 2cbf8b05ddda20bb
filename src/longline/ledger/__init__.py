"""Keep the ledger of a harvest: the record chart, what was cut, the coverage certificate.

The journal goes in, event by event; nothing here asks the source anything.
"""

from longline.ledger.budget import Allowed, Budget, Used, requests_left
from longline.ledger.certificate import (
    BudgetLine,
    Certificate,
    ChartRow,
    Estimate,
    Odd,
    PagingLoss,
    Truncation,
    certificate_schema,
    chart_dicts,
    to_json,
)
from longline.ledger.in_sentences import (
    Statement,
    Step,
    headline,
    next_steps,
    verdict_in_sentences,
)
from longline.ledger.in_words import Line, in_words, lines, saved_of, short, worst_cut
from longline.ledger.ledger import Ledger, truncations
from longline.ledger.log_line import Happened, happened, in_a_line
from longline.ledger.meanings import MEANINGS
from longline.ledger.parts import FacetPart, facet_parts
from longline.ledger.summary import Facts, certificate_of
from longline.ledger.verdict import shortfall, verdict

__all__ = [
    "MEANINGS",
    "Allowed",
    "Budget",
    "BudgetLine",
    "Certificate",
    "ChartRow",
    "Estimate",
    "FacetPart",
    "Facts",
    "Happened",
    "Ledger",
    "Line",
    "Odd",
    "PagingLoss",
    "Statement",
    "Step",
    "Truncation",
    "Used",
    "certificate_of",
    "certificate_schema",
    "chart_dicts",
    "facet_parts",
    "happened",
    "headline",
    "in_a_line",
    "in_words",
    "lines",
    "next_steps",
    "requests_left",
    "saved_of",
    "short",
    "shortfall",
    "to_json",
    "truncations",
    "verdict",
    "verdict_in_sentences",
    "worst_cut",
]
