"""From what a user calls a source to a source spec: read it, recognise it, or learn it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np

from longline import harvester
from longline.discovery import Browser, Discoverer, Finding, ListFinder, SpecFinder
from longline.engine import Engine, PageClient, RunLimits
from longline.errors import (
    BudgetSpent,
    InputError,
    LonglineError,
    NoSuchFileError,
    RefusedError,
    SpecError,
    option,
)
from longline.events import SourceFound, Stopped
from longline.fetch import (
    BrowserFetcher,
    Hooks,
    Manners,
    VeiledFetcher,
    WebFetcher,
    has_browser,
    own_secrets,
)
from longline.ledger import Ledger
from longline.logs import about
from longline.ports import Policy
from longline.secrets import Secrets
from longline.source import Spec, read_spec, veil, write_spec
from longline.source.spec import Ask
from longline.store import MemoryStore

MAX_REQUESTS = 40
LEAST_LEFT = 12
"""Requests for lists where no search was found, however much that cost."""

BEARING = RunLimits(bears_refusals=True)

MAX_BROWSER_REQUESTS = 80
"""Pages that a browser shows ask for scripts and data of their own."""


@dataclass(frozen=True, kw_only=True)
class Listeners(harvester.Listeners):
    """Who is told while a source is found and learnt, and harvested.

    Attributes:
        on_request: Told before each request how many there are with it.
        on_found: Told what was found or learnt, where that had to be.
        on_folder: Told where a harvest saves its documents, before it begins.

    Example:
        >>> import longline
        >>> asked = []
        >>> with longline.demo_site() as url:
        ...     listeners = longline.Listeners(on_request=asked.append)
        ...     learnt = longline.discover(url, listeners=listeners, allow_private=True)
        >>> asked[-1] == learnt.requests
        True
    """

    on_request: Callable[[int], object] = lambda requests: None
    on_found: Callable[[Found], object] = lambda found: None
    on_folder: Callable[[Path], object] = lambda folder: None


@dataclass(frozen=True, kw_only=True)
class LearnOptions:
    """How a search interface is learnt.

    Attributes:
        post: Send forms by POST, too.
        browser: Show pages in a browser: at once, or never; None where plain requests find no
            search, if a browser is there.
        max_requests: None is `MAX_REQUESTS`, and more where a browser is needed.
        words: Of the site's language, to begin with.
        ways: How the site itself says that it is asked.
    """

    post: bool = False
    browser: bool | None = None
    max_requests: int | None = None
    words: Sequence[str] = ()
    ways: Sequence[Ask] = ()


class Spent:
    """Counts what finding and learning a source costs.

    Attributes:
        requests: HTTP requests that were sent.
        body_bytes: Of their answers.
        most: Requests that may be sent; None for no bound.
    """

    def __init__(self, most: int | None = None) -> None:
        self.requests = 0
        self.body_bytes = 0
        self.most = most

    def bound(self, requests: int) -> int:
        """Return so many requests, or what is left where that is less."""
        return requests if self.most is None else min(requests, self.most - self.requests)

    def send(self) -> None:
        """Count a request that is about to be sent.

        Raises:
            BudgetSpent: It is one too many.
        """
        if self.most is not None and self.requests >= self.most:
            raise BudgetSpent(
                f"all {self.most} requests that were allowed are spent",
                advice=f"raise {option('max_requests')}",
            )
        self.requests += 1

    def receive(self, body_bytes: int) -> None:
        """Count an answer."""
        self.body_bytes += body_bytes


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A source spec, and how it was come by.

    Attributes:
        spec: How the source is searched.
        toml: The text of `source.toml`, with notes, where the spec was learnt or filled in.
        findings: What was learnt, and how sure each is; none where nothing had to be learnt.
        review: Why a person should look at it before a harvest.
        requests: That finding and learning it cost.
        body_bytes: Of their answers.
        preset: What recognised the source; "" where nothing did, or the source has its own spec.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     found = longline.discover(url, allow_private=True)
        >>> found.spec.ask.limit, found.review, found.requests > 0
        (100, (), True)
    """

    spec: Spec
    toml: str = ""
    findings: tuple[Finding, ...] = ()
    review: tuple[str, ...] = ()
    requests: int = 0
    body_bytes: int = 0
    preset: str = ""

    def save(self, path: Path | str) -> None:
        """Write the spec as a file, where there is none yet.

        Raises:
            InputError: There is one, or it cannot be written.
        """
        path = Path(path)
        try:
            with path.open("x", encoding="utf-8") as stream:
                stream.write(self.toml or write_spec(self.spec))
        except FileExistsError:
            raise InputError(
                f"{path} exists already", advice="name another file, or remove it"
            ) from None
        except OSError as error:
            raise InputError(
                f"cannot write {path}: {error.strerror}", advice="choose a file you may write"
            ) from None

    def cost(self) -> SourceFound | None:
        """Return what finding it cost, for a harvest's journal; None where it cost nothing."""
        if not self.requests:
            return None
        return SourceFound(requests=self.requests, body_bytes=self.body_bytes)


def is_url(source: str) -> bool:
    """Say whether a source is named by its URL."""
    return source.startswith(("http://", "https://"))


async def find_spec(
    source: str,
    manners: Manners = Manners(),
    *,
    max_requests: int | None = None,
    listeners: Listeners = Listeners(),
) -> Found:
    """Read the spec that a path or a URL stands for, or learn it from a page that names none.

    Args:
        source: A path, a URL, or NAME:ADDRESS, where another package has a source of that name.
        manners: How the site is asked.
        max_requests: That it may cost; None as many as learning takes at most.
        listeners: Who is told.

    Raises:
        InputError: There is no such file, or the URL leads to no spec and to no search.
        SpecError: The spec is not right.
    """
    if (answers := harvester.made_from(source)) is not None:
        return Found(spec=harvester.spec_of_class(answers, source.partition(":")[0]))
    if not is_url(source):
        return Found(spec=spec_in(source))
    spent = Spent(max_requests)
    found = await find_on_site(source, manners, spent=spent, listeners=listeners)
    listeners.on_found(found)
    return found


def spec_in(source: str) -> Spec:
    """Read the spec of a file, or of the folder of a harvest.

    Raises:
        NoSuchFileError: There is neither.
        SpecFileError: As `read_spec` does.
    """
    path = Path(source)
    if not path.exists():
        raise NoSuchFileError(
            source,
            advice="give a web address, a source.toml, or the folder of a harvest",
        )
    if path.is_dir():
        path = path / "source.toml"
        if not path.is_file():
            raise InputError(
                f"no source.toml in {source}",
                advice="give a web address, a source.toml, or the folder of a harvest",
            )
    try:
        return read_spec(path.read_text(encoding="utf-8-sig"), where=str(path))
    except UnicodeDecodeError as error:
        raise SpecError(
            f"{path} is not text in UTF-8: {error.reason} at byte {error.start}",
            advice="give a source.toml",
        ) from None


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
        url: Of any page of the site.
        manners: How the site is asked.
        options: How its search is learnt.
        failure: Why learning it did not do, where that was tried.
        spent: Counts what it costs, and may allow less.
        listeners: Who is told.

    Raises:
        InputError: There is no search to learn and no list, or the site may not be asked.
        SourceError: The page itself does not come.
    """
    spent = spent or Spent()
    finder = SpecFinder(url)
    await run_on_pages(finder, url, manners, spent=spent, listeners=listeners, limits=BEARING)
    found = _found(finder, url, spent)
    is_listed = bool(finder.operations) and not finder.ways
    why = failure or SpecError("no operation that the site describes takes words")
    if found is None and (failure is None or finder.ways) and not is_listed:
        options = replace(options, ways=finder.ways)
        try:
            return await learn_source(url, manners, options, spent=spent, listeners=listeners)
        except (InputError, RefusedError) as error:
            why = error
    if found is None:
        finder = ListFinder(url, _left(spent), finder.operations)
        await run_on_pages(finder, url, manners, spent=spent, listeners=listeners, limits=BEARING)
        found = _found(finder, url, spent, why)
    if found is None:
        raise why
    return found


def _left(spent: Spent) -> int:
    """Return the requests that lists may cost, after what was spent on looking for a search."""
    return spent.bound(max(MAX_REQUESTS - spent.requests, LEAST_LEFT))


def _found(
    finder: SpecFinder, url: str, spent: Spent, why: LonglineError | None = None
) -> Found | None:
    """Return what a finder has found, and may be used.

    Args:
        finder: That is done.
        url: Where it began.
        spent: What was spent by now.
        why: No search was learnt; the spec's notes have it.

    Raises:
        SpecError: It takes what the environment has.
        InputError: The source does not say what it would have to.
    """
    if finder.problem:
        raise InputError(finder.problem, advice=finder.advice)
    if finder.spec is None:
        return None
    _check_is_public(finder.spec, url)
    note = "" if why is None else f"# no search was learnt: {' '.join(why.message.split())}\n"
    return Found(
        spec=finder.spec,
        toml=note + finder.toml,
        requests=spent.requests,
        body_bytes=spent.body_bytes,
        preset="" if finder.is_its_own else finder.how,
    )


async def learn_source(
    url: str,
    manners: Manners = Manners(),
    options: LearnOptions = LearnOptions(),
    *,
    spent: Spent | None = None,
    listeners: Listeners = Listeners(),
) -> Found:
    """Learn a search interface; what is known when requests run out is kept.

    Args:
        url: Of a page with the search form, or one that links to it.
        manners: How the site is asked.
        options: How it is learnt.
        spent: Counts what it costs, and may allow less.
        listeners: Who is told.

    Raises:
        InputError: There is no search to learn, a private address, or robots.txt disallows it.
        SourceError: The page itself does not come.
    """
    browser, robots = options.browser, manners.robots
    is_there = has_browser()
    shows: Browser = "needed" if browser or (browser is None and is_there) else "never"
    spent, most = spent or Spent(), options.max_requests
    plain = spent.bound(most or MAX_REQUESTS)
    whole = spent.bound(most or (MAX_REQUESTS if shows == "never" else MAX_BROWSER_REQUESTS))
    discoverer = Discoverer(
        url,
        np.random.default_rng(0),
        words=options.words,
        ways=options.ways,
        allow_post=options.post,
        max_requests=max(plain - robots, 1),
        browser="at once" if browser else shows,
        browser_requests=max(whole - robots, 1),
    )
    # A refusal says as much as an answer: how deep it goes, how long a page may be.
    manners = msgspec.structs.replace(manners, retries=1)
    own = Spent(whole)
    stopped = await run_on_pages(
        discoverer, url, manners, spent=spent, own=own, listeners=listeners
    )
    discoverer.conclude(stopped.reason)
    if discoverer.spec is None:
        raise InputError(discoverer.problem, advice=_advice(discoverer.advice, browser, is_there))
    toml = discoverer.toml()
    spec = read_spec(toml)
    _check_is_public(spec, url)
    return Found(
        spec=spec,
        toml=toml,
        findings=discoverer.findings,
        review=tuple(discoverer.review),
        requests=spent.requests,
        body_bytes=spent.body_bytes,
    )


def _check_is_public(spec: Spec, url: str) -> None:
    """Refuse a spec from the web that takes what the environment has: its author would get it.

    Raises:
        SpecError: It names a variable of the environment.
    """
    try:
        veil(spec, {})
    except SpecError:
        raise SpecError(
            f"the spec that {url} leads to would send a variable of your environment",
            advice="if you trust it, save it as source.toml and harvest that file",
        ) from None


def _advice(advice: str, browser: bool | None, is_there: bool) -> str:
    """Add what a browser could do where none was used."""
    if browser is False:
        return f"{advice}; or leave out {option('browser=False')}"
    if not is_there:
        return f"{advice}; if it needs scripts, install chromium and 'longline[browser]'"
    return advice


async def run_on_pages(
    policy: Policy,
    url: str,
    manners: Manners = Manners(),
    *,
    spent: Spent | None = None,
    own: Spent | None = None,
    listeners: Listeners = Listeners(),
    limits: RunLimits | None = None,
) -> Stopped:
    """Let a policy ask for pages until it finishes.

    Args:
        policy: Asks by `model.Request`.
        url: Of the site.
        manners: How the site is asked.
        spent: Counts what it costs, beside what was spent before, and says how much may be.
        own: The same of these pages alone.
        listeners: Who is told.
        limits: Of the run.
    """
    counted, alone = spent or Spent(), own or Spent()

    def count() -> None:
        alone.send()
        counted.send()
        listeners.on_request(counted.requests)

    hooks = Hooks(on_send=count, on_receive=counted.receive, on_wait=listeners.on_wait)
    manners = manners.of(url)
    web = WebFetcher(np.random.default_rng(0), manners, hooks=hooks)
    secrets = Secrets().with_more(own_secrets(manners))
    client = PageClient(VeiledFetcher(BrowserFetcher(web), secrets))
    with about(url):
        try:
            return await Engine(
                policy, client, MemoryStore(), Ledger(), limits or RunLimits()
            ).run()
        finally:
            await client.close()
