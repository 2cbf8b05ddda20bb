"""Find the source spec for a user's source: read it, recognise it, or learn it."""

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
    Held,
    Hooks,
    Manners,
    VeiledFetcher,
    WebFetcher,
    has_browser,
    own_secrets,
    shared_hosts,
    sharing_hosts,
)
from longline.files import writing
from longline.learn.spent import MAX_REQUESTS, Spent
from longline.ledger import Ledger
from longline.logs import about
from longline.model import Request
from longline.ports import Policy
from longline.secrets import Secrets
from longline.source import Spec, read_spec, veil, write_spec
from longline.store import MemoryStore
from longline.text.numbers import counted

TO_PROGRAMS = (404, 406)
"""Statuses with which some sites reject clients other than browsers."""

MAX_BROWSER_REQUESTS = 80
"""Limit of requests with a browser, whose pages also request scripts and data."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Listeners(harvester.Listeners):
    """Functions to call while a source is found, learnt and harvested.

    Attributes:
        on_request: Called before each request with the number of requests, including it.
        on_found: Called with what was found or learnt, if that was necessary.
        on_folder: Called with the folder of a harvest's documents, before it begins.

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
        post: Whether forms may be sent by POST, too.
        browser: Whether pages are shown in a browser: True at once, False never, None if plain
            requests find no search and a browser is installed.
        max_requests: Limit of requests; None is `MAX_REQUESTS`, or more if a browser is needed.
        words: Words of the site's language, to try first.
        ways: Ways to query the site that it describes itself.
    """

    post: bool = False
    browser: bool | None = None
    max_requests: int | None = None
    words: Sequence[str] = ()
    ways: Sequence[Way] = ()


class Answers(MemoryStore):
    """Responses of one step, and what pages loaded: they cost the next steps nothing.

    Attributes:
        are_of_visitor: A cookie was set, so they are not valid for another visitor.
    """

    def __init__(self) -> None:
        super().__init__()
        self.are_of_visitor = False
        self.loaded = Held(most=32)  # each counts for learning

    def response(self, request: Request) -> ResponseReceived | None:
        """Return the response to a request, or None."""
        held = None if self.are_of_visitor else super().response(request)
        return None if held is None else msgspec.structs.replace(held, requests=0)


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A source spec, and how it was found.

    Attributes:
        spec: How the source is searched.
        toml: The text of `source.toml`, with notes, if the spec was learnt or filled in.
        findings: What was learnt, and how sure each finding is; () if nothing had to be learnt.
        review: Why a person should check it before a harvest.
        requests: Requests that finding and learning it cost.
        body_bytes: Size of their responses, in bytes.
        preset: What recognised the source; "" if nothing did, or the source has its own spec.
        kept: The file that caches it for the next time; None if there is none.
        learnt_on: The day it was learnt, if it is from such a file; "" if it is new.

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
        """Describe in a few lines how the source is searched; `toml` is the complete spec."""
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
        """Write the spec to a new file.

        Raises:
            InputError: The file exists, or cannot be written.
        """
        path = Path(path)
        if path.exists():
            raise InputError(f"{path} exists already", advice="name another file, or remove it")
        with writing(path), path.open("x", encoding="utf-8") as stream:
            stream.write(self.toml or write_spec(self.spec))

    def cost(self) -> SourceFound | None:
        """Return the cost of finding it, for a harvest's journal, or None if it cost nothing."""
        if not self.requests:
            return None
        return SourceFound(requests=self.requests, body_bytes=self.body_bytes)


def spec_in(source: str) -> Spec:
    """Read the spec in a file, or in the folder of a harvest.

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


class Learner:
    """Learns one site: requests its pages, and counts what that costs.

    Args:
        url: URL of any page of the site.
        manners: How the site is requested.
        most: Limit of requests; None for no limit.
        listeners: Functions to call during learning.

    Attributes:
        url: As given.
        spent: What it has cost so far.
    """

    def __init__(
        self,
        url: str,
        manners: Manners = Manners(),
        *,
        most: int | None = None,
        listeners: Listeners = Listeners(),
    ) -> None:
        self.url = url
        self.spent = Spent(most)
        self._manners = manners.of(url)
        self._listeners = listeners
        self._known = Answers()
        self._hosts = shared_hosts()  # all steps share the robots.txt that was fetched

    async def learn(self, options: LearnOptions = LearnOptions()) -> Found:
        """Learn a search interface; if requests run out, what is known so far is kept.

        Raises:
            InputError: There is no search to learn, the address is private, or robots.txt disallows
                it; its `ending` says whether visitors are shut out.
            SourceError: The page itself cannot be fetched.
            StoppedShort: The site requires a longer wait than allowed.
        """
        browser, robots = options.browser, self._manners.robots
        is_there = has_browser()
        shows: Browser = "needed" if browser or (browser is None and is_there) else "never"
        spent, most = self.spent, options.max_requests
        plain = spent.bound(most) if most else spent.left
        shown = MAX_REQUESTS if shows == "never" else MAX_BROWSER_REQUESTS
        whole = spent.bound(most or shown)
        own = Spent(spent.bound(most or shown + MAX_REQUESTS), "" if most else BY_MORE)

        async def learnt(browser: Browser) -> Discoverer:
            discoverer = Discoverer(
                self.url,
                np.random.default_rng(0),
                words=options.words,
                ways=options.ways,
                allow_post=options.post,
                max_requests=max(plain - robots, 1),
                browser=browser,
                browser_requests=max(whole - robots, 1),
            )
            # A refusal is informative, too: it shows the return limit, or the maximum page size.
            stopped = await self.run(discoverer, own=own, retries=1)
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
        check_is_public(spec, self.url)
        return Found(
            spec=spec,
            toml=toml,
            findings=discoverer.findings,
            review=tuple(discoverer.review),
            requests=spent.requests,
            body_bytes=spent.body_bytes,
        )

    async def run(
        self,
        policy: Policy,
        *,
        limits: RunLimits | None = None,
        own: Spent | None = None,
        retries: int | None = None,
    ) -> Stopped:
        """Let a policy request pages until it finishes.

        Args:
            policy: Requests pages by `model.Request`.
            limits: The limits of the run.
            own: Counts and limits the requests of this run, or of some.
            retries: How often a request is repeated; None: as the manners say.
        """

        def count() -> None:
            if own is not None:
                own.send()
            self.spent.send()
            self._listeners.on_request(self.spent.requests)

        on_wait = self._listeners.on_wait
        hooks = Hooks(on_send=count, on_receive=self.spent.receive, on_wait=on_wait)
        manners, known = self._manners, self._known
        if retries is not None:
            manners = msgspec.structs.replace(manners, retries=retries)
        secrets = Secrets().with_more(own_secrets(manners))
        held = None if known.are_of_visitor else known.loaded
        with about(self.url), sharing_hosts(self._hosts):
            web = WebFetcher(np.random.default_rng(0), manners, hooks=hooks)
            client = PageClient(VeiledFetcher(BrowserFetcher(web, held=held), secrets))
            try:
                return await Engine(policy, client, known, Ledger(), limits or RunLimits()).run()
            finally:
                known.are_of_visitor |= web.has_cookies
                await client.close()


def _asked_to_wait(stopped: Stopped) -> StoppedShort:
    advice = f"or allow a longer wait by {option('max_wait')}"
    error = StoppedShort(f"the search is not learnt yet: {stopped.reason}", advice=advice)
    error.ending = stopped.ending
    return error


def check_is_public(spec: Spec, url: str) -> None:
    """Reject a spec from the web that sends environment variables, which its author would get.

    Raises:
        SpecError: It names an environment variable.
    """
    try:
        veil(spec, {})
    except SpecError:
        raise SpecError(
            f"the spec that {url} leads to would send a variable of your environment",
            advice="if you trust it, save it as source.toml and harvest that file",
        ) from None


def _advice(advice: str, browser: bool | None, is_there: bool) -> str:
    """Add advice on using a browser if none was used."""
    if browser is False:
        return f"{advice}; or leave out {option('browser=False')}"
    if not is_there:
        return f"{advice}; if it needs scripts, install chromium and 'longline[browser]'"
    return advice
