"""Choose queries for documents outside all cells, and in cells that cannot be split."""

from collections.abc import Iterator, Sequence, Set
from itertools import islice

import numpy as np

from longline.model import Query
from longline.planner.cells import Cell, PageCosts
from longline.planner.observed import DocumentIndex, evenly_spaced

LIKENESS = 2.0
"""Each further root in a document divides its weight by e^2, for predicting the next root."""

SAMPLE = 4000
"""The most held documents to examine."""

LOOKED_AT = 20_000
"""The most held documents to examine for predicting the matches of a wider query."""

WORTH_SPLITTING = 1.0
"""The least hidden documents per page that make a wider query worth it."""

HIDDEN = 5
"""One more query is sent for this many hidden documents of a cell."""


def likely_outside(
    held: DocumentIndex, roots: Sequence[str], barred: Set[str]
) -> tuple[str, float] | None:
    """Return the most frequent term of documents without any root, and its share among them.

    Few held documents, or none, are without any root. Those with few roots are the most similar, so
    they have the higher weights.
    """
    if not len(held):
        return None
    roots_held = held.times_so_far(roots)
    # Numbers of 16 bits are sorted in one pass.
    few = np.minimum(roots_held, np.iinfo(np.int16).max).astype(np.int16)
    nearest = np.argsort(few, kind="stable")[:SAMPLE].astype(np.int32)
    weights = np.exp(-LIKENESS * roots_held[nearest])
    scores = held.counts(np.sort(nearest), weights[np.argsort(nearest)])
    numbers = held.term_numbers(list(barred))
    scores[numbers[numbers >= 0]] = 0
    if not scores.any():  # also if no held document shows a term
        return None
    best = int(np.argmax(scores))
    return held.terms[best], float(min(1.0, scores[best] / weights.sum()))


def wider(
    cell: Cell, hidden: float, held: DocumentIndex, prices: PageCosts
) -> tuple[Query, float] | None:
    """Return a wider query to split instead of a cell, or None if none is worth it.

    Terms are left out one by one, each time the one that adds the fewest held documents, which will
    be fetched again. The number left out is the one with the fewest expected pages for splitting
    the query's matches.

    Args:
        cell: A cell with more documents than the limit shows, and a query of the greatest length.
        hidden: How many of them are not held.
        held: All held documents.
        prices: The expected pages for splitting a number of documents by a number of terms.

    Returns:
        The query, and how many documents are expected to match it.
    """
    terms, required = (*cell.required, *cell.excluded), len(cell.required)
    some = evenly_spaced(np.arange(len(held), dtype=np.int32), LOOKED_AT)
    fails = (held.holds(some, terms) != (np.arange(len(terms)) < required)).T.copy()
    failures = fails.sum(axis=0)  # per document: kept terms that it does not meet
    failed = np.arange(len(terms)) @ fails  # sum of their places; for a single one, its place
    kept = np.ones(len(terms), dtype=np.bool_)
    documents, scale = cell.size.documents, len(held) / max(1, len(some))
    least, found = hidden / WORTH_SPLITTING, None
    for left_out in range(1, len(terms)):
        comes_in = np.bincount(failed[failures == 1], minlength=len(terms)).astype(np.float64)
        comes_in[~kept] = np.inf
        if kept[:required].sum() == 1:  # some sources refuse queries without required terms
            comes_in[:required] = np.inf
        if not np.isfinite(comes_in).any():
            break
        least_needed = int(np.argmin(comes_in))
        kept[least_needed] = False
        failures -= fails[least_needed]
        failed -= least_needed * fails[least_needed]
        documents += scale * float(comes_in.min())
        pages = float(prices.of(documents, left_out))
        if pages < least:
            least, found = pages, (kept.copy(), documents)
    if found is None:
        return None
    left = [term for term, keeps in zip(terms, found[0], strict=True) if keeps]
    first = int(found[0][:required].sum())
    return Query(tuple(left[:first]), tuple(left[first:])), found[1]


def rescues(
    cell: Cell, hidden: float, held: DocumentIndex, length: int, limit: int
) -> Iterator[Query]:
    """Yield queries for the hidden documents of a cell whose query cannot be longer.

    They have one more required term, and keep as many excluded terms as fit: those that are most
    common among the documents with the required terms. So a query reaches outside of the cell, but
    brings few held documents. Held documents represent the hidden ones: each new term is the most
    common one among those without the terms before it.

    Args:
        cell: A cell with more documents than the limit shows.
        hidden: How many of them are not held.
        held: All held documents.
        length: The most terms of a query.
        limit: The return limit k.
    """
    room = length - len(cell.required) - 1
    if room < 0 or hidden <= 0:
        return
    is_wide = np.zeros(len(held), dtype=np.bool_)
    is_wide[held.matching(cell.required)] = True
    for term in islice(_covering(cell, hidden, held, limit), 3 + int(hidden / HIDDEN)):
        showing = held.showing(int(held.term_numbers([term])[0]))
        showing = showing[: showing.searchsorted(len(is_wide))]  # more documents may be held now
        there = evenly_spaced(showing[is_wide[showing]], SAMPLE)
        times = held.holds(there, cell.excluded).sum(axis=0).tolist()
        holding = dict(zip(cell.excluded, times, strict=True))
        kept = sorted(cell.excluded, key=lambda t: -holding[t])[:room]
        yield Query((*cell.required, term), tuple(t for t in cell.excluded if t in kept))


def _covering(cell: Cell, hidden: float, held: DocumentIndex, limit: int) -> Iterator[str]:
    """Yield terms that together occur in most of a cell's hidden documents, the best first.

    An answer above the limit may show, at worst, first the held documents, and at best others in
    proportion to their share. The mean of both is used.
    """
    shares = cell.shares(held)
    terms = shares.terms
    inside = evenly_spaced(cell.documents(held), SAMPLE)
    has = held.holds_numbered(inside, terms)
    places, columns = np.nonzero(has)
    known = has.sum(axis=0) * (cell.count(held) / max(1, len(inside)))
    left = np.ones(len(inside))
    is_free = ~np.isin(terms, held.term_numbers((*cell.required, *cell.excluded)))
    while is_free.any():
        weight = left.sum() + 1
        share = (np.bincount(columns, left[places], len(terms)) + shares.share) / weight
        unseen = share * hidden * weight / (len(inside) + 1)
        at_best = unseen * np.minimum(1.0, limit / np.maximum(1.0, known + unseen))
        at_worst = np.clip(limit - known, 0, unseen)
        best = int(np.argmax(np.where(is_free, at_best + at_worst, -1.0)))
        yield held.terms[terms[best]]
        is_free[best] = False
        left[has[:, best]] *= 1 - (at_best[best] + at_worst[best]) / max(2 * unseen[best], 1e-9)
