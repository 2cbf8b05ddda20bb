"""What snippets say of a cell's terms: what they show here, elsewhere, and in titles.

The log odds of a term's share in a cell are regressed on `FEATURES` (`snippet_shares`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from longline.planner.cells.cell import Cell, Shares
from longline.planner.observed import DocumentIndex, Numbers
from longline.pool import STOP_WORDS

Floats = npt.NDArray[np.float64]

FEATURES = (
    "constant",
    "log odds among what the cell shows",
    "log odds among what its root's cell shows",
    "share of titles among what shows the term",
    "required terms",
    "excluded terms",
    "stop word",
)

LEAST_SHARE = 1e-4


def features(cell: Cell, held: DocumentIndex, shares: Shares) -> Floats:
    """Return what a regression makes of snippets; (terms, FEATURES)."""
    ones = np.ones(len(shares.terms))
    shown, titled = held.shown(shares.terms)
    root = cell
    while root.parent is not None and root.parent.parent is not None:
        root = root.parent
    above = root.shares(held)
    return np.column_stack(
        [
            ones,
            log_odds(shares.share),
            log_odds(_of(shares.terms, above.terms, above.share)),
            titled / (shown + 1),
            len(cell.required) * ones,
            len(cell.excluded) * ones,
            np.isin(shares.terms, held.term_numbers(STOP_WORDS)),
        ]
    )


def log_odds(share: Floats) -> Floats:
    """Return log odds, kept from 0 and 1."""
    kept = np.clip(share, LEAST_SHARE, 1 - LEAST_SHARE)
    return np.asarray(np.log(kept / (1 - kept)))


def _of(terms: Numbers, others: Numbers, values: Floats) -> Floats:
    """Return the values of some terms by those of others, both ascending; 0 where none is."""
    if not len(others):
        return np.zeros(len(terms))
    place = np.minimum(np.searchsorted(others, terms), len(others) - 1)
    return np.where(others[place] == terms, values[place], 0.0)
