"""Words that stand on nearly every page of a site, and are no words of its documents."""

from __future__ import annotations

import numpy as np

from longline.planner.observed.documents import DocumentIndex
from longline.pool import DROPPED_WORDS

LABEL, LABELLED = 0.95, 10
"""Share of so many documents or more that have a word of the pages' frame."""


def is_label(term: str, held: DocumentIndex) -> bool:
    """Say whether nearly all held documents have a term, and it is none that most texts have."""
    if len(held) < LABELLED or term in DROPPED_WORDS:
        return False
    return bool(held.holds(np.arange(len(held), dtype=np.int32), (term,)).mean() >= LABEL)
