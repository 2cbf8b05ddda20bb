"""The parts of a source by its facets: the source's counts, and what was received."""

import sys
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from longline.ledger.ledger import Ledger
from longline.model import Facet, Filter

_LAST = chr(sys.maxunicode)
"""The last letter of all: it ends the texts that begin with a prefix."""


class FacetPart(msgspec.Struct, frozen=True):
    """The documents that match one filter.

    Attributes:
        facet: Name of the field.
        value: Its value; for a range, the smallest one.
        high: The greatest value of a range, or "".
        reported: Documents in it, by the source's count.
        received: Different documents received by searches with that filter or a narrower one.
    """

    facet: str
    value: str
    high: str
    reported: int
    received: int


def facet_parts(ledger: Ledger, facets: Iterable[Facet] = ()) -> list[FacetPart]:
    """Return the parts by single facets for which the source gave its own count.

    If one part contains another, only the narrower one is returned. A part with fewer documents
    received than reported is incomplete.

    Args:
        ledger: The ledger.
        facets: The source's facets; a value of an unknown one contains only itself.

    >>> from longline.events import PageReceived
    >>> from longline.model import Hit, Page, Query, Total
    >>> ledger = Ledger()
    >>> query = Query((), filters=(Filter("year", "1990"),))
    >>> cuts = ledger.tell(PageReceived(query, 1, Page((Hit("a"), Hit("b")), Total(5))))
    >>> [(part.value, part.reported, part.received) for part in facet_parts(ledger)]
    [('1990', 5, 2)]
    """
    known = {facet.name: facet for facet in facets}
    claims: dict[Filter, int] = {}
    came: dict[Filter, set[int]] = defaultdict(set)
    for query, sums in ledger.query_ledgers.items():
        for limits in query.filters:
            came[limits].update(sums.documents)
        is_bare = not query.wanted and not query.excluded and len(query.filters) == 1
        if is_bare and sums.reported is not None:
            claims[query.filters[0]] = sums.reported
    of_all = ((limits, _span(limits, known.get(limits.facet))) for limits in came)
    spans = {limits: span for limits, span in of_all if span is not None}
    ordered: dict[str, list[Filter]] = defaultdict(list)
    for limits in sorted(spans, key=lambda each: (each.facet, spans[each])):
        ordered[limits.facet].append(limits)
    found = []
    for limits, reported in claims.items():
        within = _within(limits, ordered[limits.facet], spans)
        if not any(other != limits and other in claims for other in within):
            received = len(set().union(*(came[other] for other in within)))
            found.append(FacetPart(limits.facet, limits.low, limits.high, reported, received))
    return sorted(found, key=lambda part: (part.facet, *_order(part, known.get(part.facet))))


_Span = tuple[Any, Any]
"""First and last of a filter's values, as numbers or texts."""


def _span(limits: Filter, facet: Facet | None) -> _Span | None:
    """Return a filter's span; None if only its own value is within it."""
    if facet is None or facet.kind == "list":
        return None
    if facet.kind == "prefix":
        return limits.low, f"{limits.low}{_LAST}"
    try:
        return facet.place(limits.low), facet.place(limits.high or limits.low)
    except ValueError:
        return None


def _within(
    outer: Filter, ordered: Sequence[Filter], spans: Mapping[Filter, _Span]
) -> list[Filter]:
    """Return the filters whose documents all match another one, and that one itself.

    Args:
        outer: The other one.
        ordered: The filters of its facet that have a span, by its start.
        spans: Their spans.
    """
    if outer not in spans:
        return [outer]
    least, most = spans[outer]
    begin = bisect_left(ordered, least, key=lambda each: spans[each][0])
    end = bisect_right(ordered, most, key=lambda each: spans[each][0])
    return [each for each in ordered[begin:end] if spans[each][1] <= most]


def _order(part: FacetPart, facet: Facet | None) -> tuple[int, str]:
    """Return the sort key of a part among others of its facet."""
    span = _span(Filter(part.facet, part.value, part.high), facet)
    return (span[0], "") if span and isinstance(span[0], int) else (0, part.value)
