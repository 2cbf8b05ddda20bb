"""Learn how a source is searched, and what harvesting it would cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

import msgspec

from longline.api.opened import Harvest
from longline.api.options import LearningOptions, NewPlanOptions, check_names, made, path_of
from longline.blocking import in_sync
from longline.discovery.presets import presets as known_presets
from longline.errors import InputError
from longline.fetch import Manners
from longline.files import check_is_free
from longline.forecast import Plan, PlanLimits
from longline.forecast import plan as make_plan
from longline.harvester import is_harvest
from longline.learn import (
    Found,
    Learner,
    LearnOptions,
    Listeners,
    Memory,
    find_on_site,
    find_spec,
    keep,
    spec_in,
)
from longline.learn import relearn as learn_anew
from longline.outcomes import Ending
from longline.pool import Analyzer
from longline.source import Spec
from longline.source import read_spec as read_text_of
from longline.text.seed_words import frequent

LOOKED_AT, WORDS = 200, 100
"""How many documents of a harvest a plan takes words from, and how many words."""


class DiscoverOptions(LearningOptions, total=False):
    """How a search interface is learnt; `learn.LearnOptions` explains each option."""

    max_requests: int | None
    words: tuple[str, ...]


def read_spec(source: str | PathLike[str]) -> Spec:
    """Read and check a source spec.

    Args:
        source: Its file; or its text, if that has several lines.

    Raises:
        NoSuchFileError: The file does not exist.
        SpecFileError: It is not TOML, a key is unknown, missing or of the wrong type, a selector
            does not compile, or it contradicts itself.
        TypeError: `source` is neither a path nor text.

    Example:
        >>> import longline
        >>> text = '''
        ... [source]
        ... name = "shop"
        ... url = "https://shop.example/"
        ... [ask]
        ... url = "https://shop.example/search?q={query}"
        ... [results]
        ... hit = "css:li"
        ... link = "a"
        ... '''
        >>> longline.read_spec(text).results.hit
        'css:li'
        >>> written = (folder / "source.toml").write_text(text)
        >>> longline.read_spec(folder / "source.toml") == longline.read_spec(text)
        True
    """
    if isinstance(source, str) and "\n" in source:
        return read_text_of(source)
    if not isinstance(source, str | PathLike):
        raise TypeError(f"read_spec() takes a path or the text of a spec, not {source!r}")
    return spec_in(str(source))


async def discover_async(
    url: str, *, listeners: Listeners = Listeners(), **options: Unpack[DiscoverOptions]
) -> Found:
    """Learn how a site is searched.

    Args:
        url: A page with the search form, a page that links to it, or the URL of a result page.
        listeners: Functions to call while it runs.
        **options: How it is learnt and how requests are sent, e.g. `words=("fish", "bird")`.

    Returns:
        The spec, its text with a note on every line, and what a person should check. `save` writes
        it as a file.

    Raises:
        InputError: There is no search to learn, or the site must not be requested.
        SourceError: The page itself cannot be loaded.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     learnt = longline.discover(url, allow_private=True)
        >>> learnt.spec.ask.limit, learnt.review
        (100, ())
        >>> learnt.save(folder / "source.toml")
    """
    check_names("discover", options, DiscoverOptions)
    manners = made(Manners, options)
    manners.check()
    most = options.get("max_requests")
    how = replace(learning(options), max_requests=most)
    learner = Learner(url, manners, listeners=listeners)
    found = await find_on_site(learner, how, search_first=True)
    found = memory_of(options).keep(url, learning(options), found, most)
    if not found.findings:
        listeners.on_found(found)
    return found


def learning(options: Mapping[str, Any]) -> LearnOptions:
    """Return the options of learning, from the options of a function."""
    return LearnOptions(
        post=options.get("post", False),
        browser=options.get("browser"),
        words=options.get("words") or (),
    )


def memory_of(options: Mapping[str, Any]) -> Memory:
    """Return the memory of learnt sources, from the options of a function."""
    folder = options.get("learnt")
    is_read = not options.get("learn_again", False)
    return Memory(folder=path_of(folder) if folder else None, is_read=is_read)


async def relearn_async(
    folder: str | PathLike[str],
    *,
    listeners: Listeners = Listeners(),
    **options: Unpack[DiscoverOptions],
) -> tuple[Found, list[str]]:
    """Learn a harvest's site again, after a redesign; the old spec is kept beside the new one.

    Args:
        folder: The folder of a harvest that is not running.
        listeners: Functions to call while it runs.
        **options: As for `discover`.

    Returns:
        The new spec, and a line for each key of the spec that changed.

    Raises:
        FolderError: There is no harvest, or it is running.
        InputError, SourceError: As for `discover`; the folder is left unchanged.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        ...     learnt, changes = longline.relearn(folder, allow_private=True)
        >>> learnt.spec.source.url == harvest.spec.source.url
        True
    """
    check_names("relearn", options, DiscoverOptions)
    manners = made(Manners, options)
    manners.check()
    how = replace(learning(options), max_requests=options.get("max_requests"))

    async def learn(address: str) -> Found:
        learner = Learner(address, manners, listeners=listeners)
        return await find_on_site(learner, how, search_first=True)

    return await learn_anew(path_of(folder), learn)


async def plan_async(
    source: str | PathLike[str] | Spec,
    folder: str | PathLike[str] | None = None,
    *,
    listeners: Listeners = Listeners(),
    **options: Unpack[NewPlanOptions],
) -> Plan:
    """Estimate what each way to a source's documents would cost, before a harvest.

    Twenty to thirty requests find out what the search can do, how many documents there are, and
    what else the site offers. No document is saved.

    Args:
        source: As for `harvest`.
        folder: A new one; it keeps the spec, so that a harvest need not learn it again.
        listeners: Functions to call while it runs.
        **options: What it may cost, and how requests are sent.

    Raises:
        InputError: The source or an option is wrong, or the site must not be requested.
        SourceError: The search returned nothing at all.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     plan = longline.plan(url, allow_private=True)
        >>> plan.abilities.limit, plan.recommended
        (100, 'partition')
    """
    check_names("plan", options, NewPlanOptions)
    limits = made(PlanLimits, options)
    limits.check()
    name = ""
    if folder is not None:
        check_is_free(path_of(folder))
        if (path_of(folder) / "source.toml").exists():
            raise InputError(
                f"{folder} is there already", advice=f"plan {folder}, or name a new folder"
            )
    if not isinstance(source, Spec):
        name = str(source)
        how, memory = learning(options), memory_of(options)
        found = await find_spec(name, limits, how, memory=memory, listeners=listeners)
        source = found.spec
        if folder is not None:
            keep(path_of(folder), found)
            name = str(folder)
        source = _with_words_held(source, path_of(name))
    into = strategy = ""
    if name and is_harvest(path_of(name)):  # its strategy stays: another one needs a new folder
        into, certificate = f"{name}-more", Harvest(path_of(name)).certificate
        name = str(path_of(name) / "source.toml")
        if certificate.outcome and Ending(certificate.outcome, certificate.cause).is_done:
            strategy = certificate.strategy
    plan = await make_plan(source, limits, name=name, into=into, listeners=listeners)
    return plan.beyond(strategy) if strategy else plan


def _with_words_held(spec: Spec, folder: Path) -> Spec:
    """Return a spec with words of the documents that a harvest of it holds, if it names none."""
    if spec.ask.words or not is_harvest(folder):
        return spec
    held = islice(Harvest(folder).documents, LOOKED_AT)
    terms = Analyzer().terms
    found = frequent([terms(f"{each.title} {each.text}").keys() for each in held], WORDS)
    return msgspec.structs.replace(spec, ask=msgspec.structs.replace(spec.ask, words=found))


discover = in_sync(discover_async)
relearn = in_sync(relearn_async)
plan = in_sync(plan_async)


class Preset(msgspec.Struct, frozen=True):
    """A kind of source that longline recognises.

    Attributes:
        name: The name of its file.
        title: Its usual name.
        notes: Page size, limits, and how exact its totals are.
        documented: The URL of its own documentation.
        route: A cheaper way to get everything, if there is one; {names} are filled per site.

    Example:
        >>> import longline
        >>> {preset.name: preset.title for preset in longline.presets()}["mediawiki"]
        'MediaWiki'
    """

    name: str
    title: str
    notes: str
    documented: str
    route: str


def presets() -> list[Preset]:
    """Return every kind of source that is recognised, sorted by name.

    Example:
        >>> import longline
        >>> "MediaWiki" in [preset.title for preset in longline.presets()]
        True
    """
    return [
        Preset(each.name, each.title, each.notes, each.documented, each.route)
        for each in known_presets()
    ]
