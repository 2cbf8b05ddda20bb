"""Predict how many result pages a strategy needs to hold a given share of the source.

Partition: the cost V of a cell as large as the source, from its table, times the share of that cost
spent when the given share was held. That hardly depends on the return limit, the page size or the
source, but on how exact totals are. Adaptive: multiples of N / p, the fewest pages that could show
N documents, by ranking and return limit. Both were measured on simulated sources of two corpora and
compared with a third (docs/research/decisions/0016).

Both apply if documents are long enough that some term splits off any share of them. If documents
have only a few words, the shares of their most common terms bound the splits that V assumes,
documents without any of these terms must be searched one by one, and single terms take turns with
the cells.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf, log, sqrt

import numpy as np

from longline.planner.capabilities import Capabilities
from longline.planner.cells import LOST_PAGES, TYPICAL_SAMPLE, PageCosts
from longline.planner.partition import MAX_TERMS
from longline.planner.probe.capability_trials import Ranking
from longline.planner.probe.term_shares import ORDINARY, Vocabulary

COVERAGES = (0.5, 0.8, 0.9, 0.95, 0.98)
"""Shares of a source for which predictions are made."""

FIRST_PAGES = 3.0
"""Pages that a strategy needs at the beginning, whatever the source's size."""

UNLIMITED = 20
"""If no return limit is known, cells of this many pages are assumed."""

_KNOTS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98)

SPENT: Mapping[str, Sequence[float]] = {
    "exact": (0.0, 0.28, 0.465, 0.66, 0.765, 0.88, 0.95, 1.01),
    "about": (0.0, 0.29, 0.49, 0.69, 0.82, 1.00, 1.14, 1.26),
    "none": (0.0, 0.33, 0.54, 0.82, 0.98, 1.16, 1.28, 1.37),
}
"""Share of V that a partition had spent when it held `_KNOTS`, by how exact totals are."""

PARTITION_ERROR = {"exact": 0.08, "about": 0.25, "none": 0.15}
"""Approximate largest relative errors of these predictions, if the size is known."""

PARTITION_REACH = 0.995

NEAREST_REACH, NEAREST_ERROR = 0.98, 0.3

OUTSIDE = (0.0, 0.0, 0.0, 0.3, 0.8, 2.4, 3.0, 4.0)
"""Multiples of sqrt(o) N / p, added if a share o of the documents contains no common term."""

UNREACHED = (0.2, 0.03)
"""Multiples of o, and of the strain above 1: the share that a partition does not reach."""

UNREACHED_BY_TERMS = 0.1
"""Multiple of the strain above 1: the share that single terms do not reach either."""

STRAINED = 1.6
"""Above this strain (short documents), single terms take turns with the cells."""

STRAIN_ERROR = 1.0
"""Relative error of the part of V that is due to the strain."""

PASSED_OVER = (1.0, 1.05, 1.1, 1.2, 1.25, 1.3, 1.35, 1.4)
"""Cost factors if the source ignores words: these are usually the best ones for splitting, and each
is only noticed once it did not split."""

PASSED_OVER_ERROR = 0.35

LARGEST_ERROR = 0.8

MULTIPLES: Mapping[str, Mapping[int, Sequence[float]]] = {
    "static": {
        10: (0.0, 0.52, 1.10, 2.25, 3.50),
        100: (0.0, 0.41, 0.835, 1.55, 2.20, 3.62, 5.0),
        1000: (0.0, 0.375, 0.73, 1.32, 1.78, 2.70, 3.98),
    },
    "dynamic": {
        10: (0.0, 0.365, 0.705, 1.25, 1.67, 2.47, 3.2),
        100: (0.0, 0.365, 0.71, 1.20, 1.62, 2.30, 3.03),
        1000: (0.0, 0.365, 0.695, 1.225, 1.625, 2.45, 3.36),
    },
}
"""Multiples of N / p: what single terms cost when they held `_KNOTS`, by ranking and return limit.
They end at or near the last of these shares."""

ADAPTIVE_ERROR = 0.25


@dataclass(frozen=True)
class PageForecast:
    """The expected cost of a strategy on one source.

    Attributes:
        pages: Result pages by coverage (`COVERAGES`); None if it is not reached.
        reach: The approximate share of the source at which the strategy ends.
        error: Relative error of `pages`, if the source's size is as given.
        strain: Cost of splitting, relative to the same source with long documents.
    """

    pages: dict[float, float | None]
    reach: float
    error: float
    strain: float = 1.0

    @property
    def takes_turns(self) -> bool:
        """Whether single terms are expected to take turns with a partition."""
        return self.strain > STRAINED


def partition_outlook(
    documents: float,
    abilities: Capabilities,
    words: Vocabulary = ORDINARY,
    ranking: Ranking | None = None,
) -> PageForecast:
    """Predict a partition by AND and NOT, in turns with single terms if those are cheaper.

    Args:
        documents: The source's size, >= 1.
        abilities: What the source can do; an unknown limit counts as none.
        words: The source's words.
        ranking: The order of hits, for the single terms; see `adaptive_outlook`.

    >>> able = Capabilities(limit=100, page_size=50, negation=True, counts="exact")
    >>> outlook = partition_outlook(19_000, able)
    >>> {share: round(pages) for share, pages in outlook.pages.items()}
    {0.5: 247, 0.8: 404, 0.9: 465, 0.95: 501, 0.98: 533}
    >>> titles = partition_outlook(19_000, able, Vocabulary((0.2, 0.1, 0.05, 0.03)))
    >>> titles.takes_turns, round(titles.pages[0.5] or 0), titles.pages[0.95]
    (True, 488, None)
    """
    size = abilities.page_size or 10
    length = abilities.max_terms or MAX_TERMS
    shown, whole, strain = _strained(documents, abilities, words)
    outside = words.without(length)
    # If queries are too short, V contains the cost of documents that stay hidden.
    surplus = (float(shown.of(documents, length)) - whole) * size / documents
    hidden = surplus / (LOST_PAGES - min(whole * size / documents, LOST_PAGES - 1))
    hidden += UNREACHED[0] * outside + UNREACHED[1] * (strain - 1)
    reach = max(0.0, min(PARTITION_REACH, 1 - hidden))
    kind = abilities.counts or "none"
    single = adaptive_outlook(documents, abilities, ranking).pages
    pages: dict[float, float | None] = {}
    for coverage in COVERAGES:
        spent = float(np.interp(coverage, _KNOTS, SPENT[kind])) * whole + FIRST_PAGES
        spent += float(np.interp(coverage, _KNOTS, OUTSIDE)) * sqrt(outside) * documents / size
        if words.passed_over:
            spent *= float(np.interp(coverage, _KNOTS, PASSED_OVER))
        other = single[coverage]
        if strain > STRAINED and other is not None and other < spent:
            spent = sqrt(spent * other)
        pages[coverage] = max(spent, coverage * documents / size) if coverage <= reach else None
    error = PARTITION_ERROR[kind] + STRAIN_ERROR * (1 - 1 / strain)
    error += PASSED_OVER_ERROR * bool(words.passed_over)
    error = min(error, LARGEST_ERROR)
    return PageForecast(pages, reach, error, strain)


def adaptive_outlook(
    documents: float,
    abilities: Capabilities,
    ranking: Ranking | None,
    words: Vocabulary = ORDINARY,
) -> PageForecast:
    """Predict single terms, chosen by the answers so far.

    Args:
        documents: The source's size, >= 1.
        abilities: What the source can do; an unknown limit counts as none.
        ranking: The order of hits; None (unknown) counts as "static", which costs more.
        words: The source's words.

    >>> outlook = adaptive_outlook(19_000, Capabilities(limit=100, page_size=50), "static")
    >>> {share: pages and round(pages) for share, pages in outlook.pages.items()}
    {0.5: 320, 0.8: 839, 0.9: 1379, 0.95: 1903, 0.98: None}
    """
    size = abilities.page_size or 10
    limit = max(abilities.limit or UNLIMITED * size, size)
    table = MULTIPLES[ranking or "static"]
    pages: dict[float, float | None] = {}
    for coverage in COVERAGES:
        curves = {
            k: float(np.interp(coverage, _KNOTS[: len(curve)], curve, right=np.inf))
            for k, curve in table.items()
        }
        times = float(np.interp(log(limit), [log(k) for k in curves], list(curves.values())))
        is_reached = np.isfinite(times)
        pages[coverage] = times * documents / size + FIRST_PAGES if is_reached else None
    reach = max((coverage for coverage, cost in pages.items() if cost is not None), default=0.0)
    # The strategy does not stop there at once.
    reach = min(0.97, reach + 0.02)
    if words.common:
        *_, strain = _strained(documents, abilities, words)
        reach = max(0.0, reach - UNREACHED_BY_TERMS * (strain - 1))
        pages = {each: cost if each <= reach else None for each, cost in pages.items()}
    return PageForecast(pages, reach, ADAPTIVE_ERROR)


def nearest_outlook(documents: float, abilities: Capabilities) -> PageForecast:
    """Predict a search by meaning, with texts of documents as queries.

    Rows come about as often as in random draws: a share c of the documents is held after
    N log(1 / (1 - c)) rows.

    >>> outlook = nearest_outlook(3_000, Capabilities(limit=20, page_size=20))
    >>> {share: round(pages or 0) for share, pages in outlook.pages.items()}
    {0.5: 104, 0.8: 241, 0.9: 345, 0.95: 449, 0.98: 587}
    """
    size = min(abilities.page_size or 10, abilities.limit or inf)
    pages = {each: documents / size * -log(1 - each) for each in COVERAGES}
    return PageForecast({**pages}, NEAREST_REACH, NEAREST_ERROR)


def _strained(
    documents: float, abilities: Capabilities, words: Vocabulary
) -> tuple[PageCosts, float, float]:
    """Return V bounded by the source's words, its value for the source, and the strain."""
    size = abilities.page_size or 10
    limit = max(abilities.limit or UNLIMITED * size, size)
    length = abilities.max_terms or MAX_TERMS
    most = max(length, MAX_TERMS)
    plain = _prices(limit, size, most)
    shown = _prices(limit, size, most, words.common[:length]) if words.common else plain
    whole = float(shown.of(documents, most))
    return shown, whole, whole / float(plain.of(documents, most))


@lru_cache(maxsize=8)
def _prices(limit: int, page_size: int, length: int, most: tuple[float, ...] = ()) -> PageCosts:
    return PageCosts(limit, page_size, length, TYPICAL_SAMPLE, most)
