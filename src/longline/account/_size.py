"""The size of a source as the certificate gives it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from math import ceil, floor

import msgspec

from longline.account.certificate import Estimate
from longline.estimate.size import chao1, overlap, petersen
from longline.events import Concluded, SizeEstimate


class Believed(msgspec.Struct, frozen=True):
    """A size with its interval, and who says so; None where nothing is known."""

    size: int | None = None
    low: int | None = None
    high: int | None = None
    source: str = "not known"


def believed(given: int | None, given_by: str, found: Concluded | None, held: int) -> Believed:
    """Return the size that is given, else the probes' with what exact totals add to it.

    Args:
        given: By the user, who need not be asked again.
        given_by: Who that is.
        found: The newest conclusion.
        held: Documents held: there are no fewer.
    """
    if given is not None:
        return Believed(given, given, given, given_by)
    if found is None:
        return Believed()
    size, least = found.size, max(held, found.at_least)
    if size is None:
        source = f"not known; disjoint queries claim {found.at_least:,}"
        return Believed(low=least, source=source) if found.at_least else Believed()
    source = f"{size.probes} probes, {size.hits} of which hit"
    if found.at_least > size.low:
        source += f"; disjoint queries claim {found.at_least:,}"
    return Believed(
        max(round(size.documents), least),
        max(floor(size.low), least),
        None if size.high is None else max(ceil(size.high), least),
        source,
    )


class Catches:
    """Which documents came how often, and in which of two catches: every other query's."""

    def __init__(self) -> None:
        self.times: dict[str, int] = {}
        self._halves: tuple[set[str], set[str]] = (set(), set())

    def add(self, keys: Collection[str], query: int) -> int:
        """Take note of a page of the query with this number; return how many keys are new."""
        before = len(self.times)
        for key in keys:
            self.times[key] = self.times.get(key, 0) + 1
        self._halves[query % 2].update(keys)
        return len(self.times) - before

    def estimates(self, rows: int) -> list[SizeEstimate]:
        """Return what the estimators say that look at the harvest's own answers alone."""
        if not self.times:
            return []
        often = Counter(self.times.values())
        one, other = self._halves
        by_rate = overlap(max(rows, len(self.times)), len(self.times))
        return [
            chao1(len(self.times), often[1], often[2]),
            petersen(len(one), len(other), len(one & other)),
            *([by_rate] if by_rate else []),
        ]


def as_estimate(estimate: SizeEstimate) -> Estimate:
    """Return an estimate in whole documents."""
    high = None if estimate.high is None else ceil(estimate.high)
    return Estimate(estimate.method, round(estimate.documents), floor(estimate.low), high)
