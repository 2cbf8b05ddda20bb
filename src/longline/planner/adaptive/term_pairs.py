"""Pairs of terms, for sources with so small a limit that single terms are mostly cut.

Pairs are drawn from documents seen once, which are most like what was never seen, counted over
all seen documents, and valued like terms.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from longline.planner.adaptive.gain_kernels import Counts, Ints, Weights, compiled
from longline.planner.observed import TermStatistics

DRAWN = 1000
"""Pairs drawn at a time."""

LEAST_DF = 3
"""Pairs of fewer seen documents are not worth a query."""


class Pairs(NamedTuple):
    """Pairs of terms, and of each what `TermStatistics` has of terms.

    Attributes:
        first, second: (pairs,). Numbers of the terms.
        df, once, pages, densest, lengths, titled: (pairs,). As in `TermStatistics`.
    """

    first: Ints
    second: Ints
    df: Counts
    once: Weights
    pages: Counts
    densest: Counts
    lengths: Weights
    titled: Counts

    def pick(self, places: Ints) -> Pairs:
        """Return some of the pairs."""
        return Pairs(*(column[places] for column in self))  # type: ignore[arg-type]


def draw_pairs(seen: TermStatistics, rng: np.random.Generator) -> Pairs:
    """Draw pairs from documents seen once, those of at least `LEAST_DF` seen documents."""
    once = np.flatnonzero(seen.times == 1)
    documents = rng.choice(once if len(once) else np.arange(len(seen)), DRAWN)
    starts, cells, title_sizes = seen.starts, seen.cells, seen.title_sizes
    if seen.is_grouped:
        starts, cells, title_sizes = _different(starts, cells, title_sizes, len(seen.terms))
    first, second = _draw(documents, rng.random((DRAWN, 4)), starts, cells, seen.df)
    pairs = np.unique(np.stack([np.minimum(first, second), np.maximum(first, second)]), axis=1)
    pairs = pairs[:, pairs[0] != pairs[1]]
    postings = _invert(cells, starts, title_sizes, len(seen.terms))
    found = Pairs(
        pairs[0],
        pairs[1],
        *_count((pairs[0], pairs[1]), postings, (starts, seen.times, seen.page_of)),
    )
    return found.pick(np.flatnonzero(found.df >= LEAST_DF))


@compiled
def _draw(
    documents: Ints, chances: npt.NDArray[np.float64], starts: Ints, cells: Counts, df: Counts
) -> tuple[Ints, Ints]:
    """Of two cells at random take the commoner term, and so again for the partner."""
    drawn = np.zeros((2, len(documents)), np.int64)
    for place in range(len(documents)):
        begin, end = starts[documents[place]], starts[documents[place] + 1]
        if begin == end:
            continue
        for side in range(2):
            one = cells[begin + int(chances[place, 2 * side] * (end - begin))]
            other = cells[begin + int(chances[place, 2 * side + 1] * (end - begin))]
            drawn[side, place] = one if df[one] >= df[other] else other
    return drawn[0], drawn[1]


@compiled
def _invert(
    cells: Counts, starts: Ints, title_sizes: Counts, terms: int
) -> tuple[Ints, Counts, npt.NDArray[np.bool_]]:
    """Return each term's documents, ascending: where they start, who they are, if in the title."""
    follow = np.zeros(terms + 1, np.int64)
    for cell in cells:
        follow[cell + 1] += 1
    follow = np.cumsum(follow)
    places = follow.copy()
    postings = np.empty(len(cells), np.int32)
    in_title = np.zeros(len(cells), np.bool_)
    for document in range(len(starts) - 1):
        for cell in range(starts[document], starts[document + 1]):
            postings[places[cells[cell]]] = document
            in_title[places[cells[cell]]] = cell < starts[document] + title_sizes[document]
            places[cells[cell]] += 1
    return follow, postings, in_title


@compiled
def _count(
    pairs: tuple[Ints, Ints],
    inverted: tuple[Ints, Counts, npt.NDArray[np.bool_]],
    documents: tuple[Ints, Counts, Counts],
) -> tuple[Counts, Weights, Counts, Counts, Weights, Counts]:
    """Return df, once, pages, densest, lengths and titled of pairs; see `TermStatistics`."""
    first, second = pairs
    follow, postings, in_title = inverted
    starts, times, page_of = documents
    size = len(first)
    df, pages, densest, titled = np.zeros((4, size), np.int32)
    once, lengths = np.zeros((2, size), np.float32)
    for pair in range(size):
        one, one_end = follow[first[pair]], follow[first[pair] + 1]
        other, other_end = follow[second[pair]], follow[second[pair] + 1]
        page, on_page = -1, 0
        while one < one_end and other < other_end:
            if postings[one] < postings[other]:
                one += 1
            elif postings[one] > postings[other]:
                other += 1
            else:
                document = postings[one]
                length = max(1, starts[document + 1] - starts[document])
                df[pair] += 1
                lengths[pair] += np.log(length)
                titled[pair] += in_title[one] and in_title[other]
                if times[document] == 1:
                    once[pair] += length**-0.5
                if page_of[document] != page:  # documents are in the order of their pages
                    page, on_page = page_of[document], 0
                    pages[pair] += 1
                on_page += 1
                densest[pair] = max(densest[pair], on_page)
                one += 1
                other += 1
    return df, once, pages, densest, lengths, titled


@compiled
def _different(
    starts: Ints, cells: Counts, title_sizes: Counts, terms: int
) -> tuple[Ints, Counts, Counts]:
    """Keep each document's different terms alone; count those of its title anew."""
    kept = np.empty_like(cells)
    begins = np.zeros_like(starts)
    titles = np.zeros_like(title_sizes)
    last = np.full(terms, -1, np.int64)
    end = 0
    for document in range(len(starts) - 1):
        for place in range(starts[document], starts[document + 1]):
            if last[cells[place]] != document:
                last[cells[place]] = document
                kept[end] = cells[place]
                end += 1
                titles[document] += place < starts[document] + title_sizes[document]
        begins[document + 1] = end
    return begins, kept[:end], titles
