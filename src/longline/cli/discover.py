"""longline discover: a search page -> a source spec."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from longline.cli._options import Json, MaxWait, Timeout
from longline.cli._said import note, say, say_exactly, write_file
from longline.errors import InputError
from longline.logs import log
from longline.secrets import masked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from longline.cli._pages import Spent
    from longline.discover import Discoverer

MAX_REQUESTS = 40
MAX_BROWSER_REQUESTS = 80
"""Pages that a browser shows ask for scripts and data of their own."""


def discover(
    url: Annotated[
        str | None,
        typer.Argument(metavar="URL", help="A page with the search form, or one that links to it."),
    ] = None,
    again: Annotated[
        Path | None,
        typer.Option(
            "--again",
            metavar="DIR",
            help="Learn the source of this harvest anew; its old spec stays as source.toml.old.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the spec there. Default: standard output."
        ),
    ] = None,
    allow_private: Annotated[
        bool,
        typer.Option("--allow-private", help="Allow hosts on loopback and private addresses."),
    ] = False,
    post: Annotated[
        bool, typer.Option("--post", help="Fill forms that are sent by POST, too.")
    ] = False,
    browser: Annotated[
        bool | None,
        typer.Option(
            "--browser/--no-browser",
            help="Show pages in the system's Chromium at once, or never.",
            show_default="where plain requests find no search",
        ),
    ] = None,
    max_requests: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Requests that it may cost, robots.txt included.",
            show_default=f"{MAX_REQUESTS}, with a browser {MAX_BROWSER_REQUESTS}",
        ),
    ] = None,
    words: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="File of words of the site's language, one a line, to begin with."
        ),
    ] = None,
    max_wait: MaxWait = 600.0,
    timeout: Timeout = 30.0,
    json: Json = False,
) -> None:
    """Learn a search interface, and write a source spec to read.

    Every line of the spec says how sure it is and what was seen; what is not sure has a
    WARNING. Forms with a field for a password or a file are never filled. With --json: the
    spec as TOML, the findings, and why a person should look at it.
    """
    from longline.cli.harvest import _read_words

    if (url is None) == (again is None) or (again is not None and output is not None):
        raise InputError(
            "what to learn is not clear", advice="give a URL, or --again DIR without -o and URL"
        )
    if output is not None and output.exists():
        raise InputError(f"{output} is there already", advice="name another file, or remove it")
    given = () if words is None else _read_words(words)

    waits: dict[str, Any] = {"max_wait_seconds": max_wait, "timeout_seconds": timeout}

    def learn_from(address: str) -> Discoverer:
        return learn(
            address,
            allow_private=allow_private,
            post=post,
            browser=browser,
            max_requests=max_requests,
            words=given,
            **waits,
        )

    if again is not None:
        _tell_again(again, learn_from, json=json)
        return
    assert url is not None
    try:
        learnt = learn_from(url)
    except InputError as error:
        _tell_known(url, output, allow_private, error, json=json, **waits)
        return
    toml = learnt.toml()
    if output is not None:
        write_file(output, toml)
    if json:
        say_exactly(_as_json(learnt, toml))
    elif output is None:
        say_exactly(toml, nl=False)
    tell(learnt)
    if output is not None:
        note(f"written to {output}; read it, then: longline harvest {output}")
    if learnt.review:
        raise typer.Exit(3)


def _tell_known(
    url: str,
    output: Path | None,
    allow_private: bool,
    error: InputError,
    *,
    json: bool,
    **more: Any,
) -> None:
    """Give the spec of a preset that knows a source whose pages teach nothing; else the error."""
    import msgspec

    from longline.cli.sources import described

    found = described(url, allow_private, robots=True, **more)
    if found is None:
        raise error
    if json:
        whole = {"spec": found.toml, "findings": [], "review": []}
        say_exactly(msgspec.json.format(msgspec.json.encode(whole), indent=2).decode())
    elif output is None:
        say_exactly(found.toml, nl=False)
    if output is not None:
        write_file(output, found.toml)
        note(f"written to {output}; read it, then: longline harvest {output}")


def _tell_again(folder: Path, learn_from: Callable[[str], Discoverer], *, json: bool) -> None:
    """Learn a harvest's source anew, and say what changed."""
    from longline.cli._again import relearn, renames

    learnt, found = relearn(folder, learn_from)
    lines = [masked(line) for line in found]
    if json:
        say_exactly(_as_json(learnt, learnt.toml(), changes=lines))
    else:
        say("\n".join(lines) or "nothing has changed")
    tell(learnt)
    if renames(lines):
        note("  documents are told apart in another way now: some may come again under new keys")
    if lines:
        path = folder / "source.toml"
        note(f"written to {path}, the old one is {path}.old; read it, then")
    note(f"go on with: longline harvest {folder}")
    if learnt.review:
        raise typer.Exit(3)


def learn(
    url: str,
    *,
    allow_private: bool,
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
        allow_private: Allow hosts on loopback and private addresses.
        post: Send by POST, too.
        browser: Show pages in a browser: at once, or never; None where plain requests find no
            search, if a browser is there.
        max_requests: None is `MAX_REQUESTS`, and more where a browser is needed.
        words: Of the site's language, to begin with.
        robots: False ignores robots.txt.
        spent: Counts what it costs, and may allow less.
        **more: Further arguments of `WebFetcher`.

    Raises:
        InputError: There is no search to learn, a private address, or robots.txt disallows it.
        SourceError: The page itself does not come.
    """
    import numpy as np

    from longline.cli._pages import Spent, run_on_pages
    from longline.discover import Browser, Discoverer
    from longline.fetch import has_browser

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
        allow_private=allow_private,
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
        return f"{advice}; or have chromium and pip install 'longline[browser]' for its scripts"
    return advice


def tell(learnt: Discoverer) -> None:
    """Say in a few lines what was learnt, and what needs a person's eye."""
    sure = sum(finding.sure == "sure" for finding in learnt.findings)
    note(f"{learnt.requests} requests; {len(learnt.findings)} findings, {sure} of them tested")
    for finding in learnt.findings:
        log(logging.INFO, f"{finding.name} = {finding.value}", sure=finding.sure)
        if finding.warning:
            note(f"  look at {finding.name} ({finding.value or 'not known'}): {finding.warning}")
    for reason in learnt.review:
        note(f"  before a harvest: {reason}")


def _as_json(learnt: Discoverer, toml: str, **more: Any) -> str:
    import msgspec

    whole = {
        "spec": toml,
        "requests": learnt.requests,
        "findings": [msgspec.structs.asdict(finding) for finding in learnt.findings],
        "review": learnt.review,
        **more,
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode()
