"""Repeats of a method under the papers' rules, and what happens along one selection."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bench._frame import Cell, Report

from longline.cover import METHODS, Cover, cover
from longline.pool import TermMatrix

PUBLISHED = ("greedy", "ids", "ts-ids")
NAMES = {"greedy": "greedy", "ids": "IDS", "ts-ids": "TS-IDS"}


@dataclass(frozen=True, eq=False)
class Runs:
    """What several runs of one method came to, an entry each."""

    rates: np.ndarray
    costs: np.ndarray
    queries: np.ndarray
    seconds: float
    """Of one run, on average."""


def repeat(pool: TermMatrix, method: str, runs: int, seed: int, **settings: Any) -> Runs:
    """Run a method as published: random ties, redundant queries kept.

    Documents that the pool does not match are left out. `settings` go to `cover`.
    """
    rules = {"ties": "random", "eliminate": False, "allow_uncovered": True, **settings}
    started = time.perf_counter()
    found = [
        cover(pool.matrix, method, rng=np.random.default_rng([seed, number]), **rules)
        for number in range(1, runs + 1)
    ]
    seconds = (time.perf_counter() - started) / runs
    return Runs(
        np.array([each.overlapping_rate for each in found]),
        np.array([each.cost for each in found]),
        np.array([len(each.queries) for each in found]),
        seconds,
    )


def further_methods() -> list[str]:
    """Every method that `longline.cover` has beside the published greedies."""
    return [name for name in METHODS if name not in PUBLISHED]


@dataclass(frozen=True, eq=False)
class Steps:
    """A selection, query by query.

    Attributes:
        df: Documents that the query matches.
        new: Of those, the ones that no query before it matches.
        worth: The same, by weight.
    """

    df: np.ndarray
    new: np.ndarray
    worth: np.ndarray


def steps_of(pool: TermMatrix, queries: Sequence[int], weight: np.ndarray | None = None) -> Steps:
    """Follow a selection through the documents."""
    starts, rows = pool.matrix.indptr, pool.matrix.indices
    left = np.ones(pool.documents, dtype=bool)
    weight = np.ones(pool.documents) if weight is None else weight
    new = np.zeros(len(queries), dtype=np.int64)
    worth = np.zeros(len(queries))
    for place, query in enumerate(queries):
        matched = rows[starts[query] : starts[query + 1]]
        fresh = matched[left[matched]]
        new[place], worth[place] = len(fresh), weight[fresh].sum()
        left[fresh] = False
    return Steps(pool.df[np.asarray(queries, dtype=np.int64)], new, worth)


def smoothed(values: np.ndarray, window: int) -> np.ndarray:
    """Return the moving average over `window` values; over all where there are fewer.

    >>> smoothed(np.array([1.0, 2.0, 6.0]), 2).tolist()
    [1.5, 4.0]
    """
    window = min(window, len(values))
    return np.convolve(values, np.full(window, 1 / window), mode="valid") if window else values


def search(matrix: Any, method: str, seconds: float, seed: int, **settings: Any) -> Cover:
    """Run any method once at its best: redundant queries dropped, a search timed."""
    return cover(matrix, method, allow_uncovered=True, rng=seed, **settings)


def beyond(report: Report, name: str, sample: TermMatrix, seconds: float, seed: int) -> None:
    """Print what each method comes to at its best, and how far that is from the lower bound."""
    rows: list[list[Cell]] = []
    for method in (*PUBLISHED, *further_methods()):
        started = time.perf_counter()
        found = search(sample.matrix, method, seconds, seed)
        spent = time.perf_counter() - started
        rows.append([NAMES.get(method, method), found.overlapping_rate, len(found.queries), spent])
    report.table(
        f"{name}: redundant queries eliminated", ("method", "OR", "queries", "seconds"), rows
    )
