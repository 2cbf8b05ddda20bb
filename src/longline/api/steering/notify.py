"""Tell a program or an address what happens to a harvest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from longline.errors import LonglineError
from longline.harvester import Standing
from longline.learn import Listeners
from longline.notices import EVERY_SECONDS, Notices


@contextmanager
def notifying(
    target: str, listeners: Listeners = Listeners(), *, every: float = EVERY_SECONDS
) -> Iterator[Listeners]:
    """Tell others when a harvest is paused, blocked, finished or failed, and while it runs.

    What is told is JSON: `event`, `folder`, `source`, `state`, five numbers (`documents`, `size`,
    `hit_rate`, `requests`, `requests_left`), `outcome` and `cause`, and `words` and `stopped` for
    people. One who cannot be told is named in the log, and keeps no harvest waiting.

    Args:
        target: A web address, which gets a POST; or a command, which gets the JSON on its
            standard input and the event as its last argument.
        listeners: Who is told besides.
        every: Seconds between two notices of a harvest that goes on.

    Yields:
        Listeners for `harvest` and the others.

    Raises:
        InputError: `target` is neither.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url, longline.notifying("cat") as listeners:
        ...     harvest = longline.harvest(
        ...         url, folder, allow_private=True, max_requests=40, listeners=listeners
        ...     )
    """
    notices = Notices(target, every=every)

    def take(folder: Path) -> None:
        notices.folder = str(folder)
        listeners.on_folder(folder)

    def tell(standing: Standing) -> None:
        notices.tell(standing)
        listeners.on_state(standing)

    try:
        yield replace(listeners, on_folder=take, on_state=tell)
    except LonglineError as error:
        if not notices.has_ended:
            ending = error.ending
            notices.tell(
                Standing(
                    state="ended", outcome=ending.outcome, cause=ending.cause, stopped=str(error)
                )
            )
        raise
    finally:
        notices.close()
