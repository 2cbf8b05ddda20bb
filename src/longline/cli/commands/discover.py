"""longline discover: a search page -> a source spec."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from longline.cli._options import Json, MaxWait, Timeout, read_words
from longline.cli._said import note, say, say_exactly, write_file
from longline.cli.sources import described, looking_at, tell
from longline.errors import InputError
from longline.secrets import masked

if TYPE_CHECKING:
    from collections.abc import Callable

    from longline.discover import Discoverer


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
            show_default="40, with a browser 80",
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
    if (url is None) == (again is None) or (again is not None and output is not None):
        raise InputError(
            "what to learn is not clear", advice="give a URL, or --again DIR without -o and URL"
        )
    if output is not None and output.exists():
        raise InputError(f"{output} is there already", advice="name another file, or remove it")
    given = () if words is None else read_words(words)

    manners: dict[str, Any] = {
        "allow_private": allow_private,
        "max_wait_seconds": max_wait,
        "timeout_seconds": timeout,
    }

    def learn_from(address: str) -> Discoverer:
        from longline.learn import learn_source

        with looking_at(address) as shown:
            return learn_source(
                address,
                post=post,
                browser=browser,
                max_requests=max_requests,
                words=given,
                **shown,
                **manners,
            )

    if again is not None:
        _tell_again(again, learn_from, json=json)
        return
    assert url is not None
    try:
        learnt = learn_from(url)
    except InputError as error:
        _tell_known(url, output, error, json=json, **manners)
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
    url: str, output: Path | None, error: InputError, *, json: bool, **more: Any
) -> None:
    """Give the spec of a preset that knows a source whose pages teach nothing; else the error."""
    import msgspec

    found = described(url, **more)
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
