"""From what a user calls a source to a source spec: read it, recognise it, or learn it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from longline import harvester
from longline.discovery import BY_MORE, Browser, Discoverer, Finding, Way, ending_of
from longline.engine import Engine, PageClient, RunLimits
from longline.errors import (
    BudgetSpent,
    InputError,
    NoSuchFileError,
    RefusedError,
    SpecError,
    StoppedShort,
    option,
)
from longline.events import ResponseReceived, SourceFound, Stopped
from longline.fetch import (
    BrowserFetcher,
    Hooks,
    Manners,
    VeiledFetcher,
    WebFetcher,
    has_browser,
    own_secrets,
)
from longline.files import writing
from longline.ledger import Ledger
from longline.logs import about
from longline.model import Request
from longline.ports import Policy
from longline.secrets import Secrets
from longline.source import Spec, read_spec, veil, write_spec
from longline.store import MemoryStore
from longline.text.numbers import all_of, counted

MAX_REQUESTS = 40
LEAST_REQUESTS = 30
"""That a search may cost, however much what a site says of itself did."""

TO_PROGRAMS = (404, 406)
"""How some sites answer whoever does not ask for pages, as browsers do."""

MAX_BROWSER_REQUESTS = 80
"""Pages that a browser shows ask for scripts and data of their own."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Listeners(harvester.Listeners):
    """Functions to call while a source is found, learnt and harvested.

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
        words: Words of the site's language to begin with.
        ways: How the site itself says that it is asked.
    """

    post: bool = False
    browser: bool | None = None
    max_requests: int | None = None
    words: Sequence[str] = ()
    ways: Sequence[Way] = ()


class Spent:
    """Counts what finding and learning a source costs.

    Attributes:
        requests: HTTP requests that were sent.
        body_bytes: The size of their answers, in bytes.
        most: Requests that may be sent; None for no bound.
        advice: What to do where these are spent.
    """

    def __init__(self, most: int | None = None, advice: str = "") -> None:
        self.requests = 0
        self.body_bytes = 0
        self.most = most
        self.advice = advice or f"raise {option('max_requests')}"

    def bound(self, requests: int) -> int:
        """Return so many requests, or what is left where that is less."""
        return requests if self.most is None else min(requests, self.most - self.requests)

    def send(self) -> None:
        """Count a request that is about to be sent.

        Raises:
            BudgetSpent: It is one too many.
        """
        if self.most is not None and self.requests >= self.most:
            noun, nouns = "request that was allowed is", "requests that were allowed are"
            spent = f"{all_of(self.most, noun, nouns)} spent" if self.most else "no request is left"
            raise BudgetSpent(spent, advice=self.advice)
        self.requests += 1

    def receive(self, body_bytes: int) -> None:
        """Count an answer."""
        self.body_bytes += body_bytes


class Answers(MemoryStore):
    """Answers of one step, which cost the next ones nothing.

    Attributes:
        are_of_visitor: A cookie came with some, so that they are none of another visitor's.
    """

    are_of_visitor = False

    def response(self, request: Request) -> ResponseReceived | None:
        """Return what came in answer to a request, or None."""
        held = None if self.are_of_visitor else super().response(request)
        return None if held is None else msgspec.structs.replace(held, requests=0)


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A source spec, and how it was come by.

    Attributes:
        spec: How the source is searched.
        toml: The text of `source.toml`, with notes, where the spec was learnt or filled in.
        findings: What was learnt, and how sure each is; none where nothing had to be learnt.
        review: Why a person should look at it before a harvest.
        requests: Requests that finding and learning it cost.
        body_bytes: The size of their answers, in bytes.
        preset: What recognised the source; "" where nothing did, or the source has its own spec.
        kept: The file that keeps it for the next time; None where none does.
        learnt_on: The day that it was learnt on, where it is from such a file; "" where it is new.

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
    kept: Path | None = None
    learnt_on: str = ""

    def __repr__(self) -> str:
        """Say in a few lines how the source is searched; `toml` has it in full."""
        how = f"recognised as {self.preset}" if self.preset else self.spec.source.kind
        return "\n".join(
            [
                f"<Found {self.spec.source.url}: {how}, for {counted(self.requests, 'request')}",
                f" asks {self.spec.ask.url}",
                *(f" to review: {each}" for each in self.review),
                f" {counted(len(self.findings), 'finding')}; .toml has the whole source spec>",
            ]
        )

    def save(self, path: Path | str) -> None:
        """Write the spec as a file, where there is none yet.

        Raises:
            InputError: There is one, or it cannot be written.
        """
        path = Path(path)
        if path.exists():
            raise InputError(f"{path} exists already", advice="name another file, or remove it")
        with writing(path), path.open("x", encoding="utf-8") as stream:
            stream.write(self.toml or write_spec(self.spec))

    def cost(self) -> SourceFound | None:
        """Return what finding it cost, for a harvest's journal; None where it cost nothing."""
        if not self.requests:
            return None
        return SourceFound(requests=self.requests, body_bytes=self.body_bytes)


def is_url(source: str) -> bool:
    """Say whether a source is named by its URL."""
    return source.startswith(("http://", "https://"))


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


async def learn_source(
    url: str,
    manners: Manners = Manners(),
    options: LearnOptions = LearnOptions(),
    *,
    spent: Spent | None = None,
    listeners: Listeners = Listeners(),
    store: Answers | None = None,
) -> Found:
    """Learn a search interface; what is known when requests run out is kept.

    Args:
        url: The address of a page with the search form, or of one that links to it.
        manners: How the site is asked.
        options: How it is learnt.
        spent: Counts what it costs, and may allow less.
        listeners: Functions to call as it goes on.
        store: Has what was asked before.

    Raises:
        InputError: There is no search to learn, a private address, or robots.txt disallows it;
            its `ending` says whether visitors are kept out.
        SourceError: The page itself does not come.
        StoppedShort: The site asks for a longer wait than allowed.
    """
    browser, robots = options.browser, manners.robots
    is_there = has_browser()
    shows: Browser = "needed" if browser or (browser is None and is_there) else "never"
    spent, most = spent or Spent(), options.max_requests
    plain = spent.bound(most or max(MAX_REQUESTS - spent.requests, LEAST_REQUESTS))
    shown = MAX_REQUESTS if shows == "never" else MAX_BROWSER_REQUESTS
    whole = spent.bound(most or shown)
    # A refusal says as much as an answer: how deep it goes, how long a page may be.
    manners = msgspec.structs.replace(manners, retries=1)
    own = Spent(spent.bound(most or shown + MAX_REQUESTS), "" if most else BY_MORE)

    async def learnt(browser: Browser) -> Discoverer:
        discoverer = Discoverer(
            url,
            np.random.default_rng(0),
            words=options.words,
            ways=options.ways,
            allow_post=options.post,
            max_requests=max(plain - robots, 1),
            browser=browser,
            browser_requests=max(whole - robots, 1),
        )
        stopped = await run_on_pages(
            discoverer, url, manners, spent=spent, own=own, listeners=listeners, store=store
        )
        if stopped.outcome == "blocked":
            raise _asked_to_wait(stopped)
        discoverer.conclude(stopped.reason)
        return discoverer

    try:
        discoverer = await learnt("at once" if browser else shows)
    except RefusedError as error:
        if browser or shows == "never" or error.status not in TO_PROGRAMS:
            raise
        discoverer = await learnt("at once")
    if discoverer.spec is None:
        advice = _advice(discoverer.advice, browser, is_there)
        problem = discoverer.problem.removesuffix(f"; {discoverer.advice}")
        hopeless = InputError(problem, advice=advice)
        hopeless.ending = ending_of(discoverer.advice, discoverer.problem)
        raise hopeless
    toml = discoverer.toml()
    spec = read_spec(toml)
    check_is_public(spec, url)
    return Found(
        spec=spec,
        toml=toml,
        findings=discoverer.findings,
        review=tuple(discoverer.review),
        requests=spent.requests,
        body_bytes=spent.body_bytes,
    )


def _asked_to_wait(stopped: Stopped) -> StoppedShort:
    advice = f"or allow a longer wait by {option('max_wait')}"
    error = StoppedShort(f"the search is not learnt yet: {stopped.reason}", advice=advice)
    error.ending = stopped.ending
    return error


def check_is_public(spec: Spec, url: str) -> None:
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
    store: Answers | None = None,
) -> Stopped:
    """Let a policy ask for pages until it finishes.

    Args:
        policy: Asks by `model.Request`.
        url: The site's address.
        manners: How the site is asked.
        spent: Counts what it costs, beside what was spent before, and says how much may be.
        own: The same of these pages alone.
        listeners: Functions to call as it goes on.
        limits: The limits of the run.
        store: Has what was asked before; None where nothing was.
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
    known = store if store is not None else Answers()
    with about(url):
        try:
            return await Engine(policy, client, known, Ledger(), limits or RunLimits()).run()
        finally:
            known.are_of_visitor |= web.has_cookies
            await client.close()
