"""Find one page of a site, from a query's words to the page's URL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
import numpy as np

from longline.engine import Engine, PageClient
from longline.errors import InputError, LonglineError, UnknownNameError, option
from longline.fetch import (
    FolderFetcher,
    Hooks,
    Manners,
    VeiledFetcher,
    Wait,
    WebFetcher,
)
from longline.fetch.folder import path_of, start_page
from longline.known_item.algorithms import ALGORITHMS, READS_BY_AUTOMATON, STOPS_BY_SHARE
from longline.known_item.algorithms import Options as Algorithm
from longline.known_item.best_first import Kind, KindExplorer
from longline.known_item.explorer import Answer, Explorer
from longline.known_item.finder import Finder
from longline.known_item.pages import words
from longline.ledger import Ledger
from longline.logs import about
from longline.ports import Fetcher
from longline.store import MemoryStore
from longline.text.numbers import counted

MAX_DOWNLOADS = 100
SITES_AT_ONCE = 8

SURE = 0.5
"""Minimum confidence at which a page counts as found: it is more likely right than not."""

_HOUND = "hound"

Progress = Callable[[int, str], object]
"""Called with the number of pages read so far, and the URL of the newest."""

OnWait = Callable[[Wait], object]


@dataclass(frozen=True, kw_only=True)
class FindListeners:
    """Functions to call during a search for a page.

    Attributes:
        observe: Called for every page read, with the number of pages read in its site and its URL.
        on_wait: Called when the search waits, with the end and the reason: the site requested it,
            or gives no good answers.
        on_end: Called for each of several sites when it is done, with its index and its outcome.

    Example:
        >>> import longline
        >>> _ = (folder / "index.html").write_text('<a href="hours.html">Opening hours</a>')
        >>> _ = (folder / "hours.html").write_text("<title>Opening hours</title><p>9 to 5")
        >>> read = []
        >>> listeners = longline.FindListeners(observe=lambda number, url: read.append(url))
        >>> found = longline.find(folder, "opening hours", listeners=listeners)
        >>> len(read) == found.downloads
        True
    """

    observe: Progress = lambda pages, url: None
    on_wait: OnWait = lambda wait: None
    on_end: Callable[[int, FoundPage | LonglineError], object] = lambda place, outcome: None


class Way(NamedTuple):
    """How to look for a page.

    Attributes:
        make_explorer: Takes the start page's key, returns the explorer that chooses the pages.
        query: Words to select links by if a page has very many.
    """

    make_explorer: Callable[[str], Explorer]
    query: Sequence[str] = ()


class Near(msgspec.Struct, frozen=True):
    """A page that may be the right one, and how likely it is."""

    url: str
    confidence: float


class FoundPage(msgspec.Struct, frozen=True):
    """The outcome of a search for one page.

    Attributes:
        found: Whether the confidence is at least .5.
        url: The page, or the most likely one if it is not found; None if there is none. In a
            folder, this is the path inside it.
        confidence: 0 to 1; the probability that it, or one of `same`, is the right page.
        downloads: Pages requested, including failed ones.
        runners_up: Other pages, best first.
        same: Other pages read whose text is nearly the same.
        stopped: Why the search stopped early; "" if it did not.

    Example:
        >>> import longline
        >>> _ = (folder / "index.html").write_text('<a href="hours.html">Opening hours</a>')
        >>> _ = (folder / "hours.html").write_text("<title>Opening hours</title><p>9 to 5")
        >>> found = longline.find(folder, "opening hours")
        >>> found.url, found.downloads
        ('hours.html', 2)
    """

    found: bool
    url: str | None
    confidence: float
    downloads: int
    runners_up: tuple[Near, ...] = ()
    same: tuple[str, ...] = ()
    stopped: str = ""


class FindLimits(Manners, frozen=True, kw_only=True):
    """Limits of a search, and how the web is requested.

    Attributes:
        max_downloads: Maximum number of pages to request.
        sites_at_once: How many sites are searched at the same time; never two on one host.
        threshold: Threshold of the papers' stop rule, 0 to 1: a larger one stops later, and 1
            never; None is 0.75, as published.
        states: S of the learning automata, 1 or more; None is as published: 3, or 100 if twofold.
    """

    max_downloads: int = MAX_DOWNLOADS
    sites_at_once: int = SITES_AT_ONCE
    threshold: float | None = None
    states: int | None = None


def algorithms() -> list[str]:
    """Return the names of the algorithms that can search an unknown site."""
    return list(ALGORITHMS)


async def find_page(
    site: str,
    query: str | Sequence[str] | Kind,
    *,
    algorithm: str = _HOUND,
    limits: FindLimits,
    seed: int = 0,
    listeners: FindListeners = FindListeners(),
) -> FoundPage:
    """Find the page of a site that a few words describe, with few downloads.

    Args:
        site: URL of the start page, or a folder of HTML files, or one of them.
        query: Words that the page should have in its title, in links to it, or in its text;
            or a kind of page, learned from examples by `wanted`.
        algorithm: One of `algorithms()`; for a kind, only the hound.
        limits: Limits of downloads, and how the web is requested.
        seed: Seed of an algorithm's random choices.
        listeners: Functions to call during the search.

    Returns:
        The page and how likely it is the right one; a low confidence means "not found".

    Raises:
        InputError: The query has no words, the algorithm or folder does not exist, or robots.txt
            or the guard refuses the start page.
        SourceError: The start page cannot be fetched, is not HTML, or links no other page.
    """
    limits.check()
    way = _way(query, algorithm, limits, seed)
    return await search(site, way, limits=limits, seed=seed, listeners=listeners)


def _check_told(algorithm: str, limits: FindLimits) -> None:
    """Reject options that the algorithm would ignore, and values out of range."""
    for name, heeds, least, most in (
        ("threshold", STOPS_BY_SHARE, 0, 1),
        ("states", READS_BY_AUTOMATON, 1, inf),
    ):
        value = getattr(limits, name)
        if value is None:
            continue
        if algorithm not in heeds:
            raise InputError(
                f"{algorithm} has no {name}",
                advice=f"leave out {option(name)}, or take one of {', '.join(sorted(heeds))}",
            )
        if not least <= value <= most:
            bounds = f"{least} or more" if most == inf else f"a number from {least} to {most}"
            raise InputError(f"{option(name)} is {value}", advice=f"give {bounds}")


def _way(query: str | Sequence[str] | Kind, algorithm: str, limits: FindLimits, seed: int) -> Way:
    """Return how to look for a query."""
    if algorithm not in algorithms():
        raise UnknownNameError("algorithm", algorithm, algorithms())
    _check_told(algorithm, limits)
    budget = limits.max_downloads
    if isinstance(query, Kind):
        if algorithm != _HOUND:
            raise InputError(
                f"{algorithm} cannot learn from examples",
                advice=f"give words, or use {option('algorithm')} hound",
            )
        kind = query
        return Way(lambda start: KindExplorer(kind, start, budget=budget), kind.words)
    asked = query_words(query)
    make = ALGORITHMS[algorithm]
    rng = np.random.default_rng
    told = Algorithm("", states=limits.states, budget=budget)
    if limits.threshold is not None:
        told = replace(told, threshold=limits.threshold)
    return Way(lambda start: make(replace(told, start=start), asked, rng(seed)), asked)


async def find_in_sites(
    sites: Sequence[str],
    query: str | Sequence[str] | Kind,
    *,
    algorithm: str = _HOUND,
    limits: FindLimits,
    seed: int = 0,
    listeners: FindListeners = FindListeners(),
) -> list[FoundPage | LonglineError]:
    """Find the same page in many sites, some of them at once, each at its own pace.

    Args:
        sites: Each as in `find_page`.
        query: As for `find_page`.
        algorithm: As for `find_page`.
        limits: Limits for each site.
        seed: Seed of an algorithm's random choices.
        listeners: Functions to call during the search.

    Returns:
        In the sites' order: what was found, or why a site could not be searched.

    Raises:
        InputError: The query has no words, or the algorithm does not exist.
    """
    limits.check()
    way = _way(query, algorithm, limits, seed)
    slots = asyncio.Semaphore(limits.sites_at_once)
    # Each search keeps its own pace, so that two on one host would be twice as fast.
    hosts = {_host(site): asyncio.Lock() for site in sites}

    async def find(place: int, site: str) -> FoundPage | LonglineError:
        outcome: FoundPage | LonglineError
        async with hosts[_host(site)], slots:
            try:
                outcome = await search(site, way, limits=limits, seed=seed, listeners=listeners)
            except LonglineError as error:
                outcome = error
        listeners.on_end(place, outcome)
        return outcome

    return await asyncio.gather(*(find(place, site) for place, site in enumerate(sites)))


async def search(
    site: str,
    way: Way,
    *,
    limits: FindLimits,
    seed: int = 0,
    listeners: FindListeners = FindListeners(),
) -> FoundPage:
    """Search a site with an explorer.

    Args:
        site: As for `find_page`.
        way: What to look for, and how.
        limits: The explorer itself keeps to `max_downloads`.
        seed: Seed of the random waits between retries.
        listeners: Functions to call during the search.

    Raises:
        InputError, SourceError: As for `find_page`.
    """
    fetcher, start = reach(site, limits, seed, listeners.on_wait)
    finder = Finder(
        start,
        way.make_explorer,
        query=way.query,
        observe=lambda page: listeners.observe(finder.read, _shown(page.address)),
    )
    engine = Engine(finder, PageClient(VeiledFetcher(fetcher)), MemoryStore(), Ledger())
    try:
        with about(site):
            stopped = await engine.run()
    finally:
        await fetcher.close()
    if finder.trouble is not None:
        raise finder.trouble
    if finder.answer is None:
        return _found(finder.give_up(), finder, stopped.reason)
    found = _found(finder.answer, finder)
    if found.found or found.downloads < limits.max_downloads:
        return found
    read = counted(limits.max_downloads, "page was", "pages were")
    spent = f"{read} read, as many as may be; allow more"
    return msgspec.structs.replace(found, stopped=spent)


def query_words(query: str | Sequence[str]) -> tuple[str, ...]:
    """Return the words of a query as they are looked for.

    Raises:
        InputError: It has only stop words.

    >>> query_words("The opening hours of libraries")
    ('opening', 'hour', 'library')
    """
    text = query if isinstance(query, str) else " ".join(query)
    found = tuple(dict.fromkeys(words(text, parts=False)))
    if not found:
        raise InputError(
            f"{text!r} has no word to look for",
            advice="give words that say what the page is about",
        )
    return found


def reach(
    site: str, limits: FindLimits, seed: int, on_wait: OnWait = lambda wait: None
) -> tuple[Fetcher, str]:
    """Return the fetcher for the pages of a site, and the URL of its start page."""
    if not site.lower().startswith(("http://", "https://")):
        folder, start = start_page(Path(site))
        return FolderFetcher(folder), start
    fetcher = WebFetcher(np.random.default_rng(seed), limits.of(site), hooks=Hooks(on_wait=on_wait))
    return fetcher, site


def _found(answer: Answer, finder: Finder, stopped: str = "") -> FoundPage:
    """Return an answer with URLs instead of keys; a search that stopped early found nothing."""
    if answer.key is None:
        return FoundPage(
            found=False, url=None, confidence=0.0, downloads=finder.asked, stopped=stopped
        )
    same = finder.same_as(answer.key)
    confidence = answer.confidence + sum(sure for key, sure in answer.runners_up if key in same)
    others = ((key, sure) for key, sure in answer.runners_up if key not in same)
    return FoundPage(
        found=confidence >= SURE and not stopped,
        url=_shown(finder.url(answer.key)),
        confidence=confidence,
        downloads=finder.asked,
        runners_up=tuple(Near(_shown(finder.url(key)), sure) for key, sure in others),
        same=tuple(_shown(finder.url(key)) for key in same),
        stopped=stopped,
    )


def _host(site: str) -> str:
    try:
        return urlsplit(site).hostname or site
    except ValueError:
        return site


def _shown(url: str) -> str:
    return path_of(url) if url.startswith("file:") else url
