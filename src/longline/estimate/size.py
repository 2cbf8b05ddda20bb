"""How many documents a source holds: what an estimate says, and the simple estimators.

To stop by, take `longline.estimate.probes`. The estimators here need nothing but the harvest's
own figures, and pay for it: they take the queries for random draws of documents, which they are
not. They are here for comparison, and as floors.
"""

from collections.abc import Iterable
from math import inf

import msgspec

from longline.errors import InputError
from longline.events import Discrepancy, Method, SizeEstimate

DOUBTFUL = frozenset({"count", "parts", "term", "rows repeated", "page lost"})
"""Kinds of discrepancy where a total, or that two queries have no document in common, was wrong."""


def chao1(unique: int, once: int, twice: int) -> SizeEstimate:
    """Estimate a size from how many documents came once and how many twice.

    N = unique + once (once - 1) / (2 (twice + 1)), the bias-corrected form. It is a lower bound
    where documents differ in how easily queries find them, and under a search box they do.

    Args:
        unique: Different documents that came.
        once: Of these, how many came exactly once.
        twice: Of these, how many came exactly twice.

    Returns:
        Without an upper bound, since the method has none under unequal chances.

    Raises:
        InputError: Counts that contradict each other.

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
    """Estimate a size from two catches and what they have in common (Lincoln-Petersen).

    N = (first + 1) (second + 1) / (both + 1) - 1, Chapman's form, which is finite where the
    catches have nothing in common. Right where one catch at least is a random draw; two
    catches by queries find the same easy documents, and N comes out too low.

    Args:
        first: Different documents of the first catch, e.g. of every other query.
        second: Different documents of the second catch.
        both: Documents that are in both.

    Raises:
        InputError: Counts that contradict each other.

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
    queries without a return limit: a planner that avoids overlap makes N too large, a static
    ranking that repeats the same documents makes it too small.

    Args:
        received: Rows got from all queries, repeats included.
        unique: Different documents among them.

    Returns:
        None while nothing has come twice: then nothing is known.

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
    """Raise an estimate to the documents that there are for certain.

    Where it was too low, it was no more sure than it said: the room that it had above itself it
    keeps, in proportion, above what is known. So no interval becomes a point.

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
    """Return the one of two estimates with the narrower interval, raised to what is known.

    Args:
        before: Made when less was held; where more is known than its high end, it was wrong.
        found: From other evidence, later; None where that says nothing.
        known: Documents that there are for certain.

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
    """Say whether something was seen that puts all exact totals of a source in doubt."""
    return any(each.kind in DOUBTFUL for each in seen)


def with_cells(found: SizeEstimate, at_least: float, *, is_doubted: bool) -> SizeEstimate:
    """Hold what exact totals of disjoint queries claim against an estimate.

    Where the two agree, the claim is a lower bound and makes the interval narrower. Where they
    contradict each other, or other totals of the source were wrong, one of them is wrong and nobody
    knows which: the interval then holds both.

    Args:
        found: By other evidence.
        at_least: The claim; 0 where there is none.
        is_doubted: Something else that the source said did not add up.

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
