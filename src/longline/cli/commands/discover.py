"""longline discover: a search page -> a source spec."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from longline.cli._groups import option
from longline.cli._options import Json, Output, Patience
from longline.cli._said import check_new, note, say, say_exactly, say_json, write_file
from longline.cli.sources import Learning, looking_at, tell, tell_review
from longline.errors import InputError
from longline.outcomes import STOPPED_SHORT
from longline.secrets import masked
from longline.text.addresses import is_private_host
from longline.text.safe import quoted

if TYPE_CHECKING:
    from longline.api import Found


@dataclass(frozen=True)
class BoundLearning(Learning):
    """How a search interface is learnt, and what it may cost."""

    max_requests: int | None = option(
        None,
        min=1,
        help="Spend at most N requests, robots.txt included.",
        show_default="40, with a browser 80; 20 more where searches are redirected",
    )


def discover(
    learning: BoundLearning,
    patience: Patience,
    url: Annotated[
        str | None,
        typer.Argument(metavar="URL", help="A page with the search form, or one that links to it."),
    ] = None,
    relearn: Annotated[
        Path | None,
        typer.Option(
            "--relearn",
            metavar="DIR",
            help="After a redesign: learn the site of this harvest anew. Its old spec is kept as "
            "source.toml.old.",
        ),
    ] = None,
    output: Output = None,
    json: Json = False,
) -> None:
    """Learn how a site is searched, and write a source spec to read and edit.

    Every line of the spec says how sure it is and what was seen; an unsure line has a WARNING.
    Forms with a field for a password or a file are never filled. With --json: the spec as TOML, the
    findings, and what a person should check.
    """
    if (url is None) == (relearn is None) or (relearn is not None and output is not None):
        raise InputError(
            "it is not clear what to learn",
            advice="give a URL, or --relearn DIR without -o and URL",
        )
    if output is not None:
        check_new(output)
    options = learning.options(url or "") | patience.limits()
    if relearn is not None:
        _relearn(relearn, options, json=json)
        return
    assert url is not None
    from longline.api import discover as learn

    with looking_at(url) as listeners:
        learnt = learn(url, listeners=listeners, **options)
    if output is not None:
        write_file(output, learnt.toml)
    if json:
        _print_json(learnt)
    elif output is None:
        say_exactly(learnt.toml, nl=False)
    tell(url, learnt)
    tell_review(learnt)
    if output is not None:
        option = " --allow-private" if is_private_host(learnt.spec.source.url) else ""
        note(f"written to {output}; read it, then: longline harvest {quoted(output)}{option}")
    if learnt.review:
        raise typer.Exit(STOPPED_SHORT)


def _relearn(folder: Path, options: dict[str, Any], *, json: bool) -> None:
    """Learn a harvest's source again, and print what changed."""
    from longline.api import relearn, renames, update_under_way

    with looking_at(str(folder)) as listeners:
        learnt, changes = relearn(folder, listeners=listeners, **options)
    lines = [masked(line) for line in changes]
    if json:
        _print_json(learnt, changes=lines)
    else:
        say("\n".join(lines) or "nothing has changed")
    tell(str(folder), learnt)
    tell_review(learnt)
    if renames(lines):
        note("  how documents are told apart has changed: if their addresses did, they come again")
    if lines:
        path = folder / "source.toml"
        note(f"written to {path}; the old spec is {path}.old; read it")
    verb = "harvest" if update_under_way(folder) is None else "update"
    allowed = " --allow-private" if options.get("allow_private") else ""
    note(f"continue with: longline {verb} {folder}{allowed}")
    if learnt.review:
        raise typer.Exit(STOPPED_SHORT)


def _print_json(learnt: Found, **more: Any) -> None:
    told = {"spec": learnt.toml, "requests": learnt.requests, "findings": learnt.findings}
    say_json(told | {"review": learnt.review, **more})
