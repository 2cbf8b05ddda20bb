"""Repeat a method under the papers' rules, and follow a selection step by step.

Seconds are CPU seconds, so that other work on the machine does not count.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bench.frame import Cell, Report

from longline.covering import METHODS, Cover, NotProvenError, cover, lower_bound
from longline.pool import TermMatrix

PUBLISHED = ("greedy", "ids", "ts-ids")
NAMES = {"greedy": "greedy", "ids": "IDS", "ts-ids": "TS-IDS"}


@dataclass(frozen=True, eq=False)
class Runs:
    """The results of several runs of one method, one entry per run."""

    rates: np.ndarray
    costs: np.ndarray
    queries: np.ndarray
    seconds: float
    """Mean seconds of one run."""


def repeat(pool: TermMatrix, method: str, runs: int, seed: int, **settings: Any) -> Runs:
    """Run a method as published: random ties, redundant queries kept.

    Documents that the pool does not match are left out. `settings` are passed to `cover`.
    """
    rules = {"ties": "random", "eliminate": False, "allow_uncovered": True, **settings}
    started = time.process_time()
    found = [
        cover(pool.matrix, method, rng=np.random.default_rng([seed, number]), **rules)
        for number in range(1, runs + 1)
    ]
    seconds = (time.process_time() - started) / runs
    return Runs(
        np.array([each.overlapping_rate for each in found]),
        np.array([each.cost for each in found]),
        np.array([len(each.queries) for each in found]),
        seconds,
    )


SMALL = 1000
"""Up to this many documents, the exact and the genetic method finish within seconds."""


def further_methods(documents: int) -> list[str]:
    """Return methods of `longline.cover`, except the published greedies, that suit the size."""
    too_slow = () if documents <= SMALL else ("exact", "genetic")
    return [name for name in METHODS if name not in PUBLISHED and name not in too_slow]


@dataclass(frozen=True, eq=False)
class Steps:
    """A selection, query by query.

    Attributes:
        df: Number of documents that the query matches.
        new: How many of these no earlier query matches.
        worth: The same, weighted.
    """

    df: np.ndarray
    new: np.ndarray
    worth: np.ndarray


def steps_of(pool: TermMatrix, queries: Sequence[int], weight: np.ndarray | None = None) -> Steps:
    """Return the steps of a selection."""
    starts, rows = pool.matrix.starts, pool.matrix.rows
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
    """Return the moving average over `window` values, or over all if there are fewer.

    >>> smoothed(np.array([1.0, 2.0, 6.0]), 2).tolist()
    [1.5, 4.0]
    """
    window = min(window, len(values))
    return np.convolve(values, np.full(window, 1 / window), mode="valid") if window else values


def search(
    matrix: Any, method: str, seconds: float, seed: int, cost: Any = "df"
) -> tuple[Cover | None, float]:
    """Run any method once with its best settings: a timed search, redundant queries dropped.

    Returns:
        The cover, or None if "exact" proves no optimum in time; and the seconds it took.
    """
    started = time.process_time()
    try:
        found = cover(
            matrix,
            method,
            cost=cost,
            allow_uncovered=True,
            rng=seed,
            time_limit_seconds=seconds,
            clock=time.process_time,
        )
    except NotProvenError:
        found = None
    return found, time.process_time() - started


def beyond(report: Report, name: str, pool: TermMatrix, seconds: float, seed: int) -> None:
    """Print each method's best result, and its distance from the lower bound."""
    started = time.process_time()
    bound = lower_bound(pool.matrix, "df").value
    bound_seconds = time.process_time() - started
    covered = pool.documents - len(pool.left_out())
    rows: list[list[Cell]] = []
    for method in (*PUBLISHED, *further_methods(pool.documents)):
        found, spent = search(pool.matrix, method, seconds, seed)
        row: list[Cell] = [NAMES.get(method, method)]
        if found is None:
            row += [None, "not proven", None]
        else:
            row += [found.overlapping_rate, f"{found.cost / bound - 1:.1%}", len(found.queries)]
        rows.append([*row, spent])
    rows.append(["lower bound", bound / covered, None, None, bound_seconds])
    report.table(
        f"{name}: every method, redundant queries eliminated",
        ("method", "OR", "above the bound", "queries", "seconds"),
        rows,
    )
