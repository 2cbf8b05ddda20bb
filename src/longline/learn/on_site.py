"""Find how to query a site from its URL: by its own description, its search, or its lists."""

from dataclasses import replace

from longline import harvester
from longline.discovery import ListFinder, SpecFinder
from longline.engine import RunLimits
from longline.errors import BudgetSpent, InputError, LonglineError, RefusedError, option
from longline.fetch import Manners, has_browser
from longline.learn.learn import (
    Found,
    Learner,
    LearnOptions,
    Listeners,
    check_is_public,
    spec_in,
)
from longline.learn.memory import Memory, took_all
from longline.learn.spent import MAX_REQUESTS
from longline.source import Spec
from longline.text.numbers import counted
from longline.text.url import is_url

NO_LINKS = "its entries lead nowhere"

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
    """Read the spec at a path or a URL, or learn it from a page that names none.

    Args:
        source: A path, a URL, or NAME:ADDRESS for a source class of another package.
        manners: How the site is requested.
        options: How it is learnt.
        memory: Stores specs that were learnt before, and this one.
        max_requests: Limit of requests; None: the limit for learning.
        listeners: Functions to call during the search.

    Raises:
        InputError: The file does not exist, or the URL leads to no spec and no search.
        SpecError: The spec is wrong.
        BudgetSpent: So few requests are allowed that learning took them all.
    """
    if (answers := harvester.made_from(source)) is not None:
        return Found(spec=harvester.spec_of_class(answers, source.partition(":")[0]))
    if not is_url(source):
        return Found(spec=spec_in(source))
    found = memory.recall(source, options)
    if found is None:
        learner = Learner(source, manners, most=max_requests, listeners=listeners)
        found = await find_on_site(learner, options)
        if found.findings and max_requests is not None:
            _check_is_whole(found, max_requests)
        found = memory.keep(source, options, found, max_requests)
    listeners.on_found(found)
    return found


def _check_is_whole(found: Found, most: int) -> None:
    """Check that requests were left after learning: a search that is half learnt misses documents.

    Raises:
        BudgetSpent: Learning took them all.
    """
    if most < MAX_REQUESTS and took_all(found, most):
        raise BudgetSpent(
            f"{counted(most, 'request was', 'requests were')} not enough to learn the search; "
            "nothing is saved",
            advice=f"learning takes about {MAX_REQUESTS} requests, and the harvest more: allow "
            f"more by {option('max_requests')}",
        )


async def find_on_site(
    learner: Learner, options: LearnOptions = LearnOptions(), *, search_first: bool = False
) -> Found:
    """Read a site's own description, and learn its search if there is none.

    1. A spec, a preset, a description, or the index of its own search.
    2. Its search, as the site describes it, or by its forms.
    3. A list of its documents, which may be incomplete.

    Args:
        learner: Of the site.
        options: How its search is learnt.
        search_first: Learn its search before anything else.

    Raises:
        InputError: There is no search to learn and no list, or the site may not be requested.
        SourceError: The page itself cannot be fetched.
    """
    failure: LonglineError | None = None
    if search_first:
        try:
            return await learner.learn(options)
        except (InputError, RefusedError) as error:
            failure = error
    may_browse = options.browser or (options.browser is None and has_browser())
    finder = SpecFinder(learner.url)

    async def list_documents(why: str) -> Found | None:
        operations = finder.operations
        lists = ListFinder(learner.url, learner.spent.left, operations, may_browse=may_browse)
        await learner.run(lists, limits=BEARING)
        return _found(lists, learner, why)

    await learner.run(finder, limits=BEARING)
    found = _found(finder, learner)
    is_listed = bool(finder.operations) and not finder.ways
    if found is None and is_listed:
        found = await list_documents("nothing that the site describes takes words")
    if found is not None:
        return found
    learnt: Found | None = None
    if failure is None or finder.ways:
        try:
            learnt = await learner.learn(replace(options, ways=finder.ways))
            doubt = [*learnt.review, *([] if _leads_on(learnt.spec) else [NO_LINKS])]
            if learnt.spec.ask.takes_words or not doubt:
                return learnt
            # These may be links of a menu, or the pages of one document after another: the site
            # may have a list of documents.
            failure = InputError(f"a list was found, and {doubt[0]}")
        except (InputError, RefusedError) as error:
            failure = error
    if not is_listed:
        found = await list_documents(failure.message)
    found = found or learnt
    if found is None:
        raise failure
    return found


def _leads_on(spec: Spec) -> bool:
    """Return whether entries of a list lead to documents, or are these, as data are."""
    return bool(spec.results.link) or spec.source.kind == "json"


def _found(finder: SpecFinder, learner: Learner, why: str = "") -> Found | None:
    """Return what a finder has found, or None.

    Args:
        finder: A finder that has finished.
        learner: Of its site.
        why: Why no search was learnt, for the spec's notes; "" if none was looked for.

    Raises:
        SpecError: The spec reads variables of the environment.
        InputError: The finder reports a problem.
    """
    if finder.problem:
        raise InputError(finder.problem, advice=finder.advice)
    if finder.spec is None:
        return None
    check_is_public(finder.spec, learner.url)
    note = f"# no search was learnt: {' '.join(why.split())}\n" if why else ""
    return Found(
        spec=finder.spec,
        toml=note + finder.toml,
        requests=learner.spent.requests,
        body_bytes=learner.spent.body_bytes,
        preset="" if finder.is_its_own else finder.how,
    )
