"""Estimate how many documents a source holds, from the answers to a few queries.

Where little is known, intervals are only wide: their widths come from runs on simulated sources
(docs/research/decisions/0016), not from a model of how sources differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from statistics import mean, median, stdev
from typing import Literal

Way = Literal["listing", "roots", "shares", "seen"]

FALL = (0.2, 0.85)
"""In the tail, each root's total is at least and at most this share of the one before it."""

TAIL = 3.0
"""Upper bound of the documents outside the roots, as a multiple of the expected number."""

BESIDE_TAIL = 5.0
"""The same bound, based on other words or on how common they are: longer records have more words of
any kind."""

UNEXPECTED = 0.01
"""Share of a source that may contain none of the roots, such as documents without text."""

DIVERSE = 0.25
"""The same share if no root is common, as in sources that do not index stop words."""

MOST_OUTSIDE = 0.9
"""Cap on the share of other words' documents outside the roots."""

UNBOUNDED = 0.75
"""Above this share, no upper bound for the number of documents is given."""

NARROW = 0.7
"""For short records, no upper bound is given above this share of seen among counted documents: the
counted words may be those of the seen documents only."""

SHARE_SPREAD = 0.5
"""Standard deviation of the log of a size estimated by shares in a non-random sample."""

CEILING_SPREAD = 1.0
"""The same if totals have a ceiling: the total of a common term is then unknown."""

LEAST_SPREAD = 0.25
"""Least standard deviation of sizes from totals with errors: a few totals can err alike."""


@dataclass(frozen=True)
class SizeRange:
    """A source's size, as estimated by a probe.

    Attributes:
        method: The method used; `size_queries` describes them.
        documents: The estimate; None if unknown.
        low: The lower end of the interval.
        high: The upper end of the interval; None if there is none.
        at_least: A proved lower bound: documents seen, or counted by exact totals.
    """

    method: Way
    documents: float | None
    low: float
    high: float | None
    at_least: int


def by_listing(total: int, seen: int) -> SizeRange:
    """Return the exact total of all documents as the size."""
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
    """Estimate the size from exact totals of disjoint sets, each outside all those before it.

    Args:
        totals: The totals of the sets.
        seen: Different documents seen.
        beside: Documents with other words, and how many of those are outside of all sets. Records
            of a few words hardly share a word, so there the fall of the totals is not informative.
        without: Expected share of documents outside the sets if words occur independently, for
            short documents; 0 for long ones.
        diverse: Some words that are common elsewhere match nothing, so documents that contain only
            such words, such as tables, are missed by the roots and by the other words.

    >>> found = by_roots([800, 100, 40, 20], seen=150)
    >>> found.at_least, round(found.documents)
    (960, 976)
    >>> round(by_roots([800, 100, 40, 20], seen=150, beside=(60, 20)).documents)
    1446
    """
    counted = sum(totals)
    # A single total shows no fall.
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
    """Return how many documents are outside the sets, if they are this share of all."""
    share = min(without, MOST_OUTSIDE)
    return counted * share / (1 - share)


def _is_narrow(seen: int, counted: float, without: float) -> bool:
    """Return whether little more was counted than was seen, for sources with short records."""
    return without > 0 and seen > NARROW * counted


def outside(totals: Sequence[float]) -> float:
    """Extrapolate the number of documents outside all sets from how the smallest totals fall.

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
    """Estimate the size from totals with errors; the largest set is estimated several times.

    Args:
        totals: The totals of disjoint sets.
        others: Other estimates of how many documents the first two sets hold.
        noise: Standard deviation of the log of a total.
        seen: Different documents seen.
    """
    heads = [sum(totals[:2]), *others]
    logs = [log(max(each, 0.5)) for each in heads]
    head = exp(mean(logs))
    rest = sum(totals[2:])
    tail = outside(totals) if len(totals) < 3 else min(outside(totals), 0.2 * (head + rest))
    documents = max(float(seen), head + rest + tail)
    scatter = stdev(logs) if len(logs) > 1 else 0.0
    spread = sqrt(LEAST_SPREAD**2 + max(noise, scatter) ** 2 / len(heads))
    return SizeRange("roots", documents, *_around(documents, spread, seen), seen)


def by_shares(
    ratios: Sequence[float], noise: float, at_least: int, *, is_clamped: bool = False
) -> SizeRange | None:
    """Estimate the size as total / share for several terms; return None if there is no term.

    Args:
        ratios: Total / share of each term.
        noise: Standard deviation of the log of a total.
        at_least: A proved lower bound.
        is_clamped: Whether the source's totals have a ceiling.
    """
    if not ratios:
        return None
    documents = max(float(at_least), median(ratios))
    own = CEILING_SPREAD if is_clamped else SHARE_SPREAD
    # Each term has two totals of its own; the total of the word for the shares is common to all.
    spread = sqrt(own**2 + noise**2 * (1 + 2 / len(ratios)))
    return SizeRange("shares", documents, *_around(documents, spread, at_least), at_least)


def by_seen(seen: int, reported: int) -> SizeRange:
    """Return only a lower bound: documents seen, or the largest exact total (0 if there is none).

    Overlaps between answers are no measure: the same documents may come first for every query. On
    simulated sources they gave .01 to .8 of the size.
    """
    at_least = max(seen, reported)
    return SizeRange("seen", None, at_least, None, at_least)


def _around(documents: float, spread: float, at_least: int) -> tuple[float, float]:
    low, high = documents * exp(-1.96 * spread), documents * exp(1.96 * spread)
    return max(float(at_least), low), max(float(at_least), high)
