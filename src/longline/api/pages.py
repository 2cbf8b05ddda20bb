"""Find one page of a site, or the same page in many sites."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from typing import Unpack

from longline.api.options import FindOptions, check_names, made
from longline.blocking import in_sync
from longline.errors import InputError, LonglineError
from longline.finder import FindLimits, FindListeners, FoundPage, find_page, wanted
from longline.finder import find_in_sites as find_in_each


async def find_async(
    site: str | PathLike[str],
    query: str | Sequence[str] = (),
    *,
    like: Sequence[str] = (),
    algorithm: str = "hound",
    seed: int = 0,
    listeners: FindListeners = FindListeners(),
    **options: Unpack[FindOptions],
) -> FoundPage:
    """Find the page of a site that a few words describe, while reading few other pages.

    Args:
        site: URL of the page to start at, or a folder of HTML files, or one of them.
        query: Words that describe the page; usually 2 to 5.
        like: Instead of words: example pages of the same kind, on other sites.
        algorithm: How the next page to read is chosen.
        seed: Seed for an algorithm's random draws.
        listeners: Functions to call while it runs.
        **options: What it may cost, and how requests are sent.

    Returns:
        The page, and how likely it is the right one; `found` is False if that is too unlikely.

    Raises:
        InputError: Give either words or examples; or the algorithm or the folder does not exist.
        SourceError: The start page cannot be loaded, or has no links to follow.

    Example:
        >>> import longline
        >>> _ = (folder / "index.html").write_text('<a href="hours.html">Opening hours</a>')
        >>> _ = (folder / "hours.html").write_text("<title>Opening hours</title><p>9 to 5")
        >>> longline.find(folder, "opening hours").found
        True
    """
    check_names("find", options, FindOptions)
    limits = made(FindLimits, options)
    target = await wanted(query, like, algorithm, limits, seed)
    return await find_page(
        fspath(site), target, algorithm=algorithm, limits=limits, seed=seed, listeners=listeners
    )


async def find_in_sites_async(
    sites: Sequence[str | PathLike[str]],
    query: str | Sequence[str] = (),
    *,
    like: Sequence[str] = (),
    algorithm: str = "hound",
    seed: int = 0,
    listeners: FindListeners = FindListeners(),
    **options: Unpack[FindOptions],
) -> list[FoundPage | LonglineError]:
    """Find the same page in many sites, several at a time, each at its own pace.

    Args:
        sites: The sites, each as in `find`.
        query: As for `find`.
        like: As for `find`.
        algorithm: As for `find`.
        seed: As for `find`.
        listeners: As for `find`.
        **options: As for `find`.

    Returns:
        In the sites' order: the page found, or why a site could not be searched.

    Raises:
        InputError: As for `find`, unless it concerns a single site.

    Example:
        >>> import longline
        >>> _ = (folder / "index.html").write_text('<a href="hours.html">Opening hours</a>')
        >>> _ = (folder / "hours.html").write_text("<title>Opening hours</title><p>9 to 5")
        >>> [each.found for each in longline.find_in_sites([folder], "opening hours")]
        [True]
    """
    check_names("find_in_sites", options, FindOptions)
    limits = made(FindLimits, options)
    if isinstance(sites, str | PathLike):
        raise InputError(f"{sites} is one site", advice="give sites in a list, or call find")
    target = await wanted(query, like, algorithm, limits, seed)
    return await find_in_each(
        [fspath(site) for site in sites],
        target,
        algorithm=algorithm,
        limits=limits,
        seed=seed,
        listeners=listeners,
    )


find = in_sync(find_async)
find_in_sites = in_sync(find_in_sites_async)
