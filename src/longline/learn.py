"""From what a user calls a source to a source spec: read it, recognise it, or learn it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from longline.account import Account
from longline.discover import Browser, Discoverer, SpecFinder
from longline.engine import Engine, PageHand
from longline.errors import BudgetSpent, InputError, NoSuchFileError, SpecError
from longline.events import Stopped
from longline.fetch import BrowserFetcher, VeiledFetcher, WebFetcher, has_browser
from longline.logs import about
from longline.ports import Thinker
from longline.source import Spec, read_spec
from longline.store import MemoryStore

MAX_REQUESTS = 40
MAX_BROWSER_REQUESTS = 80
"""Pages that a browser shows ask for scripts and data of their own."""

OnRequest = Callable[[int], object]
"""Told before each request how many there are with it."""


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
                f"the {self.most} requests allowed are spent", advice="raise --max-requests"
            )
        self.requests += 1

    def receive(self, body_bytes: int) -> None:
        """Count an answer."""
        self.body_bytes += body_bytes


class Found(NamedTuple):
    """A spec, and how it was come by.

    Attributes:
        toml: Where it was learnt or filled in, as it is to be kept, with notes.
        review: Why a person should look at it.
        requests: That finding and learning it cost.
        body_bytes: Of their answers.
        preset: What recognised the source; "" where nothing did, or the source has its own spec.
        learnt: What was learnt; None where nothing had to be.
    """

    spec: Spec
    toml: str = ""
    review: Sequence[str] = ()
    requests: int = 0
    body_bytes: int = 0
    preset: str = ""
    learnt: Discoverer | None = None


def is_url(source: str) -> bool:
    """Say whether a source is named by its URL."""
    return source.startswith(("http://", "https://"))


def find_spec(
    source: str,
    *,
    allow_private: bool = False,
    robots: bool = True,
    max_requests: int | None = None,
    on_request: OnRequest = lambda requests: None,
    **more: Any,
) -> Found:
    """Read the spec that a path or a URL stands for, or learn it from a page that names none.

    Args:
        source: A path, or a URL.
        allow_private: Allow hosts on loopback and private addresses.
        robots: False ignores robots.txt.
        max_requests: That it may cost; None as many as learning takes at most.
        on_request: Told of every request.
        **more: Further arguments of `WebFetcher`.

    Raises:
        InputError: There is no such file, or the URL leads to no spec and to no search.
        SpecError: The spec is not right.
    """
    if not is_url(source):
        return Found(_spec_in(source))
    spent = Spent(max_requests)
    more |= {"allow_private": allow_private, "robots": robots, "on_request": on_request}
    found = recognise(source, spent=spent, **more)
    if found is None:
        learnt = learn_source(source, spent=spent, **more)
        toml = learnt.toml()
        found = Found(read_spec(toml), toml, learnt.review, learnt=learnt)
    return found._replace(requests=spent.requests, body_bytes=spent.body_bytes)


def _spec_in(source: str) -> Spec:
    path = Path(source)
    if not path.exists():
        raise NoSuchFileError(
            source,
            advice="name a source spec (source.toml), a URL, or a folder made by a harvest",
        )
    if path.is_dir():
        path = path / "source.toml"
        if not path.is_file():
            raise InputError(
                f"no source.toml in {source}",
                advice="name a source spec, a URL, or a folder made by a harvest",
            )
    try:
        return read_spec(path.read_text(encoding="utf-8-sig"), where=str(path))
    except UnicodeDecodeError as error:
        raise SpecError(
            f"{path} is not text in UTF-8: {error.reason} at byte {error.start}",
            advice="name a source spec in TOML",
        ) from None


def recognise(url: str, **more: Any) -> Found | None:
    """Read the spec that a URL leads to, or that of a preset; None where there is none.

    Args:
        url: Of any page of the site.
        **more: As for `run_on_pages`.
    """
    finder = SpecFinder(url)
    run_on_pages(finder, url, **more)
    if finder.spec is None:
        return None
    return Found(finder.spec, finder.toml, preset="" if finder.is_its_own else finder.how)


def learn_source(
    url: str,
    *,
    post: bool = False,
    browser: bool | None = None,
    max_requests: int | None = None,
    words: Sequence[str] = (),
    robots: bool = True,
    spent: Spent | None = None,
    **more: Any,
) -> Discoverer:
    """Learn a search interface; what is known when requests run out is kept.

    Args:
        url: Of a page with the search form, or one that links to it.
        post: Send by POST, too.
        browser: Show pages in a browser: at once, or never; None where plain requests find no
            search, if a browser is there.
        max_requests: None is `MAX_REQUESTS`, and more where a browser is needed.
        words: Of the site's language, to begin with.
        robots: False ignores robots.txt.
        spent: Counts what it costs, and may allow less.
        **more: As for `run_on_pages`.

    Raises:
        InputError: There is no search to learn, a private address, or robots.txt disallows it.
        SourceError: The page itself does not come.
    """
    is_there = has_browser()
    shows: Browser = "needed" if browser or (browser is None and is_there) else "never"
    spent = spent or Spent()
    plain = spent.bound(max_requests or MAX_REQUESTS)
    most = spent.bound(max_requests or (MAX_REQUESTS if shows == "never" else MAX_BROWSER_REQUESTS))
    discoverer = Discoverer(
        url,
        np.random.default_rng(0),
        words=words,
        allow_post=post,
        max_requests=max(plain - robots, 1),
        browser="at once" if browser else shows,
        browser_requests=max(most - robots, 1),
    )
    stopped = run_on_pages(
        discoverer,
        url,
        robots=robots,
        spent=spent,
        on_send=Spent(most).send,
        # A refusal says as much as an answer: how deep it goes, how long a page may be.
        retries=1,
        **more,
    )
    discoverer.conclude(stopped.reason)
    if discoverer.spec is None:
        raise InputError(discoverer.problem, advice=_advice(discoverer.advice, browser, is_there))
    return discoverer


def _advice(advice: str, browser: bool | None, is_there: bool) -> str:
    """Add what a browser could do where none was used."""
    if browser is False:
        return f"{advice}; or let a browser show it, without --no-browser"
    if not is_there:
        return f"{advice}; or install a browser for its scripts: pip install 'longline[browser]'"
    return advice


def run_on_pages(
    thinker: Thinker,
    url: str,
    *,
    allow_private: bool = False,
    robots: bool = True,
    spent: Spent | None = None,
    on_send: Callable[[], object] = lambda: None,
    on_request: OnRequest = lambda requests: None,
    **more: Any,
) -> Stopped:
    """Let a thinker ask for pages until it finishes.

    Args:
        thinker: Asks by `model.Request`.
        url: Of the site.
        allow_private: As `fetch.WebFetcher` has it.
        robots: False ignores robots.txt.
        spent: Counts what it costs, beside what was spent before, and says how much may be.
        on_send: Called before every request.
        on_request: Told of every request.
        **more: Further arguments of `WebFetcher`.
    """
    counted = spent or Spent()

    def count() -> None:
        on_send()
        counted.send()
        on_request(counted.requests)

    async def run() -> Stopped:
        web = WebFetcher(
            allow_private=allow_private,
            obey_robots=robots,
            on_send=count,
            on_receive=counted.receive,
            rng=np.random.default_rng(0),
            **more,
        )
        hand = PageHand(VeiledFetcher(BrowserFetcher(web)))
        try:
            return await Engine(thinker, hand, MemoryStore(), Account()).run()
        finally:
            await hand.close()

    with about(url):
        return asyncio.run(run())
