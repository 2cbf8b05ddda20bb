"""How many documents a source holds, from what a handful of queries said of it.

Intervals are wide where little is known, and no more than that: their widths come from runs on
simulated sources (docs/research/decisions/0016), not from a model of how sources differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from statistics import median
from typing import Literal

Way = Literal["listing", "roots", "shares", "seen"]

FALL = (0.2, 0.85)
"""Each root's total is at least and at most so much of the one before it, in the tail."""

TAIL = 3.0
"""What lies outside the roots may be so many times what is expected."""

BESIDE_TAIL = 5.0
"""The same by what other words bring, or how common they are: longer records have more words of
any kind."""

UNEXPECTED = 0.01
"""Share of a source that may be hidden from all roots, such as documents without text."""

DIVERSE = 0.25
"""The same where no root is common, as where stop words are not indexed."""

MOST_OUTSIDE = 0.9
"""Share of other words' documents that may be outside of the roots, to go by."""

UNBOUNDED = 0.75
"""The same, above which nothing is said of how many documents there are at most."""

NARROW = 0.7
"""Share of what was counted of short records that was seen, above which the words that were counted
are those of what was seen alone: the others may have none of them."""

SHARE_SPREAD = 0.5
"""Deviation of the logarithm of a size by shares among documents that are no random draws."""

CEILING_SPREAD = 1.0
"""The same where totals go no higher than some number: what is common cannot be counted."""

LEAST_SPREAD = 0.25
"""Of sizes by totals with errors: a few totals can err alike by chance."""


@dataclass(frozen=True)
class SizeRange:
    """A source's size, as far as a probe tells.

    Attributes:
        method: How it was found; `size_queries` has what each does.
        documents: The estimate; None where nothing tells.
        low: Hardly fewer than these.
        high: Hardly more than these; None where nothing bounds it.
        at_least: So many there are: seen, or counted by exact totals.
    """

    method: Way
    documents: float | None
    low: float
    high: float | None
    at_least: int


def by_listing(total: int, seen: int) -> SizeRange:
    """Take the exact total of all documents for their number."""
    documents = max(total, seen)
    return SizeRange("listing", documents, documents, documents, documents)


def by_roots(
    totals: Sequence[float],
    seen: int,
    beside: tuple[int, int] = (0, 0),
    *,
    without: float = 0.0,
    diverse: bool = False,
) -> SizeRange:
    """Sum up exact totals of disjoint sets, each outside all those before it.

    Args:
        totals: Of the sets.
        seen: Different documents seen.
        beside: Documents that other words hold, and how many of those are outside of all sets. As
            records of a few words hardly share one, the fall of the totals does not tell there.
        without: Share of documents outside of the sets if words meet by chance, where documents are
            short.
        diverse: Some words that are common elsewhere match nothing: what holds these alone, such
            as a table, is hidden from roots and from the words beside them.

    >>> found = by_roots([800, 100, 40, 20], seen=150)
    >>> found.at_least, round(found.documents)
    (960, 976)
    >>> round(by_roots([800, 100, 40, 20], seen=150, beside=(60, 20)).documents)
    1446
    """
    counted = sum(totals)
    # A single total has no fall to go by.
    tail = 0.0 if beside[0] and len(totals) == 1 else outside(totals)
    hidden = UNEXPECTED + DIVERSE * (1.0 if diverse else 1 - max(totals) / counted)
    high = counted + TAIL * tail + hidden * counted
    likely = 0.0
    if beside[0]:
        share = min((beside[1] + 0.5) / (beside[0] + 1), MOST_OUTSIDE)
        likely = min(share + 2 * sqrt(share * (1 - share) / beside[0]), MOST_OUTSIDE)
        tail = max(tail, counted * share / (1 - share))
        high = max(high, counted * (1 + BESIDE_TAIL * likely / (1 - likely)))
    apart = _outside_by_chance(counted, without)
    tail, high = (tail + max(tail, apart)) / 2, max(high, counted + BESIDE_TAIL * apart)
    at_least = max(seen, round(counted))
    is_open = max(likely, without) > UNBOUNDED or _is_narrow(seen, counted, without)
    bound = None if is_open else max(seen, high)
    return SizeRange("roots", max(seen, counted + tail), at_least, bound, at_least)


def _outside_by_chance(counted: float, without: float) -> float:
    """Return how many documents are outside of sets, where such a share of all is."""
    share = min(without, MOST_OUTSIDE)
    return counted * share / (1 - share)


def _is_narrow(seen: int, counted: float, without: float) -> bool:
    """Say whether what was counted is hardly more than what was seen, where records are short."""
    return without > 0 and seen > NARROW * counted


def outside(totals: Sequence[float]) -> float:
    """Extrapolate what is outside of all sets: the smallest totals go on falling as they fell.

    >>> round(outside([400, 100, 50, 25]), 3)
    25.0
    """
    falling = sorted(totals, reverse=True)
    last = falling[-1]
    if len(falling) < 2:
        return last / 2
    steps = min(2, len(falling) - 1)
    fall = float((max(last, 0.5) / max(falling[-1 - steps], 0.5)) ** (1.0 / steps))
    fall = min(max(fall, FALL[0]), FALL[1])
    return last * fall / (1 - fall)


def by_rough_roots(
    totals: Sequence[float], others: Sequence[float], noise: float, seen: int
) -> SizeRange:
    """Sum up totals with errors: the first set, which is the largest, is estimated several times.

    Args:
        totals: Of disjoint sets.
        others: Other estimates of how many documents the first two sets hold.
        noise: Deviation of the logarithm of a total.
        seen: Different documents seen.
    """
    heads = [sum(totals[:2]), *others]
    head = exp(sum(log(max(each, 0.5)) for each in heads) / len(heads))
    rest = sum(totals[2:])
    tail = outside(totals) if len(totals) < 3 else min(outside(totals), 0.2 * (head + rest))
    documents = max(float(seen), head + rest + tail)
    scatter = _deviation([log(max(each, 0.5)) for each in heads])
    spread = sqrt(LEAST_SPREAD**2 + max(noise, scatter) ** 2 / len(heads))
    return SizeRange("roots", documents, *_around(documents, spread, seen), seen)


def by_shares(
    ratios: Sequence[float], noise: float, at_least: int, *, is_clamped: bool = False
) -> SizeRange | None:
    """Estimate a size by total / share for several terms; None where there is not one.

    Args:
        ratios: Total / share, of each term.
        noise: Deviation of the logarithm of a total.
        at_least: Documents that there are.
        is_clamped: No total is greater than some number, whatever matches.
    """
    if not ratios:
        return None
    documents = max(float(at_least), median(ratios))
    own = CEILING_SPREAD if is_clamped else SHARE_SPREAD
    # Two totals are each term's own; that of the word that shares are taken of serves all.
    spread = sqrt(own**2 + noise**2 * (1 + 2 / len(ratios)))
    return SizeRange("shares", documents, *_around(documents, spread, at_least), at_least)


def by_seen(seen: int, reported: int) -> SizeRange:
    """Say no more than what was seen, or reported by the largest exact total (0: there is none).

    What answers have in common is no measure: the same documents may come first whatever is
    asked for. On simulated sources it gave .01 to .8 of the size.
    """
    at_least = max(seen, reported)
    return SizeRange("seen", None, at_least, None, at_least)


def _around(documents: float, spread: float, at_least: int) -> tuple[float, float]:
    low, high = documents * exp(-1.96 * spread), documents * exp(1.96 * spread)
    return max(float(at_least), low), max(float(at_least), high)


def _deviation(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    mean = sum(values) / len(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
