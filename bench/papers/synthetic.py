"""A made-up collection of any size: terms by Zipf's law, log-normal document sizes."""

import numba
import numpy as np
from scipy import sparse

LARGEST_SHARE = 0.37
"""The largest df in the papers' collection: 3722 of 10,000 documents."""

SIGMA = 0.6
"""Standard deviation of the logarithm of the document sizes."""

SLOTS = 16
"""Slots per document on average: the resolution of its share of the draws."""


def zipf_matrix(documents: int, terms: int, entries: int, seed: int) -> sparse.csc_array:
    """Draw a matrix in which term j occurs in about (terms / j)^s documents.

    The exponent s is chosen to give `entries` in total; a twelfth of them is lost to repeats within
    a document. Almost half of the terms then occur once. Long documents draw more terms, and none
    has less than a fifth of the mean size.

    Returns:
        (documents, terms), CSC, int8 ones, indices in order.
    """
    rng = np.random.default_rng(seed)
    df = _document_frequencies(documents, terms, entries)
    size = rng.lognormal(sigma=SIGMA, size=documents)
    size = np.maximum(size, size.mean() / 5)
    ends = np.cumsum(size) / size.sum()
    slots = np.searchsorted(ends, (np.arange(SLOTS * documents) + 0.5) / (SLOTS * documents))
    starts, rows = _draw(df, slots.astype(np.int32), rng)
    data = np.ones(len(rows), dtype=np.int8)
    return sparse.csc_array((data, rows, starts.astype(np.int32)), shape=(documents, terms))


def _document_frequencies(documents: int, terms: int, entries: int) -> np.ndarray:
    number = np.arange(1, terms + 1)
    low, high = 0.5, 3.0
    for _ in range(40):
        middle = (low + high) / 2
        df = np.minimum((terms / number) ** middle, LARGEST_SHARE * documents)
        low, high = (middle, high) if df.sum() < entries else (low, middle)
    return np.maximum(df, 1).astype(np.int64)


@numba.njit(cache=True)
def _draw(
    df: np.ndarray, slots: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw each term's documents in order: exponential steps, scaled to end at 1."""
    starts = np.zeros(len(df) + 1, np.int64)
    rows = np.empty(df.sum(), np.int32)
    filled = 0
    for column in range(len(df)):
        steps = rng.standard_exponential(df[column] + 1)
        scale = len(slots) / steps.sum()
        place = 0.0
        before = -1
        for step in steps[:-1]:
            place += step * scale
            row = slots[min(int(place), len(slots) - 1)]
            if row > before:
                rows[filled] = row
                filled += 1
                before = row
        starts[column + 1] = filled
    return starts, rows[:filled]
