"""The options of the package's functions, by name and type; those of the structs behind them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any, TypedDict, TypeVar

import msgspec

Kind = TypeVar("Kind", bound=msgspec.Struct)


class WebOptions(TypedDict, total=False):
    """How a site is asked; `fetch.Manners` says what each means."""

    user_agent: str
    allow_private: bool
    robots: bool
    rate: float | None
    retries: int
    wait_seconds: float
    max_wait: float
    timeout: float
    deadline: float | None
    max_body_bytes: int
    max_redirects: int
    concurrency: int
    headers: dict[str, str]
    cookies: str
    proxy: str
    contact: str
    origins: tuple[str, ...]


class LearningOptions(WebOptions, total=False):
    """How a source is learnt; `learn.LearnOptions` says what the first ones mean.

    Attributes:
        learnt: Folder that keeps what is learnt of an address for a week, for the next plan or
            harvest of it; "" keeps nothing.
    """

    post: bool
    browser: bool | None
    learnt: str


class HarvestOptions(WebOptions, total=False):
    """What a harvest may cost, and how its searches are chosen.

    `harvester.Limits` and `harvester.Settings` say what each means; the latter are fixed by the
    first run.
    """

    max_requests: int | None
    max_queries: int | None
    max_documents: int | None
    max_bytes: int | None
    max_time: float | None
    max_requests_per_day: int | None
    daily_reserve: int
    target_coverage: float | None
    min_return: float | None
    size: int | None
    size_source: str
    estimate: bool | None
    keep_answers: int
    warc: bool | None
    strategy: str
    seed: int
    sample: int
    cost: str
    pool_relative_size: float | None
    rounds: int | None
    words: tuple[str, ...] | None
    listing_only: bool
    df_estimator: str | None
    generations: int
    population: int
    mutation: float
    attachments: bool | None


class NewHarvestOptions(HarvestOptions, LearningOptions, total=False):
    """And how its source is learnt, and where its journal is.

    Attributes:
        learn_again: Use nothing that was learnt before.
        database: URL of a PostgreSQL database, in place of `harvest.db` in the folder.
    """

    learn_again: bool
    database: str | None


class UpdateHarvestOptions(HarvestOptions, total=False):
    """How an update looks for what is new; see `updates.UpdateOptions`."""

    only_new: bool
    anew: bool
    reread: float
    accept_gone: bool
    finish: bool


class PlanOptions(WebOptions, total=False):
    """What a plan may cost; see `forecast.PlanLimits`."""

    max_requests: int


class NewPlanOptions(PlanOptions, LearningOptions, total=False):
    """And how its source is learnt.

    Attributes:
        learn_again: Use nothing that was learnt before.
    """

    words: tuple[str, ...]
    learn_again: bool


class FindOptions(WebOptions, total=False):
    """What a search for one page may cost; see `finder.FindLimits`."""

    max_downloads: int
    sites_at_once: int
    threshold: float | None
    states: int | None


def check_names(function: str, given: Mapping[str, Any], known: type) -> None:
    """Refuse an option that a function does not have, and name the nearest.

    Raises:
        TypeError: As for any argument that is not known.

    >>> check_names("plan", {"max_request": 5}, PlanOptions)
    Traceback (most recent call last):
        ...
    TypeError: plan() has no option 'max_request'; did you mean max_requests?
    """
    names = known.__annotations__
    for name in given:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; it has: {', '.join(names)}"
            raise TypeError(f"{function}() has no option {name!r}{hint}")


def made(kind: type[Kind], given: Mapping[str, Any]) -> Kind:
    """Return a struct of those options that are its fields."""
    return kind(**{name: given[name] for name in kind.__struct_fields__ if name in given})
