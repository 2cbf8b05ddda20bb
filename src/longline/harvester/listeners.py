"""Who is told while a harvest goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from longline.events import AnyEvent
from longline.fetch import Wait
from longline.harvester.standing import Standing
from longline.ledger import Ledger


@dataclass(frozen=True, kw_only=True)
class Listeners:
    """Who is told while a harvest goes on.

    Attributes:
        on_event: Told every new event, with the ledger as it stands.
        on_wait: Told when a request waits because its host asked for that, and until when.
        on_state: Told how the harvest stands, at most once a second, where that changes.
        on_interrupt: Where it is given, SIGINT or SIGTERM calls it and stops the run when the
            answers under way have come; once more, at once. None leaves signals alone.
    """

    on_event: Callable[[AnyEvent, Ledger], object] = lambda event, ledger: None
    on_wait: Callable[[Wait], object] = lambda wait: None
    on_state: Callable[[Standing], object] = lambda standing: None
    on_interrupt: Callable[[], object] | None = None
