"""Options of a harvest: settings for its lifetime, limits for a run."""

from collections.abc import Sequence

import msgspec
import numpy as np

from longline.covering import Breeding
from longline.errors import InputError, option
from longline.fetch import Manners
from longline.planner.capabilities import Capabilities
from longline.planner.strategies import OF_SOME, Options, check_taken, make_planner
from longline.source import Spec, facets_of
from longline.text.safe import in_plain


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings that decide which queries are sent; fixed for the lifetime of a harvest.

    Attributes:
        strategy: A name of `longline.strategies()`.
        seed: Seed of the random numbers: the same seed gives the same run.
        sample: Documents to read before queries are chosen.
        cost: Cost of a query: "df", or "df+A" with an overhead A for the query itself.
        pool_relative_size: Choose among random words whose total matches are this many times the
            sample; None takes every word.
        rounds: Maximum rounds of choosing and sending queries; None while it is worth it.
        words: A dictionary of the source's language; None takes the strategy's own. For the
            strategy "list" its queries, in order.
        df_estimator: How the papers' strategies estimate a word's documents in the entire source;
            None is as published.
        generations, population, mutation: For the strategy "genetic": generations per choice (500
            as published), maximum number of covers per generation, and the share of a cover's
            queries that a mutation replaces.
        listing_only: Keep titles and snippets from result pages; open no document page.

    Example:
        >>> import longline
        >>> longline.Settings(strategy="ts-ids", sample=200).cost
        'df+30'
    """

    strategy: str = "auto"
    seed: int = 0
    sample: int = 1000
    cost: str = "df+30"
    pool_relative_size: float | None = None
    rounds: int | None = None
    words: tuple[str, ...] | None = None
    listing_only: bool = False
    df_estimator: str | None = None
    generations: int = 50
    population: int = 300
    mutation: float = 0.03


class Limits(Manners, frozen=True, kw_only=True):
    """Limits that may differ between runs of a harvest, including the fetcher's options.

    Attributes:
        max_requests: HTTP requests of the entire harvest, including earlier runs.
        max_queries: Different queries of the entire harvest, including probes.
        max_documents: Documents to hold.
        max_bytes: Bytes of all answers of the harvest; answers in progress when it is reached are
            read to their end.
        max_time: Seconds of this run, including finding and learning its source; after them no
            request is started.
        max_requests_per_day: From midnight to midnight, UTC, including earlier runs.
        daily_reserve: Leave this many of the day's requests unused.
        target_coverage: Stop when this share of the source is held: by `size`, or by the low end of
            the interval from probes.
        min_return: Stop when the last 100 requests brought fewer new documents each.
        size: Documents behind the search box, if known; stored for later runs.
        size_source: Who knows it, for the certificate.
        attachments: Keep the files that documents are or link to, such as PDF; stored for later
            runs and updates. None is as stored, or False.
        estimate: Send probes to estimate the size; stored for later runs. None is as stored, or
            True unless the size is known, only listings are read, or the strategy is "list".
        keep_answers: Maximum number of failed or cut result pages to store as received; the newest
            are kept. 0 stores none, so that faults cannot be examined later.
        warc: Store requests and answers as sent; stored for later runs, like `attachments`.

    Example:
        >>> import longline
        >>> longline.Limits(max_requests=2500, target_coverage=0.95).rate is None
        True
    """

    max_requests: int | None = None
    max_queries: int | None = None
    max_documents: int | None = None
    max_bytes: int | None = None
    max_time: float | None = msgspec.field(default=None, name="max_seconds")
    max_requests_per_day: int | None = None
    daily_reserve: int = 0
    target_coverage: float | None = None
    min_return: float | None = None
    size: int | None = None
    size_source: str = "given by the user"
    estimate: bool | None = None
    keep_answers: int = 1_000
    warc: bool | None = None
    attachments: bool | None = None


LEAST = {
    "seed": 0,
    "sample": 1,
    "pool_relative_size": 1,
    "rounds": 1,
    "generations": 0,
    "population": 1,
    "mutation": 0,
}
"""Minimum values of numbers among the settings."""


def check_settings(settings: Settings) -> None:
    """Check settings before any request is sent.

    Raises:
        InputError: A value has the wrong type or is out of range; the message names it.
        UnknownNameError: No strategy has this name.
    """
    try:
        msgspec.convert(msgspec.structs.asdict(settings), Settings)
    except msgspec.ValidationError as error:
        told = in_plain(str(error)).replace("`$.", "`")
        raise InputError(f"a setting is wrong: {told}", advice="correct it") from None
    for name, least in LEAST.items():
        value = getattr(settings, name)
        if value is not None and not value >= least:
            raise InputError(f"{option(name)} is {value}", advice=f"give {least} or more")
    if settings.mutation > 1:
        raise InputError(f"{option('mutation')} is {settings.mutation}", advice="give 1 or less")
    make_planner(settings.strategy, options_of(settings), np.random.default_rng())


def check_are_used(settings: Settings, strategies: Sequence[str]) -> None:
    """Check that one of some strategies uses each option that is set.

    It is for options that are given now: a harvest that was begun with others still continues.

    Raises:
        InputError: None uses one; the message names it.
    """
    usual = Settings()
    given = [each for each in OF_SOME if getattr(settings, each) != getattr(usual, each)]
    check_taken(given, strategies)


def check_files_wanted(settings: Settings, limits: Limits) -> None:
    """Check that a harvest which opens no document's page is not to save files.

    Raises:
        InputError: It is.
    """
    if settings.listing_only and limits.attachments:
        raise InputError(
            f"{option('listing_only=True')} opens no pages, so there are no files to save",
            advice=f"leave out {option('attachments=True')}",
        )


def check_target(limits: Limits) -> None:
    """Check that a new harvest can tell if it reaches its target coverage.

    Raises:
        InputError: The number of documents is not given, and not to be estimated.
    """
    if limits.target_coverage and limits.size is None and limits.estimate is False:
        raise InputError(
            "a target coverage needs the number of documents",
            advice=f"give {option('size')}, or {option('estimate=True')}",
        )


def check_limits(limits: Limits) -> None:
    """Check limits.

    Raises:
        InputError: A number is out of range; the message has its name and value.
    """
    limits.check()
    if limits.keep_answers < 0:
        raise InputError(
            f"{option('keep_answers')} is {limits.keep_answers}", advice="give 0 or more"
        )
    target = limits.target_coverage
    if target is not None and not 0 < target <= 1:
        raise InputError(
            f"{option('target_coverage')} is {target}, which is not a share",
            advice="give a number like .95",
        )
    per_day = limits.max_requests_per_day
    if limits.daily_reserve < 0 or limits.daily_reserve >= (per_day or 1):
        raise InputError(
            f"the daily reserve is {limits.daily_reserve} of {per_day or 'no'} requests a day",
            advice=f"give less than {option('max_requests_per_day')}",
        )


def abilities_of(spec: Spec) -> Capabilities:
    """Return a source's capabilities, as far as its spec gives them."""
    relation, dialect = spec.results.total_relation, spec.ask.dialect
    return Capabilities(
        limit=spec.ask.limit,
        page_size=spec.ask.page_size,
        negation=bool(dialect.not_),
        # "a NOT b" may need its first term.
        excludes_alone=dialect.all is not None or dialect.not_.startswith("-"),
        disjunction=bool(dialect.or_),
        max_terms=dialect.max_terms,
        lists_all=dialect.all is not None or not spec.ask.takes_words,
        facets=facets_of(spec),
        by_meaning=spec.ask.ranking == "meaning",
        forms=dialect.forms,
        counts=None if relation is None else "exact" if relation == "exact" else "about",
        matches=spec.ask.matches if spec.ask.takes_words else "nothing",
    )


def options_of(settings: Settings, spec: Spec | None = None, size: int | None = None) -> Options:
    """Return a strategy's options for a source of `size` documents, None if unknown."""
    return Options(
        sample=settings.sample,
        cost=settings.cost,
        pool_relative_size=settings.pool_relative_size,
        rounds=settings.rounds,
        words=settings.words,
        queries=settings.words or (),
        known=() if spec is None else spec.ask.words,
        size=size,
        abilities=Capabilities() if spec is None else abilities_of(spec),
        df_estimator=settings.df_estimator,
        generations=settings.generations,
        breeding=Breeding(settings.population, settings.mutation),
    )
