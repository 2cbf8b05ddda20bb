"""Documents outside all cells, and inside those that cannot be split: which query finds them."""

from collections.abc import Iterator, Sequence, Set
from itertools import islice

import numpy as np

from longline.model import Query
from longline.planner.cells import Cell, PageCosts
from longline.planner.observed import DocumentIndex, spread

LIKENESS = 2.0
"""A document with one root more says e^2 times less about documents that hold none."""

SAMPLE = 4000
"""Held documents that are looked at, at most."""

LOOKED_AT = 20_000
"""Held documents that are looked at for what a wider query would bring, at most."""

WORTH_SPLITTING = 1.0
"""Hidden documents that a wider query has to promise for each page."""

HIDDEN = 5
"""Hidden documents of a cell that are worth one more query."""


def likely_outside(
    held: DocumentIndex, roots: Sequence[str], barred: Set[str]
) -> tuple[str, float] | None:
    """Return the term that documents without any root most likely hold, and in which share.

    There are few held documents, or none, without any root. Those with few roots are the
    most like them, so they count the more the fewer they have.
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
    if not scores.any():  # nor where no held document shows a term
        return None
    best = int(np.argmax(scores))
    return held.terms[best], float(min(1.0, scores[best] / weights.sum()))


def wider(
    cell: Cell, hidden: float, held: DocumentIndex, prices: PageCosts
) -> tuple[Query, float] | None:
    """Return a query to be split in a cell's place, that leaves terms out; None if not worth it.

    Each term left out is the one by whose lack the fewest held documents come in: they were
    fetched elsewhere, and will be once more. So many are left out as make the fewest expected
    pages of splitting what matches then.

    Args:
        cell: With more documents than the limit lets be seen, and a query that cannot be longer.
        hidden: How many of them are not held.
        held: All held documents.
        prices: What splitting so many documents by so many terms costs.

    Returns:
        The query, and how many documents are expected to match it.
    """
    terms, required = (*cell.required, *cell.excluded), len(cell.required)
    some = spread(np.arange(len(held), dtype=np.int32), LOOKED_AT)
    fails = (held.holds(some, terms) != (np.arange(len(terms)) < required)).T.copy()
    failures = fails.sum(axis=0)  # of terms that are kept
    failed = np.arange(len(terms)) @ fails  # the sum of their places: of a single one, its place
    kept = np.ones(len(terms), dtype=np.bool_)
    documents, scale = cell.size.documents, len(held) / max(1, len(some))
    least, found = hidden / WORTH_SPLITTING, None
    for left_out in range(1, len(terms)):
        comes_in = np.bincount(failed[failures == 1], minlength=len(terms)).astype(np.float64)
        comes_in[~kept] = np.inf
        if kept[:required].sum() == 1:  # without any, a query may not be asked
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

    One required term more, and as many excluded terms as there is room for: those that most of
    the documents with the required terms hold. So the query reaches outside of the cell,
    but brings few documents that are held. Its held documents stand for the hidden ones: each
    term is the one that most of those have that no term before has.

    Args:
        cell: With more documents than the limit lets be seen.
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
        showing = showing[: showing.searchsorted(len(is_wide))]  # more may be held by now
        there = spread(showing[is_wide[showing]], SAMPLE)
        times = held.holds(there, cell.excluded).sum(axis=0).tolist()
        holding = dict(zip(cell.excluded, times, strict=True))
        kept = sorted(cell.excluded, key=lambda t: -holding[t])[:room]
        yield Query((*cell.required, term), tuple(t for t in cell.excluded if t in kept))


def _covering(cell: Cell, hidden: float, held: DocumentIndex, limit: int) -> Iterator[str]:
    """Yield terms that together most of a cell's hidden documents hold, the best first.

    Of an answer above the limit it is not known which documents it shows: at worst, those that
    are held, at best others as often as their share. The mean of both is what is counted on.
    """
    shares = cell.shares(held)
    terms = shares.terms
    inside = spread(cell.documents(held), SAMPLE)
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
