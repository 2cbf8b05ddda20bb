"""From the address of a site to how it is asked: what it says of itself, its search, its lists."""

from dataclasses import replace

from longline import harvester
from longline.discovery import ListFinder, SpecFinder
from longline.engine import RunLimits
from longline.errors import InputError, LonglineError, RefusedError
from longline.fetch import Manners, has_browser, shared_hosts, sharing_hosts
from longline.learn.learn import (
    MAX_REQUESTS,
    Answers,
    Found,
    LearnOptions,
    Listeners,
    Spent,
    check_is_public,
    is_url,
    learn_source,
    run_on_pages,
    spec_in,
)
from longline.learn.memory import Memory

LEAST_LEFT = 16
"""Requests for lists where no search was found, however much that cost."""

BEARING = RunLimits(bears_refusals=True)


async def find_spec(
    source: str,
    manners: Manners = Manners(),
    options: LearnOptions = LearnOptions(),
    *,
    memory: Memory = Memory(),
    max_requests: int | None = None,
    listeners: Listeners = Listeners(),
) -> Found:
    """Read the spec that a path or a URL stands for, or learn it from a page that names none.

    Args:
        source: A path, a URL, or NAME:ADDRESS, where another package has a source of that name.
        manners: How the site is asked.
        options: How it is learnt.
        memory: Has what was learnt before, and keeps what is learnt now.
        max_requests: Most requests it may cost; None: as many as learning takes at most.
        listeners: Functions to call as it goes on.

    Raises:
        InputError: There is no such file, or the URL leads to no spec and to no search.
        SpecError: The spec is not right.
    """
    if (answers := harvester.made_from(source)) is not None:
        return Found(spec=harvester.spec_of_class(answers, source.partition(":")[0]))
    if not is_url(source):
        return Found(spec=spec_in(source))
    found = memory.recall(source, options)
    if found is None:
        spent = Spent(max_requests)
        found = await find_on_site(source, manners, options, spent=spent, listeners=listeners)
        found = memory.keep(source, options, found, max_requests)
    listeners.on_found(found)
    return found


async def find_on_site(
    url: str,
    manners: Manners = Manners(),
    options: LearnOptions = LearnOptions(),
    *,
    failure: LonglineError | None = None,
    spent: Spent | None = None,
    listeners: Listeners = Listeners(),
) -> Found:
    """Read what a site says of itself, and learn its search where it says nothing.

    1. A spec, a preset, a description, or the index of its own search.
    2. Its search, as the site describes it, or as its forms show it.
    3. A list of its documents, which may leave some out.

    Args:
        url: The address of any page of the site.
        manners: How the site is asked.
        options: How its search is learnt.
        failure: Why learning it did not do, where that was tried.
        spent: Counts what it costs, and may allow less.
        listeners: Functions to call as it goes on.

    Raises:
        InputError: There is no search to learn and no list, or the site may not be asked.
        SourceError: The page itself does not come.
    """
    # What one step reads of robots.txt the next ones know.
    with sharing_hosts(shared_hosts()):
        return await _on_site(url, manners, options, failure, spent or Spent(), listeners)


async def _on_site(
    url: str,
    manners: Manners,
    options: LearnOptions,
    failure: LonglineError | None,
    spent: Spent,
    listeners: Listeners,
) -> Found:
    store = Answers()

    async def look(finder: SpecFinder) -> None:
        await run_on_pages(
            finder, url, manners, spent=spent, listeners=listeners, limits=BEARING, store=store
        )

    may_browse = options.browser or (options.browser is None and has_browser())
    finder = SpecFinder(url)
    await look(finder)
    found = _found(finder, url, spent)
    learnt: Found | None = None
    is_listed = bool(finder.operations) and not finder.ways
    if found is None and is_listed:
        lists = ListFinder(url, _left(spent), finder.operations, may_browse=may_browse)
        await look(lists)
        found = _found(lists, url, spent, "nothing that the site describes takes words")
    if found is None and (failure is None or finder.ways):
        options = replace(options, ways=finder.ways)
        try:
            learnt = await learn_source(
                url, manners, options, spent=spent, listeners=listeners, store=store
            )
            if learnt.spec.ask.takes_words or not learnt.review:
                return learnt
            # Links of a menu, say: the site may have a list of its own.
            failure = InputError(f"a list of links was found, and {learnt.review[0]}")
        except (InputError, RefusedError) as error:
            failure = error
    if found is None and not is_listed and failure is not None:
        lists = ListFinder(url, _left(spent), finder.operations, may_browse=may_browse)
        await look(lists)
        found = _found(lists, url, spent, failure.message)
    if found is None and learnt is not None:
        return learnt
    if found is None:
        assert failure is not None  # learning was tried, here or before
        raise failure
    return found


def _left(spent: Spent) -> int:
    """Return the requests that lists may cost, after what was spent on looking for a search."""
    return spent.bound(max(MAX_REQUESTS - spent.requests, LEAST_LEFT))


def _found(finder: SpecFinder, url: str, spent: Spent, why: str = "") -> Found | None:
    """Return what a finder has found, and may be used.

    Args:
        finder: That is done.
        url: Where it began.
        spent: What was spent by now.
        why: No search was learnt, for the spec's notes; "" where none was looked for.

    Raises:
        SpecError: It takes what the environment has.
        InputError: The source does not say what it would have to.
    """
    if finder.problem:
        raise InputError(finder.problem, advice=finder.advice)
    if finder.spec is None:
        return None
    check_is_public(finder.spec, url)
    note = f"# no search was learnt: {' '.join(why.split())}\n" if why else ""
    return Found(
        spec=finder.spec,
        toml=note + finder.toml,
        requests=spent.requests,
        body_bytes=spent.body_bytes,
        preset="" if finder.is_its_own else finder.how,
    )
