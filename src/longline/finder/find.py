"""Find one page of a site: everything that takes, from a query's words to the page's address."""

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

MAX_DOWNLOADS = 100
SITES_AT_ONCE = 8

SURE = 0.3
"""Least confidence at which a page counts as found."""

_HOUND = "hound"

Progress = Callable[[int, str], object]
"""Told how many pages were read by now, and the address of the newest."""

OnWait = Callable[[Wait], object]


@dataclass(frozen=True, kw_only=True)
class FindListeners:
    """Functions to call while a page is looked for.

    Attributes:
        observe: Told of every page that is read: how many were by now in its site, and where.
        on_wait: Told when the search waits, until when, and why: a site asked for that, or gives
            no good answer.
        on_end: Of several sites, told of each that is done with: its place, and what becomes of it.

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
    """How a page is looked for.

    Attributes:
        make_explorer: Given the start page's key, makes what chooses the pages.
        query: Words to choose the links by of a page that has very many.
    """

    make_explorer: Callable[[str], Explorer]
    query: Sequence[str] = ()


class Near(msgspec.Struct, frozen=True):
    """A page that may be the one looked for, and how likely it is."""

    url: str
    confidence: float


class FoundPage(msgspec.Struct, frozen=True):
    """What became of a search for one page.

    Attributes:
        found: Whether the confidence is at least .3.
        url: The page, or what comes nearest where it is not found; None where nothing does.
            In a folder it is the path there.
        confidence: 0 to 1; that it is the page, or one of `same`.
        downloads: Pages that were asked for, those that could not be had included.
        runners_up: Other pages, best first.
        same: Other pages that were read whose text is nearly the same.
        stopped: Why the search ended before its time; "" where it did not.

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
    """How a search may go about it; how the web is asked, too.

    Attributes:
        max_downloads: Pages to ask for.
        sites_at_once: Sites that are searched at the same time; those of one host never are.
        threshold: Of the papers' stop rule, 0 to 1: a larger one stops later, and 1 never; None
            is 0.75, as published.
        states: S of the learning automata, 1 or more; None is as published: 3, or 100 if twofold.
    """

    max_downloads: int = MAX_DOWNLOADS
    sites_at_once: int = SITES_AT_ONCE
    threshold: float | None = None
    states: int | None = None


def algorithms() -> list[str]:
    """Return the names of the algorithms that can search a site not known before."""
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
    """Find the page of a site that a few words describe, by downloading few others.

    Args:
        site: URL of the page to begin at, or a folder of HTML files, or one of them.
        query: Words that the page should have in its title, in links to it, or in its text;
            or a kind of page, learned from examples by `wanted`.
        algorithm: One of `algorithms()`; for a kind there is the hound alone.
        limits: Of downloads and of manners.
        seed: Seed of what an algorithm draws at random.
        listeners: Functions to call as it goes on.

    Returns:
        The page and how likely it is the right one; a low confidence means "not found".

    Raises:
        InputError: The query has no words, there is no such algorithm or folder, or robots.txt
            or the guard refuses the start page.
        SourceError: The start page does not come, is no HTML, or leads to no other page.
    """
    limits.check()
    way = _way(query, algorithm, limits, seed)
    return await search(site, way, limits=limits, seed=seed, listeners=listeners)


def _check_told(algorithm: str, limits: FindLimits) -> None:
    """Refuse what an algorithm would not heed, and what means nothing."""
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
    """Return how a query is looked for."""
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
        sites: As `find_page` takes one.
        query: As for `find_page`.
        algorithm: As for `find_page`.
        limits: Of each site.
        seed: Seed of what an algorithm draws at random.
        listeners: Functions to call as it goes on.

    Returns:
        In the sites' order: what was found, or why a site could not be searched.

    Raises:
        InputError: The query has no words, or there is no such algorithm.
    """
    limits.check()
    way = _way(query, algorithm, limits, seed)
    slots = asyncio.Semaphore(limits.sites_at_once)
    # The pace is kept for each search, so that two on one host would be twice as fast.
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
    """Let an explorer search a site.

    Args:
        site: As for `find_page`.
        way: What is looked for, and how.
        limits: The explorer keeps to `max_downloads` itself.
        seed: Seed of the random waits between tries.
        listeners: Functions to call as it goes on.

    Raises:
        InputError, SourceError: As `find_page`.
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
    spent = f"all {limits.max_downloads:,} pages that may be read are read; allow more"
    return msgspec.structs.replace(found, stopped=spent)


def query_words(query: str | Sequence[str]) -> tuple[str, ...]:
    """Return the words of a query as they are looked for.

    Raises:
        InputError: It has none but stop words.

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
    """Return what fetches the pages of a site, and the address of its start page."""
    if not site.lower().startswith(("http://", "https://")):
        folder, start = start_page(Path(site))
        return FolderFetcher(folder), start
    fetcher = WebFetcher(np.random.default_rng(seed), limits.of(site), hooks=Hooks(on_wait=on_wait))
    return fetcher, site


def _found(answer: Answer, finder: Finder, stopped: str = "") -> FoundPage:
    """Return an answer with addresses for keys; what stopped short has found nothing."""
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
