"""Show the progress of a harvest, and print its result."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from longline.cli._progress import Tell, showing, waiting
from longline.cli._said import note, say, say_json
from longline.cli.sources import tell_found, tell_review
from longline.outcomes import STOPPED_SHORT, Ending
from longline.text.numbers import counted, span
from longline.text.safe import quoted

if TYPE_CHECKING:
    from longline.api import Certificate, Found, Harvest, Ledger, Listeners
    from longline.events import AnyEvent


ENOUGH_FOR_A_PACE = 20
"""Number of documents of a run from which the remaining time is shown."""


def progress(tell: Tell, most: int | None = None) -> Callable[[AnyEvent, Ledger], None]:
    """Return a listener that shows the progress of a harvest.

    Args:
        tell: Shows the progress.
        most: Maximum number of requests; None for no limit.
    """
    begun: list[tuple[int, int, float]] = []

    def observe(event: AnyEvent, ledger: Ledger) -> None:
        if not begun:
            begun.append((ledger.documents, ledger.requests - 1, time.monotonic()))
        documents, requests, started = begun[0]
        pace = Pace(
            ledger.documents - documents,
            ledger.requests - requests,
            max(time.monotonic() - started, 1.0),
        )
        tell(state(ledger, pace, most), ledger.documents, ledger.expected_size)

    return observe


class Pace(NamedTuple):
    """What a run has brought so far, and in how many seconds."""

    documents: int
    requests: int
    seconds: float


def state(ledger: Ledger, pace: Pace, most: int | None = None) -> str:
    """Return a harvest's state as a line; the time left assumes the pace so far, at best.

    What matters most is at the beginning: a narrow terminal shows only that.
    """
    from longline.api import saved_of

    size = ledger.expected_size
    parts = [saved_of(ledger.documents, ledger.believed())]
    parts.append(f"{ledger.requests:,}{f' of {most:,}' if most else ''} requests")
    if size and pace.documents >= ENOUGH_FOR_A_PACE:
        left = (size - ledger.documents) * pace.seconds / pace.documents
        if left >= 1:
            parts.append(f"at least {span(left)} left")
    if failed := ledger.failures.unread:
        parts.append(f"{failed:,} failed")
    rate = pace.requests / pace.seconds
    parts.append(f"{rate:.{0 if rate >= 10 else 1}f}/s")
    if ledger.rows_received:
        parts.append(f"each {ledger.overlapping_rate:.2f} times")
    return ", ".join(parts)


STOPPING = "stopping when the answers to open requests are in; press Ctrl-C again to stop at once"


@contextmanager
def shown(
    source: str,
    most: int | None = None,
    notify: str = "",
    doing: str = "continuing",
    *,
    reviews: bool = False,
) -> Iterator[Listeners]:
    """Show how a source is learnt and harvested; yield the listeners for it.

    Args:
        source: As given by the user.
        most: Maximum number of requests; None for no limit.
        notify: Command or web address to notify; "" for none.
        doing: What happens to a harvest that the folder already holds, as a word.
        reviews: Also print why what was learnt should be checked; a harvest stops with that.
    """
    from longline.api import Listeners, notifying

    folders = Folders(doing)
    with showing(f"looking at {source}") as tell:

        def learning(requests: int) -> None:
            tell(f"learning {source}: request {requests}", requests)

        def found_it(found: Found) -> None:
            tell_found(source, found)
            if reviews:
                tell_review(found)

        listeners = Listeners(
            on_request=learning,
            on_found=found_it,
            on_folder=folders.take,
            on_event=folders.telling(progress(tell, most)),
            on_wait=waiting(),
            on_interrupt=lambda: note(STOPPING),
        )
        with notifying(notify, listeners) if notify else nullcontext(listeners) as told:
            yield told


class Folders:
    """Report once where documents are saved: a continued harvest at once, a new one later.

    >>> Folders().take(Path("not yet there"))
    """

    def __init__(self, doing: str = "continuing") -> None:
        self._doing = doing
        self._folder: Path | None = None

    def take(self, folder: Path) -> None:
        """Take the folder before the harvest begins, and report it if a harvest continues."""
        from longline.api import how_it_stands, is_harvest

        if is_harvest(folder):
            if how_it_stands(folder).is_running:  # by another run: this one is refused next
                return
            lacks = _lacks(folder) if self._doing == "updating" else ""
            note(f"{self._doing} the harvest in {folder}{lacks}")
        else:
            self._folder = folder

    def telling(
        self, observe: Callable[[AnyEvent, Ledger], None]
    ) -> Callable[[AnyEvent, Ledger], None]:
        """Return an observer that also reports the folder at the first document."""

        def told(event: AnyEvent, ledger: Ledger) -> None:
            if self._folder is not None and ledger.documents:
                folder, self._folder = self._folder, None
                note(f"saving to {folder}; to see how far it is: longline status {quoted(folder)}")
            observe(event, ledger)

        return told


def _lacks(folder: Path) -> str:
    """Say what an update will call new, though it may have been there all along."""
    from longline.api import open as open_harvest

    known = open_harvest(folder).certificate
    if not known.outcome or known.outcome == "complete":
        return ""
    ending = Ending(known.outcome, known.cause)
    return f", which is {ending}: what it lacks will count as new"


def print_harvest(
    harvest: Harvest, *, json: bool, is_unfinished: bool = False, unsaved: str = ""
) -> None:
    """Print the result of a harvest: a summary, or the certificate as JSON.

    Args:
        harvest: A harvest that has ended.
        json: Print the certificate as JSON.
        is_unfinished: It is an update that has not yet replaced the harvest before.
        unsaved: Options of this run that are not saved, and that the next one needs.
    """
    if json:
        say_json(harvest.certificate)
        return
    say(str(harvest))
    say(f"saved to   {harvest.folder} (certificate.json has every detail)")
    for place, step in enumerate([] if is_unfinished else harvest.next_steps):
        say(f"{'' if place else 'next':11}{step}")
    if unsaved and not harvest.certificate.target_met:
        say(f"{'':11}To ask the site again, give what is not saved: {unsaved}")


def print_update(harvest: Harvest, folder: Path, *, json: bool) -> None:
    """Print the result of an update of a folder, and exit with its code."""
    from longline.api import to_update

    is_unfinished = harvest.folder != folder
    print_harvest(harvest, json=json, is_unfinished=is_unfinished)
    if is_unfinished:
        again = to_update(harvest.certificate, folder)
        note(
            f"the update is not finished, and {folder} keeps the earlier harvest; to continue: "
            f"{again}; to end it with what came: longline update {quoted(folder)} --finish"
        )
    exit_as(harvest.certificate)


def retried(before: Certificate, after: Certificate) -> str:
    """Say what a retry brought, and what failed again."""
    documents, pages = before.documents_failed, before.cuts.get("failed", 0)
    left, still = after.documents_failed, after.cuts.get("failed", 0)
    new = after.documents - before.documents
    if not documents + pages:
        return "nothing had failed, so nothing was tried again"
    counts = (
        ("documents that could not be read", documents, left),
        ("searches with a page that failed", pages, still),
    )
    tried = [f"{what}: {now:,}, before {was:,}" for what, was, now in counts if was or now]
    brought = counted(new, "new document came", "new documents came")
    return "; ".join([f"tried again: {brought}", *tried])


def exit_as(certificate: Certificate) -> None:
    """Exit with code 3 if a harvest did not reach its target."""
    if not certificate.target_met:
        raise typer.Exit(STOPPED_SHORT)
