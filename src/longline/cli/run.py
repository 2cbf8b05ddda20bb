"""Show how a harvest goes, and print what came of it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from longline.cli._progress import showing, waiting
from longline.cli._said import note, say, say_json
from longline.cli.sources import UNLEARNT, tell_found
from longline.outcomes import STOPPED_SHORT

if TYPE_CHECKING:
    from longline.api import Certificate, Harvest, Ledger, Listeners
    from longline.events import AnyEvent

STOPPING = "stopping when the answers to open requests are in; press Ctrl-C again to stop at once"


@contextmanager
def shown(source: str, most: int | None = None, notify: str = "") -> Iterator[Listeners]:
    """Show how a source is learnt and harvested; yield who is to be told of it.

    Args:
        source: As the user calls it.
        most: Requests that may be sent.
        notify: Told what happens to it; "" for nobody.
    """
    from longline.api import Listeners, notifying
    from longline.cli.show import progress

    folders, is_learning = Folders(), False
    with showing(f"looking at {source}") as tell:

        def learning(requests: int) -> None:
            nonlocal is_learning
            is_learning = True
            tell(f"learning {source}: request {requests}", requests)

        def begin(folder: Path) -> None:
            nonlocal is_learning
            is_learning = False
            folders.take(folder)

        listeners = Listeners(
            on_request=learning,
            on_found=lambda found: tell_found(source, found),
            on_folder=begin,
            on_event=folders.telling(progress(tell, most)),
            on_wait=waiting(),
            on_interrupt=lambda: note(STOPPING),
        )
        with notifying(notify, listeners) if notify else nullcontext(listeners) as told:
            try:
                yield told
            except KeyboardInterrupt:
                if is_learning:
                    note(UNLEARNT)
                raise


class Folders:
    """Says once where documents are saved: at once where a harvest continues, else with the first.

    >>> Folders().take(Path("not yet there"))
    """

    def __init__(self) -> None:
        self._folder: Path | None = None

    def take(self, folder: Path) -> None:
        """Be told the folder before the harvest begins."""
        from longline.api import is_harvest

        if is_harvest(folder):
            note(f"continuing the harvest in {folder}")
        else:
            self._folder = folder

    def telling(
        self, observe: Callable[[AnyEvent, Ledger], None]
    ) -> Callable[[AnyEvent, Ledger], None]:
        """Return what says it with the first document, and observes."""

        def told(event: AnyEvent, ledger: Ledger) -> None:
            if self._folder is not None and ledger.documents:
                folder, self._folder = self._folder, None
                note(f"saving to {folder}; to see how far it is: longline status {folder}")
            observe(event, ledger)

        return told


def print_harvest(harvest: Harvest, *, json: bool) -> None:
    """Print what came of a harvest: a summary, or the certificate as JSON."""
    if json:
        say_json(harvest.certificate)
        return
    say(str(harvest))
    say(f"saved to   {harvest.folder} (certificate.json has every detail)")
    if harvest.certificate.documents:
        folder, file = (shlex.quote(f"{harvest.folder}{end}") for end in ("", ".jsonl"))
        say(f"next       longline export {folder} -o {file} writes the documents to that file")


def print_update(harvest: Harvest, folder: Path, *, json: bool) -> None:
    """Print what came of an update of a folder, and exit as it deserves."""
    print_harvest(harvest, json=json)
    if harvest.folder != folder:
        note(
            f"the update is not finished, and {folder} keeps the earlier harvest; continue it, or "
            f"end it here: longline update {shlex.quote(str(folder))} [--finish]"
        )
    exit_as(harvest.certificate)


def exit_as(certificate: Certificate) -> None:
    """Exit with 3 where a harvest stopped before its end."""
    if not certificate.target_met:
        raise typer.Exit(STOPPED_SHORT)
