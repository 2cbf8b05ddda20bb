"""The source's size as the certificate gives it."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import ceil, floor

import msgspec

from longline.estimate.size import is_doubted, raised, with_cells
from longline.events import Concluded, Discrepancy, SizeEstimate
from longline.ledger.certificate import Estimate
from longline.model import Page
from longline.text.numbers import counted

ENOUGH = 0.97
"""Minimum share of the estimated size that a complete harvest holds."""

TOLD = "said by the source with every search"

LIST_OF_ALL = "the source's own list of all"
"""How a size is known that a list without words gives."""


class Believed(msgspec.Struct, frozen=True):
    """A size with its interval, and its source; None for unknown values."""

    size: int | None = None
    low: int | None = None
    high: int | None = None
    source: str = "not known"


def believed(
    given: int | None, given_by: str, found: Concluded | None, held: int, linked: int = 0
) -> Believed:
    """Return the given size, or else the probes' estimate, combined with exact totals.

    Args:
        given: By the user; None if not given.
        given_by: Description of who gave it.
        found: The newest conclusion.
        held: Documents held, a lower bound: a smaller given size is ignored.
        linked: How many of them only links showed: searches may find more of these, or none.

    >>> believed(10, "given by the user", None, 20)
    Believed(size=None, low=20, high=None, source='not known: 10, given by the user, are too few')
    """
    size = _searched(given, given_by, found, held - linked)
    if not linked or size.size is None:
        return size
    high = None if size.high is None else size.high + linked
    return Believed(max(held, size.size), max(held, size.low or 0), high, size.source)


def _searched(given: int | None, given_by: str, found: Concluded | None, held: int) -> Believed:
    if given is not None:
        if held <= given:
            return Believed(given, given, given, given_by)
        if found is None or found.size is None:
            return Believed(low=held, source=f"not known: {given:,}, {given_by}, are too few")
    if found is None:
        return Believed()
    if found.listed >= max(held, 1):
        return Believed(found.listed, found.listed, found.listed, LIST_OF_ALL)
    return _by_cells(found, held) if found.size is None else _by_probes(found.size, found, held)


def by_claim(most: int, held: int, odd: Iterable[Discrepancy] = ()) -> Believed:
    """Return the largest total of one query as a lower bound, where there is no estimate.

    Args:
        most: That total; 0 without any.
        held: Documents held.
        odd: What does not add up: where totals were wrong, one of them proves nothing.
    """
    if most <= held or is_doubted(odd):
        return Believed()
    return Believed(low=most, source=f"not known; the source reports {most:,} for one search alone")


def is_below(found: Believed, claimed: int | None, odd: Iterable[Discrepancy] = ()) -> bool:
    """Return whether the source reports more for one query than an estimate allows for all.

    Probes never see documents that no query shows: behind a return limit, with one order for all
    answers, the same documents may always be cut off. If other totals were wrong, a large total
    proves nothing.

    >>> [is_below(Believed(740, 735, 750), claimed) for claimed in (1_250, 760, None)]
    [True, False, False]
    """
    is_less = found.high is not None and found.high < ENOUGH * (claimed or 0)
    return is_less and not is_doubted(odd)


def _by_cells(found: Concluded, held: int) -> Believed:
    """Return exact totals as a lower bound, unless other totals were wrong."""
    if not found.at_least:
        return Believed()
    claim = f"not known; the source's own totals add up to {found.at_least:,}"
    if is_doubted(found.discrepancies):
        return Believed(low=held, source=f"{claim}, and other totals were wrong")
    return Believed(low=max(held, found.at_least), source=claim)


def _by_probes(probes: SizeEstimate, found: Concluded, held: int) -> Believed:
    """Return the probes' size, corrected by exact totals."""
    doubted = is_doubted(found.discrepancies)
    size = raised(with_cells(probes, found.at_least, is_doubted=doubted), held)
    if probes.method == "totals":
        return Believed(round(size.documents), floor(size.low), ceil(size.documents), TOLD)
    source = f"{counted(probes.probes, 'random word')}, {probes.hits:,} with results"
    if probes.method == "list":
        source = "the list's own total"
    is_least = found.at_least >= floor(size.low) and probes.method != "list"
    if is_least or found.at_least > probes.low:
        source += f"; the source's own totals add up to {found.at_least:,}"
        if size.low < found.at_least:
            source += ", which is not certain"
    high = None if size.high is None else ceil(size.high)
    return Believed(round(size.documents), floor(size.low), high, source)


class Namesakes:
    """Counts the results that share a title with another one on the same page, or in another text.

    One page seldom lists a document twice, so they are different documents; only one of each title
    is saved.

    >>> from longline.model import Hit
    >>> seen = Namesakes()
    >>> seen.see(Page((Hit("Minutes"), Hit("Minutes"), Hit("Budget"))))
    >>> seen.see(Page((Hit("Minutes"), Hit("Minutes"), Hit("Minutes"))))
    >>> len(seen)
    2
    >>> seen.see(Page((Hit("Budget", text="Of 1903."),)))
    >>> seen.see(Page((Hit("Budget", text="Of 1904."),)))
    >>> len(seen)
    3
    """

    def __init__(self) -> None:
        self._most: dict[str, int] = {}
        self._texts = defaultdict[str, set[int]](set)

    def see(self, page: Page) -> None:
        """Record a result page."""
        for hit in page.hits:
            if hit.text:
                self._texts[hit.key].add(hash(hit.text))
        counts = Counter(hit.key for hit in page.hits)
        for title in counts:
            times = max(counts[title], len(self._texts.get(title, ())))
            if times > self._most.get(title, 1):
                self._most[title] = times

    def __len__(self) -> int:
        """Return the minimum number of documents lost because they share a title."""
        return sum(self._most.values()) - len(self._most)


def as_estimate(estimate: SizeEstimate) -> Estimate:
    """Return an estimate, rounded to integers."""
    high = None if estimate.high is None else ceil(estimate.high)
    return Estimate(estimate.method, round(estimate.documents), floor(estimate.low), high)
