"""Estimate how many documents a source holds, with simple estimators.

To decide when to stop, use `longline.estimate.probes`. The estimators here need only the harvest's
own figures, but assume that queries are random draws of documents, which is not true. They serve
for comparison, and as lower bounds.
"""

from collections.abc import Iterable
from math import inf

import msgspec

from longline.errors import InputError
from longline.events import Discrepancy, Method, SizeEstimate

DOUBTFUL = frozenset({"count", "parts", "term", "rows repeated", "page lost"})
"""Discrepancies that show that a total, or the disjointness of two queries, was wrong."""


def chao1(unique: int, once: int, twice: int) -> SizeEstimate:
    """Estimate a size from how many documents came once and how many came twice.

    N = unique + once (once - 1) / (2 (twice + 1)), the bias-corrected form. It is a lower bound if
    queries find some documents more easily than others, as they do in a search box.

    Args:
        unique: Different documents that came.
        once: How many of these came exactly once.
        twice: How many of these came exactly twice.

    Returns:
        An estimate without an upper bound, which the method lacks under unequal probabilities.

    Raises:
        InputError: The counts contradict each other.

    Source: Chao 1984, "Nonparametric estimation of the number of classes in a population";
    the bias-corrected form is Chao 2005.

    >>> chao1(unique=9, once=5, twice=2).documents.__round__(3)
    12.333
    """
    if min(once, twice) < 0 or once + twice > unique:
        raise InputError(
            f"{once} documents came once and {twice} twice, of {unique}",
            advice="give counts of the same documents",
        )
    return _lower_bound("chao1", unique + once * (once - 1) / (2 * (twice + 1)), unique)


def petersen(first: int, second: int, both: int) -> SizeEstimate:
    """Estimate a size from two samples and their intersection (Lincoln-Petersen).

    N = (first + 1) (second + 1) / (both + 1) - 1, Chapman's form, which is finite if the samples
    have no document in common. It is right if at least one sample is random; two samples by queries
    find the same easy documents, and N is too low.

    Args:
        first: Different documents in the first sample, e.g. of every other query.
        second: Different documents in the second sample.
        both: Documents that are in both.

    Raises:
        InputError: The counts contradict each other.

    Source: Petersen 1896, Lincoln 1930; Chapman 1951 for the form.

    >>> petersen(first=9, second=9, both=4).documents
    19.0
    """
    if not 0 <= both <= min(first, second):
        raise InputError(
            f"catches of {first} and {second} documents have {both} in common",
            advice="give counts of different documents",
        )
    size = (first + 1) * (second + 1) / (both + 1) - 1
    return _lower_bound("petersen", size, first + second - both)


def overlap(received: int, unique: int) -> SizeEstimate | None:
    """Estimate a size from the overlapping rate of random queries.

    HR = 1 - OR ^ -1.1, so N = unique / (1 - OR ^ -1.1). The exponent was fitted to random
    queries without a return limit: with a planner that avoids overlap, N is too large; with a
    static ranking that repeats the same documents, it is too small.

    Args:
        received: Rows received from all queries, with repeats.
        unique: Different documents among them.

    Returns:
        None if nothing came twice: then nothing is known.

    Source: Lu & Li 2010, "Estimating deep web data source size by capture-recapture method".

    >>> overlap(received=200, unique=100).documents.__round__(1)
    187.4
    >>> overlap(received=100, unique=100)
    """
    if not 0 <= unique <= received:
        raise InputError(
            f"{unique} different documents in {received} rows", advice="count repeats as rows"
        )
    if unique == received:
        return None
    return _lower_bound("overlap", unique / (1 - (received / unique) ** -1.1), unique)


def _lower_bound(method: Method, size: float, known: int) -> SizeEstimate:
    size = max(size, float(known))
    share = known / size if size else None
    return SizeEstimate(documents=size, low=float(known), high=None, method=method, share=share)


def raised(found: SizeEstimate, known: float) -> SizeEstimate:
    """Raise an estimate to the number of documents that certainly exist.

    The upper end stays above the estimate by the same factor, so that no interval becomes a point.

    >>> found = raised(SizeEstimate(documents=10, low=8, high=15, method="probes"), 20)
    >>> found.low, found.documents, found.high
    (20, 20, 30.0)
    """
    documents, low, high = found.documents, found.low, found.high
    if high is not None and documents:
        high = max(high, known * (high / documents))
    return msgspec.structs.replace(
        found, documents=max(documents, known), low=max(low, known), high=high
    )


def closer(before: SizeEstimate, found: SizeEstimate | None, known: int) -> SizeEstimate | None:
    """Return the estimate with the narrower interval, raised to what is known.

    Args:
        before: The earlier estimate; wrong if more is known to exist than its high end.
        found: The later estimate, from other evidence; None if there is none.
        known: The number of documents that certainly exist.

    >>> before = SizeEstimate(documents=10, low=8, high=15, method="probes")
    >>> found = SizeEstimate(documents=14, low=12, high=20, method="probes")
    >>> closer(before, found, 12).documents, closer(before, found, 16).documents
    (12, 14)
    """
    if before.high is not None and known > before.high:
        return found
    bare = msgspec.structs.replace(before, share=None, share_low=None, share_high=None)
    before = raised(bare, known)
    if found is None:
        return before
    room = [(each.high or inf) / each.low for each in (before, found)]
    return before if room[0] <= room[1] else found


def is_doubted(seen: Iterable[Discrepancy]) -> bool:
    """Return whether some discrepancy makes all exact totals of a source doubtful."""
    return any(each.kind in DOUBTFUL for each in seen)


def with_cells(found: SizeEstimate, at_least: float, *, is_doubted: bool) -> SizeEstimate:
    """Combine an estimate with the lower bound from exact totals of disjoint queries.

    If the two agree, the bound makes the interval narrower. If they contradict each other, or other
    totals of the source were wrong, one of them is wrong, and the interval then includes both.

    Args:
        found: The estimate from other evidence.
        at_least: The bound; 0 if there is none.
        is_doubted: Whether other discrepancies make totals doubtful.

    >>> probes = SizeEstimate(documents=600, low=590, high=640, method="probes")
    >>> for at_least, is_doubted in (595, False), (595, True), (720, False):
    ...     both = with_cells(probes, at_least, is_doubted=is_doubted)
    ...     print(both.low, both.documents, both.high)
    595 600 640
    590 600 640
    590 640 768.0
    """
    agrees = found.high is None or at_least <= found.high
    if agrees:
        return found if is_doubted else raised(found, at_least)
    high = raised(found, at_least).high
    between = found.documents if is_doubted else found.high
    return msgspec.structs.replace(found, documents=between, high=high)
