"""Which term documents hold that no query found so far: the next root of a sounding."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np

from longline.planner.observed import DocumentIndex
from longline.planner.partition import likely_outside
from longline.planner.probe.term_shares import Pages

LIKENESS = 1.0
"""A document that may hold one root more says e times less about documents that hold none."""


def next_root(
    held: DocumentIndex, pages: Pages, roots: Sequence[str], barred: Set[str]
) -> tuple[str, float] | None:
    """Return the term that documents without any root most likely hold, and in which share.

    A snippet does not show which roots a document lacks. That it came for a query that excludes
    them does. So these documents tell, and others only where there is none of them.

    Args:
        held: All held documents.
        pages: The queries that they came by.
        roots: So far.
        barred: Terms that are not to be returned.

    >>> from longline.model import Query
    >>> held = DocumentIndex()
    >>> for number in range(9):
    ...     _ = held.add(str(number), ["deep", "web"] if number < 8 else ["sea", "salt"])
    >>> likely_outside(held, ["the"], {"the", "sea"})[0]
    'deep'
    >>> next_root(held, [(Query(("sea",), ("the",)), {"8"})], ["the", "sea"], {"the", "sea"})[0]
    'salt'
    """
    lacks = np.zeros(len(held))
    for query, keys in pages:
        came = [held.number[key] for key in keys if key in held.number]
        lacks[came] = np.maximum(lacks[came], len({*query.excluded}.intersection(roots)))
    known = np.flatnonzero(lacks).astype(np.int32)
    weights = np.exp(-LIKENESS * (len(roots) - lacks[known]))
    scores = held.counts(known, weights)
    forbidden = held.term_numbers(list(barred))
    scores[forbidden[forbidden >= 0]] = 0
    if not scores.any():
        return likely_outside(held, roots, barred)
    best = int(np.argmax(scores))
    return held.terms[best], float(min(1.0, scores[best] / weights.sum()))
