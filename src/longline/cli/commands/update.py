"""longline update and longline diff."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from longline.cli._groups import option
from longline.cli._options import Budget, Folder, Json, Notify, Opening
from longline.cli._said import note, say, say_exactly
from longline.cli.run import print_update, shown
from longline.errors import InputError
from longline.text.safe import clean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from longline.api import Change

MOST_LISTED = 20
"""How many documents of each kind are listed; --json lists all."""


@dataclass(frozen=True)
class How:
    """How an update looks for changes."""

    panel: ClassVar[str] = "How to look for what is new"

    only_new: bool = option(
        False,
        "--only-new",
        help="Read the list of the newest documents until they are known, and nothing else. "
        "Needs ask.newest in source.toml.",
    )
    anew: bool = option(
        False,
        "--anew",
        help="Choose all searches anew. Otherwise a source without exact totals is asked the "
        "fewest of the earlier searches that showed all its documents.",
    )
    reread: float = option(
        0.02,
        metavar="SHARE",
        min=0,
        max=1,
        help="Read this share of the documents again although their rows look the same. 1 "
        "reads all, and finds every change.",
    )
    accept_gone: bool = option(
        False,
        "--accept-gone",
        help="Believe that documents are gone even if they are more than a fifth of all, and "
        "that most changed ones are less than half as long.",
    )
    finish: bool = option(
        False,
        "--finish",
        help="End an update that was interrupted, without another request. What it did not ask for "
        "is kept as it was.",
    )


@dataclass(frozen=True)
class BudgetOfRun(Budget):
    """What one run of an update may cost at most."""

    max_requests: int | None = option(
        None, min=1, help="Stop this run after N requests; the next one may send as many again."
    )


def update(
    folder: Folder,
    how: How,
    budget: BudgetOfRun,
    manners: Opening,
    json: Json = False,
    notify: Notify = "",
) -> None:
    """Harvest again for what is new, changed or gone, with a fraction of the requests.

    Documents whose rows look the same are not read again. What cannot be requested is kept as it
    was, and counted. If interrupted, the same command continues; until it is done the folder keeps
    the earlier harvest. Earlier harvests are in DIR/history; `longline diff DIR@1 DIR` compares.
    """
    from longline.api import update as bring_up_to_date

    options = budget.limits() | manners.limits() | asdict(how)
    with shown(str(folder), budget.max_requests, notify, "updating") as listeners:
        found = bring_up_to_date(folder, listeners=listeners, **options)
    print_update(found, folder, json=json)


def diff(
    before: Annotated[
        str,
        typer.Argument(metavar="A", help="The earlier harvest: a folder, or DIR@N for its Nth."),
    ],
    after: Annotated[str, typer.Argument(metavar="B", help="The later one.")],
    json: Annotated[
        bool, typer.Option("--json", help="Print a line of JSON for each document.")
    ] = False,
    atom: Annotated[bool, typer.Option("--atom", help="Print an Atom feed.")] = False,
) -> None:
    """Show which documents are new, changed or gone between two harvests."""
    if json and atom:
        raise InputError("one of --json and --atom is printed", advice="leave one of them out")
    from longline.api import diff as compare
    from longline.api import diff_feed, diff_lines
    from longline.api import open as open_harvest

    changes = compare(before, after)
    folders = (re.sub(r"@\d+$", "", each) for each in (before, after))
    sources = [open_harvest(each).certificate.source for each in folders]
    if sources[0] != sources[1]:
        note(f"these are harvests of two sources: {' and '.join(sources)}")
    if not (json or atom):
        _print(changes, before, after)
        return
    pieces = diff_lines(changes) if json else diff_feed(changes, after)
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


def _print(changes: Iterable[Change], before: str, after: str) -> None:
    from longline.api import KINDS

    counts: Counter[str] = Counter()
    for change in changes:
        counts[change.kind] += 1
        if counts[change.kind] <= MOST_LISTED:
            document = change.document
            named = document.title or document.url or change.key
            say(f"{change.kind:10} {clean(named)}  {clean(document.url)}".rstrip())
    hidden = {kind: count - MOST_LISTED for kind, count in counts.items() if count > MOST_LISTED}
    for kind, count in hidden.items():
        say(f"{kind:10} and {count:,} more; --json lists all")
    kinds = (kind for kind in KINDS if counts[kind])
    said = ", ".join(f"{counts[kind]:,} {kind}" for kind in kinds) or "no difference"
    say_exactly(f"from {before} to {after}: {said}")
    if counts["missing"]:
        say(
            "missing    says only that the later harvest does not have them, not that they are gone"
        )
