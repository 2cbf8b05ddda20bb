"""Options of learning a source, and messages about what was learnt."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

from longline.cli._groups import option
from longline.cli._options import Opening
from longline.cli._progress import showing, waiting
from longline.cli._said import note
from longline.cli._settings import shown
from longline.files import read_words
from longline.logs import log
from longline.text.numbers import counted

if TYPE_CHECKING:
    from longline.api import Found, Listeners


LEARNT = "LONGLINE_LEARNT"
"""Environment variable with the folder that keeps what is learnt; empty: keep nothing."""


def usual_learnt() -> Path:
    """Return the usual folder for what is learnt: in the user's cache, by the XDG rules."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (cache if cache.is_absolute() else Path.home() / ".cache") / "longline"


def is_this_machine(source: str) -> bool:
    """Return whether a URL is on this machine, where another program may answer tomorrow.

    >>> is_this_machine("http://127.0.0.1:8000/"), is_this_machine("https://archive.example/")
    (True, False)
    """
    try:
        host = urlsplit(source).hostname or ""
        is_named = host == "localhost" or host.endswith(".localhost")
        return is_named or ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Learning:
    """How a source that is given by its address is learnt."""

    panel: ClassVar[str] = "Learning the source"

    words: Path | None = option(
        None,
        metavar="FILE",
        help="File of words in the source's language, one a line, to search for first.",
    )
    post: bool = option(False, "--post", help="Also fill forms that are sent by POST.")
    browser: bool | None = option(
        None,
        "--browser/--no-browser",
        help="Open pages in the system's Chromium at once, or never.",
        show_default="where plain requests find no search",
    )
    learnt: str | None = option(
        None,
        metavar="DIR",
        envvar=LEARNT,
        help="Folder that keeps what is learnt of an address for a week, for the next plan or "
        "harvest of it; '' keeps nothing. Of this machine's own addresses (localhost) nothing "
        "is kept unless DIR is given.",
        show_default=shown(usual_learnt()),
    )

    def options(self, source: str) -> dict[str, Any]:
        """Return the options under the names that the package uses.

        Args:
            source: The source to learn.

        Raises:
            InputError: The file of words cannot be read.
        """
        # typer treats an empty variable as unset.
        is_unkept = LEARNT in os.environ or is_this_machine(source)
        usual = "" if is_unkept else str(usual_learnt())
        learnt = usual if self.learnt is None else self.learnt
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        words = given.pop("words")
        given |= {} if words is None else {"words": read_words(words)}
        return given | {"learnt": learnt}


@dataclass(frozen=True)
class LearningOnce(Learning):
    """The same, for commands that can use what was learnt before."""

    learn_again: bool = option(False, "--learn-again", help="Use nothing that was learnt before.")


@dataclass(frozen=True)
class Settable(Learning, Opening):
    """Options that can be set for all commands, by a variable or in a file."""


@contextmanager
def looking_at(source: str) -> Iterator[Listeners]:
    """Show how many requests the learning has cost so far; yield the listeners for it."""
    from longline.api import Listeners

    with showing(f"learning {source}", lines=False) as show:

        def count(requests: int) -> None:
            show(f"learning {source}: request {requests}", requests, None)

        yield Listeners(
            on_request=count, on_found=lambda found: tell_found(source, found), on_wait=waiting()
        )


def words_in(source: str, asked: str) -> list[str]:
    """Return the words of an address in whose place the words of each search are sent.

    >>> words_in("https://x.example/find?q=deep+sea&lang=en", "https://x.example/find?q={query}")
    ['deep sea']
    """
    template = dict(parse_qsl(urlsplit(asked).query))
    given = parse_qsl(urlsplit(source).query)
    return [words for name, words in given if template.get(name) == "{query}"]


def tell_found(source: str, found: Found) -> None:
    """Print where a spec comes from."""
    for words in words_in(source, found.spec.ask.url):
        note(
            f"{source}: {words!r} only shows how to search; everything is meant to be saved, or "
            "what the searches of --queries FILE find"
        )
    if found.learnt_on:
        note(
            f"{source}: using what was learnt on {found.learnt_on}, in {found.kept}; "
            "--learn-again learns it anew"
        )
    elif found.preset:
        note(f"{source}: using {found.preset}")
        why = found.toml.partition("\n")[0]
        if "by POST" in why:
            note("  its search was not learnt: a form is sent by POST; --post has it sent")
        elif "/robots.txt disallows" in why:
            note("  its search was not learnt: the site's robots.txt disallows it; ask its owner")
    elif found.findings:
        note(f"{source}: no ready-made description; worked out how its search works")
        tell(source, found)


def tell(source: str, found: Found) -> None:
    """Print in a few lines what was learnt, and what is doubtful beside the reasons to review."""
    sure = sum(finding.sure == "sure" for finding in found.findings)
    facts = f"; {counted(len(found.findings), 'fact')}, {sure} of them checked"
    note(counted(found.requests, "request") + (facts if found.findings else ""))
    for finding in found.findings:
        log(logging.INFO, f"{finding.name} = {finding.value}", sure=finding.sure)
        is_reason = any(reason.startswith(f"{finding.name}:") for reason in found.review)
        if finding.warning and not is_reason:
            note(f"  please check {finding.name} ({finding.value or 'unknown'}): {finding.warning}")
    if found.kept is not None:
        note(f"  kept for a week, in {found.kept}; a plan or a harvest of {source} uses it")


def tell_review(found: Found) -> None:
    """Print why a person should check a spec; the error that stops a harvest says so itself."""
    for reason in found.review:
        note(f"  before you harvest: {reason}")
